// Counts round trips to a store.

#include "tessera/service/store_meter.h"

#include <array>

#include "service/metrics.h"

namespace tessera::service {
namespace {

using Call = StoreMeter::Call;

constexpr std::array<std::string_view, 12> kNames = {
    "draw", "find_scope", "create", "find",  "retire",  "undelete",
    "list", "look_after", "claim",  "raise", "release", "list_leases"};

}  // namespace

struct StoreMeter::Series {
  Metrics metrics;
  std::array<Histogram*, kNames.size()> times{};
};

StoreMeter::StoreMeter(MonotonicClock& clock) : clock_(clock), series_(std::make_unique<Series>()) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    series_->times[i] = &series_->metrics.histogram(
        "tessera_store_seconds", "Round trips to the store.", {{"call", kNames[i]}});
  }
}

StoreMeter::~StoreMeter() = default;

void StoreMeter::add(Call call, std::chrono::nanoseconds time, const Error* error) {
  const auto number = static_cast<std::size_t>(call);
  series_->times[number]->add(time);
  if (error == nullptr) [[likely]]
    return;
  series_->metrics
      .counter("tessera_store_errors_total", "Calls that the store answered with an error.",
               {{"call", kNames[number]}, {"code", name_of(error->code)}})
      .add();
}

std::string StoreMeter::text() const { return series_->metrics.text(); }

Result<Draw, Error> MeteredSegments::draw(const DrawRequest& request) {
  return meter_.measure(Call::draw, [&] { return store_.draw(request); });
}
Result<ScopeState, Error> MeteredSegments::find(std::string_view scope) {
  return meter_.measure(Call::find_scope, [&] { return store_.find(scope); });
}

Result<Lease, Error> MeteredLeases::claim(const ClaimRequest& request) {
  return meter_.measure(Call::claim, [&] { return store_.claim(request); });
}
Result<Reservation, Error> MeteredLeases::raise(const RaiseRequest& request) {
  return meter_.measure(Call::raise, [&] { return store_.raise(request); });
}
Result<LeaseRecord, Error> MeteredLeases::release(const ReleaseRequest& request) {
  return meter_.measure(Call::release, [&] { return store_.release(request); });
}
Result<LeasePage, Error> MeteredLeases::list(const LeaseListRequest& request) {
  return meter_.measure(Call::list_leases, [&] { return store_.list(request); });
}

Result<CreateAnswer, Error> MeteredRegistry::create(const CreateRequest& request) {
  return meter_.measure(Call::create, [&] { return store_.create(request); });
}
Result<Issued, Error> MeteredRegistry::find(const IssuedId& id) {
  return meter_.measure(Call::find, [&] { return store_.find(id); });
}
Result<Issued, Error> MeteredRegistry::retire(const IssuedId& id) {
  return meter_.measure(Call::retire, [&] { return store_.retire(id); });
}
Result<Issued, Error> MeteredRegistry::undelete(const IssuedId& id) {
  return meter_.measure(Call::undelete, [&] { return store_.undelete(id); });
}
Result<Sweep, Error> MeteredRegistry::sweep(std::size_t count_max) {
  return meter_.measure(Call::look_after, [&] { return store_.sweep(count_max); });
}
Result<std::vector<Issued>, Error> MeteredRegistry::list(const ListRequest& request) {
  return meter_.measure(Call::list, [&] { return store_.list(request); });
}
Result<Barrier, Error> MeteredRegistry::barrier(const RegisteredType& type) {
  return meter_.measure(Call::look_after, [&] { return store_.barrier(type); });
}
Result<IssuedPage, Error> MeteredRegistry::issued(const RegisteredType& type,
                                                  std::int64_t created_ms, std::int64_t key,
                                                  std::size_t count_max) {
  return meter_.measure(Call::look_after,
                        [&] { return store_.issued(type, created_ms, key, count_max); });
}
Result<std::vector<IdBody>, Error> MeteredRegistry::erased(const RegisteredType& type,
                                                           const IdBody& after,
                                                           std::size_t count_max) {
  return meter_.measure(Call::look_after, [&] { return store_.erased(type, after, count_max); });
}
Result<Barrier, Error> MeteredRegistry::new_epoch(const RegisteredType& type) {
  return meter_.measure(Call::look_after, [&] { return store_.new_epoch(type); });
}
Result<RegistryStats, Error> MeteredRegistry::stats(const RegisteredType& type) {
  return meter_.measure(Call::look_after, [&] { return store_.stats(type); });
}
Result<std::vector<StoredRow>, Error> MeteredRegistry::rows(const RegisteredType& type,
                                                            std::int64_t first_key,
                                                            std::size_t count_max) {
  return meter_.measure(Call::look_after, [&] { return store_.rows(type, first_key, count_max); });
}

}  // namespace tessera::service
