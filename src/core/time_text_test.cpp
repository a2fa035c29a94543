// What the calendar promises: it agrees with counting days one year after the other, for every
// moment that 64 bits of milliseconds can say; its text is ISO 8601 and reads back as the same
// moment; and what is no date, no time or no zone is refused.

#include "tessera/time_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

bool leap(std::int64_t year) {
  if (year % 400 == 0) return true;
  if (year % 100 == 0) return false;
  return year % 4 == 0;
}

unsigned days_of_month(std::int64_t year, unsigned month) {
  constexpr unsigned kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && leap(year) ? 29 : kDays[month - 1];
}

// Looks at the first and the last day of every month of `year`; `day` is its first of January.
void check_year(std::int64_t year, std::int64_t day) {
  for (unsigned month = 1; month <= 12; ++month) {
    const unsigned last = days_of_month(year, month);
    const CivilTime begin{.year = year, .month = month, .day = 1};
    const CivilTime end{.year = year,
                        .month = month,
                        .day = last,
                        .hour = 23,
                        .minute = 59,
                        .second = 59,
                        .millisecond = 999};
    ASSERT_EQ(civil_time(day * kDayMs), begin) << year << "-" << month;
    ASSERT_EQ(time_ms_of(begin), day * kDayMs) << year << "-" << month;
    day += last;
    ASSERT_EQ(civil_time(day * kDayMs - 1), end) << year << "-" << month;
    ASSERT_EQ(time_ms_of(end), day * kDayMs - 1) << year << "-" << month;
  }
}

TEST(TimeText, CalendarAgreesWithCountingDays) {
  std::int64_t day = 0;
  for (std::int64_t year = 1970; year <= 20'000; ++year) {
    check_year(year, day);
    if (HasFatalFailure()) return;
    day += leap(year) ? 366 : 365;
  }
  day = 0;
  for (std::int64_t year = 1969; year >= -10'000; --year) {
    day -= leap(year) ? 366 : 365;
    check_year(year, day);
    if (HasFatalFailure()) return;
  }
}

TEST(TimeText, KnowsTheDaysThatOthersGetWrong) {
  const std::pair<std::string_view, bool> days[] = {
      {"1900-02-29", false}, {"2000-02-29", true},   {"2100-02-29", false}, {"2024-02-29", true},
      {"2023-02-29", false}, {"0000-02-29", true},   {"0004-02-29", true},  {"0100-02-29", false},
      {"-0004-02-29", true}, {"-0100-02-29", false}, {"-0400-02-29", true}, {"2024-04-31", false},
  };
  for (const auto& [text, exists] : days) EXPECT_EQ(parse_time(text).has_value(), exists) << text;
}

