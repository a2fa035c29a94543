// What the hand-out promises: a number of a segment is taken once and in order, by any number of
// threads; nothing beyond a segment is ever handed out, however often it is asked; one take is
// told of the mark; a forked child has nothing.

#include "tessera/segment/handout.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "support/soak.h"

namespace tessera {
namespace {

TEST(Handout, HasNothingAtFirst) {
  Handout handout;
  EXPECT_EQ(handout.take(1).count, 0u);
  EXPECT_EQ(handout.left(), 0u);
  EXPECT_EQ(handout.taken(), 0u);
  EXPECT_FALSE(handout.may_have(1));
}

TEST(Handout, GivesEachNumberOnceAndInOrder) {
  Handout handout;
  handout.publish({10, 13});
  for (std::uint64_t number = 10; number < 13; ++number) {
    const auto taken = handout.take(1);
    EXPECT_EQ(taken.first, number);
    EXPECT_EQ(taken.count, 1u);
  }
  EXPECT_EQ(handout.take(1).count, 0u);
  EXPECT_EQ(handout.taken(), 3u);
}

TEST(Handout, EndsWithTheLargestNumberThereIs) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 63;
  Handout handout;
  handout.publish({kEnd - 2, kEnd});
  EXPECT_EQ(handout.take(1).first, kEnd - 2);
  EXPECT_EQ(handout.take(1).first, kEnd - 1);
  EXPECT_EQ(handout.take(1).count, 0u);
}

TEST(Handout, GivesTheTailToABatchThatIsTooLarge) {
  Handout handout;
  handout.publish({100, 110});
  EXPECT_TRUE(handout.may_have(10));
  EXPECT_FALSE(handout.may_have(11));
  handout.take(7);
  const auto taken = handout.take(4096);
  EXPECT_EQ(taken.first, 107u);
  EXPECT_EQ(taken.count, 3u);
  EXPECT_EQ(handout.left(), 0u);
}

TEST(Handout, GivesAWholeOrNothing) {
  Handout handout;
  EXPECT_EQ(handout.take_whole(1).count, 0u);
  handout.publish({100, 110});
  EXPECT_EQ(handout.take_whole(0).count, 0u);
  EXPECT_EQ(handout.take_whole(11).count, 0u);
  EXPECT_EQ(handout.take_whole(~std::uint64_t{0}).count, 0u);
  EXPECT_EQ(handout.left(), 10u) << "nothing was lost by asking";
  handout.set_mark(5);
  const auto taken = handout.take_whole(7);
  EXPECT_EQ(taken.first, 100u);
  EXPECT_EQ(taken.count, 7u);
  EXPECT_TRUE(taken.at_mark);
  EXPECT_EQ(handout.take_whole(4).count, 0u);
  EXPECT_EQ(handout.take(1).first, 107u) << "what is left is for those who want less";
  const auto rest = handout.take_whole(2);
  EXPECT_EQ(rest.first, 108u);
  EXPECT_EQ(rest.count, 2u);
  EXPECT_FALSE(rest.at_mark);
  EXPECT_EQ(handout.take_whole(1).count, 0u);
  handout.take(Handout::kTakeMax);  // the offset is beyond the size
  EXPECT_EQ(handout.take_whole(1).count, 0u);
  EXPECT_EQ(handout.taken(), 10u);
}

TEST(Handout, SaysHowMuchOfTheLastSegmentIsLost) {
  Handout handout;
  handout.publish({0, 10});
  handout.take(4);
  EXPECT_EQ(handout.publish({20, 30}), 6u);
  EXPECT_EQ(handout.take(1).first, 20u);
  EXPECT_EQ(handout.taken(), 5u);
  handout.take(100);
  EXPECT_EQ(handout.publish({}), 0u);
  EXPECT_EQ(handout.taken(), 14u);
}

TEST(Handout, TellsOneTakeOfTheMark) {
  Handout handout;
  handout.publish({0, 100});
  handout.set_mark(50);
  int told = 0;
  for (int i = 0; i < 100; ++i) {
    const auto taken = handout.take(1);
    EXPECT_EQ(taken.at_mark, taken.first == 50);
    told += taken.at_mark ? 1 : 0;
  }
  EXPECT_EQ(told, 1);

  handout.publish({0, 100});
  handout.set_mark(50);
  EXPECT_FALSE(handout.take(50).at_mark);
  EXPECT_TRUE(handout.take(2).at_mark);

  handout.publish({0, 100});
  handout.set_mark(1000);  // more than there are: no mark
  EXPECT_FALSE(handout.take(150).at_mark);
}

// However long whoever was told takes to set another.
TEST(Handout, AMarkThatWasMetSlowsNobodyDown) {
  Handout handout;
  handout.publish({0, 100});
  handout.set_mark(50);
  EXPECT_TRUE(handout.take_quickly(50).good);
  const auto met = handout.take_quickly(1);
  ASSERT_FALSE(met.good);
  EXPECT_TRUE(handout.look_again(met.word, 1).at_mark);
  EXPECT_TRUE(handout.take_quickly(1).good);
  handout.set_mark(60);
  EXPECT_TRUE(handout.take(20).at_mark);
  EXPECT_TRUE(handout.take_quickly(28).good);
  EXPECT_FALSE(handout.take_quickly(1).good) << "there are no more";
}

TEST(Handout, GivesNothingHoweverOftenItIsAskedWhenEmpty) {
  Handout handout;
  handout.publish({5, 6});
  handout.take(1);
  // Enough to run the offset into the generation, if nobody trimmed.
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    ASSERT_EQ(handout.take(Handout::kTakeMax).count, 0u);
    handout.trim();
  }
  handout.publish({7, 9});
  EXPECT_EQ(handout.take(1).first, 7u);
  EXPECT_EQ(handout.taken(), 2u);
}

