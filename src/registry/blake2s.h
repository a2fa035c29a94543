#pragma once

// BLAKE2s of RFC 7693, without a key: what an erased ID leaves behind, and what tells one request
// from another. One-way, and fast for the few bytes we have.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tessera/detail/bytes.h"

namespace tessera {

class Blake2s {
 public:
  Blake2s() noexcept;

  Blake2s& add(std::span<const std::uint8_t> bytes) noexcept;
  // With its size in front, so that ("ab", "c") and ("a", "bc") differ.
  Blake2s& add_text(std::string_view text) noexcept;
  Blake2s& add_number(std::uint64_t number) noexcept;

  std::array<std::uint8_t, 32> finish() noexcept;  // the object is then of no more use
  detail::Bytes16 finish_16() noexcept;            // the first half

 private:
  void mix(bool last) noexcept;

  std::array<std::uint32_t, 8> state_{};
  std::array<std::uint8_t, 64> block_{};
  std::size_t size_ = 0;  // of what is in the block
  std::uint64_t total_ = 0;
};

}  // namespace tessera
