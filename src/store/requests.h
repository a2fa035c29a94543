#pragma once

// What every store refuses before it looks, so that all refuse alike; and what every store says
// when it finds no numbers.

#include <optional>
#include <string>
#include <string_view>

#include "tessera/error.h"
#include "tessera/segment/store.h"

namespace tessera {

inline constexpr std::size_t kHolderSizeMax = 128;
inline constexpr std::size_t kKeySizeMax = 128;
inline constexpr std::size_t kFingerprintSizeMax = 64;

std::optional<Error> fault_of_name(std::string_view scope);
std::optional<Error> fault_of(const DrawRequest& request);
std::optional<Error> fault_of_fingerprint(std::string_view scope, std::string_view fingerprint);
std::optional<Error> fault_of_step(std::string_view scope, std::int64_t step);

Error no_scope(std::string_view scope);
Error is_exhausted(const ScopeState& state, std::uint64_t count);
Error key_is_reused(const DrawRequest& request, std::uint64_t first_count);
// Why a mark cannot be lifted there.
Error bad_mark(const ScopeState& state, std::int64_t high_water);
// What create() says of a scope that is there and is not the same; nothing, if it is.
std::optional<Error> difference(const Scope& there, const Scope& wanted);

}  // namespace tessera
