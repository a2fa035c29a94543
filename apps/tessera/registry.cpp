// tessera registry: what was issued, to whom, and that it never comes back.

#include <algorithm>
#include <array>
#include <string>

#include "commands.h"
#include "output.h"
#include "progress.h"
#include "registry_open.h"
#include "settings.h"
#include "short_key.h"
#include "tessera/client/http_client.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"
#include "tessera/segment/short_ids.h"

namespace tessera::cli {
namespace {

struct Action {
  std::string_view name;
  bool needs_tenant;
  std::size_t words_min;  // behind its own name
  std::size_t words_max;
  std::string_view usage;
};
constexpr std::array kActions = {
    Action{"create", true, 1, 1, "create TYPE --tenant T"},
    Action{"get", true, 0, kAnyNumber, "get --tenant T ID..."},
    Action{"resolve", true, 0, kAnyNumber, "resolve --tenant T ID..."},
    Action{"retire", true, 0, kAnyNumber, "retire --tenant T ID..."},
    Action{"undelete", true, 0, kAnyNumber, "undelete --tenant T ID..."},
    Action{"list", true, 1, 1, "list TYPE --tenant T"},
    Action{"stats", false, 0, 1, "stats [TYPE]"},
    Action{"verify", false, 0, 0, "verify"},
    Action{"init", false, 0, 0, "init"},
    Action{"sweep", false, 0, 0, "sweep"},
};
constexpr std::string_view kActionsHint =
    "It is one of create, get, resolve, retire, undelete, list, stats, verify, init, sweep.";

// Nothing, if it is not of short IDs, or has its key now. What is wrong has been complained about.
std::optional<Exit> use_short_key(const Args& args, OpenRegistry& open,
                                  const RegisteredType& type) {
  const ScopeConfig* scope = open.config.find_scope(type.declared.scope);
  if (scope == nullptr || scope->bits == 0 || open.stored == nullptr) return std::nullopt;
  const auto key = read_short_key(args, open.config);
  if (!key) return key.error();
  const auto cipher = ShortCipher::make(
      {scope->name, scope->bits, static_cast<std::uint64_t>(scope->max) + 1}, *key);
  if (!cipher) return complain_of(cipher.error());
  ScopeCatalogue& scopes = open.store->scopes();
  if (const auto made = scopes.create(scope_of(open.config, *scope)); !made) {
    return complain_of(made.error());
  }
  if (const auto other = bind_key(scopes, scope->name, *cipher)) return complain_of(*other);
  open.numbers->use_cipher(type, *cipher);
  return std::nullopt;
}

void print_resource(const Args& args, const NewResource& made) {
  Output& out = Output::standard();
  const bool internal = args.has("internal");
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("id").value(made.id).key("name").value(made.name);
    if (internal) json.key("key").value(made.key);
    if (made.repeated) json.key("repeated").value(true);
    out.line(json.end_object().text());
    return;
  }
  out.line(made.id + "\t" + made.name + (internal ? "\t" + std::to_string(made.key) : ""));
}

}  // namespace

Exit registry_init(const Args& args, const Config& config) {
  const auto types = registry_types(config);
  if (!types) return complain_of(types.error());
  const OpenOptions options = open_options(args);
  if (const auto made = init_store(config.store, options); !made) return complain_of(made.error());
  const auto made = init_registry(config.store, *types, options);
  if (!made) return complain_of(made.error());
  Output& out = Output::standard();
  if (!args.has("json")) out.line("type\tprefix\tcollection\tscope\tstorage");
  for (const auto& type : types->all()) {
    const auto* declared = config.find_type(type->name());
    const std::string storage(name_of(declared->storage));
    if (args.has("json")) {
      JsonWriter json;
      json.begin_object().key("type").value(type->name()).key("prefix").value(type->id.prefix);
      json.key("collection").value(type->declared.collection);
      json.key("scope").value(type->declared.scope).key("storage").value(storage);
      out.line(json.end_object().text());
      continue;
    }
    out.line(type->name() + "\t" + type->id.prefix + "\t" + type->declared.collection + "\t" +
             type->declared.scope + "\t" + storage);
  }
  return Exit::good;
}

Exit registry_create(const Args& args, OpenRegistry& open, const Rest& words) {
  constexpr std::uint64_t kCountMax = 1'000'000'000;
  constexpr std::uint64_t kBatch = 1000;  // one commit
  const auto type = open.type(words[0]);
  if (!type) return type.error();
  const auto count = args.number("count", 1, kCountMax);
  if (!count) return usage_error(count.error().message, count.error().hint);
  const std::uint64_t wanted = count->value_or(1);
  const CreateOptions options{.parent = args.value_or("parent", ""),
                              .idempotency_key = args.value_or("key", "")};
  const bool once = !options.idempotency_key.empty();
  if (once && wanted > CreateRequest::kEntriesMax) {
    return usage_error("--key: one commit makes at most " +
                       std::to_string(CreateRequest::kEntriesMax));
  }
  if (!open.config.enabled) {
    complain("new IDs are switched off here", "In tessera.yaml: enabled: true");
    return Exit::invalid;
  }
  if (const auto wrong = use_short_key(args, open, **type)) return *wrong;
  Progress progress("creating", wanted, Progress::Answers::are_streamed);
  for (std::uint64_t done = 0; done < wanted;) {
    const std::uint64_t batch = once ? wanted : std::min(wanted - done, kBatch);
    const auto made = open.registry->create_many(args.value_or("tenant", ""), (*type)->name(),
                                                 static_cast<std::size_t>(batch), options);
    if (!made) {
      Output::standard().flush();
      return complain_of(made.error());
    }
    for (const NewResource& resource : *made) print_resource(args, resource);
    done += batch;
    progress.update(done);
  }
  return Exit::good;
}

