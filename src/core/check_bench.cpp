// What check symbols cost: alone, and as part of sixteen bytes in text. Nobody else has them.

#include "support/bench.h"
#include "tessera/check.h"
#include "tessera/random_id.h"

namespace tessera::bench {
namespace {

const std::vector<Bytes16>& samples() {
  static const auto bytes = random_samples<16>();
  return bytes;
}

// By long division, a bit at a time.
std::uint8_t mod37_by_hand(const Bytes16& bytes) {
  unsigned rest = 0;
  for (std::size_t bit = 0; bit < 128; ++bit) {
    rest = (rest * 2 + (bytes[bit / 8] >> (7 - bit % 8) & 1u)) % 37;
  }
  return static_cast<std::uint8_t>(rest);
}

void one(benchmark::State& state) {
  for (const Bytes16& bytes : samples()) {
    prove(mod37(bytes) == mod37_by_hand(bytes), "mod37() is the number modulo 37");
  }
  measure(state, samples(), [](const Bytes16& bytes) { return std::uint64_t{mod37(bytes)}; });
}
BENCHMARK(one)->Name("check/one_of_128_bits/tessera");

// Two or three symbols of 26 digits.
using Digits = std::array<std::uint8_t, 26>;

template <std::size_t Count>
void several(benchmark::State& state) {
  std::vector<Digits> inputs;
  for (const auto& bytes : random_samples<26>()) {
    Digits digits;
    std::ranges::transform(bytes, digits.begin(),
                           [](std::uint8_t byte) { return std::uint8_t(byte & 31); });
    inputs.push_back(digits);
  }
  const auto check_of = [](const Digits& digits) {
    Gf32Check<Count> check;
    for (const std::uint8_t digit : digits) check.add(digit);
    return check.symbols();
  };
  for (Digits digits : inputs) {
    const auto good = check_of(digits);
    digits[7] ^= 1;
    prove(check_of(digits) != good, "a wrong digit changes the check");
  }
  measure(state, inputs, [check_of](const Digits& digits) {
    auto symbols = check_of(digits);
    return sink(symbols);
  });
}
BENCHMARK(several<2>)->Name("check/two_of_26_digits/tessera");
BENCHMARK(several<3>)->Name("check/three_of_26_digits/tessera");

using Text27 = TextSample<27>;

const std::vector<Text27>& texts() {
  static const auto made = [] {
    std::vector<Text27> list;
    for (const Bytes16& bytes : samples()) {
      const auto text = crockford::text_of(bytes);
      prove(value(crockford::parse(text)) == bytes, "a text reads back");
      list.emplace_back(text.view());
    }
    return list;
  }();
  return made;
}

void format(benchmark::State& state) {
  measure(state, samples(), [](const Bytes16& bytes) {
    auto out = crockford::text_of(bytes);
    return sink(out.chars);
  });
}
BENCHMARK(format)->Name("crockford/format/tessera");

void parse(benchmark::State& state) {
  measure(state, texts(), [](const Text27& text) {
    Bytes16 bytes = value(crockford::parse(text.view()));
    return sink(bytes);
  });
}
BENCHMARK(parse)->Name("crockford/parse/tessera");

// A check that does not fit: the whole text was read, and only the last symbol is wrong.
void refuse(benchmark::State& state) {
  auto mistyped = texts();
  for (auto& text : mistyped) {
    auto& symbol = text.chars[26];
    symbol = kMod37Symbols[(kMod37Symbols.find(symbol) + 1) % kMod37Symbols.size()];
  }
  measure(state, mistyped, [](const Text27& text) {
    auto answer = crockford::parse(text.view());
    keep(answer);
    return std::uint64_t{!answer};
  });
  prove(state.counters["checksum"] == static_cast<double>(kSampleCount), "bad ones are refused");
}
BENCHMARK(refuse)->Name("crockford/refuse/tessera");

}  // namespace
}  // namespace tessera::bench
