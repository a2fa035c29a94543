// tessera range: the smallest and the largest ID of a span of time.

#include "tessera/range.h"

#include <string>

#include "commands.h"
#include "moment.h"
#include "output.h"
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
std::optional<Bounds> bounds_of(const std::optional<IdRange<Id>>& range,
                                std::optional<Form> form) {
  if (!range) return std::nullopt;
  if (!form) return Bounds{range->smallest.to_string(), range->largest.to_string()};
  if constexpr (requires { range->smallest.bytes; }) {
    const auto smallest = write_form(*form, range->smallest.bytes);
    const auto largest = write_form(*form, range->largest.bytes);
    if (smallest && largest) return Bounds{*smallest, *largest};
  }
  return std::nullopt;
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
  const auto kind = kind_of(word == "uuid" ? "uuidv7" : word);
  if (!kind) return usage_error("unknown kind '" + printable(word) + "'", "tessera help kinds lists them.");

  const std::int64_t now_ms = current_ms();
  std::int64_t times[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string_view text = args.positionals()[i + 1];
    const auto moment = parse_moment(text, now_ms);
    if (!moment) {
      return usage_error("'" + printable(text) + "' is no time",
                         "As in 2026-01-31, 2026-01-31T09:00Z, 1767225600, yesterday or -7d.");
    }
    times[i] = *moment;
  }
  if (times[0] < 0 || times[1] <= times[0]) {
    return usage_error("the span from " + time_text(times[0]).to_string() + " to " +
                           time_text(times[1]).to_string() + " is empty or before 1970",
                       "FROM is part of the span, TO is not.");
  }
  const auto from = static_cast<std::uint64_t>(times[0]);
  const auto to = static_cast<std::uint64_t>(times[1]);
  const auto form = args.value("form") ? form_of(*args.value("form")) : std::nullopt;

  std::optional<Bounds> bounds;
  bool number = false;
  switch (*kind) {
    case Kind::ulid: bounds = bounds_of(ulid_range(from, to), form); break;
    case Kind::uuidv6: bounds = bounds_of(uuidv6_range(from, to), form); break;
    case Kind::uuidv7: bounds = bounds_of(uuidv7_range(from, to), form); break;
    case Kind::objectid: bounds = bounds_of(objectid_range(from, to), form); break;
    case Kind::ksuid: bounds = bounds_of(ksuid_range(from, to), form); break;
    case Kind::snowflake: {
      const auto* layout = find_snowflake_layout(args.value_or("layout", "twitter"));
      bounds = bounds_of(snowflake_range(*layout, from, to), std::nullopt);
      number = true;
      break;
    }
    case Kind::public_id: {
      const auto prefix = args.value("prefix");
      if (!prefix || prefix_fault(*prefix)) {
        return usage_error("a range of public IDs needs a --prefix", "As in --prefix ord.");
      }
      const auto style = *public_style_of(args.value_or("style", "ulid"));
      if (style == PublicStyle::checked) {
        // Texts of one length sort by their bodies; a bound needs no check symbols.
        return usage_error("checked IDs are compared by their bodies: use --style ulid");
      }
      const auto write = [&](const Bytes16& body) {
        return public_id::write(*prefix, body, style).to_string();
      };
      if (style == PublicStyle::ulid) {
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
    return usage_error("the kind " + std::string(name_of(*kind)) + " cannot say all times from " +
                       time_text(times[0]).to_string() + " to " + time_text(times[1]).to_string());
  }

  Output& out = Output::standard();
  if (const auto column = args.value("sql")) {
    if (!is_column(*column)) {
      return usage_error("'" + printable(*column) + "' is no name of a column");
    }
    const std::string quote = number ? "" : "'";
    out.line("WHERE " + std::string(*column) + " >= " + quote + bounds->smallest + quote + " AND " +
             std::string(*column) + " <= " + quote + bounds->largest + quote);
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
