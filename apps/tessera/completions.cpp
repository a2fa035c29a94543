// tessera completions: scripts for bash, zsh and fish, made from the tables.

#include <string>

#include "commands.h"
#include "output.h"
#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

std::string command_names() {
  std::string out;
  for (const Command& command : commands())
    out += (out.empty() ? "" : " ") + std::string(command.name);
  return out;
}

std::string flag_names(const Command& command) {
  std::string out;
  for (const auto flags : {command.flags, common_flags()}) {
    for (const Flag& flag : flags) {
      out += (out.empty() ? "--" : " --") + std::string(flag.name);
      if (flag.letter != '\0') out += std::string(" -") + flag.letter;
    }
  }
  return out;
}

// Calls `use(pattern, choices)` for every flag of `command` that takes one of some words.
template <class Use>
void for_each_choice(const Command& command, Use use) {
  for (const auto flags : {command.flags, common_flags()}) {
    for (const Flag& flag : flags) {
      if (flag.choices.empty()) continue;
      std::string pattern = "--" + std::string(flag.name);
      if (flag.letter != '\0') pattern += std::string("|-") + flag.letter;
      use(pattern, flag.choices);
    }
  }
}

std::string bash() {
  std::string out =
      "# bash completion for tessera\n"
      "_tessera() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '" +
      command_names() +
      " --help --version' -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case $command in\n";
  for (const Command& command : commands()) {
    out += "    " + std::string(command.name) + ")\n      case $before in\n";
    for_each_choice(command, [&](const std::string& pattern, std::string_view choices) {
      out += "        " + pattern + ") mapfile -t COMPREPLY < <(compgen -W '" +
             std::string(choices) + "' -- \"$word\"); return ;;\n";
    });
    out +=
        "        --file|-f|--config) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return "
        ";;\n";
    out +=
        "      esac\n      if [[ $word == -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W '" +
        flag_names(command) +
        "' -- \"$word\")\n"
        "      else\n";
    if (command.choices.empty()) {
      out += "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n";
    } else {
      out += "        mapfile -t COMPREPLY < <(compgen -W '" + std::string(command.choices) +
             "' -- \"$word\")\n";
    }
    out += "      fi ;;\n";
  }
  return out + "  esac\n}\ncomplete -F _tessera tessera\n";
}

// For single quotes of the shell, and for the brackets and colons of zsh's own notation.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh() {
  std::string out = "#compdef tessera\n\n_tessera() {\n  local -a commands\n  commands=(\n";
  for (const Command& command : commands()) {
    out += "    '" + std::string(command.name) + ":" + zsh_text(command.summary) + "'\n";
  }
  out +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const Command& command : commands()) {
    out += "    " + std::string(command.name) + ")\n      _arguments -s";
    for (const auto flags : {command.flags, common_flags()}) {
      for (const Flag& flag : flags) {
        std::string action;
        if (!flag.value.empty()) {
          action = ":" + zsh_text(flag.value) + ":";
          if (!flag.choices.empty()) action += "(" + std::string(flag.choices) + ")";
          if (flag.value == "FILE") action += "_files";
        }
        const std::string text = "[" + zsh_text(flag.help) + "]" + action + "'";
        out += " \\\n        '--" + std::string(flag.name) + (flag.value.empty() ? "" : "=") + text;
        if (flag.letter != '\0') {
          out +=
              std::string(" \\\n        '-") + flag.letter + (flag.value.empty() ? "" : "+") + text;
        }
      }
    }
    if (command.choices.empty()) {
      out += " \\\n        '*:argument:_files'\n      ;;\n";
    } else {
      out += " \\\n        '1:argument:(" + std::string(command.choices) +
             ")' \\\n        '*:argument:_files'\n      ;;\n";
    }
  }
  return out + "  esac\n}\n\n_tessera \"$@\"\n";
}

std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish() {
  std::string out = "# fish completion for tessera\ncomplete -c tessera -f\n";
  for (const Command& command : commands()) {
    const std::string name(command.name);
    out += "complete -c tessera -n __fish_use_subcommand -a " + name + " -d '" +
           fish_text(command.summary) + "'\n";
    const std::string when = "complete -c tessera -n '__fish_seen_subcommand_from " + name + "'";
    if (!command.choices.empty()) out += when + " -a '" + std::string(command.choices) + "'\n";
    for (const auto flags : {command.flags, common_flags()}) {
      for (const Flag& flag : flags) {
        out += when + " -l " + std::string(flag.name);
        if (flag.letter != '\0') out += std::string(" -s ") + flag.letter;
        if (!flag.value.empty()) out += flag.value == "FILE" ? " -r -F" : " -x";
        if (!flag.choices.empty()) out += " -a '" + std::string(flag.choices) + "'";
        out += " -d '" + fish_text(flag.help) + "'\n";
      }
    }
  }
  return out;
}

}  // namespace

Exit run_completions(const Args& args) {
  const std::string_view shell = args.positionals().size() == 1 ? args.positionals()[0] : "";
  Output& out = Output::standard();
  if (shell == "bash") {
    out.write(bash());
  } else if (shell == "zsh") {
    out.write(zsh());
  } else if (shell == "fish") {
    out.write(fish());
  } else {
    return usage_error(
        "completions takes bash, zsh or fish",
        "As in: tessera completions bash > ~/.local/share/bash-completion/completions/tessera");
  }
  return Exit::good;
}

}  // namespace tessera::cli
