// tessera convert: the same bits in another spelling.

#include <algorithm>
#include <string>
#include <vector>

#include "commands.h"
#include "input.h"
#include "moment.h"
#include "output.h"
#include "tessera/form.h"
#include "tessera/inspect.h"
#include "tessera/json.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/snowflake.h"
#include "tessera/verdict.h"
#include "types.h"

namespace tessera::cli {
namespace {

struct Value {
  std::vector<std::uint8_t> bytes;
  std::string prefix = {};
  unsigned bits = 0;  // of a random ID, which may be no whole bytes; else 0

  bool whole_bytes() const noexcept { return bits % 8 == 0; }
};

struct Refusal {
  std::string code;
  std::string reason;
};

// What is asked for. Built once, used for every item.
struct Wish {
  Form to = Form::hex;
  std::optional<std::string_view> from;
  std::optional<std::string_view> prefix;
  unsigned bits = 0;
  std::uint64_t now_ms = 0;
  const TypeTable* types = nullptr;
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
Result<Value, ParseError> parse_as(const Wish& wish, std::string_view text) {
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

Result<Value, Refusal> detect_value(const Wish& wish, std::string_view text) {
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

Result<Value, Refusal> read_value(const Wish& wish, std::string_view text) {
  if (!wish.from) return detect_value(wish, text);
  auto value = parse_as(wish, text);
  if (value) return *std::move(value);
  return Failure{Refusal{std::string(name_of(value.error().code)),
                         "not " + std::string(*wish.from) + ": " + describe(value.error(), text)}};
}

Result<std::string, Refusal> write_value(const Wish& wish, const Value& value) {
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

std::string json_line(const Item& item, std::string_view to,
                      const Result<std::string, Refusal>& text) {
  JsonWriter json;
  json.begin_object().key("input").value(item.text).key("valid").value(bool(text));
  json.key("form").value(to);
  if (text) {
    json.key("text").value(*text);
  } else {
    json.key("text").null().key("code").value(text.error().code);
    json.key("message").value(text.error().reason);
  }
  return with_place(json.end_object().take(), item);
}

Result<std::string, Refusal> convert(const Wish& wish, const Item& item) {
  if (!item.fault.empty()) {
    return Failure{Refusal{std::string(item.fault), std::string(item.fault_words())}};
  }
  const auto value = read_value(wish, item.text);
  if (!value) return Failure{value.error()};
  return write_value(wish, *value);
}

}  // namespace

Exit run_convert(const Args& args) {
  const auto to = args.value("to");
  if (!to) return usage_error("convert needs --to FORM", "As in: tessera convert --to uuid 01J...");
  Wish wish;
  wish.to = *form_of(*to);
  wish.from = args.value("from");
  wish.prefix = args.value("prefix");
  if (wish.prefix && wish.to != Form::type_id) {
    return usage_error("--prefix is for --to typeid, not for " + std::string(*to));
  }
  if (wish.prefix && !wish.prefix->empty()) {
    if (const auto refused = refuse_prefix(*wish.prefix)) return *refused;
  }
  const bool json = args.has("json");
  const bool to_bytes = wish.to == Form::bytes;
  if (to_bytes && json) return usage_error("bytes have no JSON", "As in: --to hex");
  const auto bits = args.number("bits", 1, wish.from == "int" ? 64 : RandomId::kBitsMax);
  if (!bits) return usage_error(bits.error().message, bits.error().hint);
  if (*bits && wish.from != "int" && wish.from != "crockford") {
    return usage_error("--bits is for --from int and --from crockford");
  }
  wish.bits = static_cast<unsigned>(bits->value_or(0));
  const auto size = args.number("size", 1, kFormBytesMax);
  if (!size) return usage_error(size.error().message, size.error().hint);
  if (*size && wish.from != "bytes") return usage_error("--size is for --from bytes");
  Reading reading;
  if (wish.from == "bytes") {
    if (args.has("null") || args.has("column")) {
      return usage_error("bytes have neither lines nor columns: no --null, no --column");
    }
    reading.record_size = static_cast<std::size_t>(size->value_or(Uuid::kSize));
  }
  const auto now_ms = present_ms(args);
  if (!now_ms) return Exit::usage;
  const auto types = load_types(args);
  if (!types) return types.error();
  wish.now_ms = static_cast<std::uint64_t>(*now_ms);
  wish.types = &types->table;

  const char separator = args.has("null") ? '\0' : '\n';
  Output& out = Output::standard();
  bool all_good = true;
  const Exit read = for_each_item(args, args.positionals(), reading, [&](const Item& item) {
    const bool blank = item.text.empty() && item.fault.empty() && !item.is_argument();
    if (blank && !json && !args.has("column")) {
      if (!to_bytes) out.write({&separator, 1});  // nothing for nothing
      return;
    }
    const auto text = convert(wish, item);
    all_good = all_good && text;
    if (json) {
      out.line(json_line(item, *to, text));
      return;
    }
    // An empty line where there is no answer: the answers stay beside the questions.
    if (text) out.write(*text);
    if (!to_bytes) out.write({&separator, 1});
    if (!text) {
      out.flush();
      complain(item.place() + ": cannot convert '" + printable(item.text) +
               "': " + text.error().reason);
    }
  });
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
