// How long a new KSUID takes, and how fast it becomes text and back. No package of Debian has
// KSUIDs for C or C++; beside new ones stands what a careful program does by hand.

#include <openssl/rand.h>
#include <time.h>

#include "support/bench.h"
#include "tessera/ksuid.h"
#include "tessera/system.h"

namespace tessera::bench {
namespace {

using Bytes = std::array<std::uint8_t, 20>;
using Text27 = TextSample<27>;

const std::vector<Ksuid>& ids() {
  static const auto made = [] {
    std::vector<Ksuid> list;
    for (const Bytes& bytes : random_samples<20>()) list.push_back({bytes});
    return list;
  }();
  return made;
}

const std::vector<Text27>& texts() {
  static const auto made = [] {
    std::vector<Text27> list;
    for (const Ksuid& id : ids()) {
      const std::string text = id.to_string();
      prove(value(Ksuid::parse(text)) == id, "a KSUID reads back");
      list.emplace_back(text);
    }
    return list;
  }();
  return made;
}

void generate(benchmark::State& state) {
  static const bool proven = makes_distinct([] { return [] { return value(Ksuid::generate()); }; },
                                            Order::increasing, "generate()");
  prove(proven, "KSUIDs are distinct and increase");
  measure_new(state, [] {
    Ksuid id = value(Ksuid::generate());
    return sink(id.bytes);
  });
}
BENCHMARK(generate)->Name("ksuid/generate/tessera")->ThreadRange(1, 2);

void generate_by_generator(benchmark::State& state) {
  static SystemClock clock;
  static SystemEntropy entropy;
  static KsuidGenerator generator(clock, entropy);
  measure_new(state, [] {
    Ksuid id = value(generator.next());
    return sink(id.bytes);
  });
}
BENCHMARK(generate_by_generator)->Name("ksuid/generate/tessera_generator")->ThreadRange(1, 2);

void generate_batch(benchmark::State& state) {
  std::vector<Ksuid> ids(kBatch);
  const auto fill = [&] {
    value(Ksuid::generate(ids));
    return sink(ids.back().bytes);
  };
  fill();
  prove(std::ranges::is_sorted(ids) && std::ranges::adjacent_find(ids) == ids.end(),
        "a batch increases");
  measure_new(state, fill, kBatch);
}
BENCHMARK(generate_batch)->Name("ksuid/generate/tessera_batch")->ThreadRange(1, 2);

void by_hand(benchmark::State& state) {
  measure_new(state, [] {
    Bytes id;
    prove(RAND_bytes(id.data() + 4, 16) == 1, "RAND_bytes() succeeds");
    timespec now{};
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    detail::store_be<4>(id.data(), static_cast<std::uint64_t>(now.tv_sec) - Ksuid::kEpochS);
    return sink(id);
  });
  lacks(state, "order");
}
BENCHMARK(by_hand)->Name("ksuid/generate/openssl_by_hand")->ThreadRange(1, 2);

void format(benchmark::State& state) {
  texts();
  measure(state, ids(), [](const Ksuid& id) {
    std::array<char, Ksuid::kTextSize> out;
    id.write_text(out);
    return sink(out);
  });
}
BENCHMARK(format)->Name("ksuid/format/tessera");

void parse(benchmark::State& state) {
  measure(state, texts(), [](const Text27& text) {
    Ksuid id = value(Ksuid::parse(text.view()));
    return sink(id.bytes);
  });
}
BENCHMARK(parse)->Name("ksuid/parse/tessera");

void refuse(benchmark::State& state) {
  const auto bad_texts = spoiled(texts());
  measure(state, bad_texts, [](const Text27& text) {
    auto answer = Ksuid::parse(text.view());
    keep(answer);
    return std::uint64_t{!answer};
  });
  prove(state.counters["checksum"] == static_cast<double>(kSampleCount), "bad ones are refused");
}
BENCHMARK(refuse)->Name("ksuid/refuse/tessera");

}  // namespace
}  // namespace tessera::bench
