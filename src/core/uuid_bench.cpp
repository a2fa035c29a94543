// How long a new UUID takes: version 4 and 7, beside those of Boost, libuuid and OpenSSL; and
// versions 1 and 6.
//
// What a row of tessera promises: bits from a cryptographic generator, no repeat in a forked
// child, any thread may call. Boost's generators are objects of one thread each, so here each
// thread has its own. "By hand" rows are what a careful program does without any library of
// identifiers; they have no order within a millisecond.

#include <openssl/rand.h>
#include <sys/random.h>
#include <time.h>
#include <uuid/uuid.h>

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid.hpp>

#include "support/bench.h"
#include "tessera/system.h"
#include "tessera/uuid.h"

namespace tessera::bench {
namespace {

using Bytes = std::array<std::uint8_t, 16>;
using MakeOne = Result<Uuid, MintError> (*)() noexcept;
using MakeMany = Result<std::size_t, MintError> (*)(std::span<Uuid>) noexcept;

Bytes bytes_of(const boost::uuids::uuid& id) {
  Bytes bytes;
  std::copy(id.begin(), id.end(), bytes.begin());
  return bytes;
}

void run_one(benchmark::State& state, MakeOne make) {
  measure_new(state, [make] {
    auto made = make();
    return sink(value_in(made).bytes);
  });
}

void run_batch(benchmark::State& state, MakeMany make) {
  std::vector<Uuid> ids(kBatch);
  const auto fill = [&] {
    value(make(ids));
    return sink(ids.back().bytes);
  };
  measure_new(state, fill, kBatch);
}

// Version 4.

void v4(benchmark::State& state) {
  static const bool proven = makes_distinct(
      [] { return [] { return value(Uuid::generate_v4()); }; }, Order::none, "generate_v4()");
  prove(proven, "version 4 is distinct");
  run_one(state, Uuid::generate_v4);
}
BENCHMARK(v4)->Name("uuidv4/generate/tessera")->ThreadRange(1, 2);

void v4_generator(benchmark::State& state) {
  SystemEntropy entropy;
  Uuidv4Generator generator(entropy);
  measure_new(state, [&] {
    Uuid id = value(generator.next());
    return sink(id.bytes);
  });
}
BENCHMARK(v4_generator)->Name("uuidv4/generate/tessera_generator")->ThreadRange(1, 2);

void v4_batch(benchmark::State& state) { run_batch(state, Uuid::generate_v4); }
BENCHMARK(v4_batch)->Name("uuidv4/generate/tessera_batch")->ThreadRange(1, 2);

template <class Generator>
void run_boost(benchmark::State& state, std::string_view name) {
  static const bool proven = makes_distinct(
      [] { return [generator = Generator()]() mutable { return bytes_of(generator()); }; },
      Order::none, name);
  prove(proven, name);
  Generator generator;
  measure_new(state, [&] {
    boost::uuids::uuid id = generator();
    return sink(id);
  });
}

// In 1.81 this is random_generator_pure: the kernel is asked for each.
void v4_boost(benchmark::State& state) {
  run_boost<boost::uuids::random_generator>(state, "boost random_generator");
  same_promises(state);
}
BENCHMARK(v4_boost)->Name("uuidv4/generate/boost_random_generator")->ThreadRange(1, 2);

void v4_boost_mt19937(benchmark::State& state) {
  run_boost<boost::uuids::random_generator_mt19937>(state, "boost random_generator_mt19937");
  lacks(state, "secrecy, fork safety");
}
BENCHMARK(v4_boost_mt19937)
    ->Name("uuidv4/generate/boost_random_generator_mt19937")
    ->ThreadRange(1, 2);

void v4_libuuid(benchmark::State& state) {
  const auto next = [] {
    Bytes id;
    uuid_generate_random(id.data());
    return id;
  };
  static const bool proven =
      makes_distinct([next] { return next; }, Order::none, "uuid_generate_random()");
  prove(proven, "libuuid is distinct");
  measure_new(state, [&] {
    Bytes id = next();
    return sink(id);
  });
  same_promises(state);
}
BENCHMARK(v4_libuuid)->Name("uuidv4/generate/libuuid_generate_random")->ThreadRange(1, 2);

Bytes random_by_openssl() {
  Bytes bytes;
  prove(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1, "RAND_bytes() succeeds");
  return bytes;
}

Bytes random_by_kernel() {
  Bytes bytes;
  prove(getrandom(bytes.data(), bytes.size(), 0) == 16, "getrandom() succeeds");
  return bytes;
}

template <Bytes (*Random)()>
void v4_by_hand(benchmark::State& state) {
  measure_new(state, [] {
    Bytes id = Random();
    id[6] = static_cast<std::uint8_t>((id[6] & 0x0F) | 0x40);
    id[8] = static_cast<std::uint8_t>((id[8] & 0x3F) | 0x80);
    return sink(id);
  });
  same_promises(state);
}
BENCHMARK(v4_by_hand<random_by_openssl>)
    ->Name("uuidv4/generate/openssl_by_hand")
    ->ThreadRange(1, 2);
BENCHMARK(v4_by_hand<random_by_kernel>)
    ->Name("uuidv4/generate/getrandom_by_hand")
    ->ThreadRange(1, 2);

// Version 7. Boost 1.81 and libuuid 2.38 have none.

void v7(benchmark::State& state) {
  static const bool proven = makes_distinct(
      [] { return [] { return value(Uuid::generate_v7()); }; }, Order::increasing, "generate_v7()");
  prove(proven, "version 7 is distinct and increases");
  run_one(state, Uuid::generate_v7);
}
BENCHMARK(v7)->Name("uuidv7/generate/tessera")->ThreadRange(1, 2);

// One for all threads, as the process-wide one is.
void v7_generator(benchmark::State& state) {
  static SystemClock clock;
  static SystemEntropy entropy;
  static Uuidv7Generator generator(clock, entropy);
  measure_new(state, [] {
    Uuid id = value(generator.next());
    return sink(id.bytes);
  });
}
BENCHMARK(v7_generator)->Name("uuidv7/generate/tessera_generator")->ThreadRange(1, 2);

// One for each thread: with the exact millisecond, and with a clock that is only looked at.
template <class C>
void v7_local(benchmark::State& state) {
  static C clock;
  static SystemEntropy entropy;
  LocalGenerator<Uuidv7Mint, C, SystemEntropy> generator(clock, entropy);
  measure_new(state, [&] {
    Uuid id = value(generator.next());
    return sink(id.bytes);
  });
}
BENCHMARK(v7_local<SystemClock>)->Name("uuidv7/generate/tessera_local")->ThreadRange(1, 2);
BENCHMARK(v7_local<TickerClock>)->Name("uuidv7/generate/tessera_local_ticker")->ThreadRange(1, 2);

void v7_million(benchmark::State& state) {
  std::vector<Uuid> ids(1'000'000);
  measure_new(
      state,
      [&] {
        value(Uuid::generate_v7(ids));
        return sink(ids.back().bytes);
      },
      ids.size());
}
BENCHMARK(v7_million)->Name("uuidv7/generate/tessera_million");

void v7_batch(benchmark::State& state) { run_batch(state, Uuid::generate_v7); }
BENCHMARK(v7_batch)->Name("uuidv7/generate/tessera_batch")->ThreadRange(1, 2);

template <Bytes (*Random)()>
void v7_by_hand(benchmark::State& state) {
  measure_new(state, [] {
    Bytes id = Random();
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    const auto time_ms = static_cast<std::uint64_t>(now.tv_sec) * 1000 +
                         static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
    detail::store_be<6>(id.data(), time_ms);
    id[6] = static_cast<std::uint8_t>((id[6] & 0x0F) | 0x70);
    id[8] = static_cast<std::uint8_t>((id[8] & 0x3F) | 0x80);
    return sink(id);
  });
  lacks(state, "order");
}
BENCHMARK(v7_by_hand<random_by_openssl>)
    ->Name("uuidv7/generate/openssl_by_hand")
    ->ThreadRange(1, 2);
BENCHMARK(v7_by_hand<random_by_kernel>)
    ->Name("uuidv7/generate/getrandom_by_hand")
    ->ThreadRange(1, 2);

// Versions 1 and 6.

void v1(benchmark::State& state) {
  static const bool proven = makes_distinct(
      [] { return [] { return value(Uuid::generate_v1()); }; }, Order::none, "generate_v1()");
  prove(proven, "version 1 is distinct");
  run_one(state, Uuid::generate_v1);
}
BENCHMARK(v1)->Name("uuidv1/generate/tessera")->ThreadRange(1, 2);

void v1_batch(benchmark::State& state) { run_batch(state, Uuid::generate_v1); }
BENCHMARK(v1_batch)->Name("uuidv1/generate/tessera_batch")->ThreadRange(1, 2);

void v1_libuuid(benchmark::State& state) {
  const auto next = [] {
    Bytes id;
    uuid_generate_time(id.data());
    return id;
  };
  static const bool proven =
      makes_distinct([next] { return next; }, Order::none, "uuid_generate_time()");
  prove(proven, "libuuid is distinct");
  measure_new(state, [&] {
    Bytes id = next();
    return sink(id);
  });
  // Without its daemon, parent and child go on from the same clock sequence.
  lacks(state, "fork safety");
}
BENCHMARK(v1_libuuid)->Name("uuidv1/generate/libuuid_generate_time")->ThreadRange(1, 2);

void v6(benchmark::State& state) {
  static const bool proven = makes_distinct(
      [] { return [] { return value(Uuid::generate_v6()); }; }, Order::increasing, "generate_v6()");
  prove(proven, "version 6 is distinct and increases");
  run_one(state, Uuid::generate_v6);
}
BENCHMARK(v6)->Name("uuidv6/generate/tessera")->ThreadRange(1, 2);

}  // namespace
}  // namespace tessera::bench
