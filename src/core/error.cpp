// The table of error codes.

#include "tessera/error.h"

#include <array>

namespace tessera {
namespace {

using enum Error::Code;

constexpr std::array<ErrorCodeText, 16> kTexts{{
    {invalid_request, "invalid_request", "the request makes no sense", false},
    {not_found, "not_found", "there is nothing of that name", false},
    {already_exists, "already_exists", "there is one of that name, and it is not the same", false},
    {key_reused, "key_reused", "the request key belongs to another request", false},
    {exhausted, "exhausted", "the last number of the scope is gone", false},
    {timed_out, "timed_out", "the deadline came before the answer", true},
    {overloaded, "overloaded", "too many are waiting already", true},
    {store_unavailable, "store_unavailable", "the store could not be reached; nothing was done",
     true},
    {outcome_unknown, "outcome_unknown", "the store may have done it, but the answer was lost",
     true},
    {store_rewound, "store_rewound", "the store knows less than it has told before", false},
    {store_unsafe, "store_unsafe", "the settings of the store may lose what it has confirmed",
     false},
    {store_schema, "store_schema", "the tables are not as they should be", false},
    {store_failed, "store_failed", "the store refused", false},
    {closed, "closed", "it is shutting down", false},
    {none_free, "none_free", "every machine number is held, or rests", true},
    {lease_lost, "lease_lost", "the lease has ended, or the number is somebody else's", false},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    if (static_cast<std::size_t>(kTexts[i].code) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

std::span<const ErrorCodeText> error_code_texts() noexcept { return kTexts; }
std::string_view name_of(Error::Code code) noexcept {
  return kTexts[static_cast<std::size_t>(code)].name;
}
bool may_retry(Error::Code code) noexcept { return kTexts[static_cast<std::size_t>(code)].retry; }

}  // namespace tessera
