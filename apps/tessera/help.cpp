// tessera help.

#include "help.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "commands.h"
#include "output.h"
#include "tessera/json.h"
#include "tessera/kind.h"
#include "tessera/parse_error.h"
#include "tessera/version.h"

namespace tessera::cli {
namespace {

std::string pad(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width > text.size() ? width - text.size() : 1, ' ');
}

std::string kind_help(const KindInfo& info, const Painter& paint) {
  const auto row = [&](std::string_view name, std::string_view text) {
    return paint(Colour::dim, pad(name, 12)) + wrapped(text, std::string(12, ' ')).substr(12);
  };
  std::string out = paint(Colour::bold, info.title) + "\n\n  " + std::string(info.picture) + "\n\n";
  out += row("size", info.size) + row("sorts", info.sorts) + row("guessing", info.guess) +
         row("gives away", info.tells) + row("use it for", info.use);
  const std::string_view flags = info.kind == Kind::snowflake   ? " --machine 1"
                                 : info.kind == Kind::public_id ? " --prefix ord"
                                 : info.kind == Kind::short_id  ? " --scope VOUCHER --bits 40"
                                 : info.kind == Kind::uuidv3 || info.kind == Kind::uuidv5
                                     ? " --namespace dns --name www.example.com"
                                     : "";
  if (info.kind == Kind::uuidv4) out += row("also", "what 'tessera new uuid' makes");
  out += row("make one", "tessera new " + std::string(info.name) + std::string(flags));
  return out;
}

std::string kinds_help(const Painter& paint) {
  std::string out;
  for (const KindInfo& info : all_kinds()) {
    out += paint(Colour::bold, pad(info.name, 11)) +
           wrapped(info.use, std::string(11, ' ')).substr(11);
    out += std::string(11, ' ') + paint(Colour::dim, std::string(info.size)) + "\n";
  }
  return out + "\n'tessera help KIND' says more.\n";
}

std::string kind_json(const KindInfo& info) {
  JsonWriter json;
  json.begin_object().key("kind").value(info.name).key("title").value(info.title);
  json.key("size").value(info.size).key("layout").value(info.picture);
  json.key("sorts").value(info.sorts).key("guessing").value(info.guess);
  json.key("gives_away").value(info.tells).key("use_it_for").value(info.use);
  json.key("has_time").value(info.has_time);
  return json.end_object().take();
}

}  // namespace

std::string wrapped(std::string_view text, std::string_view indent, std::size_t width) {
  std::string out;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(indent);
    bool bare = true;
    for (const std::string_view word : split_words(text.substr(0, end))) {
      if (!bare && line.size() + 1 + word.size() > width) {
        out += line + "\n";
        line = indent;
        bare = true;
      }
      if (!bare) line += ' ';
      line += word;
      bare = false;
    }
    out += bare ? "\n" : line + "\n";
    if (end >= text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

std::string flag_words(const Flag& flag) {
  std::string words = flag.letter == '\0' ? "    " : std::string("-") + flag.letter + ", ";
  words += "--" + std::string(flag.name);
  if (!flag.value.empty()) words += " " + std::string(flag.value);
  return words;
}

std::string choices_words(const Flag& flag) {
  if (flag.choices.empty()) return {};
  std::string out = "one of: ";
  for (const char c : flag.choices) out += c == ' ' ? std::string(", ") : std::string(1, c);
  return out;
}

std::string overview(const Painter& paint) {
  std::string out = paint(Colour::bold, "tessera") +
                    " " TESSERA_VERSION ": make, recognise, check and convert identifiers\n\n";
  out += "usage: tessera COMMAND [FLAGS] [ARGUMENTS]\n\n";
  for (const Command& command : commands()) {
    out += "  " + paint(Colour::bold, pad(command.name, 13)) + std::string(command.summary) + "\n";
  }
  out +=
      "\n'tessera help COMMAND' says how a command is used, 'tessera help kinds' which kinds there "
      "are.\n";
  return out;
}

std::string help_for(const Command& command, const Painter& paint) {
  constexpr std::size_t kFlagWidth = 26;
  std::string out = paint(Colour::bold, "tessera " + std::string(command.name)) + ": " +
                    std::string(command.summary) + "\n\nusage: tessera " +
                    std::string(command.name);
  if (!command.arguments.empty()) out += " " + std::string(command.arguments);
  out += " [FLAGS]\n\n" + wrapped(command.description, "") + "\n" + paint(Colour::bold, "flags") +
         "\n";
  for (const auto flags : {command.flags, common_flags()}) {
    for (const Flag& flag : flags) {
      const std::string words = "  " + flag_words(flag);
      std::string text(flag.help);
      if (const std::string choices = choices_words(flag); !choices.empty()) text += "; " + choices;
      const std::string indent(kFlagWidth, ' ');
      const std::string lines = wrapped(text, indent);
      out += words.size() < kFlagWidth ? pad(words, kFlagWidth) + lines.substr(kFlagWidth)
                                       : words + "\n" + lines;
    }
  }
  out += "\n" + paint(Colour::bold, command.examples.size() == 1 ? "example" : "examples") + "\n";
  for (const Example& example : command.examples) {
    out += "  " + paint(Colour::dim, "# " + std::string(example.shows)) + "\n  $ " +
           std::string(example.command) + "\n";
  }
  return out;
}

Exit run_help(const Args& args) {
  const Painter paint = painter_for(args, STDOUT_FILENO);
  Output& out = Output::standard();
  if (args.positionals().empty()) {
    out.write(overview(paint));
    return Exit::good;
  }
  const std::string_view topic = args.positionals()[0];
  const bool json = args.has("json");
  if (topic == "kinds" && json) {
    for (const KindInfo& info : all_kinds()) out.line(kind_json(info));
  } else if (const auto kind = kind_of(topic); json && kind) {
    out.line(kind_json(info_of(*kind)));
  } else if (json) {
    return usage_error("--json is for kinds", "As in: tessera help kinds --json");
  } else if (topic == "kinds") {
    out.write(kinds_help(paint));
  } else if (const Command* command = find_command(topic)) {
    out.write(help_for(*command, paint));
  } else if (kind) {
    out.write(kind_help(info_of(*kind), paint));
  } else {
    std::vector<std::string_view> topics{"kinds"};
    for (const Command& known : commands()) topics.push_back(known.name);
    for (const KindInfo& info : all_kinds()) topics.push_back(info.name);
    const std::string_view near = nearest(topic, topics);
    return usage_error("there is no help on '" + printable(topic) + "'",
                       near.empty() ? "tessera help lists the commands."
                                    : "Did you mean " + std::string(near) + "?");
  }
  return Exit::good;
}

}  // namespace tessera::cli
