// The birthday problem without losing digits.

#include "tessera/odds.h"

#include <array>
#include <cmath>
#include <limits>

#include "core/double_text.h"

namespace tessera {
namespace {

// Below this many factors the product is multiplied out, as logarithms.
constexpr double kExactCountMax = 100'000;

// ln of the probability that all `count` are different: sum of ln(1 - i/space), i < count.
double log_all_different(double space, double count) noexcept {
  if (count <= kExactCountMax) {
    double sum = 0;
    for (double i = 1; i < count; ++i) sum += std::log1p(-i / space);
    return sum;
  }
  // ln(1-x) = -x - x²/2 - x³/3 - …, each power summed over i in closed form. With
  // x = count/space small the first terms are all there is.
  const double n = count - 1;
  const double x = count / space;
  if (x < 1e-3) {
    // Each sum is divided by its power of `space` on the way: by itself it could overflow.
    const double y = n / space;
    const double s1 = y * (n + 1) / 2;
    const double s2 = s1 * (2 * y + 1 / space) / 3;
    const double s3 = s1 * s1 / space;
    const double s4 = s2 * (3 * y * y + 3 * y / space - 1 / space / space) / 5;
    return -(s1 + s2 / 2 + s3 / 3 + s4 / 4);
  }
  // So many that a collision is as good as certain; Euler and Maclaurin's first terms.
  const double rest = space - count;
  if (rest <= 0) return -std::numeric_limits<double>::infinity();
  return -(count + (rest + 0.5) * std::log1p(-x));
}

// How many IDs there are. The logarithm of a small whole number comes back as that number.
double space_of(double bits) noexcept {
  const double space = std::exp2(bits);
  const double whole = std::round(space);
  return space < 1e9 && std::fabs(space - whole) < whole * 1e-12 ? whole : space;
}

}  // namespace

double collision_probability(double bits, double count) noexcept {
  if (!(bits >= 0) || !(count > 1)) return 0;
  const double space = space_of(bits);
  const double whole = std::floor(count);
  if (whole < 2) return 0;
  if (whole > space) return 1;
  if (std::isinf(space)) return 0;
  return -std::expm1(log_all_different(space, whole));
}

double count_for_probability(double bits, double probability) noexcept {
  if (!(bits >= 0) || !(probability > 0)) return 0;
  const double space = space_of(bits);
  if (probability >= 1) return std::floor(space) + 1;
  // collision_probability rises with count: halve the interval until it is one wide, or
  // as narrow as a double can be.
  double low = 1;
  double high =
      std::fmin(std::ceil(std::sqrt(-2 * std::log1p(-probability)) * std::sqrt(space) * 2 + 2),
                std::floor(space) + 1);
  for (int i = 0; i < 2000 && high - low > 1; ++i) {
    const double middle = std::floor(low + (high - low) / 2);
    if (middle <= low || middle >= high) break;
    (collision_probability(bits, middle) >= probability ? high : low) = middle;
  }
  return high;
}

double bits_for(double count, double probability) noexcept {
  if (!(count > 1) || !(probability > 0)) return 0;
  double low = 0;
  double high = 1024;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (collision_probability(middle, count) < probability ? high : low) = middle;
  }
  return high;
}

std::string number_in_words(double number) {
  struct Scale {
    double value;
    const char* name;
  };
  constexpr std::array kScales = {Scale{1e12, " trillion"}, Scale{1e9, " billion"},
                                  Scale{1e6, " million"}};
  if (std::isinf(number)) return "infinitely many";
  if (number >= 1e15 * 0.99995) {
    double exponent = std::floor(std::log10(number));
    if (number / std::pow(10, exponent) >= 9.995) ++exponent;  // would be written as 10.00
    return detail::fixed_text(number / std::pow(10, exponent), 2) + " × 10^" +
           detail::fixed_text(exponent, 0);
  }
  for (const auto& [value, name] : kScales) {
    // What four digits would round up to the next scale belongs there.
    if (number >= value * 0.99995) return detail::general_text(number / value, 4) + name;
  }
  // Up to a million people read the number itself, with a comma.
  if (number < 100 && number != std::floor(number)) {
    return detail::general_text(number, 3);
  }
  std::string out = detail::fixed_text(number, 0);
  if (out.size() > 3) out.insert(out.size() - 3, ",");
  return out;
}

std::string odds_in_words(double probability) {
  if (probability <= 0) return "impossible";
  if (probability >= 1) return "certain";
  if (probability < 1e-30)
    return "practically never: one chance in " + number_in_words(1 / probability);
  if (probability > 0.5) {
    return probability > 0.999'999
               ? "practically certain"
               : "more likely than not: " + number_in_words(std::floor(probability * 1000) / 10) +
                     " in 100";
  }
  return "one chance in " + number_in_words(1 / probability);
}

}  // namespace tessera
