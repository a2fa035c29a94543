// Draws ranges from etcd. The header says how, and why so.

#include "store/etcd_store.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "db/engines.h"
#include "segment/backoff.h"
#include "store/etcd_client.h"
#include "store/etcd_lease_store.h"
#include "store/etcd_records.h"
#include "store/requests.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using etcd::Entry;
using etcd::KeptRange;
using etcd::KeptScope;
using etcd::new_change;
using etcd::odd_value;
using etcd::Time;
using etcd::Txn;
using Clock = std::chrono::steady_clock;
using Code = Error::Code;

constexpr std::int64_t kPage = 500;  // entries that are read at once
// After others were faster.
constexpr std::chrono::microseconds kPauseMin{500};
constexpr std::chrono::milliseconds kPauseMax{20};

Error busy(std::string_view scope) {
  return {Code::timed_out, "the scope " + quoted(scope) + " was busy",
          "Nothing was done; ask again."};
}

Error unknown(std::string_view what) {
  return {Code::outcome_unknown,
          "an answer was lost, and others have changed " + quoted(what) + " since",
          "Look at the scope, and ask again if it is not as it should be."};
}

Draw draw_of(const RangeRecord& record, bool repeated) {
  return {record.segment, record.epoch, record.number, repeated};
}

class EtcdStore final : public Store, public SegmentStore, public ScopeCatalogue {
 public:
  EtcdStore(const db::Url& url, const OpenOptions& options, etcd::ClientOptions client)
      : url_(url.to_string()),
        options_(options),
        keys_(url.path, options.table),
        client_(std::move(client)),
        leases_(client_, {url.path, options.table}, options.connect_timeout) {}

  SegmentStore& segments() override { return *this; }
  ScopeCatalogue& scopes() override { return *this; }
  LeaseStore& leases() override { return leases_; }
  Result<std::unique_ptr<RegistryStore>, Error> registry(const RegistryTypes&) override {
    return Failure{no_registry_on_etcd()};
  }

  Result<SchemaStatus, Error> look_at_schema() {
    const auto answer = client_.commit(Txn().get({keys_.schema()}), soon());
    if (!answer) return Failure{answer.error()};
    return schema_of(answer->one(0));
  }
  Result<SchemaStatus, Error> init() {
    const auto answer = client_.commit(Txn()
                                           .if_absent({keys_.schema()})
                                           .put(keys_.schema(), std::to_string(etcd::kSchemaNewest))
                                           .otherwise_get({keys_.schema()}),
                                       soon());
    if (!answer) return Failure{answer.error()};
    if (answer->succeeded) return SchemaStatus{etcd::kSchemaNewest, etcd::kSchemaNewest};
    return schema_of(answer->one(0));
  }

  Result<StoreStatus, Error> status() override;

  Result<Draw, Error> draw(const DrawRequest& request) override;
  Result<ScopeState, Error> find(std::string_view scope) override;
  Result<std::vector<ScopeState>, Error> list() override;
  Result<ScopeState, Error> create(const Scope& scope) override;
  Result<ScopeState, Error> set_step(std::string_view scope, std::int64_t step) override;
  Result<ScopeState, Error> advance(std::string_view scope, std::int64_t high_water) override;
  Result<std::string, Error> keep_fingerprint(std::string_view scope,
                                              std::string_view fingerprint) override;
  Result<std::optional<RangeRecord>, Error> range_of(std::string_view scope,
                                                     std::int64_t number) override;
  Result<std::vector<RangeRecord>, Error> ranges(std::string_view scope,
                                                 std::size_t count_max) override;

