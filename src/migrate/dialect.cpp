// Statements and their errors, alike for all dialects.

#include "migrate/dialect.h"

#include "migrate/db_error.h"

namespace tessera::migrate {

Result<db::Rows, Error> ask(db::Connection& connection, std::string_view sql,
                            std::span<const db::Value> parameters) {
  auto rows = connection.query(sql, parameters);
  if (!rows) return Failure{error_of(rows.error(), connection.engine())};
  return *std::move(rows);
}
Result<db::Rows, Error> ask(db::Connection& connection, std::string_view sql,
                            std::initializer_list<db::Value> parameters) {
  return ask(connection, sql, std::span(parameters.begin(), parameters.size()));
}

Done send(db::Connection& connection, std::string_view sql) {
  const auto done = connection.batch(sql);
  if (!done) return Failure{error_of(done.error(), connection.engine())};
  return true;
}

std::vector<Row> rows_of(db::Rows found, const Target& target, const Dialect& dialect) {
  std::vector<Row> rows;
  rows.reserve(found.rows.size());
  for (auto& row : found.rows) {
    Row out;
    out.key = std::move(row[0]);
    if (!target.created_at.empty()) out.time_ms = dialect.time_of(row[1]);
    if (!target.from.empty()) out.text = std::move(row.back());
    rows.push_back(std::move(out));
  }
  return rows;
}

Failure<Error> refuse(Error::Code code, std::string message, std::string hint) {
  return Failure{Error{code, std::move(message), std::move(hint)}};
}

}  // namespace tessera::migrate
