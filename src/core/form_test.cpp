// What forms promise: each keeps every bit, agrees with what others write in that form, has one
// text for each value but for letter case, and refuses what it has no room for; so any form can
// be turned into any other and back.

#include "tessera/form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;
using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(std::string_view hex) {
  std::string digits(hex);
  std::erase(digits, '-');
  return vectors::bytes_of_hex(digits);
}

void expect_form(Form form, const Bytes& bytes, const std::string& text) {
  EXPECT_EQ(write_form(form, bytes), text) << name_of(form);
  const auto read = parse_form(form, text);
  ASSERT_TRUE(read) << name_of(form) << " " << text;
  EXPECT_EQ(*read, bytes) << name_of(form) << " " << text;
}

TEST(Form, EveryFormHasItsName) {
  const std::vector<std::string_view> names = {"ulid",   "uuid",   "hex",       "base32",
                                               "base36", "base62", "base58",    "base64url",
                                               "int",    "bytes",  "crockford", "typeid"};
  ASSERT_EQ(all_forms().size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(name_of(all_forms()[i]), names[i]);
    EXPECT_EQ(form_of(names[i]), all_forms()[i]);
  }
  for (const char* name : {"", "ULID", "integer", "type_id", "base64", "hex "}) {
    EXPECT_EQ(form_of(name), std::nullopt) << name;
  }
}

TEST(Form, AgreesWithOtherWritersOfSixteenBytes) {
  for (const auto& row : vectors::read_table("oracle-encodings-128.tsv")) {
    SCOPED_TRACE(row.where());
    const Bytes bytes = bytes_of(row["uuid"]);
    expect_form(Form::uuid, bytes, row["uuid"]);
    expect_form(Form::base58, bytes, row["base58btc_bytes"]);
    expect_form(Form::base62, bytes, row["base62_22_0-9A-Za-z"]);
    expect_form(Form::base64url, bytes, row["base64url"]);
    expect_form(Form::ulid, bytes, row["crockford_left_padded_ulid"]);
    expect_form(Form::base32, bytes, row["crockford_left_padded_ulid"]);
    const auto crockford = write_form(Form::crockford, bytes);
    ASSERT_TRUE(crockford);
    EXPECT_EQ(crockford->substr(0, 26), row["crockford_right_padded"]);
    EXPECT_EQ(crockford->size(), 27u);
  }
  for (const auto& row : vectors::read_table("oracle-base36-uuid.tsv")) {
    SCOPED_TRACE(row.where());
    expect_form(Form::base36, bytes_of(row["uuid"]), row["base36_25_as_uuid25"]);
    expect_form(Form::integer, bytes_of(row["uuid"]), row["integer"]);
  }
  for (const auto& row : vectors::read_table("oracle-uuid.tsv")) {
    SCOPED_TRACE(row.where());
    expect_form(Form::base64url, bytes_of(row["uuid"]), row["base64url"]);
    expect_form(Form::integer, bytes_of(row["uuid"]), row["integer"]);
  }
  for (const auto& row : vectors::read_table("oracle-ulid.tsv")) {
    SCOPED_TRACE(row.where());
    expect_form(Form::hex, bytes_of(row["uuid"]), row["hex"]);
    expect_form(Form::ulid, bytes_of(row["uuid"]), row["ulid"]);
  }
  for (const auto& row : vectors::read_table("oracle-typeid.tsv")) {
    SCOPED_TRACE(row.where());
    const Bytes bytes = bytes_of(row["uuid"]);
    EXPECT_EQ(write_form(Form::type_id, bytes, row["prefix"]), row["typeid"]);
    EXPECT_EQ(parse_form(Form::type_id, row["typeid"]), bytes);
  }
}

TEST(Form, RefusesAPrefixThatBreaksTheRule) {
  const Bytes bytes(16);
  for (const std::string& prefix :
       {std::string("Ord"), std::string("o-d"), std::string(64, 'a'), std::string(4000, 'a')}) {
    EXPECT_FALSE(write_form(Form::type_id, bytes, prefix)) << prefix.size();
  }
  EXPECT_TRUE(write_form(Form::type_id, bytes, std::string(63, 'a')));
}

