// tessera check: is it what it should be, and if not, what is wrong with it?

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "change.h"
#include "commands.h"
#include "input.h"
#include "moment.h"
#include "output.h"
#include "progress.h"
#include "public_style.h"
#include "terminal.h"
#include "tessera/inspect.h"
#include "tessera/json.h"
#include "tessera/kind.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/random_id.h"
#include "tessera/resource_name.h"
#include "tessera/short_id.h"
#include "tessera/snowflake.h"
#include "tessera/time_text.h"
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
  std::string as;        // empty: anything that is known
  unsigned version = 0;  // of a UUID; 0: any
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

// Where in `text` the character is that stands at `offset` in its friendly spelling, which
// leaves out the hyphens of the body.
std::uint32_t offset_in(std::string_view text, const ResourceType& type, std::uint32_t offset) {
  std::size_t split = type.separator == '-' ? text.find('-') : text.rfind(type.separator);
  split = split == text.npos ? 0 : split + 1;
  std::size_t at = 0;
  for (std::size_t kept = 0; at < text.size(); ++at) {
    if (at >= split && text[at] == '-' && type.style != PublicStyle::base36) continue;
    if (kept++ == offset) break;
  }
  return static_cast<std::uint32_t>(at);
}

Answer read_public(const Question& question, const ResourceType& type, std::string_view text) {
  const auto parts = public_id::parse(text, type.style, type.separator);
  if (!parts) return Failure{parts.error()};
  if (question.type == nullptr) {
    return public_id::write(parts->prefix, parts->body, type.style, type.separator).to_string();
  }
  // The time is asked about only where there is one: a TypeID may have any payload.
  const bool has_time = type.style == PublicStyle::ulid || type.style == PublicStyle::checked ||
                        Uuid{parts->body}.version() == 7u;
  constexpr std::uint64_t kDayMs = 86'400'000;
  return text_of(TypeTable::check(type, text, question.now_ms, has_time ? kDayMs : UINT64_MAX));
}

Answer check_public(const Question& question, std::string_view text) {
  ResourceType any;
  any.style = question.style ? *question.style : guess_style(text);
  const ResourceType& type = question.type != nullptr ? *question.type : any;
  const auto typed = public_id::friendly_spelling(text, type.style, type.separator);
  // Too long to be mended is too long to be right.
  if (question.strict || typed.size == 0) return read_public(question, type, text);
  Answer answer = read_public(question, type, typed.view());
  if (answer || answer.error().code == ParseError::Code::invalid_length) return answer;
  return Failure{ParseError{answer.error().code, offset_in(text, type, answer.error().offset)}};
}

Answer check_random(const Question& question, std::string_view text) {
  const auto id =
      question.strict
          ? (question.bits == 0 ? RandomId::parse_strict(text, question.check)
                                : RandomId::parse_strict(text, question.bits, question.check))
          : (question.bits == 0 ? RandomId::parse(text, question.check)
                                : RandomId::parse(text, question.bits, question.check));
  if (!id) return Failure{id.error()};
  return id->to_string(question.check);
}

Answer check_uuid(const Question& question, std::string_view text) {
  const auto id = question.strict ? Uuid::parse(text) : Uuid::parse_friendly(text);
  if (!id || question.version == 0) return text_of(id);
  const auto canonical = id->text();
  const auto of_version = Uuid::parse_version(canonical.view(), question.version);
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
    const auto name = ResourceName::parse_full(text);
    if (!name) return Failure{name.error()};
    return name->to_string();
  }
  return check_public(question, text);
}

bool is_random(const Question& question) noexcept {
  return question.as == "random" || question.as == "short";
}

