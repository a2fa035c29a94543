// Reads YAML with libyaml's events, which bring their line and column along.

#include "config/tree.h"

#include <yaml.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tessera/config/config.h"

namespace tessera::config {
namespace {

using Code = ConfigError::Code;

Mark mark_of(const yaml_mark_t& mark) noexcept {
  return {static_cast<std::uint32_t>(mark.line) + 1, static_cast<std::uint32_t>(mark.column) + 1};
}

// Where byte `offset` is. Only for text that libyaml gave up before it had a mark.
Mark mark_of(std::string_view text, std::size_t offset) noexcept {
  text = text.substr(0, offset);
  std::uint32_t line = 1;
  std::size_t begin = 0;
  for (std::size_t end; (end = find_line_break(text, begin)) < text.size(); ++line) {
    begin = end + line_break_size(text.substr(end));
  }
  const auto characters = std::ranges::count_if(text.substr(begin), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // not the inside of one
  });
  return {line, static_cast<std::uint32_t>(characters) + 1};
}

std::string_view view_of(const yaml_char_t* text, std::size_t size) noexcept {
  return {reinterpret_cast<const char*>(text), size};
}

// libyaml's parser and its current event; both are freed here.
class Events {
 public:
  explicit Events(std::string_view yaml) {
    good_ = yaml_parser_initialize(&parser_) != 0;
    if (!good_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(yaml.data()),
                                 yaml.size());
  }
  ~Events() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  // False at the first byte that is not YAML; parser() says what it was.
  bool next() {
    yaml_event_delete(&event_);
    good_ = good_ && yaml_parser_parse(&parser_, &event_) != 0;
    return good_;
  }
  const yaml_event_t& now() const noexcept { return event_; }
  const yaml_parser_t& parser() const noexcept { return parser_; }

 private:
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool good_ = false;
};

class TreeReader {
 public:
  TreeReader(std::string_view yaml, Complaints& complaints)
      : yaml_(yaml), complaints_(complaints), events_(yaml) {}

  std::optional<Node> read() {
    Node root;
    root.kind = Node::Kind::mapping;
    root.mark = {1, 1};
    if (!next()) return std::nullopt;  // the start of the stream
    if (!next()) return std::nullopt;
    if (type() == YAML_STREAM_END_EVENT) return root;

    const auto& start = events_.now().data.document_start;
    if (start.tag_directives.start != start.tag_directives.end) complain_of_tag(place());
    if (!next() || !read_node(root, 0) || !next() || !next()) return std::nullopt;
    if (type() == YAML_DOCUMENT_START_EVENT) {
      complaints_.add(place(), Code::several_documents, "a second document begins here",
                      "A configuration is one document: remove the line '---' or what follows.");
    }
    return root;
  }

 private:
  bool next() {
    if (events_.next()) return true;
    complain_of_syntax();
    return false;
  }
  yaml_event_type_t type() const noexcept { return events_.now().type; }
  Mark place() const noexcept { return mark_of(events_.now().start_mark); }

  // The node whose first event is the current one. False: give up, the complaint is made.
  bool read_node(Node& node, std::size_t depth) {
    node.mark = place();
    if (++count_ > kNodesMax) {
      complaints_.add(node.mark, Code::too_many,
                      "more than " + std::to_string(kNodesMax) + " keys and values");
      return false;
    }
    if (depth > kDepthMax) {
      complaints_.add(node.mark, Code::too_deep,
                      "nested more than " + std::to_string(kDepthMax) + " deep");
      return false;
    }
    switch (type()) {
      case YAML_SCALAR_EVENT: {
        const auto& scalar = events_.now().data.scalar;
        node.kind = Node::Kind::scalar;
        node.text = view_of(scalar.value, scalar.length);
        node.plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
        check_properties(node, scalar.anchor, scalar.tag);
        return true;
      }
      case YAML_MAPPING_START_EVENT: {
        const auto& start = events_.now().data.mapping_start;
        node.kind = Node::Kind::mapping;
        check_properties(node, start.anchor, start.tag);
        return read_entries(node, depth);
      }
      case YAML_SEQUENCE_START_EVENT: {
        const auto& start = events_.now().data.sequence_start;
        node.kind = Node::Kind::list;
        check_properties(node, start.anchor, start.tag);
        return read_items(depth);
      }
      default:  // the only other event that can stand here
        node.kind = Node::Kind::refused;
        complaints_.add(node.mark, Code::alias, "an alias cannot stand here",
                        "Write the value out: a configuration has no aliases.");
        return true;
    }
  }

