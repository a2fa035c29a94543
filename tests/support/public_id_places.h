#pragma once

// Whether an error of a public ID points at what is wrong, by rules written anew.

#include <gtest/gtest.h>

#include <cstddef>
#include <string_view>

#include "tessera/public_id.h"

namespace tessera {

constexpr std::string_view body_alphabet(PublicStyle style) {
  switch (style) {
    case PublicStyle::type_id: return "0123456789abcdefghjkmnpqrstvwxyz";
    case PublicStyle::base36:
      return "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    default: return "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz";
  }
}

// Checks that `error` points at what it names: the first character that breaks the rule.
inline void expect_right_place(std::string_view text, const ParseError& error, PublicStyle style,
                               char separator) {
  using Code = ParseError::Code;
  const std::size_t at = error.offset;
  const std::size_t split = text.rfind(separator);
  const std::size_t body = split == std::string_view::npos ? 0 : split + 1;
  switch (error.code) {
    case Code::invalid_length: EXPECT_EQ(at, text.size()); break;
    case Code::invalid_prefix: {
      if (split == 0 || split == std::string_view::npos) {
        EXPECT_EQ(at, 0u);
        break;
      }
      ASSERT_LT(at, split);
      EXPECT_EQ(text.substr(0, at).find_first_not_of("abcdefghijklmnopqrstuvwxyz_"),
                std::string_view::npos);
      const bool letter = text[at] >= 'a' && text[at] <= 'z';
      const bool edge = at == 0 || at + 1 == split;
      EXPECT_TRUE(at == 63 || !(letter || (text[at] == '_' && !edge)));
      break;
    }
    case Code::invalid_character:
      EXPECT_EQ(text.find_first_not_of(body_alphabet(style), body), at);
      break;
    case Code::overflow: EXPECT_EQ(at, body); break;
    case Code::bad_check: EXPECT_EQ(at, body + 26); break;
    case Code::prefix_mismatch: EXPECT_EQ(at, 0u); break;
    default: ADD_FAILURE() << "no error of public IDs: " << name_of(error.code);
  }
}

}  // namespace tessera
