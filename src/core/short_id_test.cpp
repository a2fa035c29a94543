// What a ShortId promises: the text of a random ID of its size, one for each value, read as
// people type it; and no size but 16 to 63 bits.

#include "tessera/short_id.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "support/properties.h"
#include "tessera/random_id.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

static_assert(std::is_trivially_copyable_v<ShortId>);
static_assert(!std::is_default_constructible_v<ShortId>, "there is no ID without bits");
static_assert(HasText<ShortId>);
static_assert(sizeof(ShortId) == 16);
constexpr auto kAtCompileTime = ShortId::parse("kcvg-$", 16);
static_assert(kAtCompileTime->number() == 39'735);
static_assert(kAtCompileTime->text().view() == "KCVG$");

rc::Gen<ShortId> any_short_id() {
  return rc::gen::apply(
      [](unsigned bits, std::uint64_t number) {
        return *ShortId::from_number(number & ((std::uint64_t{1} << bits) - 1), bits);
      },
      any_from_to(ShortId::kBitsMin, ShortId::kBitsMax), any_u64());
}

TEST(ShortId, HasSixteenToSixtyThreeBits) {
  for (const unsigned bits : {0u, 1u, 15u, 64u, 65u, 4'000'000'000u}) {
    SCOPED_TRACE(bits);
    EXPECT_FALSE(ShortId::has_size(bits));
    EXPECT_EQ(ShortId::from_number(0, bits), refusal(Code::invalid_length, 0));
    EXPECT_EQ(ShortId::parse("0000", bits), refusal(Code::invalid_length, 4));
    EXPECT_EQ(ShortId::parse_strict("0000", bits), refusal(Code::invalid_length, 4));
  }
  for (unsigned bits = 16; bits <= 63; ++bits) {
    SCOPED_TRACE(bits);
    const std::uint64_t end = std::uint64_t{1} << bits;
    EXPECT_TRUE(ShortId::from_number(end - 1, bits));
    EXPECT_EQ(ShortId::from_number(end, bits), refusal(Code::overflow, 0));
    EXPECT_EQ(ShortId::from_number(0, bits)->text().size, ShortId::text_size(bits));
    EXPECT_LE(ShortId::from_number(0, bits)->text(1).size, ShortId::kTextSizeMax);
  }
}

TEST(ShortId, SaysWhereTextIsWrong) {
  EXPECT_EQ(ShortId::parse("", 16), refusal(Code::invalid_length, 0));
  EXPECT_EQ(ShortId::parse("KCVG", 16), refusal(Code::invalid_length, 4));
  EXPECT_EQ(ShortId::parse("KCVG00", 16), refusal(Code::invalid_length, 6));
  EXPECT_EQ(ShortId::parse("KCUG$", 16), refusal(Code::invalid_character, 2));
  EXPECT_EQ(ShortId::parse("KCV1$", 16), refusal(Code::non_canonical, 3));
  EXPECT_EQ(ShortId::parse("KC-VG=", 16), refusal(Code::bad_check, 5));
  EXPECT_EQ(ShortId::parse_strict("KC-VG$", 16), refusal(Code::invalid_character, 2));
  EXPECT_EQ(ShortId::parse_strict("kcvg$", 16)->number(), 39'735u);
}

TEST(ShortId, IsWrittenInGroupsForReadingAloud) {
  const auto id = *ShortId::from_number(684'212'110'301, 40);
  EXPECT_EQ(id.to_string(4), id.to_string().insert(8, "-").insert(4, "-"));
  EXPECT_EQ(ShortId::parse(id.to_string(1), 40), id);
}

RC_GTEST_PROP(ShortId, HasTheTextOfARandomIdOfItsSize, ()) {
  const ShortId id = *any_short_id();
  RC_ASSERT(id.to_string() == RandomId::from_number(id.number(), id.bits())->to_string());
  RC_ASSERT(ShortId::parse(id.to_string(), id.bits()) == id);
  RC_ASSERT(ShortId::parse_strict(id.to_string(), id.bits()) == id);
}

RC_GTEST_PROP(ShortId, SortsAsItsTextDoes, ()) {
  const ShortId a = *any_short_id();
  const ShortId b =
      *ShortId::from_number(*any_u64() & ((std::uint64_t{1} << a.bits()) - 1), a.bits());
  // Without the check symbol, which sorts in its own way.
  const auto body = [](const ShortId& id) {
    std::string text = id.to_string();
    text.pop_back();
    return text;
  };
  RC_ASSERT((a <=> b) == (body(a) <=> body(b)));
  RC_ASSERT((a == b) == (std::hash<ShortId>{}(a) == std::hash<ShortId>{}(b)));
}

TEST(ShortId, SmallerSizesComeFirst) {
  EXPECT_LT(*ShortId::from_number(65'535, 16), *ShortId::from_number(0, 17));
  EXPECT_NE(*ShortId::from_number(7, 16), *ShortId::from_number(7, 17));
  const std::unordered_set<ShortId> ids = {*ShortId::from_number(7, 16),
                                           *ShortId::from_number(7, 17)};
  EXPECT_EQ(ids.size(), 2u);
}

}  // namespace
}  // namespace tessera
