// Calendar arithmetic by whole eras of 400 years, each of 146,097 days; a year begins in
// March, so that the leap day is its last.

#include "tessera/time_text.h"

namespace tessera {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kDaysPerEra = 146'097;
constexpr std::int64_t kDaysToEpoch = 719'468;  // from 0000-03-01 to 1970-01-01

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}

constexpr bool is_leap(std::int64_t year) noexcept {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr unsigned days_in(std::int64_t year, unsigned month) noexcept {
  if (month == 2) return is_leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

template <std::size_t N>
void put(Text<N>& text, std::uint64_t value, std::size_t width) noexcept {
  for (std::size_t i = width; i-- > 0; value /= 10) {
    text.chars[text.size + i] = static_cast<char>('0' + value % 10);
  }
  text.size += width;
}

template <std::size_t N>
void put(Text<N>& text, char c) noexcept {
  text.chars[text.size++] = c;
}

// Reads fixed fields from the front of a text; once something is missing, all that follows
// is missing too.
class Reader {
 public:
  explicit Reader(std::string_view text) noexcept : rest_(text) {}

  bool skip(char c) noexcept {
    if (!good_ || rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  unsigned number(std::size_t width) noexcept {
    if (rest_.size() < width) good_ = false;
    unsigned value = 0;
    for (std::size_t i = 0; good_ && i < width; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') good_ = false;
      value = value * 10 + static_cast<unsigned>(rest_[i] - '0');
    }
    if (good_) rest_.remove_prefix(width);
    return good_ ? value : 0;
  }
  // The digits behind a decimal point, down to milliseconds; the rest is cut off.
  unsigned fraction_ms() noexcept {
    constexpr std::size_t kDigitsMax = 9;
    unsigned value = 0;
    std::size_t count = 0;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9' && count < kDigitsMax) {
      if (count < 3) value = value * 10 + static_cast<unsigned>(rest_.front() - '0');
      rest_.remove_prefix(1);
      ++count;
    }
    if (count == 0) good_ = false;
    for (std::size_t i = count; i < 3; ++i) value *= 10;
    return value;
  }
  bool at_end() const noexcept { return rest_.empty(); }
  bool good() const noexcept { return good_; }
  void fail_unless(bool condition) noexcept { good_ = good_ && condition; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

CivilTime civil_time(std::int64_t time_ms) noexcept {
  const std::int64_t day = floor_div(time_ms, kDayMs);
  auto rest = static_cast<unsigned>(time_ms % kDayMs + (time_ms % kDayMs < 0 ? kDayMs : 0));
  CivilTime civil;
  civil.millisecond = rest % 1000;
  rest /= 1000;
  civil.second = rest % 60;
  rest /= 60;
  civil.minute = rest % 60;
  civil.hour = rest / 60;

  const std::int64_t since_march = day + kDaysToEpoch;
  const std::int64_t era = floor_div(since_march, kDaysPerEra);
  const std::int64_t day_of_era = since_march - era * kDaysPerEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const auto month = static_cast<unsigned>((5 * day_of_year + 2) / 153);  // 0 is March
  civil.day = static_cast<unsigned>(day_of_year - (153 * month + 2) / 5 + 1);
  civil.month = month < 10 ? month + 3 : month - 9;
  civil.year = year_of_era + era * 400 + (civil.month <= 2 ? 1 : 0);
  return civil;
}

std::int64_t time_ms_of(const CivilTime& civil) noexcept {
  const std::int64_t year = civil.year - (civil.month <= 2 ? 1 : 0);
  const std::int64_t era = floor_div(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const unsigned month = civil.month > 2 ? civil.month - 3 : civil.month + 9;
  const std::int64_t day_of_year = (153 * month + 2) / 5 + civil.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  const std::int64_t day = era * kDaysPerEra + day_of_era - kDaysToEpoch;
  // The first day begins before what 64 bits can say; so it wraps on the way.
  const std::uint64_t within_ms =
      ((civil.hour * 60ULL + civil.minute) * 60 + civil.second) * 1000 + civil.millisecond;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(day) * kDayMs + within_ms);
}

Text<40> time_text(std::int64_t time_ms) noexcept {
  const CivilTime civil = civil_time(time_ms);
  Text<40> text;
  if (civil.year < 0 || civil.year > 9999) put(text, civil.year < 0 ? '-' : '+');
  const auto year = static_cast<std::uint64_t>(civil.year < 0 ? -civil.year : civil.year);
  std::size_t width = 4;
  for (std::uint64_t bound = 10'000; year >= bound; bound *= 10) ++width;
  put(text, year, width);
  put(text, '-');
  put(text, civil.month, 2);
  put(text, '-');
  put(text, civil.day, 2);
  put(text, 'T');
  put(text, civil.hour, 2);
  put(text, ':');
  put(text, civil.minute, 2);
  put(text, ':');
  put(text, civil.second, 2);
  put(text, '.');
  put(text, civil.millisecond, 3);
  put(text, 'Z');
  return text;
}

std::optional<std::int64_t> parse_time(std::string_view text) noexcept {
  Reader reader(text);
  CivilTime civil;
  const bool negative = reader.skip('-');
  const bool wide = negative || reader.skip('+');
  civil.year = reader.number(wide && text.find('-', 1) == 6 ? 5 : 4);
  if (negative) civil.year = -civil.year;
  reader.fail_unless(reader.skip('-'));
  civil.month = reader.number(2);
  reader.fail_unless(reader.skip('-'));
  civil.day = reader.number(2);
  std::int64_t zone_minutes = 0;
  if (reader.good() && !reader.at_end()) {
    reader.fail_unless(reader.skip('T') || reader.skip('t') || reader.skip(' '));
    civil.hour = reader.number(2);
    reader.fail_unless(reader.skip(':'));
    civil.minute = reader.number(2);
    if (reader.skip(':')) {
      civil.second = reader.number(2);
      if (reader.skip('.')) civil.millisecond = reader.fraction_ms();
    }
    const bool east = reader.skip('+');
    if (east || reader.skip('-')) {
      const unsigned hours = reader.number(2);
      (void)reader.skip(':');
      const unsigned minutes = reader.number(2);
      reader.fail_unless(hours <= 23 && minutes <= 59);
      zone_minutes = (hours * 60LL + minutes) * (east ? 1 : -1);
    } else if (!reader.skip('Z')) {
      (void)reader.skip('z');
    }
  }
  if (!reader.good() || !reader.at_end()) return std::nullopt;
  if (civil.month < 1 || civil.month > 12 || civil.day < 1 ||
      civil.day > days_in(civil.year, civil.month) || civil.hour > 23 || civil.minute > 59 ||
      civil.second > 59) {
    return std::nullopt;
  }
  return time_ms_of(civil) - zone_minutes * 60'000;
}

}  // namespace tessera
