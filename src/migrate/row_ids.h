#pragma once

// IDs for rows that are there already, made by the rules of tessera/generator.h but for the time of
// each row. Rows come in the order of their key, and their times mostly rise, but need not:
//
//    time of the row      its tick
//    the same as before   the last one plus one: neighbours of one millisecond keep their order
//    later                its own time; unless the last tick has run past it, then plus one
//    earlier              its own time: an ID never claims another time than its row's
//
// The state is two numbers, which are kept with the cursor: a kill does not break the order.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/db/connection.h"
#include "tessera/migrate/target.h"
#include "tessera/mint_error.h"
#include "tessera/result.h"
#include "tessera/source.h"

namespace tessera::migrate {

class RowIds {
 public:
  struct State {
    std::uint64_t tick = 0;     // time and count of the last ID; 0: there was none
    std::uint64_t time_ms = 0;  // that it was asked for
    friend bool operator==(const State&, const State&) = default;
  };

  // `clock` and `entropy` must outlive it.
  RowIds(PublicStyle style, Clock& clock, Entropy& entropy) noexcept
      : style_(style), clock_(clock), entropy_(entropy) {}

  // Of a row of that time; none, or one that 48 bits cannot hold: of now.
  Result<Bytes16, MintError> next(std::optional<std::int64_t> time_ms) noexcept;

  const State& state() const noexcept { return state_; }
  void set_state(const State& state) noexcept { state_ = state; }

 private:
  PublicStyle style_;
  Clock& clock_;
  Entropy& entropy_;
  State state_;
};

// The ID as a column of that form holds it.
db::Value column_value(const Target& target, const Bytes16& body);

}  // namespace tessera::migrate
