// What the spellings of sixteen bytes promise: each value has one text in each form, every
// other text is refused with the place where it goes wrong, and the texts of hex, base36
// and base62 sort as the bytes do. All agree with other implementations.

#include "tessera/codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

constexpr Bytes16 kZero{};
constexpr Bytes16 kOne = detail::store_128(1);
constexpr Bytes16 kMax = detail::store_128(~detail::uint128{0});

static_assert(hex::text_of(kMax).view() == "ffffffffffffffffffffffffffffffff");
static_assert(base36::text_of(kMax).view() == "f5lxx1zz5pnorynqglhzmsp33");
static_assert(base58::text_of(kMax).view() == "YcVfxkQb6JRzqk5kF2tNLv");
static_assert(base62::text_of(kMax).view() == "7n42DGM5Tflk9n8mt7Fhc7");
static_assert(base64url::text_of(kMax).view() == "_____________________w");
static_assert(decimal::text_of(kMax).view() == "340282366920938463463374607431768211455");
static_assert(hex::parse("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF") == kMax);
static_assert(base36::parse("F5LXX1ZZ5PNORYNQGLHZMSP33") == kMax);
static_assert(base58::parse("YcVfxkQb6JRzqk5kF2tNLv") == kMax);
static_assert(base62::parse("7n42DGM5Tflk9n8mt7Fhc7") == kMax);
static_assert(base64url::parse("_____________________w") == kMax);
static_assert(decimal::parse("340282366920938463463374607431768211455") == kMax);

// One form, as a value, so that one test can go over all of them.
struct Form {
  const char* name;
  std::string (*text_of)(const Bytes16&);
  Result<Bytes16, ParseError> (*parse)(std::string_view) noexcept;
  bool either_case;
  bool keeps_order;
};

#define TESSERA_FORM(form, either_case, keeps_order)                                 \
  Form {                                                                             \
#form, [](const Bytes16& bytes) { return form::text_of(bytes).to_string(); },      \
        [](std::string_view text) noexcept { return form::parse(text); }, either_case, \
        keeps_order \
  }

const Form kForms[] = {
    TESSERA_FORM(hex, true, true),         TESSERA_FORM(base36, true, true),
    TESSERA_FORM(base58, false, false),    TESSERA_FORM(base62, false, true),
    TESSERA_FORM(base64url, false, false), TESSERA_FORM(decimal, false, false),
};