  bool read_entries(Node& mapping, std::size_t depth) {
    std::map<std::string, Mark> seen;
    while (true) {
      if (!next()) return false;
      if (type() == YAML_MAPPING_END_EVENT) return true;
      Node key;
      Node value;
      if (!read_node(key, depth + 1) || !next() || !read_node(value, depth + 1)) return false;
      if (key.kind != Node::Kind::scalar) {
        if (key.kind != Node::Kind::refused) {
          complaints_.add(key.mark, Code::wrong_type, "a key must be a word");
        }
        continue;
      }
      const auto [first, is_new] = seen.try_emplace(key.text, key.mark);
      if (!is_new) {
        complaints_.add(key.mark, Code::duplicate_key,
                        quoted(key.text) + " is here twice (first on line " +
                            std::to_string(first->second.line) + ")",
                        "Keep one of them.");
        continue;
      }
      mapping.entries.push_back({std::move(key.text), key.mark, std::move(value)});
    }
  }

  // No key takes a list, so its items are read only to get past them.
  bool read_items(std::size_t depth) {
    while (true) {
      if (!next()) return false;
      if (type() == YAML_SEQUENCE_END_EVENT) return true;
      Node item;
      if (!read_node(item, depth + 1)) return false;
    }
  }

  // An anchor or a tag makes the mistake; the value itself may be good and is read on.
  void check_properties(const Node& node, const yaml_char_t* anchor, const yaml_char_t* tag) {
    if (anchor != nullptr) {
      complaints_.add(node.mark, Code::alias, "an anchor cannot stand here",
                      "Remove the word behind '&': a configuration has no aliases.");
    }
    if (tag != nullptr) complain_of_tag(node.mark);
  }

  void complain_of_tag(Mark at) {
    complaints_.add(at, Code::tag, "a tag cannot stand here",
                    "Remove the word behind '!': the key says what its value is.");
  }

  void complain_of_syntax() {
    const yaml_parser_t& parser = events_.parser();
    const std::string problem(parser.problem == nullptr ? "out of memory" : parser.problem);
    if (parser.error == YAML_READER_ERROR) {
      const Mark at = mark_of(yaml_, parser.problem_offset);
      const bool control = problem.find("control") != std::string::npos;
      complaints_.add(at, control ? Code::invalid_yaml : Code::not_utf8,
                      control ? "a control character" : "not UTF-8: " + problem,
                      control ? "Remove it, or write it with an escape in double quotes."
                              : "Save the file as UTF-8.");
      return;
    }
    const Mark at = mark_of(parser.problem_mark);
    std::string message = "not YAML: " + problem;
    if (parser.context != nullptr) {
      message += ", " + std::string(parser.context);
      // What the context began with is often the line that is really wrong.
      if (parser.context_mark.line != parser.problem_mark.line) {
        message += " from line " + std::to_string(parser.context_mark.line + 1);
      }
    }
    complaints_.add(at, Code::invalid_yaml, message, syntax_hint(problem));
  }

  static std::string syntax_hint(std::string_view problem) {
    if (problem.find("cannot start any token") != std::string_view::npos) {
      return "Indent with blanks, not with tabs, and put quotes around values that begin with "
             "@ ` or %.";
    }
    if (problem.find("mapping values are not allowed") != std::string_view::npos) {
      return "Begin each key on its own line, and put quotes around a value that has ': ' in it or "
             "ends with ':', as in \"memory:\".";
    }
    if (problem.find("expected key") != std::string_view::npos ||
        problem.find("expected ':'") != std::string_view::npos) {
      return "Keys of one mapping begin in the same column, and have ': ' behind them.";
    }
    return "";
  }

  std::string_view yaml_;
  Complaints& complaints_;
  Events events_;
  std::size_t count_ = 0;
};

}  // namespace

std::optional<Node> read_tree(std::string_view yaml, Complaints& complaints) {
  if (yaml.size() > kConfigSizeMax) {
    complaints.add({}, Code::too_large,
                   "larger than " + std::to_string(kConfigSizeMax) + " bytes: not a configuration");
    return std::nullopt;
  }
  if (has_byte_order_mark(yaml)) yaml.remove_prefix(3);
  return TreeReader(yaml, complaints).read();
}

}  // namespace tessera::config
