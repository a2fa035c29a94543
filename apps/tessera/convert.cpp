// tessera convert: the same bits in another spelling.

#include <string>

#include "commands.h"
#include "input.h"
#include "moment.h"
#include "output.h"
#include "tessera/detect.h"
#include "tessera/form.h"
#include "tessera/json.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/public_id.h"
#include "tessera/snowflake.h"
#include "types.h"

namespace tessera::cli {
namespace {

struct Value {
  std::vector<std::uint8_t> bytes;
  std::string prefix;
};

struct Refusal {
  std::string code;
  std::string reason;
};

template <class Id>
Result<Value, ParseError> value_of(const Result<Id, ParseError>& id) {
  if (!id) return Failure{id.error()};
  return Value{{id->bytes.begin(), id->bytes.end()}, {}};
}

// By --from: a form, or a kind whose text has bits of its own.
Result<Value, ParseError> parse_as(std::string_view from, std::string_view text) {
  if (from == "objectid") return value_of(ObjectId::parse(text));
  if (from == "ksuid") return value_of(Ksuid::parse(text));
  if (from == "snowflake") {
    const auto id = Snowflake::parse(text);
    if (!id) return Failure{id.error()};
    Value value{std::vector<std::uint8_t>(Snowflake::kSize), {}};
    detail::store_be<8>(value.bytes.data(), id->value);
    return value;
  }
  if (from == "typeid" || from == "public") {
    const PublicStyle style = from == "typeid" ? PublicStyle::type_id : PublicStyle::ulid;
    const auto parts = public_id::parse(text, style);
    if (!parts) return Failure{parts.error()};
    return Value{{parts->body.begin(), parts->body.end()}, std::string(parts->prefix)};
  }
  auto bytes = parse_form(*form_of(from), text);
  if (!bytes) return Failure{bytes.error()};
  return Value{*std::move(bytes), {}};
}

Result<Value, Refusal> read_value(std::string_view text, std::optional<std::string_view> from,
                                  std::uint64_t now_ms, const TypeTable& types) {
  if (from) {
    auto value = parse_as(*from, text);
    if (value) return *std::move(value);
    return Failure{Refusal{std::string(name_of(value.error().code)),
                           "not " + std::string(*from) + ": " + describe(value.error(), text)}};
  }
  const Detection detection = detect(text, now_ms, &types);
  for (const Guess& guess : detection.guesses) {
    if (!guess.bytes.empty()) return Value{guess.bytes, guess.prefix};
  }
  return Failure{Refusal{"unknown", detection.guesses.empty()
                                        ? "no kind of ID is known that looks like this"
                                        : "a " + std::string(detection.guesses[0].kind) +
                                              " has no bits to convert"}};
}

}  // namespace

Exit run_convert(const Args& args) {
  const auto to = args.value("to");
  if (!to) return usage_error("convert needs --to FORM", "As in: tessera convert --to uuid 01J...");
  const Form form = *form_of(*to);
  if (const auto prefix = args.value("prefix"); prefix && prefix_fault(*prefix)) {
    return usage_error("bad prefix '" + printable(*prefix) + "'",
                       error_text(ParseError::Code::invalid_prefix).hint);
  }
  const auto types = load_types(args);
  if (!types) return types.error();
  const auto now_ms = static_cast<std::uint64_t>(current_ms());
  const bool json = args.has("json");
  const char separator = args.has("null") ? '\0' : '\n';
  Output& out = Output::standard();
  bool all_good = true;

  const Exit read = for_each_item(args, args.positionals(), [&](const Item& item) {
    std::optional<std::string> text;
    Refusal refusal;
    if (item.too_long || item.missing_column) {
      refusal = item.too_long ? Refusal{"line_too_long", "the line is longer than a megabyte"}
                              : Refusal{"missing_column", "the line has no such column"};
    } else if (const auto value = read_value(item.text, args.value("from"), now_ms, types->table);
               !value) {
      refusal = value.error();
    } else {
      text = write_form(form, value->bytes, args.value("prefix").value_or(value->prefix));
      if (!text) {
        refusal = {"lossy", std::string(*to) + " holds 16 bytes, and this has " +
                                std::to_string(value->bytes.size())};
      }
    }
    if (json) {
      JsonWriter line;
      line.begin_object().key("input").value(item.text).key("valid").value(text.has_value());
      if (text) {
        line.key("form").value(*to).key("text").value(*text);
      } else {
        line.key("code").value(refusal.code).key("message").value(refusal.reason);
      }
      out.line(line.end_object().text());
    } else if (text) {
      out.write(*text);
      if (form != Form::bytes) out.write({&separator, 1});
    } else if (form != Form::bytes) {
      out.write({&separator, 1});  // an empty line: the answers stay beside the questions
    }
    if (!text) {
      all_good = false;
      if (!json) {
        out.flush();
        complain(item.place() + ": cannot convert '" + printable(item.text) + "': " + refusal.reason);
      }
    }
    return true;
  });
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
