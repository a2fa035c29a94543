#pragma once

// Result<T, E>: a value, or the reason there is none.
//
// C++20 has no std::expected; this is the part of it we use. The type is
// [[nodiscard]], so an error that nobody looks at does not build. Reading the side
// that is not there ends the process, in every build: an identifier made of
// whatever bytes were lying around must never leave it.

#include <cstdlib>
#include <utility>
#include <variant>

namespace tessera {

template <class E>
struct Failure {
  E error;
};

template <class E>
Failure(E) -> Failure<E>;

template <class T, class E>
class [[nodiscard]] Result {
 public:
  constexpr Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  constexpr Result(Failure<E> failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  constexpr explicit operator bool() const noexcept { return state_.index() == 0; }

  // Callers test first; reading the wrong side is a bug, not a condition.
  constexpr const T& operator*() const& noexcept { return *side<0>(); }
  constexpr T& operator*() & noexcept { return const_cast<T&>(*side<0>()); }
  constexpr T&& operator*() && noexcept { return std::move(const_cast<T&>(*side<0>())); }
  constexpr const T* operator->() const noexcept { return side<0>(); }
  constexpr T* operator->() noexcept { return const_cast<T*>(side<0>()); }
  constexpr const E& error() const noexcept { return *side<1>(); }

  constexpr T value_or(T other) const { return *this ? **this : std::move(other); }

  friend constexpr bool operator==(const Result&, const Result&) = default;

 private:
  template <std::size_t I>
  constexpr const auto* side() const noexcept {
    const auto* there = std::get_if<I>(&state_);
    if (there == nullptr) [[unlikely]] {
      std::abort();
    }
    return there;
  }

  std::variant<T, E> state_;
};

}  // namespace tessera
