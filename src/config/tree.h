#pragma once

// YAML text as a tree of nodes that know their place.
//
// Only what a configuration needs. Refused, each with its own complaint: aliases and anchors
// (a few hundred bytes of them can stand for gigabytes), tags, a second document, keys that
// are not text, a key twice in one mapping, and anything past the limits below.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/complaints.h"

namespace tessera::config {

inline constexpr std::size_t kDepthMax = 16;      // the deepest key of ours is at 4
inline constexpr std::size_t kNodesMax = 65'536;  // keys count, too

struct Entry;

struct Node {
  enum class Kind {
    scalar,
    mapping,
    list,
    refused,  // already complained of; whoever finds it keeps silent
  };

  Kind kind = Kind::scalar;
  Mark mark;
  std::string text;            // of a scalar
  bool plain = true;           // a scalar without quotes, which may mean a number or nothing
  std::vector<Entry> entries;  // of a mapping, in the order of the file; keys differ

  // `key:` and nothing behind it, or ~ or null.
  bool is_nothing() const noexcept {
    return kind == Kind::scalar && plain && (text.empty() || text == "~" || text == "null");
  }
};

struct Entry {
  std::string key;
  Mark mark;
  Node value;
};

// The root; an empty text is an empty mapping. Nothing if the text cannot be read to its end:
// then the last complaint says why.
std::optional<Node> read_tree(std::string_view yaml, Complaints& complaints);

// Whether the text begins with the mark that some editors put in front of UTF-8. It belongs to
// no line.
constexpr bool has_byte_order_mark(std::string_view text) noexcept {
  return text.starts_with("\xEF\xBB\xBF");
}

// Line breaks as YAML counts them: LF, CR, CR LF, NEL, LS and PS. Returns the size of the one at
// the start of `text`, 0 if there is none.
constexpr std::size_t line_break_size(std::string_view text) noexcept {
  if (text.starts_with("\r\n")) return 2;
  if (text.starts_with('\n') || text.starts_with('\r')) return 1;
  if (text.starts_with("\xC2\x85")) return 2;
  if (text.starts_with("\xE2\x80\xA8") || text.starts_with("\xE2\x80\xA9")) return 3;
  return 0;
}

// The offset of the first one from `begin` on; the size of the text if there is none.
constexpr std::size_t find_line_break(std::string_view text, std::size_t begin) noexcept {
  for (std::size_t i = begin; (i = text.find_first_of("\n\r\xC2\xE2", i)) < text.size(); ++i) {
    if (line_break_size(text.substr(i)) > 0) return i;
  }
  return text.size();
}

}  // namespace tessera::config
