// tessera name: resource names, made, taken apart and checked.

#include <optional>
#include <string>
#include <utility>

#include "commands.h"
#include "input.h"
#include "output.h"
#include "tessera/json.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/resource_name.h"
#include "types.h"

namespace tessera::cli {
namespace {

// An ID for the collection: of the declared type, if --config has one of that name or its
// plural; else a random one with a check symbol.
Result<std::string, MintError> make_id(std::string_view collection, const TypeTable& types) {
  const ResourceType* type = types.find_by_name(collection);
  if (type == nullptr && collection.ends_with('s')) {
    type = types.find_by_name(collection.substr(0, collection.size() - 1));
  }
  if (type != nullptr) {
    const auto id = TypeTable::generate(*type);
    if (!id) return Failure{id.error()};
    return id->to_string();
  }
  const auto id = RandomId::generate(120, RandomId::Symbols::plain);
  if (!id) return Failure{id.error()};
  return id->to_string();
}

// A new name in `words[0]`, below `words[1]` if there is one.
Exit name_new(std::span<const std::string_view> words, const TypeTable& types) {
  if (words.empty() || words.size() > 2) {
    return usage_error("name new takes COLLECTION [PARENT]",
                       "As in: tessera name new pages books/1");
  }
  ResourceName parent = ResourceName::root();
  if (words.size() == 2) {
    const auto parsed = ResourceName::parse(words[1]);
    if (!parsed) {
      complain("'" + printable(words[1]) + "': " + describe(parsed.error(), words[1]),
               error_text(parsed.error().code).hint);
      return Exit::invalid;
    }
    parent = *parsed;
  }
  const auto id = make_id(words[0], types);
  if (!id) {
    complain("could not make an ID: " + std::string(describe(id.error())));
    return Exit::io;
  }
  const auto name = parent.child(words[0], *id);
  if (!name) {
    complain("'" + printable(words[0]) + "' cannot be a collection here",
             "A collection is a letter, then letters, digits, - and _, and stands once in a name.");
    return Exit::invalid;
  }
  Output::standard().line(name->to_string());
  return Exit::good;
}

// What is wrong with an item; nothing if it is a name.
struct Wrong {
  std::string code;
  std::string message;
  std::string hint;
  std::optional<std::uint32_t> offset;
};

std::optional<Wrong> wrong_with(const Item& item, const Result<ResourceName, ParseError>& name) {
  if (!item.fault.empty()) {
    return Wrong{std::string(item.fault), std::string(item.fault_words()), "", std::nullopt};
  }
  if (name) return std::nullopt;
  const ParseError& error = name.error();
  return Wrong{std::string(name_of(error.code)), describe(error, item.text),
               std::string(error_text(error.code).hint), error.offset};
}

std::string json_line(const Item& item, const Result<ResourceName, ParseError>& name,
                      const std::optional<Wrong>& wrong) {
  JsonWriter json;
  json.begin_object().key("input").value(item.text).key("valid").value(!wrong);
  if (wrong) {
    json.key("code").value(wrong->code).key("offset");
    wrong->offset ? json.value(std::uint64_t{*wrong->offset}) : json.null();
    json.key("message").value(wrong->message).key("hint").value(wrong->hint);
    return with_place(json.end_object().take(), item);
  }
  json.key("name").value(name->to_string()).key("service");
  name->service().empty() ? json.null() : json.value(name->service());
  json.key("parent");
  const auto parent = name->parent();
  parent ? json.value(parent->to_string()) : json.null();
  json.key("parts").begin_array();
  for (const auto& part : name->parts()) {
    json.begin_object().key("collection").value(part.collection);
    json.key("id").value(part.id).end_object();
  }
  return with_place(json.end_array().end_object().take(), item);
}

enum class Verb : std::uint8_t { parse, check };

Exit read_names(const Args& args, std::span<const std::string_view> words, Verb verb) {
  Output& out = Output::standard();
  if (verb == Verb::check) out.end_broken_pipe_with(Exit::io);
  bool all_good = true;
  bool first = true;
  // A name may well be that of a file; here it is not.
  const Reading reading{.words = Words::are_items, .record_size = 0};
  const Exit read = for_each_item(args, words, reading, [&](const Item& item) {
    const auto name = ResourceName::parse_full(item.text);
    const auto wrong = wrong_with(item, name);
    all_good = all_good && !wrong;
    const std::string shown = item.fault.empty() ? printable(item.text, 2000) : item.place();
    if (args.has("json")) {
      out.line(json_line(item, name, wrong));
    } else if (verb == Verb::check) {
      out.line(wrong ? wrong->code + "\t" + shown + "\t" + wrong->message : "valid\t" + shown);
    } else if (wrong) {
      out.flush();
      complain(item.place() + ": '" + printable(item.text) + "': " + wrong->message, wrong->hint);
    } else {
      if (!std::exchange(first, false)) out.line("");
      for (const auto& part : name->parts()) {
        out.line(std::string(part.collection) + "\t" + std::string(part.id));
      }
    }
  });
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace

Exit run_name(const Args& args) {
  if (args.positionals().empty()) {
    return usage_error("name takes new, parse or check", "As in: tessera name new books");
  }
  const auto verb = args.positionals()[0];
  const auto words = std::span(args.positionals()).subspan(1);
  if (verb == "parse") return read_names(args, words, Verb::parse);
  if (verb == "check") return read_names(args, words, Verb::check);
  if (verb != "new") {
    return usage_error("name takes new, parse or check, not '" + printable(verb) + "'");
  }
  const auto types = load_types(args);
  if (!types) return types.error();
  return name_new(words, types->table);
}

}  // namespace tessera::cli
