// SQLite, by its C interface.
//
// A row is handed on only after SQLITE_DONE: the row of UPDATE ... RETURNING is there before the
// update is committed.

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <optional>

#include "db/engines.h"
#include "tessera/system.h"

namespace tessera::db {
namespace {

using Kind = DbError::Kind;

Kind kind_of(int extended) noexcept {
  switch (extended & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Kind::conflict;
    case SQLITE_CONSTRAINT:
      return extended == SQLITE_CONSTRAINT_UNIQUE || extended == SQLITE_CONSTRAINT_PRIMARYKEY ||
                     extended == SQLITE_CONSTRAINT_ROWID
                 ? Kind::unique
                 : Kind::check;
    case SQLITE_FULL:
    case SQLITE_READONLY: return Kind::full;
    case SQLITE_AUTH:
    case SQLITE_PERM: return Kind::denied;
    case SQLITE_CANTOPEN: return Kind::unavailable;
    case SQLITE_IOERR:  // a commit may have reached the disk, or not
    case SQLITE_INTERRUPT: return Kind::outcome_unknown;
    default: return Kind::failed;
  }
}

struct Finalize {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

// Resets on the way out, so that no lock outlives the call. What was bound stays, and is not looked
// at again: the next call binds every parameter anew.
class Reset {
 public:
  explicit Reset(sqlite3_stmt* statement) noexcept : statement_(statement) {}
  Reset(const Reset&) = delete;
  Reset& operator=(const Reset&) = delete;
  ~Reset() { sqlite3_reset(statement_); }

 private:
  sqlite3_stmt* statement_;
};

class SqliteConnection final : public Connection {
 public:
  explicit SqliteConnection(sqlite3* database)
      : database_(database), fork_generation_(fork_generation()) {
    constexpr int kInstructions = 10'000;  // about a tenth of a millisecond
    sqlite3_extended_result_codes(database_, 1);
    sqlite3_progress_handler(database_, kInstructions, &SqliteConnection::is_over, this);
  }
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;
  ~SqliteConnection() override {
    if (is_forked()) {  // closing would reach into files that the parent works with
      for (auto& [sql, statement] : statements_) static_cast<void>(statement.release());
      return;
    }
    statements_.clear();
    sqlite3_close(database_);
  }

  Engine engine() const noexcept override { return Engine::sqlite; }
  std::string server_version() override { return sqlite3_libversion(); }
  bool usable() const noexcept override { return !is_forked() && !broken_; }

  void set_timeout(std::chrono::milliseconds timeout) override {
    timeout = std::max(timeout, std::chrono::milliseconds(1));
    if (timeout == timeout_) return;
    timeout_ = timeout;
    sqlite3_busy_timeout(database_,
                         static_cast<int>(std::min<std::int64_t>(timeout_.count(), 1'000'000'000)));
  }

  Result<Rows, DbError> query(std::string_view sql, std::span<const Value> parameters) override {
    const auto statement = statement_of(sql, parameters.size());
    if (!statement) return Failure{statement.error()};
    const Reset reset(*statement);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      bind(*statement, static_cast<int>(i) + 1, parameters[i]);
    }
    return run(*statement);
  }

  Result<std::span<const Value>, DbError> first(std::string_view sql,
                                                std::span<const View> parameters) override {
    const auto prepared = statement_of(sql, parameters.size());
    if (!prepared) return Failure{prepared.error()};
    sqlite3_stmt* const statement = *prepared;
    if (sqlite3_stmt_readonly(statement) == 0) return fail(Kind::failed, "it does not only read");
    const Reset reset(statement);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      bind(statement, static_cast<int>(i) + 1, parameters[i]);
    }
    const int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) return std::span<const Value>();
    if (code != SQLITE_ROW) return failure();
    const auto columns = static_cast<std::size_t>(sqlite3_column_count(statement));
    first_row_.resize(columns);
    for (std::size_t i = 0; i < columns; ++i) {
      first_row_[i] = column(statement, static_cast<int>(i));
    }
    return std::span<const Value>(first_row_);
  }

