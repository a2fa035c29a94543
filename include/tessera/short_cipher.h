#pragma once

// ShortCipher: 0, 1, 2 ... become short IDs in an order that only the owner of a key knows.
//
//    number --> Feistel network over `bits` bits --> below `size`? --> ShortId
//                 ^                                     | no
//                 +-------------------------------------+  walks on
//
// A permutation of the numbers below `size`: different numbers give different IDs, so who
// draws every number once makes every ID once, and needs to remember none. Without the key an
// ID tells nothing of its number, nor of any other ID.
//
// The key belongs to the scope for ever. Under another key the same numbers give other IDs,
// and some of them were given out before.
//
// The network: halves of bits / 2 and of the rest, changed in turn by `rounds_for(bits)` rounds;
// a round's function is one block of ChaCha20 under a key made from yours, the scope, the
// bits and the size. docs/short-ids.md says why so, and what an attacker may learn.
//
// Thread-safe once made. Keys are wiped when they end, and stand in no message.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tessera/error.h"
#include "tessera/mint_error.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/short_id.h"

namespace tessera {

// A secret of 16 or 32 bytes. There is no way to print it.
class ShortKey {
 public:
  // Any other count of bytes is refused.
  static Result<ShortKey, Error> from_bytes(std::span<const std::uint8_t> bytes);
  // 32 or 64 hex digits; a line end behind them is passed over.
  static Result<ShortKey, Error> parse(std::string_view text);

  ShortKey(const ShortKey&) noexcept = default;
  ShortKey& operator=(const ShortKey&) noexcept = default;
  ~ShortKey();

  std::span<const std::uint8_t> bytes() const noexcept { return {bytes_.data(), size_}; }

 private:
  ShortKey() = default;

  std::array<std::uint8_t, 32> bytes_{};
  std::size_t size_ = 0;
};

// The IDs of one scope, declared.
struct ShortSpace {
  std::string scope;   // see scope_name.h; two scopes with one key have different orders
  unsigned bits = 40;  // 16 to 63
  // How many IDs there are, above 2^(bits - 1): fewer need fewer bits. Not given: 2^bits.
  std::optional<std::uint64_t> size{};

  std::uint64_t count() const noexcept { return size.value_or(std::uint64_t{1} << (bits & 63)); }

  friend bool operator==(const ShortSpace&, const ShortSpace&) = default;
};

// What is wrong with the declaration; nothing, if nothing is.
std::optional<Error> fault_of(const ShortSpace& space);

class ShortCipher {
 public:
  // So many that the best attack on Feistel networks as such, which costs some
  // 2^((rounds - 4) * bits / 2), costs 2^96; and ten at least.
  static constexpr unsigned rounds_for(unsigned bits) noexcept {
    const unsigned half = bits / 2;
    const unsigned rounds = 4 + (96 + half - 1) / half;
    return rounds < 10 ? 10 : rounds + rounds % 2;
  }

  static Result<ShortCipher, Error> make(const ShortSpace& space, const ShortKey& key);

  ShortCipher(const ShortCipher&) noexcept = default;
  ShortCipher& operator=(const ShortCipher&) noexcept = default;
  ~ShortCipher();

  // Sixteen hex digits by which the same key, scope, bits and size are known again, and from which
  // nothing of the key can be read: 64 bits of a block that encrypt() never uses.
  std::string fingerprint() const;

  unsigned bits() const noexcept { return bits_; }
  std::uint64_t size() const noexcept { return size_; }

  // The ID of a number below size(); `exhausted` for all others.
  Result<ShortId, MintError> encrypt(std::uint64_t number) const noexcept;

  // The number of an ID. One of another size is invalid_length, and one that this cipher never
  // makes is `overflow`.
  Result<std::uint64_t, ParseError> decrypt(const ShortId& id) const noexcept;

 private:
  ShortCipher() = default;

  std::array<std::uint32_t, 8> key_{};
  unsigned bits_ = 0;
  unsigned rounds_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace tessera