TEST(Form, AgreesWithOtherWritersOfOtherSizes) {
  for (const auto& row : vectors::read_table("oracle-ksuid.tsv")) {
    SCOPED_TRACE(row.where());
    expect_form(Form::base62, bytes_of(row["raw_hex"]), row["ksuid"]);
    expect_form(Form::hex, bytes_of(row["raw_hex"]), row["raw_hex"]);
  }
  for (const auto& row : vectors::read_table("oracle-objectid.tsv")) {
    SCOPED_TRACE(row.where());
    std::string url = row["base64"];
    std::ranges::replace(url, '+', '-');
    std::ranges::replace(url, '/', '_');
    expect_form(Form::base64url, bytes_of(row["hex"]), url);
  }
  for (const auto& row : vectors::read_table("oracle-crockford-book.tsv")) {
    SCOPED_TRACE(row.where());
    const Bytes bytes = bytes_of(row["hex"]);
    expect_form(Form::crockford, bytes, row["id_with_check"]);
    EXPECT_EQ(write_form(Form::base32, bytes), row["same_bytes_left_padded_number"]);
  }
}

// Which forms can write, and read back, values of `size` bytes.
bool keeps(Form form, std::size_t size) {
  switch (form) {
    case Form::ulid:
    case Form::uuid:
    case Form::type_id:
    case Form::integer: return size == 16;
    case Form::base32:
    case Form::base36:
    case Form::base62:
    case Form::base58: return size == 8 || size == 12 || size == 16 || size == 20;
    default: return size >= 1 && size <= kFormBytesMax;
  }
}

Bytes any_bytes_of(std::size_t size) {
  const auto all = *any_bytes<kFormBytesMax>();
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)};
}

RC_GTEST_PROP(Form, EveryFormOfSixteenBytesTurnsIntoEveryOther, ()) {
  const Bytes bytes = any_bytes_of(16);
  for (const Form from : all_forms()) {
    const auto read = parse_form(from, write_form(from, bytes).value_or(""));
    RC_ASSERT(read);
    for (const Form to : all_forms()) {
      const auto again = parse_form(to, write_form(to, *read).value_or(""));
      RC_ASSERT(again);
      RC_ASSERT(*again == bytes);
    }
  }
}

RC_GTEST_PROP(Form, KeepsEveryBitOfTheSizesItHas, ()) {
  const std::size_t size =
      *rc::gen::weightedOneOf<std::size_t>({{1, rc::gen::element<std::size_t>(8, 12, 16, 20)},
                                            {1, any_from_to(std::size_t{1}, kFormBytesMax)}});
  const Bytes bytes = any_bytes_of(size);
  for (const Form form : all_forms()) {
    const auto text = write_form(form, bytes);
    if (!text) {
      RC_ASSERT(form == Form::ulid || form == Form::uuid || form == Form::type_id);
      RC_ASSERT(size != 16);
      continue;
    }
    const auto read = parse_form(form, *text);
    if (keeps(form, size)) {
      RC_ASSERT(read);
      RC_ASSERT(*read == bytes);
    } else if (form == Form::integer && size < 16) {
      // The number is the same, in sixteen bytes.
      Bytes wide(16 - size, 0);
      wide.insert(wide.end(), bytes.begin(), bytes.end());
      RC_ASSERT(read);
      RC_ASSERT(*read == wide);
    }
  }
}

RC_GTEST_PROP(Form, TextsOfOneLengthSortAsBytesDo, ()) {
  const auto [a, b] = *neighbours<16>();
  for (const Form form : {Form::ulid, Form::uuid, Form::type_id, Form::hex, Form::base32,
                          Form::base36, Form::base62}) {
    RC_ASSERT((*write_form(form, a) <=> *write_form(form, b)) == (a <=> b));
  }
}

std::string folded(Form form, std::string text) {
  const bool case_matters = form == Form::base62 || form == Form::base58 ||
                            form == Form::base64url || form == Form::bytes || form == Form::type_id;
  if (!case_matters) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  return text;
}

RC_GTEST_PROP(Form, WhatIsReadIsWrittenBackTheSame, ()) {
  const auto forms = all_forms();
  const Form form = forms[*any_from_to(std::size_t{0}, forms.size() - 1)];
  const std::size_t size = *rc::gen::element<std::size_t>(16, 8, 12, 20);
  std::string text = write_form(form, any_bytes_of(size)).value_or("");
  RC_PRE(!text.empty());
  // A change, an insertion or a deletion: whatever is still read must be canonical.
  const std::size_t at = *any_from_to(std::size_t{0}, text.size() - 1);
  switch (*any_from_to(0, 2)) {
    case 0: text[at] = *any_char(); break;
    case 1:
      text.insert(at, 1,
                  *rc::gen::weightedOneOf<char>(
                      {{1, any_char()}, {1, rc::gen::element('0', '1', '-', 'A')}}));
      break;
    default: text.erase(at, 1);
  }
  const auto read = parse_form(form, text);
  if (!read) return;
  const auto again = write_form(form, *read);
  RC_ASSERT(again);
  RC_ASSERT(folded(form, *again) == folded(form, text));
}

