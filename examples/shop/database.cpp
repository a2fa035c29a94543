// Over libpq.

#include "database.h"

#include <libpq-fe.h>

namespace shop {

Database::Database(std::string url) : url_(std::move(url)), connection_(nullptr, PQfinish) {}

void Database::connect() {
  connection_.reset(PQconnectdb(url_.c_str()));
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    const std::string why = PQerrorMessage(connection_.get());
    connection_.reset();
    throw DatabaseError(why);
  }
}

std::vector<Row> Database::rows(const char* statement, const std::vector<std::string>& parameters) {
  // A server that has gone says so when it is listened to.
  if (connection_ != nullptr && PQconsumeInput(connection_.get()) == 0) connection_.reset();
  if (connection_ == nullptr || PQstatus(connection_.get()) != CONNECTION_OK) connect();

  std::vector<const char*> values;
  for (const std::string& parameter : parameters) values.push_back(parameter.c_str());
  const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
      PQexecParams(connection_.get(), statement, static_cast<int>(values.size()), nullptr,
                   values.data(), nullptr, nullptr, 0),
      PQclear);
  const auto status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    throw DatabaseError(PQerrorMessage(connection_.get()));
  }
  std::vector<Row> rows(static_cast<std::size_t>(PQntuples(result.get())));
  for (int i = 0; i < PQntuples(result.get()); ++i) {
    for (int j = 0; j < PQnfields(result.get()); ++j) {
      auto& row = rows[static_cast<std::size_t>(i)];
      if (PQgetisnull(result.get(), i, j) != 0) {
        row.emplace_back(std::nullopt);
      } else {
        row.emplace_back(PQgetvalue(result.get(), i, j));
      }
    }
  }
  return rows;
}

}  // namespace shop
