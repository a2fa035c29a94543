#pragma once

// Delegation: a range of a scope becomes a scope of its own, in this store or in another.
//
//    ORDER     1 .............. 5,000 | 5,001 ........ 1,005,000 | 1,005,001 ..........>
//                                     |   ORDER-EU: min and max  |
//
// For regions and shards that go on when they cannot reach each other. A delegated range is drawn,
// so that the scope it came from never hands out one of its numbers again, whatever happens to the
// rest of this; only then is the new scope made, with these numbers and no others. What is left of
// it can be taken back the same way: the rest of ORDER-EU, however much that is at the moment, is
// drawn to the last number and becomes a scope elsewhere, and ORDER-EU is used up for ever. Nothing
// goes back into the scope that it came from: marks never sink.
//
// Asked for twice it happens once: the draw has a key, made of the name of the new scope. So who
// got no answer, or crashed between the two steps, asks again.

#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/segment/scope.h"
#include "tessera/segment/store.h"

namespace tessera {

// Of one range that becomes a scope. Other draws have at most Scope::kDrawMax.
inline constexpr std::int64_t kDelegateMax = Scope::kJsSafeMax;

// Whether a draw with this request key takes a range that becomes a scope: "delegate/ORDER-EU".
bool is_delegation_key(std::string_view key) noexcept;

struct DelegateRequest {
  std::string_view from;                    // a scope
  std::string_view to;                      // a name that no scope has yet
  std::optional<std::uint64_t> count = {};  // 1 to kDelegateMax; nothing: all that is left
  std::optional<std::int64_t> step = {};    // of the new scope; nothing: that of the old one
  std::string_view holder = {};             // for the range log
};

struct Delegation {
  Segment segment;
  ScopeState state;       // of the new scope
  bool repeated = false;  // it was done before

  friend bool operator==(const Delegation&, const Delegation&) = default;
};

// Both may be one store. Errors: not_found (no scope `from`), already_exists (there is a scope `to`
// that was not made so), exhausted (fewer are left), key_reused (it was done with another count),
// and those of the stores.
Result<Delegation, Error> delegate(SegmentPorts& source, SegmentPorts& target,
                                   const DelegateRequest& request);

}  // namespace tessera
