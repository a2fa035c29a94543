#pragma once

// HttpLeaseStore: the machine numbers of another Tessera, by its internal listener.
//
// A claim is sent once: if its answer is lost the number, if one was taken, is nobody's until it
// ends by itself. A raise may be sent several times, since twice is as once. The time in an answer
// is that of the store behind the other Tessera.
//
// Thread-safe.

#include <memory>
#include <string_view>
#include <vector>

#include "tessera/client/http_client.h"
#include "tessera/lease/store.h"

namespace tessera {

class HttpLeaseStore final : public LeaseStore {
 public:
  explicit HttpLeaseStore(std::shared_ptr<HttpClient> client) : client_(std::move(client)) {}

  Result<Lease, Error> claim(const ClaimRequest& request) override;
  Result<Reservation, Error> raise(const RaiseRequest& request) override;
  Result<LeaseRecord, Error> release(const ReleaseRequest& request) override;
  Result<LeasePage, Error> list(const LeaseListRequest& request) override;

 private:
  std::shared_ptr<HttpClient> client_;
};

}  // namespace tessera
