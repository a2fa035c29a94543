// Numbers with a fraction, by printf: it is there anyway, and a module has no locale but C.

#include "core/double_text.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace tessera::detail {
namespace {

std::string text_of(const char* format, int precision, double number) {
  std::array<char, 400> text{};  // the largest number has 309 digits
  const int size = std::snprintf(text.data(), text.size(), format, precision, number);
  return {text.data(), static_cast<std::size_t>(size)};
}

bool reads_back(const std::string& text, double number) {
  return std::strtod(text.c_str(), nullptr) == number;
}

// Beside a power of two the next digit may read back where the nearest does not.
bool mend_last_digit(std::string& scientific, double number) {
  std::string next = scientific;
  char& digit = next[next.find('e') - 1];
  if (digit < '0' || digit > '8') return false;
  ++digit;
  if (!reads_back(next, number)) return false;
  scientific = next;
  return true;
}

}  // namespace

std::string shortest_text(double number) {
  constexpr int kDigitsMax = 17;  // as many always read back
  std::string scientific;
  int decimals = 0;
  for (; decimals < kDigitsMax; ++decimals) {
    scientific = text_of("%.*e", decimals, number);
    if (reads_back(scientific, number) || mend_last_digit(scientific, number)) break;
  }
  // The same digits without an exponent; of two texts of one length the plainer.
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  std::string fixed = text_of("%.*f", decimals > exponent ? decimals - exponent : 0, number);
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

std::string fixed_text(double number, int decimals) { return text_of("%.*f", decimals, number); }

std::string general_text(double number, int digits_max) {
  return text_of("%.*g", digits_max, number);
}

}  // namespace tessera::detail
