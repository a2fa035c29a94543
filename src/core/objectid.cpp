// Minting of ObjectIds: a strictly increasing tick, and a random part that is drawn anew
// in every forked child.

#include "tessera/objectid.h"

#include <algorithm>
#include <array>

#include "core/fork_witness.h"
#include "core/sources.h"
#include "core/tick.h"
#include "tessera/generator.h"

namespace tessera {
namespace {

constexpr unsigned kCountBits = 24;
constexpr unsigned kRandomBits = 40;
constexpr std::uint64_t kRandomMask = (std::uint64_t{1} << kRandomBits) - 1;
constexpr std::uint64_t kTickMax = ObjectId::kTimeSMax << kCountBits | 0xFF'FFFF;

struct Ticks {
  std::uint64_t first = 0;
  std::uint64_t random = 0;  // the process value
};

// `count` ticks in a row, at least one; or false, and why. C and E are named so that final classes
// need no virtual call.
template <class C, class E>
bool take(ObjectIdGenerator::State& state, C& clock, E& entropy, std::uint64_t count, Ticks& ticks,
          MintError& error) noexcept {
  const auto refuse = [&error](MintError why) {
    error = why;
    return false;
  };
  const std::uint64_t now_s = clock.now_s();
  if (now_s > ObjectId::kTimeSMax) return refuse(MintError::time_out_of_range);

  const std::uint64_t generation = fork_generation() & 0xFF'FFFF;
  std::uint64_t process = state.process.load(std::memory_order_acquire);
  const bool fresh = process >> kRandomBits != generation;
  std::uint64_t last = state.last_tick.load(std::memory_order_relaxed);

  // The counter's start and the process value need entropy once a second and once a
  // process; all other IDs need none.
  std::uint64_t start = 0;
  if (fresh || now_s > last >> kCountBits) {
    std::array<std::uint8_t, 8> random{};
    if (!entropy.fill(random)) return refuse(MintError::no_entropy);
    start = detail::load_be<3>(random.data() + 5);
    if (fresh) {
      const std::uint64_t drawn = generation << kRandomBits | detail::load_be<5>(random.data());
      if (state.process.compare_exchange_strong(process, drawn, std::memory_order_acq_rel))
        process = drawn;
    }
  }
  do {
    if (last >= kTickMax) return refuse(MintError::exhausted);
    ticks.first = detail::next_tick<kCountBits>(last, now_s, start);
    if (count - 1 > kTickMax - ticks.first) return refuse(MintError::exhausted);
  } while (!state.last_tick.compare_exchange_weak(last, ticks.first + (count - 1),
                                                  std::memory_order_relaxed));
  ticks.random = process & kRandomMask;
  return true;
}

ObjectId make(std::uint64_t tick, std::uint64_t random) noexcept {
  return ObjectId::from_parts(tick >> kCountBits, random, tick);
}

template <class C, class E>
Result<ObjectId, MintError> mint_one(ObjectIdGenerator::State& state, C& clock,
                                     E& entropy) noexcept {
  Ticks ticks;
  MintError error{};
  if (!take(state, clock, entropy, 1, ticks, error)) return Failure{error};
  return make(ticks.first, ticks.random);
}

template <class C, class E>
Result<std::size_t, MintError> mint_many(ObjectIdGenerator::State& state, C& clock, E& entropy,
                                         std::span<ObjectId> out) noexcept {
  Ticks ticks;
  MintError error{};
  if (out.empty()) return std::size_t{0};
  if (!take(state, clock, entropy, out.size(), ticks, error)) return Failure{error};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = make(ticks.first + i, ticks.random);
  return out.size();
}

alignas(64) constinit ObjectIdGenerator::State process_wide;

// The first ObjectId of a second or of a process, and whatever goes wrong.
[[gnu::noinline]] Result<ObjectId, MintError> make_slowly() noexcept {
  detail::NearClock clock;
  detail::NearEntropy entropy;
  return mint_one(process_wide, clock, entropy);
}

}  // namespace

Result<ObjectId, MintError> detail::mint_objectid(ObjectIdGenerator::State& state, Clock& clock,
                                                  Entropy& entropy) noexcept {
  return mint_one(state, clock, entropy);
}

Result<ObjectId, MintError> ObjectIdGenerator::next() noexcept {
  return mint_one(state_, clock_, entropy_);
}

Result<std::size_t, MintError> ObjectIdGenerator::next(std::span<ObjectId> out) noexcept {
  return mint_many(state_, clock_, entropy_, out);
}

// By one addition, without a look before, as ULIDs are made; see generate.cpp. The clock is read
// while the addition is under way. The first of a second leaves one tick out. An addition cannot be
// refused: behind the last tick they are counted, but not made.
Result<ObjectId, MintError> ObjectId::generate() noexcept {
  const std::uint64_t process = process_wide.process.load(std::memory_order_acquire);
  if (process >> kRandomBits != (detail::near_fork_generation() & 0xFF'FFFF)) [[unlikely]] {
    return make_slowly();
  }
  const std::uint64_t last = detail::take_tick(process_wide.last_tick);
  const std::uint64_t now_s = detail::NearClock().now_s();
  if (now_s > last >> kCountBits || last >= kTickMax) [[unlikely]] {
    return make_slowly();
  }
  return make(last + 1, process & kRandomMask);
}

Result<std::size_t, MintError> ObjectId::generate(std::span<ObjectId> out) noexcept {
  detail::NearClock clock;
  detail::NearEntropy entropy;
  return mint_many(process_wide, clock, entropy, out);
}

}  // namespace tessera
