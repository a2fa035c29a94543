#pragma once

// ShortIds: the short IDs of one scope, from numbers that were drawn in blocks.
//
//    store -- blocks --> SegmentAllocator -- number --> ShortCipher --> ShortId
//
//   ShortIds vouchers(cipher, allocator);
//   const auto id = vouchers.next();            EEBGNX0Z2
//
// Every process draws blocks of its own, and the cipher leads different numbers to different
// IDs: so no ID comes twice, and nobody asks about a single one. At the end of the scope all
// have been used, but for the gaps of processes that ended with numbers left, and the error is
// `exhausted`.
//
// Thread-safe. The allocator must outlive it.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/segment/allocator.h"
#include "tessera/segment/scope.h"
#include "tessera/segment/store.h"
#include "tessera/short_cipher.h"
#include "tessera/short_id.h"

namespace tessera {

// Nothing, if the scope has made its short IDs with this key, bits and size so far, or none yet:
// then it is bound to them, for ever. Else already_exists. To be asked before the first ID, since
// another key gives other IDs, some of which were given out before. The scope must be there.
std::optional<Error> bind_key(ScopeCatalogue& scopes, std::string_view scope,
                              const ShortCipher& cipher);

class ShortIds {
 public:
  // A block of a space that may be small: what is lost with a process is lost for ever.
  static constexpr std::int64_t kStep = 100;

  // The scope that its numbers come from: 0 to space.count() - 1. The space must be faultless.
  static Scope scope_of(const ShortSpace& space, std::int64_t step = kStep);

  ShortIds(const ShortCipher& cipher, SegmentAllocator& numbers) noexcept
      : cipher_(cipher), numbers_(&numbers) {}

  // Errors: those of SegmentAllocator::next(), with `exhausted` for the end of the space.
  Result<ShortId, Error> next(std::chrono::milliseconds wait = SegmentAllocator::kWait);
  // All or none, as SegmentAllocator::next_range().
  Result<std::vector<ShortId>, Error> next(std::uint64_t count, std::chrono::milliseconds wait);

  // The one of a number that was drawn from the scope before.
  Result<ShortId, Error> id_of(std::uint64_t number) const;

  const ShortCipher& cipher() const noexcept { return cipher_; }

 private:
  ShortCipher cipher_;
  SegmentAllocator* numbers_;
};

}  // namespace tessera
