#pragma once

// StoreMeter: how often a store is asked, how long it takes, and how often it fails, for /metrics.
//
//   StoreMeter meter(monotonic);
//   MeteredSegments segments(store.segments(), meter);      asks the store, and is counted
//   MeteredLeases leases(store.leases(), meter);
//   MeteredRegistry rows(*registry, meter);
//
// Thread-safe. What is metered, the meter and the clock must outlive who meters.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tessera/error.h"
#include "tessera/lease/store.h"
#include "tessera/registry/store.h"
#include "tessera/result.h"
#include "tessera/segment/store.h"
#include "tessera/source.h"

namespace tessera::service {

class StoreMeter {
 public:
  enum class Call : std::uint8_t {
    draw,
    find_scope,
    create,
    find,
    retire,
    undelete,
    list,
    look_after,
    claim,
    raise,
    release,
    list_leases
  };

  explicit StoreMeter(MonotonicClock& clock);
  ~StoreMeter();
  StoreMeter(const StoreMeter&) = delete;
  StoreMeter& operator=(const StoreMeter&) = delete;

  // Asks, and counts what came of it.
  template <class Ask>
  auto measure(Call call, const Ask& ask) {
    const auto begun = clock_.now();
    auto answer = ask();
    add(call, clock_.now() - begun, answer ? nullptr : &answer.error());
    return answer;
  }

  // As Prometheus reads it.
  std::string text() const;

 private:
  struct Series;
  void add(Call call, std::chrono::nanoseconds time, const Error* error);

  MonotonicClock& clock_;
  std::unique_ptr<Series> series_;
};

class MeteredSegments final : public SegmentStore {
 public:
  MeteredSegments(SegmentStore& store, StoreMeter& meter) : store_(store), meter_(meter) {}

  Result<Draw, Error> draw(const DrawRequest& request) override;
  Result<ScopeState, Error> find(std::string_view scope) override;

 private:
  SegmentStore& store_;
  StoreMeter& meter_;
};

class MeteredLeases final : public LeaseStore {
 public:
  MeteredLeases(LeaseStore& store, StoreMeter& meter) : store_(store), meter_(meter) {}

  Result<Lease, Error> claim(const ClaimRequest& request) override;
  Result<Reservation, Error> raise(const RaiseRequest& request) override;
  Result<LeaseRecord, Error> release(const ReleaseRequest& request) override;
  Result<LeasePage, Error> list(const LeaseListRequest& request) override;

 private:
  LeaseStore& store_;
  StoreMeter& meter_;
};

class MeteredRegistry final : public RegistryStore {
 public:
  MeteredRegistry(RegistryStore& store, StoreMeter& meter) : store_(store), meter_(meter) {}

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
  RegistryStore& store_;
  StoreMeter& meter_;
};

}  // namespace tessera::service
