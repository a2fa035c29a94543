#pragma once

// Whether what stands in a field is an ID as the contract wants it.

#include <optional>
#include <string>
#include <string_view>

#include "contract/words.h"
#include "tessera/contract/declared.h"
#include "tessera/contract/finding.h"

namespace tessera::contract {

// No ID is longer; a longer text is judged by its first characters.
inline constexpr std::size_t kIdTextSizeMax = 200;

struct IdFault {
  RuleId rule;
  std::string what;
};

// A field as its name and what encloses it tell it.
struct IdField {
  IdName name;
  std::string_view shown;     // the name itself
  std::string_view encloser;  // "store" of {"store": {"id": ...}}; may be empty
};

// The type that the field is for; null if that is not known.
const DeclaredType* type_of(const IdField& field, const Declared& declared) noexcept;

std::optional<IdFault> judge_text(const IdField& field, std::string_view text,
                                  const Declared& declared);
std::optional<IdFault> judge_number(const IdField& field);

bool is_digits(std::string_view text) noexcept;
bool is_bare_ulid(std::string_view text) noexcept;
// Digits, a ULID, a UUID or a public ID: what stands for one of many in a path.
bool is_some_id(std::string_view text) noexcept;

}  // namespace tessera::contract
