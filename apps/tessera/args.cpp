// Sorting the words of a command line.

#include "args.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

std::string quoted(std::string_view text) { return "'" + printable(text, 60) + "'"; }

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

const Flag* find_flag(const Command& command, auto matches) {
  for (const auto flags : {command.flags, common_flags()}) {
    const auto found = std::ranges::find_if(flags, matches);
    if (found != flags.end()) return &*found;
  }
  return nullptr;
}

bool has_letter(const Command& command, char letter) noexcept {
  return find_flag(command, [&](const Flag& flag) { return flag.letter == letter; }) != nullptr;
}

// `word` is no flag; a command that reads IDs may have been given one that begins with a dash.
UsageError unknown_flag(const Command& command, std::string_view name, std::string_view word) {
  std::vector<std::string_view> names;
  for (const auto flags : {command.flags, common_flags()}) {
    for (const Flag& flag : flags) names.push_back(flag.name);
  }
  UsageError error{"unknown flag " + quoted(name), ""};
  const std::string_view near = name.starts_with("--") ? nearest(name.substr(2), names) : "";
  const std::string command_name(command.name);
  if (!near.empty()) {
    error.hint = "Did you mean --" + std::string(near) + "?";
  } else if (command.arguments_max == kAnyNumber && word.size() > 8) {
    error.hint = "If it is an ID, write: tessera " + command_name + " -- " + printable(word, 60);
  } else {
    error.hint = "tessera " + command_name + " --help lists the flags.";
  }
  return error;
}

