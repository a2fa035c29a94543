// Writes a mistake for a person: what, where, and what to do.

#include "config/tree.h"
#include "tessera/config/config_error.h"
#include "tessera/parse_error.h"

namespace tessera {
namespace {

using Code = ConfigError::Code;

// Line `number` of the text, from 1, without its break.
std::string_view line_of(std::string_view text, std::uint32_t number) {
  if (config::has_byte_order_mark(text)) text.remove_prefix(3);
  std::size_t begin = 0;
  std::uint32_t line = 1;
  while (true) {
    const std::size_t end = config::find_line_break(text, begin);
    if (line == number) return text.substr(begin, end - begin);
    if (end == text.size()) return {};
    begin = end + config::line_break_size(text.substr(end));
    ++line;
  }
}

// The byte where character `column`, from 1, begins; the size of the line if it ends before.
std::size_t offset_of(std::string_view line, std::uint32_t column) {
  std::uint32_t characters = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins_one = (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
    if (begins_one && ++characters == column) return i;
  }
  return line.size();
}

}  // namespace

std::string_view name_of(Code code) noexcept {
  switch (code) {
    case Code::not_found: return "not_found";
    case Code::unreadable: return "unreadable";
    case Code::too_large: return "too_large";
    case Code::too_deep: return "too_deep";
    case Code::too_many: return "too_many";
    case Code::not_utf8: return "not_utf8";
    case Code::invalid_yaml: return "invalid_yaml";
    case Code::alias: return "alias";
    case Code::tag: return "tag";
    case Code::several_documents: return "several_documents";
    case Code::duplicate_key: return "duplicate_key";
    case Code::unknown_key: return "unknown_key";
    case Code::missing_key: return "missing_key";
    case Code::wrong_type: return "wrong_type";
    case Code::out_of_range: return "out_of_range";
    case Code::invalid_choice: return "invalid_choice";
    case Code::invalid_name: return "invalid_name";
    case Code::invalid_prefix: return "invalid_prefix";
    case Code::invalid_separator: return "invalid_separator";
    case Code::invalid_scope: return "invalid_scope";
    case Code::invalid_store: return "invalid_store";
    case Code::invalid_address: return "invalid_address";
    case Code::invalid_path: return "invalid_path";
    case Code::prefix_taken: return "prefix_taken";
    case Code::address_taken: return "address_taken";
    case Code::unknown_scope: return "unknown_scope";
    case Code::unknown_parent: return "unknown_parent";
    case Code::parent_cycle: return "parent_cycle";
    case Code::conflict: return "conflict";
  }
  return "unknown";
}

std::string render(const ConfigError& error, std::string_view file, std::string_view text) {
  constexpr std::size_t kFileSizeMax = 256;
  std::string out = printable(file, kFileSizeMax);
  if (error.line > 0) {
    out += ":" + std::to_string(error.line) + ":" + std::to_string(error.column);
  }
  out += ": " + error.message + "\n";

  if (error.line > 0) {
    // Hidden before it is cut: half a URL would not be known as one.
    const std::string line = without_password(line_of(text, error.line));
    const std::size_t offset = offset_of(line, error.column);
    // Of a long line, only what is around the place.
    constexpr std::size_t kBefore = 60;
    constexpr std::size_t kAfter = 40;
    const std::size_t begin = offset > kBefore ? offset - kBefore : 0;
    const std::string before =
        (begin > 0 ? "..." : "") + printable(line.substr(begin, offset - begin), kBefore);
    const std::string number = std::to_string(error.line);
    const std::string margin(number.size(), ' ');
    out += "  " + number + " | " + before + printable(line.substr(offset), kAfter) + "\n";
    out += "  " + margin + " | " + std::string(before.size(), ' ') + "^\n";
  }
  if (!error.hint.empty()) out += "hint: " + error.hint + "\n";
  return out;
}

}  // namespace tessera
