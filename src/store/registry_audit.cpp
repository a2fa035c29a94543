// What is there, for those who look after it: counts, and rows as they stand.

#include "store/registry_attempts.h"
#include "store/registry_store.h"

namespace tessera {

using db::Connection;
using db::Value;

namespace {

// Counting goes through all rows.
constexpr std::chrono::milliseconds kStatsTimeout = std::chrono::minutes(2);

std::optional<std::int64_t> number_or_null(const Value& value) {
  if (db::is_null(value)) return std::nullopt;
  return number_of(value);
}

}  // namespace

Result<RegistryStats, Error> SqlRegistryStore::stats(const RegisteredType& type) {
  return in_attempts<RegistryStats>(
      kStatsTimeout, false, [&](Connection& connection) -> Attempt<RegistryStats> {
        const auto rows = connection.query(sql(type).stats);
        if (!rows) return stop(rows.error(), At::reading);
        RegistryStats stats;
        for (const auto& row : rows->rows) {
          const auto count = static_cast<std::uint64_t>(number_of(row[1]));
          switch (number_of(row[0])) {
            case 0: stats.live = count; break;
            case 1: stats.deleted = count; break;
            case 2: stats.ended = count; break;
            case 10: stats.erased = count; break;
            case 11: stats.keys = count; break;
            case 12: stats.work = count; break;
            default: break;  // no state that there is; rows() shows it
          }
        }
        return stats;
      });
}

Result<std::vector<StoredRow>, Error> SqlRegistryStore::rows(const RegisteredType& type,
                                                             std::int64_t first_key,
                                                             std::size_t count_max) {
  using List = std::vector<StoredRow>;
  return in_attempts<List>(options_.timeout, false, [&](Connection& connection) -> Attempt<List> {
    const auto rows =
        connection.query(sql(type).rows, {first_key, static_cast<std::int64_t>(count_max)});
    if (!rows) return stop(rows.error(), At::reading);
    List list;
    list.reserve(rows->rows.size());
    const bool is_number = type.declared.storage == RegistryType::Storage::integer;
    for (const auto& row : rows->rows) {
      StoredRow& stored = list.emplace_back();
      stored.key = number_of(row[0]);
      stored.tenant = tessera::text_of(row[1]);
      if (is_number) {
        stored.number = number_of(row[2]);
      } else {
        stored.id = tessera::text_of(row[2]);
      }
      stored.state = number_of(row[3]);
      stored.created_ms = number_of(row[4]);
      stored.deleted_ms = number_or_null(row[5]);
      stored.parent = number_or_null(row[6]);
    }
    return list;
  });
}

}  // namespace tessera
