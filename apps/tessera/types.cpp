// Finding a type, and what describes one.

#include "types.h"

#include "output.h"
#include "tessera/parse_error.h"

namespace tessera::cli {

Result<const ResourceType*, Exit> find_type(const TypeTable& table, std::string_view name) {
  if (const ResourceType* type = table.find_by_name(name)) return type;
  if (const ResourceType* type = table.find_by_prefix(name)) return type;
  std::string hint;
  for (const ResourceType* type : table.types()) hint += (hint.empty() ? "" : ", ") + type->name;
  return Failure{usage_error("no type '" + printable(name) + "' is declared",
                             hint.empty() ? "Declare it in tessera.yaml, or use --prefix P."
                                          : "Declared are: " + hint + ".")};
}

std::optional<Exit> refuse_prefix(std::string_view prefix) {
  if (!prefix_fault(prefix)) return std::nullopt;
  return usage_error("bad prefix '" + printable(prefix) + "'",
                     error_text(ParseError::Code::invalid_prefix).hint);
}

Result<ResourceType, Exit> public_type(const Args& args, bool as_typeid) {
  if (const auto name = args.value("type")) {
    if (args.has("prefix") || args.has("style")) {
      return Failure{usage_error("--type says it all: no --prefix and no --style beside it")};
    }
    const auto types = load_types(args);
    if (!types) return Failure{types.error()};
    const auto type = find_type(types->table, *name);
    if (!type) return Failure{type.error()};
    if (as_typeid && (*type)->style != PublicStyle::type_id) {
      return Failure{usage_error("the IDs of type '" + (*type)->name + "' are no TypeIDs",
                                 "Make them with: public --type " + (*type)->name)};
    }
    return **type;
  }
  ResourceType type;
  type.style = *public_style_of(args.value_or("style", as_typeid ? "typeid" : "ulid"));
  if (as_typeid && type.style != PublicStyle::type_id) {
    return Failure{usage_error("a typeid has style typeid")};
  }
  const auto prefix = args.value("prefix");
  if (!prefix && !as_typeid) {
    return Failure{usage_error("a public ID needs --prefix or --type", "As in --prefix ord.")};
  }
  type.prefix = prefix.value_or("");
  const bool may_be_empty = type.style == PublicStyle::type_id;
  if (!(type.prefix.empty() && may_be_empty)) {
    if (const auto refused = refuse_prefix(type.prefix)) return Failure{*refused};
  }
  return type;
}

Result<SnowflakeLayout, Exit> layout_of(const Args& args) {
  const std::string_view text = args.value_or("layout", "twitter");
  if (const auto layout = parse_snowflake_layout(text)) return *layout;
  std::vector<std::string_view> names;
  for (const SnowflakeLayout& layout : all_snowflake_layouts()) names.push_back(layout.name);
  const std::string_view near = nearest(text, names);
  return Failure{usage_error(
      "--layout: there is no layout '" + printable(text) + "'",
      near.empty()
          ? "It is a name, as twitter, or in full, as 1288834974657/1/t41.m10.s12: the epoch "
            "and the unit in ms, and the bits of time, machine and sequence, 63 at most."
          : "Did you mean " + std::string(near) + "?")};
}

}  // namespace tessera::cli
