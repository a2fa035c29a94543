// Reads the highest number behind all who write.

#include "tessera/migrate/adopt.h"

#include <algorithm>

#include "migrate/db_error.h"
#include "migrate/dialect.h"
#include "migrate/identifier.h"
#include "tessera/parse_error.h"

namespace tessera::migrate {
namespace {

using Code = Error::Code;
using db::Connection;
using db::Engine;
using std::chrono::milliseconds;
using Number = Result<std::int64_t, Error>;

// The first of an answer; 0 of none, and of NULL.
Number number(Connection& connection, const std::string& sql,
              std::initializer_list<db::Value> parameters = {}) {
  const auto rows = ask(connection, sql, parameters);
  if (!rows) return Failure{rows.error()};
  return rows->empty() ? 0 : number_of(rows->rows[0][0]);
}

Number last_number(Connection& connection, const std::string& sql) {
  const auto answers = connection.batch(sql);
  if (!answers) return Failure{error_of(answers.error(), connection.engine())};
  const db::Rows& last = answers->back();
  return last.empty() ? 0 : number_of(last.rows[0][0]);
}

Number higher(const Number& one, const Number& other) {
  if (!one) return one;
  if (!other) return other;
  return std::max(*one, *other);
}

Number in_postgres(Connection& connection, const std::string& table, const std::string& column,
                   std::string_view column_name) {
  // One statement takes the lock, the next one sees what those before it have committed.
  if (auto done = send(connection,
                       "SET lock_timeout = '100ms'; BEGIN; LOCK TABLE " + table + " IN SHARE MODE");
      !done) {
    return Failure{done.error()};
  }
  auto rows = number(connection, "SELECT max(" + column + ")::bigint FROM " + table);
  const auto sequence =
      ask(connection, "SELECT pg_get_serial_sequence(?, ?)", {table, std::string(column_name)});
  if (!sequence) return Failure{sequence.error()};
  if (db::is_null(sequence->rows[0][0])) return rows;
  return higher(rows,
                number(connection, "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM " +
                                       string_of(sequence->rows[0][0])));
}

Number in_mariadb(Connection& connection, const std::string& table, const std::string& column,
                  std::string_view table_name) {
  if (auto done =
          send(connection,
               "SET SESSION innodb_lock_wait_timeout = 1, SESSION lock_wait_timeout = 1; SET "
               "SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ; BEGIN");
      !done) {
    return Failure{done.error()};
  }
  // Locks the end of the index, with whatever is being inserted there. Not prepared: the client
  // library hangs when a statement of that kind fails behind the head of its answer.
  const auto rows = last_number(connection, "SELECT " + column + " FROM " + table + " ORDER BY " +
                                                column + " DESC LIMIT 1 FOR UPDATE");
  return higher(rows, number(connection,
                             "SELECT auto_increment - 1 FROM information_schema.tables WHERE "
                             "table_schema = database() AND table_name = ?",
                             {std::string(table_name)}));
}

Number in_sqlite(Connection& connection, const std::string& table, const std::string& column,
                 std::string_view table_name) {
  if (auto done = send(connection, "BEGIN IMMEDIATE"); !done) return Failure{done.error()};
  const auto rows = number(connection, "SELECT max(" + column + ") FROM " + table);
  const auto counts =
      number(connection, "SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_sequence'");
  if (!counts || *counts == 0) return higher(rows, counts);
  return higher(rows, number(connection, "SELECT seq FROM sqlite_sequence WHERE name = ?",
                             {std::string(table_name)}));
}

}  // namespace

Number highest_id(Connection& connection, std::string_view table, std::string_view column,
                  milliseconds patience, const std::function<void(milliseconds)>& sleep) {
  const std::size_t dot = table.find('.');
  const bool in_schema = dot != table.npos;
  if (!is_identifier(in_schema ? table.substr(dot + 1) : table) || !is_identifier(column) ||
      (in_schema &&
       (!is_identifier(table.substr(0, dot)) || connection.engine() != Engine::postgres))) {
    return refuse(Code::invalid_request,
                  "no name of a table and its column: " + quoted(table) + ", " + quoted(column));
  }
  const std::string table_sql = quoted_table(connection.engine(), table);
  const std::string column_sql = quoted_name(connection.engine(), column);
  constexpr milliseconds kRest{250};
  connection.set_timeout(std::chrono::seconds(5));
  for (milliseconds spent{0};; spent += kRest) {
    Number highest = 0;
    switch (connection.engine()) {
      case Engine::postgres:
        highest = in_postgres(connection, table_sql, column_sql, column);
        break;
      case Engine::mariadb: highest = in_mariadb(connection, table_sql, column_sql, table); break;
      case Engine::sqlite: highest = in_sqlite(connection, table_sql, column_sql, table); break;
    }
    if (connection.usable()) static_cast<void>(connection.batch("ROLLBACK"));
    if (highest || !may_retry(highest.error().code) || spent >= patience) return highest;
    sleep(kRest);
  }
}

}  // namespace tessera::migrate