  Result<std::vector<Rows>, DbError> batch(std::string_view sql) override {
    if (is_forked()) return forked();
    deadline_.reset();
    std::vector<Rows> answers;
    while (!sql.empty()) {
      auto statement = prepare(sql);
      if (!statement) return Failure{statement.error()};
      if (!*statement) break;  // only blanks and comments were left
      auto rows = run(statement->get());
      if (!rows) return Failure{rows.error()};
      answers.push_back(std::move(*rows));
    }
    return answers;
  }

 private:
  bool is_forked() const noexcept { return fork_generation() != fork_generation_; }

  // Time is counted from the first call, a tenth of a millisecond after the statement began: most
  // statements are done by then, and need no clock.
  static int is_over(void* self) noexcept {
    auto& connection = *static_cast<SqliteConnection*>(self);
    const auto now = Clock::now();
    if (!connection.deadline_) connection.deadline_ = now + connection.timeout_;
    return now > *connection.deadline_ ? 1 : 0;
  }

  Failure<DbError> failure() {
    const int code = sqlite3_extended_errcode(database_);
    // A damaged file, or one that was replaced under us.
    const int primary = code & 0xFF;
    if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_IOERR) {
      broken_ = true;
    }
    const std::string message = sqlite3_errmsg(database_);
    const bool missing = primary == SQLITE_ERROR && (message.starts_with("no such table") ||
                                                     message.starts_with("no such column"));
    return fail(missing ? Kind::missing : kind_of(code), clean_message(message, ""),
                std::to_string(code), code);
  }

  // The one statement that `sql` is, ready for so many parameters.
  Result<sqlite3_stmt*, DbError> statement_of(std::string_view sql, std::size_t parameters) {
    if (is_forked()) return forked();
    deadline_.reset();
    // The same statement again is found without a hash of its text.
    auto found = last_ != statements_.end() && last_->first == sql ? last_ : statements_.find(sql);
    if (found == statements_.end()) {
      constexpr std::size_t kStatementsMax = 128;
      if (statements_.size() >= kStatementsMax) statements_.clear();
      last_ = statements_.end();  // also what was added may move the others
      std::string_view rest = sql;
      auto prepared = prepare(rest);
      if (!prepared) return Failure{prepared.error()};
      if (!*prepared || rest.find_first_not_of(" \n\t;") != std::string_view::npos) {
        return fail(Kind::failed, "a query is one statement");
      }
      found = statements_.emplace(std::string(sql), std::move(*prepared)).first;
    }
    last_ = found;
    sqlite3_stmt* const statement = found->second.get();
    if (sqlite3_bind_parameter_count(statement) != static_cast<int>(parameters)) {
      return fail(Kind::failed, "a parameter too many or too few");
    }
    return statement;
  }

  // The first statement of `sql`, which then begins behind it. None, if there is only a comment.
  Result<Statement, DbError> prepare(std::string_view& sql) {
    sqlite3_stmt* statement = nullptr;
    const char* rest = nullptr;
    const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, &rest);
    if (code != SQLITE_OK) return failure();
    sql.remove_prefix(static_cast<std::size_t>(rest - sql.data()));
    return Statement(statement);
  }

  // What is empty is nowhere or somewhere, and no NULL.
  static const char* there(std::string_view text) noexcept {
    return text.data() != nullptr ? text.data() : "";
  }

  // A Value or a View: both have NULL, a number, text, bytes.
  template <class Parameter>
  static void bind(sqlite3_stmt* statement, int index, const Parameter& value) {
    if (const auto* number = std::get_if<1>(&value)) {
      sqlite3_bind_int64(statement, index, *number);
    } else if (const auto* text = std::get_if<2>(&value)) {
      sqlite3_bind_text64(statement, index, there(*text), text->size(), SQLITE_STATIC, SQLITE_UTF8);
    } else if (const auto* blob = std::get_if<3>(&value)) {
      const std::string_view bytes = blob->bytes;
      sqlite3_bind_blob64(statement, index, there(bytes), bytes.size(), SQLITE_STATIC);
    } else {
      sqlite3_bind_null(statement, index);
    }
  }

