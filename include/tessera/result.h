#pragma once

// Result<T, E>: a value, or the reason there is none.
//
// C++20 has no std::expected; this is the part of it we use. The type is
// [[nodiscard]], so an error that nobody looks at does not build. Reading the side
// that is not there ends the process, in every build: an identifier made of
// whatever bytes were lying around must never leave it.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace tessera {

template <class E>
struct Failure {
  E error;
};

template <class E>
Failure(E) -> Failure<E>;

namespace detail {

// The two sides of a Result. An error that owns memory is kept apart, behind a pointer: then a
// Result is small, and a value that is looked at and thrown away never leaves the registers.
//
// Two small sides stand beside each other: a Result that shares their room would go through
// memory on its way to the caller, written in pieces and read as a whole, which a processor does
// slowly.
enum class SidesAre : std::uint8_t { sharing, beside, apart };

template <class T, class E>
inline constexpr SidesAre kSidesAre =
    !std::is_trivially_copyable_v<E> ? SidesAre::apart
    : std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
            std::is_default_constructible_v<E> && sizeof(T) <= 32 && sizeof(E) <= 8
        ? SidesAre::beside
        : SidesAre::sharing;

template <class T, class E, SidesAre = kSidesAre<T, E>>
class Sides {
 public:
  constexpr explicit Sides(T value) : sides_(std::in_place_index<0>, std::move(value)) {}
  constexpr explicit Sides(Failure<E> failure)
      : sides_(std::in_place_index<1>, std::move(failure.error)) {}

  constexpr bool good() const noexcept { return sides_.index() == 0; }
  constexpr const T* value() const noexcept { return std::get_if<0>(&sides_); }
  constexpr const E* error() const noexcept { return std::get_if<1>(&sides_); }
  friend constexpr bool operator==(const Sides&, const Sides&) = default;

 private:
  std::variant<T, E> sides_;
};

template <class T, class E>
class Sides<T, E, SidesAre::beside> {
 public:
  constexpr explicit Sides(T value) noexcept : value_(value), good_(true) {}
  constexpr explicit Sides(Failure<E> failure) noexcept : error_(failure.error) {}

  constexpr bool good() const noexcept { return good_; }
  constexpr const T* value() const noexcept { return good_ ? &value_ : nullptr; }
  constexpr const E* error() const noexcept { return good_ ? nullptr : &error_; }
  friend constexpr bool operator==(const Sides& a, const Sides& b) {
    if (a.good_ != b.good_) return false;
    return a.good_ ? a.value_ == b.value_ : a.error_ == b.error_;
  }

 private:
  T value_{};
  E error_{};
  bool good_ = false;
};

template <class T, class E>
class Sides<T, E, SidesAre::apart> {
 public:
  explicit Sides(T&& value) : value_(std::move(value)) {}
  explicit Sides(std::in_place_t) : value_(std::in_place) {}
  explicit Sides(Failure<E> failure) : error_(std::make_unique<E>(std::move(failure.error))) {}
  explicit Sides(Failure<std::unique_ptr<E>> failure) noexcept : error_(std::move(failure.error)) {}
  Sides(const Sides& other) : value_(other.value_), error_(copy_of(other.error_)) {}
  Sides(Sides&&) noexcept = default;
  Sides& operator=(const Sides& other) { return *this = Sides(other); }
  Sides& operator=(Sides&&) noexcept = default;
  ~Sides() = default;

  bool good() const noexcept { return value_.has_value(); }
  const T* value() const noexcept { return value_ ? &*value_ : nullptr; }
  const E* error() const noexcept { return error_.get(); }
  friend bool operator==(const Sides& a, const Sides& b) {
    if (a.value_ != b.value_) return false;
    return a.error_ && b.error_ ? *a.error_ == *b.error_ : !a.error_ && !b.error_;
  }

 private:
  static std::unique_ptr<E> copy_of(const std::unique_ptr<E>& error) {
    return error ? std::make_unique<E>(*error) : nullptr;
  }

  std::optional<T> value_;
  std::unique_ptr<E> error_;
};

}  // namespace detail

template <class T, class E>
class [[nodiscard]] Result {
 public:
  constexpr Result(T value) : sides_(std::move(value)) {}
  constexpr Result(Failure<E> failure) : sides_(std::move(failure)) {}
  // The same, of an error that lies in memory already.
  Result(Failure<std::unique_ptr<E>> failure) noexcept requires(!std::is_trivially_copyable_v<E>)
      : sides_(std::move(failure)) {}
  // A value of which nothing has been said yet, made where it will be read: one of many members is
  // not moved there.
  explicit Result(std::in_place_t) requires(!std::is_trivially_copyable_v<E>)
      : sides_(std::in_place) {}

  constexpr explicit operator bool() const noexcept { return sides_.good(); }

  // Callers test first; reading the wrong side is a bug, not a condition.
  constexpr const T& operator*() const& noexcept { return *there(sides_.value()); }
  constexpr T& operator*() & noexcept { return const_cast<T&>(*there(sides_.value())); }
  constexpr T&& operator*() && noexcept {
    return std::move(const_cast<T&>(*there(sides_.value())));
  }
  constexpr const T* operator->() const noexcept { return there(sides_.value()); }
  constexpr T* operator->() noexcept { return const_cast<T*>(there(sides_.value())); }
  constexpr const E& error() const noexcept { return *there(sides_.error()); }

  constexpr T value_or(T other) const { return *this ? **this : std::move(other); }

  friend constexpr bool operator==(const Result& a, const Result& b) {
    return a.sides_ == b.sides_;
  }

 private:
  template <class Side>
  static constexpr const Side* there(const Side* side) noexcept {
    if (side == nullptr) [[unlikely]] {
      std::abort();
    }
    return side;
  }

  detail::Sides<T, E> sides_;
};

}  // namespace tessera
