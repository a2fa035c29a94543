// tessera manual: the tables as manual pages, and as docs/cli.md.

#include <array>
#include <string>
#include <utility>

#include "commands.h"
#include "help.h"
#include "input.h"
#include "output.h"
#include "tessera/kind.h"
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
    if (!out.empty()) out += ".PP\n";
    out += roff(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

// The same words as in the help, with the flag in bold and its value in italics.
std::string roff_flag_words(const Flag& flag) {
  std::string out;
  if (flag.letter != '\0') out += "\\fB\\-" + std::string(1, flag.letter) + "\\fR, ";
  out += "\\fB\\-\\-" + roff(flag.name) + "\\fR";
  if (!flag.value.empty()) out += " \\fI" + roff(flag.value) + "\\fR";
  return out;
}

// Of the pages, not of the program: they change with it, and two builds must not differ.
constexpr std::string_view kDate = "2026-11-15";

std::string title(std::string_view name) {
  return ".TH " + std::string(name) + " 1 " + std::string(kDate) +
         " \"tessera " TESSERA_VERSION "\" \"Tessera\"\n";
}

std::string roff_flags(std::span<const Flag> flags) {
  std::string out;
  for (const Flag& flag : flags) {
    out += ".TP\n" + roff_flag_words(flag) + "\n" + roff(flag.help);
    if (const auto choices = choices_words(flag); !choices.empty()) out += "; " + roff(choices);
    out += ".\n";
  }
  return out;
}

std::string man_page(const Command& command) {
  const std::string name = "tessera-" + std::string(command.name);
  std::string out = title(name);
  out += ".SH NAME\n" + roff(name) + " \\- " + roff(command.summary) + "\n";
  out += ".SH SYNOPSIS\n\\fBtessera " + std::string(command.name) + "\\fR " +
         roff(command.arguments) + (command.arguments.empty() ? "" : " ") + "[FLAGS]\n";
  out += ".SH DESCRIPTION\n" + roff_paragraphs(command.description);
  out += ".SH OPTIONS\n" + roff_flags(command.flags) + roff_flags(common_flags());
  out += ".SH EXIT STATUS\n" + roff(kExitCodes) + "\n.SH EXAMPLES\n";
  bool first = true;
  for (const Example& example : command.examples) {
    if (!std::exchange(first, false)) out += ".PP\n";
    out += roff(example.shows) + ":\n.PP\n.EX\n  " + roff(example.command) + "\n.EE\n";
  }
  return out + ".SH SEE ALSO\n.BR tessera (1)\n";
}

std::string main_page() {
  std::string out = title("tessera");
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
    out += "| `" + markdown_cell(words) + "` | " + markdown_cell(flag.help);
    if (const auto choices = choices_words(flag); !choices.empty()) {
      out += "; " + markdown_cell(choices);
    }
    out += " |\n";
  }
  return out;
}

std::string markdown_kinds() {
  std::string out = "\n## Kinds\n\nWhat `tessera help KIND` says, side by side.\n\n";
  out += "| kind | bits | sorts | guessing a neighbour | gives away | for |\n";
  out += "| --- | --- | --- | --- | --- | --- |\n";
  for (const KindInfo& info : all_kinds()) {
    out += "| `" + std::string(info.name) + "` |";
    for (const auto text : {info.size, info.sorts, info.guess, info.tells, info.use}) {
      out += " " + markdown_cell(text) + " |";
    }
    out += "\n";
  }
  return out;
}

std::string markdown_errors() {
  std::string out =
      "\n## Error codes\n\nThe same words stand in JSON, in HTTP problems and in SQL.\n\n"
      "| code | meaning | hint |\n| --- | --- | --- |\n";
  for (const ErrorText& error : error_texts()) {
    out += "| `" + std::string(error.name) + "` | " + markdown_cell(error.phrase) + " | " +
           markdown_cell(error.hint) + " |\n";
  }
  out += "\nThese are the command line's own.\n\n| code | meaning |\n| --- | --- |\n";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOwn = {{
      {"unknown", "no kind of ID is known that looks like this"},
      {"ambiguous", "several readings are likely, and their bits differ"},
      {"lossy", "the form has no room for the bits, or would add some"},
      {kLineTooLong, "a line of more than a megabyte; it was passed over"},
      {kMissingColumn, "a line without the column that was asked for"},
      {kShortRecord, "the input ended within a value of --from bytes"},
  }};
  for (const auto& [code, meaning] : kOwn) {
    out += "| `" + std::string(code) + "` | " + std::string(meaning) + " |\n";
  }
  return out;
}

std::string reference() {
  constexpr std::size_t kWidth = 100;
  std::string out =
      "# Command line\n\nMade by `tessera manual --format markdown`; a test compares it. "
      "[How to use it](cli-guide.md) has examples.\n\n";
  out += wrapped("Data goes to standard output, everything else to standard error. Exit codes: " +
                     std::string(kExitCodes),
                 "", kWidth);
  out += "\n## Flags of every command\n\n" + markdown_flags(common_flags());
  for (const Command& command : commands()) {
    out += "\n## tessera " + std::string(command.name) + "\n\n    tessera " +
           std::string(command.name) + (command.arguments.empty() ? "" : " ") +
           std::string(command.arguments) +
           " [FLAGS]\n\nIn short: " + std::string(command.summary) + ".\n\n" +
           wrapped(command.description, "", kWidth);
    if (!command.flags.empty()) out += "\n" + markdown_flags(command.flags);
    out += "\n```sh\n";
    for (const Example& example : command.examples) {
      out += std::string(example.command) + "    # " + std::string(example.shows) + "\n";
    }
    out += "```\n";
  }
  return out + markdown_kinds() + markdown_errors();
}

}  // namespace

Exit run_manual(const Args& args) {
  Output& out = Output::standard();
  if (args.value_or("format", "man") == "markdown") {
    if (!args.positionals().empty()) return usage_error("the Markdown is of all commands at once");
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
