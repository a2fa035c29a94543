#pragma once

// What went wrong beyond a single ID: in a store, in a request, in the world.
// For programs the code, for people the message, and for people who want to get on the hint.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

struct Error {
  // The names are stable: the same words stand in JSON, in HTTP problems and in logs.
  enum class Code : std::uint8_t {
    invalid_request,    // the call itself makes no sense, and never will
    not_found,          // there is no scope, type or record of that name
    already_exists,     // there is one, and it is not the same
    key_reused,         // this request key belongs to another request
    exhausted,          // the last number of the scope is gone; never again
    timed_out,          // the caller's deadline came first; ask again
    overloaded,         // too many are waiting already; ask later
    store_unavailable,  // nothing was done; ask again
    outcome_unknown,    // the store may have done it; what it reserved stays unused
    store_rewound,      // the store knows less than it told us before: an old backup
    store_unsafe,       // its settings may lose what it has confirmed
    store_schema,       // its tables are not as they should be
    store_failed,       // it refused, and will refuse again
    closed,             // this object is shutting down
    none_free,          // every machine number is held, or rests; ask later
    lease_lost,         // the lease has ended, or the number is somebody else's; claim anew
  };

  Code code = Code::invalid_request;
  std::string message;  // a phrase: lower case, no full stop, values quoted and printable
  std::string hint;     // a sentence saying what to do; may be empty

  friend bool operator==(const Error&, const Error&) = default;
};

// One row for each code: what programs match, and what it means.
struct ErrorCodeText {
  Error::Code code;
  std::string_view name;     // "store_unavailable"
  std::string_view meaning;  // "the store could not be reached; nothing was done"
  bool retry;                // the same call may succeed later
};

// Every code, in the order of the enum. The error list in the documents is made of it.
std::span<const ErrorCodeText> error_code_texts() noexcept;
std::string_view name_of(Error::Code code) noexcept;
bool may_retry(Error::Code code) noexcept;

}  // namespace tessera
