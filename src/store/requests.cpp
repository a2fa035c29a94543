// Refuses what makes no sense.

#include "store/requests.h"

#include <algorithm>

#include "tessera/parse_error.h"
#include "tessera/segment/delegate.h"

namespace tessera {
namespace {

Error invalid(std::string message, std::string hint) {
  return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
}

std::optional<Error> fault_of_text(std::string_view what, std::string_view text,
                                   std::size_t size_max) {
  if (text.size() > size_max) {
    return invalid("the " + std::string(what) + " has " + std::to_string(text.size()) + " bytes",
                   "At most " + std::to_string(size_max) + " are allowed.");
  }
  if (!std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; })) {
    return invalid("the " + std::string(what) + " is not printable ASCII: " + quoted(text),
                   "Use letters, digits and marks.");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> fault_of_name(std::string_view scope) {
  Scope named;
  named.name = scope;
  return fault_of(named);
}

std::optional<Error> fault_of(const DrawRequest& request) {
  if (auto fault = fault_of_name(request.scope)) return fault;
  const std::int64_t count_max = is_delegation_key(request.key) ? kDelegateMax : Scope::kDrawMax;
  if (request.count < 1 || request.count > static_cast<std::uint64_t>(count_max)) {
    return invalid("cannot draw " + std::to_string(request.count) + " numbers at once",
                   "Draw 1 to " + std::to_string(count_max) + ".");
  }
  if (auto fault = fault_of_text("holder", request.holder, kHolderSizeMax)) return fault;
  return fault_of_text("request key", request.key, kKeySizeMax);
}

std::optional<Error> fault_of_fingerprint(std::string_view scope, std::string_view fingerprint) {
  if (auto fault = fault_of_name(scope)) return fault;
  if (fingerprint.empty()) return invalid("the fingerprint is empty", "It has a byte at least.");
  return fault_of_text("fingerprint", fingerprint, kFingerprintSizeMax);
}

std::optional<Error> fault_of_step(std::string_view scope, std::int64_t step) {
  Scope with_step;
  with_step.name = scope;
  with_step.step = step;
  return fault_of(with_step);
}

Error no_scope(std::string_view scope) {
  return Error{Error::Code::not_found, "there is no scope " + quoted(scope),
               "Create it first; names are compared letter by letter."};
}

Error is_exhausted(const ScopeState& state, std::uint64_t count) {
  return Error{Error::Code::exhausted,
               "scope " + quoted(state.scope.name) + " has " + std::to_string(state.remaining()) +
                   " numbers left, not " + std::to_string(count),
               state.remaining() > 0 ? "Draw fewer." : "Begin another scope."};
}

Error key_is_reused(const DrawRequest& request, std::uint64_t first_count) {
  return Error{Error::Code::key_reused,
               "request key " + quoted(request.key) + " has drawn " + std::to_string(first_count) +
                   " numbers before, not " + std::to_string(request.count),
               "A key is for one request; take a new one."};
}

Error bad_mark(const ScopeState& state, std::int64_t high_water) {
  const std::string name = quoted(state.scope.name);
  if (high_water > state.scope.max) {
    return invalid(name + " ends at " + std::to_string(state.scope.max) + ", before " +
                       std::to_string(high_water),
                   "Lift the mark to its max at most.");
  }
  return invalid("the mark of " + name + " is at " + std::to_string(state.high_water) +
                     " and cannot sink to " + std::to_string(high_water),
                 "Numbers below it may be in use; a mark is only ever lifted.");
}

std::optional<Error> difference(const Scope& there, const Scope& wanted) {
  const auto differs = [&](std::string_view what, const std::string& is, const std::string& want) {
    return Error{Error::Code::already_exists,
                 "scope " + quoted(there.name) + " is there with " + std::string(what) + " " + is +
                     ", not " + want,
                 "Declare it as it is, or choose another name."};
  };
  if (there.min != wanted.min) {
    return differs("min", std::to_string(there.min), std::to_string(wanted.min));
  }
  if (there.max != wanted.max) {
    return differs("max", std::to_string(there.max), std::to_string(wanted.max));
  }
  if (there.order != wanted.order) {
    const auto name = [](Scope::Order order) {
      return std::string(order == Scope::Order::strict ? "strict" : "process");
    };
    return differs("order", name(there.order), name(wanted.order));
  }
  if (there.js_safe != wanted.js_safe) {
    return differs("js_safe", there.js_safe ? "true" : "false", wanted.js_safe ? "true" : "false");
  }
  return std::nullopt;
}

}  // namespace tessera
