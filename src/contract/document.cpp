// Builds the tree, from the pieces of JsonReader or the events of libyaml.

#include "contract/document.h"

#include <yaml.h>

#include <algorithm>
#include <array>

#include "contract/json_reader.h"
#include "tessera/parse_error.h"

namespace tessera::contract {
namespace {

using Kind = Document::Kind;

// From JSON ------------------------------------------------------------------------------------

class TreeListener final : public JsonListener {
 public:
  void set_line(std::uint64_t line) noexcept { line_ = line; }
  bool too_large() const noexcept { return count_ > kDocumentNodesMax; }
  Document take() noexcept { return std::move(root_); }

  void begin_object() override { open(Kind::mapping); }
  void end_object() override { close(); }
  void begin_array() override { open(Kind::list); }
  void end_array() override { close(); }
  void key(std::string_view name) override {
    key_ = name;
    key_line_ = line_;
  }
  void text(std::string_view piece, bool last) override {
    text_.append(piece.substr(0, kDocumentTextMax - text_.size()));
    if (!last) return;
    if (Document* node = add(Kind::text)) node->text = std::move(text_);
    text_.clear();
  }
  void number(bool) override { add(Kind::number); }
  void literal(std::string_view word) override {
    Document* node = add(word == "null" ? Kind::nothing : Kind::truth);
    if (node != nullptr) node->text = word;
  }
  void end_value() override {}

 private:
  // The way to the open node; a tree that is too large is not built on.
  Document* add(Kind kind) {
    if (++count_ > kDocumentNodesMax) return nullptr;
    Document node;
    node.kind = kind;
    node.line = line_;
    if (way_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    Document& parent = *way_.back();
    if (parent.kind == Kind::list) return &parent.items.emplace_back(std::move(node));
    return &parent.entries.emplace_back(DocumentEntry{std::move(key_), key_line_, std::move(node)})
                .value;
  }
  // Pointers stay good: only the last of a list is open, and nothing is added beside it.
  void open(Kind kind) {
    Document* node = add(kind);
    way_.push_back(node != nullptr ? node : &spill_);
  }
  void close() {
    if (!way_.empty()) way_.pop_back();
  }

  Document root_;
  Document spill_;
  std::vector<Document*> way_;
  std::string key_;
  std::string text_;
  std::uint64_t line_ = 1;
  std::uint64_t key_line_ = 1;
  std::size_t count_ = 0;
};

Result<Document, DocumentError> read_json(std::string_view bytes) {
  TreeListener tree;
  JsonReader reader(tree);
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end == bytes.npos ? bytes.size() : end + 1);
    tree.set_line(reader.line());
    const std::uint64_t line = reader.line();
    if (!reader.feed(piece)) return Failure{DocumentError{line, "not JSON: " + reader.error()}};
    if (tree.too_large()) return Failure{DocumentError{line, "too many values"}};
    if (reader.values() > 1) return Failure{DocumentError{line, "a second document begins here"}};
    bytes.remove_prefix(piece.size());
  }
  if (!reader.end()) return Failure{DocumentError{reader.line(), "not JSON: " + reader.error()}};
  return tree.take();
}

// From YAML ------------------------------------------------------------------------------------

class YamlEvents {
 public:
  explicit YamlEvents(std::string_view yaml) {
    good_ = yaml_parser_initialize(&parser_) != 0;
    if (!good_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(yaml.data()),
                                 yaml.size());
  }
  ~YamlEvents() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  bool next() {
    yaml_event_delete(&event_);
    good_ = good_ && yaml_parser_parse(&parser_, &event_) != 0;
    return good_;
  }
  const yaml_event_t& now() const noexcept { return event_; }
  std::uint64_t line() const noexcept { return event_.start_mark.line + 1; }
  DocumentError error() const {
    return {parser_.problem_mark.line + 1,
            "not YAML: " + std::string(parser_.problem == nullptr ? "no memory" : parser_.problem)};
  }

