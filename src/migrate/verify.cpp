// Counts what must not be, and reads a sample.

#include "migrate/verify.h"

#include <algorithm>

#include "migrate/db_error.h"
#include "tessera/public_id.h"
#include "tessera/uuid.h"

namespace tessera::migrate {
namespace {

struct Sample {
  std::int64_t rows = 0;
  std::int64_t unreadable = 0;
  std::int64_t wrong_time = 0;
  std::int64_t other = 0;  // than the text
};

std::optional<Bytes16> body_of(const Target& target, const db::Value& value) {
  if (target.form == Form::text) {
    const auto body = public_id::parse_typed(string_of(value), target.type.prefix,
                                             target.type.style, target.type.separator);
    if (!body) return std::nullopt;
    // Good and canonical: written again it is the same.
    const auto text =
        public_id::write(target.type.prefix, *body, target.type.style, target.type.separator);
    if (text.view() != string_of(value)) return std::nullopt;
    return *body;
  }
  if (const auto* bytes = std::get_if<db::Bytes>(&value)) {
    Bytes16 body{};
    if (bytes->bytes.size() != body.size()) return std::nullopt;
    std::ranges::copy(bytes->bytes, body.begin());
    return body;
  }
  const auto uuid = Uuid::parse(string_of(value));
  if (!uuid) return std::nullopt;
  return uuid->bytes;
}

// What the column has that the IDs were read from.
Target text_target(Target target) {
  target.form = Form::text;
  return target;
}

// A UUIDv7 has a version and a variant; a ULID has any bits.
bool is_body(const Target& target, const Bytes16& body) noexcept {
  const bool ulid =
      target.type.style == PublicStyle::ulid || target.type.style == PublicStyle::checked;
  return ulid || (body[6] >> 4 == 7 && body[8] >> 6 == 2);
}

void look_at(const Target& target, const Dialect& dialect, const std::vector<db::Value>& row,
             Sample& sample) {
  if (db::is_null(row[0])) return;  // counted elsewhere
  ++sample.rows;
  const auto body = body_of(target, row[0]);
  if (!body || !is_body(target, *body)) {
    ++sample.unreadable;
    return;
  }
  if (!target.from.empty() && body_of(text_target(target), row[2]) != body) ++sample.other;
  const auto created = dialect.time_of(row[1]);
  if (!created || *created < 0) return;
  // More rows of one millisecond than its count holds lead into the next ones.
  constexpr std::uint64_t kLeadMax = 60'000;
  const std::uint64_t time = detail::load_pair(*body).hi >> 16;
  const auto from = static_cast<std::uint64_t>(*created);
  if (time < from || time > from + kLeadMax) ++sample.wrong_time;
}

}  // namespace

bool Report::good() const noexcept {
  return std::ranges::all_of(checks, [](const Check& check) { return check.good; });
}

Result<Report, Error> verify_table(db::Connection& connection, Dialect& dialect,
                                   const Target& target, std::int64_t sample) {
  connection.set_timeout(std::chrono::hours(24));
  const std::string column = dialect.name_sql(target.column);
  const std::string table = dialect.table_sql();
  const auto counted =
      ask(connection, "SELECT count(*), sum(CASE WHEN " + dialect.missing_sql() +
                          " THEN 1 ELSE 0 END), sum(CASE WHEN " + dialect.wrong_form_sql() +
                          " THEN 1 ELSE 0 END) FROM " + table);
  if (!counted) return Failure{counted.error()};
  const auto repeated = ask(connection, "SELECT count(*) FROM (SELECT 1 FROM " + table +
                                            " WHERE NOT (" + dialect.missing_sql() + ") GROUP BY " +
                                            column + " HAVING count(*) > 1) AS r");
  if (!repeated) return Failure{repeated.error()};
  const auto index = dialect.has_index(connection);
  if (!index) return Failure{index.error()};

  Report report;
  report.rows = number_of(counted->rows[0][0]);
  const auto add = [&](std::string name, std::int64_t count, std::string meaning) {
    report.checks.push_back({std::move(name), count, count == 0, std::move(meaning)});
  };
  add("missing", number_of(counted->rows[0][1]), "rows without an ID");
  add("repeated", number_of(repeated->rows[0][0]), "IDs that several rows have");
  // Also NULL is not of the form; it has been counted.
  add("form", number_of(counted->rows[0][2]), "IDs of another prefix or form");
  add("index", *index ? 0 : 1, "the unique index is missing or invalid");
  if (!target.tenant_column.empty()) {
    const auto alone = ask(connection, "SELECT count(*) FROM " + table + " WHERE " +
                                           dialect.name_sql(target.tenant_column) + " IS NULL");
    if (!alone) return Failure{alone.error()};
    add("tenant", number_of(alone->rows[0][0]),
        "rows without a tenant, which the index does not keep apart");
  }

  Sample seen;
  const std::string from = target.from.empty() ? "NULL" : dialect.name_sql(target.from);
  for (const std::string_view order : {"ASC", "DESC"}) {
    const std::string sql = "SELECT " + column + ", " + dialect.time_sql() + ", " + from +
                            " FROM " + table + " ORDER BY " + dialect.name_sql(target.key) + " " +
                            std::string(order) + " LIMIT ?";
    const auto rows = ask(connection, sql, {std::max<std::int64_t>(sample / 2, 1)});
    if (!rows) return Failure{rows.error()};
    for (const auto& row : rows->rows) look_at(target, dialect, row, seen);
  }
  report.sampled = std::min(seen.rows, report.rows);
  add("unreadable", seen.unreadable, "IDs that the library refuses");
  if (!target.from.empty()) add("other", seen.other, "IDs that differ from their text");
  if (!target.created_at.empty())
    add("time", seen.wrong_time, "IDs of another time than their row's");
  return report;
}

}  // namespace tessera::migrate
