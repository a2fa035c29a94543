#pragma once

// The words of a command line, sorted by a Command's table of flags.
//
//    --flag value   --flag=value   -f value   -fvalue   -abc (switches)
//    --             what follows is no flag          -    standard input
//    -7d  -1        no flag either: a dash and a digit begin a time or a number
//
// A word that the table does not allow is a UsageError: nothing is passed over in silence.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "tessera/result.h"

namespace tessera::cli {

struct UsageError {
  std::string message;
  std::string hint;
};

class Args {
 public:
  static Result<Args, UsageError> parse(const Command& command,
                                        std::span<const std::string_view> words);

  const Command& command() const noexcept { return *command_; }
  const std::vector<std::string_view>& positionals() const noexcept { return positionals_; }

  bool has(std::string_view flag) const noexcept { return find(flag) != nullptr; }
  // What was given to `flag`; the last one, if it was given twice.
  std::optional<std::string_view> value(std::string_view flag) const noexcept;
  std::string_view value_or(std::string_view flag, std::string_view other) const noexcept {
    return value(flag).value_or(other);
  }
  // All that was given to `flag`, in order.
  std::vector<std::string_view> values(std::string_view flag) const;
  // The last as a whole number from `min` to `max`. Nothing if the flag was not given.
  Result<std::optional<std::uint64_t>, UsageError> number(std::string_view flag, std::uint64_t min,
                                                          std::uint64_t max) const;

 private:
  struct Given {
    const Flag* flag;
    std::string_view value;
  };

  const Given* find(std::string_view flag) const noexcept;

  const Command* command_ = nullptr;
  std::vector<Given> given_;
  std::vector<std::string_view> positionals_;
};

// A whole number from `min` to `max`: decimal digits, which may be parted by _, or as 1e6.
Result<std::uint64_t, UsageError> parse_number(std::string_view text, std::string_view what,
                                               std::uint64_t min, std::uint64_t max);

// The word of `candidates` that `word` may have been meant to be; empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

// "ulid uuid hex" as three words.
std::vector<std::string_view> split_words(std::string_view words);

}  // namespace tessera::cli
