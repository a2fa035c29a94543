#pragma once

// The IDs that a command is to work on: arguments, files, or standard input.
//
// Lines are read one at a time and never held longer than kLineSizeMax: of a longer line
// only its length is known, and reading goes on behind it. A byte order mark at the start
// of a file and a carriage return at the end of a line are dropped.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "args.h"
#include "exit.h"

namespace tessera::cli {

inline constexpr std::size_t kLineSizeMax = 1024 * 1024;

struct Item {
  std::string_view text;  // valid until the next one is read
  std::string_view file;  // empty: an argument; "-": standard input
  std::uint64_t line = 0;  // from 1; the argument's number, if it is one
  bool too_long = false;  // text is then empty
  bool missing_column = false;

  // "ids.txt:7" or "argument 2".
  std::string place() const;
};

// Calls `use` with each item until it returns false. An argument is an ID; `-` is standard
// input, which is also read when there is no argument at all; and the name of a file that
// is there, with a dot or a slash in it, is that file. --file names one whatever it is
// called. Other flags heeded: --null, --column. The answer is Exit::good, or Exit::io or
// Exit::usage if something could not be read or there is nothing to read.
Exit for_each_item(const Args& args, std::span<const std::string_view> words,
                   const std::function<bool(const Item&)>& use);

}  // namespace tessera::cli
