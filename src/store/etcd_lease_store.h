#pragma once

// Leases of machine numbers on etcd.
//
// etcd tells nobody the time, but it ends leases of its own by the clock of its leader, and deletes
// the keys that hang on them. So a number has three keys:
//
//    lease        what is known of it: token, limit, holder. For ever
//    lease_held   hangs on a lease of etcd that lives for `ttl`        there: the number is held
//    lease_rest   hangs on one that lives for `ttl` and `quarantine`   there: it is not free yet
//
//    claim    if the first is as it was read and the other two are not there:
//             write all three                                                        one
//             transaction
//    raise    let both leases of etcd live on; then, if the first two are as they were read:
//             write the limit                                                        one
//             transaction
//    release  if the first two are as they were read: delete the second, and hang the
//             third on a new lease that lives for `quarantine`                       one
//             transaction
//
// Whether a lease has ended is thus decided by etcd, in the transaction that hands the number on,
// and by nobody's clock. A lease of etcd lives for whole seconds, two at least, and longer when
// there is a new leader; all leases may end early when a leader stalls (etcd#15247). Neither
// matters to IDs: the limit is no matter of etcd's leases.
//
// What time it is in IDs, `now_ms`, is by the clock of this machine.
//
// A transaction whose answer was lost is asked for again, and finds by its mark that it was done.
//
// Thread-safe. The client must outlive it.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/etcd_client.h"
#include "store/etcd_lease_records.h"
#include "tessera/lease/store.h"
#include "tessera/system.h"

namespace tessera {

class EtcdLeaseStore final : public LeaseStore {
 public:
  // `timeout` is that of list().
  EtcdLeaseStore(etcd::Client& client, etcd::LeaseKeys keys, std::chrono::milliseconds timeout);

  Result<Lease, Error> claim(const ClaimRequest& request) override;
  Result<Reservation, Error> raise(const RaiseRequest& request) override;
  Result<LeaseRecord, Error> release(const ReleaseRequest& request) override;
  Result<LeasePage, Error> list(const LeaseListRequest& request) override;

 private:
  // A number, at one moment.
  struct Seen {
    etcd::LeaseName name;
    etcd::Entry entry;
    etcd::KeptLease kept;
    std::optional<etcd::Entry> held;
    bool rests = false;

    // As the rules have it, for whom a row says when it ends and ended.
    LeaseRow row(std::uint64_t now_ms) const;
  };
  // One call: its mark, its pauses, and how long it may take.
  class Attempts;
  struct Choice;

  Result<std::vector<Seen>, Error> read_page(const etcd::LeaseNames& names, std::int64_t count_max,
                                             etcd::Time deadline);
  Result<std::optional<Seen>, Error> read_one(const etcd::LeaseName& name, etcd::Time deadline);
  Result<Choice, Error> choose(const ClaimRequest& request, etcd::Time deadline);

  Result<etcd::Grant, Error> grant(std::int64_t ttl_s, etcd::Time deadline);
  // The same one, if it can live on for as long; else a new one.
  Result<etcd::Grant, Error> renew(const etcd::Grant& grant, std::int64_t ttl_s,
                                   etcd::Time deadline);
  // Nothing hangs on it. If it does not go it ends by itself.
  void revoke(const etcd::Grant& grant, etcd::Time deadline);

  etcd::Client& client_;
  const etcd::LeaseKeys keys_;
  const std::chrono::milliseconds timeout_;
  SystemClock clock_;
};

}  // namespace tessera
