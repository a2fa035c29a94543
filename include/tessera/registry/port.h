#pragma once

// RegistryPort: what can be asked of a registry, wherever it is.
//
// Registry answers from a store; HttpRegistry asks another Tessera. Thread-safe.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/error.h"
#include "tessera/parse_error.h"
#include "tessera/registry/type.h"
#include "tessera/result.h"

namespace tessera {

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

  // Written out: the compiler's own would set all of it to zero first, which takes as long as
  // to ask the filter.
  LookUp() noexcept {}

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

class RegistryPort {
 public:
  static constexpr std::size_t kPageSizeMax = 1000;

  virtual ~RegistryPort() = default;

  Result<NewResource, Error> create(std::string_view tenant, std::string_view type,
                                    const CreateOptions& options = {}) {
    auto made = create_many(tenant, type, 1, options);
    if (!made) return Failure{made.error()};
    return std::move(made->front());
  }
  // All or none of them; up to CreateRequest::kEntriesMax.
  virtual Result<std::vector<NewResource>, Error> create_many(
      std::string_view tenant, std::string_view type, std::size_t count,
      const CreateOptions& options = {}) = 0;

  // `text` is a public ID or a resource name. Errors are of the store, or a tenant that is none.
  virtual Result<LookUp, Error> look_up(std::string_view tenant, std::string_view text) = 0;
  virtual Result<Resolution, Error> resolve(std::string_view tenant, std::string_view text) = 0;

  // The answer is what look_up() says afterwards. All below ends with it, at once.
  virtual Result<LookUp, Error> retire(std::string_view tenant, std::string_view text) = 0;
  virtual Result<LookUp, Error> undelete(std::string_view tenant, std::string_view text) = 0;

  // What is live, or else what is deleted, by ID. A token of another question is invalid_request;
  // so are the tombstones of a type that keeps nothing but that its IDs were used.
  virtual Result<Page, Error> list(std::string_view tenant, std::string_view type,
                                   const ListOptions& options = {}) = 0;

  virtual const RegistryTypes& types() const noexcept = 0;
};

}  // namespace tessera
