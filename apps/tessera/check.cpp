// tessera check: is it what it should be, and if not, what is wrong with it?

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "commands.h"
#include "input.h"
#include "moment.h"
#include "output.h"
#include "progress.h"
#include "tessera/inspect.h"
#include "tessera/json.h"
#include "tessera/kind.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/random_id.h"
#include "tessera/resource_name.h"
#include "tessera/snowflake.h"
#include "tessera/uuid.h"
#include "types.h"

namespace tessera::cli {
namespace {

struct Verdict {
  std::string code = "valid";
  std::string kind;
  std::string canonical;
  std::optional<std::uint32_t> offset;
  std::string message;
  std::string hint;
  std::vector<std::string> suggestions;

  bool valid() const noexcept { return code == "valid"; }
};

// What is asked for. Built once, used for every item.
struct Question {
  std::string as;  // empty: anything that is known
  bool strict = false;
  unsigned bits = 0;
  CheckCount check = CheckCount::one;
  std::optional<PublicStyle> style;
  const ResourceType* type = nullptr;
  std::uint64_t now_ms = 0;
  const TypeTable* types = nullptr;
};

using Answer = Result<std::string, ParseError>;  // the canonical text

template <class Id>
Answer text_of(const Result<Id, ParseError>& id) {
  if (!id) return Failure{id.error()};
  return id->to_string();
}

// The style that a body's length and letters fit.
PublicStyle guess_style(std::string_view text) {
  const std::string_view body = text.substr(text.rfind(kDefaultSeparator) + 1);
  if (body.size() == public_id::body_size(PublicStyle::base36)) return PublicStyle::base36;
  if (body.size() == public_id::body_size(PublicStyle::checked)) return PublicStyle::checked;
  const bool lower = std::ranges::any_of(body, [](char c) { return c >= 'a' && c <= 'z'; });
  return lower ? PublicStyle::type_id : PublicStyle::ulid;
}

Answer check_public(const Question& question, std::string_view text) {
  ResourceType any;
  any.style = question.style ? *question.style : guess_style(text);
  const ResourceType& type = question.type != nullptr ? *question.type : any;
  const auto typed = public_id::friendly_spelling(text, type.style, type.separator);
  // Too long to be mended is too long to be right.
  const std::string_view read = question.strict || typed.size == 0 ? text : typed.view();
  if (question.type != nullptr) {
    return text_of(TypeTable::check(type, read, question.now_ms));
  }
  const auto parts = public_id::parse(read, type.style, type.separator);
  if (!parts) return Failure{parts.error()};
  return public_id::write(parts->prefix, parts->body, type.style, type.separator).to_string();
}

Answer check_random(const Question& question, std::string_view text) {
  const auto id = question.strict
                      ? (question.bits == 0
                             ? RandomId::parse_strict(text, question.check)
                             : RandomId::parse_strict(text, question.bits, question.check))
                      : (question.bits == 0 ? RandomId::parse(text, question.check)
                                            : RandomId::parse(text, question.bits, question.check));
  if (!id) return Failure{id.error()};
  return id->to_string(question.check);
}

Answer check_uuid(const Question& question, std::string_view text) {
  const auto id = question.strict ? Uuid::parse(text) : Uuid::parse_friendly(text);
  if (!id || question.as == "uuid") return text_of(id);
  const unsigned version = static_cast<unsigned>(question.as.back() - '0');
  const auto canonical = id->text();
  const auto of_version = Uuid::parse_version(canonical.view(), version);
  if (of_version || text.size() == Uuid::kTextSize) return text_of(of_version);
  // The offset is that of the canonical text; in another spelling there is none to give.
  return Failure{ParseError{of_version.error().code, 0}};
}

Answer check_as(const Question& question, std::string_view text) {
  const std::string_view as = question.as;
  if (as == "ulid") {
    return text_of(question.strict ? Ulid::parse(text) : Ulid::parse_friendly(text));
  }
  if (as.starts_with("uuid")) return check_uuid(question, text);
  if (as == "objectid") return text_of(ObjectId::parse(text));
  if (as == "ksuid") return text_of(Ksuid::parse(text));
  if (as == "snowflake" || as == "long") return text_of(Snowflake::parse(text));
  if (as == "random" || as == "short") return check_random(question, text);
  if (as == "name") {
    const auto name = ResourceName::parse(text);
    if (!name) return Failure{name.error()};
    return name->to_string();
  }
  return check_public(question, text);
}

// Texts that differ by one character or one swap of neighbours and are right.
std::vector<std::string> suggest(const Question& question, std::string_view text) {
  constexpr std::size_t kSuggestionsMax = 8;
  if (question.as == "random" || question.as == "short") {
    return question.bits == 0 ? RandomId::suggest(text, question.check)
                              : RandomId::suggest(text, question.bits, question.check);
  }
  if (text.size() > public_id::kTextSizeMax) return {};
  std::vector<std::string> found;
  const auto consider = [&](const std::string& candidate) {
    if (candidate == text || found.size() == kSuggestionsMax) return;
    const auto answer = check_as(question, candidate);
    if (answer && std::ranges::find(found, *answer) == found.end()) found.push_back(*answer);
  };
  std::string candidate(text);
  for (std::size_t i = 0; i + 1 < candidate.size(); ++i) {
    std::swap(candidate[i], candidate[i + 1]);
    consider(candidate);
    std::swap(candidate[i], candidate[i + 1]);
  }
  for (char& c : candidate) {
    const char before = c;
    for (const char other : detail::kCrockford) {
      c = other;
      consider(candidate);
    }
    c = before;
  }
  return found;
}

// A single misspelt character can be told only where there is a check, or a known prefix.
bool can_suggest(const Question& question, ParseError::Code code) noexcept {
  return code == ParseError::Code::bad_check ||
         (code == ParseError::Code::invalid_character &&
          (question.as == "random" || question.style == PublicStyle::checked));
}

Verdict judge_any(const Question& question, std::string_view text) {
  Verdict verdict;
  const Inspection seen = inspect(text, question.now_ms, question.types);
  if (seen.known()) {
    verdict.kind = seen.explanation.kind;
    verdict.canonical = seen.text;
    return verdict;
  }
  verdict.code = "unknown";
  verdict.message = "no kind of ID is known that looks like this";
  verdict.hint = "Say what it should be with --as KIND.";
  if (!seen.detection.near_misses.empty()) {
    const NearMiss& miss = seen.detection.near_misses.front();
    if (miss.code) verdict.code = name_of(*miss.code);
    verdict.message = (miss.kind.empty() ? "" : "not quite " + std::string(miss.kind) + ": ") + miss.reason;
    if (miss.code) verdict.hint = error_text(*miss.code).hint;
    if (!miss.correction.empty()) verdict.suggestions.push_back(miss.correction);
  }
  return verdict;
}

Verdict judge(const Question& question, const Item& item) {
  Verdict verdict;
  if (item.too_long) {
    verdict.code = "line_too_long";
    verdict.message = "the line is longer than a megabyte";
    return verdict;
  }
  if (item.missing_column) {
    verdict.code = "missing_column";
    verdict.message = "the line has no such column";
    return verdict;
  }
  if (question.as.empty()) return judge_any(question, item.text);
  verdict.kind = question.as;
  const Answer answer = check_as(question, item.text);
  if (answer) {
    verdict.canonical = *answer;
    return verdict;
  }
  const ParseError& error = answer.error();
  verdict.code = name_of(error.code);
  verdict.offset = error.offset;
  verdict.message = describe(error, item.text);
  verdict.hint = error_text(error.code).hint;
  if (can_suggest(question, error.code)) verdict.suggestions = suggest(question, item.text);
  return verdict;
}

std::string json_line(const Item& item, const Verdict& verdict) {
  JsonWriter json;
  json.begin_object().key("input").value(item.text).key("valid").value(verdict.valid());
  json.key("kind");
  verdict.kind.empty() ? json.null() : json.value(verdict.kind);
  if (verdict.valid()) {
    json.key("canonical").value(verdict.canonical);
  } else {
    json.key("code").value(verdict.code).key("offset");
    verdict.offset ? json.value(std::uint64_t{*verdict.offset}) : json.null();
    json.key("message").value(verdict.message).key("hint").value(verdict.hint);
    json.key("suggestions").begin_array();
    for (const auto& suggestion : verdict.suggestions) json.value(suggestion);
    json.end_array();
  }
  json.key("line").value(item.line);
  return json.end_object().take();
}

std::string text_line(const Item& item, const Verdict& verdict) {
  std::string line = verdict.code + "\t" + printable(item.text, 200);
  if (verdict.valid()) return line + "\t" + verdict.kind;
  line += "\t" + verdict.message;
  if (!verdict.suggestions.empty()) {
    line += "; did you mean " + printable(verdict.suggestions.front(), 200);
    for (std::size_t i = 1; i < std::min<std::size_t>(verdict.suggestions.size(), 3); ++i) {
      line += " or " + printable(verdict.suggestions[i], 200);
    }
    line += "?";
  }
  return line;
}

// How many of each code, and where the first ones are.
class Summary {
 public:
  void add(const Item& item, const Verdict& verdict) {
    Row& row = rows_[verdict.code];
    ++row.count;
    if (!verdict.valid() && row.places.size() < kPlacesMax) row.places.push_back(item.place());
  }
  void print(Output& out) const {
    std::uint64_t total = 0;
    for (const auto& [code, row] : rows_) {
      total += row.count;
      std::string line = code + "\t" + std::to_string(row.count);
      for (std::size_t i = 0; i < row.places.size(); ++i) {
        line += (i == 0 ? "\t" : ", ") + row.places[i];
      }
      out.line(line);
    }
    out.line("total\t" + std::to_string(total));
  }

