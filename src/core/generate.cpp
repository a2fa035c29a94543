// The process-wide generators behind Ulid::generate() and its kin: one tick for each kind,
// on the real clock and the real randomness.

#include <atomic>
#include <cstdint>
#include <span>

#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

// Each tick has a cache line of its own: threads that make ULIDs do not disturb those
// that make UUIDs. A forked child goes on from the copied tick, so its IDs are above all
// that its parent made before; what keeps them apart from the parent's later ones is the
// entropy, which is not copied.
template <class Mint>
std::atomic<std::uint64_t>& last_tick_of() noexcept {
  alignas(64) static constinit std::atomic<std::uint64_t> last_tick{0};
  return last_tick;
}

template <class Mint>
Result<typename Mint::Id, MintError> mint_here() noexcept {
  SystemClock clock;
  SystemEntropy entropy;
  return detail::mint<Mint>(last_tick_of<Mint>(), clock, entropy);
}

template <class Mint>
Result<std::size_t, MintError> mint_here(std::span<typename Mint::Id> out) noexcept {
  SystemClock clock;
  SystemEntropy entropy;
  return detail::mint_many<Mint>(last_tick_of<Mint>(), clock, entropy, out);
}

}  // namespace

Result<Ulid, MintError> Ulid::generate() noexcept { return mint_here<UlidMint>(); }
Result<Ksuid, MintError> Ksuid::generate() noexcept { return mint_here<KsuidMint>(); }
Result<Uuid, MintError> Uuid::generate_v1() noexcept { return mint_here<Uuidv1Mint>(); }
Result<Uuid, MintError> Uuid::generate_v6() noexcept { return mint_here<Uuidv6Mint>(); }
Result<Uuid, MintError> Uuid::generate_v7() noexcept { return mint_here<Uuidv7Mint>(); }

Result<std::size_t, MintError> Ulid::generate(std::span<Ulid> out) noexcept {
  return mint_here<UlidMint>(out);
}
Result<std::size_t, MintError> Ksuid::generate(std::span<Ksuid> out) noexcept {
  return mint_here<KsuidMint>(out);
}
Result<std::size_t, MintError> Uuid::generate_v1(std::span<Uuid> out) noexcept {
  return mint_here<Uuidv1Mint>(out);
}
Result<std::size_t, MintError> Uuid::generate_v6(std::span<Uuid> out) noexcept {
  return mint_here<Uuidv6Mint>(out);
}
Result<std::size_t, MintError> Uuid::generate_v7(std::span<Uuid> out) noexcept {
  return mint_here<Uuidv7Mint>(out);
}

Result<std::size_t, MintError> Uuid::generate_v4(std::span<Uuid> out) noexcept {
  SystemEntropy entropy;
  const std::span bytes(reinterpret_cast<std::uint8_t*>(out.data()), out.size_bytes());
  if (!entropy.fill(bytes)) return Failure{MintError::no_entropy};
  for (Uuid& id : out) id = Uuid::stamped(detail::load_pair(id.bytes), 4);
  return out.size();
}

Result<Uuid, MintError> Uuid::generate_v4() noexcept {
  SystemEntropy entropy;
  return Uuidv4Generator(entropy).next();
}

Result<ObjectId, MintError> ObjectId::generate() noexcept {
  static constinit ObjectIdGenerator::State state;
  SystemClock clock;
  SystemEntropy entropy;
  return detail::mint_objectid(state, clock, entropy);
}

}  // namespace tessera
