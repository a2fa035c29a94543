// Numbers become short IDs.

#include "tessera/segment/short_ids.h"

#include "tessera/parse_error.h"

namespace tessera {

std::optional<Error> bind_key(ScopeCatalogue& scopes, std::string_view scope,
                              const ShortCipher& cipher) {
  const std::string ours = cipher.fingerprint();
  const auto kept = scopes.keep_fingerprint(scope, ours);
  if (!kept) return kept.error();
  if (*kept == ours) return std::nullopt;
  return Error{Error::Code::already_exists,
               "scope '" + printable(scope) + "' has made its short IDs with another key",
               "IDs would come twice. Use the key, bits and size it began with, or a new scope."};
}

Scope ShortIds::scope_of(const ShortSpace& space, std::int64_t step) {
  return Scope{.name = space.scope,
               .min = 0,
               .max = static_cast<std::int64_t>(space.count() - 1),
               .step = step};
}

Result<ShortId, Error> ShortIds::id_of(std::uint64_t number) const {
  const auto id = cipher_.encrypt(number);
  if (!id) {
    // The store has a longer scope than was declared here.
    return Failure{Error{Error::Code::exhausted,
                         "number " + std::to_string(number) + " is beyond the last of " +
                             std::to_string(cipher_.size()) + " short IDs",
                         "Declare a new scope, or more bits under a new name."}};
  }
  return *id;
}

Result<ShortId, Error> ShortIds::next(std::chrono::milliseconds wait) {
  const auto number = numbers_->next(wait);
  if (!number) return Failure{number.error()};
  return id_of(static_cast<std::uint64_t>(*number));
}

Result<std::vector<ShortId>, Error> ShortIds::next(std::uint64_t count,
                                                   std::chrono::milliseconds wait) {
  const auto ranges = numbers_->next_range(count, wait);
  if (!ranges) return Failure{ranges.error()};
  std::vector<ShortId> ids;
  ids.reserve(count);
  for (const Segment& range : *ranges) {
    for (std::uint64_t number = range.first; number != range.end; ++number) {
      const auto id = id_of(number);
      if (!id) return Failure{id.error()};
      ids.push_back(*id);
    }
  }
  return ids;
}

}  // namespace tessera
