// Three ways to hand a number out twice.

#include "bugs.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "storm/dice.h"
#include "tessera/db/connection.h"

namespace segment_storm {
namespace {

using tessera::Draw;
using tessera::DrawRequest;
using tessera::Error;
using tessera::Failure;
using tessera::Result;
using tessera::ScopeState;
using tessera::Segment;
using tessera::SegmentStore;
using namespace std::chrono_literals;

Error unavailable(const std::string& why) { return {Error::Code::store_unavailable, why, ""}; }

// What the three have in common: the scope is found by the store that is right.
class BuggyStore : public SegmentStore {
 public:
  BuggyStore(SegmentStore& store, std::string url, std::uint64_t seed)
      : store_(store), url_(std::move(url)), dice_(seed) {}

  Result<ScopeState, Error> find(std::string_view scope) override { return store_.find(scope); }

 protected:
  // Ours, alone: the caller holds mutex_. Null if there is no server.
  tessera::db::Connection* connection() {
    if (!connection_ || !connection_->usable()) {
      connection_.reset();
      auto made = tessera::db::connect(url_, {.timeout = 1000ms, .create = false});
      if (made) connection_ = std::move(*made);
    }
    if (connection_) connection_->set_timeout(1000ms);
    return connection_.get();
  }

  std::int64_t max_id(std::string_view scope) {
    const auto rows = connection_->query("SELECT max_id FROM bc_id_segment WHERE scope = ?",
                                         {std::string(scope)});
    if (!rows || rows->empty()) return -1;
    const auto* number = std::get_if<std::int64_t>(&rows->rows[0][0]);
    return number == nullptr ? -1 : *number;
  }

  static Draw draw_below(std::int64_t max_id, std::uint64_t count) {
    const std::uint64_t end = static_cast<std::uint64_t>(max_id) + 1;
    return {Segment{end - count, end}, 1, 1, false};
  }

  SegmentStore& store_;
  const std::string url_;
  std::mutex mutex_;
  storm::Dice dice_;  // under mutex_
  std::unique_ptr<tessera::db::Connection> connection_;
};

// The caller has the range while the transaction is open. A crash of either side undoes it.
class EarlyAnswer final : public BuggyStore {
 public:
  using BuggyStore::BuggyStore;
  ~EarlyAnswer() override {
    if (committer_.joinable()) committer_.join();
  }

  Result<Draw, Error> draw(const DrawRequest& request) override {
    if (!request.key.empty()) return store_.draw(request);
    const std::scoped_lock guard(mutex_);
    if (committer_.joinable()) committer_.join();
    auto* database = connection();
    if (database == nullptr) return Failure{unavailable("no connection")};
    const bool is_file = database->engine() == tessera::db::Engine::sqlite;
    if (!database->script(is_file ? "BEGIN IMMEDIATE" : "BEGIN")) {
      return Failure{unavailable("no transaction")};
    }
    const auto moved = database->query(
        "UPDATE bc_id_segment SET max_id = max_id + ?, draws = draws + 1 WHERE scope = ?",
        {static_cast<std::int64_t>(request.count), std::string(request.scope)});
    const std::int64_t last = moved ? max_id(request.scope) : -1;
    if (last < 0) {
      static_cast<void>(database->script("ROLLBACK"));
      return Failure{unavailable("could not move the mark")};
    }
    committer_ = std::thread([database, pause = 20 + dice_.below(60)] {
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
      static_cast<void>(database->script("COMMIT"));
    });
    return draw_below(last, request.count);
  }

 private:
  std::thread committer_;
};

// "My draw must have been the last one": unless somebody else has drawn since. Some answers are
// lost on purpose, since a file loses none.
class ReuseUnknown final : public BuggyStore {
 public:
  using BuggyStore::BuggyStore;

  Result<Draw, Error> draw(const DrawRequest& request) override {
    if (!request.key.empty()) return store_.draw(request);
    if (doubtful_.exchange(false)) {
      const auto state = store_.find(request.scope);
      if (state && static_cast<std::uint64_t>(state->high_water) > request.count) {
        return draw_below(state->high_water, request.count);
      }
    }
    auto drawn = store_.draw(request);
    const std::scoped_lock guard(mutex_);
    if (drawn && dice_.one_in(16)) {
      drawn = Failure{Error{Error::Code::outcome_unknown, "the answer was lost", ""}};
    }
    if (!drawn && drawn.error().code == Error::Code::outcome_unknown) doubtful_ = true;
    return drawn;
  }

 private:
  std::atomic<bool> doubtful_{false};
};

// Two who read the same mark write the same mark.
class ReadThenWrite final : public BuggyStore {
 public:
  using BuggyStore::BuggyStore;

  Result<Draw, Error> draw(const DrawRequest& request) override {
    if (!request.key.empty()) return store_.draw(request);
    const std::scoped_lock guard(mutex_);
    auto* database = connection();
    if (database == nullptr) return Failure{unavailable("no connection")};
    const std::int64_t before = max_id(request.scope);
    if (before < 0) return Failure{unavailable("could not read the mark")};
    const std::int64_t last = before + static_cast<std::int64_t>(request.count);
    if (!database->query("UPDATE bc_id_segment SET max_id = ? WHERE scope = ?",
                         {last, std::string(request.scope)})) {
      return Failure{unavailable("could not move the mark")};
    }
    return draw_below(last, request.count);
  }
};

}  // namespace

std::optional<Bug> find_bug(std::string_view name) {
  if (name == "none") return Bug::none;
  if (name == "early-answer") return Bug::early_answer;
  if (name == "reuse-unknown") return Bug::reuse_unknown;
  if (name == "read-then-write") return Bug::read_then_write;
  return std::nullopt;
}

std::unique_ptr<SegmentStore> make_buggy(Bug bug, SegmentStore& store, const std::string& url,
                                         std::uint64_t seed) {
  switch (bug) {
    case Bug::early_answer: return std::make_unique<EarlyAnswer>(store, url, seed);
    case Bug::reuse_unknown: return std::make_unique<ReuseUnknown>(store, url, seed);
    case Bug::read_then_write: return std::make_unique<ReadThenWrite>(store, url, seed);
    case Bug::none: break;
  }
  return nullptr;
}

}  // namespace segment_storm
