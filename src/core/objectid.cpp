// Minting of ObjectIds: a strictly increasing tick, and a random part that is drawn anew
// in every forked child.

#include "tessera/objectid.h"

#include <array>

#include "tessera/generator.h"
#include "tessera/system.h"

namespace tessera {
namespace {

constexpr unsigned kCountBits = 24;
constexpr unsigned kRandomBits = 40;
constexpr std::uint64_t kRandomMask = (std::uint64_t{1} << kRandomBits) - 1;

}  // namespace

Result<ObjectId, MintError> ObjectIdGenerator::next() noexcept {
  return detail::mint_objectid(state_, clock_, entropy_);
}

Result<ObjectId, MintError> detail::mint_objectid(ObjectIdGenerator::State& state, Clock& clock,
                                                  Entropy& entropy) noexcept {
  const std::uint64_t now_s = clock.now_ms() / 1000;
  if (now_s > ObjectId::kTimeSMax) return Failure{MintError::time_out_of_range};

  const std::uint64_t generation = fork_generation() & 0xFF'FFFF;
  std::uint64_t process = state.process.load(std::memory_order_acquire);
  const bool fresh = process >> kRandomBits != generation;
  std::uint64_t last = state.last_tick.load(std::memory_order_relaxed);

  // The counter's start and the process value need entropy once a second and once a
  // process; all other IDs need none.
  std::array<std::uint8_t, 8> random{};
  if ((fresh || now_s > last >> kCountBits) && !entropy.fill(random)) {
    return Failure{MintError::no_entropy};
  }
  if (fresh) {
    const std::uint64_t drawn = generation << kRandomBits | detail::load_be<5>(random.data());
    if (state.process.compare_exchange_strong(process, drawn, std::memory_order_acq_rel))
      process = drawn;
  }
  std::uint64_t tick = 0;
  do {
    if (last >> kCountBits == ObjectId::kTimeSMax && (last & 0xFF'FFFF) == 0xFF'FFFF) {
      return Failure{MintError::exhausted};
    }
    tick = detail::next_tick<kCountBits>(last, now_s, detail::load_be<3>(random.data() + 5));
  } while (!state.last_tick.compare_exchange_weak(last, tick, std::memory_order_relaxed));
  return ObjectId::from_parts(tick >> kCountBits, process & kRandomMask, tick);
}

}  // namespace tessera
