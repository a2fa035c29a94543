// How long random bytes take, beside OpenSSL and the kernel, and random IDs made of them.
//
// The promise: unpredictable, never the same in a forked child, any thread, and what was
// handed out cannot be found in memory afterwards. mt19937_64 promises none of it, and shows
// what is paid for that.

#include <openssl/rand.h>
#include <sys/random.h>

#include "support/bench.h"
#include "tessera/random_id.h"
#include "tessera/system.h"

namespace tessera::bench {
namespace {

template <std::size_t Size>
using Block = std::array<std::uint8_t, Size>;

template <std::size_t Size, class Fill>
void run_fill(benchmark::State& state, Fill fill) {
  static const bool proven = makes_distinct(
      [fill] {
        return [fill] {
          Block<Size> block{};
          fill(block);
          return detail::load_be<8>(block.data() + Size - 8);
        };
      },
      Order::none, "random bytes");
  prove(proven, "random bytes are distinct");
  Block<Size> block{};
  measure_new(state, [&] {
    fill(block);
    return sink(block);
  });
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(Size));
}

template <std::size_t Size>
void entropy(benchmark::State& state) {
  run_fill<Size>(state, [](Block<Size>& block) {
    SystemEntropy source;
    prove(source.fill(block), "fill() succeeds");
  });
}
BENCHMARK(entropy<16>)->Name("entropy/16_bytes/tessera")->ThreadRange(1, 2);
BENCHMARK(entropy<4096>)->Name("entropy/4096_bytes/tessera")->ThreadRange(1, 2);

// The other source: the kernel, for each call.
template <std::size_t Size>
void entropy_of_kernel(benchmark::State& state) {
  const RandomSource before = random_source();
  set_random_source(RandomSource::kernel);
  entropy<Size>(state);
  set_random_source(before);
}
BENCHMARK(entropy_of_kernel<16>)->Name("entropy/16_bytes/tessera_kernel");
BENCHMARK(entropy_of_kernel<4096>)->Name("entropy/4096_bytes/tessera_kernel");

template <std::size_t Size>
void openssl(benchmark::State& state) {
  run_fill<Size>(state, [](Block<Size>& block) {
    prove(RAND_bytes(block.data(), static_cast<int>(Size)) == 1, "RAND_bytes() succeeds");
  });
  same_promises(state);
}
BENCHMARK(openssl<16>)->Name("entropy/16_bytes/openssl_RAND_bytes")->ThreadRange(1, 2);
BENCHMARK(openssl<4096>)->Name("entropy/4096_bytes/openssl_RAND_bytes")->ThreadRange(1, 2);

template <std::size_t Size>
void kernel(benchmark::State& state) {
  run_fill<Size>(state, [](Block<Size>& block) {
    prove(getrandom(block.data(), Size, 0) == static_cast<ssize_t>(Size), "getrandom() succeeds");
  });
  same_promises(state);
}
BENCHMARK(kernel<16>)->Name("entropy/16_bytes/getrandom")->ThreadRange(1, 2);
BENCHMARK(kernel<4096>)->Name("entropy/4096_bytes/getrandom")->ThreadRange(1, 2);

template <std::size_t Size>
void twister(benchmark::State& state) {
  std::mt19937_64 random(42 + static_cast<std::uint64_t>(state.thread_index()));
  Block<Size> block{};
  measure_new(state, [&] {
    for (std::size_t at = 0; at < Size; at += 8) {
      const std::uint64_t word = random();
      std::memcpy(block.data() + at, &word, sizeof word);
    }
    return sink(block);
  });
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(Size));
  lacks(state, "secrecy, fork safety");
}
BENCHMARK(twister<16>)->Name("entropy/16_bytes/libstdcxx_mt19937_64")->ThreadRange(1, 2);
BENCHMARK(twister<4096>)->Name("entropy/4096_bytes/libstdcxx_mt19937_64")->ThreadRange(1, 2);

// Random IDs. Nobody else has them.

void generate(benchmark::State& state, unsigned bits) {
  measure_new(state, [bits] {
    auto id = value(RandomId::generate(bits));
    keep(id);
    return std::uint64_t{id.bytes().back()};
  });
}
void generate_64(benchmark::State& state) { generate(state, 64); }
BENCHMARK(generate_64)->Name("random64/generate/tessera")->ThreadRange(1, 2);
void generate_128(benchmark::State& state) {
  static const bool proven =
      makes_distinct([] { return [] { return value(RandomId::generate(128)); }; }, Order::none,
                     "RandomId::generate()");
  prove(proven, "random IDs are distinct");
  generate(state, 128);
}
BENCHMARK(generate_128)->Name("random128/generate/tessera")->ThreadRange(1, 2);

std::vector<RandomId> samples(unsigned bits) {
  std::vector<RandomId> ids;
  for (const auto& bytes : random_samples<16>()) ids.push_back(RandomId::from_bytes(bytes, bits));
  return ids;
}

using Text28 = TextSample<28>;

std::vector<Text28> texts(unsigned bits, CheckCount check) {
  std::vector<Text28> list;
  for (const RandomId& id : samples(bits)) {
    const std::string text = id.to_string(check);
    prove(value(RandomId::parse(text, bits, check)) == id, "a random ID reads back");
    list.emplace_back(text);
  }
  return list;
}

template <unsigned Bits, CheckCount Check>
void format(benchmark::State& state) {
  measure(state, samples(Bits), [](const RandomId& id) {
    auto out = id.text(Check);
    keep(out);
    return std::uint64_t{static_cast<std::uint8_t>(out.chars[out.size - 1])};
  });
}
BENCHMARK(format<64, CheckCount::one>)->Name("random64/format/tessera");
BENCHMARK(format<128, CheckCount::two>)->Name("random128/format/tessera");

template <unsigned Bits, CheckCount Check>
void parse(benchmark::State& state) {
  measure(state, texts(Bits, Check), [](const Text28& text) {
    auto id = value(RandomId::parse(text.view(), Bits, Check));
    keep(id);
    return std::uint64_t{id.bytes().back()};
  });
}
BENCHMARK(parse<64, CheckCount::one>)->Name("random64/parse/tessera");
BENCHMARK(parse<128, CheckCount::two>)->Name("random128/parse/tessera");

template <unsigned Bits, CheckCount Check>
void refuse(benchmark::State& state) {
  const auto bad_texts = spoiled(texts(Bits, Check));
  measure(state, bad_texts, [](const Text28& text) {
    auto answer = RandomId::parse(text.view(), Bits, Check);
    keep(answer);
    return std::uint64_t{!answer};
  });
  prove(state.counters["checksum"] == static_cast<double>(kSampleCount), "bad ones are refused");
}
BENCHMARK(refuse<64, CheckCount::one>)->Name("random64/refuse/tessera");
BENCHMARK(refuse<128, CheckCount::two>)->Name("random128/refuse/tessera");

}  // namespace
}  // namespace tessera::bench
