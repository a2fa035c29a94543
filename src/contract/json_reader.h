#pragma once

// JSON as it comes in: one value, or many one after the other (NDJSON), in memory that does not
// grow with the input. Whoever listens gets pieces, and can ask for the line.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::contract {

class JsonListener {
 public:
  virtual ~JsonListener() = default;
  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  virtual void key(std::string_view name) = 0;  // cut at JsonReader::kKeySizeMax
  // A string, in one piece or several; the last may be empty.
  virtual void text(std::string_view piece, bool last) = 0;
  virtual void number(bool whole) = 0;
  virtual void literal(std::string_view word) = 0;  // true, false, null
  virtual void end_value() = 0;                     // of a whole document
};

class JsonReader {
 public:
  static constexpr std::size_t kKeySizeMax = 256;
  static constexpr std::size_t kDepthMax = 128;

  explicit JsonReader(JsonListener& listener);
  ~JsonReader();
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  // False after an error: then nothing more is read.
  bool feed(std::string_view bytes);
  // There is nothing more. False if a value was not complete, or after an error.
  bool end();
  // Goes on behind the line of the error, if the broken value began on that line; false if not.
  bool skip_broken_line();

  std::uint64_t line() const noexcept { return line_; }  // from 1: of what is told now
  const std::string& error() const noexcept { return error_; }
  std::uint64_t values() const noexcept { return values_; }  // whole ones

 private:
  class Handler;
  struct Parser;

  bool feed_piece(std::string_view piece);

  std::unique_ptr<Parser> parser_;
  std::uint64_t line_ = 1;
  std::uint64_t value_line_ = 1;  // where the value under way began
  std::uint64_t values_ = 0;
  bool inside_ = false;    // of a value
  bool skipping_ = false;  // to the end of a line
  bool first_ = true;      // nothing was read yet
  std::string error_;
};

}  // namespace tessera::contract
