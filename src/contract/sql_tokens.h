#pragma once

// SQL as tokens, as far as all three databases agree: enough to tell names from strings and
// comments, not enough to understand it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::contract {

struct SqlToken {
  enum class Kind : std::uint8_t {
    end,
    word,    // a keyword or a name
    name,    // a name in quotes: "x", `x`; text is without them
    value,   // a string, a number, a parameter
    symbol,  // one character
  };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint64_t line = 1;
};

class SqlTokens {
 public:
  explicit SqlTokens(std::string_view sql) : sql_(sql) {}

  // The next one; `end` again and again at the end. A string or comment that does not end is one
  // up to the end of the text.
  SqlToken next();

 private:
  bool skip_blank();
  std::string_view take_to(std::size_t end);
  std::size_t end_of_quoted(char quote) const;
  std::string_view dollar_tag() const;

  std::string_view sql_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace tessera::contract
