#pragma once

// How many rows at a time, and how long to rest: so that a migration is quick and nobody minds it.
//
// The size of a batch follows the time that its rows took, towards a target, by at most a factor of
// two. A client that had to wait for a row of it halves it, unless it took no longer than 20 ms.
//
// Unless it is to be fast, it yields to clients. What these feel is probed all the while, by a tiny
// commit like theirs; and before the first batch, and now and then between batches, while nothing
// else is done:
//
//    a batch      takes as long as so many probes do then: small ones keep nobody waiting
//    a rest       follows each batch, so long for each ms of work
//    a late one   took more than twice as long as when nothing is done: batches become shorter by a
//                 third, and where they are as short as one probe, rests grow by half
//    a good one   shrinks rests, and lengthens batches where there are none, by so little that one
//                 in a hundred may be late
//
// And a batch holds few of the rows of the table. Pure: time is an argument.

#include <chrono>
#include <cstdint>
#include <string_view>

namespace tessera::migrate {

struct PaceLimits {
  std::int64_t batch_rows = 2000;           // the first; from then on it is measured
  std::chrono::milliseconds target{200};    // what a batch should take, at most
  std::chrono::milliseconds lag_max{1500};  // of the slowest replica
  std::int64_t load_max = 0;                // statements running at once; 0: any number
  std::int64_t rows_per_second_max = 0;     // 0: as fast as it goes
  bool fast = false;                        // yields to nobody

  static constexpr std::int64_t kBatchRowsMin = 16;
  static constexpr std::int64_t kBatchRowsMax = 20'000;  // what memory a batch may take, too
  // Of the table, that a batch may hold: a client of random rows then waits less often than in one
  // case of a hundred.
  static constexpr std::int64_t kShare = 200;
  static constexpr std::int64_t kShareRowsMin = 500;
  // By default a batch takes so many times what a probe does: clients who commit wait for its
  // commit, and for what it has to write. Shorter ones would be spent on commits; longer ones are
  // not to be had by probes that a batch just ended makes slow.
  static constexpr double kProbesMin = 1;
  static constexpr double kProbesMax = 2;
  static constexpr std::chrono::microseconds kTargetMin{500};
  // A batch that took no longer has kept nobody waiting.
  static constexpr std::chrono::milliseconds kUnnoticed{20};
  // For each ms of work: when nothing can be probed, or has been yet; at least, and at most. More
  // than that brings clients nothing that could be measured: small batches do.
  static constexpr double kRestUnprobed = 1;
  static constexpr double kRestAtFirst = 0.01;
  static constexpr double kRestMin = 0.005;
  static constexpr double kRestMax = 0.02;
  // Above this it is worth the while to find out whether others are to blame.
  static constexpr double kRestStrained = 0.015;
};

// What the database says about itself between batches.
struct Signals {
  std::chrono::milliseconds lag{0};
  std::int64_t load = 0;
};

enum class Brake : std::uint8_t { none, lag, load, rate, clients };
std::string_view name_of(Brake brake) noexcept;

struct Rest {
  std::chrono::milliseconds time{0};
  Brake why = Brake::none;

  friend bool operator==(const Rest&, const Rest&) = default;
};

class Pace {
 public:
  explicit Pace(const PaceLimits& limits) noexcept;

  std::int64_t batch_rows() const noexcept { return batch_rows_; }

  // What is known before the first batch: how many rows there are, about, and what a probe seldom
  // takes longer than; 0: there is none.
  void begin(std::int64_t table_rows, std::chrono::microseconds usual_probe) noexcept;

  // What a probe seldom takes longer than while nothing is done: found out anew from time to time,
  // since others may make a server slow too. 0 changes nothing.
  void used_to(std::chrono::microseconds usual_probe) noexcept;

  bool is_strained() const noexcept { return rest_ > PaceLimits::kRestStrained; }

  // A probe took so long, beside the batches.
  void probed(std::chrono::microseconds took) noexcept;

  // The rows of a batch took `took`; `waiting` clients stood in line for them at its end.
  void batch_done(std::int64_t rows, std::chrono::microseconds took, std::int64_t waiting) noexcept;

  // Before the next batch. While a signal is too high it is to be asked again after the rest.
  Rest rest(const Signals& signals) noexcept;

 private:
  std::chrono::microseconds target() const noexcept;

  PaceLimits limits_;
  std::int64_t batch_rows_max_ = PaceLimits::kBatchRowsMax;
  std::int64_t batch_rows_;
  std::chrono::microseconds owed_to_rate_{0};
  std::chrono::microseconds owed_to_clients_{0};
  std::chrono::microseconds usual_probe_{0};  // 0: not known
  double probes_ = PaceLimits::kProbesMin;    // a batch takes as long as so many
  double rest_ = PaceLimits::kRestUnprobed;   // for each ms of work
  bool was_late_ = false;
};

}  // namespace tessera::migrate