 private:
  static constexpr std::size_t kPlacesMax = 5;
  struct Row {
    std::uint64_t count = 0;
    std::vector<std::string> places;
  };
  std::map<std::string, Row> rows_;
};

}  // namespace

Exit run_check(const Args& args) {
  const auto types = load_types(args);
  if (!types) return types.error();
  Question question;
  question.as = args.value_or("as", "");
  if (question.as.starts_with("uuid") && question.as != "uuid") {
    question.as = name_of(*kind_of(question.as));  // uuid7 is uuidv7
  }
  if (question.as == "typeid") question.style = PublicStyle::type_id;
  question.strict = args.has("strict");
  question.now_ms = static_cast<std::uint64_t>(current_ms());
  question.types = &types->table;
  if (const auto style = args.value("style")) question.style = public_style_of(*style);
  if (const auto check = args.value("check")) {
    question.check = static_cast<CheckCount>((*check)[0] - '0');
  }
  const auto bits = args.number("bits", 1, RandomId::kBitsMax);
  if (!bits) return usage_error(bits.error().message, bits.error().hint);
  question.bits = static_cast<unsigned>(bits->value_or(0));

  ResourceType loose;  // --prefix without a configuration
  if (const auto name = args.value("type")) {
    question.type = types->table.find_by_name(*name);
    if (question.type == nullptr) question.type = types->table.find_by_prefix(*name);
    if (question.type == nullptr) {
      return usage_error("no type '" + printable(*name) + "' is declared",
                         "Declare it in tessera.yaml, or use --as public --prefix P.");
    }
  } else if (const auto prefix = args.value("prefix")) {
    loose.prefix = *prefix;
    loose.style = question.style.value_or(PublicStyle::ulid);
    if (prefix_fault(loose.prefix)) {
      return usage_error("bad prefix '" + printable(*prefix) + "'",
                         error_text(ParseError::Code::invalid_prefix).hint);
    }
    question.type = &loose;
  }
  if (question.type != nullptr && question.as.empty()) question.as = "public";

  Output& out = Output::standard();
  const bool quiet = args.has("quiet");
  const bool summary = args.has("summary");
  const bool json = args.has("json");
  Summary counts;
  Progress progress("checking", 0);
  std::uint64_t done = 0;
  bool all_good = true;
  const Exit read = for_each_item(args, args.positionals(), [&](const Item& item) {
    const Verdict verdict = judge(question, item);
    all_good = all_good && verdict.valid();
    if (summary) counts.add(item, verdict);
    if (!quiet && !summary) out.line(json ? json_line(item, verdict) : text_line(item, verdict));
    progress.update(++done);
    return true;
  });
  if (read != Exit::good) return read;
  if (summary && !quiet) counts.print(out);
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
