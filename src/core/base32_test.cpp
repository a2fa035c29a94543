// What base32 promises: two ways of padding that agree with other implementations and are
// never mixed up; text that sorts as the bytes do; and look-alikes only by the friendly table.

#include "tessera/base32.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using base32::Letters;
using Code = ParseError::Code;

static_assert(base32::text_size(0) == 0 && base32::text_size(1) == 1 && base32::text_size(5) == 1);
static_assert(base32::text_size(60) == 12 && base32::text_size(64) == 13);
static_assert(base32::text_size(120) == 24 && base32::text_size(128) == base32::kLeftTextSize);
static_assert(base32::parse_left("7ZZZZZZZZZZZZZZZZZZZZZZZZZ") ==
              detail::store_128(~detail::uint128{0}));
static_assert(base32::parse_left("8ZZZZZZZZZZZZZZZZZZZZZZZZZ") ==
              Failure{ParseError{Code::overflow, 0}});

std::string left(const detail::Bytes16& bytes, Letters letters = Letters::upper) {
  std::string text(base32::kLeftTextSize, '?');
  base32::write_left(bytes, std::span<char, base32::kLeftTextSize>(text), letters);
  return text;
}

std::string right(std::span<const std::uint8_t> bytes, std::size_t bits) {
  std::string text(base32::text_size(bits), '?');
  base32::write_right(bytes, bits, text);
  return text;
}

TEST(Base32, LeftAndRightAgreeWithOtherImplementations) {
  for (const auto& row : vectors::read_table("oracle-encodings-128.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
    EXPECT_EQ(left(bytes), row["crockford_left_padded_ulid"]);
    EXPECT_EQ(base32::parse_left(row["crockford_left_padded_ulid"]), bytes);
    EXPECT_EQ(right(bytes, 128), row["crockford_right_padded"]);
  }
}

TEST(Base32, RightAgreesWithTheListingsOnEverySize) {
  for (const auto& row : vectors::read_table("oracle-crockford-book.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::bytes_of_hex(row["hex"]);
    ASSERT_EQ(bytes.size(), vectors::number(row["nbytes"]));
    EXPECT_EQ(right(bytes, 8 * bytes.size()), row["base32_encode_right_padded"]);
    EXPECT_EQ(5 * base32::text_size(8 * bytes.size()) - 8 * bytes.size(),
              vectors::number(row["pad_bits"]));
  }
}

TEST(Base32, LowerCaseIsTheSameDigits) {
  for (const auto& row : vectors::read_table("oracle-typeid.tsv")) {
    SCOPED_TRACE(row.where());
    const std::string& typeid_text = row["typeid"];
    ASSERT_GE(typeid_text.size(), base32::kLeftTextSize);
    const std::string suffix = typeid_text.substr(typeid_text.size() - base32::kLeftTextSize);
    const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
    EXPECT_EQ(left(bytes, Letters::lower), suffix);
    EXPECT_EQ(base32::parse_left(suffix), bytes);
    EXPECT_EQ(base32::parse_left(suffix, detail::kCrockfordLowerDigits), bytes);
  }
}

TEST(Base32, ReadsExactlyTheDigitsOfItsTable) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const std::size_t digit = kDigits.find(upper);
    const std::size_t friendly = upper == 'I' || upper == 'L' ? 1 : upper == 'O' ? 0 : digit;
    const std::string text = std::string(25, '0') + c;

    const auto strict = base32::parse_left(text);
    ASSERT_EQ(static_cast<bool>(strict), digit != std::string_view::npos) << i;
    EXPECT_TRUE(!strict || strict->back() == digit);

    const auto typed = base32::parse_left(text, detail::kCrockfordFriendly);
    ASSERT_EQ(static_cast<bool>(typed), friendly != std::string_view::npos) << i;
    EXPECT_TRUE(!typed || typed->back() == friendly);

    const auto lower = base32::parse_left(text, detail::kCrockfordLowerDigits);
    EXPECT_EQ(static_cast<bool>(lower), digit != std::string_view::npos && !(c >= 'A' && c <= 'Z'))
        << i;
  }
}

TEST(Base32, SaysWhereTextGoesWrong) {
  const std::string good = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  for (std::uint32_t at = 0; at < good.size(); ++at) {
    for (const char c :
         {'U', 'u', 'I', '-', ' ', '\0', '\x80', '\xFF', '@', '[', '`', '{', '/', ':'}) {
      std::string text = good;
      text[at] = c;
      EXPECT_EQ(base32::parse_left(text), refusal(Code::invalid_character, at));
      text.back() = '*';  // the first of two counts
      EXPECT_EQ(base32::parse_left(text), refusal(Code::invalid_character, at));
    }
  }
  for (const char c : std::string_view("89ABCDEFGHJKMNPQRSTVWXYZabcxyz")) {
    EXPECT_EQ(base32::parse_left(c + std::string(25, '0')), refusal(Code::overflow, 0));
  }
  for (std::uint32_t size = 0; size < 60; ++size) {
    if (size == base32::kLeftTextSize) continue;
    EXPECT_EQ(base32::parse_left(std::string(size, '0')), refusal(Code::invalid_length, size));
  }
}

RC_GTEST_PROP(Base32, LeftRoundTripsAndSorts, ()) {
  const auto [a, b] = *neighbours<16>();
  RC_ASSERT(base32::parse_left(left(a)) == a);
  RC_ASSERT((left(a) <=> left(b)) == (a <=> b));
}

RC_GTEST_PROP(Base32, RightIsTheBitsInFivesAndZerosBehind, ()) {
  const auto bytes = *any_bytes<20>();
  const auto bits = *any_from_to(std::size_t{0}, std::size_t{160});
  std::string all;
  for (const std::uint8_t byte : bytes) {
    for (int bit = 7; bit >= 0; --bit) all += (byte >> bit & 1) != 0 ? '1' : '0';
  }
  all.resize(bits);
  all.resize(5 * base32::text_size(bits), '0');
  std::string expected;
  for (std::size_t i = 0; i < all.size(); i += 5) {
    expected += "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[std::stoul(all.substr(i, 5), nullptr, 2)];
  }
  RC_ASSERT(right(bytes, bits) == expected);
}

}  // namespace
}  // namespace tessera
