#pragma once

// convert: the same bits in another spelling. What the command line, the databases and the C
// interface answer when they are asked to convert.
//
//   Conversion wish{.to = Form::uuid, .from = "ulid"};
//   convert(wish, "01ARYZ6S41TSV4RRFFQ69G5FAV");      01563df3-6481-d676-4c61-efb99302bd5b
//
// Nothing is guessed where a guess could be wrong: a text that fits two kinds with different
// bits is refused, and so is a form that would add bits or lose some.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/form.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/type_table.h"

namespace tessera {

// What is asked for. Built once, used for every text. What it points to must outlive it.
struct Conversion {
  Form to = Form::hex;
  std::optional<std::string_view> from{};    // a form, or as is_convertible() says; else detected
  std::optional<std::string_view> prefix{};  // for Form::type_id, instead of the text's own
  unsigned bits = 0;                         // of `from` int or crockford; 0: whole bytes
  std::uint64_t now_ms = 0;                  // for what is detected
  const TypeTable* types = nullptr;
};

// True for every form, and for kinds whose text has bits of its own: objectid, ksuid,
// snowflake, typeid, public.
bool is_convertible(std::string_view from) noexcept;

struct Refusal {
  std::string code;  // that of a ParseError, or "unknown", "ambiguous", "lossy"
  std::string reason;
  std::optional<ParseError> error{};  // where it is one
};

// `wish.from` must be convertible.
Result<std::string, Refusal> convert(const Conversion& wish, std::string_view text);

}  // namespace tessera
