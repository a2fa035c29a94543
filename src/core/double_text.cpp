// Numbers with a fraction, by the standard library.

#include "core/double_text.h"

#include <array>
#include <charconv>

namespace tessera::detail {
namespace {

template <class... How>
std::string text_of(double number, How... how) {
  std::array<char, 400> text{};  // the largest number has 309 digits
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, how...).ptr;
  return {text.data(), end};
}

}  // namespace

std::string shortest_text(double number) { return text_of(number); }

std::string fixed_text(double number, int decimals) {
  return text_of(number, std::chars_format::fixed, decimals);
}

std::string general_text(double number, int digits_max) {
  return text_of(number, std::chars_format::general, digits_max);
}

}  // namespace tessera::detail
