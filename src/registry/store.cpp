// Refuses what makes no sense.

#include "tessera/registry/store.h"

#include <algorithm>

namespace tessera {

std::optional<Error> fault_of(const CreateRequest& request) {
  const auto invalid = [](std::string message, std::string hint) {
    return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
  };
  if (auto fault = fault_of_tenant(request.tenant)) return fault;
  if (request.entries.empty() || request.entries.size() > CreateRequest::kEntriesMax) {
    return invalid("cannot create " + std::to_string(request.entries.size()) + " at once",
                   "Create 1 to 10000.");
  }
  if (request.ancestors.size() != request.type.depth()) {
    return invalid("type '" + request.type.name() + "' has " +
                       std::to_string(request.type.depth()) + " parents above it, not " +
                       std::to_string(request.ancestors.size()),
                   "Name them all.");
  }
  const std::string_view key = request.idempotency_key;
  if (key.size() > CreateRequest::kKeySizeMax) {
    return invalid("the idempotency key has " + std::to_string(key.size()) + " bytes",
                   "At most 128 are allowed.");
  }
  if (!std::ranges::all_of(key, [](char c) { return c >= ' ' && c <= '~'; })) {
    return invalid("the idempotency key is not printable ASCII: '" + printable(key) + "'",
                   "Use letters, digits and marks.");
  }
  return std::nullopt;
}

}  // namespace tessera
