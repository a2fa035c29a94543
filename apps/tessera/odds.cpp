// tessera odds: how likely is a collision?

#include "tessera/odds.h"

#include <array>
#include <charconv>
#include <cmath>
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
    return std::pow(*base, *exponent);
  }
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  std::string digits;
  for (const char c : text) {
    if (c != '_' && c != ',') digits += c;
  }
  double number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || !(number >= 0)) {
    return std::nullopt;
  }
  return percent ? number / 100 : number;
}

std::string precise(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 std::chars_format::general, 6);
  return {text.data(), end.ptr};
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
      return usage_error("--" + std::string(flag) + ": '" + printable(args.value_or(flag, "")) +
                             "' is no number",
                         "As in 122, 1e9, 2^40, 1_000_000 or 0.1%.");
    }
  }
  if (probability && *probability > 1) return usage_error("a probability is at most 1");
  if (bits && *bits > 1000) return usage_error("--bits is at most 1000");
  const int given = (bits ? 1 : 0) + (count ? 1 : 0) + (probability ? 1 : 0);
  if (given != 2) {
    return usage_error("odds takes two of --bits, --count and --probability",
                       "As in: tessera odds --bits 122 --count 1e9");
  }

  Output& out = Output::standard();
  const bool json = args.has("json");
  std::string answer;
  if (!probability) {
    probability = collision_probability(*bits, *count);
    answer = "probability  " + precise(*probability) + "\n" + odds_in_words(*probability) +
             " that " + number_in_words(*count) + " IDs of " + precise(*bits) +
             " random bits are not all different";
  } else if (!count) {
    count = count_for_probability(*bits, *probability);
    answer = "count  " + precise(*count) + "\n" + number_in_words(*count) + " IDs of " +
             precise(*bits) + " random bits: " + odds_in_words(*probability) + " of a collision";
  } else {
    bits = bits_for(*count, *probability);
    answer = "bits  " + precise(std::ceil(*bits)) + "\n" + precise(std::ceil(*bits)) +
             " random bits keep " + number_in_words(*count) + " IDs apart, but for " +
             odds_in_words(*probability);
  }
  if (json) {
    JsonWriter line;
    line.begin_object().key("bits").value(*bits).key("count").value(*count);
    line.key("probability").value(*probability).key("words").value(odds_in_words(*probability));
    out.line(line.end_object().text());
  } else {
    out.line(answer);
  }
  return Exit::good;
}

}  // namespace tessera::cli