 private:
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool good_ = false;
};

bool is_number(std::string_view text) noexcept {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const bool digit = std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digit && text.find_first_not_of("0123456789.eE+-") == text.npos;
}

// What a scalar without quotes means, by the core schema of YAML 1.2.
Kind kind_of(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 5> kNothing = {"", "~", "null", "Null", "NULL"};
  constexpr std::array<std::string_view, 6> kTruth = {"true",  "True",  "TRUE",
                                                      "false", "False", "FALSE"};
  if (std::ranges::find(kNothing, text) != kNothing.end()) return Kind::nothing;
  if (std::ranges::find(kTruth, text) != kTruth.end()) return Kind::truth;
  return is_number(text) ? Kind::number : Kind::text;
}

class YamlTree {
 public:
  explicit YamlTree(std::string_view yaml) : events_(yaml) {}

  Result<Document, DocumentError> read() {
    Document root;
    if (!next() || !next()) return Failure{error_};  // the stream begins
    if (events_.now().type == YAML_STREAM_END_EVENT) return root;
    if (!next() || !read_node(root, 0) || !next() || !next()) return Failure{error_};
    if (events_.now().type != YAML_STREAM_END_EVENT) {
      return Failure{DocumentError{events_.line(), "a second document begins here"}};
    }
    return root;
  }

 private:
  bool next() {
    if (events_.next()) return true;
    error_ = events_.error();
    return false;
  }
  bool fail(std::string message) {
    error_ = {events_.line(), std::move(message)};
    return false;
  }

  bool read_node(Document& node, std::size_t depth) {
    node.line = events_.line();
    if (++count_ > kDocumentNodesMax) return fail("too many values");
    if (depth > kDocumentDepthMax) return fail("nested too deep");
    switch (events_.now().type) {
      case YAML_SCALAR_EVENT: return read_scalar(node);
      case YAML_MAPPING_START_EVENT: return read_entries(node, depth);
      case YAML_SEQUENCE_START_EVENT: return read_items(node, depth);
      default: return fail("an alias: write the value out");
    }
  }

  bool read_scalar(Document& node) {
    const auto& scalar = events_.now().data.scalar;
    node.text.assign(reinterpret_cast<const char*>(scalar.value),
                     std::min(scalar.length, kDocumentTextMax));
    node.kind = scalar.style == YAML_PLAIN_SCALAR_STYLE ? kind_of(node.text) : Kind::text;
    return true;
  }

  bool read_entries(Document& node, std::size_t depth) {
    node.kind = Kind::mapping;
    while (true) {
      if (!next()) return false;
      if (events_.now().type == YAML_MAPPING_END_EVENT) return true;
      if (events_.now().type != YAML_SCALAR_EVENT) return fail("a key must be a word");
      Document key;
      DocumentEntry entry;
      if (!read_node(key, depth + 1)) return false;
      entry.key = std::move(key.text);
      entry.line = key.line;
      if (!next() || !read_node(entry.value, depth + 1)) return false;
      node.entries.push_back(std::move(entry));
    }
  }

  bool read_items(Document& node, std::size_t depth) {
    node.kind = Kind::list;
    while (true) {
      if (!next()) return false;
      if (events_.now().type == YAML_SEQUENCE_END_EVENT) return true;
      Document item;
      if (!read_node(item, depth + 1)) return false;
      node.items.push_back(std::move(item));
    }
  }

  YamlEvents events_;
  DocumentError error_;
  std::size_t count_ = 0;
};

}  // namespace

const Document* Document::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(entries, key, &DocumentEntry::key);
  return found == entries.end() ? nullptr : &found->value;
}

std::string_view Document::text_at(std::string_view key) const noexcept {
  const Document* node = find(key);
  return node != nullptr && node->kind == Kind::text ? std::string_view(node->text)
                                                     : std::string_view();
}

bool Document::is_true(std::string_view key) const noexcept {
  const Document* node = find(key);
  return node != nullptr && node->kind == Kind::truth && (node->text[0] | 0x20) == 't';
}

Result<Document, DocumentError> read_document(std::string_view bytes) {
  if (bytes.size() > kDocumentSizeMax) return Failure{DocumentError{0, "larger than 64 MiB"}};
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  const bool json = begin != bytes.npos && (bytes[begin] == '{' || bytes[begin] == '[');
  return json ? read_json(bytes) : YamlTree(bytes).read();
}

}  // namespace tessera::contract
