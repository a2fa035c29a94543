#pragma once

// Moves a table that is in use to public IDs: plan, run, status, verify, pause, abort.
//
//    auto plan = make_plan(connection, target);               reads only
//    auto done = run(connect, target, options, world);        goes on where the last run was
//
// What has been done is in the table tessera_migration of the same database. docs/migrate.md has
// the promise, the steps and what happens when each part fails.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/db/connection.h"
#include "tessera/error.h"
#include "tessera/migrate/pace.h"
#include "tessera/migrate/steps.h"
#include "tessera/migrate/target.h"
#include "tessera/result.h"
#include "tessera/source.h"

namespace tessera::migrate {

struct Plan {
  std::string table;
  std::int64_t rows = 0;             // about
  std::int64_t size = 0;             // bytes, about
  StepName next = StepName::column;  // what a run would begin with
  std::vector<Step> steps;
};

struct Status {
  std::string table;
  Target target;
  StepName step = StepName::column;  // the one that is due
  std::int64_t rows_done = 0;        // by the backfill; triggers have done others
  std::int64_t rows = 0;             // of the table, about
  std::int64_t pass = 1;
  std::int64_t batch_rows = 0;
  bool paused = false;
  std::uint64_t started_ms = 0;
  std::uint64_t updated_ms = 0;
};

struct Check {
  std::string name;  // "missing"
  std::int64_t count = 0;
  bool good = true;
  std::string meaning;  // "rows without an ID"
};
struct Report {
  std::int64_t rows = 0;
  std::int64_t sampled = 0;  // rows that the library has read
  std::vector<Check> checks;

  bool good() const noexcept;
};

// What a run tells while it runs.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void step_begins(StepName) {}
  virtual void rows_done(std::int64_t /*done*/, std::int64_t /*rows*/) {}
  virtual void rests(std::string_view /*why*/) {}
};

struct RunOptions {
  PaceLimits pace;
  std::chrono::milliseconds patience{60'000};  // with locks, other runs, a server that is away
  std::int64_t sample = 20'000;                // rows that verify reads by the library
};

// Where time and chance come from. All must outlive the call; a thread of it asks `monotonic` too.
struct World {
  Clock& clock;
  MonotonicClock& monotonic;
  Entropy& entropy;
  std::function<void(std::chrono::milliseconds)> sleep;
  Observer& observer;
};

// Called by a thread of the run too, for a second connection.
using Connect = std::function<Result<std::unique_ptr<db::Connection>, db::DbError>()>;

Result<Plan, Error> make_plan(db::Connection& connection, const Target& target);

// To the end, or to an error; either way the next call goes on.
Result<Report, Error> run(const Connect& connect, const Target& target, const RunOptions& options,
                          const World& world);

// Those under way and those done. `column` empty: all columns.
Result<std::vector<Status>, Error> status(db::Connection& connection, std::string_view table,
                                          std::string_view column);
Result<Report, Error> verify(db::Connection& connection, std::string_view table,
                             std::string_view column, std::int64_t sample);
Result<bool, Error> set_paused(db::Connection& connection, std::string_view table,
                               std::string_view column, bool paused);
// Takes away column, triggers and index, and forgets the migration. One that is done: with `force`.
Result<bool, Error> abort(db::Connection& connection, std::string_view table,
                          std::string_view column, bool force);

}  // namespace tessera::migrate
