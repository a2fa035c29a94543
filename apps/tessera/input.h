#pragma once

// The IDs that a command is to work on: arguments, files, or standard input.
//
// Every line is an item, also an empty one. A byte order mark at the start of a file and a
// carriage return at the end of a line are dropped, unless lines end with NUL: then what
// stands between is taken as it is.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "args.h"
#include "exit.h"
#include "lines.h"

namespace tessera::cli {

struct Item {
  std::string_view text;   // valid until the next one is read
  std::string_view file;   // empty: an argument; "-": standard input
  std::uint64_t line = 0;  // from 1; the argument's number, if it is one
  // Not empty: there is no text, and this is the code for programs.
  std::string_view fault;

  bool is_argument() const noexcept { return file.empty(); }
  // "ids.txt:7", "line 7" or "argument 2".
  std::string place() const;
  // The fault for people.
  std::string_view fault_words() const noexcept;
};

inline constexpr std::string_view kLineTooLong = "line_too_long";
inline constexpr std::string_view kMissingColumn = "missing_column";
inline constexpr std::string_view kShortRecord = "short_record";

enum class Words : std::uint8_t {
  may_be_files,  // an argument with a dot or a slash in it that names a file is that file
  are_items,     // an argument is an item, whatever files there are
};

struct Reading {
  Words words = Words::may_be_files;
  std::size_t record_size = 0;  // not 0: streams are records of so many bytes, not lines
};

// Calls `use` with each item. An argument is an ID; `-` is standard input, which is also read
// when there is no argument at all. Flags heeded: --file, --null, --column. What cannot be
// read is complained about, and the rest is still read. The answer is Exit::good, or Exit::io
// or Exit::usage if something could not be read or there is nothing to read.
Exit for_each_item(const Args& args, std::span<const std::string_view> words,
                   const Reading& reading, const std::function<void(const Item&)>& use);

// `object` with two keys more: where the item stood.
std::string with_place(std::string object, const Item& item);

}  // namespace tessera::cli
