// What the machine itself takes for the parts of an ID: nobody can be faster with the same
// parts. Also writes down which peers, and of what version, this program was linked with.

#include <bson/bson.h>
#include <gnu/libc-version.h>
#include <openssl/crypto.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <boost/version.hpp>

#include "core/keystream.h"
#include "support/bench.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace tessera::bench {
namespace {

std::string boost_version() {
#if defined(TESSERA_BENCH_BOOST_UUID)
  return "newer";  // Boost.UUID does not say its version in a header
#endif
  return std::to_string(BOOST_VERSION / 100'000) + "." +
         std::to_string(BOOST_VERSION / 100 % 1000) + "." + std::to_string(BOOST_VERSION % 100);
}

const bool context_written = [] {
  using benchmark::AddCustomContext;
  AddCustomContext("boost", boost_version());
  AddCustomContext("libuuid", TESSERA_LIBUUID_VERSION);
  AddCustomContext("libbson", bson_get_version());
  AddCustomContext("openssl", OpenSSL_version(OPENSSL_VERSION_STRING));
  AddCustomContext("libstdcxx", std::to_string(_GLIBCXX_RELEASE));
  AddCustomContext("glibc", gnu_get_libc_version());
  AddCustomContext("compiler", __VERSION__);
  return true;
}();

void copy(benchmark::State& state) {
  const auto samples = random_samples<16>();
  measure(state, samples, [](const std::array<std::uint8_t, 16>& from) {
    std::array<std::uint8_t, 16> to;
    std::memcpy(to.data(), from.data(), to.size());
    return sink(to);
  });
  is_floor(state);
}
BENCHMARK(copy)->Name("floor/copy_16_bytes/memcpy");

// A million at a time: a batch of IDs cannot be written faster than it is copied.
void copy_many(benchmark::State& state) {
  constexpr std::size_t kCount = 1'000'000;
  const std::vector<std::array<std::uint8_t, 16>> from(kCount, {1});
  std::vector<std::array<std::uint8_t, 16>> to(kCount);
  measure_new(
      state,
      [&] {
        std::memcpy(to.data(), from.data(), kCount * 16);
        return sink(to.back());
      },
      kCount);
  is_floor(state);
}
BENCHMARK(copy_many)->Name("floor/copy_16_bytes/memcpy_million");

// What the pool is made of, four kilobytes at a time, each by a key of its own.
void keystream(benchmark::State& state) {
  constexpr std::size_t kSize = 4096;
  std::vector<std::uint8_t> bytes(kSize, 7);
  const detail::Keystream fill = detail::best_keystream();
  measure_new(
      state,
      [&] {
        std::array<std::uint8_t, detail::kKeySize> key;
        std::memcpy(key.data(), bytes.data(), key.size());
        fill(key.data(), bytes.data(), kSize);
        return std::uint64_t{bytes.back()};
      },
      kSize / 16);
  is_floor(state);
}
BENCHMARK(keystream)->Name("floor/random_16_bytes/keystream_with_key_erasure");

template <clockid_t Clock>
void read_clock(benchmark::State& state) {
  measure_new(state, [] {
    timespec now{};
    clock_gettime(Clock, &now);
    keep(now);
    return static_cast<std::uint64_t>(now.tv_nsec);
  });
  is_floor(state);
}
BENCHMARK(read_clock<CLOCK_REALTIME>)->Name("floor/clock/clock_gettime")->ThreadRange(1, 2);
BENCHMARK(read_clock<CLOCK_REALTIME_COARSE>)->Name("floor/clock/coarse")->ThreadRange(1, 2);

#if defined(__x86_64__)
void cycles(benchmark::State& state) {
  measure_new(state, [] { return std::uint64_t{__rdtsc()}; });
  is_floor(state);
}
BENCHMARK(cycles)->Name("floor/clock/rdtsc")->ThreadRange(1, 2);
#endif

void shared_counter(benchmark::State& state) {
  alignas(64) static std::atomic<std::uint64_t> counter{0};
  measure_new(state, [] { return counter.fetch_add(1, std::memory_order_relaxed); });
  is_floor(state);
}
BENCHMARK(shared_counter)->Name("floor/shared_counter/fetch_add")->ThreadRange(1, 2);

#if defined(__x86_64__)
// The least for an ID with the time and a place in one order.
void cycles_and_counter(benchmark::State& state) {
  alignas(64) static std::atomic<std::uint64_t> counter{0};
  measure_new(state, [] {
    const std::uint64_t now = __rdtsc();
    return now + counter.fetch_add(1, std::memory_order_relaxed);
  });
  is_floor(state);
}
BENCHMARK(cycles_and_counter)->Name("floor/time_and_order/rdtsc_fetch_add")->ThreadRange(1, 2);
#endif

void shared_exchange(benchmark::State& state) {
  alignas(64) static std::atomic<std::uint64_t> counter{0};
  measure_new(state, [] {
    std::uint64_t seen = counter.load(std::memory_order_relaxed);
    while (!counter.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) {
    }
    return seen;
  });
  is_floor(state);
}
BENCHMARK(shared_exchange)->Name("floor/shared_counter/compare_exchange")->ThreadRange(1, 2);

void system_call(benchmark::State& state) {
  measure_new(state, [] { return static_cast<std::uint64_t>(syscall(SYS_getppid)); });
  is_floor(state);
}
BENCHMARK(system_call)->Name("floor/system_call/getppid")->ThreadRange(1, 2);

}  // namespace
}  // namespace tessera::bench
