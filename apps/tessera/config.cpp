// tessera config: is tessera.yaml right, and what does it say?

#include "tessera/config/config.h"

#include <string>

#include "commands.h"
#include "output.h"
#include "tessera/json.h"
#include "types.h"

namespace tessera::cli {
namespace {

void print_types(Output& out, const Config& config) {
  out.line("types\t" + std::to_string(config.types.size()));
  for (const TypeConfig& type : config.types) {
    out.line("  " + type.name + "\t" + type.prefix + config.separator_of(type) + "\t" +
             std::string(name_of(type.style)));
  }
  out.line("scopes\t" + std::to_string(config.scopes.size()));
  for (const ScopeConfig& scope : config.scopes) {
    out.line("  " + scope.name + "\t" + std::to_string(scope.min) + ".." +
             std::to_string(scope.max) + "\tstep " + std::to_string(config.step_of(scope)));
  }
  if (!config.snowflakes.empty()) {
    out.line("snowflakes\t" + std::to_string(config.snowflakes.size()));
  }
  for (const SnowflakeConfig& made : config.snowflakes) {
    out.line("  " + made.name + "\t" + made.layout);
  }
  out.line("store\t" + printable(without_password(config.store), 200));
}

Exit config_check(const Args& args, const std::string& file) {
  Output& out = Output::standard();
  const auto text = read_config_file(file);
  if (!text) {
    complain_of(text.error(), file, "");
    return Exit::io;
  }
  const auto config = parse_config(*text);
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("file").value(file).key("valid").value(bool(config));
    json.key("errors").begin_array();
    if (!config) {
      for (const ConfigError& error : config.error()) {
        json.begin_object().key("line").value(std::uint64_t{error.line});
        json.key("column").value(std::uint64_t{error.column});
        json.key("code").value(name_of(error.code)).key("message").value(error.message);
        json.key("hint").value(error.hint).end_object();
      }
    }
    out.line(json.end_array().end_object().text());
    return config ? Exit::good : Exit::invalid;
  }
  if (!config) {
    for (const ConfigError& error : config.error()) out.write(render(error, file, *text));
    out.flush();
    const std::size_t count = config.error().size();
    complain("'" + printable(file, 200) + "' has " + std::to_string(count) +
             (count == 1 ? " mistake" : " mistakes"));
    return Exit::invalid;
  }
  out.line("file\t" + printable(file, 200));
  out.line("valid\tyes");
  print_types(out, *config);
  return Exit::good;
}

}  // namespace

Exit run_config(const Args& args) {
  const auto& words = args.positionals();
  if (words.empty() || words.size() > 2) {
    return usage_error("config takes check or example", "As in: tessera config check tessera.yaml");
  }
  if (words[0] == "example") {
    if (words.size() == 2) return usage_error("config example takes no file: it prints one");
    Output::standard().write(default_config_yaml());
    return Exit::good;
  }
  if (words[0] != "check") {
    return usage_error("config takes check or example, not '" + printable(words[0]) + "'");
  }
  if (words.size() == 2) return config_check(args, std::string(words[1]));
  const auto file = config_file(args);
  if (!file) {
    return usage_error("there is no tessera.yaml here",
                       "tessera config example > tessera.yaml makes one to begin with.");
  }
  return config_check(args, *file);
}

}  // namespace tessera::cli
