#pragma once

// Where the registry keeps what was issued: its port. A store implements it, for the types it was
// opened with; nothing here knows which.
//
// Thread-safe. All times are by the clock of the store. Every call that changes something is one
// commit, durable before it returns; where the answer is lost, the error is outcome_unknown.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/registry/type.h"
#include "tessera/result.h"

namespace tessera {

// An ID of a tenant. Texts and type outlive the call.
struct IssuedId {
  const RegisteredType& type;
  std::string_view tenant;
  IdBody body{};
  std::string_view text = {};  // text_of(body), where it is at hand: not to be written twice
};

struct NewEntry {
  std::int64_t key = 0;
  IdBody body{};

  friend bool operator==(const NewEntry&, const NewEntry&) = default;
};

struct CreateRequest {
  const RegisteredType& type;
  std::string_view tenant;
  // The parent, its parent, and so on: as many as the type has. All must be live.
  std::span<const IdBody> ancestors;
  std::span<const NewEntry> entries;  // 1 to kEntriesMax, made in one commit
  // With a key this happens once, for the type's key_time: a second call with it and the same
  // digest gets the entries of the first. With another digest it is key_reused.
  std::string_view idempotency_key = {};
  IdBody digest{};
  // The clock of the store must be between these: what the time in the IDs allows.
  std::int64_t store_ms_min = 0;
  std::int64_t store_ms_max = INT64_MAX;
  std::chrono::milliseconds timeout{5000};

  static constexpr std::size_t kEntriesMax = 10'000;
  static constexpr std::size_t kKeySizeMax = 128;
};

struct CreateAnswer {
  std::vector<NewEntry> entries;
  bool repeated = false;  // the key was known: these are those of the first call
};

// What is known of an ID.
struct Issued {
  enum class State : std::uint8_t { never, live, deleted };

  State state = State::never;
  std::int64_t key = 0;  // of a row that is there
  IdBody body{};
  std::uint64_t created_ms = 0;
  std::optional<std::uint64_t> deleted_ms{};  // not told of types with an exact tombstone
  std::vector<IdBody> ancestors{};            // the parent first; empty if they were erased

  friend bool operator==(const Issued&, const Issued&) = default;
};

struct ListRequest {
  const RegisteredType& type;
  std::string_view tenant;
  std::span<const IdBody> ancestors = {};  // only what belongs to it; empty: all
  bool deleted = false;  // what is deleted and still has its row, not what is live
  std::optional<IdBody> after = {};
  std::size_t count_max = 100;
};

struct Sweep {
  std::size_t ended = 0;    // children that have ended, and rows erased
  std::size_t damaged = 0;  // rows that cannot be read: put off for a day, so that others go on
  bool more = false;        // there is work left that is due
};

// A moment of the store: all creations that will ever be committed after it have read a later
// clock than `now_ms`.
struct Barrier {
  std::int64_t now_ms = 0;
  std::int64_t epoch = 0;  // changes when IDs were brought in from elsewhere
};

// An issued ID as the filter wants it, in the order of creation.
struct IssuedPage {
  std::vector<Hash128> filter_keys;
  std::int64_t created_ms = 0;  // of the last one: where the next page begins
  std::int64_t key = 0;
  bool more = false;
};

// How many there are of a type. What is below one that has ended counts as live until it is swept.
struct RegistryStats {
  std::uint64_t live = 0;
  std::uint64_t deleted = 0;  // may be brought back
  std::uint64_t ended = 0;    // never again; the row stays
  std::uint64_t erased = 0;   // only the tombstone stays
  std::uint64_t keys = 0;     // idempotency keys, also those whose time is over
  std::uint64_t work = 0;     // retirements that have something left to do, now or later

  std::uint64_t rows() const noexcept { return live + deleted + ended; }
  friend bool operator==(const RegistryStats&, const RegistryStats&) = default;
};

// A row as it stands in the table. Nothing of it has been checked.
struct StoredRow {
  std::int64_t key = 0;
  std::string tenant{};
  std::string id{};         // stored as text or bytes: what is there
  std::int64_t number = 0;  // stored as an integer
  std::int64_t state = 0;   // 0 live, 1 deleted, 2 ended; nothing else, if all is well
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> deleted_ms{};
  std::optional<std::int64_t> parent{};

  friend bool operator==(const StoredRow&, const StoredRow&) = default;
};

class RegistryStore {
 public:
  virtual ~RegistryStore() = default;

  // An ancestor that is not live, or no such thing, is not_found. A clock out of bounds is
  // store_unavailable. A key or ID that is there already is store_rewound: nothing is made.
  virtual Result<CreateAnswer, Error> create(const CreateRequest& request) = 0;

  // Deleted, as soon as an ancestor is. Another tenant's ID has never been issued: it is the same
  // statement, and finds nothing.
  virtual Result<Issued, Error> find(const IssuedId& id) = 0;

  // Ends it, and with it all below. What had ended before stays as it was, with its first time.
  // The answer is what is known afterwards.
  virtual Result<Issued, Error> retire(const IssuedId& id) = 0;

  // Brings it back, if its type allows it, the time for it is not over, and its ancestors are
  // live. The answer is what is known afterwards: live, or not.
  virtual Result<Issued, Error> undelete(const IssuedId& id) = 0;

  // Ends the children of what was retired, at most `count_max` rows in one commit, and erases what
  // is to be erased. To be called until there is no more; a crash in between loses nothing.
  virtual Result<Sweep, Error> sweep(std::size_t count_max) = 0;

  // Those that are live, or else those that are deleted, by ID.
  virtual Result<std::vector<Issued>, Error> list(const ListRequest& request) = 0;

  virtual Result<Barrier, Error> barrier(const RegisteredType& type) = 0;
  // What was created at `created_ms` or later, behind `key` in that millisecond.
  virtual Result<IssuedPage, Error> issued(const RegisteredType& type, std::int64_t created_ms,
                                           std::int64_t key, std::size_t count_max) = 0;
  // Tombstones of erased IDs, above `after`.
  virtual Result<std::vector<IdBody>, Error> erased(const RegisteredType& type, const IdBody& after,
                                                    std::size_t count_max) = 0;
  // For whoever brings in IDs from elsewhere: filters that were made before are made anew.
  virtual Result<Barrier, Error> new_epoch(const RegisteredType& type) = 0;

  // Counts; on a large table that takes its time.
  virtual Result<RegistryStats, Error> stats(const RegisteredType& type) = 0;
  // Rows of every tenant and state by key, from `first_key` on.
  virtual Result<std::vector<StoredRow>, Error> rows(const RegisteredType& type,
                                                     std::int64_t first_key,
                                                     std::size_t count_max) = 0;
};

// What every store refuses before it looks, so that all refuse alike.
std::optional<Error> fault_of(const CreateRequest& request);

}  // namespace tessera
