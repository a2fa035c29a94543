#pragma once

// A whole document, JSON or YAML, as a tree of nodes that know their line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/result.h"

namespace tessera::contract {

struct DocumentEntry;

struct Document {
  enum class Kind : std::uint8_t { nothing, text, number, truth, mapping, list };

  Kind kind = Kind::nothing;
  std::uint64_t line = 0;
  std::string text;  // of text, cut at kDocumentTextMax; the word of a truth or a YAML number
  std::vector<DocumentEntry> entries;  // of a mapping, in order
  std::vector<Document> items;         // of a list

  // Null if this is no mapping, or has no such key.
  const Document* find(std::string_view key) const noexcept;
  // The text under that key; empty if there is none.
  std::string_view text_at(std::string_view key) const noexcept;
  bool is_true(std::string_view key) const noexcept;
};

struct DocumentEntry {
  std::string key;
  std::uint64_t line = 0;
  Document value;
};

inline constexpr std::size_t kDocumentSizeMax = std::size_t{64} << 20;  // of the file
inline constexpr std::size_t kDocumentNodesMax = 2'000'000;
inline constexpr std::size_t kDocumentTextMax = 4096;
inline constexpr std::size_t kDocumentDepthMax = 128;

struct DocumentError {
  std::uint64_t line = 0;
  std::string message;
};

// JSON if it begins with { or [, else YAML: one document, without aliases, which can make a few
// hundred bytes stand for gigabytes.
Result<Document, DocumentError> read_document(std::string_view bytes);

}  // namespace tessera::contract
