#pragma once

// ObjectId: MongoDB's identifier.
//
//    | unix seconds: 32 bits | random, one per process: 40 bits | counter: 24 bits |
//
// Text is 24 hex digits, lower case when written. Order of values = order of bytes =
// order of text.

#include <array>
#include <atomic>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/codec.h"
#include "tessera/mint_error.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/source.h"
#include "tessera/text.h"

namespace tessera {

struct ObjectId {
  static constexpr std::size_t kSize = 12;
  static constexpr std::size_t kTextSize = 24;
  static constexpr std::uint64_t kTimeSMax = 0xFFFF'FFFF;  // 2106-02-07

  std::array<std::uint8_t, kSize> bytes{};

  static constexpr Result<ObjectId, ParseError> parse(std::string_view text) noexcept {
    ObjectId id;
    if (!std::is_constant_evaluated() && std::endian::native == std::endian::little &&
        text.size() == kTextSize) {
      if (hex::parse_side_by_side<kSize>(text.data(), id.bytes.data())) [[likely]] {
        return id;
      }
    }
    if (const auto done = hex::parse(text, id.bytes); !done) return Failure{done.error()};
    return id;
  }

  static constexpr ObjectId from_parts(std::uint64_t time_s, std::uint64_t random,
                                       std::uint64_t counter) noexcept {
    ObjectId id;
    detail::store_be<8>(id.bytes.data(), time_s << 32 | (random >> 8 & 0xFFFF'FFFF));
    detail::store_be<4>(id.bytes.data() + 8, random << 24 | (counter & 0xFF'FFFF));
    return id;
  }
  static constexpr ObjectId smallest(std::uint64_t time_s) noexcept {
    return from_parts(time_s, 0, 0);
  }
  static constexpr ObjectId largest(std::uint64_t time_s) noexcept {
    return from_parts(time_s, ~std::uint64_t{0}, ~std::uint64_t{0});
  }

  // A new one, above every other that this process has made so. Thread-safe, fork-safe.
  static Result<ObjectId, MintError> generate() noexcept;
  // Fills all of `out`, in order; on failure none of it may be used.
  static Result<std::size_t, MintError> generate(std::span<ObjectId> out) noexcept;

  constexpr void write_text(std::span<char, kTextSize> out) const noexcept {
    hex::write(bytes, out);
  }
  constexpr Text<kTextSize> text() const noexcept {
    Text<kTextSize> text{.size = kTextSize};
    write_text(text.chars);
    return text;
  }
  std::string to_string() const { return text().to_string(); }

  constexpr std::uint64_t time_s() const noexcept { return detail::load_be<4>(bytes.data()); }
  constexpr std::uint64_t time_ms() const noexcept { return time_s() * 1000; }
  constexpr std::uint64_t random() const noexcept { return detail::load_be<5>(bytes.data() + 4); }
  constexpr std::uint32_t counter() const noexcept {
    return static_cast<std::uint32_t>(detail::load_be<3>(bytes.data() + 9));
  }

  friend constexpr auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

// Strictly increasing, as Generator: when the counter runs over, or the clock stands or
// steps back, the newest second goes on and may lead the clock.
//
// The random part is one per generator, as MongoDB asks, and so would repeat in a forked
// child together with the counter. A generator that finds itself in a child draws a new
// one. Thread-safe if clock and entropy are; both must outlive the generator.
class ObjectIdGenerator {
 public:
  ObjectIdGenerator(Clock& clock, Entropy& entropy) noexcept : clock_(clock), entropy_(entropy) {}

  // On failure the generator is unchanged, and a later call may succeed.
  Result<ObjectId, MintError> next() noexcept;
  // Fills all of `out`, in order; on failure none of it may be used.
  Result<std::size_t, MintError> next(std::span<ObjectId> out) noexcept;

  // What a generator remembers.
  struct State {
    std::atomic<std::uint64_t> last_tick{0};
    std::atomic<std::uint64_t> process{0};  // | fork generation: 24 bits | random: 40 bits |
  };

 private:
  Clock& clock_;
  Entropy& entropy_;
  State state_;
};

namespace detail {

// One ObjectId, by a state that anybody may own.
Result<ObjectId, MintError> mint_objectid(ObjectIdGenerator::State& state, Clock& clock,
                                          Entropy& entropy) noexcept;

}  // namespace detail

}  // namespace tessera

template <>
struct std::hash<tessera::ObjectId> {
  std::size_t operator()(const tessera::ObjectId& id) const noexcept {
    const auto hi = tessera::detail::load_be<8>(id.bytes.data());
    const auto lo = tessera::detail::load_be<4>(id.bytes.data() + 8);
    return static_cast<std::size_t>((hi ^ lo) * 0x9E37'79B9'7F4A'7C15);
  }
};
