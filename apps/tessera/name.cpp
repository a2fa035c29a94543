// tessera name: resource names, made, taken apart and checked.

#include <string>
#include <vector>

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

void say_why(const Item& item, const ParseError& error) {
  complain(item.place() + ": '" + printable(item.text) + "': " + describe(error, item.text),
           error_text(error.code).hint);
}

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

// books [ID] pages …: what has no ID gets a new one.
Exit name_new(std::span<const std::string_view> words, const TypeTable& types) {
  if (words.empty()) {
    return usage_error("name new takes COLLECTION [PARENT]", "As in: tessera name new pages books/1");
  }
  if (words.size() > 2) return usage_error("name new takes COLLECTION [PARENT]");
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

Exit name_parse(const Args& args, std::span<const std::string_view> words) {
  Output& out = Output::standard();
  bool all_good = true;
  const Exit read = for_each_item(args, words, [&](const Item& item) {
    const auto name = ResourceName::parse_full(item.text);
    if (!name) {
      all_good = false;
      out.flush();
      say_why(item, name.error());
      return true;
    }
    if (args.has("json")) {
      JsonWriter json;
      json.begin_object().key("name").value(name->to_string());
      json.key("service");
      name->service().empty() ? json.null() : json.value(name->service());
      json.key("parent");
      const auto parent = name->parent();
      parent ? json.value(parent->to_string()) : json.null();
      json.key("parts").begin_array();
      for (const auto& part : name->parts()) {
        json.begin_object().key("collection").value(part.collection);
        json.key("id").value(part.id).end_object();
      }
      out.line(json.end_array().end_object().text());
      return true;
    }
    for (const auto& part : name->parts()) {
      out.line(std::string(part.collection) + "\t" + std::string(part.id));
    }
    return true;
  });
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

Exit name_check(const Args& args, std::span<const std::string_view> words) {
  Output& out = Output::standard();
  bool all_good = true;
  const Exit read = for_each_item(args, words, [&](const Item& item) {
    const auto name = ResourceName::parse_full(item.text);
    if (!name) all_good = false;
    if (args.has("json")) {
      JsonWriter json;
      json.begin_object().key("input").value(item.text).key("valid").value(bool(name));
      if (!name) {
        json.key("code").value(name_of(name.error().code));
        json.key("offset").value(std::uint64_t{name.error().offset});
      }
      out.line(json.end_object().text());
    } else if (name) {
      out.line("valid\t" + printable(item.text, 2000));
    } else {
      out.line(std::string(name_of(name.error().code)) + "\t" + printable(item.text, 200) + "\t" +
               describe(name.error(), item.text));
    }
    return true;
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
  if (verb == "parse") return name_parse(args, words);
  if (verb == "check") return name_check(args, words);
  if (verb != "new") {
    return usage_error("name takes new, parse or check, not '" + printable(verb) + "'");
  }
  const auto types = load_types(args);
  if (!types) return types.error();
  return name_new(words, types->table);
}

}  // namespace tessera::cli
