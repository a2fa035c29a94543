#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "scenarios.h"
#include "tessera/system.h"

namespace storm {
namespace {

constexpr unsigned kRounds = 3;  // threads end, and new ones begin

// A child, from its first instruction to its last. One that was cloned behind the back of the C
// library can only mint: the locks of malloc() may be held by threads that it does not have.
[[noreturn]] void live_as_child(Storm& storm, Dice dice, Copy how, unsigned depth,
                                const Floor& floor) {
  if (!begin_child(storm)) leave(0);
  Stream stream(storm.log, Origin::fork_storm, depth, floor);
  Dice own_dice(dice.roll() ^ stream.number());
  mint(storm, stream, 1 + own_dice.below(kChildIdsMax / 2));

  pid_t grandchild = 0;
  if (how == Copy::fork && depth < kDepthMax && own_dice.one_in(2)) {
    const Floor childs_floor = floor_for_child(storm, stream);
    grandchild = copy_process(storm, Copy::fork);
    if (grandchild == 0) live_as_child(storm, own_dice, Copy::fork, depth + 1, childs_floor);
  }
  std::thread second;
  if (how == Copy::fork && !kSanitized && own_dice.one_in(4)) {
    second = std::thread([&storm, depth, above = floor_for_child(storm, stream)] {
      Stream second_stream(storm.log, Origin::fork_storm, depth, above);
      mint(storm, second_stream, kChildIdsMax / 4);
    });
  }
  mint(storm, stream, 1 + own_dice.below(kChildIdsMax / 4));
  if (second.joinable()) second.join();
  if (grandchild != 0) wait_for(storm, grandchild);
  leave(0);
}

// Mints `ids` and forks `forks` times on the way.
void live_as_thread(Storm& storm, Dice dice, std::uint64_t ids, std::uint64_t forks) {
  // The first random byte of a thread allocates, which a raw clone could not. Most kinds draw
  // one for each ID; an ObjectId only once a second.
  std::array<std::uint8_t, 1> byte{};
  if (!tessera::SystemEntropy().fill(byte)) storm.log.fail("the system gave no randomness");
  Stream stream(storm.log, Origin::fork_storm, 0);
  pid_t child = 0;
  for (; forks > 0; --forks) {
    const std::uint64_t burst = 1 + dice.below(std::max<std::uint64_t>(2 * ids / (forks + 1), 1));
    mint(storm, stream, std::min(burst, ids));
    ids -= std::min(burst, ids);
    if (child != 0) wait_for(storm, child);
    const Copy how = !kSanitized && dice.one_in(4) ? Copy::raw_clone : Copy::fork;
    const Floor floor = floor_for_child(storm, stream);
    child = copy_process(storm, how);
    if (child == 0) live_as_child(storm, dice, how, 1, floor);
  }
  mint(storm, stream, ids);
  if (child != 0) wait_for(storm, child);
}

}  // namespace

void fork_storm(Storm& storm, unsigned process) {
  if (storm.kind.take_machine != nullptr) storm.kind.take_machine(storm.log.new_machine());
  constexpr std::uint64_t kShares = kProcesses * kThreads * kRounds;
  for (unsigned round = 0; round < kRounds; ++round) {
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      const Dice dice(storm.seed ^ (process * 64 + round * 8 + thread + 1) * 0xD134'2543'DE82'EF95);
      threads.emplace_back([&storm, dice] {
        live_as_thread(storm, dice, storm.ids / kShares + 1, storm.forks / kShares + 1);
      });
    }
    for (auto& thread : threads) thread.join();
  }
}

}  // namespace storm
