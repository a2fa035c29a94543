// How long a new Snowflake takes, and how fast it becomes text and back.
//
// A layout caps how many there can be: twitter's 4,096 a millisecond are one in 244 ns, at
// whatever speed. Here the generator may lead the clock by a year, so that the price of a call
// is seen and not the cap. Text is a decimal number, so std::to_chars() and std::from_chars()
// of libstdc++ are the peers; the latter takes leading zeros and reads past 2^63.

#include <charconv>

#include "support/bench.h"
#include "tessera/snowflake.h"
#include "tessera/system.h"

namespace tessera::bench {
namespace {

using Text19 = TextSample<19>;
constexpr std::uint64_t kYearMs = 365ull * 24 * 3600 * 1000;

// Of the years 2010 to 2026, as twitter's are.
const std::vector<Snowflake>& samples() {
  static const auto made = [] {
    std::mt19937_64 random(42);
    std::vector<Snowflake> list;
    for (std::size_t i = 0; i < kSampleCount; ++i) list.push_back({random() >> 3});
    return list;
  }();
  return made;
}

const std::vector<Text19>& texts() {
  static const auto made = [] {
    std::vector<Text19> list;
    for (const Snowflake& id : samples()) {
      const std::string text = id.to_string();
      prove(text == std::to_string(id.value), "a Snowflake is written as its number");
      prove(value(Snowflake::parse(text)) == id, "a Snowflake reads back");
      list.emplace_back(text);
    }
    return list;
  }();
  return made;
}

SystemClock the_clock;

void run_generator(benchmark::State& state, SnowflakeGenerator& generator) {
  measure_new(state, [&] {
    Snowflake id = value(generator.next());
    keep(id);
    return id.value & 0xFF;
  });
}

void generate_twitter(benchmark::State& state) {
  static SnowflakeGenerator generator(snowflake_layouts::kTwitter, 7, the_clock, kYearMs);
  static const bool proven = makes_distinct([] { return [] { return value(generator.next()); }; },
                                            Order::increasing, "next()");
  prove(proven, "Snowflakes are distinct and increase");
  run_generator(state, generator);
}
BENCHMARK(generate_twitter)->Name("snowflake/generate/tessera")->ThreadRange(1, 2);

void generate_sonyflake(benchmark::State& state) {
  static SnowflakeGenerator generator(snowflake_layouts::kSonyflake, 7, the_clock, kYearMs);
  run_generator(state, generator);
}
BENCHMARK(generate_sonyflake)->Name("snowflake/generate/tessera_sonyflake")->ThreadRange(1, 2);

void format(benchmark::State& state) {
  texts();
  measure(state, samples(), [](const Snowflake& id) {
    auto out = id.text();
    keep(out);
    return std::uint64_t{static_cast<std::uint8_t>(out.chars[out.size - 1])};
  });
}
BENCHMARK(format)->Name("snowflake/format/tessera");

void format_to_chars(benchmark::State& state) {
  measure(state, samples(), [](const Snowflake& id) {
    std::array<char, 20> out;
    const auto end = std::to_chars(out.data(), out.data() + out.size(), id.value).ptr;
    keep(out);
    return std::uint64_t{static_cast<std::uint8_t>(*(end - 1))};
  });
  same_promises(state);
}
BENCHMARK(format_to_chars)->Name("snowflake/format/libstdcxx_to_chars");

void parse(benchmark::State& state) {
  measure(state, texts(), [](const Text19& text) {
    Snowflake id = value(Snowflake::parse(text.view()));
    keep(id);
    return id.value & 0xFF;
  });
}
BENCHMARK(parse)->Name("snowflake/parse/tessera");

void parse_from_chars(benchmark::State& state) {
  measure(state, texts(), [](const Text19& text) {
    std::uint64_t id = 0;
    const char* end = text.chars.data() + text.size;
    const auto answer = std::from_chars(text.chars.data(), end, id);
    prove(answer.ec == std::errc() && answer.ptr == end, "from_chars() reads it");
    keep(id);
    return id & 0xFF;
  });
  lacks(state, "refusal of leading zeros and of 2^63");
}
BENCHMARK(parse_from_chars)->Name("snowflake/parse/libstdcxx_from_chars");

void refuse(benchmark::State& state) {
  const auto bad_texts = spoiled(texts());
  measure(state, bad_texts, [](const Text19& text) {
    auto answer = Snowflake::parse(text.view());
    keep(answer);
    return std::uint64_t{!answer};
  });
  prove(state.counters["checksum"] == static_cast<double>(kSampleCount), "bad ones are refused");
}
BENCHMARK(refuse)->Name("snowflake/refuse/tessera");

}  // namespace
}  // namespace tessera::bench
