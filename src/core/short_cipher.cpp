// Keys and declarations of short IDs, and the walk that keeps them below the size.

#include "tessera/short_cipher.h"

#include <algorithm>

#include "core/short_cipher_kernel.h"
#include "core/wipe.h"
#include "tessera/detail/alphabet.h"
#include "tessera/scope_name.h"

namespace tessera {
namespace {

Error invalid(std::string message, std::string hint) {
  return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
}

// What is wrong with a key, without a character of it.
Error not_a_key() {
  return invalid("a key for short IDs is neither 32 nor 64 hex digits",
                 "To make one: tessera new random --bits 256 --form hex");
}

std::uint32_t load_le32(const std::uint8_t* bytes) noexcept {
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

using Block = std::array<std::uint32_t, 4>;

// The scope's own key. A chain of blocks, each under a key that the one before gave: the first
// says how many follow, so that no chain begins another, and ChaCha20 being a good function
// of one block makes this a good function of them all.
detail::ChachaKey scope_key(const ShortSpace& space, const ShortKey& key) noexcept {
  constexpr std::uint32_t kTag = 0x3168'7354;  // "Tsh1"
  const std::span<const std::uint8_t> secret = key.bytes();
  detail::ChachaKey chain{};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    chain[i] = load_le32(secret.data() + (4 * i) % secret.size());
  }
  const auto& constants = secret.size() == 32 ? detail::kChachaSigma : detail::kChachaTau;
  const std::uint64_t size = space.count();
  const Block head = {kTag, space.bits | static_cast<std::uint32_t>(space.scope.size()) << 8,
                      static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size >> 32)};
  auto output = detail::chacha20_block(constants, chain, head);
  for (std::size_t at = 0; at < space.scope.size(); at += 16) {
    std::array<std::uint8_t, 16> bytes{};
    const std::size_t count = std::min<std::size_t>(16, space.scope.size() - at);
    std::copy_n(space.scope.begin() + static_cast<std::ptrdiff_t>(at), count, bytes.begin());
    Block block;
    for (std::size_t i = 0; i < 4; ++i) block[i] = load_le32(bytes.data() + 4 * i);
    std::copy_n(output.begin(), chain.size(), chain.begin());
    output = detail::chacha20_block(detail::kChachaSigma, chain, block);
  }
  std::copy_n(output.begin(), chain.size(), chain.begin());
  detail::wipe(output.data(), sizeof(output));
  return chain;
}

}  // namespace

Result<ShortKey, Error> ShortKey::from_bytes(std::span<const std::uint8_t> bytes) {
  if (bytes.size() != 16 && bytes.size() != 32) {
    return Failure{
        invalid("a key for short IDs has 16 or 32 bytes, not " + std::to_string(bytes.size()),
                "Take 32 from a good source of randomness.")};
  }
  ShortKey key;
  std::ranges::copy(bytes, key.bytes_.begin());
  key.size_ = bytes.size();
  return key;
}

Result<ShortKey, Error> ShortKey::parse(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.size() != 32 && text.size() != 64) return Failure{not_a_key()};
  ShortKey key;
  key.size_ = text.size() / 2;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t digit = detail::digit_of(detail::kHexDigits, text[i]);
    if (digit == detail::kNotADigit) return Failure{not_a_key()};
    key.bytes_[i / 2] = static_cast<std::uint8_t>(key.bytes_[i / 2] << 4 | digit);
  }
  return key;
}

ShortKey::~ShortKey() { detail::wipe(bytes_.data(), bytes_.size()); }

std::optional<Error> fault_of(const ShortSpace& space) {
  if (!ShortId::has_size(space.bits)) {
    return invalid("a short ID has 16 to 63 bits, not " + std::to_string(space.bits),
                   "For more, make random IDs: they need no store.");
  }
  if (const auto offset = scope_name_fault(space.scope)) {
    return invalid("not a name for a scope: '" + printable(space.scope) + "', at offset " +
                       std::to_string(*offset),
                   "A name is 1 to 64 letters, digits, '.', '_' and '-', with a letter or digit "
                   "at both ends.");
  }
  const std::uint64_t all = std::uint64_t{1} << space.bits;
  if (space.count() > all || space.count() <= all / 2) {
    return invalid(std::to_string(space.count()) + " short IDs do not need " +
                       std::to_string(space.bits) + " bits",
                   "Of " + std::to_string(space.bits) + " bits there are " +
                       std::to_string(all / 2 + 1) + " to " + std::to_string(all) + ".");
  }
  return std::nullopt;
}

Result<ShortCipher, Error> ShortCipher::make(const ShortSpace& space, const ShortKey& key) {
  if (auto fault = fault_of(space)) return Failure{*std::move(fault)};
  ShortCipher cipher;
  cipher.key_ = scope_key(space, key);
  cipher.bits_ = space.bits;
  cipher.rounds_ = rounds_for(space.bits);
  cipher.size_ = space.count();
  return cipher;
}

std::string ShortCipher::fingerprint() const {
  constexpr std::uint32_t kTag = 0x3166'7354;  // "Tsf1": no round has this number
  const auto block = detail::chacha20_block(detail::kChachaSigma, key_, {kTag, 0, 0, 0});
  std::string out;
  for (const std::uint32_t word : {block[0], block[1]}) {
    for (unsigned shift = 32; shift > 0; shift -= 4) {
      out += detail::kHex[word >> (shift - 4) & 15];
    }
  }
  return out;
}

ShortCipher::~ShortCipher() { detail::wipe(key_.data(), sizeof(key_)); }

// The walk ends: a permutation leads every number back to itself, and ours are below the size.
// More than half of all are, so that it takes less than two steps on average.
Result<ShortId, MintError> ShortCipher::encrypt(std::uint64_t number) const noexcept {
  if (number >= size_) return Failure{MintError::exhausted};
  do {
    number = detail::feistel(key_, bits_, rounds_, number);
  } while (number >= size_);
  return *ShortId::from_number(number, bits_);
}

Result<std::uint64_t, ParseError> ShortCipher::decrypt(const ShortId& id) const noexcept {
  if (id.bits() != bits_) return detail::parse_failure(ParseError::Code::invalid_length, 0);
  std::uint64_t number = id.number();
  if (number >= size_) return detail::parse_failure(ParseError::Code::overflow, 0);
  do {
    number = detail::feistel_inverse(key_, bits_, rounds_, number);
  } while (number >= size_);
  return number;
}

}  // namespace tessera
