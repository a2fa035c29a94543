// The run: steps on a database that may be away, locked or slow.

#include "tessera/migrate/migration.h"

#include <algorithm>
#include <array>
#include <future>

#include "migrate/canary.h"
#include "migrate/db_error.h"
#include "migrate/dialect.h"
#include "migrate/journal.h"
#include "migrate/row_ids.h"
#include "migrate/stretch.h"
#include "migrate/transaction.h"
#include "migrate/verify.h"
#include "tessera/parse_error.h"
#include "tessera/public_id.h"

namespace tessera::migrate {
namespace {

using Code = Error::Code;
using std::chrono::microseconds;
using std::chrono::milliseconds;

Result<std::unique_ptr<Dialect>, Error> dialect_for(db::Engine engine, const Target& target) {
  if (const auto checked = check_target(target); !checked) return Failure{checked.error()};
  switch (engine) {
    case db::Engine::postgres: return postgres_dialect(target);
    case db::Engine::sqlite: return sqlite_dialect(target);
    case db::Engine::mariadb: return mariadb_dialect(target);
  }
  return refuse(Code::invalid_request, "this database cannot be migrated");
}

Result<std::unique_ptr<db::Connection>, Error> connected(const Connect& connect,
                                                         const Dialect& dialect) {
  auto made = connect();
  if (!made) return refuse(Code::store_unavailable, made.error().message);
  if (auto done = dialect.prepare(**made); !done) return Failure{done.error()};
  return *std::move(made);
}

enum class Batch : std::uint8_t { some, paused, next_pass, finished };

class Runner final : public Work {
 public:
  Runner(const Connect& connect, const Target& target, const RunOptions& options,
         const World& world)
      : connect_(connect),
        target_(target),
        options_(options),
        world_(world),
        pace_(options.pace),
        ids_(target.type.style, world.clock, world.entropy) {}

  // A connection that has looked at the table and keeps other runs out.
  Done ready() {
    if (connection_ && connection_->usable()) return true;
    canary_.reset();  // threads read what is found out anew below
    canary_connection_.reset();
    ahead_.reset();
    tidying_ = {};
    is_entry_known_ = false;
    stretch_ = {};  // if the server has crashed, it may know less of it than we do
    connection_.reset();
    auto made = connect_();
    if (!made) {
      return refuse(made.error().kind == db::DbError::Kind::denied ? Code::store_failed
                                                                   : Code::store_unavailable,
                    made.error().message, "Look whether the server is up, and at the URL.");
    }
    if (!dialect_) {
      auto dialect = dialect_for((*made)->engine(), target_);
      if (!dialect) return Failure{dialect.error()};
      dialect_ = *std::move(dialect);
    }
    if (auto done = dialect_->prepare(**made); !done) return done;
    auto facts = dialect_->look(**made);
    if (!facts) return Failure{facts.error()};
    facts_ = *std::move(facts);
    auto locked = dialect_->lock(**made);
    if (!locked) return locked;
    if (!*locked) {
      world_.observer.rests("another run");
      return refuse(Code::store_unavailable, "another run migrates " + quoted(target_.table),
                    "Wait for its end, or end it; then run again.");
    }
    connection_ = *std::move(made);
    return true;
  }

  Result<StepName, Error> recorded() override {
    if (auto done = ready(); !done) return Failure{done.error()};
    if (auto done = journal::create(*connection_); !done) return Failure{done.error()};
    auto entry = journal::find(*connection_, facts_.name, target_.column, journal::Hold::no);
    if (!entry) return Failure{entry.error()};
    if (*entry) {
      if ((*entry)->target != text_of(target_)) {
        return refuse(Code::already_exists, "this table is being migrated with other flags",
                      "tessera migrate status shows them; give the same, or abort first.");
      }
      entry_ = **std::move(entry);
      return entry_.step;
    }
    if (!facts_.column_type.empty()) {
      return refuse(
          Code::already_exists,
          "the column " + quoted(target_.column) + " is there, and no migration has made it",
          "Choose another with --column.");
    }
    entry_ = Entry{};
    entry_.table = facts_.name;
    entry_.column = target_.column;
    entry_.target = text_of(target_);
    entry_.started_ms = now_ms();
    entry_.updated_ms = entry_.started_ms;
    entry_.batch_rows = pace_.batch_rows();
    if (auto done = journal::insert(*connection_, entry_); !done) return Failure{done.error()};
    return entry_.step;
  }

