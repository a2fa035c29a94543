#pragma once

// Reads the tables of tests/vectors/, which are shared by all languages.
//
//   for (const auto& row : vectors::read_table("oracle-ulid.tsv")) {
//     SCOPED_TRACE(row.where());
//     EXPECT_EQ(Ulid::parse(row["ulid"])->time_ms(), vectors::number(row["unix_ms"]));
//   }
//
// A table that is missing or has no row, a column that is not there, and a cell that is no
// number or no hex fail the test: a test must not pass because it had nothing to do.

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::vectors {

// One line of a table: cells by the name of their column or by number.
class Row {
 public:
  using Columns = std::vector<std::string>;

  Row(std::shared_ptr<const Columns> columns, std::vector<std::string> cells, std::string where)
      : columns_(std::move(columns)), cells_(std::move(cells)), where_(std::move(where)) {}

  const std::string& operator[](std::string_view column) const {
    for (std::size_t i = 0; i < columns_->size(); ++i) {
      if ((*columns_)[i] == column) return at(i);
    }
    ADD_FAILURE() << where_ << ": no column " << column;
    return empty();
  }
  // Cells at the end of a line that are empty may be left out of the file.
  const std::string& at(std::size_t column) const {
    return column < cells_.size() ? cells_[column] : empty();
  }

  // "oracle-ulid.tsv:12", for SCOPED_TRACE.
  const std::string& where() const { return where_; }

 private:
  static const std::string& empty() {
    static const std::string nothing;
    return nothing;
  }

  std::shared_ptr<const Columns> columns_;
  std::vector<std::string> cells_;
  std::string where_;
};

inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// The rows of tests/vectors/`name`. The first line, with or without '#', names the columns.
inline std::vector<Row> read_table(const std::string& name) {
  std::ifstream file(TESSERA_VECTORS_DIR "/" + name, std::ios::binary);
  std::vector<Row> rows;
  std::string line;
  std::shared_ptr<const Row::Columns> columns;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (columns == nullptr) {
      columns = std::make_shared<const Row::Columns>(
          split(line.starts_with("# ") ? std::string_view(line).substr(2) : line, '\t'));
    } else {
      rows.emplace_back(columns, split(line, '\t'), name + ":" + std::to_string(number));
    }
  }
  if (rows.empty()) ADD_FAILURE() << "tests/vectors/" << name << " is missing or empty";
  return rows;
}

inline int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Undoes the escapes of bad-inputs.tsv: \xNN, \n, \t, \r, \", \\, and \R{N}{x} for N times x.
inline std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char kind = i + 1 < text.size() ? text[++i] : '\0';
    if (kind == 'x' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
        hex_digit(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else if (kind == 'R') {
      const std::size_t count_end = text.find('}', i);
      const std::size_t end = text.find('}', count_end + 1);
      std::size_t count = 0;
      const char* first = text.data() + i + 2;
      if (end == std::string_view::npos || text.substr(i + 1, 1) != "{" ||
          text.substr(count_end + 1, 1) != "{" ||
          std::from_chars(first, text.data() + count_end, count).ec != std::errc{}) {
        ADD_FAILURE() << "bad repeat in " << text;
        return out;
      }
      const std::string part = unescape(text.substr(count_end + 2, end - count_end - 2));
      if (part.size() == 1) {
        out.append(count, part[0]);  // there are megabytes of it
      } else {
        for (std::size_t n = 0; n < count; ++n) out += part;
      }
      i = end;
    } else if (kind == 'n') {
      out += '\n';
    } else if (kind == 't') {
      out += '\t';
    } else if (kind == 'r') {
      out += '\r';
    } else if (kind == '"' || kind == '\\') {
      out += kind;
    } else {
      ADD_FAILURE() << "bad escape in " << text;
      return out;
    }
  }
  return out;
}

inline std::vector<std::uint8_t> bytes_of_hex(std::string_view hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    if (hex_digit(hex[i]) < 0 || hex_digit(hex[i + 1]) < 0) break;
    bytes.push_back(static_cast<std::uint8_t>(hex_digit(hex[i]) * 16 + hex_digit(hex[i + 1])));
  }
  if (bytes.size() * 2 != hex.size()) ADD_FAILURE() << "not hex: " << hex;
  return bytes;
}

// Exactly `Size` bytes of hex; hyphens, as in a UUID, are passed over.
template <std::size_t Size>
std::array<std::uint8_t, Size> array_of_hex(std::string_view hex) {
  std::string digits;
  for (const char c : hex) {
    if (c != '-') digits += c;
  }
  const auto bytes = bytes_of_hex(digits);
  std::array<std::uint8_t, Size> array{};
  if (bytes.size() != Size) ADD_FAILURE() << "not " << Size << " bytes of hex: " << hex;
  for (std::size_t i = 0; i < Size && i < bytes.size(); ++i) array[i] = bytes[i];
  return array;
}

inline std::string hex_of(std::span<const std::uint8_t> bytes) {
  std::string hex;
  for (const std::uint8_t byte : bytes) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

// A decimal number of at most 64 bits.
inline std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    ADD_FAILURE() << "not a number: '" << text << "'";
  }
  return value;
}

}  // namespace tessera::vectors
