// What the two sources of randomness promise: either fills all it is given, with bytes of its own
// in every thread and every child; the kernel's keeps nothing here; and which one it is can be
// chosen, by the program or by TESSERA_RANDOM.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <set>
#include <thread>
#include <vector>

#include "core/random_pool.h"
#include "support/child.h"
#include "tessera/system.h"
#include "tessera/uuid.h"

namespace tessera::detail {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Block = std::array<std::uint8_t, 16>;

// `source` while this lives.
class Choice {
 public:
  explicit Choice(RandomSource source) : before_(random_source()) { set_random_source(source); }
  Choice(const Choice&) = delete;
  Choice& operator=(const Choice&) = delete;
  ~Choice() { set_random_source(before_); }

 private:
  RandomSource before_;
};

class EachSource : public testing::TestWithParam<RandomSource> {};

INSTANTIATE_TEST_SUITE_P(Random, EachSource,
                         testing::Values(RandomSource::pool, RandomSource::kernel),
                         [](const auto& about) {
                           return about.param == RandomSource::pool ? "pool" : "kernel";
                         });

TEST_P(EachSource, FillsEverySizeToItsEnds) {
  const Choice choice(GetParam());
  SystemEntropy entropy;
  for (const std::size_t size : {1u, 8u, 10u, 16u, 64u, 1023u, 1024u, 7648u, 9000u, 200'001u}) {
    // So often that a byte which stays as it was cannot be chance.
    Bytes seen(size, 0);
    for (int round = 0; round < 10; ++round) {
      Bytes bytes(size + 32, 0);
      ASSERT_TRUE(entropy.fill(std::span(bytes).subspan(16, size)));
      for (std::size_t i = 0; i < size; ++i) seen[i] |= bytes[16 + i];
      EXPECT_TRUE(std::all_of(bytes.begin(), bytes.begin() + 16, [](auto b) { return b == 0; }));
      EXPECT_TRUE(std::all_of(bytes.end() - 16, bytes.end(), [](auto b) { return b == 0; }));
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 0) << size;
  }
}

TEST_P(EachSource, NeverRepeatsABlockInThreadsAndChildren) {
  const Choice choice(GetParam());
  const auto draw = [] {
    Bytes drawn(64 * 16 + 4096);
    for (std::size_t i = 0; i < 64; ++i) {
      EXPECT_TRUE(SystemEntropy().fill(std::span(drawn).subspan(16 * i, 16)));
    }
    EXPECT_TRUE(SystemEntropy().fill(std::span(drawn).subspan(1024)));
    return drawn;
  };
  std::vector<Bytes> all = {draw()};
  for (const ForkBy how : {ForkBy::fork, ForkBy::bare_clone}) {
    all.push_back(in_child([&](Pipe& out) { out.write(draw()); }, how));
    all.push_back(draw());
  }
  all.emplace_back();
  std::thread([&] { all.back() = draw(); }).join();
  std::set<Block> blocks;
  std::size_t count = 0;
  for (const Bytes& drawn : all) {
    ASSERT_EQ(drawn.size(), 64u * 16 + 4096);
    for (std::size_t at = 0; at < drawn.size(); at += 16, ++count) {
      Block block;
      std::copy_n(drawn.begin() + static_cast<std::ptrdiff_t>(at), 16, block.begin());
      blocks.insert(block);
    }
  }
  EXPECT_EQ(blocks.size(), count);
}

TEST(RandomSource, OfTheKernelLeavesNothingInThePool) {
  const Choice choice(RandomSource::pool);
  ASSERT_TRUE(Uuid::generate_v4());
  ASSERT_NE(this_thread_pool, nullptr);
  EXPECT_GT(this_thread_pool->unread, 0u);
  set_random_source(RandomSource::kernel);
  ASSERT_TRUE(Uuid::generate_v4());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(this_thread_pool);
  EXPECT_TRUE(std::all_of(bytes, bytes + sizeof(RandomPool), [](auto b) { return b == 0; }));
}

TEST(RandomSource, AlsoHoldsForThreadsThatHaveAPool) {
  const Choice choice(RandomSource::pool);
  std::atomic<int> step{0};
  bool kept = true;
  std::thread thread([&] {
    static_cast<void>(Uuid::generate_v4());
    step = 1;
    while (step != 2) std::this_thread::yield();
    static_cast<void>(Uuid::generate_v4());
    kept = this_thread_pool->unread != 0;
  });
  while (step != 1) std::this_thread::yield();
  set_random_source(RandomSource::kernel);
  step = 2;
  thread.join();
  EXPECT_FALSE(kept);
}

TEST(RandomSource, IsChosenByTheEnvironmentAndTheCarefulOneIfItMakesNoSense) {
  struct Case {
    const char* word;
    RandomSource source;
  };
  const Case cases[] = {{"pool", RandomSource::pool},   {"kernel", RandomSource::kernel},
                        {"Pool", RandomSource::kernel}, {"poool", RandomSource::kernel},
                        {"", RandomSource::pool},       {nullptr, RandomSource::pool}};
  for (const Case& row : cases) {
    const auto told = in_child([&](Pipe& out) {
      if (row.word == nullptr) {
        unsetenv("TESSERA_RANDOM");
      } else {
        setenv("TESSERA_RANDOM", row.word, 1);
      }
      chosen_source = ChosenSource::none_yet;  // as when the process starts
      out.write_byte(Uuid::generate_v4() ? 1 : 0);
      out.write_byte(static_cast<std::uint8_t>(random_source()));
    });
    EXPECT_EQ(told, (Bytes{1, static_cast<std::uint8_t>(row.source)}))
        << (row.word == nullptr ? "(unset)" : row.word);
  }
}

}  // namespace
}  // namespace tessera::detail
