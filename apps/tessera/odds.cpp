// tessera odds: how likely is a collision?

#include "tessera/odds.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "commands.h"
#include "output.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

// "1e9", "1_000_000", "2^40" and "10%" are numbers here.
std::optional<double> parse_quantity(std::string_view text) {
  if (text.size() > 64) return std::nullopt;
  if (const std::size_t hat = text.find('^'); hat != text.npos) {
    const auto base = parse_quantity(text.substr(0, hat));
    const auto exponent = parse_quantity(text.substr(hat + 1));
    if (!base || !exponent) return std::nullopt;
    const double power = std::pow(*base, *exponent);
    return std::isfinite(power) ? std::optional(power) : std::nullopt;
  }
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  std::string digits;
  for (const char c : text) {
    if (c != '_' && c != ',') digits += c;
  }
  // Not from_chars(): clang's library has none for double. strtod() would read more than that.
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != digits.npos) {
    return std::nullopt;
  }
  if (digits[0] == '+' || digits[0] == '-') return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  if (end != digits.data() + digits.size() || !std::isfinite(number)) return std::nullopt;
  return percent ? number / 100 : number;
}

std::string precise(double number) {
  constexpr double kWholeMax = 1e15;  // people still read the digits
  if (number == std::floor(number) && number < kWholeMax) {
    return std::to_string(static_cast<std::uint64_t>(number));
  }
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.6g", number);
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

Exit run_odds(const Args& args) {
  const auto quantity = [&](std::string_view flag, std::optional<double>& number) {
    const auto text = args.value(flag);
    if (!text) return true;
    number = parse_quantity(*text);
    return number.has_value();
  };
  std::optional<double> bits;
  std::optional<double> count;
  std::optional<double> probability;
  for (const auto& [flag, number] : {std::pair{"bits", &bits}, std::pair{"count", &count},
                                     std::pair{"probability", &probability}}) {
    if (!quantity(flag, *number)) {
      return usage_error(
          "--" + std::string(flag) + ": '" + printable(args.value_or(flag, "")) + "' is no number",
          "As in 122, 1e9, 2^40, 1_000_000 or 0.1%.");
    }
  }
  if (probability && (*probability > 1 || *probability == 0)) {
    return usage_error("a probability is more than 0 and at most 1");
  }
  if (bits && *bits > 1000) return usage_error("--bits is at most 1000");
  if (count && *count < 1) return usage_error("--count is at least 1");
  const int given = (bits ? 1 : 0) + (count ? 1 : 0) + (probability ? 1 : 0);
  if (given != 2) {
    return usage_error("odds takes two of --bits, --count and --probability",
                       "As in: tessera odds --bits 122 --count 1e9");
  }

  const bool bits_asked = !bits;
  const bool count_asked = !count;
  if (bits_asked) bits = std::ceil(bits_for(*count, *probability));
  if (count_asked) count = count_for_probability(*bits, *probability);
  // The odds as they are; what was asked for may have been rounded.
  const double odds = collision_probability(*bits, *count);

  Output& out = Output::standard();
  if (args.has("json")) {
    JsonWriter line;
    line.begin_object().key("bits").value(*bits).key("count").value(*count);
    line.key("probability").value(odds).key("words").value(odds_in_words(odds));
    out.line(line.end_object().text());
    return Exit::good;
  }
  const std::string ids = number_in_words(*count) + (*count == 1 ? " ID" : " IDs") + " of " +
                          precise(*bits) + (*bits == 1 ? " random bit" : " random bits");
  const std::string words = odds_in_words(odds);
  out.line(bits_asked    ? "bits  " + precise(*bits)
           : count_asked ? "count  " + precise(*count)
                         : "probability  " + precise(odds));
  out.line("two alike among " + ids + ": " + words);
  return Exit::good;
}

}  // namespace tessera::cli