Exit registry_list(const Args& args, OpenRegistry& open, const Rest& words) {
  const auto type = open.type(words[0]);
  if (!type) return type.error();
  const auto size = args.number("page-size", 1, RegistryPort::kPageSizeMax);
  if (!size) return usage_error(size.error().message, size.error().hint);
  const bool one_page = args.has("page-size") || args.has("page-token");
  std::string token(args.value_or("page-token", ""));
  Output& out = Output::standard();
  do {
    const ListOptions options{
        .parent = args.value_or("parent", ""),
        .page_token = token,
        .page_size = static_cast<std::size_t>(size->value_or(RegistryPort::kPageSizeMax))};
    const auto page = open.registry->list(args.value_or("tenant", ""), (*type)->name(), options);
    if (!page) {
      out.flush();
      return complain_of(page.error());
    }
    for (const ListedResource& item : page->items) {
      print_resource(args, {.id = item.id, .name = item.name, .key = item.key});
    }
    token = page->next_token;
  } while (!one_page && !token.empty());
  if (!token.empty() && args.has("json")) {
    JsonWriter json;
    out.line(json.begin_object().key("next_page_token").value(token).end_object().text());
  } else if (!token.empty()) {
    out.line("next\t" + token);
  }
  return Exit::good;
}

Exit registry_sweep(const Args& args, OpenRegistry& open) {
  std::uint64_t ended = 0;
  std::uint64_t damaged = 0;
  {
    Progress progress("sweeping", 0, Progress::Answers::come_at_the_end);
    for (bool more = true; more;) {
      const auto swept = open.stored->sweep();
      if (!swept) {
        progress.clear();
        return complain_of(swept.error());
      }
      ended += swept->ended;
      damaged += swept->damaged;
      more = swept->more;
      progress.update(ended);
    }
  }
  std::uint64_t later = 0;
  for (const auto& type : open.types.all()) {
    const auto stats = open.rows->stats(*type);
    if (!stats) return complain_of(stats.error());
    later += stats->work;
  }
  Output& out = Output::standard();
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("ended").value(ended).key("not_due").value(later);
    json.key("damaged").value(damaged);
    out.line(json.end_object().text());
  } else {
    out.line("ended\t" + std::to_string(ended));
    out.line("not due\t" + std::to_string(later));
  }
  if (damaged == 0) return Exit::good;
  complain(std::to_string(damaged) + " rows cannot be read, and were put off for a day",
           "tessera registry verify says which; they are not erased before they are mended.");
  return Exit::invalid;
}

Exit run_registry(const Args& args) {
  const auto& all = args.positionals();
  const std::string_view word = all.empty() ? "" : all[0];
  const auto action = std::ranges::find(kActions, word, &Action::name);
  if (action == kActions.end()) {
    return usage_error(
        word.empty() ? "registry takes what to do" : "registry cannot '" + printable(word) + "'",
        kActionsHint);
  }
  const Rest words(all.begin() + 1, all.end());
  const std::string usage = "As in: tessera registry " + std::string(action->usage);
  if (words.size() < action->words_min || words.size() > action->words_max) {
    return usage_error("registry " + std::string(word) + " takes other arguments", usage);
  }
  if (action->needs_tenant && !args.has("tenant")) {
    return usage_error("whose? --tenant T", usage);
  }
  auto config = load_settings(args);
  if (!config) return config.error();
  const bool needs_rows = word == "init" || word == "sweep" || word == "stats" || word == "verify";
  if (needs_rows && is_http_url(config->store)) {
    complain("registry " + std::string(word) + " needs the database itself, not a Tessera",
             "Ask where that service runs, with its own store.");
    return Exit::usage;
  }
  if (word == "init") return registry_init(args, *config);
  const auto open = open_registry(args, *std::move(config));
  if (!open) return open.error();
  if (word == "create") return registry_create(args, **open, words);
  if (word == "list") return registry_list(args, **open, words);
  if (word == "sweep") return registry_sweep(args, **open);
  if (word == "stats") return registry_stats(args, **open, words);
  if (word == "verify") return registry_verify(args, **open);
  return registry_answer(args, **open, words, word);
}

}  // namespace tessera::cli
