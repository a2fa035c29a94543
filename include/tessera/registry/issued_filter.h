#pragma once

// IssuedFilter: says of an ID that it was never issued, from memory, and is never wrong.
//
//      all creations behind have      |  s: the barrier    creations ahead read a clock of s or
//      been committed, and are read   |  of the last sync  later, so the time in their ID is
//      into the filter                |                    s - window/2 or later
//   ----------------------------------+----------------------------------------------------> time
//            answered from memory | window |  ask the store
//
// A creation reads the clock of the store behind a gate, and is refused if it is more than half a
// window away from the time in its ID. A barrier waits at the gate until nobody is behind it. So
// of IDs that are older than s - window/2 no more come, ever, and those that came are in the
// filter. The other half of the window is for a store whose clock steps back.
//
// Thread-safe; questions take no lock. Type, store and clock must outlive it.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/registry/filter.h"
#include "tessera/registry/store.h"
#include "tessera/registry/type.h"
#include "tessera/source.h"

namespace tessera {

struct IssuedFilterOptions {
  std::chrono::milliseconds window{10'000};
  // How long the filter answers after a sync. Who brings in IDs from elsewhere begins a new epoch
  // and waits for so long: by then every filter has heard of it, or is silent.
  std::chrono::milliseconds lease{10'000};
  std::size_t page_size = 1000;
};

class IssuedFilter {
 public:
  IssuedFilter(const RegisteredType& type, RegistryStore& store, MonotonicClock& monotonic,
               const IssuedFilterOptions& options = {});

  // True: never issued to this tenant. False: ask the store.
  bool never_issued(std::string_view tenant, const IdBody& body) const;

  // Reads what is new, or everything if need be. One at a time; to be called every second or so.
  // After an error the filter answers as before, until its lease is over.
  std::optional<Error> sync();

  // The filter as it was at the last sync, so that the next process need not read everything.
  // False: there is nothing to save, or no room for it.
  bool save(const std::string& path) const;
  // Before the first sync. A file that is not there, not whole, or of another store is passed over.
  bool load(const std::string& path);

  struct Status {
    std::uint64_t count = 0;
    std::uint64_t capacity = 0;
    std::uint64_t rebuilds = 0;  // how often everything was read
    std::int64_t synced_ms = 0;  // by the clock of the store; 0: never
  };
  Status status() const;

 private:
  std::optional<Error> read_everything();
  std::optional<Error> rebuild(std::uint64_t capacity);
  MembershipFilter* filter() const noexcept { return filter_.load(std::memory_order_acquire); }
  // `count`, if given, grows by how many were read.
  std::optional<Error> read_issued(MembershipFilter& filter, std::int64_t from_ms,
                                   std::uint64_t* count = nullptr) const;
  std::optional<Error> read_erased(MembershipFilter& filter, std::uint64_t* count = nullptr) const;

  const RegisteredType& type_;
  RegistryStore& store_;
  MonotonicClock& monotonic_;
  const IssuedFilterOptions options_;

  std::mutex sync_mutex_;                   // guards what follows
  std::optional<Barrier> last_;             // of the last sync, or of the file
  std::chrono::nanoseconds last_start_{0};  // when that sync began; 0: of a file
  // The last one answers. What it has outgrown stays, since somebody may be reading in it; each was
  // half of the next at most.
  std::vector<std::unique_ptr<MembershipFilter>> filters_;

  // For questions. A sync writes them from the top, and a question reads them from the end: so what
  // it reads first is never newer than what it reads then.
  std::atomic<MembershipFilter*> filter_{nullptr};
  std::atomic<std::int64_t> answers_below_ms_{0};  // IDs of this time or later are for the store
  std::atomic<std::int64_t> good_until_ns_{0};     // by the monotonic clock

  mutable std::mutex mutex_;  // guards what follows
  Barrier answered_{};        // of the last sync; now_ms 0: none yet
  std::uint64_t rebuilds_ = 0;
};

}  // namespace tessera