// Texts that differ by one character or one swap of neighbours and are right.
std::vector<std::string> suggest(const Question& question, std::string_view text) {
  constexpr std::size_t kSuggestionsMax = 8;
  if (is_random(question)) {
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

// A single misspelt character can be told only where there is a check.
bool can_suggest(const Question& question, ParseError::Code code) noexcept {
  const bool checked = is_random(question) || question.style == PublicStyle::checked ||
                       (question.type != nullptr && question.type->style == PublicStyle::checked);
  return code == ParseError::Code::bad_check ||
         (checked &&
          (code == ParseError::Code::invalid_character || code == ParseError::Code::non_canonical));
}

// More than the words of the error, where the text says more.
std::string details(const Question& question, const ParseError& error, std::string_view text) {
  const bool bare = question.type != nullptr && text.rfind(question.type->separator) == text.npos;
  if (error.code == ParseError::Code::invalid_prefix && bare) {
    return "there is none, and '" + question.type->prefix + "' is wanted";
  }
  if (error.code == ParseError::Code::prefix_mismatch && question.type != nullptr) {
    const std::size_t end = text.rfind(question.type->separator);
    if (end == text.npos) return "no prefix where '" + question.type->prefix + "' is wanted";
    const std::string_view prefix = text.substr(0, end);
    std::string found = "'" + printable(prefix, 63) + "'";
    if (const ResourceType* other = question.types->find_by_prefix(prefix)) {
      found += " (" + other->name + ")";
    }
    return found + " where '" + question.type->prefix + "' is wanted";
  }
  if (error.code == ParseError::Code::out_of_range && question.type != nullptr) {
    const auto typed =
        public_id::friendly_spelling(text, question.type->style, question.type->separator);
    const auto parts =
        public_id::parse(typed.view(), question.type->style, question.type->separator);
    if (parts) {
      const auto time_ms = static_cast<std::int64_t>(detail::load_pair(parts->body).hi >> 16);
      return time_text(time_ms).to_string() + " is still to come";
    }
  }
  if (error.code == ParseError::Code::invalid_version) {
    if (const auto id = Uuid::parse_friendly(text); id && id->version()) {
      return std::to_string(*id->version()) + ", not " + std::to_string(question.version);
    }
  }
  return {};
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
  verdict.message = text.empty() ? "nothing there" : "no kind of ID is known that looks like this";
  verdict.hint = "Say what it should be with --as KIND.";
  if (!seen.inside.empty()) {
    const Inside& part = seen.inside.front();
    verdict.message += ", but there is a " + std::string(part.kind) + " in it: " + part.text;
  }
  if (!seen.detection.near_misses.empty()) {
    const NearMiss& miss = seen.detection.near_misses.front();
    if (miss.code) verdict.code = name_of(*miss.code);
    verdict.message =
        (miss.kind.empty() ? "" : "not quite " + std::string(miss.kind) + ": ") + miss.reason;
    if (miss.code) verdict.hint = error_text(*miss.code).hint;
    if (!miss.correction.empty()) verdict.suggestions.push_back(miss.correction);
  }
  return verdict;
}

Verdict judge(const Question& question, const Item& item) {
  Verdict verdict;
  if (!item.fault.empty()) {
    verdict.code = item.fault;
    verdict.message = item.fault_words();
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
  const std::string more = details(question, error, item.text);
  verdict.message = more.empty() ? describe(error, item.text)
                                 : std::string(error_text(error.code).phrase) + ": " + more;
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
  return with_place(json.end_object().take(), item);
}

std::string text_line(const Item& item, const Verdict& verdict, const Painter& paint) {
  constexpr std::size_t kSuggestionsShown = 3;
  std::string line = paint(verdict.valid() ? Colour::green : Colour::red, verdict.code) + "\t" +
                     (item.fault.empty() ? printable(item.text, 200) : item.place());
  if (verdict.valid()) return line + "\t" + verdict.kind;
  line += "\t" + verdict.message;
  for (std::size_t i = 0; i < std::min(verdict.suggestions.size(), kSuggestionsShown); ++i) {
    line += (i == 0 ? "; perhaps " : ", or ") + printable(verdict.suggestions[i], 200);
    if (const auto change = change_in(item.text, verdict.suggestions[i]); !change.empty()) {
      line += " (" + change + ")";
    }
  }
  if (!item.is_argument() && item.fault.empty()) line += "\t" + item.place();
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
  std::string json() const {
    JsonWriter json;
    std::uint64_t total = 0;
    for (const auto& [code, row] : rows_) total += row.count;
    json.begin_object().key("total").value(total).key("counts").begin_array();
    for (const auto& [code, row] : rows_) {
      json.begin_object().key("code").value(code).key("count").value(row.count);
      json.key("first").begin_array();
      for (const auto& place : row.places) json.value(place);
      json.end_array().end_object();
    }
    return json.end_array().end_object().take();
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
  const auto now_ms = present_ms(args);
  if (!now_ms) return Exit::usage;
  const auto types = load_types(args);
  if (!types) return types.error();
  Question question;
  question.as = args.value_or("as", "");
  if (question.as.starts_with("uuid") && question.as != "uuid") {
    question.version = static_cast<unsigned>(question.as.back() - '0');
    question.as = "uuidv" + std::to_string(question.version);  // also for uuid7, uuid-v7
  }
  if (question.as == "typeid") question.style = PublicStyle::type_id;
  question.strict = args.has("strict");
  question.now_ms = static_cast<std::uint64_t>(*now_ms);
  question.types = &types->table;
  const auto style = args.value("style");
  if (style && question.as == "typeid" && *style != "typeid") {
    return usage_error("a typeid has style typeid");
  }
  if (style) question.style = public_style_of(*style);
  if (const auto check = args.value("check")) {
    question.check = static_cast<CheckCount>((*check)[0] - '0');
  }
  const auto bits = args.number("bits", 1, RandomId::kBitsMax);
  if (!bits) return usage_error(bits.error().message, bits.error().hint);
  question.bits = static_cast<unsigned>(bits->value_or(0));
  if (question.as == "short" && *bits && !ShortId::has_size(question.bits)) {
    return usage_error("--bits: a short ID has 16 to 63");
  }
  if (question.as == "short" && question.check != CheckCount::one) {
    return usage_error("--check: a short ID has one check symbol");
  }

  ResourceType loose;  // --prefix without a configuration
  if (const auto name = args.value("type")) {
    if (args.has("prefix") || style) {
      return usage_error("--type says it all: no --prefix and no --style beside it");
    }
    const auto type = find_type(types->table, *name);
    if (!type) return type.error();
    question.type = *type;
  } else if (const auto prefix = args.value("prefix")) {
    loose.prefix = *prefix;
    loose.style = question.style.value_or(PublicStyle::ulid);
    if (const auto refused = refuse_prefix(*prefix)) return *refused;
    question.type = &loose;
  }
  if ((question.type != nullptr || style) && question.as.empty()) question.as = "public";
  const bool is_public = question.as == "public" || question.as == "typeid";
  if (!is_public && (question.type != nullptr || style)) {
    return usage_error("--type, --prefix and --style are for public IDs");
  }
  if (!is_random(question) && (args.has("bits") || args.has("check"))) {
    return usage_error("--bits and --check are for random IDs", "As in: --as random --bits 60");
  }
  if (question.strict && question.as.empty()) {
    return usage_error("--strict needs to know what it should be: --as KIND");
  }

  Output& out = Output::standard();
  out.end_broken_pipe_with(Exit::io);  // not all were checked
  const Painter paint = painter_for(args, STDOUT_FILENO);
  const bool quiet = args.has("quiet");
  const bool summary = args.has("summary");
  const bool json = args.has("json");
  const bool terminal = is_terminal(STDOUT_FILENO);
  Summary counts;
  Progress progress(
      "checking", 0,
      quiet || summary ? Progress::Answers::come_at_the_end : Progress::Answers::are_streamed);
  std::uint64_t done = 0;
  bool all_good = true;
  const Exit read = for_each_item(args, args.positionals(), {}, [&](const Item& item) {
    const Verdict verdict = judge(question, item);
    all_good = all_good && verdict.valid();
    if (summary) {
      counts.add(item, verdict);
    } else if (!quiet) {
      out.line(json ? json_line(item, verdict) : text_line(item, verdict, paint));
      if (terminal) out.flush();
    }
    progress.update(++done);
  });
  progress.clear();
  if (summary && !quiet) {
    json ? out.line(counts.json()) : counts.print(out);
  }
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