std::optional<UsageError> check_choice(const Flag& flag, std::string_view value) {
  if (flag.choices.empty()) return std::nullopt;
  const auto choices = split_words(flag.choices);
  if (std::ranges::find(choices, value) != choices.end()) return std::nullopt;
  if (flag.also == "*") return std::nullopt;
  const auto also = split_words(flag.also);
  if (std::ranges::find(also, value) != also.end()) return std::nullopt;
  UsageError error{"--" + std::string(flag.name) + " cannot be " + quoted(value), ""};
  const std::string_view near = nearest(value, choices);
  error.hint = near.empty() ? "It takes one of: " + std::string(flag.choices) + "."
                            : "Did you mean " + std::string(near) + "?";
  return error;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view words) {
  std::vector<std::string_view> out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) out.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kWordSizeMax = 32;
  if (word.empty() || word.size() > kWordSizeMax) return {};
  // Edit distance, a row at a time; two neighbours swapped are one edit.
  const auto distance = [&](std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    std::vector<std::size_t> above;
    std::vector<std::size_t> above_that;
    for (std::size_t i = 0; i < word.size(); ++i) {
      above_that = std::exchange(above, row);
      row[0] = i + 1;
      for (std::size_t j = 0; j < other.size(); ++j) {
        const std::size_t change = above[j] + (word[i] == other[j] ? 0 : 1);
        row[j + 1] = std::min({row[j] + 1, above[j + 1] + 1, change});
        if (i > 0 && j > 0 && word[i] == other[j - 1] && word[i - 1] == other[j]) {
          row[j + 1] = std::min(row[j + 1], above_that[j - 1] + 1);
        }
      }
    }
    return row.back();
  };
  std::string_view best;
  std::size_t best_distance = word.size() <= 4 ? 2 : 3;  // further is no likeness
  for (const std::string_view candidate : candidates) {
    const std::size_t d = candidate.starts_with(word) && word.size() > 1 ? 1 : distance(candidate);
    if (d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

Result<std::uint64_t, UsageError> parse_number(std::string_view text, std::string_view what,
                                               std::uint64_t min, std::uint64_t max) {
  // 1e6 is a 1 and six zeros; the exponent is at most the digits that a number can have.
  std::string digits;
  std::size_t zeros = 0;
  const std::size_t e = text.find('e');
  for (const char c : text.substr(0, e)) {
    if (c != '_') digits += c;
  }
  bool good = !digits.empty() && is_digits(digits) && text[0] != '_';
  if (e != text.npos) {
    const std::string_view exponent = text.substr(e + 1);
    good = good && is_digits(exponent) && exponent.size() <= 2;
    if (good) zeros = static_cast<std::size_t>(std::stoul(std::string(exponent)));
  }
  if (!good) {
    return Failure{
        UsageError{std::string(what) + " must be a whole number, not " + quoted(text), ""}};
  }
  digits.append(zeros, '0');
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || number < min || number > max) {
    return Failure{
        UsageError{std::string(what) + " " + quoted(text) + " is out of range",
                   "It may be " + std::to_string(min) + " to " + std::to_string(max) + "."}};
  }
  return number;
}

Result<Args, UsageError> Args::parse(const Command& command,
                                     std::span<const std::string_view> words) {
  Args args;
  args.command_ = &command;
  bool flags_over = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    // -0 is a flag where there is one; other digits behind a dash begin a number or a time.
    const bool number = word.size() > 1 && is_digits(word.substr(1, 1)) &&
                        !std::ranges::all_of(word.substr(1), [&](char letter) {
                          return has_letter(command, letter);
                        });
    if (flags_over || word.size() < 2 || word[0] != '-' || number) {
      args.positionals_.push_back(word);
      continue;
    }
    if (word == "--") {
      flags_over = true;
      continue;
    }
    // The value of a flag is behind '=', behind the letter, or the next word.
    const auto take = [&](const Flag& flag,
                          std::optional<std::string_view> joined) -> std::optional<UsageError> {
      const std::string name = "--" + std::string(flag.name);
      if (flag.value.empty()) {
        if (joined) return UsageError{name + " takes no value", ""};
        args.given_.push_back({&flag, {}});
        return std::nullopt;
      }
      if (!joined && i + 1 == words.size()) {
        return UsageError{name + " needs a value: " + name + " " + std::string(flag.value), ""};
      }
      const std::string_view value = joined ? *joined : words[++i];
      if (auto error = check_choice(flag, value)) return error;
      args.given_.push_back({&flag, value});
      return std::nullopt;
    };
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      const std::string_view name = word.substr(2, equals - (equals == word.npos ? 0 : 2));
      const Flag* flag = find_flag(command, [&](const Flag& f) { return f.name == name; });
      if (flag == nullptr) {
        return Failure{unknown_flag(command, "--" + std::string(name), word)};
      }
      const auto joined =
          equals == word.npos ? std::nullopt : std::optional(word.substr(equals + 1));
      if (auto error = take(*flag, joined)) return Failure{*std::move(error)};
      continue;
    }
    for (std::size_t at = 1; at < word.size(); ++at) {
      const Flag* flag = find_flag(
          command, [&](const Flag& f) { return f.letter != '\0' && f.letter == word[at]; });
      if (flag == nullptr) {
        return Failure{unknown_flag(command, "-" + std::string(word.substr(at, 1)), word)};
      }
      const bool rest_is_value = !flag->value.empty() && at + 1 < word.size();
      const auto joined = rest_is_value ? std::optional(word.substr(at + 1)) : std::nullopt;
      if (auto error = take(*flag, joined)) return Failure{*std::move(error)};
      if (rest_is_value) break;
    }
  }
  if (args.positionals_.size() > command.arguments_max && !args.has("help")) {
    const std::string_view extra = args.positionals_[command.arguments_max];
    return Failure{UsageError{"one argument too many: " + quoted(extra),
                              "usage: tessera " + std::string(command.name) +
                                  (command.arguments.empty() ? "" : " ") +
                                  std::string(command.arguments) + " [FLAGS]"}};
  }
  return args;
}

const Args::Given* Args::find(std::string_view flag) const noexcept {
  const auto found = std::find_if(given_.rbegin(), given_.rend(),
                                  [&](const Given& given) { return given.flag->name == flag; });
  return found == given_.rend() ? nullptr : &*found;
}

std::optional<std::string_view> Args::value(std::string_view flag) const noexcept {
  const Given* given = find(flag);
  if (given == nullptr) return std::nullopt;
  return given->value;
}

std::vector<std::string_view> Args::values(std::string_view flag) const {
  std::vector<std::string_view> out;
  for (const Given& given : given_) {
    if (given.flag->name == flag) out.push_back(given.value);
  }
  return out;
}

Result<std::optional<std::uint64_t>, UsageError> Args::number(std::string_view flag,
                                                              std::uint64_t min,
                                                              std::uint64_t max) const {
  const auto text = value(flag);
  if (!text) return std::optional<std::uint64_t>();
  const auto number = parse_number(*text, "--" + std::string(flag), min, max);
  if (!number) return Failure{number.error()};
  return std::optional(*number);
}

}  // namespace tessera::cli
