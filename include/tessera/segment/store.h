#pragma once

// Where segments come from: the port of the allocator, and that of the operator.
//
// Both are thread-safe. A store implements them; nothing here knows which.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/segment/scope.h"

namespace tessera {

// The numbers from `first` up to, and not including, `end`. `end` may be 2^63.
struct Segment {
  std::uint64_t first = 0;
  std::uint64_t end = 0;

  constexpr std::uint64_t size() const noexcept { return end - first; }
  friend constexpr bool operator==(const Segment&, const Segment&) = default;
};

struct DrawRequest {
  std::string_view scope;
  std::uint64_t count = 1;       // 1 to Scope::kDrawMax
  std::string_view holder = {};  // who asks, for the range log: "host/pid/start"; at most 128 bytes
  // With a key the draw happens once: a second call with it, from whoever and whenever, gets the
  // same range. At most 128 bytes of printable ASCII; empty: no key.
  std::string_view key = {};
  // How long to wait for the store. What is not answered by then has an unknown outcome.
  std::chrono::milliseconds timeout{5000};
};

struct Draw {
  Segment segment;
  std::int64_t epoch = 1;
  std::int64_t number = 0;  // of this draw in its scope, from 1, without holes
  bool repeated = false;    // the key was known: this is the range of the first call

  friend bool operator==(const Draw&, const Draw&) = default;
};

class SegmentStore {
 public:
  virtual ~SegmentStore() = default;

  // Reserves the next `count` numbers of the scope for the caller alone.
  //
  // Durable before it returns: no later call, from any process, after any crash, returns one of
  // these numbers again, and every range of an epoch is above all earlier ones. If the answer is
  // lost we cannot know, so the error is outcome_unknown and the numbers stay unused: gaps are
  // allowed, repeats are not. If fewer than `count` are left, nothing is reserved and the error
  // is `exhausted`; find() says how many are left. A draw of exactly those succeeds.
  virtual Result<Draw, Error> draw(const DrawRequest& request) = 0;

  virtual Result<ScopeState, Error> find(std::string_view scope) = 0;
};

// One line of the range log, written by the commit that reserved the range.
struct RangeRecord {
  std::string scope;
  std::int64_t epoch = 1;
  std::int64_t number = 0;
  Segment segment;
  std::string holder;
  std::string key;
  std::uint64_t drawn_ms = 0;  // by the clock of the store

  friend bool operator==(const RangeRecord&, const RangeRecord&) = default;
};

class ScopeCatalogue {
 public:
  virtual ~ScopeCatalogue() = default;

  virtual Result<std::vector<ScopeState>, Error> list() = 0;  // by name, byte by byte

  // Makes the scope, or finds it. One that is there with another min, max, order or js_safe is
  // already_exists, and stays as it is; its step is the store's.
  virtual Result<ScopeState, Error> create(const Scope& scope) = 0;

  // Holds from the next draw on.
  virtual Result<ScopeState, Error> set_step(std::string_view scope, std::int64_t step) = 0;

  // Lifts the mark to `high_water` and begins a new epoch, so that no number up to it is ever
  // reserved again. A mark below the present one is refused as invalid_request.
  virtual Result<ScopeState, Error> advance(std::string_view scope, std::int64_t high_water) = 0;

  // Of the key that makes short IDs of its numbers, 1 to 64 bytes of printable ASCII. The first one
  // that comes stays for ever, and is the answer to all who come later.
  virtual Result<std::string, Error> keep_fingerprint(std::string_view scope,
                                                      std::string_view fingerprint) = 0;

  // The draw that reserved `number`; nothing, if no draw on record did.
  virtual Result<std::optional<RangeRecord>, Error> range_of(std::string_view scope,
                                                             std::int64_t number) = 0;
  // The newest first.
  virtual Result<std::vector<RangeRecord>, Error> ranges(std::string_view scope,
                                                         std::size_t count_max) = 0;
};

// Both, of one place. Thread-safe.
class SegmentPorts {
 public:
  virtual ~SegmentPorts() = default;
  virtual SegmentStore& segments() = 0;
  virtual ScopeCatalogue& scopes() = 0;
};

}  // namespace tessera
