#pragma once

// verify_registry: proves from the range log and the rows that no ID was issued twice.
//
//    range log   |---- 1..1000 ----|         |---- 2001..3000 ----|      keys that were drawn
//    rows          1  2  5 ...                 2001 ...      9999        keys that are used
//                                                             ^ never drawn
//
// It holds that
//   - every key was drawn from the scope of its type, in a range that no other range begins in, and
//     is used once in all types of the scope;
//   - no ID is there twice, whoever the tenants are;
//   - no ID whose tombstone says that it was erased has a row;
//   - every row can be read: its ID is of its type and in its form, and so are state and tenant.
//
// Reads only. The registry may be in use: what is made, ended or erased meanwhile is no fault. The
// memory it takes does not grow with the rows: a type with more than `ids_max` is read once for
// each so many.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/registry/store.h"
#include "tessera/registry/type.h"
#include "tessera/result.h"

namespace tessera {

// Both are part of it.
struct KeyRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// What was drawn from the scopes. A scope that is not there has no range.
class RangeLog {
 public:
  virtual ~RangeLog() = default;
  // The range that `key` was drawn in, the last to begin if there are several; nothing, if no draw
  // on record has it.
  virtual Result<std::optional<KeyRange>, Error> range_of(std::string_view scope,
                                                          std::int64_t key) = 0;
};

struct RegistryFault {
  enum class Code : std::uint8_t {
    bad_id,           // not of the type, or not in its form
    bad_state,        // no state, or a time that does not fit it
    bad_tenant,       // no name that a tenant can have
    key_never_drawn,  // no range of the scope has it
    range_overlaps,   // another range begins in that of its key
    key_used_twice,   // another type of the scope has it too
    id_issued_twice,  // another row has it too
    came_back,        // its tombstone says that it was erased
  };

  Code code = Code::bad_id;
  const RegisteredType* type = nullptr;
  StoredRow row;
  std::string detail;  // what more there is to say; printable, may be empty
};
std::string_view name_of(RegistryFault::Code code) noexcept;    // "came_back"
std::string_view phrase_of(RegistryFault::Code code) noexcept;  // "the tombstone says ..."

struct VerifyOptions {
  std::size_t page_size = 1000;
  std::size_t ids_max = 2'000'000;  // held at once, in 24 bytes each, and their tombstones in 24
  std::size_t faults_max = 20;      // kept; all are counted
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

struct VerifyReport {
  std::uint64_t rows = 0;
  std::uint64_t ranges = 0;      // in which their keys were drawn
  std::uint64_t tombstones = 0;  // of erased ones
  std::uint64_t fault_count = 0;
  std::vector<RegistryFault> faults;  // the first ones
};

Result<VerifyReport, Error> verify_registry(const RegistryTypes& types, RegistryStore& store,
                                            RangeLog& log, const VerifyOptions& options = {});

// The ID in a row; nothing, if it is not of the type or not in its form.
std::optional<IdBody> body_of(const RegisteredType& type, const StoredRow& row);

}  // namespace tessera