  Done perform(const Step& step) override {
    world_.observer.step_begins(step.name);
    if (step.name == StepName::backfill) return backfill();
    if (auto done = ready(); !done) return done;
    if (step.name != StepName::verify) return dialect_->perform(*connection_, step);
    auto report = verify_table(*connection_, *dialect_, target_, options_.sample);
    if (!report) return Failure{report.error()};
    report_ = *std::move(report);
    for (const Check& check : report_->checks) {
      if (check.good) continue;
      return refuse(Code::store_failed, std::to_string(check.count) + " " + check.meaning,
                    "tessera migrate verify shows all that is wrong.");
    }
    return true;
  }

  Done record(StepName next) override {
    if (auto done = ready(); !done) return done;
    return journal::save_step(*connection_, entry_, next, now_ms());
  }

  void rest(milliseconds time) override { world_.sleep(time); }

  const std::vector<Step>& steps() {
    steps_ = dialect_->steps();
    return steps_;
  }
  Result<Report, Error> report() {
    if (report_) return *report_;
    if (auto done = ready(); !done) return Failure{done.error()};
    return verify_table(*connection_, *dialect_, target_, options_.sample);
  }

 private:
  std::int64_t now_ms() { return static_cast<std::int64_t>(world_.clock.now_ms()); }

  // Errors that may pass are waited for; patience begins anew with each batch that is done.
  Done backfill() {
    auto done = backfill_all();
    canary_.reset();
    canary_connection_.reset();
    if (done && probes()) return journal::remove_canary(*connection_, facts_.name);
    return done;
  }
  Done backfill_all() {
    milliseconds pause{0};
    milliseconds spent{0};
    while (true) {
      auto batch = one_batch();
      if (!batch) {
        if (!may_retry(batch.error().code) || spent >= options_.patience)
          return Failure{batch.error()};
        pause = std::clamp(pause * 2, milliseconds(50), milliseconds(2000));
        spent += pause;
        world_.observer.rests("an error that may pass");
        world_.sleep(pause);
        continue;
      }
      if (*batch == Batch::finished) return true;
      if (*batch == Batch::some) {
        pause = spent = milliseconds(0);
        continue;
      }
      // Rows that somebody has locked, for as long as he likes; or a pause.
      world_.observer.rests(*batch == Batch::paused ? "paused" : "rows that are locked");
      pause = std::clamp(pause * 2, milliseconds(100), milliseconds(1000));
      world_.sleep(pause);
    }
  }

