// tessera token: who may use the service. A token is shown once, when it is made.

#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "moment.h"
#include "output.h"
#include "settings.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"
#include "tessera/time_text.h"
#include "tokens_file.h"

namespace tessera::cli {
namespace {

using service::Ability;
using service::Token;

std::string abilities_of(const Token& token) {
  std::string all;
  for (std::size_t i = 0; i < service::kAbilityCount; ++i) {
    const auto ability = static_cast<Ability>(i);
    if (token.abilities.has(ability)) {
      all.append(all.empty() ? "" : ",").append(service::name_of(ability));
    }
  }
  return all;
}

std::string tenants_of(const Token& token) {
  std::string all;
  for (const std::string& tenant : token.tenants) all += (all.empty() ? "" : ",") + tenant;
  return all.empty() ? "-" : all;
}

std::string time_or(std::uint64_t time_ms, std::string_view otherwise) {
  return std::string(time_ms == 0 ? otherwise
                                  : time_text(static_cast<std::int64_t>(time_ms)).view());
}

void write_token(JsonWriter& json, const Token& token) {
  json.key("id").value(token.id).key("note").value(token.note);
  json.key("tenants").begin_array();
  for (const std::string& tenant : token.tenants) json.value(tenant);
  json.end_array().key("abilities").value(abilities_of(token));
  json.key("created").value(time_or(token.created_ms, ""));
  json.key("expires").value(time_or(token.expires_ms, "never"));
  json.key("rate").value(token.rate);
}

// What the flags ask for; what is wrong has been complained about.
Result<Token, Exit> wanted_token(const Args& args, std::uint64_t now_ms) {
  Token token;
  token.note = std::string(args.value_or("note", ""));
  for (const std::string_view tenant : args.values("tenant")) token.tenants.emplace_back(tenant);
  const auto abilities = args.values("ability");
  if (abilities.empty()) {
    return Failure{
        usage_error("what may the token do?", "As in: --ability mint --ability look-up")};
  }
  for (const std::string_view name : abilities) {
    if (name == "all") {
      token.abilities = service::Abilities::all();
      continue;
    }
    const auto ability = service::ability_named(name);
    if (!ability) return Failure{usage_error("there is no ability " + quoted(name))};
    token.abilities.add(*ability);
  }
  if (const auto text = args.value("expires")) {
    const auto now = static_cast<std::int64_t>(now_ms);
    const auto moment = parse_moment(*text, now);
    if (!moment) return Failure{usage_error("--expires: no time: " + quoted(*text), kTimeHint)};
    if (*moment <= now) {
      return Failure{usage_error("--expires: " + quoted(*text) + " is over already")};
    }
    token.expires_ms = static_cast<std::uint64_t>(*moment);
  }
  const auto rate = args.number("rate", 1, 1'000'000'000);
  if (!rate) return Failure{usage_error(rate.error().message, rate.error().hint)};
  token.rate = rate->value_or(0);
  return token;
}

Exit create(const Args& args, const std::string& path) {
  SystemClock clock;
  SystemEntropy entropy;
  const auto wanted = wanted_token(args, clock.now_ms());
  if (!wanted) return wanted.error();
  const auto made = service::make_token(*wanted, clock, entropy);
  if (!made) return complain_of(made.error());
  const auto error = change_tokens_file(path, [&](std::vector<Token>& tokens) {
    tokens.push_back(made->token);
    return std::optional<Error>();
  });
  if (error) return complain_of(*error);
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("token").value(made->text);
    write_token(json, made->token);
    Output::standard().line(json.end_object().text());
  } else {
    Output::standard().line(made->text);
    Output::standard().flush();
    complain("this is " + made->token.id + "; the token itself will not be shown again");
  }
  return Exit::good;
}

Exit list(const Args& args, const std::string& path) {
  const auto table = read_tokens_file(path);
  if (!table) return complain_of(table.error());
  SystemClock clock;
  const std::uint64_t now_ms = clock.now_ms();
  for (const Token& token : table->tokens()) {
    if (args.has("json")) {
      JsonWriter json;
      json.begin_object();
      write_token(json, token);
      Output::standard().line(json.end_object().text());
      continue;
    }
    Output::standard().line(token.id + "\t" + tenants_of(token) + "\t" + abilities_of(token) +
                            "\t" + (token.is_over(now_ms) ? "over since " : "until ") +
                            time_or(token.expires_ms, "it is revoked") + "\t" +
                            printable(token.note));
  }
  return Exit::good;
}

Exit revoke(const std::string& path, std::string_view id) {
  const auto error = change_tokens_file(path, [&](std::vector<Token>& tokens) {
    const auto count = std::erase_if(tokens, [&](const Token& token) { return token.id == id; });
    return count > 0 ? std::optional<Error>()
                     : Error{Error::Code::not_found, "there is no token " + quoted(id),
                             "tessera token list shows them."};
  });
  return error ? complain_of(*error) : Exit::good;
}

}  // namespace

Exit run_token(const Args& args) {
  const auto& words = args.positionals();
  if (words.empty()) return usage_error("what about tokens?", "create, list or revoke");
  auto config = load_settings(args);
  if (!config) return config.error();
  std::string path(args.value_or("tokens", config->tokens));
  if (path.empty()) {
    return usage_error("where are the tokens?",
                       "Name the file with --tokens, or as tokens in tessera.yaml.");
  }
  if (words[0] == "create" && words.size() == 1) return create(args, path);
  if (words[0] == "list" && words.size() == 1) return list(args, path);
  if (words[0] == "revoke" && words.size() == 2) return revoke(path, words[1]);
  return usage_error("tessera token create, list, or revoke ID");
}

}  // namespace tessera::cli