TEST(TimeText, WritesIso8601) {
  const std::pair<std::int64_t, std::string_view> cases[] = {
      {0, "1970-01-01T00:00:00.000Z"},
      {1, "1970-01-01T00:00:00.001Z"},
      {-1, "1969-12-31T23:59:59.999Z"},
      {1'787'390'043'118, "2026-08-22T09:14:03.118Z"},
      {951'782'400'000, "2000-02-29T00:00:00.000Z"},
      {253'402'300'799'999, "9999-12-31T23:59:59.999Z"},
      {253'402'300'800'000, "+10000-01-01T00:00:00.000Z"},
      {0xFFFF'FFFF'FFFF, "+10889-08-02T05:31:50.655Z"},
      {-62'135'596'800'000, "0001-01-01T00:00:00.000Z"},
      {-62'167'219'200'000, "0000-01-01T00:00:00.000Z"},
      {-62'167'219'200'001, "-0001-12-31T23:59:59.999Z"},
      {-12'219'292'800'000, "1582-10-15T00:00:00.000Z"},
  };
  for (const auto& [time_ms, text] : cases) {
    EXPECT_EQ(time_text(time_ms).view(), text);
    EXPECT_EQ(parse_time(text), time_ms) << text;
  }
  for (const auto& row : vectors::read_table("oracle-objectid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto time_ms = static_cast<std::int64_t>(vectors::number(row["unix_s"])) * 1000;
    EXPECT_EQ(time_text(time_ms).view(), row["iso"]);
    EXPECT_EQ(parse_time(row["iso"]), time_ms);
  }
}

TEST(TimeText, ReachesAsFarAsSixtyFourBits) {
  EXPECT_EQ(time_text(kMax).view(), "+292278994-08-17T07:12:55.807Z");
  EXPECT_EQ(time_text(kMin).view(), "-292275055-05-16T16:47:04.192Z");
  for (const std::int64_t time_ms :
       {kMin, kMin + 1, kMin + kDayMs, kMax - kDayMs, kMax - 1, kMax}) {
    EXPECT_EQ(time_ms_of(civil_time(time_ms)), time_ms);
  }
}

TEST(TimeText, ReadsWhatPeopleWrite) {
  constexpr std::int64_t kMinute = 1'787'390'040'000;  // 2026-08-22T09:14Z
  const std::pair<std::string_view, std::int64_t> cases[] = {
      {"2026-08-22", kMinute - 554 * 60'000},
      {"2026-08-22T09:14", kMinute},
      {"2026-08-22 09:14", kMinute},
      {"2026-08-22t09:14z", kMinute},
      {"2026-08-22T09:14Z", kMinute},
      {"2026-08-22T09:14:03", kMinute + 3000},
      {"2026-08-22T09:14:03Z", kMinute + 3000},
      {"2026-08-22T09:14:03.1", kMinute + 3100},
      {"2026-08-22T09:14:03.12", kMinute + 3120},
      {"2026-08-22T09:14:03.118", kMinute + 3118},
      // What is finer than a millisecond is cut off, not rounded.
      {"2026-08-22T09:14:03.1189", kMinute + 3118},
      {"2026-08-22T09:14:03.118999999Z", kMinute + 3118},
      {"2026-08-22T09:14:59.999999999", kMinute + 59'999},
      {"2026-08-22T11:14+02:00", kMinute},
      {"2026-08-22T11:14:03.118+02:00", kMinute + 3118},
      {"2026-08-22T11:14:03.118+0200", kMinute + 3118},
      {"2026-08-22T04:14:03-05:00", kMinute + 3000},
      {"2026-08-22T14:59+05:45", kMinute},
      {"2026-08-22T09:14-00:00", kMinute},
      {"2026-08-23T09:13+23:59", kMinute},
      {"2026-08-21T09:15-23:59", kMinute},
  };
  for (const auto& [text, time_ms] : cases) EXPECT_EQ(parse_time(text), time_ms) << text;
}

TEST(TimeText, RefusesWhatIsNoTime) {
  const std::string_view cases[] = {
      "",
      " ",
      "-",
      "+",
      "T",
      "Z",
      "now",
      "today",
      "2026",
      "2026-08",
      "2026-08-",
      "2026-08-2",
      "20260822",
      "26-08-22",
      "2026-8-22",
      "2026/08/22",
      "22.08.2026",
      "2026-08-22T",
      "2026-08-22 ",
      "2026-08-22Z",
      "2026-08-22+02:00",
      "2026-08-22T9:14",
      "2026-08-22T09",
      "2026-08-22T09:",
      "2026-08-22T0914",
      "2026-08-22T09:14:",
      "2026-08-22T09:14:3",
      "2026-08-22T09:14:03.",
      "2026-08-22T09:14:03,118",
      "2026-08-22T09:14:03.Z",
      "2026-08-22T09:14:03.1189999990",
      "2026-08-22T09:14.5",
      "2026-08-22T09:14 Z",
      "2026-08-22T09:14ZZ",
      "2026-08-22T09:14Z ",
      " 2026-08-22",
      "2026-08-22_09:14",
      "2026-08-22T09:14+",
      "2026-08-22T09:14+02",
      "2026-08-22T09:14+2:00",
      "2026-08-22T09:14+02:0",
      "2026-08-22T09:14+24:00",
      "2026-08-22T09:14+02:60",
      "2026-08-22T09:14+02:00Z",
      "2026-08-22T09:14Z+02:00",
      "2026-08-22T09:14CEST",
      "2026-08-22T09:14+-2:00",
      // No such day, no such time.
      "2026-00-22",
      "2026-13-22",
      "2026-08-00",
      "2026-08-32",
      "2026-02-29",
      "2026-04-31",
      "2026-08-22T24:00",
      "2026-08-22T09:60",
      "2026-08-22T09:14:60",
      "2026-12-31T23:59:60Z",
      // Years with a sign or with more digits.
      "--2026-08-22",
      "+-2026-08-22",
      "10889-08-02",
      "+110889-08-02",
      "+999-01-01",
      "2O26-08-22",
      "\xEF\xBC\x92"
      "026-08-22",
  };
  for (const auto& text : cases) EXPECT_EQ(parse_time(text), std::nullopt) << text;
  EXPECT_EQ(parse_time(std::string_view("2026-08-22\0", 11)), std::nullopt);
  EXPECT_EQ(parse_time(std::string(1 << 20, '1')), std::nullopt);
  EXPECT_EQ(parse_time("2026-08-22T09:14:03." + std::string(1 << 20, '1')), std::nullopt);
}

RC_GTEST_PROP(TimeText, EveryMomentIsOneCivilTime, (std::int64_t time_ms)) {
  // Of any size: RapidCheck's own numbers are small at first.
  time_ms = static_cast<std::int64_t>(static_cast<std::uint64_t>(time_ms) ^ *any_u64());
  const CivilTime civil = civil_time(time_ms);
  RC_ASSERT(civil.month >= 1 && civil.month <= 12);
  RC_ASSERT(civil.day >= 1 && civil.day <= days_of_month(civil.year, civil.month));
  RC_ASSERT(civil.hour <= 23 && civil.minute <= 59);
  RC_ASSERT(civil.second <= 59 && civil.millisecond <= 999);
  RC_ASSERT(time_ms_of(civil) == time_ms);
}

RC_GTEST_PROP(TimeText, TextReadsBackAsTheSameMoment, ()) {
  // As far as years have five digits.
  const auto time_ms = *any_from_to<std::int64_t>(-3'000'000'000'000'000, 3'000'000'000'000'000);
  const auto text = time_text(time_ms);
  RC_ASSERT(parse_time(text) == time_ms);
  RC_ASSERT(text.view().ends_with('Z'));
}

RC_GTEST_PROP(TimeText, TextsSortAsMomentsDoWithinFourDigitYears, ()) {
  const auto any_moment = any_from_to<std::int64_t>(-62'167'219'200'000, 253'402'300'799'999);
  const auto a = *any_moment;
  const auto b = *any_moment;
  RC_ASSERT((a <=> b) == (time_text(a).view() <=> time_text(b).view()));
}

RC_GTEST_PROP(TimeText, AZoneIsTakenOff, ()) {
  const auto time_ms = *any_from_to<std::int64_t>(-60'000'000'000'000, 250'000'000'000'000);
  const int hours = *any_from_to(0, 23);
  const int minutes = *any_from_to(0, 59);
  const bool east = *rc::gen::arbitrary<bool>();
  std::string text = time_text(time_ms).to_string();
  text.back() = east ? '+' : '-';
  text += std::to_string(hours / 10) + std::to_string(hours % 10) + ":" +
          std::to_string(minutes / 10) + std::to_string(minutes % 10);
  const std::int64_t shift_ms = (hours * 60 + minutes) * 60'000 * (east ? 1 : -1);
  RC_ASSERT(parse_time(text) == time_ms - shift_ms);
}

}  // namespace
}  // namespace tessera
