// What a wiped line promises: it is empty, nobody else has it, and a forked child finds it empty
// again and can take others.

#include "segment/wiped_lines.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace tessera {
namespace {

bool is_empty(const void* line) {
  std::array<std::uint8_t, kWipedLineSize> bytes;
  std::memcpy(bytes.data(), line, bytes.size());
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

TEST(WipedLines, AreEmptyAlignedAndApart) {
  std::vector<void*> lines;
  for (int i = 0; i < 200; ++i) {  // more than a page has
    lines.push_back(take_wiped_line());
    EXPECT_TRUE(is_empty(lines.back()));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(lines.back()) % kWipedLineSize, 0u);
    std::memset(lines.back(), 0xAB, kWipedLineSize);
  }
  EXPECT_EQ(std::set<void*>(lines.begin(), lines.end()).size(), lines.size());
  for (void* line : lines) return_wiped_line(line);
}

TEST(WipedLines, AreTakenAgainAfterTheyWereReturnedAndEmptyThen) {
  std::vector<void*> lines(64);
  for (void*& line : lines) line = take_wiped_line();
  const std::set<void*> before(lines.begin(), lines.end());
  for (void* line : lines) {
    std::memset(line, 0xAB, kWipedLineSize);
    return_wiped_line(line);
  }
  for (void*& line : lines) {
    line = take_wiped_line();
    EXPECT_TRUE(is_empty(line));
    EXPECT_TRUE(before.contains(line)) << "no page is added while there is a free line";
  }
  for (void* line : lines) return_wiped_line(line);
}

TEST(WipedLines, OfTwoThreadsAreNeverTheSame) {
  constexpr std::size_t kCount = 2'000;
  std::array<std::vector<void*>, 2> taken;
  std::array<std::thread, 2> threads;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&mine = taken[i]] {
      for (std::size_t n = 0; n < kCount; ++n) {
        mine.push_back(take_wiped_line());
        if (n % 3 == 0) {  // others get it meanwhile
          return_wiped_line(mine.back());
          mine.pop_back();
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<void*> all(taken[0].begin(), taken[0].end());
  all.insert(taken[1].begin(), taken[1].end());
  EXPECT_EQ(all.size(), taken[0].size() + taken[1].size());
  for (void* line : all) return_wiped_line(line);
}

TEST(WipedLines, AreEmptyInAForkedChildWhichCanTakeOthers) {
  void* line = take_wiped_line();
  std::memset(line, 0xAB, kWipedLineSize);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    void* mine = take_wiped_line();
    _exit(is_empty(line) && is_empty(mine) && mine != line ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(is_empty(line)) << "the parent keeps what it has";
  return_wiped_line(line);
}

}  // namespace
}  // namespace tessera