  bool probes() const { return !options_.pace.fast && dialect_->writes_beside_others(); }
  Done start_canary(milliseconds pause) {
    if (auto done = journal::place_canary(*connection_, facts_.name); !done) return done;
    canary_.emplace([this] { return touch(); }, world_.monotonic, pause);
    return true;
  }
  // What clients feel while nothing but them is at work: how long sixty tiny commits take. With
  // pauses, as clients make them: one right behind the other finds all at hand and is quicker.
  Done get_used_to() {
    if (used_to_ && probes() && !canary_) return start_canary(kProbePause);
    if (used_to_) return true;
    if (probes()) {
      constexpr std::size_t kCount = 60;
      constexpr milliseconds kPatience{10'000};
      if (auto done = start_canary(kListenPause); !done) return done;
      std::size_t count = 0;
      for (milliseconds spent{0}; count < kCount && spent < kPatience && canary_->alive();
           spent += kProbePause) {
        world_.sleep(kProbePause);
        const auto taken = canary_->taken();
        count += taken.size();
        usual_.add(taken);
      }
      canary_->set_pause(kProbePause);
    }
    pace_.begin(facts_.rows, usual_.get());
    listened_at_ = world_.monotonic.now();
    used_to_ = true;
    return true;
  }
  // Others may have made the server slower since, or have stopped: so now and then all is still for
  // a moment, more often if rests are long, since others may be to blame.
  void listen() {
    for (const microseconds took : canary_->taken()) pace_.probed(took);
    const auto wait = pace_.is_strained() ? kListenEvery : kListenSeldom;
    if (world_.monotonic.now() < listened_at_ + wait) return;
    canary_->set_pause(kListenPause);
    world_.sleep(kListen);
    usual_.add(canary_->taken());
    pace_.used_to(usual_.get());
    canary_->set_pause(kProbePause);
    listened_at_ = world_.monotonic.now();
  }
  // By the thread of the canary.
  bool touch() {
    if (!canary_connection_) {
      auto made = connected(connect_, *dialect_);
      if (!made) return false;
      canary_connection_ = *std::move(made);
    }
    return static_cast<bool>(journal::touch_canary(*canary_connection_, facts_.name));
  }

  Result<Batch, Error> one_batch() {
    if (auto done = ready(); !done) return Failure{done.error()};
    if (auto done = get_used_to(); !done) return Failure{done.error()};
    if (auto done = let_others_pass(); !done) return Failure{done.error()};
    auto at_once = batch_at_once();
    if (!at_once) return Failure{at_once.error()};
    if (*at_once) return **at_once;
    Transaction transaction(*connection_);
    if (auto done = transaction.begin(dialect_->begin()); !done) return Failure{done.error()};
    auto entry = journal::find(*connection_, facts_.name, target_.column,
                               journal::Hold::until_the_transaction_ends);
    if (!entry) return Failure{entry.error()};
    if (!*entry)
      return refuse(Code::not_found, "the migration is no longer on record: it was aborted");
    const std::int64_t rows_done = entry_.rows_done;  // some may not have been saved
    entry_ = **std::move(entry);
    entry_.rows_done = std::max(entry_.rows_done, rows_done);
    if (entry_.paused) return Batch::paused;
    if (stretch_.filled()) {
      const auto more = begin_stretch();
      if (!more) return Failure{more.error()};
      if (!*more) return end_of_pass(transaction);
    }
    const Stretch::Part part = next_part();
    // In hope first. What is left for a second pass was locked, or cannot be changed at all.
    const bool careful = careful_ || entry_.pass > 1;
    const auto start = world_.monotonic.now();
    const auto filled = dialect_->fill(*connection_, part.rows, part.ids,
                                       careful ? Dialect::Care::yes : Dialect::Care::no);
    careful_ = !filled;
    if (!filled) return Failure{filled.error()};
    const auto waiting = since(start) > PaceLimits::kUnnoticed ? dialect_->waiting(*connection_)
                                                               : Result<std::int64_t, Error>(0);
    if (!waiting) return Failure{waiting.error()};
    entry_ = entry_behind(part);
    entry_.rows_done += *filled;
    if (auto done = journal::save_cursor(*connection_, entry_); !done) return Failure{done.error()};
    if (auto done = transaction.commit(); !done) return Failure{done.error()};
    is_entry_known_ = true;
    batch_done(part, *filled, since(start), *waiting);
    return Batch::some;
  }

  microseconds since(std::chrono::nanoseconds start) {
    return std::chrono::duration_cast<microseconds>(world_.monotonic.now() - start);
  }

  // What is on record when the part is done, but for how many rows it has filled. After a kill the
  // stretch is read again, and what has no ID by then gets a new one.
  Entry entry_behind(const Stretch::Part& part) {
    Entry entry = entry_;
    if (part.is_last) entry.last_key = stretch_.last_key();
    entry.ids = ids_.state();
    entry.batch_rows = static_cast<std::int64_t>(part.rows.size());
    entry.updated_ms = now_ms();
    return entry;
  }

  void batch_done(const Stretch::Part& part, std::int64_t filled, microseconds took,
                  std::int64_t waiting) {
    stretch_.take(part);
    pace_.batch_done(entry_.batch_rows, took, waiting);
    world_.observer.rows_done(entry_.rows_done, facts_.rows);
    untidy_rows_ += filled;
    if (stretch_.filled()) tidy_now_and_then();
  }

  // The same as a single statement, where that can be: what is on record is as this run left it,
  // and batches are too short for anybody to wait. None: nothing was done, and it has to be looked
  // at again.
  Result<std::optional<Batch>, Error> batch_at_once() {
    const bool can = dialect_->fills_at_once() && !options_.pace.fast && is_entry_known_ &&
                     !careful_ && entry_.pass == 1;
    is_entry_known_ = false;
    if (!can) return std::optional<Batch>();
    if (stretch_.filled()) {
      auto more = begin_stretch();
      if (!more) return Failure{more.error()};
      if (!*more) return std::optional<Batch>();
    }
    const Stretch::Part part = next_part();
    Entry entry = entry_behind(part);
    const auto start = world_.monotonic.now();
    const bool saves = part.is_last || start >= save_at_;
    const auto filled =
        dialect_->fill_at_once(*connection_, part.rows, part.ids, entry,
                               saves ? Dialect::Save::now : Dialect::Save::now_or_later);
    careful_ = !filled || !*filled;
    if (!filled) return Failure{filled.error()};
    if (!*filled) return std::optional<Batch>();
    if (saves) save_at_ = start + kSaveEvery;
    entry.rows_done += **filled;
    entry_ = std::move(entry);
    is_entry_known_ = true;
    batch_done(part, **filled, since(start), 0);
    return std::optional(Batch::some);
  }

  Stretch::Part next_part() const {
    return stretch_.next(static_cast<std::size_t>(pace_.batch_rows()));
  }
  // False: there are no more rows.
  Done begin_stretch() {
    auto rows = next_stretch();
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return false;
    auto values = ids_for(*rows);
    if (!values) return Failure{values.error()};
    stretch_ = Stretch(*std::move(rows), *std::move(values), dialect_->shape());
    read_ahead();
    return true;
  }
  std::int64_t stretch_rows() const {
    constexpr std::int64_t kRowsMin = 1000;  // batches may be so small that reading each would cost
    const std::int64_t rows = Stretch::rows_for(pace_.batch_rows(), dialect_->shape());
    return dialect_->reads_ahead() ? std::max(rows, kRowsMin) : rows;
  }
  Result<std::vector<Row>, Error> next_stretch() {
    if (ahead_ && ahead_->after == entry_.last_key) {
      auto rows = ahead_->rows.get();
      ahead_.reset();
      if (rows && !rows->empty()) return rows;
    }
    ahead_.reset();
    return dialect_->next_rows(*connection_, entry_.last_key, stretch_rows());
  }
  // The next rows come by a connection of their own, while these get their IDs. Whatever goes wrong
  // there, they can be read again.
  void read_ahead() {
    if (!dialect_->reads_ahead()) return;
    ahead_.emplace();
    ahead_->after = stretch_.last_key();
    ahead_->rows = std::async(std::launch::async,
                              [this, after = stretch_.last_key(),
                               limit = stretch_rows()]() -> Result<std::vector<Row>, Error> {
                                if (!reader_ || !reader_->usable()) {
                                  auto made = connect_();
                                  if (!made)
                                    return refuse(Code::store_unavailable, made.error().message);
                                  if (auto done = dialect_->prepare(**made); !done)
                                    return Failure{done.error()};
                                  reader_ = *std::move(made);
                                }
                                return dialect_->next_rows(*reader_, after, limit);
                              });
  }

  Result<std::vector<db::Value>, Error> ids_for(const std::vector<Row>& rows) {
    ids_.set_state(entry_.ids);  // a batch that was undone has used some up, which is no matter
    std::vector<db::Value> values;
    values.reserve(rows.size());
    for (const Row& row : rows) {
      if (!target_.from.empty()) {
        auto read = bytes_of_text(row);
        if (!read) return Failure{read.error()};
        values.push_back(*std::move(read));
        continue;
      }
      const auto body = ids_.next(row.time_ms);
      if (!body)
        return refuse(Code::store_failed,
                      "no ID could be made: " + std::string(describe(body.error())));
      values.push_back(column_value(target_, *body));
    }
    return values;
  }

  Result<db::Value, Error> bytes_of_text(const Row& row) const {
    const std::string text = string_of(row.text);
    const auto body = public_id::parse_typed(text, target_.type.prefix, target_.type.style,
                                             target_.type.separator);
    if (body) return column_value(target_, *body);
    return refuse(Code::store_failed,
                  "the row " + quoted(string_of(row.key)) + " has no ID of the type in " +
                      quoted(target_.from) + ": " + (text.empty() ? "none" : quoted(text)),
                  "Mend the row; run goes on with it.");
  }

  Result<Batch, Error> end_of_pass(Transaction& transaction) {
    entry_.updated_ms = now_ms();
    const auto left = dialect_->rows_are_left(*connection_);
    if (!left) return Failure{left.error()};
    if (*left) {
      entry_.last_key = std::monostate{};
      ++entry_.pass;
    }
    if (auto done = journal::save_cursor(*connection_, entry_); !done) return Failure{done.error()};
    if (auto done = transaction.commit(); !done) return Failure{done.error()};
    if (*left) return Batch::next_pass;
    if (untidy_rows_ == 0) return Batch::finished;
    tidying_ = {};
    const auto hurry = options_.pace.fast ? Dialect::Hurry::yes : Dialect::Hurry::no;
    if (auto done = dialect_->tidy(*connection_, Dialect::Tidy::all, hurry); !done)
      return Failure{done.error()};
    untidy_rows_ = 0;
    return Batch::finished;
  }

  // Once for each eighth of the table, so that later rows go where earlier ones were. If it fails
  // there is a next time. By another thread only if there is a hurry: two that work at once leave
  // clients no processor, which they feel more than anything else.
  void tidy_now_and_then() {
    constexpr std::int64_t kRowsMin = 50'000;  // less is not worth the while
    if (untidy_rows_ - tidied_rows_ < std::max(facts_.rows / 8, kRowsMin)) return;
    if (is_tidying()) return;
    tidied_rows_ = untidy_rows_;
    if (!options_.pace.fast) {
      static_cast<void>(dialect_->tidy(*connection_, Dialect::Tidy::room, Dialect::Hurry::no));
      return;
    }
    tidying_ = std::async(std::launch::async, [this]() -> Done {
      auto connection = connected(connect_, *dialect_);
      if (!connection) return Failure{connection.error()};
      return dialect_->tidy(**connection, Dialect::Tidy::room, Dialect::Hurry::yes);
    });
  }
  bool is_tidying() const {
    return tidying_.valid() && tidying_.wait_for(milliseconds(0)) != std::future_status::ready;
  }

  Done let_others_pass() {
    if (canary_) listen();
    constexpr milliseconds kAskAgain{250};
    while (true) {
      if (world_.monotonic.now() >= ask_again_) {
        const auto signals = dialect_->signals(*connection_);
        if (!signals) return Failure{signals.error()};
        signals_ = *signals;
        ask_again_ = world_.monotonic.now() + kAskAgain;
      }
      const Rest rest = pace_.rest(signals_);
      if (rest.time.count() == 0) return true;
      world_.observer.rests(name_of(rest.why));
      world_.sleep(rest.time);
      if (rest.why == Brake::rate || rest.why == Brake::clients) return true;
      ask_again_ = {};
    }
  }

  static constexpr milliseconds kSaveEvery{250};
  static constexpr milliseconds kProbePause{30};
  static constexpr milliseconds kListenPause{5};
  static constexpr milliseconds kListen{100};
  static constexpr milliseconds kListenEvery{2000};
  static constexpr milliseconds kListenSeldom{15'000};

  const Connect& connect_;
  const Target& target_;
  const RunOptions& options_;
  const World& world_;
  Pace pace_;
  RowIds ids_;
  std::unique_ptr<Dialect> dialect_;
  std::unique_ptr<db::Connection> connection_;
  TableFacts facts_;
  Entry entry_;
  std::vector<Step> steps_;
  std::optional<Report> report_;
  Stretch stretch_;
  bool careful_ = false;
  // entry_ is what is on record, or what a batch left to a later one to save.
  bool is_entry_known_ = false;
  std::chrono::nanoseconds save_at_{0};
  bool used_to_ = false;
  Usual usual_;  // of the canary, alone
  std::chrono::nanoseconds listened_at_{0};
  Signals signals_;
  std::chrono::nanoseconds ask_again_{0};  // for signals
  std::int64_t untidy_rows_ = 0;
  std::int64_t tidied_rows_ = 0;  // of them, by a thread, perhaps
  // What another thread uses: the reader, until the rows are there.
  struct Ahead {
    db::Value after;
    std::future<Result<std::vector<Row>, Error>> rows;
  };
  std::unique_ptr<db::Connection> reader_;
  std::unique_ptr<db::Connection> canary_connection_;
  // The last three: their ends wait for the threads.
  std::optional<Canary> canary_;
  std::optional<Ahead> ahead_;
  std::future<Done> tidying_;
};

struct Known {
  Entry entry;
  Target target;
  std::unique_ptr<Dialect> dialect;
  TableFacts facts;
};

// The migration on record of a table that people name with or without its schema.
Result<Entry, Error> entry_for(db::Connection& connection, std::string_view table,
                               std::string_view column) {
  auto entries = journal::list(connection);
  if (!entries) return Failure{entries.error()};
  const std::string in_schema = "." + std::string(table);
  std::vector<Entry> found;
  for (Entry& entry : *entries) {
    const bool named = entry.table == table || entry.table.ends_with(in_schema);
    if (named && entry.column == column) found.push_back(std::move(entry));
  }
  if (found.empty()) {
    return refuse(Code::not_found, "no migration of " + quoted(table) + " is on record",
                  "tessera migrate plan shows what one would do.");
  }
  if (found.size() > 1) {
    return refuse(Code::invalid_request, "several schemas have a table " + quoted(table),
                  "Name the schema too.");
  }
  return std::move(found.front());
}

Result<Known, Error> known(db::Connection& connection, std::string_view table,
                           std::string_view column) {
  Known out;
  auto entry = entry_for(connection, table, column);
  if (!entry) return Failure{entry.error()};
  out.entry = *std::move(entry);
  auto target = target_of(out.entry.table, out.entry.column, out.entry.target);
  if (!target) return Failure{target.error()};
  out.target = *std::move(target);
  auto dialect = dialect_for(connection.engine(), out.target);
  if (!dialect) return Failure{dialect.error()};
  out.dialect = *std::move(dialect);
  if (auto done = out.dialect->prepare(connection); !done) return Failure{done.error()};
  auto facts = out.dialect->look(connection);
  if (!facts) return Failure{facts.error()};
  out.facts = *std::move(facts);
  return out;
}

}  // namespace

Result<Plan, Error> make_plan(db::Connection& connection, const Target& target) {
  auto dialect = dialect_for(connection.engine(), target);
  if (!dialect) return Failure{dialect.error()};
  if (auto done = (*dialect)->prepare(connection); !done) return Failure{done.error()};
  const auto facts = (*dialect)->look(connection);
  if (!facts) return Failure{facts.error()};
  const auto entry = journal::find(connection, facts->name, target.column, journal::Hold::no);
  if (!entry) return Failure{entry.error()};
  Plan plan{facts->name, facts->rows, facts->size, StepName::column, (*dialect)->steps()};
  if (*entry) plan.next = (*entry)->step;
  return plan;
}

Result<Report, Error> run(const Connect& connect, const Target& target, const RunOptions& options,
                          const World& world) {
  Runner runner(connect, target, options, world);
  // The steps are made of what is found: so a first connection comes before them.
  milliseconds spent{0};
  while (true) {
    const auto ready = runner.ready();
    if (ready) break;
    if (!may_retry(ready.error().code) || spent >= options.patience) return Failure{ready.error()};
    constexpr milliseconds kAgain{250};
    world.sleep(kAgain);
    spent += kAgain;
  }
  const auto done = perform_steps(runner.steps(), runner, options.patience);
  if (!done) return Failure{done.error()};
  return runner.report();
}

Result<std::vector<Status>, Error> status(db::Connection& connection, std::string_view table,
                                          std::string_view column) {
  auto entries = journal::list(connection);
  if (!entries) return Failure{entries.error()};
  std::vector<Status> out;
  for (const Entry& entry : *entries) {
    const bool named =
        table.empty() || entry.table == table || entry.table.ends_with("." + std::string(table));
    if (!named || (!column.empty() && entry.column != column)) continue;
    auto target = target_of(entry.table, entry.column, entry.target);
    if (!target) return Failure{target.error()};
    Status status;
    status.table = entry.table;
    status.target = *std::move(target);
    status.step = entry.step;
    status.rows_done = entry.rows_done;
    status.pass = entry.pass;
    status.batch_rows = entry.batch_rows;
    status.paused = entry.paused;
    status.started_ms = static_cast<std::uint64_t>(entry.started_ms);
    status.updated_ms = static_cast<std::uint64_t>(entry.updated_ms);
    auto dialect = dialect_for(connection.engine(), status.target);
    if (!dialect) return Failure{dialect.error()};
    if (auto done = (*dialect)->prepare(connection); !done) return Failure{done.error()};
    const auto facts = (*dialect)->look(connection);
    if (!facts) return Failure{facts.error()};
    status.rows = facts->rows;
    out.push_back(std::move(status));
  }
  return out;
}

Result<Report, Error> verify(db::Connection& connection, std::string_view table,
                             std::string_view column, std::int64_t sample) {
  auto found = known(connection, table, column);
  if (!found) return Failure{found.error()};
  if (found->facts.column_type.empty()) {
    return refuse(Code::not_found, "the column " + quoted(column) + " is not there yet",
                  "Run the migration first.");
  }
  return verify_table(connection, *found->dialect, found->target, sample);
}

Result<bool, Error> set_paused(db::Connection& connection, std::string_view table,
                               std::string_view column, bool paused) {
  const auto entry = entry_for(connection, table, column);
  if (!entry) return Failure{entry.error()};
  return journal::save_paused(connection, *entry, paused);
}

Result<bool, Error> abort(db::Connection& connection, std::string_view table,
                          std::string_view column, bool force) {
  auto found = known(connection, table, column);
  if (!found) return Failure{found.error()};
  if (found->entry.step == StepName::done && !force) {
    return refuse(Code::already_exists, "the migration is done: its IDs may have been given away",
                  "--force takes them away all the same.");
  }
  auto locked = found->dialect->lock(connection);
  if (!locked) return locked;
  if (!*locked) {
    return refuse(Code::store_unavailable, "a run migrates " + quoted(table), "End it first.");
  }
  // The record goes last: an abort that is killed is done again.
  if (auto done = found->dialect->undo(connection); !done) return done;
  return journal::remove(connection, found->entry);
}

}  // namespace tessera::migrate