TEST(Codec, AgreesWithOtherImplementationsOnAllForms) {
  for (const auto& row : vectors::read_table("oracle-encodings-128.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
    EXPECT_EQ(base58::text_of(bytes).view(), row["base58btc_bytes"]);
    EXPECT_EQ(base58::parse(row["base58btc_bytes"]), bytes);
    EXPECT_EQ(base62::text_of(bytes).view(), row["base62_22_0-9A-Za-z"]);
    EXPECT_EQ(base62::parse(row["base62_22_0-9A-Za-z"]), bytes);
    EXPECT_EQ(base64url::text_of(bytes).view(), row["base64url"]);
    EXPECT_EQ(base64url::parse(row["base64url"]), bytes);
  }
}

TEST(Codec, HexDecimalAndBase64UrlAgreeWithUuidImplementations) {
  for (const auto& row : vectors::read_table("oracle-uuid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
    EXPECT_EQ(hex::text_of(bytes).view(), vectors::hex_of(bytes));
    EXPECT_EQ(hex::parse(vectors::hex_of(bytes)), bytes);
    EXPECT_EQ(decimal::text_of(bytes).view(), row["integer"]);
    EXPECT_EQ(decimal::parse(row["integer"]), bytes);
    EXPECT_EQ(base64url::text_of(bytes).view(), row["base64url"]);
  }
}

TEST(Codec, Base36AgreesWithUuid25) {
  for (const auto& row : vectors::read_table("oracle-base36-uuid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
    EXPECT_EQ(base36::text_of(bytes).view(), row["base36_25_as_uuid25"]);
    EXPECT_EQ(base36::parse(row["base36_25_as_uuid25"]), bytes);
    EXPECT_EQ(decimal::text_of(bytes).view(), row["integer"]);
    // Without padding texts do not sort, and zero has none: refused unless it is 25 digits.
    const std::string& unpadded = row["base36_unpadded_as_davestearns_ids"];
    if (unpadded.size() != base36::kTextSize) {
      EXPECT_EQ(base36::parse(unpadded), refusal(Code::invalid_length, unpadded.size()));
    }
  }
  for (const auto& row : vectors::read_table("base36/uuid25.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["hex"]);
    EXPECT_EQ(base36::text_of(bytes).view(), row["uuid25"]);
    EXPECT_EQ(base36::parse(row["uuid25"]), bytes);
  }
}

TEST(Codec, Base36AgreesWithScru128) {
  for (const auto& row : vectors::read_table("scru128/base36_128.tsv")) {
    SCOPED_TRACE(row.where());
    if (row["hex"] == "INVALID") {
      EXPECT_FALSE(base36::parse(row["text"]));
      continue;
    }
    const auto bytes = vectors::array_of_hex<16>(row["hex"]);
    EXPECT_EQ(base36::text_of(bytes).view(), row["text"]);
    EXPECT_EQ(base36::parse(row["text"]), bytes);
  }
  for (const auto& row : vectors::read_table("oracle-scru128.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["hex"]);
    EXPECT_EQ(base36::text_of(bytes).view(), row["text"]);
    EXPECT_EQ(base36::parse(row["text"]), bytes);
  }
  for (const auto& row : vectors::read_table("scru128/fields.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = base36::parse(vectors::unescape(row["text"]));
    if (row["timestamp"] == "INVALID") {
      EXPECT_FALSE(bytes);
      continue;
    }
    ASSERT_TRUE(bytes);
    EXPECT_EQ(detail::load_be<6>(bytes->data()), vectors::number(row["timestamp"]));
    EXPECT_EQ(detail::load_be<3>(bytes->data() + 6), vectors::number(row["counter_hi"]));
    EXPECT_EQ(detail::load_be<3>(bytes->data() + 9), vectors::number(row["counter_lo"]));
    EXPECT_EQ(detail::load_be<4>(bytes->data() + 12), vectors::number(row["entropy"]));
  }
}

TEST(Codec, Base62AgreesWithTimeflake) {
  for (const auto& row : vectors::read_table("timeflake/timeflake.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["hex"]);
    EXPECT_EQ(base62::text_of(bytes).view(), row["base62"]);
    EXPECT_EQ(base62::parse(row["base62"]), bytes);
  }
}

TEST(Codec, WritesTheExtremes) {
  const struct {
    Bytes16 bytes;
    std::array<std::string, 6> texts;  // in the order of kForms
  } cases[] = {
      {kZero,
       {std::string(32, '0'), std::string(25, '0'), std::string(16, '1'), std::string(22, '0'),
        std::string(22, 'A'), "0"}},
      {kOne,
       {std::string(31, '0') + "1", std::string(24, '0') + "1", std::string(15, '1') + "2",
        std::string(21, '0') + "1", std::string(21, 'A') + "Q", "1"}},
  };
  for (const auto& c : cases) {
    for (std::size_t i = 0; i < c.texts.size(); ++i) {
      SCOPED_TRACE(kForms[i].name);
      EXPECT_EQ(kForms[i].text_of(c.bytes), c.texts[i]);
      EXPECT_EQ(kForms[i].parse(c.texts[i]), c.bytes);
    }
  }
}

TEST(Codec, RefusesBadTextAndSaysWhere) {
  const struct {
    std::string form;
    std::string text;
    ParseError error;
  } cases[] = {
      {"hex", "", {Code::invalid_length, 0}},
      {"hex", std::string(31, '0'), {Code::invalid_length, 31}},
      {"hex", std::string(33, '0'), {Code::invalid_length, 33}},
      {"hex", std::string(31, '0') + "g", {Code::invalid_character, 31}},
      {"hex", "0x" + std::string(30, '0'), {Code::invalid_character, 1}},
      {"base36", "", {Code::invalid_length, 0}},
      {"base36", std::string(24, '0'), {Code::invalid_length, 24}},
      {"base36", std::string(26, '0'), {Code::invalid_length, 26}},
      {"base36", "f5lxx1zz5pnorynqglhzmsp34", {Code::overflow, 0}},
      {"base36", std::string(25, 'z'), {Code::overflow, 0}},
      {"base36", "f5lxx1zz5pn+rynqglhzmsp33", {Code::invalid_character, 11}},
      {"base36", std::string(24, 'z') + "-", {Code::invalid_character, 24}},
      {"base58", "", {Code::invalid_length, 0}},
      {"base58", std::string(15, '1'), {Code::invalid_length, 15}},
      {"base58", std::string(17, '1'), {Code::invalid_length, 17}},
      {"base58", std::string(22, '1'), {Code::invalid_length, 22}},
      {"base58", std::string(14, '1') + "2", {Code::invalid_length, 15}},
      {"base58", std::string(16, '1') + "2", {Code::invalid_length, 17}},
      {"base58", "1YcVfxkQb6JRzqk5kF2tNLv", {Code::invalid_length, 23}},
      {"base58", "YcVfxkQb6JRzqk5kF2tNLw", {Code::overflow, 0}},
      {"base58", std::string(22, 'z'), {Code::overflow, 0}},
      {"base58", "YcVfxkQb6JRzqk5kF2tNL0", {Code::invalid_character, 21}},
      {"base58", "l", {Code::invalid_character, 0}},
      {"base58", "22I", {Code::invalid_character, 2}},
      {"base58", "O", {Code::invalid_character, 0}},
      {"base62", std::string(21, '0'), {Code::invalid_length, 21}},
      {"base62", std::string(23, '0'), {Code::invalid_length, 23}},
      {"base62", "7n42DGM5Tflk9n8mt7Fhc8", {Code::overflow, 0}},
      {"base62", std::string(22, 'z'), {Code::overflow, 0}},
      {"base62", "7n42DGM5Tflk9n8mt7Fhc_", {Code::invalid_character, 21}},
      {"base64url", std::string(21, 'A'), {Code::invalid_length, 21}},
      {"base64url", std::string(22, 'A') + "==", {Code::invalid_length, 24}},
      {"base64url", "AAAAAAAAAAAAAAAAAAAAAB", {Code::non_canonical, 21}},
      {"base64url", "AAAAAAAAAAAAAAAAAAAAAI", {Code::non_canonical, 21}},
      {"base64url", "+AAAAAAAAAAAAAAAAAAAAA", {Code::invalid_character, 0}},
      {"base64url", "AAAAAAAAAAAAAAAAAAAAA/", {Code::invalid_character, 21}},
      {"decimal", "", {Code::invalid_length, 0}},
      {"decimal", std::string(40, '1'), {Code::invalid_length, 40}},
      {"decimal", "00", {Code::non_canonical, 0}},
      {"decimal", "01", {Code::non_canonical, 0}},
      {"decimal", std::string(39, '0'), {Code::non_canonical, 0}},
      {"decimal", "340282366920938463463374607431768211456", {Code::overflow, 0}},
      {"decimal", std::string(39, '9'), {Code::overflow, 0}},
      {"decimal", "-1", {Code::invalid_character, 0}},
      {"decimal", "12a", {Code::invalid_character, 2}},
      {"decimal", "0x1", {Code::invalid_character, 1}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.form + " '" + c.text + "'");
    const Form* form = std::ranges::find(kForms, c.form, &Form::name);
    ASSERT_NE(form, std::end(kForms));
    EXPECT_EQ(form->parse(c.text), Failure{c.error});
  }
}

TEST(Codec, RefusesEveryForeignCharacterAtEveryPlace) {
  const auto bytes = vectors::array_of_hex<16>("017f22e279b07cc398c4dc0c0c07398f");
  for (const auto& form : kForms) {
    SCOPED_TRACE(form.name);
    const std::string text = form.text_of(bytes);
    for (std::uint32_t at = 0; at < text.size(); ++at) {
      for (const char c :
           {' ', '\0', '\n', '+', '=', '.', '/', ':', '@', '[', '`', '{', '\x7F', '\x80', '\xFF'}) {
        std::string changed = text;
        changed[at] = c;
        EXPECT_EQ(form.parse(changed), refusal(Code::invalid_character, at));
      }
    }
  }
}

TEST(Codec, HexOfAnySizeIsTwoDigitsPerByte) {
  for (std::size_t size = 0; size <= 40; ++size) {
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
    std::string text(2 * size, '?');
    hex::write(bytes, text);
    EXPECT_EQ(text, vectors::hex_of(bytes));
    std::vector<std::uint8_t> read(size);
    EXPECT_EQ(hex::parse(text, read), size);
    EXPECT_EQ(read, bytes);
    EXPECT_FALSE(hex::parse(text + "0", read));
    EXPECT_FALSE(hex::parse(text + "00", read));
  }
}

RC_GTEST_PROP(Codec, EveryFormRoundTrips, ()) {
  const Bytes16 bytes = *any_bytes<16>();
  for (const auto& form : kForms) {
    std::string text = form.text_of(bytes);
    RC_LOG() << form.name << ": " << text << '\n';
    RC_ASSERT(form.parse(text) == bytes);
    if (!form.either_case) continue;
    for (char& c : text) {
      if (c >= 'a' && c <= 'z' && *rc::gen::arbitrary<bool>()) c = static_cast<char>(c - 'a' + 'A');
    }
    RC_ASSERT(form.parse(text) == bytes);
  }
}

RC_GTEST_PROP(Codec, EveryFormHasOneTextPerValueButForCase, ()) {
  const Bytes16 bytes = *any_bytes<16>();
  for (const auto& form : kForms) {
    const std::string text = form.text_of(bytes);
    const auto at = *any_from_to(std::size_t{0}, text.size() - 1);
    RC_LOG() << form.name << ": " << text << ", changed at " << at << '\n';
    for (int c = 0; c < 256; ++c) {
      std::string changed = text;
      changed[at] = static_cast<char>(c);
      if (changed == text || form.parse(changed) != bytes) continue;
      RC_ASSERT(form.either_case);
      RC_ASSERT((changed[at] ^ 0x20) == text[at]);
    }
  }
}

RC_GTEST_PROP(Codec, EveryFormAnswersAnyText, ()) {
  // What is read is written again as it was, but for case: no second spelling gets in.
  const auto text = *rc::gen::container<std::string>(
      rc::gen::weightedOneOf<char>({{20, rc::gen::elementOf(std::string(detail::kBase62))},
                                    {4, rc::gen::just('0')},
                                    {4, rc::gen::just('1')},
                                    {1, any_char()}}));
  for (const auto& form : kForms) {
    RC_LOG() << form.name << '\n';
    const auto bytes = form.parse(text);
    if (!bytes) {
      RC_ASSERT(bytes.error().offset <= text.size());
      continue;
    }
    std::string canonical = text;
    for (char& c : canonical) {
      if (form.either_case && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    RC_ASSERT(form.text_of(*bytes) == canonical);
  }
}

RC_GTEST_PROP(Codec, TextsOfHexBase36AndBase62SortAsTheBytesDo, ()) {
  const auto [a, b] = *neighbours<16>();
  for (const auto& form : kForms) {
    if (!form.keeps_order) continue;
    RC_LOG() << form.name << '\n';
    RC_ASSERT((form.text_of(a) <=> form.text_of(b)) == (a <=> b));
  }
}

RC_GTEST_PROP(Codec, EveryTextOfTheRightLengthAboveTheLargestIsTooLarge, ()) {
  const struct {
    Form form;
    std::string digits;
  } forms[] = {{kForms[1], std::string(detail::kBase36)},
               {kForms[2], std::string(detail::kBase58)},
               {kForms[3], std::string(detail::kBase62)},
               {kForms[5], "0123456789"}};
  for (const auto& [form, digits] : forms) {
    const std::string largest = form.text_of(kMax);
    std::string text;
    for (const char c : largest) {
      const char any = *rc::gen::elementOf(digits);
      text += *rc::gen::arbitrary<bool>() ? c : any;
    }
    RC_LOG() << form.name << ": " << text << '\n';
    const auto bytes = form.parse(text);
    const bool too_large = !bytes && bytes.error() == ParseError{Code::overflow, 0};
    RC_ASSERT(too_large == (text > largest));
  }
}

}  // namespace
}  // namespace tessera
