#include "scenarios.h"

namespace storm {
namespace {

constexpr unsigned kForks = kSanitized ? 100 : 300;
constexpr unsigned kClones = kSanitized ? 30 : 100;
constexpr unsigned kNests = kSanitized ? 10 : 30;
constexpr std::uint64_t kIdsEach = 64;

void copy_in_fresh_ms(Storm& storm, Copy how, Origin origin, unsigned times) {
  if (storm.kind.take_machine != nullptr) storm.kind.take_machine(storm.log.new_machine());
  Dice dice(storm.seed);
  Stream stream(storm.log, origin, 0);
  for (unsigned i = 0; i < times; ++i) {
    await_fresh_ms();
    mint(storm, stream, 1 + dice.below(8));
    const Floor floor = floor_for_child(storm, stream);
    const pid_t child = copy_process(storm, how);
    if (child == 0) {
      if (!begin_child(storm)) leave(0);
      Stream childs(storm.log, origin, 1, floor);
      mint(storm, childs, kIdsEach);
      leave(0);
    }
    mint(storm, stream, kIdsEach);
    wait_for(storm, child);
  }
}

// Process 1 of its namespace, with a copy of it that is process 1 as well, and so on down.
[[noreturn]] void live_as_process_one(Storm& storm, unsigned depth, const Floor& floor) {
  if (!begin_child(storm)) leave(0);
  Stream stream(storm.log, Origin::pid_namespace, depth, floor);
  mint(storm, stream, kIdsEach);
  if (depth < kDepthMax) {
    await_fresh_ms();
    mint(storm, stream, 2);
    const Floor childs_floor = floor_for_child(storm, stream);
    const pid_t child = copy_process(storm, Copy::pid_namespace);
    if (child == 0) live_as_process_one(storm, depth + 1, childs_floor);
    mint(storm, stream, kIdsEach);
    wait_for(storm, child);
  }
  leave(0);
}

}  // namespace

void fork_in_fresh_ms(Storm& storm) {
  copy_in_fresh_ms(storm, Copy::fork, Origin::fresh_ms, kForks);
}

void clone_in_fresh_ms(Storm& storm) {
  copy_in_fresh_ms(storm, Copy::raw_clone, Origin::raw_clone, kClones);
}

// Two at a time: they are copies of the same process, have the same number, and mint in the
// same millisecond.
void nest_pid_namespaces(Storm& storm) {
  if (storm.kind.take_machine != nullptr) storm.kind.take_machine(storm.log.new_machine());
  Stream stream(storm.log, Origin::pid_namespace, 0);
  for (unsigned i = 0; i < kNests; ++i) {
    await_fresh_ms();
    mint(storm, stream, 2);
    const Floor floor = floor_for_child(storm, stream);
    const pid_t first = copy_process(storm, Copy::pid_namespace);
    if (first == 0) live_as_process_one(storm, 1, floor);
    const pid_t second = copy_process(storm, Copy::pid_namespace);
    if (second == 0) live_as_process_one(storm, 1, floor);
    mint(storm, stream, kIdsEach);
    wait_for(storm, first);
    wait_for(storm, second);
  }
}

}  // namespace storm