TEST(Form, ReadsCheckedTextStrictly) {
  // What people type is for RandomId::parse(); a form has one text for each value.
  const Bytes bytes = bytes_of("010203040506070809000a0b0c0d0e0f");
  const std::string text = *write_form(Form::crockford, bytes);
  EXPECT_TRUE(parse_form(Form::crockford, folded(Form::crockford, text)));
  std::string grouped = text;
  grouped.insert(4, "-");
  EXPECT_FALSE(parse_form(Form::crockford, grouped)) << grouped;
  std::string look_alike = text;
  look_alike[look_alike.find('0')] = 'O';
  EXPECT_FALSE(parse_form(Form::crockford, look_alike)) << look_alike;
  std::string mistyped = text;
  mistyped.back() = mistyped.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(parse_form(Form::crockford, mistyped).error().code, Code::bad_check);
}

TEST(Form, WritesATypeIdWithThePrefixThatItIsGiven) {
  const Bytes bytes(16, 0);
  const std::string digits(26, '0');
  EXPECT_EQ(write_form(Form::type_id, bytes), digits);
  EXPECT_EQ(write_form(Form::type_id, bytes, "user"), "user_" + digits);
  const std::string longest(63, 'a');
  EXPECT_EQ(write_form(Form::type_id, bytes, longest), longest + "_" + digits);
  // No other form has one.
  EXPECT_EQ(write_form(Form::ulid, bytes, "user"), digits);
  EXPECT_EQ(write_form(Form::hex, bytes, "user"), std::string(32, '0'));
}

TEST(Form, HasRoomForTheLongestTextWithoutAHeap) {
  for (const Form form : all_forms()) {
    for (std::size_t size = 0; size <= 65; ++size) {
      const Bytes bytes(size, 0xFF);
      const auto text = form_text(form, bytes);
      const auto written = write_form(form, bytes);
      ASSERT_EQ(text.has_value(), written.has_value()) << name_of(form) << " " << size;
      if (text) {
        EXPECT_EQ(text->view(), *written);
        EXPECT_LE(written->size(), kFormTextSizeMax);
      }
    }
  }
}

TEST(Form, RefusesSizesItHasNoRoomFor) {
  for (const Form form : all_forms()) {
    SCOPED_TRACE(name_of(form));
    EXPECT_EQ(write_form(form, {}), std::nullopt);
    EXPECT_EQ(write_form(form, Bytes(65, 1)), std::nullopt);
    EXPECT_EQ(write_form(form, Bytes(1'000'000, 1)), std::nullopt);
    EXPECT_TRUE(write_form(form, Bytes(16, 1)));
    const bool sixteen = form == Form::ulid || form == Form::uuid || form == Form::type_id;
    for (const std::size_t size : {1u, 8u, 12u, 15u, 17u, 20u, 64u}) {
      EXPECT_EQ(static_cast<bool>(write_form(form, Bytes(size, 1))), !sixteen) << size;
    }
    EXPECT_EQ(parse_form(form, "").error(), (ParseError{Code::invalid_length, 0}));
    EXPECT_EQ(parse_form(form, std::string(257, '1')).error(),
              (ParseError{Code::invalid_length, 257}));
    EXPECT_EQ(parse_form(form, std::string(1 << 20, '1')).error(),
              (ParseError{Code::invalid_length, 1 << 20}));
  }
}

