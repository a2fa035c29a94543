// The reading that competes with all others: no identifier, but words or some random string.

#include <algorithm>
#include <array>
#include <cmath>

#include "core/detect_readings.h"

namespace tessera::detection {
namespace {

// One text in four that people ask about is no identifier; its length is anybody's guess.
constexpr double kOtherPriorBits = -2;
constexpr double kLengthBits = 6;

constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_alphanumeric(char c) noexcept {
  return is_lower(c) || is_upper(c) || is_digit(c);
}

enum class Class : std::uint8_t { lower, upper, digit, mark, other };

constexpr Class class_of(char c) noexcept {
  if (is_lower(c)) return Class::lower;
  if (is_upper(c)) return Class::upper;
  if (is_digit(c)) return Class::digit;
  return c >= 0x20 && c < 0x7F ? Class::mark : Class::other;
}

// -log2 of how often a letter stands in English text; the rarest are cut at 9.
constexpr std::array<double, 26> kLetterBits = {3.6, 6.1, 5.2, 4.5, 3.0, 5.5, 5.6, 4.0, 3.8,
                                                9.0, 7.0, 4.6, 5.4, 3.9, 3.7, 5.7, 9.0, 4.1,
                                                4.0, 3.5, 5.2, 6.7, 5.4, 9.0, 5.6, 9.0};

constexpr double character_bits(char c) noexcept {
  switch (class_of(c)) {
    case Class::lower: return kLetterBits[static_cast<std::size_t>(c - 'a')];
    case Class::upper: return kLetterBits[static_cast<std::size_t>(c - 'A')];
    case Class::digit: return 3.3;
    case Class::mark: return c == ' ' || c == '.' || c == '-' || c == '_' ? 3 : 5;
    case Class::other: return 7;
  }
  return 8;
}

// People write in runs: a letter follows a letter, a capital begins a word.
constexpr double step_bits(Class from, Class to) noexcept {
  if (from == to) return 0.4;
  if (from == Class::upper && to == Class::lower) return 0.7;
  if (from == Class::mark) return 1.5;
  if (to == Class::mark) return 2.5;
  return from == Class::lower && to == Class::upper ? 5 : 3.5;
}

struct Alphabet {
  double size;
  double rare_bits;  // how rare it is among random strings
  bool (*has)(char c);
};

constexpr std::array kAlphabets = {
    Alphabet{10, 2, [](char c) { return is_digit(c); }},
    Alphabet{16, 3, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }},
    Alphabet{16, 4, [](char c) { return is_digit(c) || (c >= 'A' && c <= 'F'); }},
    Alphabet{26, 4, [](char c) { return is_lower(c); }},
    Alphabet{26, 4, [](char c) { return is_upper(c); }},
    Alphabet{36, 4, [](char c) { return is_lower(c) || is_digit(c); }},
    Alphabet{36, 4, [](char c) { return is_upper(c) || is_digit(c); }},
    Alphabet{52, 4, [](char c) { return is_lower(c) || is_upper(c); }},
    Alphabet{62, 4, [](char c) { return is_alphanumeric(c); }},
    Alphabet{64, 4, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_'; }},
    Alphabet{65, 4, [](char c) { return is_alphanumeric(c) || c == '+' || c == '/' || c == '='; }},
    Alphabet{95, 4, [](char c) { return c >= 0x20 && c < 0x7F; }},
    Alphabet{256, 4, [](char) { return true; }},
};

// -log2 of the sum of two probabilities that are given so.
double sum_bits(double a, double b) noexcept {
  const double least = std::min(a, b);
  return least - std::log2(1 + std::exp2(least - std::max(a, b)));
}

}  // namespace

double word_bits(std::string_view text) noexcept {
  if (text.empty()) return 0;
  double bits = 2 + character_bits(text[0]);
  for (std::size_t i = 1; i < text.size(); ++i) {
    bits += step_bits(class_of(text[i - 1]), class_of(text[i])) + character_bits(text[i]);
  }
  return bits;
}

double plain_bits(std::string_view text) noexcept {
  // Half of them are words, half are random.
  double bits = 1 + word_bits(text);
  for (const Alphabet& alphabet : kAlphabets) {
    if (!std::all_of(text.begin(), text.end(), alphabet.has)) continue;
    const double random_bits = static_cast<double>(text.size()) * std::log2(alphabet.size);
    bits = sum_bits(bits, 1 + alphabet.rare_bits + random_bits);
  }
  return bits;
}

double other_score_bits(std::string_view text) noexcept {
  return kOtherPriorBits - kLengthBits - plain_bits(text);
}

LetterCase letter_case(std::string_view text) noexcept {
  const bool lower = std::any_of(text.begin(), text.end(), is_lower);
  const bool upper = std::any_of(text.begin(), text.end(), is_upper);
  if (lower && upper) return LetterCase::mixed;
  if (lower) return LetterCase::lower;
  return upper ? LetterCase::upper : LetterCase::none;
}

double case_bits(std::string_view text, LetterCase usual, double other_bits) noexcept {
  const LetterCase found = letter_case(text);
  if (found == LetterCase::none || found == usual) return 0;
  return found == LetterCase::mixed ? 2 * other_bits : other_bits;
}

}  // namespace tessera::detection
