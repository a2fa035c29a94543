// What writing promises: everything arrives in order, however it was cut; a reader that goes
// away ends the program quietly, and a full disk ends it with a complaint.

#include "output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string>
#include <thread>

namespace tessera::cli {
namespace {

// Everything that `use` writes.
template <class Use>
std::string written_by(Use use) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  std::string text;
  std::thread reader([&] {
    char block[10'000];
    for (ssize_t got = 0; (got = ::read(ends[0], block, sizeof block)) > 0;) {
      text.append(block, static_cast<std::size_t>(got));
    }
  });
  {
    Output out(ends[1]);
    use(out);
  }
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  return text;
}

TEST(Output, WhatIsWrittenArrivesWhenItEnds) {
  EXPECT_EQ(written_by([](Output&) {}), "");
  EXPECT_EQ(written_by([](Output& out) {
              out.write("a");
              out.line("b");
              out.line("");
            }),
            "ab\n\n");
}

TEST(Output, NothingIsLostAtTheEdgeOfTheBuffer) {
  std::string expected;
  const std::string text = written_by([&](Output& out) {
    for (int i = 0; i < 3000; ++i) {
      const std::string piece(static_cast<std::size_t>(i * 7 % 1000),
                              static_cast<char>('a' + i % 26));
      expected += piece;
      out.write(piece);
    }
    const std::string huge(1'000'000, 'z');
    expected += huge;
    out.write(huge);
  });
  EXPECT_TRUE(text == expected);
}

TEST(Output, SpaceIsRoomThatIsWrittenInItsTurn) {
  std::string expected;
  const std::string text = written_by([&](Output& out) {
    for (std::size_t i = 0; i < 50; ++i) {
      out.write("<");
      const auto space = out.space(Output::kSpace);
      ASSERT_EQ(space.size(), Output::kSpace);
      const std::size_t used = i * Output::kSpace / 49;
      std::memset(space.data(), 'x', used);
      out.commit(used);
      out.write(">");
      expected += "<" + std::string(used, 'x') + ">";
    }
  });
  EXPECT_TRUE(text == expected);
}

void write_into_broken_pipe(Exit exit) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  if (::pipe(ends) != 0) return;
  ::close(ends[0]);
  Output out(ends[1]);
  out.end_broken_pipe_with(exit);
  out.write("nobody reads this");
  out.flush();
}

TEST(OutputDeathTest, AReaderThatIsGoneEndsTheProgramQuietly) {
  EXPECT_EXIT(write_into_broken_pipe(Exit::good), testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(write_into_broken_pipe(Exit::io), testing::ExitedWithCode(3), "^$");
}

TEST(OutputDeathTest, AFullDiskEndsItWithAComplaint) {
  EXPECT_EXIT(
      {
        Output out(::open("/dev/full", O_WRONLY));
        out.write("x");
        out.flush();
      },
      testing::ExitedWithCode(3), "tessera: could not write to standard output: No space left");
}

TEST(OutputDeathTest, ComplaintsGoToStandardErrorWithTheirHints) {
  EXPECT_EXIT(std::exit(static_cast<int>(usage_error("bad", "Do better."))),
              testing::ExitedWithCode(2), "^tessera: bad\nhint: Do better.\n$");
}

}  // namespace
}  // namespace tessera::cli
