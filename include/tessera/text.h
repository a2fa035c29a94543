#pragma once

// Text<N>: the text of an ID, held in place. A value without a heap.

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace tessera {

template <std::size_t Capacity>
struct Text {
  static constexpr std::size_t kCapacity = Capacity;

  std::array<char, Capacity> chars{};
  std::size_t size = 0;

  constexpr std::string_view view() const noexcept { return {chars.data(), size}; }
  constexpr operator std::string_view() const noexcept { return view(); }
  std::string to_string() const { return std::string(view()); }

  friend constexpr bool operator==(const Text& a, const Text& b) noexcept {
    return a.view() == b.view();
  }
  friend std::ostream& operator<<(std::ostream& out, const Text& text) {
    return out << text.view();
  }
};

// An ID that has a text: what the stream and format support below is written for.
template <class Id>
concept HasText = requires(const Id& id) {
  { id.text().view() } -> std::convertible_to<std::string_view>;
};

template <HasText Id>
std::ostream& operator<<(std::ostream& out, const Id& id) {
  return out << id.text().view();
}

}  // namespace tessera
