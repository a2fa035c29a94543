// What is wrong with the declaration of a scope.

// What a scope may be.

#include "tessera/segment/scope.h"

#include "tessera/parse_error.h"

namespace tessera {
namespace {

Error invalid(std::string message, std::string hint) {
  return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
}

}  // namespace

std::optional<Error> fault_of(const Scope& scope) {
  if (const auto offset = scope_name_fault(scope.name)) {
    if (scope.name.empty()) return invalid("a scope without a name", "Give it one, such as ORDER.");
    return invalid(
        "not a name for a scope: " + quoted(scope.name) + ", at offset " + std::to_string(*offset),
        "A name is 1 to 64 letters, digits, '.', '_' and '-', with a letter or digit at both "
        "ends.");
  }
  if (scope.min < 0) {
    return invalid(
        "the least number of " + quoted(scope.name) + " is negative: " + std::to_string(scope.min),
        "Let min be 0 or more.");
  }
  if (scope.max < scope.min) {
    return invalid("scope " + quoted(scope.name) + " ends before it begins: " +
                       std::to_string(scope.min) + " to " + std::to_string(scope.max),
                   "Let max be min or more.");
  }
  if (scope.js_safe && scope.max > Scope::kJsSafeMax) {
    return invalid("a js-safe scope cannot reach " + std::to_string(scope.max),
                   "JavaScript is exact up to 9007199254740991; let max be that or less.");
  }
  if (scope.step < 1 || scope.step > Scope::kStepMax) {
    return invalid(
        "the step of " + quoted(scope.name) + " is out of range: " + std::to_string(scope.step),
        "Let it be 1 to 1000000.");
  }
  return std::nullopt;
}

}  // namespace tessera
