// tessera completions: scripts for bash, zsh and fish, made from the tables.

#include <string>

#include "commands.h"
#include "output.h"
#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

// Calls `use(flag)` for every flag of `command`.
template <class Use>
void for_each_flag(const Command& command, Use use) {
  for (const auto flags : {command.flags, common_flags()}) {
    for (const Flag& flag : flags) use(flag);
  }
}

std::string command_names() {
  std::string out;
  for (const Command& command : commands()) out += std::string(command.name) + " ";
  return out;
}

// "--count|-n", a pattern of bash.
std::string pattern_of(const Flag& flag) {
  std::string pattern = "--" + std::string(flag.name);
  if (flag.letter != '\0') pattern += std::string("|-") + flag.letter;
  return pattern;
}

std::string bash_words(std::string_view words) {
  return "mapfile -t COMPREPLY < <(compgen -W '" + std::string(words) + "' -- \"$word\")";
}

constexpr std::string_view kBashStart = R"(# bash completion for tessera

_tessera_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

# The next argument. The flags $1 take a value, and the first argument is one of the words $2.
_tessera_argument() {
  local i count=0
  for ((i = 2; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -*)
        if [[ $1 == *" ${COMP_WORDS[i]} "* ]]; then
          i=$((i + 1))
          [[ ${COMP_WORDS[i]} == '=' ]] && i=$((i + 1))
        fi ;;
      *) count=$((count + 1)) ;;
    esac
  done
  if [[ -n $2 ]] && ((count == 0)); then
    mapfile -t COMPREPLY < <(compgen -W "$2" -- "$word")
  else
    _tessera_files
  fi
}

_tessera() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  # --flag=value comes as three words.
  if [[ $before == '=' ]] && ((COMP_CWORD > 2)); then
    before=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $word == '=' ]]; then
    word=''
  fi
  COMPREPLY=()
)";

std::string bash() {
  std::string out(kBashStart);
  out += "  if ((COMP_CWORD == 1)); then\n    " + bash_words(command_names() + "--help --version") +
         "\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n";
  for (const Command& command : commands()) {
    std::string names;
    std::string with_value = " ";
    out += "    " + std::string(command.name) + ")\n      case $before in\n";
    for_each_flag(command, [&](const Flag& flag) {
      names += (names.empty() ? "--" : " --") + std::string(flag.name);
      if (flag.letter != '\0') names += std::string(" -") + flag.letter;
      if (flag.value.empty()) return;
      with_value += "--" + std::string(flag.name) + " ";
      if (flag.letter != '\0') with_value += std::string("-") + flag.letter + " ";
      out += "        " + pattern_of(flag) + ") ";
      if (!flag.choices.empty()) {
        out += bash_words(flag.choices);
      } else {
        out += flag.value == "FILE" ? "_tessera_files" : ":";  // anything: nothing to offer
      }
      out += "; return ;;\n";
    });
    out += "      esac\n      if [[ $word == -* ]]; then\n        " + bash_words(names) +
           "\n      else\n        _tessera_argument '" + with_value + "' '" +
           std::string(command.choices) + "'\n      fi ;;\n";
  }
  return out + "  esac\n}\n\ncomplete -F _tessera tessera\n";
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
    for_each_flag(command, [&](const Flag& flag) {
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
    });
    if (!command.choices.empty()) {
      out += " \\\n        '1:argument:(" + std::string(command.choices) + ")'";
    }
    out += " \\\n        '*:argument:_files'\n      ;;\n";
  }
  // Both for a file of fpath, which is run as the function, and for one that is sourced.
  return out +
         "  esac\n}\n\nif [[ $funcstack[1] == _tessera ]]; then\n  _tessera \"$@\"\nelse\n"
         "  compdef _tessera tessera\nfi\n";
}

std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

constexpr std::string_view kFishStart = R"(# fish completion for tessera

function __fish_tessera_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end

# Whether the first argument is still to come: none of these words is there yet.
function __fish_tessera_first
    set -l words (commandline -opc)
    for word in $words[3..-1]
        contains -- $word $argv; and return 1
    end
    return 0
end

complete -c tessera -f
complete -c tessera -n __fish_use_subcommand -l help -d 'show the commands'
complete -c tessera -n __fish_use_subcommand -l version -d 'show the version'
)";

std::string fish() {
  std::string out(kFishStart);
  for (const Command& command : commands()) {
    const std::string name(command.name);
    out += "complete -c tessera -n __fish_use_subcommand -a " + name + " -d '" +
           fish_text(command.summary) + "'\n";
    const std::string is = "__fish_tessera_is " + name;
    const std::string when = "complete -c tessera -n '" + is + "'";
    if (command.choices.empty()) {
      if (command.arguments_max > 0) out += when + " -F\n";
    } else {
      const std::string choices(command.choices);
      out += "complete -c tessera -n '" + is + "; and __fish_tessera_first " + choices + "' -a '" +
             choices + "'\n";
      if (command.arguments_max > 1) out += when + " -F\n";
    }
    for_each_flag(command, [&](const Flag& flag) {
      out += when + " -l " + std::string(flag.name);
      if (flag.letter != '\0') out += std::string(" -s ") + flag.letter;
      if (!flag.value.empty()) out += flag.value == "FILE" ? " -r -F" : " -x";
      if (!flag.choices.empty()) out += " -a '" + std::string(flag.choices) + "'";
      out += " -d '" + fish_text(flag.help) + "'\n";
    });
  }
  return out;
}

}  // namespace

Exit run_completions(const Args& args) {
  const std::string_view shell = args.positionals().empty() ? "" : args.positionals()[0];
  Output& out = Output::standard();
  if (shell == "bash") {
    out.write(bash());
  } else if (shell == "zsh") {
    out.write(zsh());
  } else if (shell == "fish") {
    out.write(fish());
  } else {
    return usage_error("completions takes bash, zsh or fish",
                       "As in: tessera completions bash > "
                       "~/.local/share/bash-completion/completions/tessera");
  }
  return Exit::good;
}

}  // namespace tessera::cli