  static Value column(sqlite3_stmt* statement, int index) {
    switch (sqlite3_column_type(statement, index)) {
      case SQLITE_NULL: return std::monostate{};
      case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, index)};
      case SQLITE_BLOB: {
        const auto* data = static_cast<const char*>(sqlite3_column_blob(statement, index));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, index));
        return Bytes{size == 0 ? std::string() : std::string(data, size)};
      }
      default: {
        const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement, index));
        return std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(statement, index)));
      }
    }
  }

  Result<Rows, DbError> run(sqlite3_stmt* statement) {
    Rows rows;
    const int columns = sqlite3_column_count(statement);
    while (true) {
      const int code = sqlite3_step(statement);
      if (code == SQLITE_DONE) break;
      if (code != SQLITE_ROW) return failure();
      auto& row = rows.rows.emplace_back();
      row.reserve(static_cast<std::size_t>(columns));
      for (int i = 0; i < columns; ++i) row.push_back(column(statement, i));
    }
    rows.affected = sqlite3_stmt_readonly(statement) != 0 ? 0 : sqlite3_changes64(database_);
    return rows;
  }

  sqlite3* database_;
  std::uint32_t fork_generation_;
  bool broken_ = false;
  std::chrono::milliseconds timeout_{0};  // none is set yet
  std::optional<Clock::time_point> deadline_;
  Statements<Statement> statements_;
  Statements<Statement>::iterator last_ = statements_.end();
};

// Only words that are in the list become part of a statement.
template <std::size_t N>
std::optional<std::string_view> one_of(const std::array<std::string_view, N>& words,
                                       std::string_view word) {
  const auto* found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return *found;
}

}  // namespace

Opened open_sqlite(const Url& url, const ConnectOptions& options) {
  // Room for the upper levels of trees with tens of millions of rows; two megabytes, the default,
  // hold those of one million. Taken as pages are read.
  constexpr int kCacheKib = 16 * 1024;
  constexpr std::array<std::string_view, 6> kJournals = {"wal",     "delete", "truncate",
                                                         "persist", "memory", "off"};
  constexpr std::array<std::string_view, 4> kSynchronous = {"off", "normal", "full", "extra"};
  const auto journal = one_of(kJournals, url.option("journal").value_or("wal"));
  if (!journal) return fail(Kind::failed, "no such journal; there are wal and delete");
  // A rollback journal must be gone from its folder, durably, before a commit counts: EXTRA.
  const auto synchronous = one_of(
      kSynchronous, url.option("synchronous").value_or(*journal == "wal" ? "full" : "extra"));
  if (!synchronous) return fail(Kind::failed, "no such synchronous; there are full and extra");

  sqlite3* database = nullptr;
  const int access = options.read_only ? SQLITE_OPEN_READONLY
                     : options.create  ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                       : SQLITE_OPEN_READWRITE;
  const int flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  const int code = sqlite3_open_v2(url.path.c_str(), &database, flags, nullptr);
  if (database == nullptr) return fail(Kind::unavailable, "no memory");
  auto connection = std::make_unique<SqliteConnection>(database);
  if (code != SQLITE_OK) {
    return fail(code == SQLITE_CANTOPEN ? Kind::unavailable : kind_of(code),
                "could not open the file: " + clean_message(sqlite3_errmsg(database), ""),
                std::to_string(code), code);
  }
  connection->set_timeout(options.timeout);
  if (options.read_only) return std::unique_ptr<Connection>(std::move(connection));
  // journal_mode does not change while others hold locks; it says what it is then.
  for (const std::string& pragma :
       {"PRAGMA journal_mode=" + std::string(*journal),
        "PRAGMA synchronous=" + std::string(*synchronous), std::string("PRAGMA foreign_keys=on"),
        std::string("PRAGMA fullfsync=on"), std::string("PRAGMA checkpoint_fullfsync=on"),
        "PRAGMA cache_size=-" + std::to_string(kCacheKib)}) {
    const auto answers = connection->batch(pragma);
    if (!answers) {
      auto error = answers.error();
      if (error.kind == Kind::outcome_unknown) error.kind = Kind::unavailable;
      return Failure{error};
    }
  }
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace tessera::db
