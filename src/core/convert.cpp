// Conversions: reading a text as what it is, or as what it is said to be, and writing its bits.

#include "tessera/convert.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tessera/codec.h"
#include "tessera/inspect.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/snowflake.h"
#include "tessera/verdict.h"

namespace tessera {
namespace {

struct Value {
  std::vector<std::uint8_t> bytes;
  std::string prefix = {};
  unsigned bits = 0;  // of a random ID, which may be no whole bytes; else 0

  bool whole_bytes() const noexcept { return bits % 8 == 0; }
};

Value value_of(const RandomId& id) {
  return {.bytes = {id.bytes().begin(), id.bytes().end()}, .bits = id.bits()};
}

template <class Id>
Result<Value, ParseError> value_of(const Result<Id, ParseError>& id) {
  if (!id) return Failure{id.error()};
  return Value{.bytes = {id->bytes.begin(), id->bytes.end()}};
}

Result<Value, ParseError> value_of(const Result<RandomId, ParseError>& id) {
  if (!id) return Failure{id.error()};
  return value_of(*id);
}

// A number of so many bits.
Result<Value, ParseError> parse_number(std::string_view text, unsigned bits) {
  const auto bytes = decimal::parse(text);
  if (!bytes) return Failure{bytes.error()};
  const auto [hi, lo] = detail::load_pair(*bytes);
  if (hi != 0) return Failure{ParseError{ParseError::Code::overflow, 0}};
  return value_of(RandomId::from_number(lo, bits));
}

// By --from: a form, or a kind whose text has bits of its own.
Result<Value, ParseError> parse_as(const Conversion& wish, std::string_view text) {
  const std::string_view from = *wish.from;
  if (from == "objectid") return value_of(ObjectId::parse(text));
  if (from == "ksuid") return value_of(Ksuid::parse(text));
  if (from == "snowflake") {
    const auto id = Snowflake::parse(text);
    if (!id) return Failure{id.error()};
    Value value{.bytes = std::vector<std::uint8_t>(Snowflake::kSize)};
    detail::store_be<8>(value.bytes.data(), id->value);
    return value;
  }
  if (from == "typeid" || from == "public") {
    const PublicStyle style = from == "typeid" ? PublicStyle::type_id : guess_style(text);
    const auto parts = public_id::parse(text, style);
    if (!parts) return Failure{parts.error()};
    return Value{.bytes = {parts->body.begin(), parts->body.end()},
                 .prefix = std::string(parts->prefix)};
  }
  if (from == "crockford") {
    return value_of(wish.bits == 0 ? RandomId::parse(text) : RandomId::parse(text, wish.bits));
  }
  if (from == "int" && wish.bits != 0) return parse_number(text, wish.bits);
  auto bytes = parse_form(*form_of(from), text);
  if (!bytes) return Failure{bytes.error()};
  return Value{.bytes = *std::move(bytes)};
}

// Readings that a person could have meant: not far less likely than the best.
bool could_be_meant(const Guess& guess, const Guess& best) noexcept {
  return !guess.bytes.empty() && guess.probability > best.probability / 50;
}

Result<Value, Refusal> detect_value(const Conversion& wish, std::string_view text) {
  const Detection detection = detect(text, wish.now_ms, wish.types);
  const auto& guesses = detection.guesses;
  // A family is known by its members; any other kind without bytes is a kind without bytes,
  // and a less likely reading that has some is not what was meant.
  auto best = guesses.begin();
  if (best != guesses.end() && best->is_family()) ++best;
  if (best == guesses.end() || best->bytes.empty()) {
    return Failure{
        Refusal{"unknown", guesses.empty()
                               ? "no kind of ID is known that looks like this"
                               : "a " + std::string(guesses[0].kind) + " has no bits to convert"}};
  }
  const auto other = std::ranges::find_if(guesses, [&](const Guess& guess) {
    return could_be_meant(guess, *best) && guess.bytes != best->bytes;
  });
  if (detection.verdict == Detection::Verdict::ambiguous && other != guesses.end()) {
    const auto words = [](const Guess& guess) {
      return std::string(guess.kind) +
             (guess.spelling == "canonical" ? "" : " in " + std::string(guess.spelling));
    };
    return Failure{Refusal{"ambiguous", "it may be " + words(*best) + " or " + words(*other) +
                                            ", which have different bits; say --from"}};
  }
  if (const auto checked = checked_reading(*best, text)) return value_of(checked->id);
  return Value{.bytes = best->bytes, .prefix = best->prefix};
}

Result<Value, Refusal> read_value(const Conversion& wish, std::string_view text) {
  if (!wish.from) return detect_value(wish, text);
  auto value = parse_as(wish, text);
  if (value) return *std::move(value);
  const ParseError& error = value.error();
  return Failure{Refusal{std::string(name_of(error.code)),
                         "not " + std::string(*wish.from) + ": " + describe(error, text), error}};
}

Result<std::string, Refusal> write_value(const Conversion& wish, const Value& value) {
  const std::string to(name_of(wish.to));
  if (!value.whole_bytes()) {
    const RandomId id = RandomId::from_bytes(value.bytes, value.bits);
    if (wish.to == Form::crockford) return id.to_string();
    if (wish.to == Form::integer && id.number()) return std::to_string(*id.number());
    return Failure{Refusal{"lossy", std::to_string(value.bits) + " bits are no whole bytes, and " +
                                        to + " would add some"}};
  }
  if (const auto text = write_form(wish.to, value.bytes, wish.prefix.value_or(value.prefix))) {
    return *text;
  }
  return Failure{
      Refusal{"lossy", to + " holds 16 bytes, and this has " + std::to_string(value.bytes.size())}};
}

}  // namespace

bool is_convertible(std::string_view from) noexcept {
  constexpr std::array<std::string_view, 4> kKinds = {"objectid", "ksuid", "snowflake", "public"};
  return std::ranges::find(kKinds, from) != kKinds.end() || form_of(from).has_value();
}

Result<std::string, Refusal> convert(const Conversion& wish, std::string_view text) {
  const auto value = read_value(wish, text);
  if (!value) return Failure{value.error()};
  return write_value(wish, *value);
}

}  // namespace tessera
