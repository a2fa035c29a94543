// The memory store: a table under one lock.

#include "store/memory.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "store/requests.h"
#include "store/schema.h"
#include "tessera/lease/memory_store.h"
#include "tessera/registry/memory_registry.h"
#include "tessera/system.h"

namespace tessera {
namespace {

class MemoryStore final : public Store, public SegmentStore, public ScopeCatalogue {
 public:
  SegmentStore& segments() override { return *this; }
  ScopeCatalogue& scopes() override { return *this; }
  LeaseStore& leases() override { return *leases_; }

  Result<std::unique_ptr<RegistryStore>, Error> registry(const RegistryTypes& types) override {
    return make_memory_registry(registry_, types, clock_);
  }

  Result<StoreStatus, Error> status() override {
    return StoreStatus{"memory:",
                       "memory",
                       {kSchemaNewest, kSchemaNewest},
                       {{"durability", "none", "any, for tests", true}}};
  }

  Result<Draw, Error> draw(const DrawRequest& request) override {
    if (auto fault = tessera::fault_of(request)) return Failure{*fault};
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(request.scope);
    if (found == entries_.end()) return Failure{no_scope(request.scope)};
    Entry& entry = found->second;
    if (!request.key.empty()) {
      if (const auto known = entry.keys.find(request.key); known != entry.keys.end()) {
        const RangeRecord& first = entry.log[known->second];
        if (first.segment.size() != request.count) {
          return Failure{key_is_reused(request, first.segment.size())};
        }
        return Draw{first.segment, first.epoch, first.number, true};
      }
    }
    ScopeState& state = entry.state;
    const auto count = static_cast<std::int64_t>(request.count);
    if (state.remaining() < request.count) return Failure{is_exhausted(state, request.count)};
    const auto first = static_cast<std::uint64_t>(state.high_water + 1);
    state.high_water += count;
    state.draws += 1;
    state.updated_ms = clock_.now_ms();
    const Segment segment{first, first + request.count};
    if (!request.key.empty()) entry.keys.emplace(request.key, entry.log.size());
    entry.log.push_back({state.scope.name, state.epoch, state.draws, segment,
                         std::string(request.holder), std::string(request.key), state.updated_ms});
    return Draw{segment, state.epoch, state.draws, false};
  }

  Result<ScopeState, Error> find(std::string_view scope) override {
    if (auto fault = fault_of_name(scope)) return Failure{*fault};
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(scope);
    if (found == entries_.end()) return Failure{no_scope(scope)};
    return found->second.state;
  }

  Result<std::vector<ScopeState>, Error> list() override {
    const std::lock_guard lock(mutex_);
    std::vector<ScopeState> states;
    for (const auto& [name, entry] : entries_) states.push_back(entry.state);
    return states;
  }

  Result<ScopeState, Error> create(const Scope& scope) override {
    if (auto fault = tessera::fault_of(scope)) return Failure{*fault};
    const std::lock_guard lock(mutex_);
    const auto [place, fresh] = entries_.try_emplace(scope.name);
    ScopeState& state = place->second.state;
    if (fresh) {
      state = {scope, scope.min - 1, 1, 0, clock_.now_ms()};
    } else if (auto error = difference(state.scope, scope)) {
      return Failure{*error};
    }
    return state;
  }

  Result<ScopeState, Error> set_step(std::string_view scope, std::int64_t step) override {
    if (auto fault = fault_of_step(scope, step)) return Failure{*fault};
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(scope);
    if (found == entries_.end()) return Failure{no_scope(scope)};
    found->second.state.scope.step = step;
    return found->second.state;
  }

  Result<ScopeState, Error> advance(std::string_view scope, std::int64_t high_water) override {
    if (auto fault = fault_of_name(scope)) return Failure{*fault};
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(scope);
    if (found == entries_.end()) return Failure{no_scope(scope)};
    ScopeState& state = found->second.state;
    if (high_water < state.high_water || high_water > state.scope.max) {
      return Failure{bad_mark(state, high_water)};
    }
    state.high_water = high_water;
    state.epoch += 1;
    state.updated_ms = clock_.now_ms();
    return state;
  }

  Result<std::string, Error> keep_fingerprint(std::string_view scope,
                                              std::string_view fingerprint) override {
    if (auto fault = fault_of_fingerprint(scope, fingerprint)) return Failure{*fault};
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(scope);
    if (found == entries_.end()) return Failure{no_scope(scope)};
    std::string& kept = found->second.fingerprint;
    if (kept.empty()) kept = fingerprint;
    return kept;
  }

  Result<std::optional<RangeRecord>, Error> range_of(std::string_view scope,
                                                     std::int64_t number) override {
    if (auto fault = fault_of_name(scope)) return Failure{*fault};
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(scope);
    if (found == entries_.end()) return Failure{no_scope(scope)};
    if (number < 0) return std::optional<RangeRecord>();
    const auto& log = found->second.log;
    const auto wanted = static_cast<std::uint64_t>(number);
    const auto line = std::ranges::find_if(log, [&](const RangeRecord& record) {
      return record.segment.first <= wanted && wanted < record.segment.end;
    });
    return line == log.end() ? std::optional<RangeRecord>() : *line;
  }

  Result<std::vector<RangeRecord>, Error> ranges(std::string_view scope,
                                                 std::size_t count_max) override {
    if (auto fault = fault_of_name(scope)) return Failure{*fault};
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(scope);
    if (found == entries_.end()) return Failure{no_scope(scope)};
    const auto& log = found->second.log;
    const auto count = std::min(count_max, log.size());
    return std::vector<RangeRecord>(log.rbegin(),
                                    log.rbegin() + static_cast<std::ptrdiff_t>(count));
  }

 private:
  struct Entry {
    ScopeState state;
    std::string fingerprint;  // of the key of its short IDs; empty: none yet
    std::vector<RangeRecord> log;
    std::map<std::string, std::size_t, std::less<>> keys;  // to their line of the log
  };

  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
  const std::shared_ptr<MemoryRegistryData> registry_ = make_memory_registry_data();
  SystemClock clock_;
  const std::unique_ptr<LeaseStore> leases_ = make_memory_lease_store(clock_);
};

}  // namespace

std::unique_ptr<Store> make_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace tessera
