// Goes through paths, operations, parameters and schemas. A schema that is used many times is
// looked at once.

#include <algorithm>
#include <array>
#include <set>

#include "contract/document.h"
#include "contract/id_value.h"
#include "contract/id_walk.h"
#include "contract/words.h"
#include "tessera/contract/openapi.h"
#include "tessera/parse_error.h"

namespace tessera::contract {
namespace {

using Kind = Document::Kind;

constexpr std::size_t kFindingsMax = 10'000;
constexpr std::size_t kRefsMax = 32;  // one behind the other
constexpr std::size_t kSchemaDepthMax = 64;

enum class Side : std::uint8_t { request, response };

// "/a~1b" of a JSON pointer, one step at a time.
std::string unescaped(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1')) {
      text += step[++i] == '0' ? '~' : '/';
    } else {
      text += step[i];
    }
  }
  return text;
}

class OpenApiCheck {
 public:
  OpenApiCheck(const Document& root, std::string_view file, const Declared& declared)
      : root_(root), file_(file), declared_(declared), tally_(kFindingsMax) {}

  Findings run() {
    if (const Document* paths = root_.find("paths")) {
      for (const DocumentEntry& path : paths->entries) check_path(path);
    }
    if (const Document* hooks = root_.find("webhooks")) {
      for (const DocumentEntry& hook : hooks->entries) check_path(hook);
    }
    // Schemas that no path has reached, or that another document uses.
    if (const Document* parts = root_.find("components")) {
      if (const Document* schemas = parts->find("schemas")) {
        for (const DocumentEntry& schema : schemas->entries) {
          check_schema(schema.value, "#/components/schemas/" + schema.key, schema.key, 0);
        }
      }
    }
    return tally_.findings();
  }

 private:
  void add(RuleId rule, std::uint64_t line, const std::string& path, std::string what,
           std::string mend = {}) {
    Place place;
    place.file = file_;
    place.line = line;
    place.path = printable(path, 400);
    tally_.add(finding_of(rule, std::move(place), std::move(what), std::move(mend)));
  }

  // Where a reference leads; the node itself if it is none. Null if it leads nowhere here.
  const Document* resolve(const Document* node, std::string* name = nullptr) const {
    for (std::size_t i = 0; node != nullptr && i < kRefsMax; ++i) {
      const std::string_view ref = node->text_at("$ref");
      if (ref.empty()) return node;
      if (!ref.starts_with("#/")) return nullptr;
      node = &root_;
      std::string_view rest = ref.substr(1);
      while (node != nullptr && !rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view step = rest.substr(0, rest.find('/'));
        rest.remove_prefix(step.size());
        if (name != nullptr) *name = unescaped(step);
        node = node->find(unescaped(step));
      }
    }
    return nullptr;
  }

