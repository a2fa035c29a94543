#pragma once

// What an answer of another Tessera says: a value, or what went wrong.
//
// An answer is not believed: what is not of the form that the routes promise is store_failed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/json.h"
#include "tessera/client/http_client.h"
#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera {

// What an answer means for the next attempt.
enum class Advice : std::uint8_t {
  final,                // it is the answer
  again,                // nothing was done
  again_if_repeatable,  // it may have been done
};
Advice advice_of(const HttpAnswer& answer);

// A problem as the error that it was on the other side.
Error error_of(const HttpAnswer& answer);
Error odd_answer(std::string_view what);

// The object in the body; nothing, if there is none.
std::optional<Json> object_in(std::string_view body);

// Of a field; nothing, if it is not there or of another form. Numbers of 64 bits are texts.
std::optional<std::string_view> text_in(const Json& object, std::string_view key);
std::optional<std::int64_t> long_in(const Json& object, std::string_view key);
std::optional<std::uint64_t> unsigned_in(const Json& object, std::string_view key);
std::optional<bool> truth_in(const Json& object, std::string_view key);
// A moment, in milliseconds since 1970.
std::optional<std::uint64_t> time_in(const Json& object, std::string_view key);

}  // namespace tessera
