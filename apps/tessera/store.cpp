// tessera store: makes the tables, brings them up to date, says how the store is.

#include "tessera/store/store.h"

#include <string>

#include "commands.h"
#include "output.h"
#include "settings.h"
#include "tessera/client/http_client.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

std::string words_of(const SchemaStatus& schema) {
  if (schema.version == schema.newest) return std::to_string(schema.version) + " (newest)";
  if (schema.version == 0) return "none: tessera store init makes it";
  const std::string what = schema.version < 0 ? "adopted table" : std::to_string(schema.version);
  return what + ", newest is " + std::to_string(schema.newest) + ": tessera store upgrade";
}

void print_status(const StoreStatus& status) {
  Output& out = Output::standard();
  out.line("store\t" + printable(status.url, 200));
  out.line("server\t" + printable(status.server, 200));
  out.line("schema\t" + words_of(status.schema));
  for (const StoreSetting& setting : status.settings) {
    out.line(std::string(setting.safe ? "safe" : "UNSAFE") + "\t" + setting.name + "\t" +
             printable(setting.value, 200) + (setting.safe ? "" : "\tmust be " + setting.required));
  }
}

void print_json(const StoreStatus& status) {
  JsonWriter json;
  json.begin_object().key("store").value(status.url).key("server").value(status.server);
  json.key("schema").value(std::int64_t{status.schema.version});
  json.key("schema_newest").value(std::int64_t{status.schema.newest});
  json.key("settings").begin_array();
  for (const StoreSetting& setting : status.settings) {
    json.begin_object().key("name").value(setting.name).key("value").value(setting.value);
    json.key("required").value(setting.required).key("safe").value(setting.safe).end_object();
  }
  Output::standard().line(json.end_array().end_object().text());
}

Exit store_status(const Args& args, const Config& config) {
  // What is unsafe or old is the answer here, not a reason to give none.
  OpenOptions options = open_options(args);
  options.accept_duplicate_risk = true;
  const auto store = tessera::open_store(config.store, options);
  if (!store) return complain_of(store.error());
  const auto status = (*store)->status();
  if (!status) return complain_of(status.error());
  args.has("json") ? print_json(*status) : print_status(*status);
  for (const StoreSetting& setting : status->settings) {
    if (!setting.safe) return Exit::invalid;
  }
  return Exit::good;
}

}  // namespace

Exit run_store(const Args& args) {
  constexpr std::string_view kHint = "As in: tessera store init --store sqlite:tessera.db";
  if (args.positionals().size() != 1)
    return usage_error("store takes init, upgrade or status", kHint);
  const std::string_view word = args.positionals()[0];
  const auto config = load_settings(args);
  if (!config) return config.error();
  if (is_http_url(config->store)) {
    complain("store " + printable(word) + " needs the database itself, not a Tessera",
             "Ask where that service runs; tessera doctor looks whether it answers.");
    return Exit::usage;
  }
  if (word == "status") return store_status(args, *config);
  if (word != "init" && word != "upgrade") {
    return usage_error("store takes init, upgrade or status, not '" + printable(word) + "'", kHint);
  }
  const auto schema = init_store(config->store, open_options(args));
  if (!schema) return complain_of(schema.error());
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("store").value(without_password(config->store));
    Output::standard().line(
        json.key("schema").value(std::int64_t{schema->version}).end_object().text());
  } else {
    Output::standard().line("schema\t" + words_of(*schema));
  }
  return Exit::good;
}

}  // namespace tessera::cli
