#pragma once

// A RegistryStore that passes every call on. Tests derive from it, to count some calls or to spoil
// them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessera/registry/store.h"

namespace tessera {

class ForwardingRegistry : public RegistryStore {
 public:
  explicit ForwardingRegistry(RegistryStore& store) : store_(store) {}

  Result<CreateAnswer, Error> create(const CreateRequest& request) override {
    return store_.create(request);
  }
  Result<Issued, Error> find(const IssuedId& id) override { return store_.find(id); }
  Result<Issued, Error> retire(const IssuedId& id) override { return store_.retire(id); }
  Result<Issued, Error> undelete(const IssuedId& id) override { return store_.undelete(id); }
  Result<Sweep, Error> sweep(std::size_t count_max) override { return store_.sweep(count_max); }
  Result<std::vector<Issued>, Error> list(const ListRequest& request) override {
    return store_.list(request);
  }
  Result<Barrier, Error> barrier(const RegisteredType& type) override {
    return store_.barrier(type);
  }
  Result<IssuedPage, Error> issued(const RegisteredType& type, std::int64_t created_ms,
                                   std::int64_t key, std::size_t count_max) override {
    return store_.issued(type, created_ms, key, count_max);
  }
  Result<std::vector<IdBody>, Error> erased(const RegisteredType& type, const IdBody& after,
                                            std::size_t count_max) override {
    return store_.erased(type, after, count_max);
  }
  Result<Barrier, Error> new_epoch(const RegisteredType& type) override {
    return store_.new_epoch(type);
  }
  Result<RegistryStats, Error> stats(const RegisteredType& type) override {
    return store_.stats(type);
  }
  Result<std::vector<StoredRow>, Error> rows(const RegisteredType& type, std::int64_t first_key,
                                             std::size_t count_max) override {
    return store_.rows(type, first_key, count_max);
  }

 protected:
  RegistryStore& store_;
};

}  // namespace tessera
