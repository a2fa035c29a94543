// Ways to hand a number out twice.

#include "bugs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "storm/dice.h"
#include "tessera/db/connection.h"
#include "tessera/system.h"

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

// What they have in common: the scope is found by the store that is right.
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

// A range that somebody has got for the key, told again as it is read: a crash may still undo it.
class TellsUnflushed final : public BuggyStore {
 public:
  using BuggyStore::BuggyStore;

  Result<Draw, Error> draw(const DrawRequest& request) override {
    if (request.key.empty()) return store_.draw(request);
    {
      const std::scoped_lock guard(mutex_);
      auto* database = connection();
      if (database == nullptr) return Failure{unavailable("no connection")};
      const auto rows = database->query(
          "SELECT last_id FROM bc_id_segment_log WHERE scope = ? AND request_key = ?",
          {std::string(request.scope), std::string(request.key)});
      if (!rows) return Failure{unavailable("could not read the log")};
      if (!rows->empty()) {
        Draw known = draw_below(std::get<std::int64_t>(rows->rows[0][0]), request.count);
        known.repeated = true;
        return known;
      }
    }
    return store_.draw(request);
  }
};

// "Nobody else can draw either, while the store is away": unless only we are cut off.
class GoOnAlone final : public BuggyStore {
 public:
  using BuggyStore::BuggyStore;

  Result<Draw, Error> draw(const DrawRequest& request) override {
    auto drawn = store_.draw(request);
    if (!request.key.empty()) return drawn;
    const std::scoped_lock guard(mutex_);
    std::uint64_t& end = ends_[std::string(request.scope)];
    if (drawn) {
      end = drawn->segment.end;
    } else if (end > 0) {
      drawn = Draw{Segment{end, end + request.count}, 1, 1, false};
      end += request.count;
    }
    return drawn;
  }

 private:
  std::map<std::string, std::uint64_t> ends_;
};

// "I have raised it every half second, so that it is mine": unless it was stopped in between.
class IgnoreLimit final : public tessera::LeaseStore {
 public:
  explicit IgnoreLimit(LeaseStore& store) : store_(store) {}

  Result<tessera::Lease, Error> claim(const tessera::ClaimRequest& request) override {
    auto lease = store_.claim(request);
    if (lease) lease->reservation = without_end();
    return lease;
  }
  Result<tessera::Reservation, Error> raise(const tessera::RaiseRequest& request) override {
    static_cast<void>(store_.raise(request));
    return without_end();
  }
  Result<tessera::LeaseRecord, Error> release(const tessera::ReleaseRequest& request) override {
    return store_.release(request);
  }
  Result<tessera::LeasePage, Error> list(const tessera::LeaseListRequest& request) override {
    return store_.list(request);
  }

 private:
  tessera::Reservation without_end() {
    const std::uint64_t now_ms = clock_.now_ms();
    const std::chrono::hours span(24);
    limit_ms_ = std::max(
        limit_ms_, now_ms + static_cast<std::uint64_t>(std::chrono::milliseconds(span).count()));
    return {limit_ms_, now_ms, span};
  }

  LeaseStore& store_;
  tessera::SystemClock clock_;
  std::uint64_t limit_ms_ = 0;  // one question at a time
};

}  // namespace

std::optional<Bug> find_bug(std::string_view name) {
  if (name == "none") return Bug::none;
  if (name == "early-answer") return Bug::early_answer;
  if (name == "reuse-unknown") return Bug::reuse_unknown;
  if (name == "read-then-write") return Bug::read_then_write;
  if (name == "tells-unflushed") return Bug::tells_unflushed;
  if (name == "go-on-alone") return Bug::go_on_alone;
  if (name == "async-standby") return Bug::async_standby;
  if (name == "ignore-limit") return Bug::ignore_limit;
  return std::nullopt;
}

std::unique_ptr<SegmentStore> make_buggy(Bug bug, SegmentStore& store, const std::string& url,
                                         std::uint64_t seed) {
  switch (bug) {
    case Bug::early_answer: return std::make_unique<EarlyAnswer>(store, url, seed);
    case Bug::reuse_unknown: return std::make_unique<ReuseUnknown>(store, url, seed);
    case Bug::read_then_write: return std::make_unique<ReadThenWrite>(store, url, seed);
    case Bug::tells_unflushed: return std::make_unique<TellsUnflushed>(store, url, seed);
    case Bug::go_on_alone: return std::make_unique<GoOnAlone>(store, url, seed);
    case Bug::async_standby:
    case Bug::ignore_limit:
    case Bug::none: break;
  }
  return nullptr;
}

std::unique_ptr<tessera::LeaseStore> make_buggy(Bug bug, tessera::LeaseStore& store) {
  if (bug != Bug::ignore_limit) return nullptr;
  return std::make_unique<IgnoreLimit>(store);
}

}  // namespace segment_storm
