// From the words of a command line to a command.

#include "run.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "args.h"
#include "commands.h"
#include "help.h"
#include "output.h"
#include "terminal.h"
#include "tessera/detect.h"
#include "tessera/kind.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"
#include "tessera/version.h"

namespace tessera::cli {
namespace {

Exit unknown_command(std::string_view word) {
  std::string hint = "tessera help lists the commands.";
  std::vector<std::string_view> names;
  for (const Command& known : commands()) names.push_back(known.name);
  if (const std::string_view near = nearest(word, names); !near.empty()) {
    hint = "Did you mean " + std::string(near) + "?";
  } else if (kind_of(word)) {
    hint = "To make one: tessera new " + std::string(word);
  } else if (word.starts_with("-")) {
    hint = "Flags stand behind the command: tessera COMMAND " + printable(word, 60);
  } else if (detect(word, SystemClock().now_ms()).verdict != Detection::Verdict::unknown) {
    hint = "To see what it is: tessera inspect " + printable(word, 60);
  }
  return usage_error("there is no command '" + printable(word) + "'", hint);
}

}  // namespace

Exit run(std::span<const std::string_view> words) {
  if (words.empty()) {
    // Not an answer but a complaint, so that nobody pipes it anywhere.
    Output complaint(STDERR_FILENO);
    complaint.write(overview(painter_for(STDERR_FILENO)));
    return Exit::usage;
  }
  Output& out = Output::standard();
  if (words[0] == "--help" || words[0] == "-h") {
    out.write(overview(painter_for(STDOUT_FILENO)));
    return Exit::good;
  }
  if (words[0] == "--version" || words[0] == "-V") {
    out.line("tessera " TESSERA_VERSION);
    return Exit::good;
  }
  const Command* command = find_command(words[0]);
  if (command == nullptr) return unknown_command(words[0]);
  const auto args = Args::parse(*command, words.subspan(1));
  if (!args) return usage_error(args.error().message, args.error().hint);
  if (args->has("help")) {
    out.write(help_for(*command, painter_for(*args, STDOUT_FILENO)));
    return Exit::good;
  }
  return command->run(*args);
}

}  // namespace tessera::cli
