#pragma once

// HttpRegistry: the registry of another Tessera, by its internal listener.
//
// The other side makes the IDs. What is no ID at all is answered here, by the types, which must be
// declared alike on both sides. A creation without an idempotency key gets one from us, so that it
// happens once, however often its answer is lost. A retirement is asked for once: when its answer
// is lost, it is outcome_unknown, since somebody may have brought the thing back meanwhile.
//
// Thread-safe. Types and entropy must outlive it.

#include <memory>
#include <string>
#include <vector>

#include "tessera/client/http_client.h"
#include "tessera/registry/port.h"
#include "tessera/registry/target.h"
#include "tessera/source.h"

namespace tessera {

class HttpRegistry final : public RegistryPort {
 public:
  HttpRegistry(std::shared_ptr<HttpClient> client, const RegistryTypes& types, Entropy& entropy)
      : client_(std::move(client)), types_(types), entropy_(entropy) {}

  Result<std::vector<NewResource>, Error> create_many(std::string_view tenant,
                                                      std::string_view type, std::size_t count,
                                                      const CreateOptions& options = {}) override;
  Result<LookUp, Error> look_up(std::string_view tenant, std::string_view text) override;
  Result<Resolution, Error> resolve(std::string_view tenant, std::string_view text) override;
  Result<LookUp, Error> retire(std::string_view tenant, std::string_view text) override;
  Result<LookUp, Error> undelete(std::string_view tenant, std::string_view text) override;
  Result<Page, Error> list(std::string_view tenant, std::string_view type,
                           const ListOptions& options = {}) override;
  const RegistryTypes& types() const noexcept override { return types_; }

 private:
  // How a call for a target begins: without a verb behind its path.
  using Ask = HttpCall (*)(const ResourceTarget& target, std::string_view tenant);
  Result<Resolution, Error> ask_about(std::string_view tenant, std::string_view text, Ask ask);
  // "/v1/tenants/acme/stores/st_…/products": the collection of the type in its parent.
  Result<std::string, Error> collection_path(std::string_view tenant, const RegisteredType& type,
                                             std::string_view parent);

  std::shared_ptr<HttpClient> client_;
  const RegistryTypes& types_;
  Entropy& entropy_;
};

}  // namespace tessera
