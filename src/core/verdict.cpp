// Judges texts.

#include "tessera/verdict.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tessera/inspect.h"
#include "tessera/kind.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/resource_name.h"
#include "tessera/result.h"
#include "tessera/snowflake.h"
#include "tessera/time_text.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

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

// Texts that differ by one character or one swap of neighbours and are right.
std::vector<std::string> suggest(const Question& question, std::string_view text) {
  constexpr std::size_t kSuggestionsMax = 8;
  if (question.is_random()) {
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
  const bool checked = question.is_random() || question.style == PublicStyle::checked ||
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

}  // namespace

bool Question::ask_for(std::string_view kind) {
  as = kind;
  version = 0;
  constexpr std::array<std::string_view, 11> kOthers = {"ulid",      "uuid",   "objectid", "ksuid",
                                                        "snowflake", "long",   "random",   "short",
                                                        "public",    "typeid", "name"};
  if (kind == "typeid") style = PublicStyle::type_id;
  if (std::ranges::find(kOthers, kind) != kOthers.end()) return true;
  if (!kind.starts_with("uuid")) return false;
  const auto known = kind_of(kind);
  if (!known) return false;
  version = static_cast<unsigned>(kind.back() - '0');
  as = "uuidv" + std::to_string(version);  // also for uuid7, uuid-v7
  return true;
}

bool Question::is_random() const noexcept { return as == "random" || as == "short"; }

void write_fields(JsonWriter& json, std::string_view text, const Verdict& verdict) {
  json.begin_object().key("input").value(text).key("valid").value(verdict.valid());
  json.key("kind");
  verdict.kind.empty() ? json.null() : json.value(verdict.kind);
  if (verdict.valid()) {
    json.key("canonical").value(verdict.canonical);
    return;
  }
  json.key("code").value(verdict.code).key("offset");
  verdict.offset ? json.value(std::uint64_t{*verdict.offset}) : json.null();
  json.key("message").value(verdict.message).key("hint").value(verdict.hint);
  json.key("suggestions").begin_array();
  for (const auto& suggestion : verdict.suggestions) json.value(suggestion);
  json.end_array();
}

Result<std::string, ParseError> check(const Question& question, std::string_view text) {
  return check_as(question, text);
}

Verdict judge(const Question& question, std::string_view text) {
  if (question.as.empty()) return judge_any(question, text);
  Verdict verdict;
  verdict.kind = question.as;
  const Answer answer = check_as(question, text);
  if (answer) {
    verdict.canonical = *answer;
    return verdict;
  }
  const ParseError& error = answer.error();
  verdict.code = name_of(error.code);
  verdict.offset = error.offset;
  const std::string more = details(question, error, text);
  verdict.message = more.empty() ? describe(error, text)
                                 : std::string(error_text(error.code).phrase) + ": " + more;
  verdict.hint = error_text(error.code).hint;
  if (can_suggest(question, error.code)) verdict.suggestions = suggest(question, text);
  return verdict;
}

}  // namespace tessera