TEST(Form, RefusesBadTextAndSaysWhere) {
  struct BadText {
    Form form;
    std::string text;
    ParseError error;
  };
  const std::string zeros(63, '0');
  const BadText cases[] = {
      {Form::ulid, zeros.substr(0, 25), {Code::invalid_length, 25}},
      {Form::ulid, "8" + zeros.substr(0, 25), {Code::overflow, 0}},
      {Form::ulid, "01ARZ3NDEKTSV4RRFFQ69G5FOV", {Code::invalid_character, 24}},
      {Form::uuid, "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}", {Code::invalid_length, 38}},
      {Form::uuid, "017f22e2079b0-7cc3-98c4-dc0c0c07398f", {Code::invalid_character, 8}},
      {Form::type_id, "User_01h455vb4pex5vsknk084sn02q", {Code::invalid_prefix, 0}},
      {Form::type_id, "user_01H455vb4pex5vsknk084sn02q", {Code::invalid_character, 7}},
      {Form::hex, "abc", {Code::invalid_length, 3}},
      {Form::hex, "abcg", {Code::invalid_character, 3}},
      {Form::hex, "0x12", {Code::invalid_character, 1}},
      {Form::hex, std::string(130, 'a'), {Code::invalid_length, 130}},
      {Form::base32, zeros.substr(0, 25), {Code::invalid_length, 25}},
      {Form::base32, "8" + zeros.substr(0, 25), {Code::overflow, 0}},
      {Form::base32, "G" + zeros.substr(0, 12), {Code::overflow, 0}},
      {Form::base32, zeros.substr(0, 12) + "U", {Code::invalid_character, 12}},
      {Form::base36, zeros.substr(0, 24), {Code::invalid_length, 24}},
      {Form::base36, "f5lxx1zz5pnorynqglhzmsp34", {Code::overflow, 0}},
      {Form::base36, "3w5e11264sgsg", {Code::overflow, 0}},  // 2^64
      {Form::base36, zeros.substr(0, 24) + "_", {Code::invalid_character, 24}},
      {Form::base62, "7n42DGM5Tflk9n8mt7Fhc8", {Code::overflow, 0}},
      {Form::base62, "aWgEPTl1tmebfsQzFP4bxwgy80W", {Code::overflow, 0}},  // 2^160
      {Form::base62, zeros.substr(0, 21) + "-", {Code::invalid_character, 21}},
      {Form::base62, zeros.substr(0, 23), {Code::invalid_length, 23}},
      {Form::base58, "YcVfxkQb6JRzqk5kF2tNLw", {Code::overflow, 0}},
      {Form::base58, "YcVfxkQb6JRzqk5kF2tNL0", {Code::invalid_character, 21}},
      {Form::base58, "I", {Code::invalid_character, 0}},
      {Form::base58, std::string(15, '1'), {Code::invalid_length, 15}},
      {Form::base58, std::string(17, '1'), {Code::invalid_length, 17}},
      {Form::base64url, "A", {Code::invalid_length, 1}},
      {Form::base64url, "AAAAA", {Code::invalid_length, 5}},
      {Form::base64url, "AA==", {Code::invalid_character, 2}},
      {Form::base64url, "AA+A", {Code::invalid_character, 2}},
      {Form::base64url, "AB", {Code::non_canonical, 1}},
      {Form::base64url, std::string(88, 'A'), {Code::invalid_length, 88}},
      {Form::integer, "-1", {Code::invalid_character, 0}},
      {Form::integer, "+1", {Code::invalid_character, 0}},
      {Form::integer, "1 ", {Code::invalid_character, 1}},
      {Form::integer, "00", {Code::non_canonical, 0}},
      {Form::integer, "340282366920938463463374607431768211456", {Code::overflow, 0}},
      {Form::integer, "1" + zeros.substr(0, 39), {Code::invalid_length, 40}},
      {Form::bytes, std::string(65, '1'), {Code::invalid_length, 65}},
      {Form::crockford, "0", {Code::invalid_length, 1}},
  };
  for (const auto& [form, text, error] : cases) {
    SCOPED_TRACE(std::string(name_of(form)) + " " + text);
    const auto read = parse_form(form, text);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), error) << describe(read.error(), text);
  }
}

TEST(Form, RefusesEveryBadBase64ForTheRightReason) {
  std::size_t count = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "base64url128") continue;
    SCOPED_TRACE(row.where() + " " + row["why"]);
    ++count;
    const std::string text = vectors::unescape(row["input"]);
    const auto read = parse_form(Form::base64url, text);
    // The rows are about sixteen bytes; other lengths may be values of other sizes.
    const bool good = read && read->size() == 16;
    ASSERT_EQ(good, row["expected"] == "ok");
    if (!read) {
      EXPECT_TRUE(row["error_class"] == "invalid_length" ||
                  name_of(read.error().code) == row["error_class"]);
    }
  }
  EXPECT_GE(count, 13u);
}

TEST(Form, ReadsTheExtremes) {
  expect_form(Form::integer, Bytes(16, 0), "0");
  expect_form(Form::integer, Bytes(16, 0xFF), "340282366920938463463374607431768211455");
  expect_form(Form::base58, Bytes(16, 0), "1111111111111111");
  expect_form(Form::base58, Bytes(8, 0), "11111111");
  expect_form(Form::base58, Bytes(20, 0), std::string(20, '1'));
  expect_form(Form::base64url, Bytes(1, 0xFF), "_w");
  expect_form(Form::base64url, Bytes(64, 0xFF), std::string(85, '_') + "w");
  expect_form(Form::bytes, Bytes(64, 0), std::string(64, '\0'));
  expect_form(Form::hex, Bytes(1, 0), "00");
  expect_form(Form::base36, Bytes(8, 0xFF), "3w5e11264sgsf");
  expect_form(Form::base32, Bytes(8, 0xFF), "FZZZZZZZZZZZZ");
  expect_form(Form::base32, Bytes(20, 0xFF), std::string(32, 'Z'));
}

}  // namespace
}  // namespace tessera
