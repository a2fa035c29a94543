// Reads, writes and checks targets.

#include "tessera/migrate/target.h"

#include "migrate/identifier.h"
#include "tessera/parse_error.h"
#include "tessera/public_id.h"

namespace tessera::migrate {
namespace {

Failure<Error> invalid(std::string message, std::string hint = "") {
  return Failure{Error{Error::Code::invalid_request, std::move(message), std::move(hint)}};
}

}  // namespace

std::string_view name_of(Form form) noexcept { return form == Form::text ? "text" : "bytes"; }

std::size_t text_size(const ResourceType& type) noexcept {
  return type.prefix.size() + 1 + public_id::body_size(type.style);
}

Result<bool, Error> check_target(const Target& target) {
  struct Row {
    std::string_view what;
    std::string_view name;
    bool needed;
  };
  const std::size_t dot = target.table.find('.');
  const std::string_view table = target.table;
  const Row rows[] = {
      {"schema", dot == table.npos ? "" : table.substr(0, dot), dot != table.npos},
      {"table", dot == table.npos ? table : table.substr(dot + 1), true},
      {"column", target.column, true},
      {"key", target.key, true},
      {"tenant column", target.tenant_column, false},
      {"column of the time", target.created_at, false},
      {"column that has the IDs", target.from, false},
  };
  for (const Row& row : rows) {
    if (row.name.empty() && !row.needed) continue;
    if (!is_identifier(row.name)) {
      return invalid("no name of a " + std::string(row.what) + ": " + quoted(row.name),
                     "A name has 1 to 63 bytes, and no control characters.");
    }
  }
  if (target.column == target.key || target.column == target.tenant_column ||
      target.column == target.created_at || target.column == target.from) {
    return invalid("the column of the IDs is used for something else: " + quoted(target.column));
  }
  if (prefix_fault(target.type.prefix) || !is_separator(target.type.separator)) {
    return invalid("a type needs a prefix and a separator");
  }
  const bool plain =
      target.type.style == PublicStyle::ulid || target.type.style == PublicStyle::type_id;
  if (target.form == Form::text && !plain) {
    return invalid("a trigger cannot write the style '" + std::string(name_of(target.type.style)) +
                       "' in plain SQL",
                   "Keep the body: --form bytes.");
  }
  if (!target.from.empty()) {
    if (target.form != Form::bytes)
      return invalid("IDs are there as text: only their bytes can be made", "Add --form bytes.");
    if (!target.created_at.empty())
      return invalid("IDs that are there have their times", "Leave --created-at out.");
    if (!plain) {
      return invalid("a trigger cannot read the style '" + std::string(name_of(target.type.style)) +
                     "' in plain SQL");
    }
  }
  return true;
}

std::string text_of(const Target& target) {
  std::string out;
  const auto line = [&](std::string_view name, std::string_view value) {
    out.append(name).append("=").append(value).append("\n");
  };
  line("key", target.key);
  line("tenant", target.tenant_column);
  line("created_at", target.created_at);
  line("prefix", target.type.prefix);
  line("style", name_of(target.type.style));
  line("separator", std::string(1, target.type.separator));
  line("form", name_of(target.form));
  if (!target.from.empty()) line("from", target.from);
  return out;
}

Result<Target, Error> target_of(std::string_view table, std::string_view column,
                                std::string_view text) {
  Target target;
  target.table = table;
  target.column = column;
  const auto damaged = [&] {
    return Failure{Error{Error::Code::store_schema,
                         "the record of the migration of " + quoted(table) + " cannot be read",
                         "Another version of tessera may have begun it; go on with that."}};
  };
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t split = text.find('=');
    if (end == text.npos || split >= end) return damaged();
    const std::string_view name = text.substr(0, split);
    const std::string_view value = text.substr(split + 1, end - split - 1);
    text.remove_prefix(end + 1);
    if (name == "key") {
      target.key = value;
    } else if (name == "tenant") {
      target.tenant_column = value;
    } else if (name == "created_at") {
      target.created_at = value;
    } else if (name == "from") {
      target.from = value;
    } else if (name == "prefix") {
      target.type.prefix = value;
    } else if (name == "style") {
      const auto style = public_style_of(value);
      if (!style) return damaged();
      target.type.style = *style;
    } else if (name == "separator" && value.size() == 1) {
      target.type.separator = value[0];
    } else if (name == "form" && (value == "text" || value == "bytes")) {
      target.form = value == "text" ? Form::text : Form::bytes;
    } else {
      return damaged();
    }
  }
  if (const auto checked = check_target(target); !checked) return damaged();
  return target;
}

}  // namespace tessera::migrate
