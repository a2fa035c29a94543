// What times on the command line promise: what people write is understood, in UTC and from a
// present that is an argument; what is no time is refused and never guessed.

#include "moment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace tessera::cli {
namespace {

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
// 2026-01-31T12:34:56.789Z.
constexpr std::int64_t kNow = 1'769'862'896'789;
constexpr std::int64_t kMidnight = 1'769'817'600'000;

TEST(Moment, IsUnderstoodInEverySpelling) {
  struct Case {
    std::string_view text;
    std::int64_t time_ms;
  };
  for (const auto& [text, time_ms] : {
           Case{"now", kNow},
           Case{"today", kMidnight},
           Case{"yesterday", kMidnight - kDay},
           Case{"tomorrow", kMidnight + kDay},
           Case{"-7d", kNow - 7 * kDay},
           Case{"+2h", kNow + 2 * kHour},
           Case{"-90m", kNow - 90 * kMinute},
           Case{"-30s", kNow - 30 * kSecond},
           Case{"-2w", kNow - 14 * kDay},
           Case{"-500ms", kNow - 500},
           Case{"-0d", kNow},
           Case{"2026-01-31", kMidnight},
           Case{"20260131", kMidnight},
           Case{"2026-01-31T12:34:56.789Z", kNow},
           Case{"2026-01-31 12:34:56.789", kNow},
           Case{"2026-01-31T13:34:56.789+01:00", kNow},
           Case{"0", 0},
           Case{"1769862896", kNow - 789},
           Case{"1769862896789", kNow},
           Case{"9999999999", 9'999'999'999'000},
           Case{"1969-12-31", -kDay},
           Case{"99999999", 99'999'999'000},  // no such date, so it is seconds
       }) {
    EXPECT_EQ(parse_moment(text, kNow), time_ms) << text;
  }
}

TEST(Moment, IsRefusedIfItIsNone) {
  for (const std::string_view text : {"",
                                      "-",
                                      "+",
                                      "7d",
                                      "-7",
                                      "-d",
                                      "--7d",
                                      "-7y",
                                      "-7 d",
                                      "- 7d",
                                      "-7dd",
                                      "Now",
                                      "noon",
                                      "2026-13-01",
                                      "2026-02-30",
                                      "2026-1-1",
                                      "1e9",
                                      "12.5",
                                      "0x10",
                                      "99999999999999999999",
                                      "9007199254740993",
                                      "-99999999999999999w",
                                      "2026-01-31T",
                                      "\n",
                                      "1769862896 "}) {
    EXPECT_EQ(parse_moment(text, kNow), std::nullopt) << text;
  }
}

TEST(RelativeTime, SaysHowFarInTheLargestUnit) {
  EXPECT_EQ(relative_time(kNow, kNow), "now");
  EXPECT_EQ(relative_time(kNow - 999, kNow), "now");
  EXPECT_EQ(relative_time(kNow - kSecond, kNow), "1 second ago");
  EXPECT_EQ(relative_time(kNow + kSecond, kNow), "in 1 second");
  EXPECT_EQ(relative_time(kNow - 59 * kSecond, kNow), "59 seconds ago");
  EXPECT_EQ(relative_time(kNow - 60 * kSecond, kNow), "1 minute ago");
  EXPECT_EQ(relative_time(kNow - 23 * kHour, kNow), "23 hours ago");
  EXPECT_EQ(relative_time(kNow + 2 * kDay, kNow), "in 2 days");
  EXPECT_EQ(relative_time(kNow - 31 * kDay, kNow), "1 month ago");
  EXPECT_EQ(relative_time(kNow - 366 * kDay, kNow), "1 year ago");
  EXPECT_EQ(relative_time(0, kNow), "56 years ago");
  EXPECT_EQ(relative_time(281'474'976'710'655, kNow), "in 8863 years");
}

class LocalTime : public testing::Test {
 protected:
  ~LocalTime() override { set_zone("UTC"); }
  static void set_zone(const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
};

TEST_F(LocalTime, IsInTheZoneOfTheMachine) {
  set_zone("UTC");
  EXPECT_EQ(local_time(kNow), "2026-01-31 12:34:56.789 UTC");
  set_zone("XYZ-02:30");
  EXPECT_EQ(local_time(kNow), "2026-01-31 15:04:56.789 XYZ");
}

TEST_F(LocalTime, ReachesBackBefore1970) {
  set_zone("UTC");
  EXPECT_EQ(local_time(-1), "1969-12-31 23:59:59.999 UTC");
  EXPECT_EQ(local_time(-1000), "1969-12-31 23:59:59.000 UTC");
}

}  // namespace
}  // namespace tessera::cli
