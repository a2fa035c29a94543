// tessera registry get, resolve, retire, undelete: one of four answers for each ID.

#include <unistd.h>

#include <string>

#include "change.h"
#include "input.h"
#include "output.h"
#include "registry_open.h"
#include "settings.h"
#include "terminal.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"
#include "tessera/time_text.h"

namespace tessera::cli {
namespace {

using State = LookUp::State;

std::string time_of(std::uint64_t time_ms) {
  return std::string(time_text(static_cast<std::int64_t>(time_ms)).view());
}

std::string fault_words(const LookUp& answer, std::string_view text) {
  if (answer.alias) return "an alias stands where an ID is wanted";
  std::string words = describe(*answer.fault, text);
  if (answer.correction.empty()) return words;
  words += "; perhaps " + printable(answer.correction, 400);
  const std::string change = change_in(text, answer.correction);
  return change.empty() ? words : words + " (" + change + ")";
}

std::string words_of(const LookUp& answer, std::string_view text) {
  switch (answer.state) {
    case State::live: return answer.name + "\tcreated " + time_of(answer.created_ms);
    case State::deleted: return answer.deleted_ms ? "deleted " + time_of(*answer.deleted_ms) : "";
    case State::invalid: return fault_words(answer, text);
    case State::never_issued: break;
  }
  return "";
}

std::string text_line(const LookUp& answer, const Item& item, const Painter& paint) {
  const Colour colour = answer.state == State::live      ? Colour::green
                        : answer.state == State::deleted ? Colour::yellow
                                                         : Colour::red;
  const std::string words = words_of(answer, item.text);
  std::string line = paint(colour, name_of(answer.state)) + "\t" +
                     (answer.id.empty() ? printable(item.text, 400) : answer.id);
  if (!words.empty()) line += "\t" + words;
  return item.is_argument() ? line : line + "\t" + item.place();
}

std::string json_line(const Resolution& resolution, const Item& item, bool internal) {
  const LookUp& answer = resolution.answer;
  JsonWriter json;
  json.begin_object().key("input").value(item.text).key("state").value(name_of(answer.state));
  json.key("type");
  answer.type == nullptr ? json.null() : json.value(answer.type->name());
  if (!answer.id.empty()) json.key("id").value(answer.id);
  if (answer.state == State::live) {
    json.key("name").value(answer.name).key("created").value(time_of(answer.created_ms));
  }
  if (answer.deleted_ms) json.key("deleted").value(time_of(*answer.deleted_ms));
  if (answer.state == State::invalid) {
    json.key("code").value(name_of(answer.fault->code));
    json.key("offset").value(std::uint64_t{answer.fault->offset});
    json.key("message").value(fault_words(answer, item.text)).key("suggestion");
    answer.correction.empty() ? json.null() : json.value(answer.correction);
  }
  if (internal && resolution.key) json.key("key").value(*resolution.key);
  return with_place(json.end_object().take(), item);
}

Result<Resolution, Error> ask(RegistryPort& registry, std::string_view action, bool internal,
                              std::string_view tenant, std::string_view text) {
  if (internal && (action == "get" || action == "resolve")) return registry.resolve(tenant, text);
  auto answer = action == "get"      ? registry.look_up(tenant, text)
                : action == "retire" ? registry.retire(tenant, text)
                                     : registry.undelete(tenant, text);
  if (!answer) return Failure{answer.error()};
  return Resolution{*std::move(answer), std::nullopt};
}

// Only a key, or an empty line in its place.
void print_key(const Resolution& resolution, const Item& item) {
  Output& out = Output::standard();
  if (resolution.key) {
    out.line(std::to_string(*resolution.key));
    return;
  }
  out.line("");
  out.flush();
  const LookUp& answer = resolution.answer;
  std::string why = item.place() + ": " + std::string(name_of(answer.state)) + " '" +
                    printable(item.text, 400) + "'";
  if (answer.state == State::invalid) why += ": " + fault_words(answer, item.text);
  complain(why);
}

}  // namespace

Exit registry_answer(const Args& args, OpenRegistry& open, const Rest& words,
                     std::string_view action) {
  const std::string_view tenant = args.value_or("tenant", "");
  if (const auto fault = fault_of_tenant(tenant)) return complain_of(*fault);
  const State wanted = action == "retire" ? State::deleted : State::live;
  const bool keys = action == "resolve";
  const bool json = args.has("json");
  const bool internal = keys || args.has("internal");
  const Painter paint = painter_for(args, STDOUT_FILENO);
  Output& out = Output::standard();
  out.end_broken_pipe_with(Exit::io);  // not all were asked for
  bool all_good = true;
  std::optional<Exit> failed;
  const Reading reading{.words = Words::are_items};
  const Exit read = for_each_item(args, words, reading, [&](const Item& item) {
    if (failed) return;
    if (!item.fault.empty()) {
      all_good = false;
      out.flush();
      complain(item.place() + ": " + std::string(item.fault_words()));
      return;
    }
    const auto resolution = ask(*open.registry, action, internal, tenant, item.text);
    if (!resolution) {
      out.flush();
      failed = complain_of(resolution.error());
      return;
    }
    all_good = all_good && resolution->answer.state == wanted;
    if (json) {
      out.line(json_line(*resolution, item, internal));
    } else if (keys) {
      print_key(*resolution, item);
    } else {
      std::string line = text_line(resolution->answer, item, paint);
      if (internal && resolution->key) line += "\t" + std::to_string(*resolution->key);
      out.line(line);
    }
  });
  if (failed) return *failed;
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
