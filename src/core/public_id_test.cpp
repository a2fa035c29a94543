// What a PublicId promises: the prefix is part of the type, so that IDs of two types cannot be
// mixed up; each value has one text in its style, and texts sort as values do; bad text is
// refused with the place where it goes wrong, however long it is; and in the style `checked`
// every wrong character and every swap of two neighbours is noticed, in the prefix too.

#include "tessera/public_id.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <concepts>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "support/properties.h"
#include "support/public_id_places.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;
using namespace literals;

using Order = PublicId<"ord">;
using User = PublicId<"usr">;
using TypeIdUser = PublicId<"user", PublicStyle::type_id>;
using Account = PublicId<"acct", PublicStyle::base36>;
using Ticket = PublicId<"tkt", PublicStyle::checked>;

constexpr std::array kStyles = {PublicStyle::ulid, PublicStyle::type_id, PublicStyle::base36,
                                PublicStyle::checked};
constexpr std::string_view kSeparators = "_-.:~";

// A value is its body and no more.
static_assert(sizeof(Order) == 16 && sizeof(TypeIdUser) == 16);
static_assert(std::is_trivially_copyable_v<Order> && std::is_standard_layout_v<Order>);
static_assert(std::same_as<Order::Body, Ulid> && std::same_as<Ticket::Body, Ulid>);
static_assert(std::same_as<TypeIdUser::Body, Uuid> && std::same_as<Account::Body, Uuid>);
static_assert(noexcept(Order::parse("")) && noexcept(Order::parse_friendly("")));

// Nothing turns one type into another, by accident or by a cast; nor do they compare.
template <class A, class B>
concept Comparable = requires(const A& a, const B& b) {
  a == b;
};
template <class A, class B>
concept Ordered = requires(const A& a, const B& b) {
  a < b;
};
template <class A, class B>
constexpr bool kStrangers = !std::is_convertible_v<A, B> && !std::is_constructible_v<B, A> &&
                            !std::is_assignable_v<B&, A> && !Comparable<A, B> && !Ordered<A, B>;

static_assert(Comparable<Order, Order> && Ordered<Order, Order>);
static_assert(kStrangers<Order, User> && kStrangers<User, Order>);
static_assert(kStrangers<Order, PublicId<"ord", PublicStyle::checked>>);
static_assert(kStrangers<Order, PublicId<"ord", PublicStyle::ulid, '-'>>);
static_assert(kStrangers<std::string, Order> && kStrangers<std::string_view, Order>);
static_assert(!std::is_convertible_v<Order, Ulid> && !std::is_convertible_v<Ulid, Order>);

