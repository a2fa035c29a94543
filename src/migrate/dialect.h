#pragma once

// What engines do each in their own way. One dialect, one target.

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tessera/db/connection.h"
#include "tessera/error.h"
#include "tessera/migrate/pace.h"
#include "tessera/migrate/steps.h"
#include "tessera/migrate/target.h"
#include "tessera/result.h"

namespace tessera::migrate {

// What was found out about the table.
struct TableFacts {
  std::string name;  // of the journal: with its schema, where there are several
  std::string key_type;
  std::string created_type;  // empty: no such column is wanted
  std::string column_type;   // of the column of the IDs; empty: it is not there
  std::int64_t rows = 0;     // about
  std::int64_t size = 0;     // bytes, about
};

struct Entry;  // migrate/journal.h

// A row that has no ID in the column.
struct Row {
  db::Value key;
  std::optional<std::int64_t> time_ms;
  db::Value text;  // of the ID that it has in another column
};

using Done = Result<bool, Error>;

// How many rows of each cycle a round has; migrate/stretch.h draws it.
using Shape = std::span<const std::uint8_t>;

class Dialect {
 public:
  virtual ~Dialect() = default;

  // For each new connection.
  virtual Done prepare(db::Connection& connection) const = 0;
  // An error if the table cannot be migrated as wanted. Remembers what it finds.
  virtual Result<TableFacts, Error> look(db::Connection& connection) = 0;
  virtual std::vector<Step> steps() const = 0;
  // All of a step that is not done yet; not backfill and not verify.
  virtual Done perform(db::Connection& connection, const Step& step) = 0;

  // Keeps other runs out while the connection lasts. False: there is one.
  virtual Done lock(db::Connection& connection) = 0;

  // Whether others can write while a batch does. Then what these feel can be probed.
  virtual bool writes_beside_others() const { return true; }
  // Whether rows are found without locks: by another thread and without a transaction too, and more
  // than a batch needs. If not, nobody else can change them until the transaction ends.
  virtual bool reads_ahead() const { return true; }
  // In which rounds a stretch of the table is filled.
  virtual Shape shape() const {
    static constexpr std::array<std::uint8_t, 1> kOneRound = {1};
    return kOneRound;
  }
  // Within a transaction that `begin` has begun: the next rows by key without an ID; and their IDs.
  virtual std::string_view begin() const = 0;
  virtual Result<std::vector<Row>, Error> next_rows(db::Connection& connection,
                                                    const db::Value& after,
                                                    std::int64_t limit) const = 0;
  // How many it has filled: not those that have an ID by now. A row that somebody else has locked
  // is an error, or, if it goes carefully, left out too.
  enum class Care : std::uint8_t { no, yes };
  virtual Result<std::int64_t, Error> fill(db::Connection& connection, std::span<const Row> rows,
                                           std::span<const db::Value> ids, Care care) = 0;
  // All of a batch in one round trip, which is a transaction of its own: it fills rows, not
  // carefully, and saves the entry with them, or leaves that to a later batch. None: it is paused,
  // or no longer on record, or all rows have an ID, or somebody holds one; nothing was done. So
  // many small batches cost little more than few large ones.
  enum class Save : std::uint8_t { now, now_or_later };
  virtual bool fills_at_once() const { return false; }
  virtual Result<std::optional<std::int64_t>, Error> fill_at_once(
      db::Connection& /*connection*/, std::span<const Row> /*rows*/,
      std::span<const db::Value> /*ids*/, const Entry& /*entry*/, Save /*save*/) {
    return std::optional<std::int64_t>();
  }
  // How many clients wait for rows of this transaction.
  virtual Result<std::int64_t, Error> waiting(db::Connection& connection) = 0;

  virtual Result<bool, Error> rows_are_left(db::Connection& connection) = 0;
  virtual Result<Signals, Error> signals(db::Connection& connection) = 0;
  // When a tenth of the rows has got IDs since the last time, so that rows find room where others
  // were; and all of it, when the last row has. If there is a hurry, batches go on meanwhile.
  enum class Hurry : std::uint8_t { no, yes };
  enum class Tidy : std::uint8_t { room, all };
  virtual Done tidy(db::Connection& connection, Tidy what, Hurry hurry) const = 0;

  // Takes everything away that steps made.
  virtual Done undo(db::Connection& connection) = 0;

  // True of a row that has no ID.
  virtual std::string missing_sql() const = 0;
  // For verify. Whether the unique index is there and good; how many are not of the form.
  virtual Result<bool, Error> has_index(db::Connection& connection) = 0;
  virtual std::string wrong_form_sql() const = 0;
  virtual std::string table_sql() const = 0;
  virtual std::string name_sql(std::string_view name) const = 0;
  // The time of a row, in ms, as an expression or as what Row::time_ms is read from.
  virtual std::string time_sql() const = 0;
  virtual std::optional<std::int64_t> time_of(const db::Value& value) const = 0;
};

std::unique_ptr<Dialect> postgres_dialect(const Target& target);
std::unique_ptr<Dialect> sqlite_dialect(const Target& target);
std::unique_ptr<Dialect> mariadb_dialect(const Target& target);

// What all of them need.
// Rows of a key, then a time and a text, each where the target asks for it.
std::vector<Row> rows_of(db::Rows found, const Target& target, const Dialect& dialect);
Result<db::Rows, Error> ask(db::Connection& connection, std::string_view sql,
                            std::span<const db::Value> parameters);
Result<db::Rows, Error> ask(db::Connection& connection, std::string_view sql,
                            std::initializer_list<db::Value> parameters = {});
Done send(db::Connection& connection, std::string_view sql);
Failure<Error> refuse(Error::Code code, std::string message, std::string hint = "");

}  // namespace tessera::migrate
