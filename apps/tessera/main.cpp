// The program. A command line is a command, its flags and its arguments; the command runs,
// and its answer is the exit code.

#include <csignal>
#include <string>
#include <vector>

#include "args.h"
#include "commands.h"
#include "help.h"
#include "output.h"
#include "terminal.h"
#include "tessera/parse_error.h"
#include "tessera/version.h"

#include <unistd.h>

namespace tessera::cli {
namespace {

Exit run(std::span<const std::string_view> words) {
  Output& out = Output::standard();
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    out.write(overview(Painter(is_terminal(STDOUT_FILENO))));
    return words.empty() ? Exit::usage : Exit::good;
  }
  if (words[0] == "--version" || words[0] == "-V") {
    out.line("tessera " TESSERA_VERSION);
    return Exit::good;
  }
  const Command* command = find_command(words[0]);
  if (command == nullptr) {
    std::vector<std::string_view> names;
    for (const Command& known : commands()) names.push_back(known.name);
    const std::string_view near = nearest(words[0], names);
    return usage_error("there is no command '" + printable(words[0]) + "'",
                       near.empty() ? "tessera help lists the commands."
                                    : "Did you mean " + std::string(near) + "?");
  }
  const auto args = Args::parse(*command, words.subspan(1));
  if (!args) return usage_error(args.error().message, args.error().hint);
  if (args->has("help")) {
    out.write(help_for(*command, painter_for(*args, STDOUT_FILENO)));
    return Exit::good;
  }
  return command->run(*args);
}

}  // namespace
}  // namespace tessera::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a write says so instead, and Output knows what to do
  const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto exit = tessera::cli::run(words);
  tessera::cli::Output::standard().flush();
  return static_cast<int>(exit);
}