TEST(Handout, GivesNothingToAForkedChild) {
  Handout handout;
  for (int i = 0; i < 8; ++i) handout.publish({});  // also when the first slot was used again
  handout.publish({1, 1000});
  handout.take(1);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool nothing = true;
    for (int i = 0; i < 100; ++i) {
      nothing = nothing && handout.take_whole(1).count == 0 && handout.take(1).count == 0;
    }
    _exit(nothing ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(handout.take(1).first, 2u);
}

// Threads take ones and batches while segments of a few numbers are switched under them: so few
// that slots are written again while somebody still looks at them.
TEST(Handout, GivesNoNumberTwiceWhileSegmentsSwitch) {
  Handout handout;
  std::mutex owner;
  std::uint64_t next = 1;
  std::uint64_t published = 0;
  std::uint64_t lost = 0;
  std::atomic<bool> running{true};
  std::vector<std::vector<Segment>> seen(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < seen.size(); ++t) {
    threads.emplace_back([&, t] {
      std::uint64_t last = 0;
      bool ordered = true;
      while (running.load(std::memory_order_relaxed)) {
        const std::uint64_t count = 1 + t;
        const auto taken = t == 1 ? handout.take_whole(count) : handout.take(count);
        if (taken.count == 0) {
          const std::scoped_lock guard(owner);
          handout.trim();
          if (handout.left() >= (t == 1 ? count : 1)) continue;
          const std::uint64_t size = 1 + next % 3;
          lost += handout.publish({next, next + size});
          published += size;
          next += size + next % 2;  // sometimes others were faster at the store
          continue;
        }
        ordered = ordered && taken.first > last;
        last = taken.first + taken.count - 1;
        if (seen[t].size() < 300'000) seen[t].push_back({taken.first, last + 1});
      }
      EXPECT_TRUE(ordered);
    });
  }
  std::this_thread::sleep_for(soak_time());
  running = false;
  for (auto& thread : threads) thread.join();

  std::vector<Segment> all;
  for (const auto& some : seen) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all, {}, &Segment::first);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_TRUE(i == 0 || all[i - 1].end <= all[i].first);
    sum += all[i].size();
  }
  EXPECT_GT(sum, 0u);
  EXPECT_LE(sum, published - lost);
  EXPECT_EQ(handout.taken() + handout.left() + lost, published);
}

}  // namespace
}  // namespace tessera
