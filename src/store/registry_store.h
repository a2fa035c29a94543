#pragma once

// The registry on a database: one implementation, three dialects.

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "store/key_hints.h"
#include "store/registry_sql.h"
#include "store/transaction.h"
#include "tessera/db/pool.h"
#include "tessera/registry/store.h"

namespace tessera {

class SqlRegistryStore final : public RegistryStore {
 public:
  struct Options {
    std::chrono::milliseconds timeout{5000};
    bool portable_statements = false;  // transactions in steps, also where one statement would do
  };

  // Pool and types must outlive it.
  SqlRegistryStore(db::Pool& pool, RegistryNames names, const RegistryTypes& types,
                   Options options);

  Result<CreateAnswer, Error> create(const CreateRequest& request) override;
  Result<Issued, Error> find(const IssuedId& id) override;
  Result<Issued, Error> retire(const IssuedId& id) override;
  Result<Issued, Error> undelete(const IssuedId& id) override;
  Result<Sweep, Error> sweep(std::size_t count_max) override;
  Result<std::vector<Issued>, Error> list(const ListRequest& request) override;
  Result<Barrier, Error> barrier(const RegisteredType& type) override;
  Result<IssuedPage, Error> issued(const RegisteredType& type, std::int64_t created_ms,
                                   std::int64_t key, std::size_t count_max) override;
  Result<std::vector<IdBody>, Error> erased(const RegisteredType& type, const IdBody& after,
                                            std::size_t count_max) override;
  Result<Barrier, Error> new_epoch(const RegisteredType& type) override;
  Result<RegistryStats, Error> stats(const RegisteredType& type) override;
  Result<std::vector<StoredRow>, Error> rows(const RegisteredType& type, std::int64_t first_key,
                                             std::size_t count_max) override;

 private:
  // Why an attempt came to nothing: our own refusal, or what the database said.
  struct Stop {
    std::optional<Error> refusal;
    Broken broken;
  };
  template <class T>
  using Attempt = Result<T, Stop>;
  using Parameters = std::vector<db::Value>;

  static Failure<Stop> refuse(Error error) { return Failure{Stop{std::move(error), {}}}; }
  static Failure<Stop> stop(const db::DbError& error, At at) {
    return Failure{Stop{std::nullopt, {error, at}}};
  }
  static Failure<Stop> stop(const Broken& broken) { return Failure{Stop{std::nullopt, broken}}; }

  // Works on a connection until it is done, refused, or the time is over. What met others is tried
  // again; `unique_too`: so is what met a unique key.
  template <class T, class Work>
  Result<T, Error> in_attempts(std::chrono::milliseconds timeout, bool unique_too, Work&& work);

  Attempt<CreateAnswer> create_at_once(db::Connection& connection, const CreateRequest& request);
  Attempt<CreateAnswer> create_keyed(db::Connection& connection, const CreateRequest& request);
  Attempt<CreateAnswer> create_many(db::Connection& connection, const CreateRequest& request);
  Attempt<CreateAnswer> create_by_packet(db::Connection& connection, const CreateRequest& request);
  Attempt<CreateAnswer> create_pairs(db::Connection& connection, const CreateRequest& request);
  Attempt<CreateAnswer> create_in_steps(db::Connection& connection, const CreateRequest& request);
  Attempt<db::Rows> begin_at_gate(db::Connection& connection, Transaction& transaction,
                                  const RegisteredType& type);
  Attempt<std::optional<std::vector<db::Value>>> use_key(db::Connection& connection,
                                                         const CreateRequest& request,
                                                         std::int64_t now_ms);
  static Attempt<CreateAnswer> known_answer(const CreateRequest& request, const db::Value& digest,
                                            const db::Value& answer);
  std::optional<Stop> look_for_erased(db::Connection& connection, const CreateRequest& request);
  std::optional<Stop> insert_in_packet(db::Connection& connection, Transaction& transaction,
                                       const CreateRequest& request, std::int64_t now_ms,
                                       const db::Value& parent);
  std::optional<Stop> insert(db::Connection& connection, const CreateRequest& request,
                             std::int64_t now_ms, const db::Value& parent);
  Stop why_not(db::Connection& connection, const CreateRequest& request);

  Attempt<Issued> find_by(db::Connection& connection, const IssuedId& id);
  Attempt<bool> find_at(db::Connection& connection, const IssuedId& id,
                        std::optional<std::int64_t> key, Issued& issued);
  Attempt<std::optional<std::int64_t>> lock_chain(db::Connection& connection,
                                                  const RegisteredType& type,
                                                  std::string_view tenant,
                                                  std::span<const IdBody> ancestors);
  // What stands there already, told as if it had just been done.
  Attempt<Issued> find_confirmed(db::Connection& connection, const IssuedId& id);
  Attempt<bool> mark_retired(db::Connection& connection, const IssuedId& id);
  Attempt<bool> mark_undeleted(db::Connection& connection, const IssuedId& id);
  Attempt<Sweep> sweep_once(db::Connection& connection, std::size_t count_max);
  Attempt<std::size_t> end_children(db::Connection& connection, const RegisteredType& type,
                                    std::int64_t key, std::int64_t deleted_ms,
                                    std::size_t count_max);
  Attempt<Sweep> finish_work(db::Connection& connection, const RegisteredType& type,
                             std::int64_t key, const std::vector<db::Value>& row,
                             std::int64_t now_ms);
  Attempt<bool> drop_stale_keys(db::Connection& connection, std::size_t count_max);
  Attempt<Barrier> barrier_by(db::Connection& connection, const RegisteredType& type);

  const RegistrySql& sql(const RegisteredType& type) const { return sql_[type.number]; }
  const std::string& begin() const noexcept { return begin_; }

  db::Pool& pool_;
  const RegistryNames names_;
  const RegistryTypes& types_;
  const Options options_;
  const std::string begin_;
  std::vector<RegistrySql> sql_;  // by the number of the type
  RegistryWorkSql work_sql_;
  std::optional<KeyHints> hints_;  // not in PostgreSQL, where both ways go through an index
};

// An ID as a column holds it, and back; nothing, if the column holds none.
db::Value value_of(const RegisteredType& type, const IdBody& body);
std::optional<IdBody> body_of(const RegisteredType& type, const db::Value& value);
db::Value bytes_of(const IdBody& body);
std::optional<IdBody> body_of(const db::Value& bytes);  // of 16 bytes

// What is said of a row that cannot be read. A guess could be another's ID.
Error is_damaged(const RegisteredType& type);

}  // namespace tessera
