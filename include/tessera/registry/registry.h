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
#include "tessera/parse_error.h"
#include "tessera/registry/issued_filter.h"
#include "tessera/registry/store.h"
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

struct CreateOptions {
  std::string_view parent = {};  // its resource name or public ID; must be live
  std::string_view idempotency_key = {};
  std::chrono::milliseconds timeout{5000};
};

struct NewResource {
  std::string id;         // "prd_01M0…"
  std::string name;       // "tenants/acme/stores/st_01M0…/products/prd_01M0…"
  std::int64_t key = 0;   // internal: never for the public
  bool repeated = false;  // the idempotency key was known: this is the answer of the first call

  friend bool operator==(const NewResource&, const NewResource&) = default;
};

// One of four answers, never mixed.
struct LookUp {
  enum class State : std::uint8_t { invalid, never_issued, deleted, live };

  State state = State::never_issued;
  const RegisteredType* type = nullptr;  // as far as the text says
  std::string id{};                      // of what was issued: the canonical text
  std::string name{};                    // of a live one
  std::uint64_t created_ms = 0;          // of a live one
  std::optional<std::uint64_t> deleted_ms{};
  std::optional<ParseError> fault{};  // if invalid: what is wrong with the text, and where
  std::string correction{};           // if invalid: the text that may have been meant; often empty
  bool alias = false;                 // if invalid: a chosen name stands where an ID could
};
std::string_view name_of(LookUp::State state) noexcept;  // "never_issued"

struct Resolution {
  LookUp answer;
  std::optional<std::int64_t> key;  // of a live one
};

struct ListOptions {
  std::string_view parent = {};      // its resource name or public ID; empty: all
  bool deleted = false;              // the tombstones, not what is live
  std::string_view page_token = {};  // of the page before; empty: from the beginning
  std::size_t page_size = 100;       // at most 1000
};

struct ListedResource {
  std::string id;
  std::string name;      // empty, if what it belonged to was erased
  std::int64_t key = 0;  // internal: never for the public
  std::uint64_t created_ms = 0;
  std::optional<std::uint64_t> deleted_ms{};  // of a tombstone
};

struct Page {
  std::vector<ListedResource> items;
  std::string next_token;  // empty: that was all
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

class Registry {
 public:
  static constexpr std::size_t kPageSizeMax = 1000;

  Registry(const RegistryTypes& types, RegistryStore& store, NumberSource& numbers,
           RegistrySources sources, const RegistryOptions& options = {});

  // Public ID, resource name and internal key, in one commit.
  Result<NewResource, Error> create(std::string_view tenant, std::string_view type,
                                    const CreateOptions& options = {});
  // All or none of them, in one commit; up to CreateRequest::kEntriesMax.
  Result<std::vector<NewResource>, Error> create_many(std::string_view tenant,
                                                      std::string_view type, std::size_t count,
                                                      const CreateOptions& options = {});

  // `text` is a public ID or a resource name. Errors are of the store, or a tenant that is none.
  Result<LookUp, Error> look_up(std::string_view tenant, std::string_view text);
  Result<Resolution, Error> resolve(std::string_view tenant, std::string_view text);

  // The answer is what look_up() says afterwards. All below ends with it, at once.
  Result<LookUp, Error> retire(std::string_view tenant, std::string_view text);
  Result<LookUp, Error> undelete(std::string_view tenant, std::string_view text);

  // What is live, or else what is deleted, by ID. A token of another question is invalid_request;
  // so are the tombstones of a type that keeps nothing but that its IDs were used.
  Result<Page, Error> list(std::string_view tenant, std::string_view type,
                           const ListOptions& options = {});

  // One batch of what retirements have left to do; to be called while there is more.
  Result<Sweep, Error> sweep() { return store_.sweep(options_.sweep_size); }

  // Brings the filters up to date; to be called every second or so. The first error ends it.
  std::optional<Error> sync_filters();
  IssuedFilter* filter(const RegisteredType& type) noexcept;

  const RegistryTypes& types() const noexcept { return types_; }

 private:
  struct Target;
  Target target_of(std::string_view tenant, std::string_view text) const;
  Result<LookUp, Error> ask(std::string_view tenant, std::string_view text,
                            std::optional<std::int64_t>& key);
  bool is_stranger(std::string_view tenant, const RegisteredType& type, const IdBody& body) const;
  Result<Issued, Error> find(std::string_view tenant, const Target& target);
  LookUp answer_of(std::string_view tenant, const Target& target, const Issued& issued) const;
  Result<std::vector<IdBody>, Error> ancestors_of(std::string_view tenant,
                                                  const RegisteredType& type,
                                                  std::string_view parent);
  Result<IdBody, Error> mint(const RegisteredType& type, std::int64_t key);
  Result<const RegisteredType*, Error> type_named(std::string_view name) const;

  const RegistryTypes& types_;
  RegistryStore& store_;
  NumberSource& numbers_;
  const RegistryOptions options_;
  UlidGenerator ulids_;
  Uuidv7Generator uuids_;
  std::vector<std::unique_ptr<IssuedFilter>> filters_;  // by the number of the type
};

// "tenants/acme/stores/st_…/products/prd_…". `ancestors` begin with the parent.
std::string resource_name_of(std::string_view tenant, const RegisteredType& type,
                             std::span<const IdBody> ancestors, const IdBody& body);

}  // namespace tessera
