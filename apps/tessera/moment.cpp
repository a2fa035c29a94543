// Reading and showing moments.

#include "moment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

#include "output.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"
#include "tessera/time_text.h"

namespace tessera::cli {
namespace {

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kYear = 31'556'952 * kSecond;      // on average, in the Gregorian calendar
constexpr std::int64_t kTimeMax = std::int64_t{1} << 53;  // far beyond every kind

struct Unit {
  std::string_view name;
  std::int64_t ms;
};

constexpr std::array kUnits = {Unit{"ms", 1},    Unit{"s", kSecond}, Unit{"m", kMinute},
                               Unit{"h", kHour}, Unit{"d", kDay},    Unit{"w", 7 * kDay}};

std::optional<std::int64_t> number_of(std::string_view text) noexcept {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.front() == '-') {
    return std::nullopt;
  }
  return number;
}

// "7d" as milliseconds.
std::optional<std::int64_t> parse_span(std::string_view text) noexcept {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0) return std::nullopt;
  const auto number = number_of(text.substr(0, digits));
  const auto unit = std::ranges::find(kUnits, text.substr(digits), &Unit::name);
  if (!number || unit == kUnits.end() || *number > kTimeMax / unit->ms) return std::nullopt;
  return *number * unit->ms;
}

}  // namespace

std::optional<std::int64_t> parse_moment(std::string_view text, std::int64_t now_ms) {
  if (text.empty()) return std::nullopt;
  if (text == "now") return now_ms;
  const std::int64_t today = now_ms - now_ms % kDay;
  if (text == "today") return today;
  if (text == "yesterday") return today - kDay;
  if (text == "tomorrow") return today + kDay;
  if (text[0] == '-' || text[0] == '+') {
    if (const auto span = parse_span(text.substr(1))) {
      return text[0] == '-' ? now_ms - *span : now_ms + *span;
    }
    return parse_time(text);  // +10889-08-02
  }
  if (const auto number = number_of(text)) {
    if (text.size() == 8) {
      // As seconds it would be a day of 1970 to 1973, which nobody means.
      const std::string date = std::string(text.substr(0, 4)) + "-" +
                               std::string(text.substr(4, 2)) + "-" + std::string(text.substr(6));
      if (const auto day = parse_time(date)) return day;
    }
    // Seconds have ten digits until 2286; milliseconds have had twelve since 1973.
    if (*number > kTimeMax) return std::nullopt;
    return text.size() <= 10 ? *number * 1000 : *number;
  }
  return parse_time(text);
}

std::string relative_time(std::int64_t time_ms, std::int64_t now_ms) {
  constexpr std::array kSteps = {Unit{"year", kYear},     Unit{"month", kYear / 12},
                                 Unit{"day", kDay},       Unit{"hour", kHour},
                                 Unit{"minute", kMinute}, Unit{"second", kSecond}};
  const std::int64_t distance = now_ms > time_ms ? now_ms - time_ms : time_ms - now_ms;
  for (const auto& [name, ms] : kSteps) {
    if (distance < ms) continue;
    const std::int64_t count = distance / ms;
    const std::string words =
        std::to_string(count) + " " + std::string(name) + (count == 1 ? "" : "s");
    return now_ms > time_ms ? words + " ago" : "in " + words;
  }
  return "now";
}

std::string local_time(std::int64_t time_ms) {
  const auto seconds =
      static_cast<std::time_t>(time_ms >= 0 ? time_ms / 1000 : -((-time_ms + 999) / 1000));
  std::tm local{};
  if (localtime_r(&seconds, &local) == nullptr) return {};
  std::array<char, 64> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local);
  std::array<char, 32> zone{};
  const std::size_t zone_size = std::strftime(zone.data(), zone.size(), " %Z", &local);
  const auto ms = static_cast<unsigned>(time_ms - static_cast<std::int64_t>(seconds) * 1000);
  std::string out(text.data(), size);
  out += '.';
  out += static_cast<char>('0' + ms / 100);
  out += static_cast<char>('0' + ms / 10 % 10);
  out += static_cast<char>('0' + ms % 10);
  return out + std::string(zone.data(), zone_size);
}

std::optional<std::int64_t> present_ms(const Args& args) {
  SystemClock clock;
  const auto clock_ms = static_cast<std::int64_t>(clock.now_ms());
  const auto now = args.value("now");
  if (!now) return clock_ms;
  const auto moment = parse_moment(*now, clock_ms);
  if (moment && *moment >= 0) return moment;
  usage_error("--now: '" + printable(*now) + "' is no time since 1970", kTimeHint);
  return std::nullopt;
}

}  // namespace tessera::cli