// A literal has the type that its prefix and its body say.
static_assert(std::same_as<decltype("ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"_id), Order>);
static_assert(std::same_as<decltype("user_01h455vb4pex5vsknk084sn02q"_id), TypeIdUser>);
static_assert(std::same_as<decltype("acct_0000000000000000000000001"_id), Account>);
static_assert(std::same_as<decltype("tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV61"_id), Ticket>);
static_assert(std::same_as<decltype("a_b_00000000000000000000000000"_id), PublicId<"a_b">>);
static_assert("ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"_id.body == "01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid);
static_assert("user_01h455vb4pex5vsknk084sn02q"_id.body ==
              "01890a5d-ac96-774b-bcce-b302099a8057"_uuid);
static_assert("tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV61"_id.body == "01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid);
static_assert("acct_0000000000000000000000001"_id.body ==
              "00000000-0000-0000-0000-000000000001"_uuid);
static_assert("ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"_id.text().view() ==
              "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV");
static_assert("ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"_id < "ord_01ARZ3NDEKTSV4RRFFQ69G5FAW"_id);

// Reading works in constant expressions too.
static_assert(Order::parse("ord_01arz3ndektsv4rrffq69g5fav") ==
              "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"_id);
static_assert(Order::parse("usr_01ARZ3NDEKTSV4RRFFQ69G5FAV") ==
              Failure{ParseError{Code::prefix_mismatch, 0}});
static_assert(Order::parse_friendly("ORD_O1ARZ-3NDEK-TSV4R-RFFQ6-9G5FA-V") ==
              "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"_id);

TEST(PublicId, WritesEachStyleAsItsFirstReadersSawIt) {
  const auto bytes = vectors::array_of_hex<16>("01563e3ab5d3d6764c61efb99302bd5b");
  EXPECT_EQ(Order{Ulid{bytes}}.to_string(), "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ((PublicId<"ord", PublicStyle::type_id>{Uuid{bytes}}.to_string()),
            "ord_01arz3ndektsv4rrffq69g5fav");
  EXPECT_EQ((PublicId<"ord", PublicStyle::base36>{Uuid{bytes}}.to_string()),
            "ord_02ukohbn3kw46609nd56rlkd7");
  EXPECT_EQ((PublicId<"ord", PublicStyle::checked>{Ulid{bytes}}.to_string()),
            "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X");
}

TEST(PublicId, NamesItsStyles) {
  const std::string_view names[] = {"ulid", "typeid", "base36", "checked"};
  for (std::size_t i = 0; i < kStyles.size(); ++i) {
    EXPECT_EQ(name_of(kStyles[i]), names[i]);
    EXPECT_EQ(public_style_of(names[i]), kStyles[i]);
  }
  for (const auto name : {"", "ULID", "type_id", "ulid ", "base62"}) {
    EXPECT_FALSE(public_style_of(name)) << name;
  }
}

TEST(PublicId, PrefixIsLettersAndInnerUnderscores) {
  for (const std::string& good : {std::string("a"), std::string("ord"), std::string("pre_fix"),
                                  std::string("a__b"), std::string(63, 'z')}) {
    EXPECT_FALSE(prefix_fault(good)) << good;
  }
  const std::pair<std::string, std::uint32_t> bad[] = {
      {"", 0},
      {"_", 0},
      {"_a", 0},
      {"a_", 1},
      {"a1", 1},
      {"A", 0},
      {"or-d", 2},
      {"or d", 2},
      {"ord\n", 3},
      {std::string("o\0d", 3), 1},
      {"\xC3\xA9", 0},
      {std::string(64, 'z'), 63},
      {std::string(1 << 20, 'z'), 63},
  };
  for (const auto& [prefix, fault] : bad) {
    EXPECT_EQ(prefix_fault(prefix), fault) << printable(prefix);
  }
}

struct BadText {
  const char* name;
  std::string text;
  ParseError error;
};

TEST(PublicId, RefusesBadTextAndSaysWhere) {
  const BadText cases[] = {
      {"empty", "", {Code::invalid_length, 0}},
      {"only a separator", "_", {Code::invalid_prefix, 0}},
      {"only a prefix", "ord_", {Code::invalid_length, 4}},
      {"no prefix", "01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::prefix_mismatch, 0}},
      {"no prefix, but a separator", "_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::invalid_prefix, 0}},
      {"another type", "usr_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::prefix_mismatch, 0}},
      {"prefix goes on", "ords_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::prefix_mismatch, 0}},
      {"prefix ends early", "or_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::prefix_mismatch, 0}},
      {"prefix within a prefix", "my_ord_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::prefix_mismatch, 0}},
      {"prefix before a prefix", "ord_x_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::prefix_mismatch, 0}},
      {"upper-case prefix", "Ord_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::invalid_prefix, 0}},
      {"two separators", "ord__01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::invalid_prefix, 3}},
      {"another separator", "ord-01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::invalid_length, 30}},
      {"one short", "ord_01ARZ3NDEKTSV4RRFFQ69G5FA", {Code::invalid_length, 29}},
      {"one long", "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0", {Code::invalid_length, 31}},
      {"blank behind", "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV ", {Code::invalid_length, 31}},
      {"look-alike", "ord_01ARZ3NDEKTSV4RRFFQ69G5FOV", {Code::invalid_character, 28}},
      {"hyphen", "ord_01ARZ3NDEK-SV4RRFFQ69G5FAV", {Code::invalid_character, 14}},
      {"2^128", "ord_80000000000000000000000000", {Code::overflow, 4}},
      {"bad body of another type", "usr_01ARZ3NDEKTSV4RRFFQ69G5FAU", {Code::invalid_character, 29}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = Order::parse(c.text);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
}

TEST(PublicId, OnlyATypeIdCanDoWithoutAPrefix) {
  for (const PublicStyle style : kStyles) {
    SCOPED_TRACE(name_of(style));
    const auto text = public_id::write("", {}, style);
    const auto parts = public_id::parse(text, style);
    ASSERT_EQ(static_cast<bool>(parts), style == PublicStyle::type_id);
    if (parts) {
      EXPECT_EQ(parts->prefix, "");
    } else {
      EXPECT_EQ(parts.error(), (ParseError{Code::invalid_prefix, 0}));
    }
  }
}

TEST(PublicId, CheckedBodyIsRefusedByPart) {
  const std::string good = "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV61";
  ASSERT_TRUE(Ticket::parse(good));
  const BadText cases[] = {
      {"without its check", "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::invalid_length, 30}},
      {"with half of it", "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV6", {Code::invalid_length, 31}},
      {"first symbol wrong", "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV01", {Code::bad_check, 30}},
      {"last symbol wrong", "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV60", {Code::bad_check, 30}},
      {"first symbol no digit", "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAVU1", {Code::invalid_character, 30}},
      {"last symbol no digit", "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV6U", {Code::invalid_character, 31}},
      {"symbols of one check symbol",
       "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAV6*",
       {Code::invalid_character, 31}},
      {"body no digit", "tkt_01ARZ3NDEKTSV4RRFFQ69G5FAU61", {Code::invalid_character, 29}},
      {"too large", "tkt_81ARZ3NDEKTSV4RRFFQ69G5FAV61", {Code::overflow, 4}},
      {"prefix of another type, its own check",
       "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X",
       {Code::prefix_mismatch, 0}},
      {"prefix changed under the check", "txt_01ARZ3NDEKTSV4RRFFQ69G5FAV61", {Code::bad_check, 30}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = Ticket::parse(c.text);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
}

// The check by long division of polynomials over GF(32), the school's way: an implementation
// of its own, on tables of logarithms.
std::array<unsigned, 2> check_by_long_division(std::string_view prefix, std::string_view body) {
  std::array<unsigned, 62> power{};  // of x, modulo x^5 + x^2 + 1
  std::array<unsigned, 32> log{};
  unsigned value = 1;
  for (unsigned i = 0; i < 62; ++i) {
    power[i] = value;
    if (i < 31) log[value] = i;
    value = value * 2;
    if (value > 31) value ^= 37;
  }
  std::vector<unsigned> digits;
  for (const char c : prefix) {
    digits.push_back(static_cast<unsigned char>(c) / 32);
    digits.push_back(static_cast<unsigned char>(c) % 32);
  }
  for (const char c : body) {
    digits.push_back(
        static_cast<unsigned>(std::string_view("0123456789ABCDEFGHJKMNPQRSTVWXYZ").find(c)));
  }
  digits[1] ^= 1;  // what the check begins with, below the first digit
  digits.insert(digits.end(), {0, 0});
  const unsigned generator[] = {1, 3};  // x^2 = x + 3
  for (std::size_t i = 0; i + 2 < digits.size(); ++i) {
    if (digits[i] == 0) continue;
    for (std::size_t j = 0; j < 2; ++j) {
      digits[i + 1 + j] ^= power[log[digits[i]] + log[generator[j]]];
    }
  }
  const std::size_t end = digits.size();
  return {digits[end - 2] ^ 26, digits[end - 1] ^ 14};
}

std::string any_prefix() {
  const auto size = *any_from_to(std::size_t{1}, kPrefixSizeMax);
  const auto letter = any_from_to('a', 'z');
  const auto inner = rc::gen::weightedOneOf<char>({{6, letter}, {1, rc::gen::just('_')}});
  std::string prefix;
  for (std::size_t i = 0; i < size; ++i) {
    prefix += i == 0 || i + 1 == size ? *letter : *inner;
  }
  return prefix;
}

RC_GTEST_PROP(PublicId, CheckSymbolsAreARemainderOverGf32, ()) {
  const std::string prefix = any_prefix();
  const Ulid id{*any_bytes<16>()};
  const auto symbols = public_id::check_of(prefix, id.bytes);
  const auto expected = check_by_long_division(prefix, id.text());
  RC_ASSERT(symbols[0] == expected[0]);
  RC_ASSERT(symbols[1] == expected[1]);
}

TEST(PublicId, CheckedNoticesEverySubstitutionAndEverySwapOfNeighbours) {
  const std::string prefixes[] = {"a", "ord", "pre_fix", std::string(63, 'q')};
  const char* bodies[] = {"00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff",
                          "01563e3ab5d3d6764c61efb99302bd5b"};
  for (const auto& prefix : prefixes) {
    for (const char* body : bodies) {
      const auto bytes = vectors::array_of_hex<16>(body);
      const std::string good = public_id::write(prefix, bytes, PublicStyle::checked).to_string();
      ASSERT_TRUE(public_id::parse(good, PublicStyle::checked)) << good;

      std::string text = good;
      for (std::size_t at = 0; at < text.size(); ++at) {
        for (int c = 0; c < 256; ++c) {
          text[at] = static_cast<char>(c);
          const bool other_case = at > prefix.size() && (text[at] | 0x20) == (good[at] | 0x20) &&
                                  (text[at] | 0x20) >= 'a' && (text[at] | 0x20) <= 'z';
          if (text[at] == good[at] || other_case) continue;
          ASSERT_FALSE(public_id::parse(text, PublicStyle::checked)) << text;
        }
        text[at] = good[at];
      }
      for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        if (text[at] == text[at + 1]) continue;
        std::swap(text[at], text[at + 1]);
        ASSERT_FALSE(public_id::parse(text, PublicStyle::checked)) << text;
        std::swap(text[at], text[at + 1]);
      }
    }
  }
}

TEST(PublicId, WritesBase36WithAllOfItsDigits) {
  for (const auto& row : vectors::read_table("oracle-base36-uuid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
    const std::string& padded = row["prefixed_padded"];
    const std::string prefix = padded.substr(0, padded.find('_'));
    EXPECT_EQ(public_id::write(prefix, bytes, PublicStyle::base36).view(), padded);
    const auto parts = public_id::parse(padded, PublicStyle::base36);
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->prefix, prefix);
    EXPECT_EQ(parts->body, bytes);
    // Without the leading zeros it would not sort, and would be a second spelling.
    if (row["prefixed_unpadded"] == padded) continue;
    const auto unpadded = public_id::parse(row["prefixed_unpadded"], PublicStyle::base36);
    ASSERT_FALSE(unpadded);
    EXPECT_EQ(unpadded.error().code, Code::invalid_length);
  }
}

TEST(PublicId, HasAnySeparatorThatNoBodyHas) {
  const auto bytes = vectors::array_of_hex<16>("01563e3ab5d3d6764c61efb99302bd5b");
  for (const char separator : kSeparators) {
    for (const PublicStyle style : kStyles) {
      SCOPED_TRACE(std::string(name_of(style)) + " " + separator);
      ASSERT_TRUE(is_separator(separator));
      const auto text = public_id::write("my_ord", bytes, style, separator);
      EXPECT_EQ(text.view().substr(0, 7), std::string("my_ord") + separator);
      const auto parts = public_id::parse(text, style, separator);
      ASSERT_TRUE(parts);
      EXPECT_EQ(parts->prefix, "my_ord");
      EXPECT_EQ(parts->body, bytes);
      for (const char other : kSeparators) {
        EXPECT_EQ(static_cast<bool>(public_id::parse(text, style, other)), other == separator);
      }
    }
  }
  for (const char c : std::string_view("/0aZ*$=% \0", 10)) EXPECT_FALSE(is_separator(c));

  using Dashed = PublicId<"ord", PublicStyle::checked, '-'>;
  EXPECT_EQ((Dashed{Ulid{bytes}}.to_string()), "ord-01ARZ3NDEKTSV4RRFFQ69G5FAV0X");
  EXPECT_TRUE(Dashed::parse("ord-01ARZ3NDEKTSV4RRFFQ69G5FAV0X"));
  EXPECT_FALSE(Dashed::parse("ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X"));
}

TEST(PublicId, FriendlyReadingMendsWhatPeopleType) {
  const Ulid ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid;
  for (const char* typed :
       {"ord_01ARZ3NDEKTSV4RRFFQ69G5FAV", "ORD_01arz3ndektsv4rrffq69g5fav",
        "Ord_OiARZ3NDEKTSV4RRFFQ69G5FAV", "ord_01AR-Z3ND-EKTS-V4RR-FFQ6-9G5F-AV",
        "ord_-01ARZ3NDEKTSV4RRFFQ69G5FAV-"}) {
    EXPECT_EQ(Order::parse_friendly(typed), Order{ulid}) << typed;
  }
  EXPECT_EQ(Ticket::parse_friendly("TKT_o1arz-3ndek-tsv4r-rffq6-9g5fa-v61"), Ticket{ulid});
  EXPECT_EQ(TypeIdUser::parse_friendly("USER_OLH455VB4PEX5VSKNK084SN02Q"),
            "user_01h455vb4pex5vsknk084sn02q"_id);
  // Where the separator is a hyphen, it is the first of them.
  EXPECT_EQ((PublicId<"ord", PublicStyle::ulid, '-'>::parse_friendly(
                "ORD-01AR-Z3ND-EKTS-V4RR-FFQ6-9G5F-AV")),
            (PublicId<"ord", PublicStyle::ulid, '-'>{ulid}));
  // I, L and O are digits of base36, and only its case is mended.
  EXPECT_EQ(Account::parse_friendly("ACCT_000000000000000000000OIL0"),
            Account::parse("acct_000000000000000000000oil0"));
  EXPECT_FALSE(Account::parse_friendly("acct_0000000000000-000000000001"));
}

TEST(PublicId, FriendlyReadingDoesNotGuess) {
  const BadText cases[] = {
      {"empty", "", {Code::invalid_length, 0}},
      {"U is no digit", "ord_01ARZ3NDEKTSV4RRFFQ69G5FAU", {Code::invalid_character, 29}},
      {"offset after mending", "ord_01ARZ-3NDEKTSV4RRFFQ69G5FAU", {Code::invalid_character, 29}},
      {"hyphen in the prefix", "o-rd_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::invalid_prefix, 1}},
      {"zero in the prefix", "0rd_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::invalid_prefix, 0}},
      {"blank", "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV ", {Code::invalid_length, 31}},
      {"another type", "USR_01ARZ3NDEKTSV4RRFFQ69G5FAV", {Code::prefix_mismatch, 0}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = Order::parse_friendly(c.text);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
}

// Answers with the prefix and the text of the body, or with the name of the error.
struct Describe {
  template <class Id>
  std::string operator()(const Id& id) const {
    return std::string(Id::kPrefix) + " " + id.body.to_string();
  }
  std::string operator()(const ParseError& error) const {
    return std::string(name_of(error.code)) + " " + std::to_string(error.offset);
  }
};

TEST(PublicId, TextOfUnknownTypeFindsItsTypeByTheWholePrefix) {
  using Types = IdTypes<PublicId<"acct">, PublicId<"account", PublicStyle::type_id>,
                        PublicId<"acct_key">, Order>;
  const std::string ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const std::string uuid = "01890a5d-ac96-774b-bcce-b302099a8057";
  const std::pair<std::string, std::string> cases[] = {
      {"acct_" + ulid, "acct " + ulid},
      {"ord_" + ulid, "ord " + ulid},
      {"account_01h455vb4pex5vsknk084sn02q", "account " + uuid},
      {"acct_key_" + ulid, "acct_key " + ulid},
      {"accounts_" + ulid, "unknown_prefix 0"},
      {"acc_" + ulid, "unknown_prefix 0"},
      {"acct_other_" + ulid, "unknown_prefix 0"},
      {"key_" + ulid, "unknown_prefix 0"},
      {"ACCT_" + ulid, "unknown_prefix 0"},
      {ulid, "unknown_prefix 0"},
      {"_" + ulid, "unknown_prefix 0"},
      {"", "unknown_prefix 0"},
      {"ord", "unknown_prefix 0"},
      // Of a known type, but bad: the error is that of the type.
      {"account_" + ulid, "invalid_character 10"},
      {"ord_", "invalid_length 4"},
      {"ord_01ARZ3NDEKTSV4RRFFQ69G5FAU", "invalid_character 29"},
  };
  for (const auto& [text, answer] : cases) {
    EXPECT_EQ(Types::visit(text, Describe{}), answer) << text;
  }
}

TEST(PublicId, TypesOfOneListMayDifferInTheirSeparator) {
  using Types = IdTypes<PublicId<"ord">, PublicId<"ord_item", PublicStyle::ulid, '-'>>;
  const std::string ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  EXPECT_EQ(Types::visit("ord_" + ulid, Describe{}), "ord " + ulid);
  EXPECT_EQ(Types::visit("ord_item-" + ulid, Describe{}), "ord_item " + ulid);
  EXPECT_EQ(Types::visit("ord-" + ulid, Describe{}), "unknown_prefix 0");
  EXPECT_EQ(Types::visit("ord_item_" + ulid, Describe{}), "unknown_prefix 0");
}

TEST(PublicId, CostsNoMoreWhenTheTextIsAMegabyte) {
  const std::string body = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const std::string texts[] = {
      std::string(1 << 20, 'a') + "_" + body,  // the prefix is too long
      std::string(1 << 20, '0'),               // there is none
      "ord_" + std::string(1 << 20, '0'),      // the body is too long
      std::string(1 << 20, '_'),
  };
  EXPECT_EQ(Order::parse(texts[0]).error(), (ParseError{Code::invalid_prefix, 63}));
  EXPECT_EQ(Order::parse(texts[1]).error(), (ParseError{Code::invalid_length, 1 << 20}));
  EXPECT_EQ(Order::parse(texts[2]).error(), (ParseError{Code::invalid_length, 4 + (1 << 20)}));
  EXPECT_EQ(Order::parse(texts[3]).error(), (ParseError{Code::invalid_prefix, 0}));

  // Sixteen thousand megabytes would take many seconds to read once.
  const auto start = std::chrono::steady_clock::now();
  std::size_t good = 0;
  for (int i = 0; i < 1000; ++i) {
    for (const auto& text : texts) {
      for (const PublicStyle style : kStyles) good += public_id::parse(text, style) ? 1u : 0u;
      good += Order::parse_friendly(text) ? 1u : 0u;
    }
  }
  EXPECT_EQ(good, 0u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(PublicId, GeneratesInOrderWithTheBodyOfItsStyle) {
  const auto check = []<class Id>(std::type_identity<Id>) {
    auto last = Id::generate();
    ASSERT_TRUE(last);
    for (int i = 0; i < 1000; ++i) {
      const auto next = Id::generate();
      ASSERT_TRUE(next);
      ASSERT_LT(*last, *next);
      ASSERT_LT(last->to_string(), next->to_string());
      if constexpr (std::same_as<typename Id::Body, Uuid>) {
        ASSERT_EQ(next->body.version(), 7u);
      }
      last = next;
    }
    EXPECT_EQ(Id::parse(last->to_string()), last.value_or(Id{}));
  };
  check(std::type_identity<Order>{});
  check(std::type_identity<TypeIdUser>{});
  check(std::type_identity<Account>{});
  check(std::type_identity<Ticket>{});
}

TEST(PublicId, PrintsItsTextAndHashesItsBody) {
  std::ostringstream out;
  out << "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"_id;
  EXPECT_EQ(out.str(), "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV");
  std::unordered_set<Order> ids;
  for (std::uint64_t i = 0; i < 1000; ++i) ids.insert(Order{Ulid::smallest(i)});
  EXPECT_EQ(ids.size(), 1000u);
  EXPECT_TRUE(ids.contains(Order{Ulid::smallest(999)}));
}

PublicStyle any_style() { return *rc::gen::elementOf(kStyles); }

RC_GTEST_PROP(PublicId, TextRoundTripsInEveryStyleWithEverySeparator, ()) {
  const std::string prefix = any_prefix();
  const auto body = *any_bytes<16>();
  const PublicStyle style = any_style();
  const char separator = *rc::gen::elementOf(std::string(kSeparators));
  std::string text = public_id::write(prefix, body, style, separator).to_string();
  RC_ASSERT(text.size() == prefix.size() + 1 + public_id::body_size(style));
  const auto parts = public_id::parse(text, style, separator);
  RC_ASSERT(parts);
  RC_ASSERT(parts->prefix == prefix);
  RC_ASSERT(parts->body == body);

  // The case of the body's letters is free, but not in a TypeID.
  bool changed = false;
  for (std::size_t i = prefix.size() + 1; i < text.size(); ++i) {
    const char low = static_cast<char>(text[i] | 0x20);
    if (low >= 'a' && low <= 'z' && *rc::gen::arbitrary<bool>()) {
      text[i] = static_cast<char>(text[i] ^ 0x20);
      changed = true;
    }
  }
  const auto other = public_id::parse(text, style, separator);
  RC_ASSERT(static_cast<bool>(other) == !(changed && style == PublicStyle::type_id));
  if (other) RC_ASSERT(other->body == body);
}

template <class Id>
void check_order_of_texts() {
  const auto [a_bytes, b_bytes] = *neighbours<16>();
  const Id a{typename Id::Body{a_bytes}};
  const Id b{typename Id::Body{b_bytes}};
  RC_ASSERT((a <=> b) == (a_bytes <=> b_bytes));
  RC_ASSERT((a <=> b) == (a.to_string() <=> b.to_string()));
  RC_ASSERT((a == b) == (a_bytes == b_bytes));
}

RC_GTEST_PROP(PublicId, ValuesAndTextsSortAlikeInStyleUlid, ()) { check_order_of_texts<Order>(); }
RC_GTEST_PROP(PublicId, ValuesAndTextsSortAlikeInStyleTypeId, ()) {
  check_order_of_texts<TypeIdUser>();
}
RC_GTEST_PROP(PublicId, ValuesAndTextsSortAlikeInStyleBase36, ()) {
  check_order_of_texts<Account>();
}
RC_GTEST_PROP(PublicId, ValuesAndTextsSortAlikeInStyleChecked, ()) {
  check_order_of_texts<Ticket>();
}

RC_GTEST_PROP(PublicId, HasOneTextPerValueButForCase, ()) {
  const PublicStyle style = any_style();
  const auto body = *any_bytes<16>();
  const std::string text = public_id::write("ord", body, style).to_string();
  const std::size_t at = *any_from_to(std::size_t{0}, text.size() - 1);
  std::string changed = text;
  for (int c = 0; c < 256; ++c) {
    changed[at] = static_cast<char>(c);
    const auto parts = public_id::parse(changed, style);
    if (!parts || parts->prefix != "ord" || parts->body != body) continue;
    RC_ASSERT((changed[at] | 0x20) == (text[at] | 0x20));
    RC_ASSERT(changed[at] == text[at] || (at > 3 && style != PublicStyle::type_id));
  }
}

RC_GTEST_PROP(PublicId, FriendlyReadingFindsTheValueBehindWhatPeopleType, ()) {
  const Ticket id{*rc::gen::arbitrary<Ulid>()};
  std::string typed;
  for (const char c : id.to_string()) {
    const bool in_body = typed.size() > 3;
    if (in_body && *any_from_to(0, 9) == 0) typed += '-';
    if (in_body && c == '1') {
      typed += *rc::gen::element('1', 'I', 'i', 'L', 'l');
    } else if (in_body && c == '0') {
      typed += *rc::gen::element('0', 'O', 'o');
    } else {
      const char low = static_cast<char>(c | 0x20);
      const bool letter = low >= 'a' && low <= 'z';
      typed += letter && *rc::gen::arbitrary<bool>() ? static_cast<char>(c ^ 0x20) : c;
    }
  }
  RC_ASSERT(Ticket::parse_friendly(typed) == id);
}

RC_GTEST_PROP(PublicId, ErrorsPointAtWhatIsWrong, ()) {
  const PublicStyle style = any_style();
  std::string text = public_id::write(any_prefix(), *any_bytes<16>(), style).to_string();
  const std::size_t at = *any_from_to(std::size_t{0}, text.size() - 1);
  text[at] = *any_char();
  if (*any_from_to(0, 4) == 0) text.erase(*any_from_to(std::size_t{0}, text.size() - 1), 1);
  const auto parts = public_id::parse(text, style);
  if (!parts) expect_right_place(text, parts.error(), style, '_');
}

}  // namespace
}  // namespace tessera