 private:
  struct Known {
    Entry entry;
    ScopeState state;
  };
  // Those who draw from one scope, one after the other, and what the last of them saw.
  struct Lane {
    bool busy = false;
    std::optional<Known> known;
    std::int64_t mark_seen = -1;  // the highest
  };
  class Turn {
   public:
    Turn(EtcdStore& store, std::string_view scope, Time deadline)
        : store_(store), lane_(store.enter(scope, deadline)) {}
    ~Turn() {
      if (lane_ != nullptr) store_.leave(*lane_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    Lane* lane() const noexcept { return lane_; }

   private:
    EtcdStore& store_;
    Lane* const lane_;
  };
  using MaybeDraw = Result<std::optional<Draw>, Error>;

  Time soon() const { return Clock::now() + options_.connect_timeout; }
  Lane* enter(std::string_view scope, Time deadline);
  void leave(Lane& lane);

  Result<SchemaStatus, Error> schema_of(const Entry* entry) const;
  Result<KeptScope, Error> scope_of(const Entry& entry) const;
  Result<KeptRange, Error> range_in(std::string_view scope, const Entry& entry) const;
  std::optional<Error> learn(Lane& lane, const Entry* entry, std::string_view scope);
  MaybeDraw look(Lane& lane, const DrawRequest& request, Time deadline);
  MaybeDraw try_to_draw(Lane& lane, const DrawRequest& request, const std::string& change,
                        Time deadline);
  MaybeDraw draw_by_key(const Entry& entry, const DrawRequest& request) const;
  KeptScope scope_above(const Scope& scope, const RangeRecord& last, std::string change);
  template <class Change>
  Result<ScopeState, Error> change_scope(std::string_view scope, const Change& change);

  const std::string url_;
  const OpenOptions options_;
  const etcd::Keys keys_;
  etcd::Client client_;
  EtcdLeaseStore leases_;
  SystemClock clock_;

  std::mutex mutex_;
  std::condition_variable freed_;
  std::map<std::string, Lane, std::less<>> lanes_;
};

EtcdStore::Lane* EtcdStore::enter(std::string_view scope, Time deadline) {
  std::unique_lock lock(mutex_);
  auto place = lanes_.find(scope);
  if (place == lanes_.end()) place = lanes_.try_emplace(std::string(scope)).first;
  Lane& lane = place->second;
  if (!freed_.wait_until(lock, deadline, [&] { return !lane.busy; })) return nullptr;
  lane.busy = true;
  return &lane;
}

void EtcdStore::leave(Lane& lane) {
  {
    const std::lock_guard lock(mutex_);
    lane.busy = false;
  }
  freed_.notify_all();
}

Result<SchemaStatus, Error> EtcdStore::schema_of(const Entry* entry) const {
  SchemaStatus status{0, etcd::kSchemaNewest};
  if (entry == nullptr) return status;
  const auto version = Json::parse(entry->value);
  const auto number = version ? version->number() : std::nullopt;
  if (!number || *number < 1 || *number > INT32_MAX) return Failure{odd_value(entry->key)};
  status.version = static_cast<int>(*number);
  return status;
}

Result<KeptScope, Error> EtcdStore::scope_of(const Entry& entry) const {
  auto kept = etcd::read_scope(keys_.name_in(entry.key), entry.value);
  if (!kept) return Failure{odd_value(entry.key)};
  return *std::move(kept);
}

Result<KeptRange, Error> EtcdStore::range_in(std::string_view scope, const Entry& entry) const {
  auto kept = etcd::read_range(scope, entry.value);
  if (!kept) return Failure{odd_value(entry.key)};
  return *std::move(kept);
}

// Keeps what was seen of the scope. Who knows that it was further on before does not draw from it.
std::optional<Error> EtcdStore::learn(Lane& lane, const Entry* entry, std::string_view scope) {
  lane.known.reset();
  if (entry == nullptr) return no_scope(scope);
  auto kept = scope_of(*entry);
  if (!kept) return kept.error();
  if (kept->state.high_water < lane.mark_seen) {
    return Error{Code::store_rewound,
                 "scope " + quoted(scope) + " was at " + std::to_string(lane.mark_seen) +
                     " and is at " + std::to_string(kept->state.high_water),
                 "The store was set back; lift the mark above all that was given out."};
  }
  lane.mark_seen = kept->state.high_water;
  lane.known = Known{*entry, kept->state};
  return std::nullopt;
}

Result<Draw, Error> EtcdStore::draw(const DrawRequest& request) {
  if (auto fault = tessera::fault_of(request)) return Failure{*fault};
  const Time deadline = Clock::now() + request.timeout;
  const std::string change = new_change();
  if (change.empty()) {
    return Failure{Error{Code::store_unavailable, "there is no entropy to mark a draw with", ""}};
  }
  const Turn turn(*this, request.scope, deadline);
  if (turn.lane() == nullptr) return Failure{busy(request.scope)};
  Lane& lane = *turn.lane();
  Backoff pauses(kPauseMin, kPauseMax, std::hash<std::string>()(change));
  while (true) {
    // What we saw last may be old; that there are too few is said of what is there now.
    if (!lane.known || lane.known->state.remaining() < request.count) {
      const auto known_key = look(lane, request, deadline);
      if (!known_key) return Failure{known_key.error()};
      if (*known_key) return **known_key;
      const ScopeState& state = lane.known->state;
      if (state.remaining() < request.count) return Failure{is_exhausted(state, request.count)};
    }
    const auto drawn = try_to_draw(lane, request, change, deadline);
    if (!drawn) return Failure{drawn.error()};
    if (*drawn) return **drawn;
    const auto pause = std::chrono::duration_cast<Clock::duration>(pauses.fail());
    if (Clock::now() + pause >= deadline) return Failure{busy(request.scope)};
    std::this_thread::sleep_for(pause);
  }
}

// Reads the scope, and the range of the request key, if there is one.
EtcdStore::MaybeDraw EtcdStore::look(Lane& lane, const DrawRequest& request, Time deadline) {
  Txn txn;
  txn.get({keys_.scope(request.scope)});
  if (!request.key.empty()) txn.get({keys_.request_key(request.scope, request.key)});
  const auto answer = client_.commit(txn, deadline);
  if (!answer) return Failure{answer.error()};
  if (auto error = learn(lane, answer->one(0), request.scope)) return Failure{*std::move(error)};
  const Entry* key = request.key.empty() ? nullptr : answer->one(1);
  if (key == nullptr) return std::optional<Draw>();
  return draw_by_key(*key, request);
}

EtcdStore::MaybeDraw EtcdStore::draw_by_key(const Entry& entry, const DrawRequest& request) const {
  const auto kept = range_in(request.scope, entry);
  if (!kept) return Failure{kept.error()};
  const std::uint64_t count = kept->record.segment.size();
  if (count != request.count) return Failure{key_is_reused(request, count)};
  return std::optional(draw_of(kept->record, true));
}

// One transaction. Nothing, if others have changed the scope: the lane then knows how.
EtcdStore::MaybeDraw EtcdStore::try_to_draw(Lane& lane, const DrawRequest& request,
                                            const std::string& change, Time deadline) {
  const Known known = *std::exchange(lane.known, std::nullopt);
  KeptScope next{known.state, change};
  next.state.high_water += static_cast<std::int64_t>(request.count);
  next.state.draws += 1;
  next.state.updated_ms = clock_.now_ms();
  const auto first = static_cast<std::uint64_t>(known.state.high_water + 1);
  const KeptRange range{{.scope = std::string(request.scope),
                         .epoch = next.state.epoch,
                         .number = next.state.draws,
                         .segment = {first, first + request.count},
                         .holder = std::string(request.holder),
                         .key = std::string(request.key),
                         .drawn_ms = next.state.updated_ms},
                        change};
  const std::string line_key = keys_.line(request.scope, first);
  const std::string scope_value = etcd::written(next);
  const std::string range_value = etcd::written(range);
  Txn txn;
  txn.if_unchanged(known.entry).if_absent({line_key});
  txn.put(known.entry.key, scope_value).put(line_key, range_value);
  txn.otherwise_get({known.entry.key}).otherwise_get({line_key});
  if (!request.key.empty()) {
    const std::string request_key = keys_.request_key(request.scope, request.key);
    txn.if_absent({request_key}).put(request_key, range_value).otherwise_get({request_key});
  }
  const auto answer = client_.commit(txn, deadline);
  if (!answer) return Failure{answer.error()};
  if (answer->succeeded) {
    lane.known = Known{
        {known.entry.key, scope_value, known.entry.create_revision, answer->revision}, next.state};
    lane.mark_seen = next.state.high_water;
    return std::optional(draw_of(range.record, false));
  }
  const Entry* line = answer->one(1);
  if (line != nullptr) {
    const auto there = range_in(request.scope, *line);
    if (!there) return Failure{there.error()};
    if (there->change == change) {  // it was done, and the answer was lost
      if (auto error = learn(lane, answer->one(0), request.scope)) lane.known.reset();
      return std::optional(draw_of(there->record, false));
    }
  }
  if (auto error = learn(lane, answer->one(0), request.scope)) return Failure{*std::move(error)};
  if (const Entry* key = request.key.empty() ? nullptr : answer->one(2)) {
    return draw_by_key(*key, request);
  }
  if (line != nullptr && lane.known->entry == known.entry) {
    return Failure{Error{Code::store_rewound,
                         "the range log knows these numbers of " + quoted(request.scope) +
                             " already, from " + std::to_string(first) + " on",
                         "The scope was set back; lift its mark above the log."}};
  }
  return std::optional<Draw>();
}

Result<ScopeState, Error> EtcdStore::find(std::string_view scope) {
  if (auto fault = fault_of_name(scope)) return Failure{*fault};
  const auto answer = client_.commit(Txn().get({keys_.scope(scope)}), soon());
  if (!answer) return Failure{answer.error()};
  if (answer->one(0) == nullptr) return Failure{no_scope(scope)};
  const auto kept = scope_of(*answer->one(0));
  if (!kept) return Failure{kept.error()};
  return kept->state;
}

Result<std::vector<ScopeState>, Error> EtcdStore::list() {
  std::vector<ScopeState> states;
  etcd::Span rest = keys_.scopes();
  while (true) {
    const auto answer = client_.commit(Txn().get(rest, kPage), soon());
    if (!answer) return Failure{answer.error()};
    for (const Entry& entry : answer->found[0]) {
      const auto kept = scope_of(entry);
      if (!kept) return Failure{kept.error()};
      states.push_back(kept->state);
    }
    if (answer->found[0].size() < kPage) return states;
    rest.first = answer->found[0].back().key + '\0';
  }
}

// One that was deleted and comes back begins above all that the log knows.
KeptScope EtcdStore::scope_above(const Scope& scope, const RangeRecord& last, std::string change) {
  const auto mark = static_cast<std::int64_t>(last.segment.end - 1);
  return {{.scope = scope,
           .high_water = std::clamp(mark, scope.min - 1, scope.max),
           .epoch = last.epoch + 1,
           .draws = last.number,
           .updated_ms = clock_.now_ms()},
          std::move(change)};
}

Result<ScopeState, Error> EtcdStore::create(const Scope& scope) {
  if (auto fault = tessera::fault_of(scope)) return Failure{*fault};
  const Time deadline = soon();
  const std::string key = keys_.scope(scope.name);
  KeptScope wanted{{.scope = scope,
                    .high_water = scope.min - 1,
                    .epoch = 1,
                    .draws = 0,
                    .updated_ms = clock_.now_ms()},
                   new_change()};
  etcd::Span no_line = keys_.lines(scope.name);
  while (Clock::now() < deadline) {
    const auto answer = client_.commit(Txn()
                                           .if_absent({key})
                                           .if_absent(no_line)
                                           .put(key, etcd::written(wanted))
                                           .otherwise_get({key})
                                           .otherwise_get(keys_.lines(scope.name), 1),
                                       deadline);
    if (!answer) return Failure{answer.error()};
    if (answer->succeeded) return wanted.state;
    if (const Entry* there = answer->one(0)) {
      const auto kept = scope_of(*there);
      if (!kept) return Failure{kept.error()};
      if (auto error = difference(kept->state.scope, scope)) return Failure{*std::move(error)};
      return kept->state;
    }
    if (const Entry* line = answer->one(1)) {
      const auto last = range_in(scope.name, *line);
      if (!last) return Failure{last.error()};
      wanted = scope_above(scope, last->record, wanted.change);
      no_line = keys_.lines_before(scope.name, line->key);
    }
  }
  return Failure{busy(scope.name)};
}

// Reads the scope, changes it, and writes it if it is still what was read. `change` says what is
// wrong, if something is.
template <class Change>
Result<ScopeState, Error> EtcdStore::change_scope(std::string_view scope, const Change& change) {
  const Time deadline = soon();
  const std::string mark = new_change();
  const std::string key = keys_.scope(scope);
  auto answer = client_.commit(Txn().get({key}), deadline);
  while (answer) {
    const Entry* entry = answer->one(0);
    if (entry == nullptr) return Failure{no_scope(scope)};
    auto kept = scope_of(*entry);
    if (!kept) return Failure{kept.error()};
    if (kept->change == mark) return kept->state;  // it was done, and the answer was lost
    if (answer->after_doubt) return Failure{unknown(scope)};
    KeptScope next{kept->state, mark};
    if (auto error = change(next.state)) return Failure{*std::move(error)};
    if (Clock::now() >= deadline) return Failure{busy(scope)};
    answer = client_.commit(
        Txn().if_unchanged(*entry).put(key, etcd::written(next)).otherwise_get({key}), deadline);
    if (answer && answer->succeeded) return next.state;
  }
  return Failure{answer.error()};
}

Result<ScopeState, Error> EtcdStore::set_step(std::string_view scope, std::int64_t step) {
  if (auto fault = fault_of_step(scope, step)) return Failure{*fault};
  return change_scope(scope, [step](ScopeState& state) -> std::optional<Error> {
    state.scope.step = step;
    return std::nullopt;
  });
}

Result<ScopeState, Error> EtcdStore::advance(std::string_view scope, std::int64_t high_water) {
  if (auto fault = fault_of_name(scope)) return Failure{*fault};
  return change_scope(scope, [&](ScopeState& state) -> std::optional<Error> {
    if (high_water < state.high_water || high_water > state.scope.max) {
      return bad_mark(state, high_water);
    }
    state.high_water = high_water;
    state.epoch += 1;
    state.updated_ms = clock_.now_ms();
    return std::nullopt;
  });
}

Result<std::string, Error> EtcdStore::keep_fingerprint(std::string_view scope,
                                                       std::string_view fingerprint) {
  if (auto fault = fault_of_fingerprint(scope, fingerprint)) return Failure{*fault};
  const std::string key = keys_.fingerprint(scope);
  const auto answer = client_.commit(Txn()
                                         .if_present({keys_.scope(scope)})
                                         .if_absent({key})
                                         .put(key, fingerprint)
                                         .otherwise_get({keys_.scope(scope)})
                                         .otherwise_get({key}),
                                     soon());
  if (!answer) return Failure{answer.error()};
  if (answer->succeeded) return std::string(fingerprint);
  if (answer->one(0) == nullptr) return Failure{no_scope(scope)};
  if (const Entry* kept = answer->one(1)) return kept->value;
  return Failure{busy(scope)};  // it was made between two questions of one transaction: cannot be
}

Result<std::optional<RangeRecord>, Error> EtcdStore::range_of(std::string_view scope,
                                                              std::int64_t number) {
  if (auto fault = fault_of_name(scope)) return Failure{*fault};
  Txn txn;
  txn.get({keys_.scope(scope)});
  if (number >= 0) txn.get(keys_.lines_up_to(scope, static_cast<std::uint64_t>(number)), 1);
  const auto answer = client_.commit(txn, soon());
  if (!answer) return Failure{answer.error()};
  if (answer->one(0) == nullptr) return Failure{no_scope(scope)};
  const Entry* line = number < 0 ? nullptr : answer->one(1);
  if (line == nullptr) return std::optional<RangeRecord>();
  auto kept = range_in(scope, *line);
  if (!kept) return Failure{kept.error()};
  if (kept->record.segment.end <= static_cast<std::uint64_t>(number)) {
    return std::optional<RangeRecord>();
  }
  return std::optional(kept->record);
}

Result<std::vector<RangeRecord>, Error> EtcdStore::ranges(std::string_view scope,
                                                          std::size_t count_max) {
  if (auto fault = fault_of_name(scope)) return Failure{*fault};
  std::vector<RangeRecord> records;
  etcd::Span rest = keys_.lines(scope);
  while (true) {
    const std::size_t page = std::min<std::size_t>(count_max - records.size(), kPage);
    Txn txn;
    txn.get({keys_.scope(scope)});
    if (page > 0) txn.get(rest, static_cast<std::int64_t>(page));
    const auto answer = client_.commit(txn, soon());
    if (!answer) return Failure{answer.error()};
    if (answer->one(0) == nullptr) return Failure{no_scope(scope)};
    if (page == 0) return records;
    for (const Entry& line : answer->found[1]) {
      auto kept = range_in(scope, line);
      if (!kept) return Failure{kept.error()};
      records.push_back(std::move(kept->record));
    }
    if (answer->found[1].size() < page) return records;
    rest = keys_.lines_after(scope, answer->found[1].back().key);
  }
}

Result<StoreStatus, Error> EtcdStore::status() {
  const auto schema = look_at_schema();
  if (!schema) return Failure{schema.error()};
  StoreStatus status{url_, "etcd", *schema, {}};
  for (std::size_t i = 0; i < client_.members().size(); ++i) {
    const std::string name = "member " + client_.members()[i].authority();
    const auto version = client_.version_of(i, soon());
    if (version) {
      if (status.server == "etcd") status.server += " " + *version;
      status.settings.push_back(
          {name, *version, std::string(etcd::kVersionsWanted), !etcd::fault_of_version(*version)});
    } else {
      status.settings.push_back({name, version.error().message, "one that answers", false});
    }
  }
  // An account that is not root may not be told these.
  if (const auto members = client_.ask("/v3/cluster/member/list", "{}", soon())) {
    const Json* list = members->find("members");
    status.settings.push_back({"members",
                               std::to_string(list == nullptr ? 0 : list->items().size()),
                               "3 or more, to outlive one", true});
  }
  if (const auto alarms = client_.ask("/v3/maintenance/alarm", R"({"action":"GET"})", soon())) {
    const Json* list = alarms->find("alarms");
    std::string names;
    for (std::size_t i = 0; list != nullptr && i < list->items().size(); ++i) {
      names += (names.empty() ? "" : " ") +
               std::string(list->items()[i].text_in("alarm").value_or("unnamed"));
    }
    status.settings.push_back({"alarms", names.empty() ? "none" : names, "none", names.empty()});
  }
  return status;
}

Result<etcd::ClientOptions, Error> client_options(const db::Url& url, const OpenOptions& options) {
  constexpr std::uint16_t kPort = 2379;
  const bool tls = url.scheme == db::Url::Scheme::etcds;
  etcd::ClientOptions client;
  for (const auto& host : url.hosts) {
    if (host.name.starts_with('/')) {
      return Failure{Error{Code::invalid_request, "not the URL of a store: etcd has no socket",
                           "Write etcd://HOST:2379."}};
    }
    client.members.push_back({tls, host.name, host.port == 0 ? kPort : host.port});
  }
  if (client.members.empty()) client.members.push_back({tls, "127.0.0.1", kPort});
  client.user = url.user;
  client.password = db::password_of(url);
  client.connections_max = options.connections_max;
  client.accept_duplicate_risk = options.accept_duplicate_risk;
  if (tls) {
    const auto file = [&url](std::string_view name) {
      return std::string(url.option(name).value_or(""));
    };
    auto made = http::Tls::make(
        {.ca = file("tls_ca"), .certificate = file("tls_cert"), .key = file("tls_key")});
    if (!made) return Failure{made.error()};
    client.tls = *std::move(made);
  }
  return client;
}

Result<std::unique_ptr<EtcdStore>, Error> make_store(const db::Url& url,
                                                     const OpenOptions& options) {
  auto client = client_options(url, options);
  if (!client) return Failure{client.error()};
  return std::make_unique<EtcdStore>(url, options, *std::move(client));
}

}  // namespace

bool is_etcd(const db::Url& url) noexcept {
  return url.scheme == db::Url::Scheme::etcd || url.scheme == db::Url::Scheme::etcds;
}

Result<std::unique_ptr<Store>, Error> open_etcd_store(const db::Url& url,
                                                      const OpenOptions& options) {
  auto store = make_store(url, options);
  if (!store) return Failure{store.error()};
  const auto schema = (*store)->look_at_schema();
  if (!schema) return Failure{schema.error()};
  if (schema->version != schema->newest) {
    return Failure{Error{Code::store_schema,
                         schema->version == 0
                             ? "there is no store at " + url.to_string()
                             : "the store is of version " + std::to_string(schema->version) +
                                   ", not " + std::to_string(schema->newest),
                         schema->version == 0 ? "Make it first: init_store, or tessera store init."
                                              : "It was made by a newer program; use that one."}};
  }
  return std::unique_ptr<Store>(*std::move(store));
}

Result<SchemaStatus, Error> init_etcd_store(const db::Url& url, const OpenOptions& options) {
  auto store = make_store(url, options);
  if (!store) return Failure{store.error()};
  return (*store)->init();
}

Error no_registry_on_etcd() {
  return {Code::invalid_request, "etcd keeps segments and leases, and no registry",
          "A registry is on sqlite:, postgres://, mariadb:// or http://, another Tessera."};
}

}  // namespace tessera
