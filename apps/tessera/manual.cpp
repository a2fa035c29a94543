// tessera manual: the tables as manual pages, and as docs/cli.md.

#include <string>

#include "commands.h"
#include "help.h"
#include "output.h"
#include "tessera/parse_error.h"
#include "tessera/version.h"

namespace tessera::cli {
namespace {

// Text for roff: dashes that can be copied, and no line that begins a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else {
      out += c;
    }
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string roff_paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    out += ".PP\n" + roff(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

std::string roff_flags(std::span<const Flag> flags) {
  std::string out;
  for (const Flag& flag : flags) {
    std::string words = roff(flag_words(flag));
    words.erase(0, words.find_first_not_of(' '));
    out += ".TP\n.B " + words + "\n" + roff(flag.help);
    if (const auto choices = choices_words(flag); !choices.empty()) out += "; " + roff(choices);
    out += ".\n";
  }
  return out;
}

std::string man_page(const Command& command) {
  const std::string name = "tessera-" + std::string(command.name);
  std::string out = ".TH " + name + " 1 \"\" \"tessera " TESSERA_VERSION "\" \"Tessera\"\n";
  out += ".SH NAME\n" + roff(name) + " \\- " + roff(command.summary) + "\n";
  out += ".SH SYNOPSIS\n.B tessera " + std::string(command.name) + "\n" + roff(command.arguments) +
         " [FLAGS]\n";
  out += ".SH DESCRIPTION\n" + roff_paragraphs(command.description);
  out += ".SH OPTIONS\n" + roff_flags(command.flags) + roff_flags(common_flags());
  out += ".SH EXIT STATUS\n" + roff(kExitCodes) + "\n.SH EXAMPLES\n";
  for (const Example& example : command.examples) {
    out += ".PP\n" + roff(example.shows) + ":\n.PP\n.EX\n  " + roff(example.command) + "\n.EE\n";
  }
  return out + ".SH SEE ALSO\n.BR tessera (1)\n";
}

std::string main_page() {
  std::string out = ".TH tessera 1 \"\" \"tessera " TESSERA_VERSION "\" \"Tessera\"\n";
  out += ".SH NAME\ntessera \\- make, recognise, check and convert identifiers\n";
  out += ".SH SYNOPSIS\n.B tessera\nCOMMAND [FLAGS] [ARGUMENTS]\n.SH COMMANDS\n";
  for (const Command& command : commands()) {
    out +=
        ".TP\n.BR tessera\\-" + std::string(command.name) + " (1)\n" + roff(command.summary) + "\n";
  }
  out += ".SH EXIT STATUS\n" + roff(kExitCodes) + "\n.SH ENVIRONMENT\n";
  out += ".TP\n.B TESSERA_CONFIG\nThe configuration file, where \\-\\-config is not given.\n";
  return out + ".TP\n.B NO_COLOR\nIf set, no colours unless \\-\\-color=always.\n";
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<') out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_flags(std::span<const Flag> flags) {
  std::string out = "| flag | meaning |\n| --- | --- |\n";
  for (const Flag& flag : flags) {
    std::string words = flag_words(flag);
    words.erase(0, words.find_first_not_of(' '));
    out += "| `" + words + "` | " + markdown_cell(flag.help);
    if (const auto choices = choices_words(flag); !choices.empty())
      out += "; " + markdown_cell(choices);
    out += " |\n";
  }
  return out;
}

std::string reference() {
  std::string out =
      "# Command line\n\nMade by `tessera manual --format markdown`; a test compares it.\n\n";
  out += "Data goes to standard output, everything else to standard error. Exit codes: " +
         std::string(kExitCodes) + "\n\n## Flags of every command\n\n" +
         markdown_flags(common_flags());
  for (const Command& command : commands()) {
    out += "\n## tessera " + std::string(command.name);
    if (!command.arguments.empty()) out += " " + markdown_cell(command.arguments);
    std::string summary(command.summary);
    out += "\n\nIn short: " + summary + ".\n\n" + std::string(command.description) + "\n";
    if (!command.flags.empty()) out += "\n" + markdown_flags(command.flags);
    out += "\n```sh\n";
    for (const Example& example : command.examples) {
      out += std::string(example.command) + "    # " + std::string(example.shows) + "\n";
    }
    out += "```\n";
  }
  out += "\n## Error codes\n\nThe same words stand in JSON, in HTTP problems and in SQL.\n\n";
  out += "| code | meaning | hint |\n| --- | --- | --- |\n";
  for (const ErrorText& error : error_texts()) {
    out += "| `" + std::string(error.name) + "` | " + markdown_cell(error.phrase) + " | " +
           markdown_cell(error.hint) + " |\n";
  }
  return out;
}

}  // namespace

Exit run_manual(const Args& args) {
  Output& out = Output::standard();
  if (args.value_or("format", "man") == "markdown") {
    out.write(reference());
    return Exit::good;
  }
  if (args.positionals().empty()) {
    out.write(main_page());
    return Exit::good;
  }
  const Command* command = find_command(args.positionals()[0]);
  if (command == nullptr) {
    return usage_error("there is no command '" + printable(args.positionals()[0]) + "'",
                       "tessera help lists the commands.");
  }
  out.write(man_page(*command));
  return Exit::good;
}

}  // namespace tessera::cli
