#pragma once

// IdService: every identifier of an installation, from one object.
//
//   IdService ids({.types = types, .scopes = {{.name = "ORDER"}}}, store, clock, monotonic);
//   ids.next_long("ORDER");            42
//   ids.next_public_id("order");       ord_01M0MBZ8ZEKMQP3G3V2KM579HW
//   ids.check("order", text);
//   ids.next_short("VOUCHER");         EEBGNX0Z2
//
// Types and scopes are declared once, at the start; what is not declared is not_found, never a
// zero. Looking one up takes no lock.
//
// Thread-safe. Store, clocks and witness must outlive it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tessera/error.h"
#include "tessera/mint_error.h"
#include "tessera/result.h"
#include "tessera/segment/allocator.h"
#include "tessera/segment/refiller.h"
#include "tessera/segment/scope.h"
#include "tessera/segment/short_ids.h"
#include "tessera/segment/store.h"
#include "tessera/segment/witness.h"
#include "tessera/source.h"
#include "tessera/type_table.h"
#include "tessera/ulid.h"

namespace tessera {

// A scope whose numbers are handed out as short IDs. Ask bind_key() first: nobody does it here,
// since the service is not the operator of the store.
struct ShortScope {
  ShortSpace space;
  ShortKey key;
  std::int64_t step = ShortIds::kStep;
};

struct IdServiceOptions {
  std::vector<ResourceType> types{};
  std::vector<Scope> scopes{};
  std::vector<ShortScope> shorts{};  // their scopes are these, and not among the others
  AllocatorOptions allocator{};
  std::size_t draws_max = 4;  // under way at once: the connections of the store
  bool enabled = true;        // if not, every call is refused as `closed`
};

// A declared scope. Valid as long as the service; saves looking it up.
class IdScope {
 public:
  std::string_view name() const noexcept { return name_; }
  // Of a strict scope every number is asked of the store, also by a call that may not wait.
  Scope::Order order() const noexcept { return allocator_->order(); }

 private:
  friend class IdService;
  IdScope(std::string_view name, SegmentAllocator& allocator) noexcept
      : name_(name), allocator_(&allocator) {}

  std::string_view name_;
  SegmentAllocator* allocator_;
};

class IdService {
 public:
  static constexpr std::chrono::milliseconds kWait = SegmentAllocator::kWait;

  // The declarations are checked; nothing is asked of the store yet.
  static Result<std::unique_ptr<IdService>, Error> make(const IdServiceOptions& options,
                                                        SegmentStore& store, Clock& clock,
                                                        MonotonicClock& monotonic,
                                                        Witness* witness = nullptr);
  ~IdService();
  IdService(const IdService&) = delete;
  IdService& operator=(const IdService&) = delete;

  Result<IdScope, Error> scope(std::string_view name) const;
  Result<const ResourceType*, Error> type(std::string_view name) const;

  // Numbers; see SegmentAllocator for order, errors and waiting.
  Result<std::int64_t, Error> next_long(const IdScope& scope,
                                        std::chrono::milliseconds wait = kWait) {
    if (!enabled_) [[unlikely]]
      return Failure{switched_off()};
    return scope.allocator_->next(wait);
  }
  Result<std::int64_t, Error> next_long(std::string_view scope,
                                        std::chrono::milliseconds wait = kWait);
  Result<std::vector<Segment>, Error> next_longs(const IdScope& scope, std::uint64_t count,
                                                 std::chrono::milliseconds wait = kWait);
  Result<std::vector<Segment>, Error> next_longs(std::string_view scope, std::uint64_t count,
                                                 std::chrono::milliseconds wait = kWait);
  // `count` numbers in a row: what people know as INCRBY.
  Result<Segment, Error> next_longs_in_a_row(const IdScope& scope, std::uint64_t count,
                                             std::chrono::milliseconds wait = kWait);
  Result<Segment, Error> next_longs_in_a_row(std::string_view scope, std::uint64_t count,
                                             std::chrono::milliseconds wait = kWait);
  // The same key gets the same numbers, from every process that uses the store.
  Result<Draw, Error> next_longs_once(std::string_view scope, std::uint64_t count,
                                      std::string_view key, std::chrono::milliseconds wait = kWait);

  Result<Ulid, Error> next_ulid();
  Result<TypedId, Error> next_public_id(const ResourceType& type);
  Result<TypedId, Error> next_public_id(std::string_view type);

  // Short IDs of a scope among `shorts`; see ShortIds for errors. check_short() also takes what
  // people type, and refuses what the scope can never have made.
  Result<ShortId, Error> next_short(std::string_view scope, std::chrono::milliseconds wait = kWait);
  // All or none; 1 to Scope::kDrawMax.
  Result<std::vector<ShortId>, Error> next_shorts(std::string_view scope, std::uint64_t count,
                                                  std::chrono::milliseconds wait = kWait);
  Result<ShortId, Error> check_short(std::string_view scope, std::string_view text) const;
  // The one of a number that next_long() or next_longs() gave.
  Result<ShortId, Error> short_of(std::string_view scope, std::int64_t number) const;

  // What `text` says, if it is an ID of the type; else invalid_request, with the place.
  Result<TypedId, Error> check(std::string_view type, std::string_view text) const;

  // For operators: null if there is no such scope.
  SegmentAllocator* allocator(std::string_view scope) const noexcept;
  const std::vector<IdScope>& scopes() const noexcept { return scopes_; }
  const TypeTable& types() const noexcept { return types_; }

  bool enabled() const noexcept { return enabled_; }
  // Why no ID could be made, as an Error: nothing was done, and a later call may succeed.
  static Error not_made(MintError error);

  // Ends all background work; calls after it are refused as `closed`.
  void close();

 private:
  IdService(Clock& clock, MonotonicClock& monotonic, std::size_t draws_max, bool enabled);
  static Error switched_off();
  Result<SegmentAllocator*, Error> add_scope(const Scope& scope, const AllocatorOptions& options,
                                             SegmentStore& store, MonotonicClock& monotonic,
                                             Witness* witness);

  Clock& clock_;
  const bool enabled_;
  TypeTable types_;
  Refiller refiller_;
  std::vector<std::unique_ptr<SegmentAllocator>> allocators_;
  std::vector<std::string> names_;
  std::vector<IdScope> scopes_;                            // in the order of declaration
  std::unordered_map<std::string_view, IdScope> by_name_;  // written by make() only
  std::unordered_map<std::string_view, ShortIds> shorts_;  // likewise
};

}  // namespace tessera
