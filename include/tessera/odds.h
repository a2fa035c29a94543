#pragma once

// The odds that two of many random IDs are equal (the birthday problem), both ways round.
//
//    p(n) = 1 - (1 - 1/N)(1 - 2/N) … (1 - (n-1)/N),   N = 2^bits
//
// Small spaces are multiplied out; large ones use a series that is good to all the digits
// of a double, where 1 - p itself would have none left.

#include <string>

namespace tessera {

// The chance that `count` IDs of `bits` random bits are not all different. `bits` may be
// a fraction (21 characters of 64 are 126 bits; a 37-symbol alphabet has 5.21 each).
double collision_probability(double bits, double count) noexcept;

// How many IDs can be made until that chance reaches `probability`, from 0 to 1.
double count_for_probability(double bits, double probability) noexcept;

// How many bits keep the chance below `probability` for `count` IDs.
double bits_for(double count, double probability) noexcept;

// "one chance in 4.2 billion", "certain", "practically never".
std::string odds_in_words(double probability);

// "2.7 billion", "1.3 × 10^18": at most four digits, for people.
std::string number_in_words(double number);

}  // namespace tessera
