#pragma once

// Scope: a series of 64-bit keys, declared. ScopeState: what the store knows of it.

#include <cstdint>
#include <optional>
#include <string>

#include "tessera/error.h"
#include "tessera/scope_name.h"

namespace tessera {

// Numbers from `min` to `max`, both included. Shards and regions declare disjoint ranges of
// one series under one name each in a store of their own, or under different names in one.
struct Scope {
  enum class Order : std::uint8_t {
    process,  // strictly increasing in each process
    strict,   // strictly increasing for all: one number, one commit
  };
  static constexpr std::int64_t kMax = INT64_MAX;
  static constexpr std::int64_t kJsSafeMax = (std::int64_t{1} << 53) - 1;
  static constexpr std::int64_t kStepMax = 1'000'000;
  static constexpr std::int64_t kDrawMax = 10'000'000;  // of one draw, however fast the demand

  std::string name;  // see scope_name.h
  std::int64_t min = 1;
  std::int64_t max = kMax;
  std::int64_t step = 1000;  // the least that is drawn at once
  Order order = Order::process;
  bool js_safe = false;  // if so, max is at most 2^53 - 1

  friend bool operator==(const Scope&, const Scope&) = default;
};

// What is wrong with the declaration; nothing, if nothing is.
std::optional<Error> fault_of(const Scope& scope);

struct ScopeState {
  Scope scope;
  std::int64_t high_water = 0;   // the largest number that was ever reserved; min - 1 at first
  std::int64_t epoch = 1;        // how often an operator has moved the mark, from 1
  std::int64_t draws = 0;        // how many ranges were reserved, in all epochs
  std::uint64_t updated_ms = 0;  // by the clock of the store; 0: unknown

  // Of all 2^63 numbers, before the first is drawn, it says one less: there is no such int64.
  std::int64_t remaining() const noexcept {
    return high_water < 0 && scope.max == Scope::kMax ? Scope::kMax : scope.max - high_water;
  }

  friend bool operator==(const ScopeState&, const ScopeState&) = default;
};

}  // namespace tessera
