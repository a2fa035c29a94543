#pragma once

// Generator: makes IDs that strictly increase, whatever the clock does.
//
// A generator remembers one number, its tick: the time in the kind's own unit, and
// below it a count that starts at a random place in each unit.
//
//    | time | count |     kind       unit     count bits   fresh random bits
//                         ulid       1 ms         16          64
//                         uuidv7     1 ms         16          58
//                         uuidv1, 6  100 ns        4          57
//                         ksuid      1 s          32          96
//
// The next tick is the clock's, if the clock has moved on; else the last one plus one.
// So IDs increase while the clock stands still, and when it steps back by a millisecond
// or by a year: the generator stays at the highest time it has seen. When the count runs
// over, it carries into the time, and IDs lead the clock until the clock has caught up;
// lead() says by how much. The count starts in the lower half of its range, so this
// takes more than 32,768 ULIDs in one millisecond.
//
// Below the tick, every ID has random bits of its own. The step from one ID to the next
// is therefore random too: who knows one ID cannot guess its neighbour. And two copies
// of a generator (after a fork) share no randomness, so they make no equal IDs.
//
// Generator is thread-safe if the clock and the entropy are: one order for all its threads, at
// the price of a cache line that they pass around. LocalGenerator is for one thread, and two of
// them run as fast as one; each has an order of its own. Clock and entropy must outlive both. Who
// names their final classes, as in LocalGenerator<UlidMint, TickerClock, SystemEntropy>, saves
// the virtual calls.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "tessera/detail/bytes.h"
#include "tessera/mint_error.h"
#include "tessera/result.h"
#include "tessera/source.h"

namespace tessera {

namespace detail {

// The tick that follows `last` when the clock reads `time`. `start` is random. Not to be
// called when there is none: last == ~0.
template <unsigned CountBits>
constexpr std::uint64_t next_tick(std::uint64_t last, std::uint64_t time,
                                  std::uint64_t start) noexcept {
  if (time > last >> CountBits) {
    return time << CountBits | (start & ((std::uint64_t{1} << (CountBits - 1)) - 1));
  }
  return last + 1;
}

// What an atomic number can do, for one that no other thread sees.
class LocalTick {
 public:
  constexpr explicit LocalTick(std::uint64_t tick) noexcept : tick_(tick) {}
  constexpr std::uint64_t load(std::memory_order /*order*/) const noexcept { return tick_; }
  constexpr bool compare_exchange_weak(std::uint64_t& /*expected*/, std::uint64_t desired,
                                       std::memory_order /*order*/) noexcept {
    tick_ = desired;
    return true;
  }

 private:
  std::uint64_t tick_;
};

// One ID by the rules above. C and E are named so that final classes need no virtual call.
template <class Mint, class Tick, class C, class E>
Result<typename Mint::Id, MintError> mint(Tick& last_tick, C& clock, E& entropy) noexcept {
  constexpr unsigned kTimeBits = 64 - Mint::kCountBits;
  std::uint64_t time = 0;
  if (!Mint::read(clock, time) || time >> kTimeBits != 0) {
    return Failure{MintError::time_out_of_range};
  }
  std::array<std::uint8_t, Mint::kRandomSize + Mint::kStartSize> random;
  if (!entropy.fill(random)) return Failure{MintError::no_entropy};
  const std::uint64_t start = load_be<Mint::kStartSize>(random.data() + Mint::kRandomSize);

  std::uint64_t last = last_tick.load(std::memory_order_relaxed);
  std::uint64_t tick = 0;
  do {
    if (last == ~std::uint64_t{0}) return Failure{MintError::exhausted};
    tick = next_tick<Mint::kCountBits>(last, time, start);
  } while (!last_tick.compare_exchange_weak(last, tick, std::memory_order_relaxed));
  return Mint::make(tick, random.data());
}

// Many IDs by the same rules. The clock is read once for a chunk, and a chunk takes its
// ticks in one step, so that IDs of other threads stand before it or behind it.
template <class Mint, class Tick, class C, class E>
Result<std::size_t, MintError> mint_many(Tick& last_tick, C& clock, E& entropy,
                                         std::span<typename Mint::Id> out) noexcept {
  constexpr std::size_t kChunk = 512;
  constexpr unsigned kTimeBits = 64 - Mint::kCountBits;
  std::size_t done = 0;
  while (done < out.size()) {
    const std::size_t count = std::min(kChunk, out.size() - done);
    std::uint64_t time = 0;
    if (!Mint::read(clock, time) || time >> kTimeBits != 0) {
      return Failure{MintError::time_out_of_range};
    }
    std::array<std::uint8_t, kChunk * Mint::kRandomSize + Mint::kStartSize> random;
    const std::size_t size = count * Mint::kRandomSize;
    if (!entropy.fill(std::span(random).first(size + Mint::kStartSize))) {
      return Failure{MintError::no_entropy};
    }
    const std::uint64_t start = load_be<Mint::kStartSize>(random.data() + size);

    std::uint64_t last = last_tick.load(std::memory_order_relaxed);
    std::uint64_t first = 0;
    do {
      if (last == ~std::uint64_t{0}) return Failure{MintError::exhausted};
      first = next_tick<Mint::kCountBits>(last, time, start);
      if (first > ~std::uint64_t{0} - (count - 1)) return Failure{MintError::exhausted};
    } while (
        !last_tick.compare_exchange_weak(last, first + (count - 1), std::memory_order_relaxed));
    for (std::size_t i = 0; i < count; ++i) {
      out[done + i] = Mint::make(first + i, random.data() + i * Mint::kRandomSize);
    }
    done += count;
  }
  return done;
}

}  // namespace detail

template <class Mint, class Tick, class C, class E>
class BasicGenerator {
 public:
  using Id = typename Mint::Id;

  BasicGenerator(C& clock, E& entropy) noexcept : clock_(clock), entropy_(entropy) {}

  // On failure the generator is unchanged, and a later call may succeed.
  Result<Id, MintError> next() noexcept { return detail::mint<Mint>(last_tick_, clock_, entropy_); }

  // Fills all of `out`, in order. On failure some of it may have been written; none of
  // that may be used.
  Result<std::size_t, MintError> next(std::span<Id> out) noexcept {
    return detail::mint_many<Mint>(last_tick_, clock_, entropy_, out);
  }

  // How far the newest ID is ahead of the clock, in the kind's unit; 0 if it is not.
  std::uint64_t lead() const noexcept {
    std::uint64_t time = 0;
    const std::uint64_t last = last_tick_.load(std::memory_order_relaxed) >> Mint::kCountBits;
    return Mint::read(clock_, time) && last > time ? last - time : 0;
  }

 private:
  C& clock_;
  E& entropy_;
  Tick last_tick_{0};  // the smallest tick, 0, is never issued
};

template <class Mint, class C = Clock, class E = Entropy>
using Generator = BasicGenerator<Mint, std::atomic<std::uint64_t>, C, E>;

template <class Mint, class C = Clock, class E = Entropy>
using LocalGenerator = BasicGenerator<Mint, detail::LocalTick, C, E>;

}  // namespace tessera