  void check_path(const DocumentEntry& path) {
    const Document* item = resolve(&path.value);
    if (item == nullptr) return;
    check_parameters(*item, path.key, path.key);
    constexpr std::array<std::string_view, 8> kMethods = {"get",     "put",  "post",  "delete",
                                                          "options", "head", "patch", "trace"};
    for (const DocumentEntry& operation : item->entries) {
      if (std::ranges::find(kMethods, operation.key) == kMethods.end()) continue;
      std::string above = operation.key + " " + path.key;
      std::ranges::transform(operation.key, above.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      check_operation(operation.value, above, path.key);
    }
  }

  void check_operation(const Document& operation, const std::string& above,
                       const std::string& path) {
    check_parameters(operation, above, path);
    if (const Document* body = resolve(operation.find("requestBody"))) {
      check_content(*body, Side::request, above);
    }
    const Document* responses = operation.find("responses");
    if (responses == nullptr) return;
    for (const DocumentEntry& response : responses->entries) {
      if (const Document* answer = resolve(&response.value)) {
        check_content(*answer, Side::response, above + " " + response.key);
      }
    }
  }

  // Parameters --------------------------------------------------------------------------------

  void check_parameters(const Document& of, const std::string& above, const std::string& path) {
    const Document* parameters = of.find("parameters");
    if (parameters == nullptr) return;
    for (const Document& item : parameters->items) {
      if (const Document* parameter = resolve(&item)) check_parameter(*parameter, above, path);
    }
  }

  // In /orders/{order} the name says it as well as order_id would.
  static bool names_one_of_collection(std::string_view name, std::string_view path) {
    const std::size_t at = path.find("/{" + std::string(name) + "}");
    if (at == path.npos || at == 0) return false;
    const std::size_t slash = path.rfind('/', at - 1);
    const std::string_view before =
        path.substr(slash == path.npos ? 0 : slash + 1, at - (slash == path.npos ? 0 : slash + 1));
    return same_word(before, std::string(name) + "s") ||
           same_word(before, std::string(name) + "es");
  }

  void check_parameter(const Document& parameter, const std::string& above,
                       const std::string& path) {
    const std::string_view name = parameter.text_at("name");
    IdField field{id_name(name), name, {}};
    const bool in_path = parameter.text_at("in") == "path";
    if (in_path && !field.name.is_id &&
        (names_one_of_collection(name, path) || declared_.find(name) != nullptr)) {
      field.name.is_id = true;
      field.name.whose = name;
    }
    const std::string place = above + " {" + std::string(name) + "}";
    const Document* schema = resolve(parameter.find("schema"));
    check_examples(parameter, field, place);
    if (schema == nullptr) {
      if (field.name.is_id && parameter.find("content") == nullptr) {
        add(RuleId::unspecified_id, parameter.line, place, "nothing says what it is");
      }
      return;
    }
    check_id_schema(*schema, field, place, parameter.find("example") != nullptr);
  }

  // One value ---------------------------------------------------------------------------------

  static bool has_type(const Document& schema, std::string_view type) {
    if (schema.text_at("type") == type) return true;
    const Document* types = schema.find("type");
    return types != nullptr && std::ranges::any_of(types->items, [&](const Document& item) {
             return item.text == type;
           });
  }

  // A value that should be an ID, by the name of its field.
  void check_id_schema(const Document& schema, const IdField& field, const std::string& place,
                       bool has_example) {
    check_examples(schema, field, place);
    if (!field.name.is_id) return;
    if (const Document* items = resolve(schema.find("items"))) {
      check_id_schema(*items, field, place + "/*", false);
      return;
    }
    if (has_type(schema, "integer") || has_type(schema, "number")) {
      add(RuleId::integer_id, schema.line, place, quoted(field.shown) + " is a number");
      return;
    }
    if (!has_type(schema, "string")) return;
    check_id_text(schema, field, place, has_example);
  }

  void check_id_text(const Document& schema, const IdField& field, const std::string& place,
                     bool has_example) {
    const std::string_view format = schema.text_at("format");
    if (format == "int64" || format == "int32") {
      add(RuleId::integer_id, schema.line, place,
          quoted(field.shown) + " is a number, written as text");
    } else if (format == "uuid") {
      add(RuleId::not_a_public_id, schema.line, place, quoted(field.shown) + " is a UUID");
    } else if (format == "ulid") {
      add(RuleId::bare_ulid, schema.line, place, quoted(field.shown) + " is a ULID");
    } else if (const std::string_view pattern = schema.text_at("pattern"); !pattern.empty()) {
      check_pattern(schema, pattern, field, place);
    } else if (format.empty() && !has_example && !has_example_of(schema)) {
      add(RuleId::unspecified_id, schema.line, place, quoted(field.shown) + " may be any text");
    }
  }

  static bool has_example_of(const Document& schema) {
    constexpr std::array<std::string_view, 5> kKeys = {"example", "examples", "const", "enum",
                                                       "default"};
    return std::ranges::any_of(kKeys, [&](std::string_view key) { return schema.find(key); });
  }

  // A pattern is read, not run: it begins with the prefix of its type and a separator.
  void check_pattern(const Document& schema, std::string_view pattern, const IdField& field,
                     const std::string& place) {
    std::string_view rest = pattern;
    if (rest.starts_with('^')) rest.remove_prefix(1);
    const std::size_t size = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    const std::string_view prefix = rest.substr(0, size);
    const bool typed =
        !prefix.empty() && size != rest.npos && (is_separator(rest[size]) || rest[size] == '\\');
    const DeclaredType* wanted = type_of(field, declared_);
    if (typed) {
      const DeclaredType* found = declared_.find_by_prefix(prefix);
      if (wanted != nullptr && found != nullptr && found != wanted) {
        add(RuleId::wrong_type, schema.line, place,
            "its pattern is that of " + quoted(found->type.name) + ", and it is for " +
                quoted(wanted->type.name));
      }
      return;
    }
    // "[a-z]{3,4}_..." is a public ID of any type.
    if (pattern.find('_') != pattern.npos || rest.starts_with('(')) return;
    const bool digits =
        pattern.find("\\d") != pattern.npos || pattern.find("[0-9]") != pattern.npos;
    add(digits ? RuleId::integer_id : RuleId::bare_ulid, schema.line, place,
        "the pattern " + quoted(pattern) + " has no prefix");
  }

  void check_examples(const Document& schema, const IdField& field, const std::string& place) {
    for (const std::string_view key : {"example", "default", "const"}) {
      if (const Document* value = schema.find(key)) check_example(*value, field, place);
    }
    for (const std::string_view key : {"examples", "enum"}) {
      const Document* values = schema.find(key);
      if (values == nullptr) continue;
      for (const Document& value : values->items) check_example(value, field, place);
      for (const DocumentEntry& entry : values->entries) {  // of a parameter: name and value
        if (const Document* value = entry.value.find("value")) check_example(*value, field, place);
      }
    }
  }

  // A value that somebody wrote down, whole objects too.
  void check_example(const Document& value, const IdField& field, const std::string& place) {
    std::optional<IdFault> fault;
    if (value.kind == Kind::text) fault = judge_text(field, value.text, declared_);
    if (value.kind == Kind::number) fault = judge_number(field);
    if (fault) add(fault->rule, value.line, place, fault->what + ", in an example");
    for (const Document& item : value.items) check_example(item, field, place + "/*");
    for (const DocumentEntry& entry : value.entries) {
      const IdField inner{id_name(entry.key), entry.key, field.shown};
      check_example(entry.value, inner, place + "/" + entry.key);
    }
  }

  // Schemas -----------------------------------------------------------------------------------

  void check_content(const Document& body, Side side, const std::string& above) {
    const Document* content = body.find("content");
    if (content == nullptr) return;
    for (const DocumentEntry& type : content->entries) {
      check_examples(type.value, IdField{}, above);
      std::string name;
      const Document* schema = type.value.find("schema");
      if (schema == nullptr) continue;
      if (side == Side::request) check_choice(*schema, above, 0);
      const Document* resolved = resolve(schema, &name);
      const std::string_view ref = schema->text_at("$ref");
      if (resolved != nullptr) {
        check_schema(*resolved, ref.empty() ? above : std::string(ref), name, 0);
      }
    }
  }

  // Whether the top of a request has the ID of what is to be made.
  void check_choice(const Document& schema, const std::string& above, std::size_t depth) {
    const Document* node = resolve(&schema);
    if (node == nullptr || depth > kSchemaDepthMax) return;
    for (const std::string_view key : {"allOf", "oneOf", "anyOf"}) {
      const Document* parts = node->find(key);
      if (parts == nullptr) continue;
      for (const Document& part : parts->items) check_choice(part, above, depth + 1);
    }
    if (const Document* items = node->find("items")) check_choice(*items, above, depth + 1);
    const Document* properties = node->find("properties");
    if (properties == nullptr) return;
    for (const DocumentEntry& property : properties->entries) {
      if (!id_name(property.key).is_own) continue;
      const Document* value = resolve(&property.value);
      if (property.value.is_true("readOnly") || (value != nullptr && value->is_true("readOnly"))) {
        continue;
      }
      add(RuleId::client_chosen_id, property.line, above + " /" + property.key,
          "the client may send " + quoted(property.key));
    }
  }

  void check_schema(const Document& schema, const std::string& path, std::string_view name,
                    std::size_t depth) {
    const Document* node = resolve(&schema);
    if (node == nullptr || depth > kSchemaDepthMax || !seen_.insert(node).second) return;
    check_examples(*node, IdField{IdName{}, name, {}}, path);
    for (const std::string_view key : {"allOf", "oneOf", "anyOf"}) {
      const Document* parts = node->find(key);
      if (parts == nullptr) continue;
      for (const Document& part : parts->items) check_inner(part, path, name, depth);
    }
    for (const std::string_view key : {"items", "additionalProperties"}) {
      if (const Document* inner = node->find(key)) {
        check_inner(*inner, path + "/*", name, depth);
      }
    }
    const Document* properties = node->find("properties");
    if (properties == nullptr) return;
    for (const DocumentEntry& property : properties->entries) {
      check_property(property, path + "/" + property.key, name, depth);
    }
  }

  // What is referred to has a path and a turn of its own.
  void check_inner(const Document& inner, const std::string& path, std::string_view name,
                   std::size_t depth) {
    const std::string_view ref = inner.text_at("$ref");
    std::string ref_name;
    const Document* node = resolve(&inner, &ref_name);
    if (node == nullptr) return;
    check_schema(*node, ref.empty() ? path : std::string(ref), ref.empty() ? name : ref_name,
                 depth + 1);
  }

  void check_property(const DocumentEntry& property, const std::string& path,
                      std::string_view encloser, std::size_t depth) {
    const Document* value = resolve(&property.value);
    if (value == nullptr) return;
    const IdField field{id_name(property.key), property.key, encloser};
    if (field.name.is_id) {
      check_id_schema(*value, field, path, property.value.find("example") != nullptr);
      if (value->find("properties") == nullptr) return;
    }
    check_inner(property.value, path, property.key, depth);
  }

  const Document& root_;
  std::string file_;
  const Declared& declared_;
  Tally tally_;
  std::set<const Document*> seen_;
};

}  // namespace

Findings check_openapi(std::string_view bytes, std::string_view file, const Declared& declared) {
  const auto unreadable = [&](std::uint64_t line, std::string what) {
    Place place;
    place.file = file;
    place.line = line;
    return Findings{finding_of(RuleId::unreadable, std::move(place), std::move(what))};
  };
  const auto root = read_document(bytes);
  if (!root) return unreadable(root.error().line, printable(root.error().message, 200));
  const Document* version = root->find("openapi");
  if (version == nullptr || version->kind == Kind::nothing) {
    return unreadable(1, "it has no key 'openapi': not an OpenAPI 3 document");
  }
  return OpenApiCheck(*root, file, declared).run();
}

}  // namespace tessera::contract
