// Texts and numbers, judged by the name of their field.

#include "contract/id_value.h"

#include <algorithm>
#include <array>

#include "tessera/parse_error.h"
#include "tessera/public_id.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera::contract {
namespace {

constexpr std::array kStyles = {PublicStyle::ulid, PublicStyle::type_id, PublicStyle::base36,
                                PublicStyle::checked};

// Of any type and style. A bare body is none, though a TypeID may be one.
bool has_public_form(std::string_view text) noexcept {
  const std::size_t separator = find_last_separator(text);
  if (separator == text.npos || separator == 0) return false;
  return std::ranges::any_of(kStyles, [&](PublicStyle style) {
    return bool(public_id::parse(text, style, text[separator]));
  });
}

std::optional<IdFault> judge_typed(const IdField& field, std::string_view text,
                                   const Declared& declared) {
  const auto read = declared.table().parse(text);
  if (!read) {
    return IdFault{RuleId::not_a_public_id,
                   quoted(text) + " is no public ID: " + describe(read.error(), text)};
  }
  const DeclaredType* wanted = type_of(field, declared);
  if (wanted == nullptr || wanted->type.prefix == read->type->prefix) return std::nullopt;
  return IdFault{RuleId::wrong_type, "it holds " + quoted(text) + ", of type " +
                                         quoted(read->type->name) + ", and is for " +
                                         quoted(wanted->type.name)};
}

}  // namespace

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 20 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_bare_ulid(std::string_view text) noexcept {
  return text.size() == Ulid::kTextSize && bool(Ulid::parse(text));
}

bool is_some_id(std::string_view text) noexcept {
  return is_digits(text) || is_bare_ulid(text) || has_public_form(text) || bool(Uuid::parse(text));
}

const DeclaredType* type_of(const IdField& field, const Declared& declared) noexcept {
  const std::string_view whose = field.name.whose.empty() ? field.encloser : field.name.whose;
  return whose.empty() ? nullptr : declared.find(whose);
}

std::optional<IdFault> judge_text(const IdField& field, std::string_view text,
                                  const Declared& declared) {
  // Also where the name says nothing of an ID: nothing else looks like a ULID.
  if (is_bare_ulid(text)) return IdFault{RuleId::bare_ulid, quoted(text) + " is a ULID"};
  if (!field.name.is_id) return std::nullopt;
  if (is_digits(text)) {
    return IdFault{RuleId::integer_id, quoted(text) + " is a number, written as text"};
  }
  if (!declared.types().empty()) return judge_typed(field, text, declared);
  if (has_public_form(text)) return std::nullopt;
  return IdFault{RuleId::not_a_public_id, quoted(text) + " is no public ID"};
}

std::optional<IdFault> judge_number(const IdField& field) {
  if (!field.name.is_id) return std::nullopt;
  return IdFault{RuleId::integer_id, quoted(field.shown) + " is a number"};
}

}  // namespace tessera::contract
