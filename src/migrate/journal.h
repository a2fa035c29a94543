#pragma once

// tessera_migration: what has been done, in the database that it was done to.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "migrate/dialect.h"
#include "migrate/row_ids.h"
#include "tessera/db/connection.h"
#include "tessera/migrate/steps.h"

namespace tessera::migrate {

struct Entry {
  std::string table;
  std::string column;
  std::string target;  // text_of()
  StepName step = StepName::column;
  db::Value last_key;  // NULL: the pass begins
  RowIds::State ids;
  std::int64_t rows_done = 0;
  std::int64_t pass = 1;
  std::int64_t batch_rows = 0;
  bool paused = false;
  std::int64_t started_ms = 0;
  std::int64_t updated_ms = 0;
};

namespace journal {

Done create(db::Connection& connection);
Done insert(db::Connection& connection, const Entry& entry);

enum class Hold : std::uint8_t { no, until_the_transaction_ends };
// Nothing also if there is no journal. By the name that dialects give a table.
Result<std::optional<Entry>, Error> find(db::Connection& connection, std::string_view table,
                                         std::string_view column, Hold hold);
Result<std::vector<Entry>, Error> list(db::Connection& connection);

// Where the backfill is; the step and the pause stay as they are.
Done save_cursor(db::Connection& connection, const Entry& entry);
// The same as a part of another statement, which says in SQL how many rows it has done.
struct Saving {
  std::string sql;
  std::vector<db::Value> values;
};
Saving saving(const Entry& entry, std::string_view more_rows);
Done save_step(db::Connection& connection, const Entry& entry, StepName step, std::int64_t now_ms);
Done save_paused(db::Connection& connection, const Entry& entry, bool paused);
// With the canary of its table.
Done remove(db::Connection& connection, const Entry& entry);

// A row of the journal that stands for no migration, with a column of no name. To touch it is what
// the smallest client does; it has to be there.
Done place_canary(db::Connection& connection, std::string_view table);
Done touch_canary(db::Connection& connection, std::string_view table);
Done remove_canary(db::Connection& connection, std::string_view table);

}  // namespace journal
}  // namespace tessera::migrate
