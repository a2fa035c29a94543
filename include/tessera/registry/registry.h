#pragma once

// Registry: what was issued, to whom, and that it never comes back.
//
//   Registry registry(types, store, numbers, {clock, monotonic, entropy});
//   registry.create("acme", "store");                 st_01M0MBZ8ZEKMQP3G3V2KM579HW
//   registry.create("acme", "product", {.parent = "st_01M0…", .idempotency_key = "k-1"});
//   registry.look_up("acme", "st_01M0…");             live, deleted, never issued, or invalid
//   registry.retire("acme", "tenants/acme/stores/st_01M0…");       and its products with it
//
// Only the registry makes IDs; callers cannot choose them. Every question needs the tenant, and
// another tenant's ID answers as one that was never issued, by the same statement.
//
// Thread-safe. Types, store, numbers, clocks and entropy must outlive it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/registry/issued_filter.h"
#include "tessera/registry/port.h"
#include "tessera/registry/store.h"
#include "tessera/registry/target.h"
#include "tessera/registry/type.h"
#include "tessera/result.h"
#include "tessera/source.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {

// Where 64-bit keys and short IDs come from; never the same twice in one scope. Thread-safe.
class NumberSource {
 public:
  virtual ~NumberSource() = default;
  virtual Result<std::vector<std::int64_t>, Error> keys(std::string_view scope,
                                                        std::size_t count) = 0;
  // The number of the short ID of a key: scattered, below 2^bits, and no two keys have the same.
  virtual Result<std::uint64_t, Error> short_number(const RegisteredType& type,
                                                    std::int64_t key) = 0;
};

struct RegistryOptions {
  // How far the clock of the store may be from the time in an ID, on both sides together.
  std::chrono::milliseconds window{10'000};
  std::chrono::milliseconds filter_lease{10'000};
  bool filters = true;           // "never issued" from memory, after sync_filters()
  std::size_t sweep_size = 256;  // rows in one commit
};

struct RegistrySources {
  Clock& clock;
  MonotonicClock& monotonic;
  Entropy& entropy;
};

class Registry final : public RegistryPort {
 public:
  Registry(const RegistryTypes& types, RegistryStore& store, NumberSource& numbers,
           RegistrySources sources, const RegistryOptions& options = {});

  // As RegistryPort has it; public ID, resource name and internal key are made in one commit.
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

  // One batch of what retirements have left to do; to be called while there is more.
  Result<Sweep, Error> sweep() { return store_.sweep(options_.sweep_size); }

  // Brings the filters up to date; to be called every second or so. The first error ends it.
  std::optional<Error> sync_filters();
  IssuedFilter* filter(const RegisteredType& type) noexcept;

 private:
  using Target = ResourceTarget;
  Target target_of(std::string_view tenant, std::string_view text) const {
    return read_target(types_, tenant, text);
  }
  Result<LookUp, Error> ask(std::string_view tenant, std::string_view text,
                            std::optional<std::int64_t>& key);
  Result<LookUp, Error> ask_store(std::string_view tenant, const TypedBody& asked,
                                  std::optional<std::int64_t>& key);
  Result<LookUp, Error> ask_by_name(std::string_view tenant, std::string_view text,
                                    std::optional<std::int64_t>& key);
  bool is_stranger(std::string_view tenant, const RegisteredType& type, const IdBody& body) const;
  Result<Issued, Error> find(std::string_view tenant, const Target& target, std::string_view id);
  static LookUp answer_of(std::string_view tenant, const RegisteredType& type, const Issued& issued,
                          std::string id);
  Result<std::vector<IdBody>, Error> ancestors_of(std::string_view tenant,
                                                  const RegisteredType& type,
                                                  std::string_view parent);
  Result<IdBody, Error> mint(const RegisteredType& type, std::int64_t key);

  const RegistryTypes& types_;
  RegistryStore& store_;
  NumberSource& numbers_;
  const RegistryOptions options_;
  UlidGenerator ulids_;
  Uuidv7Generator uuids_;
  std::vector<std::unique_ptr<IssuedFilter>> filters_;  // by the number of the type
};

}  // namespace tessera
