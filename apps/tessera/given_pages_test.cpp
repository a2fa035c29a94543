// What giving pages promises: everything arrives, and what a reader holds never changes; where it
// would not pay, it is not done.

#include "given_pages.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "output.h"

namespace tessera::cli {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends), 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends) ::close(end);
  }
  int ends[2] = {-1, -1};
};

// The numbers from 0 on, eight bytes each: any part of it shows where it comes from.
void write_numbers(Output& out, std::size_t size) {
  for (std::uint64_t i = 0; i < size / sizeof i; ++i) {
    const auto space = out.space(sizeof i);
    std::memcpy(space.data(), &i, sizeof i);
    out.commit(sizeof i);
  }
}

std::vector<std::uint64_t> read_numbers(int fd, std::size_t size) {
  std::vector<std::uint64_t> numbers(size / sizeof(std::uint64_t));
  auto* const bytes = reinterpret_cast<char*>(numbers.data());
  for (std::size_t at = 0; at < size;) {
    const ssize_t got = ::read(fd, bytes + at, size - at);
    if (got <= 0) return {};
    at += static_cast<std::size_t>(got);
  }
  return numbers;
}

bool counts_from(const std::vector<std::uint64_t>& numbers, std::uint64_t first) {
  return !numbers.empty() &&
         std::ranges::all_of(numbers, [&](std::uint64_t number) { return number == first++; });
}

TEST(GivenPages, APieceThatAReaderHoldsNeverChanges) {
  Pipe pipe, held;
  constexpr std::size_t kHeld = kMebibyte / 2;
  constexpr std::size_t kBefore = 8 * kMebibyte, kAfter = 32 * kMebibyte;
  ASSERT_GE(::fcntl(held.ends[1], F_SETPIPE_SZ, static_cast<int>(kMebibyte)), 0);
  std::thread writer([&] {
    Output out(pipe.ends[1]);
    write_numbers(out, kBefore + kHeld + kAfter);
  });
  const auto before = read_numbers(pipe.ends[0], kBefore);
  std::size_t size = 0;
  while (size < kHeld) {
    const ssize_t moved =
        ::splice(pipe.ends[0], nullptr, held.ends[1], nullptr, kHeld - size, SPLICE_F_MOVE);
    if (moved <= 0) break;
    size += static_cast<std::size_t>(moved);
  }
  const auto after = read_numbers(pipe.ends[0], kAfter);
  writer.join();
  ASSERT_EQ(size, kHeld);
  EXPECT_TRUE(counts_from(before, 0));
  EXPECT_TRUE(counts_from(after, (kBefore + kHeld) / sizeof(std::uint64_t)));
  EXPECT_TRUE(counts_from(read_numbers(held.ends[0], kHeld), kBefore / sizeof(std::uint64_t)));
}

TEST(GivenPages, OnlyAPipeSuits) {
  const int file = ::open("/dev/null", O_WRONLY);
  EXPECT_FALSE(GivenPages::suit(file));
  const std::string text = "all of it";
  EXPECT_EQ(GivenPages::give(file, text).size(), text.size());
  ::close(file);
}

TEST(GivenPages, MemoryInSmallPagesIsNotGoneOnWith) {
  ASSERT_EQ(::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
  GivenPages pages;
  std::size_t taken = 0;
  for (auto piece = pages.next(); !piece.empty() && taken < 64 * kMebibyte; piece = pages.next()) {
    std::memset(piece.data(), 1, piece.size());
    taken += piece.size();
  }
  EXPECT_EQ(taken, 2 * kMebibyte);
  ASSERT_EQ(::prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
}

}  // namespace
}  // namespace tessera::cli
