// Leases in memory: tables under one lock.

#include "tessera/lease/memory_store.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "tessera/lease/rules.h"

namespace tessera {
namespace {

class MemoryLeaseStore final : public LeaseStore {
 public:
  explicit MemoryLeaseStore(Clock& clock) : clock_(clock) {}

  Result<Lease, Error> claim(const ClaimRequest& request) override {
    if (auto fault = fault_of(request)) return Failure{*fault};
    const std::scoped_lock guard(mutex_);
    const std::uint64_t now_ms = clock_.now_ms();
    const auto found = scopes_.find(request.scope);
    if (found != scopes_.end() && found->second.layout != request.layout) {
      return Failure{layout_differs(request.scope, found->second.layout, request.layout)};
    }
    std::vector<LeaseRow> rows;
    if (found != scopes_.end()) {
      for (const auto& [machine, row] : found->second.rows) rows.push_back(row);
    }
    const auto machine = choose_machine(rows, request, now_ms);
    if (!machine) return Failure{machine.error()};
    Scope& scope = scopes_[std::string(request.scope)];
    scope.layout = request.layout;
    const auto before = row_of(request.scope, *machine);
    const LeaseRow after = after_claim(before, *machine, request, now_ms);
    scope.rows.insert_or_assign(*machine, after);
    return lease_of(before, after, request.terms, now_ms);
  }

  Result<Reservation, Error> raise(const RaiseRequest& request) override {
    if (auto fault = fault_of(request)) return Failure{*fault};
    const std::scoped_lock guard(mutex_);
    const std::uint64_t now_ms = clock_.now_ms();
    const auto after = after_raise(row_of(request.scope, request.machine), request, now_ms);
    if (!after) return Failure{after.error()};
    scopes_.find(request.scope)->second.rows[request.machine] = *after;
    return reservation_of(*after, request.terms, now_ms);
  }

  Result<LeaseRecord, Error> release(const ReleaseRequest& request) override {
    if (auto fault = fault_of(request)) return Failure{*fault};
    const std::scoped_lock guard(mutex_);
    const std::uint64_t now_ms = clock_.now_ms();
    const auto after = after_release(row_of(request.scope, request.machine), request, now_ms);
    if (!after) return Failure{after.error()};
    Scope& scope = scopes_.find(request.scope)->second;
    scope.rows[request.machine] = *after;
    return record_of(request.scope, scope.layout, *after, now_ms);
  }

  Result<LeasePage, Error> list(const LeaseListRequest& request) override {
    const auto start = page_start(request);
    if (!start) return Failure{start.error()};
    const std::scoped_lock guard(mutex_);
    const std::uint64_t now_ms = clock_.now_ms();
    std::vector<LeaseRecord> records;
    const auto from = *start ? (*start)->scope : std::string(request.scope);
    for (auto scope = scopes_.lower_bound(from); scope != scopes_.end(); ++scope) {
      const auto& [name, entry] = *scope;
      if (!request.scope.empty() && name != request.scope) break;
      const bool begun = *start && name == (*start)->scope;
      auto row = begun ? entry.rows.upper_bound((*start)->machine) : entry.rows.begin();
      for (; row != entry.rows.end() && records.size() <= request.page_size; ++row) {
        records.push_back(record_of(name, entry.layout, row->second, now_ms));
      }
    }
    return page_of(request, std::move(records));
  }

 private:
  struct Scope {
    std::string layout;
    std::map<std::uint32_t, LeaseRow> rows;
  };

  std::optional<LeaseRow> row_of(std::string_view scope, std::uint32_t machine) const {
    const auto found = scopes_.find(scope);
    if (found == scopes_.end()) return std::nullopt;
    const auto row = found->second.rows.find(machine);
    return row == found->second.rows.end() ? std::nullopt : std::optional(row->second);
  }

  Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Scope, std::less<>> scopes_;
};

}  // namespace

std::unique_ptr<LeaseStore> make_memory_lease_store(Clock& clock) {
  return std::make_unique<MemoryLeaseStore>(clock);
}

}  // namespace tessera
