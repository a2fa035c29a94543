// Finding the declared types.

#include "types.h"

#include <unistd.h>

#include <cstdlib>

#include "output.h"
#include "tessera/config/config.h"
#include "tessera/parse_error.h"

namespace tessera::cli {

std::optional<std::string> config_file(const Args& args) {
  if (const auto file = args.value("config")) return std::string(*file);
  if (const char* file = std::getenv("TESSERA_CONFIG"); file != nullptr && *file != '\0') {
    return std::string(file);
  }
  constexpr const char* kHere = "tessera.yaml";
  if (::access(kHere, R_OK) == 0) return std::string(kHere);
  return std::nullopt;
}

void complain_of(const ConfigError& error, std::string_view file, std::string_view text) {
  std::string words = render(error, file, text);
  if (words.ends_with('\n')) words.pop_back();
  complain(words);
}

Result<Types, Exit> load_types(const Args& args) {
  Types types;
  const auto file = config_file(args);
  if (!file) return types;
  types.file = *file;
  const auto text = read_config_file(*file);
  if (!text) {
    complain_of(text.error(), *file, "");
    return Failure{Exit::io};
  }
  const auto config = parse_config(*text);
  if (!config) {
    for (const ConfigError& error : config.error()) complain_of(error, *file, *text);
    return Failure{Exit::usage};
  }
  auto table = config->type_table();
  if (!table) {
    complain(std::string(describe(table.error())));
    return Failure{Exit::usage};
  }
  types.table = *std::move(table);
  return types;
}

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

const SnowflakeLayout& layout_of(const Args& args) {
  const std::string_view name = args.value_or("layout", "twitter");
  return *find_snowflake_layout(name == "sony" ? "sonyflake" : name);
}

}  // namespace tessera::cli
