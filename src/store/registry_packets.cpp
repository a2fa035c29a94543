// Creates in MariaDB, which has no statement for all of it: in one packet of several, or with its
// rows in JSON.

#include "db/literals.h"
#include "store/dialect.h"
#include "store/registry_attempts.h"

namespace tessera {

using db::Connection;
using db::DbError;
using db::Value;

namespace {

// An INSERT of all rows, with these for their moment and their parent.
std::string insert_text(const std::string& head, const CreateRequest& request,
                        const std::string& created_ms, const std::string& parent) {
  const std::string tenant = ", " + db::literal_of(std::string(request.tenant)) + ", ";
  const std::string rest = ", " + created_ms + ", " + parent + ")";
  std::string text = head;
  constexpr std::size_t kRowSize = 160;
  text.reserve(text.size() + request.entries.size() * kRowSize);
  bool first = true;
  for (const auto& entry : request.entries) {
    text += first ? "(" : ", (";
    text += std::to_string(entry.key);
    text += tenant;
    text += db::literal_of(value_of(request.type, entry.body));
    text += rest;
    first = false;
  }
  return text;
}

// [[1,"st_01..."],[2,"st_01..."]]: neither a public ID nor hex has what JSON must escape.
std::string pairs_of(const CreateRequest& request) {
  std::string json = "[";
  constexpr std::size_t kPairSize = 64;
  json.reserve(request.entries.size() * kPairSize);
  for (const auto& entry : request.entries) {
    json += json.size() > 1 ? ",[" : "[";
    json += std::to_string(entry.key);
    json += ",";
    const Value value = value_of(request.type, entry.body);
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      json += std::to_string(*number);
    } else if (const auto* bytes = std::get_if<db::Bytes>(&value)) {
      json.append("\"").append(db::hex_of(bytes->bytes)).append("\"");
    } else {
      json.append("\"").append(std::get<std::string>(value)).append("\"");
    }
    json += "]";
  }
  return json + "]";
}

}  // namespace

// With a key: the key, and the row if the key is ours, in one packet. The answer counts
// when that of COMMIT, the last one, has come.
auto SqlRegistryStore::create_by_packet(Connection& connection, const CreateRequest& request)
    -> Attempt<CreateAnswer> {
  const RegisteredType& type = request.type;
  const NewEntry& entry = request.entries[0];
  const std::string tenant(request.tenant);
  const Value key = db::Bytes{std::string(request.idempotency_key)};
  const Value answer = answer_of(request.entries);
  Parameters taking = {
      tenant, key, bytes_of(request.digest), answer, request.store_ms_min, request.store_ms_max};
  add_chain(taking, type, request.tenant, request.ancestors);
  if (type.is_exact()) taking.push_back(bytes_of(type.tombstone_of(tenant, entry.body)));
  Parameters inserting = {entry.key, value_of(type, entry.body)};
  add_chain(inserting, type, request.tenant, request.ancestors);
  for (const Value& value : {Value(tenant), key, answer}) inserting.push_back(value);
  {
    Transaction transaction(connection);
    transaction.is_open();
    const auto answers =
        connection.batch(begin() + ";" + db::filled(sql(type).take_key, taking) + ";" +
                         db::filled(sql(type).insert_taken, inserting) + ";COMMIT");
    // A unique key: the same request again, or the scope was set back. The steps know which.
    const bool unique = !answers && answers.error().kind == DbError::Kind::unique;
    if (!answers && !unique) return stop(answers.error(), At::commit);
    if (answers) {
      transaction.is_closed();
      if (answers->size() == 4 && (*answers)[2].affected == 1) return CreateAnswer{{entry}, false};
    }
  }
  return create_in_steps(connection, request);
}

// A batch in one statement, which is its own transaction: all rows, or none.
auto SqlRegistryStore::create_pairs(Connection& connection, const CreateRequest& request)
    -> Attempt<CreateAnswer> {
  Parameters parameters = {std::string(request.tenant), pairs_of(request), request.store_ms_min,
                           request.store_ms_max};
  add_chain(parameters, request.type, request.tenant, request.ancestors);
  const auto made = connection.query(sql(request.type).create_many, parameters);
  if (!made) return stop(made.error(), At::commit);
  if (made->affected != static_cast<std::int64_t>(request.entries.size())) {
    return Failure{why_not(connection, request)};
  }
  return CreateAnswer{{request.entries.begin(), request.entries.end()}, false};
}

// All rows and the COMMIT in one packet.
auto SqlRegistryStore::insert_in_packet(Connection& connection, Transaction& transaction,
                                        const CreateRequest& request, std::int64_t now_ms,
                                        const Value& parent) -> std::optional<Stop> {
  if (auto erased = look_for_erased(connection, request)) return erased;
  const std::string packet = insert_text(sql(request.type).insert_head, request,
                                         std::to_string(now_ms), db::literal_of(parent));
  const auto made = connection.batch(packet + ";COMMIT");
  if (!made) return Stop{std::nullopt, {made.error(), At::commit}};
  transaction.is_closed();
  return std::nullopt;
}

}  // namespace tessera
