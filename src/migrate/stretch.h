#pragma once

// Rows that follow each other by key, with the IDs that they shall have, handed out in rounds. A
// shape says how many rows of each cycle a round has, spread as evenly as they go:
//
//    shape 1 1 1, eight rows      1  4  7 | 2  5  8 | 3  6
//    shape 2 1,   six rows        1  3  4  6 | 2  5
//
// Each round is handed out in parts of at most so many rows. A part that was not done is handed out
// again.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "migrate/dialect.h"
#include "tessera/db/connection.h"

namespace tessera::migrate {

class Stretch {
 public:
  // Of rows that the stretch holds.
  struct Part {
    std::span<const Row> rows;
    std::span<const db::Value> ids;
    bool is_last = false;  // of the stretch
    std::size_t end = 0;   // where the next one begins
  };

  // How many rows make rounds of which the largest has `batch_rows`.
  static std::int64_t rows_for(std::int64_t batch_rows, Shape shape) noexcept;

  Stretch() = default;
  // As many IDs as rows, and at least one; every round of the shape has a row of the cycle.
  Stretch(std::vector<Row> rows, std::vector<db::Value> ids, Shape shape);

  bool filled() const noexcept { return at_ >= rows_.size(); }
  const db::Value& last_key() const noexcept { return last_key_; }

  // Not of one that is filled. `count_max` at least one.
  Part next(std::size_t count_max) const;
  // It was done.
  void take(const Part& part) noexcept { at_ = part.end; }

 private:
  std::vector<Row> rows_;  // by rounds
  std::vector<db::Value> ids_;
  std::vector<std::size_t> round_ends_;
  db::Value last_key_;
  std::size_t at_ = 0;
};

}  // namespace tessera::migrate
