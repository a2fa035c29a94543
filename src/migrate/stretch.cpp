// Hands out the rows of a stretch.

#include "migrate/stretch.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace tessera::migrate {
namespace {

std::int64_t cycle_of(Shape shape) noexcept {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{0});
}

// Which round each row of a cycle is of: the one that is furthest behind its share.
std::vector<std::size_t> rounds_of_cycle(Shape shape) {
  const std::int64_t cycle = cycle_of(shape);
  std::vector<std::int64_t> behind(shape.size());
  std::vector<std::size_t> rounds;
  for (std::int64_t i = 0; i < cycle; ++i) {
    for (std::size_t round = 0; round < shape.size(); ++round) behind[round] += shape[round];
    const auto most = std::ranges::max_element(behind);
    *most -= cycle;
    rounds.push_back(static_cast<std::size_t>(most - behind.begin()));
  }
  return rounds;
}

}  // namespace

std::int64_t Stretch::rows_for(std::int64_t batch_rows, Shape shape) noexcept {
  return std::max<std::int64_t>(batch_rows * cycle_of(shape) / *std::ranges::max_element(shape), 1);
}

Stretch::Stretch(std::vector<Row> rows, std::vector<db::Value> ids, Shape shape) {
  assert(!rows.empty() && rows.size() == ids.size() && !shape.empty());
  last_key_ = rows.back().key;
  if (shape.size() == 1) {
    round_ends_.push_back(rows.size());
    rows_ = std::move(rows);
    ids_ = std::move(ids);
    return;
  }
  const std::vector<std::size_t> rounds = rounds_of_cycle(shape);
  rows_.reserve(rows.size());
  ids_.reserve(ids.size());
  for (std::size_t round = 0; round < shape.size(); ++round) {
    for (std::size_t i = 0, in_cycle = 0; i < rows.size(); ++i) {
      if (rounds[in_cycle] == round) {
        rows_.push_back(std::move(rows[i]));
        ids_.push_back(std::move(ids[i]));
      }
      if (++in_cycle == rounds.size()) in_cycle = 0;
    }
    round_ends_.push_back(rows_.size());
  }
}

Stretch::Part Stretch::next(std::size_t count_max) const {
  assert(!filled() && count_max > 0);
  const std::size_t round_end = *std::ranges::upper_bound(round_ends_, at_);
  const std::size_t count = std::min(count_max, round_end - at_);
  return {.rows = std::span(rows_).subspan(at_, count),
          .ids = std::span(ids_).subspan(at_, count),
          .is_last = at_ + count == rows_.size(),
          .end = at_ + count};
}

}  // namespace tessera::migrate
