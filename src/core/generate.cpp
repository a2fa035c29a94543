// The process-wide generators behind Ulid::generate() and its kin: one tick for each kind,
// on the real clock and the real randomness.

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/generate.h"
#include "core/sources.h"
#include "core/tick.h"
#include "tessera/ksuid.h"
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
  detail::NearClock clock;
  detail::NearEntropy entropy;
  return detail::mint<Mint>(last_tick_of<Mint>(), clock, entropy);
}

template <class Id>
int put(const Result<Id, MintError>& made, std::uint8_t* out) noexcept {
  if (!made) return detail::code_of(made.error());
  std::memcpy(out, made->bytes.data(), Id::kSize);
  return TESSERA_OK;
}

#if defined(__wasm__)
template <class Mint>
Result<typename Mint::Id, MintError> mint_by_adding() noexcept {
  return mint_here<Mint>();
}

template <class Mint>
int mint_by_adding(std::uint8_t* out) noexcept {
  return put(mint_here<Mint>(), out);
}
#else
// What is rare stands apart, as a whole, and answers in registers, so that the usual way needs no
// room on the stack.
struct Halves {
  std::uint64_t first;   // of the ID's bytes; in no ID is it 0
  std::uint64_t second;  // or else why there is none
};

template <class Mint>
[[gnu::noinline]] Halves mint_slowly() noexcept {
  const auto made = mint_here<Mint>();
  if (!made) return {0, static_cast<std::uint64_t>(made.error())};
  return std::bit_cast<Halves>(made->bytes);
}

template <class Mint>
[[gnu::noinline]] int mint_slowly(std::uint8_t* out) noexcept {
  return put(mint_here<Mint>(), out);
}

// The same by one addition, without a look before: a thread that looks gets the cache line to read,
// and must ask for it once more to write, while others take it away. The first ID of a millisecond
// goes the other way, and so does one that finds no randomness at hand; each leaves a tick out.
//
// An addition cannot be refused, and must not run over the end: 2^64 ns are less than 2^45 ms, so
// no tick of the kernel's clock is near it.
//
// The addition comes right behind the clock and before the randomness. Intel's processors let
// neither of the first two begin before the other is done, nor what stands between them, but go on
// with what stands behind.
template <class Mint>
[[nodiscard]] inline bool take_quickly(std::uint64_t& tick, std::uint64_t& random) noexcept {
  constexpr unsigned kCountBits = Mint::kCountBits;
  static_assert(kCountBits <= 16 && Mint::kRandomSize == sizeof random);
  const std::uint64_t time_ms = detail::NearClock::now_ms();
  const std::uint64_t last = detail::take_tick(last_tick_of<Mint>());
  tick = last + 1;
  return time_ms <= last >> kCountBits && detail::NearEntropy::fill_quickly(random);
}

template <class Mint>
typename Mint::Id made_of(std::uint64_t tick, std::uint64_t random) noexcept {
  return Mint::make(tick, reinterpret_cast<const std::uint8_t*>(&random));
}

template <class Mint>
Result<typename Mint::Id, MintError> mint_by_adding() noexcept {
  std::uint64_t tick = 0, random = 0;
  if (!take_quickly<Mint>(tick, random)) [[unlikely]] {
    const Halves made = mint_slowly<Mint>();
    if (made.first == 0) return Failure{static_cast<MintError>(made.second)};
    return std::bit_cast<typename Mint::Id>(made);
  }
  return made_of<Mint>(tick, random);
}

template <class Mint>
int mint_by_adding(std::uint8_t* out) noexcept {
  std::uint64_t tick = 0, random = 0;
  if (!take_quickly<Mint>(tick, random)) [[unlikely]] {
    return mint_slowly<Mint>(out);
  }
  const auto id = made_of<Mint>(tick, random);
  std::memcpy(out, id.bytes.data(), id.kSize);
  return TESSERA_OK;
}
#endif

template <class Mint>
Result<std::size_t, MintError> mint_here(std::span<typename Mint::Id> out) noexcept {
  detail::NearClock clock;
  detail::NearEntropy entropy;
  return detail::mint_many<Mint>(last_tick_of<Mint>(), clock, entropy, out);
}

// Uuid::stamped(), all sixteen bytes in one piece.
using Lanes [[gnu::vector_size(16)]] = std::uint8_t;

Uuid stamped_v4(Lanes bytes) noexcept {
  constexpr Lanes kRandom = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0xFF,
                             0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  constexpr Lanes kStamp = {0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0};
  return std::bit_cast<Uuid>((bytes & kRandom) | kStamp);
}

// The nil UUID if there is no entropy. Apart, and in registers, so that the quick way needs no room
// on the stack.
[[gnu::noinline]] Uuid make_v4_slowly() noexcept {
  std::array<std::uint8_t, Uuid::kSize> bytes;
  if (!detail::NearEntropy().fill(std::span<std::uint8_t>(bytes))) return Uuid{};
  return stamped_v4(std::bit_cast<Lanes>(bytes));
}

[[gnu::noinline]] int make_v4_slowly(std::uint8_t* out) noexcept {
  return put(Uuid::generate_v4(), out);
}

}  // namespace

Result<Ulid, MintError> Ulid::generate() noexcept { return mint_by_adding<UlidMint>(); }
Result<Ksuid, MintError> Ksuid::generate() noexcept { return mint_here<KsuidMint>(); }
Result<Uuid, MintError> Uuid::generate_v1() noexcept { return mint_here<Uuidv1Mint>(); }
Result<Uuid, MintError> Uuid::generate_v6() noexcept { return mint_here<Uuidv6Mint>(); }
Result<Uuid, MintError> Uuid::generate_v7() noexcept { return mint_by_adding<Uuidv7Mint>(); }

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
  const std::span bytes(reinterpret_cast<std::uint8_t*>(out.data()), out.size_bytes());
  if (!detail::NearEntropy().fill(bytes)) return Failure{MintError::no_entropy};
  for (Uuid& id : out) id = stamped_v4(std::bit_cast<Lanes>(id.bytes));
  return out.size();
}

Result<Uuid, MintError> Uuid::generate_v4() noexcept {
  Lanes bytes;
  if (!detail::NearEntropy::fill_quickly(bytes)) [[unlikely]] {
    const Uuid made = make_v4_slowly();
    if (made == Uuid{}) return Failure{MintError::no_entropy};
    return made;
  }
  return stamped_v4(bytes);
}

namespace detail {

int generate_ulid(std::uint8_t* out) noexcept { return mint_by_adding<UlidMint>(out); }
int generate_uuidv1(std::uint8_t* out) noexcept { return put(mint_here<Uuidv1Mint>(), out); }
int generate_uuidv4(std::uint8_t* out) noexcept {
  Lanes bytes;
  if (!NearEntropy::fill_quickly(bytes)) [[unlikely]] {
    return make_v4_slowly(out);
  }
  const Uuid id = stamped_v4(bytes);
  std::memcpy(out, id.bytes.data(), Uuid::kSize);
  return TESSERA_OK;
}
int generate_uuidv6(std::uint8_t* out) noexcept { return put(mint_here<Uuidv6Mint>(), out); }
int generate_uuidv7(std::uint8_t* out) noexcept { return mint_by_adding<Uuidv7Mint>(out); }

}  // namespace detail
}  // namespace tessera
