// tessera range: the smallest and the largest ID of a span of time.

#include "tessera/range.h"

#include <array>
#include <string>

#include "commands.h"
#include "moment.h"
#include "output.h"
#include "tessera/codec.h"
#include "tessera/form.h"
#include "tessera/json.h"
#include "tessera/kind.h"
#include "tessera/public_id.h"
#include "tessera/time_text.h"
#include "types.h"

namespace tessera::cli {
namespace {

struct Bounds {
  std::string smallest;
  std::string largest;
};

template <class Id>
std::optional<Bounds> bounds_of(const std::optional<IdRange<Id>>& range, std::optional<Form> form) {
  if (!range) return std::nullopt;
  if (!form) return Bounds{range->smallest.to_string(), range->largest.to_string()};
  if constexpr (requires { range->smallest.bytes; }) {
    const auto smallest = write_form(*form, range->smallest.bytes);
    const auto largest = write_form(*form, range->largest.bytes);
    if (smallest && largest) return Bounds{*smallest, *largest};
  }
  return std::nullopt;
}

std::string hex_of(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) {
    digits += detail::kHex[static_cast<unsigned char>(byte) >> 4];
    digits += detail::kHex[static_cast<unsigned char>(byte) & 15];
  }
  return digits;
}

Exit unknown_kind(std::string_view word) {
  constexpr std::array<std::string_view, 8> kNames = {"ulid",     "uuidv6", "uuidv7", "snowflake",
                                                      "objectid", "ksuid",  "public", "typeid"};
  const std::string_view near = nearest(word, kNames);
  return usage_error(
      "unknown kind '" + printable(word) + "'",
      near.empty() ? "tessera help kinds lists them." : "Did you mean " + std::string(near) + "?");
}

// What may stand bare in SQL: a name, or names with dots.
bool is_column(std::string_view text) noexcept {
  if (text.empty() || text.size() > 128) return false;
  bool start = true;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (c == '.' && !start) {
      start = true;
      continue;
    }
    if (!letter && (start || c < '0' || c > '9')) return false;
    start = false;
  }
  return !start;
}

}  // namespace

Exit run_range(const Args& args) {
  if (args.positionals().size() != 3) {
    return usage_error("range takes KIND FROM TO",
                       "As in: tessera range ulid 2026-01-01 2026-02-01");
  }
  const std::string_view word = args.positionals()[0];
  const bool as_typeid = word == "typeid";
  const auto kind = as_typeid ? Kind::public_id : kind_of(word == "uuid" ? "uuidv7" : word);
  if (!kind) return unknown_kind(word);
  if (*kind != Kind::public_id && (args.has("prefix") || args.has("type") || args.has("style"))) {
    return usage_error("--prefix, --type and --style are for public IDs");
  }
  if (*kind != Kind::snowflake && args.has("layout")) {
    return usage_error("--layout is for snowflakes");
  }

  const auto now_ms = present_ms(args);
  if (!now_ms) return Exit::usage;
  std::array<std::int64_t, 2> times{};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::string_view text = args.positionals()[i + 1];
    const auto moment = parse_moment(text, *now_ms);
    if (!moment) return usage_error("'" + printable(text) + "' is no time", kTimeHint);
    times[i] = *moment;
  }
  const std::string span =
      time_text(times[0]).to_string() + " to " + time_text(times[1]).to_string();
  if (times[0] < 0) return usage_error("there are no IDs from before 1970: " + span);
  if (times[1] <= times[0]) {
    return usage_error("there is nothing from " + span, "FROM is part of the span, TO is not.");
  }
  const auto from = static_cast<std::uint64_t>(times[0]);
  const auto to = static_cast<std::uint64_t>(times[1]);
  const auto form = args.value("form") ? form_of(*args.value("form")) : std::nullopt;

  if (form == Form::base58 || form == Form::base64url) {
    return usage_error("texts in " + std::string(name_of(*form)) + " do not sort as the IDs do",
                       "hex, base32, base36, base62, int and bytes do.");
  }

  std::optional<Bounds> bounds;
  switch (*kind) {
    case Kind::ulid: bounds = bounds_of(ulid_range(from, to), form); break;
    case Kind::uuidv6: bounds = bounds_of(uuidv6_range(from, to), form); break;
    case Kind::uuidv7: bounds = bounds_of(uuidv7_range(from, to), form); break;
    case Kind::objectid: bounds = bounds_of(objectid_range(from, to), form); break;
    case Kind::ksuid: bounds = bounds_of(ksuid_range(from, to), form); break;
    case Kind::snowflake: {
      if (form && *form != Form::integer) {
        return usage_error("the bounds of snowflakes are numbers: no --form but int");
      }
      const auto layout = layout_of(args);
      if (!layout) return layout.error();
      bounds = bounds_of(snowflake_range(*layout, from, to), std::nullopt);
      break;
    }
    case Kind::public_id: {
      if (form) return usage_error("the bounds of public IDs are public IDs: no --form");
      const auto type = public_type(args, as_typeid);
      if (!type) return type.error();
      if (type->style == PublicStyle::checked) {
        return usage_error("checked IDs are compared by their bodies: use --style ulid");
      }
      const auto write = [&](const Bytes16& body) {
        return public_id::write(type->prefix, body, type->style, type->separator).to_string();
      };
      if (type->style == PublicStyle::ulid) {
        if (const auto range = ulid_range(from, to)) {
          bounds = Bounds{write(range->smallest.bytes), write(range->largest.bytes)};
        }
      } else if (const auto range = uuidv7_range(from, to)) {
        bounds = Bounds{write(range->smallest.bytes), write(range->largest.bytes)};
      }
      break;
    }
    default:
      return usage_error("a " + std::string(name_of(*kind)) + " does not sort by time",
                         "ulid, uuidv6, uuidv7, snowflake, objectid, ksuid and public do.");
  }
  if (!bounds) {
    return usage_error(
        "a " + std::string(word) + " cannot tell all times from " + span,
        form ? "Or it has no such form: ulid, uuid and typeid are of 16 bytes." : "");
  }

  Output& out = Output::standard();
  if (const auto column = args.value("sql")) {
    if (!is_column(*column)) {
      return usage_error("'" + printable(*column) + "' is no name of a column",
                         "Letters, digits and _, with dots between names.");
    }
    const bool number = *kind == Kind::snowflake || form == Form::integer;
    const auto literal = [&](const std::string& bound) {
      if (form == Form::bytes) return "x'" + hex_of(bound) + "'";
      return number ? bound : "'" + bound + "'";
    };
    const std::string name(*column);
    out.line("WHERE " + name + " >= " + literal(bounds->smallest) + " AND " + name +
             " <= " + literal(bounds->largest));
  } else if (form == Form::bytes) {
    if (args.has("json")) return usage_error("bytes have no JSON", "As in: --form hex");
    out.write(bounds->smallest);
    out.write(bounds->largest);
  } else if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("kind").value(name_of(*kind));
    json.key("from").value(time_text(times[0]).view()).key("to").value(time_text(times[1]).view());
    json.key("smallest").value(bounds->smallest).key("largest").value(bounds->largest);
    out.line(json.end_object().text());
  } else {
    out.line(bounds->smallest);
    out.line(bounds->largest);
  }
  return Exit::good;
}

}  // namespace tessera::cli
