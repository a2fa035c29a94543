// How long a new ULID takes, and how fast it becomes text and back.
//
// No package of Debian has ULIDs for C or C++. Beside new ones stands what a careful program
// does by hand, which has no order within a millisecond; beside texts stands nobody.

#include <openssl/rand.h>
#include <sys/random.h>
#include <time.h>

#include "support/bench.h"
#include "tessera/system.h"
#include "tessera/ulid.h"

namespace tessera::bench {
namespace {

using Bytes = std::array<std::uint8_t, 16>;
using Text26 = TextSample<26>;

const std::vector<Ulid>& ids() {
  static const auto made = [] {
    std::vector<Ulid> list;
    for (const Bytes& bytes : random_samples<16>()) list.push_back({bytes});
    return list;
  }();
  return made;
}

const std::vector<Text26>& texts() {
  static const auto made = [] {
    std::vector<Text26> list;
    for (const Ulid& id : ids()) {
      const std::string text = id.to_string();
      prove(value(Ulid::parse(text)) == id, "a ULID reads back");
      list.emplace_back(text);
    }
    return list;
  }();
  return made;
}

const std::vector<Text26>& bad_texts() {
  static const auto made = [] {
    auto list = spoiled(texts());
    for (const Text26& text : list) prove(!Ulid::parse(text.view()), "a bad ULID is refused");
    return list;
  }();
  return made;
}

// New ones.

void generate(benchmark::State& state) {
  static const bool proven = makes_distinct([] { return [] { return value(Ulid::generate()); }; },
                                            Order::increasing, "generate()");
  prove(proven, "ULIDs are distinct and increase");
  measure_new(state, [] {
    auto made = Ulid::generate();
    return sink(value_in(made).bytes);
  });
}
BENCHMARK(generate)->Name("ulid/generate/tessera")->ThreadRange(1, 2);

// One for all threads, as the process-wide one is.
void generate_by_generator(benchmark::State& state) {
  static SystemClock clock;
  static SystemEntropy entropy;
  static UlidGenerator generator(clock, entropy);
  measure_new(state, [] {
    Ulid id = value(generator.next());
    return sink(id.bytes);
  });
}
BENCHMARK(generate_by_generator)->Name("ulid/generate/tessera_generator")->ThreadRange(1, 2);

// One for each thread, and a clock that is only looked at.
void generate_local(benchmark::State& state) {
  static TickerClock clock;
  static SystemEntropy entropy;
  LocalGenerator<UlidMint, TickerClock, SystemEntropy> generator(clock, entropy);
  measure_new(state, [&] {
    Ulid id = value(generator.next());
    return sink(id.bytes);
  });
}
BENCHMARK(generate_local)->Name("ulid/generate/tessera_local_ticker")->ThreadRange(1, 2);

void generate_million(benchmark::State& state) {
  std::vector<Ulid> ids(1'000'000);
  measure_new(
      state,
      [&] {
        value(Ulid::generate(ids));
        return sink(ids.back().bytes);
      },
      ids.size());
}
BENCHMARK(generate_million)->Name("ulid/generate/tessera_million");

void generate_batch(benchmark::State& state) {
  std::vector<Ulid> ids(kBatch);
  const auto fill = [&] {
    value(Ulid::generate(ids));
    return sink(ids.back().bytes);
  };
  fill();
  prove(std::ranges::is_sorted(ids) && std::ranges::adjacent_find(ids) == ids.end(),
        "a batch increases");
  measure_new(state, fill, kBatch);
}
BENCHMARK(generate_batch)->Name("ulid/generate/tessera_batch")->ThreadRange(1, 2);

void random_by_openssl(std::uint8_t* out, std::size_t size) {
  prove(RAND_bytes(out, static_cast<int>(size)) == 1, "RAND_bytes() succeeds");
}

void random_by_kernel(std::uint8_t* out, std::size_t size) {
  prove(getrandom(out, size, 0) == static_cast<ssize_t>(size), "getrandom() succeeds");
}

template <void (*Random)(std::uint8_t*, std::size_t)>
void by_hand(benchmark::State& state) {
  measure_new(state, [] {
    Bytes id;
    Random(id.data() + 6, 10);
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    detail::store_be<6>(id.data(), static_cast<std::uint64_t>(now.tv_sec) * 1000 +
                                       static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000);
    return sink(id);
  });
  lacks(state, "order");
}
BENCHMARK(by_hand<random_by_openssl>)->Name("ulid/generate/openssl_by_hand")->ThreadRange(1, 2);
BENCHMARK(by_hand<random_by_kernel>)->Name("ulid/generate/getrandom_by_hand")->ThreadRange(1, 2);

// Text.

void format(benchmark::State& state) {
  texts();
  measure(state, ids(), [](const Ulid& id) {
    std::array<char, Ulid::kTextSize> out;
    id.write_text(out);
    return sink(out);
  });
}
BENCHMARK(format)->Name("ulid/format/tessera");

void format_portable(benchmark::State& state) {
  measure(state, ids(), [](const Ulid& id) {
    std::array<char, Ulid::kTextSize> out;
    base32::write_left_portable(id.bytes, out);
    return sink(out);
  });
}
BENCHMARK(format_portable)->Name("ulid/format/tessera_portable");

void format_string(benchmark::State& state) {
  measure(state, ids(), [](const Ulid& id) {
    std::string out = id.to_string();
    return sink(out);
  });
}
BENCHMARK(format_string)->Name("ulid/format_string/tessera");

void format_many(benchmark::State& state) {
  std::string expected;
  for (const Ulid& id : ids()) expected += id.to_string() + "\n";
  std::string out(expected.size(), ' ');
  write_texts(ids(), '\n', out);
  prove(out == expected, "write_texts() writes what to_string() writes");
  const auto write = [&] {
    write_texts(ids(), '\n', out);
    return sink(out);
  };
  measure_new(state, write, ids().size());
}
BENCHMARK(format_many)->Name("ulid/format/tessera_batch");

void parse(benchmark::State& state) {
  measure(state, texts(), [](const Text26& text) {
    Ulid id = value(Ulid::parse(text.view()));
    return sink(id.bytes);
  });
}
BENCHMARK(parse)->Name("ulid/parse/tessera");

void parse_portable(benchmark::State& state) {
  measure(state, texts(), [](const Text26& text) {
    auto bytes = value(base32::parse_left_portable(text.view()));
    return sink(bytes);
  });
}
BENCHMARK(parse_portable)->Name("ulid/parse/tessera_portable");

void parse_friendly(benchmark::State& state) {
  measure(state, texts(), [](const Text26& text) {
    Ulid id = value(Ulid::parse_friendly(text.view()));
    return sink(id.bytes);
  });
}
BENCHMARK(parse_friendly)->Name("ulid/parse_friendly/tessera");

void refuse(benchmark::State& state) {
  measure(state, bad_texts(), [](const Text26& text) {
    auto answer = Ulid::parse(text.view());
    keep(answer);
    return std::uint64_t{!answer};
  });
}
BENCHMARK(refuse)->Name("ulid/refuse/tessera");

}  // namespace
}  // namespace tessera::bench
