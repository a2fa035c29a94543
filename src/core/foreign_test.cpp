// What is promised about formats of others: their published examples are read, and what their
// specifications refuse is refused.

#include "core/foreign.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/vectors.h"
#include "tessera/codec.h"

namespace tessera::foreign {
namespace {

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream file(TESSERA_VECTORS_DIR "/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  if (lines.empty()) ADD_FAILURE() << name << " is missing or empty";
  return lines;
}

TEST(Xid, HasItsTime) {
  // github.com/rs/xid, id_test.go
  const auto id = parse_xid("9m4e2mr0ui3e8a215n4g");
  ASSERT_TRUE(id);
  EXPECT_EQ(vectors::hex_of(id->bytes), "4d88e15b60f486e428412dc9");
  EXPECT_EQ(id->time_ms(), 1'300'816'219'000);
  EXPECT_FALSE(parse_xid("9m4e2mr0ui3e8a215n4h")) << "spare bits are set";
  EXPECT_FALSE(parse_xid("9M4E2MR0UI3E8A215N4G"));
  EXPECT_FALSE(parse_xid("9m4e2mr0ui3e8a215n4"));
  EXPECT_FALSE(parse_xid("9m4e2mr0ui3e8a215nwg"));
}

TEST(Scru64, IsANumberOfBase36) {
  // github.com/scru64/spec
  EXPECT_EQ(parse_scru64("0u2pf62ji4b9"), 109'959'589'539'758'421u);
  EXPECT_EQ(parse_scru64("0U2PF62JI4B9"), 109'959'589'539'758'421u);
  EXPECT_TRUE(parse_scru64("zzzzzzzzzzzz"));
  EXPECT_FALSE(parse_scru64("0u2pf62ji4b"));
  EXPECT_FALSE(parse_scru64("0u2pf62ji4b_"));
}

TEST(Tsid, AgreesWithItsVectors) {
  for (const auto& row : vectors::read_table("tsid/tsid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto value = parse_tsid(row.at(0));
    if (row.at(1).starts_with("INVALID")) {
      EXPECT_FALSE(value);
      continue;
    }
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, detail::load_be<8>(vectors::bytes_of_hex(row.at(1)).data()));
  }
}

TEST(Tid, AgreesWithTheSyntaxFiles) {
  for (const auto& line : lines_of("tid/atproto-tid_syntax_valid.txt")) {
    EXPECT_TRUE(parse_tid(line)) << line;
  }
  for (const auto& line : lines_of("tid/atproto-tid_syntax_invalid.txt")) {
    EXPECT_FALSE(parse_tid(line)) << line;
  }
}

TEST(PushId, CountsMilliseconds) {
  const auto id = parse_push_id("-OFrJ24CPTXLcIPPjvh3");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->time_ms(), 1'736'094'789'965);
  EXPECT_FALSE(parse_push_id("-OFrJ24CPTXLcIPPjvh"));
  EXPECT_FALSE(parse_push_id("-OFrJ24CPTXLcIPPjvh+"));
}

TEST(Cuid, OneHasATimeAndTwoHasNone) {
  EXPECT_EQ(parse_cuid1("cjld2cyuq0000t3rmniod1foy"), 1'535'421'571'442);
  EXPECT_FALSE(parse_cuid1("Cjld2cyuq0000t3rmniod1foy"));
  EXPECT_FALSE(parse_cuid1("djld2cyuq0000t3rmniod1foy"));
  EXPECT_TRUE(is_cuid2("tz4a98xxat96iws9zmbrgj3a"));  // github.com/paralleldrive/cuid2
  EXPECT_FALSE(is_cuid2("1z4a98xxat96iws9zmbrgj3a"));
  EXPECT_FALSE(is_cuid2("tz4a98xxat96iws9zmbrgj3A"));
}

TEST(Sqids, AgreesWithTheReferenceProgram) {
  for (const auto& row : vectors::read_table("oracle-sqids.tsv")) {
    SCOPED_TRACE(row.where());
    std::vector<std::uint64_t> numbers;
    for (const auto& number : vectors::split(row.at(0), ',')) {
      numbers.push_back(vectors::number(number));
    }
    EXPECT_EQ(parse_sqids(row.at(1)), numbers);
  }
  // Filled up to ten characters; and the same with one of them changed.
  EXPECT_EQ(parse_sqids("86Rf07xd4z"), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_FALSE(parse_sqids("86Rf07xd4y"));
  EXPECT_FALSE(parse_sqids(""));
  EXPECT_FALSE(parse_sqids("86Rf0_"));
  EXPECT_FALSE(parse_sqids(std::string(1000, 'a')));
}

TEST(OrderlyId, ChecksItsCheck) {
  const auto bare = parse_orderly_id("order_00jc1gmm00000000000028t5cy4tqkff");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->prefix, "order");
  EXPECT_EQ(bare->time_ms(), 1'735'689'600'000);
  EXPECT_TRUE(bare->check_fits());
  EXPECT_EQ(bare->wire_version(), 0u);

  const auto checked = parse_orderly_id("shipment_00jc1gmqww0000801zzzzzzzzzzzzzzz-a0f4");
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->time_ms(), 1'735'689'600'999);
  EXPECT_TRUE(checked->check_fits());
  EXPECT_TRUE(parse_orderly_id("shipment_00JC1GMQWW0000801ZZZZZZZZZZZZZZZ-A0F4")->check_fits());

  EXPECT_FALSE(parse_orderly_id("order_00jc1gmm00000000000028t5cy4tqkff-xxxx")->check_fits());
  EXPECT_FALSE(parse_orderly_id("Order_00jc1gmm00000000000028t5cy4tqkff"));
  EXPECT_FALSE(parse_orderly_id("o_00jc1gmm00000000000028t5cy4tqkff"));
  EXPECT_FALSE(parse_orderly_id("order_00jc1gmm00000000000028t5cy4tqkf"));
  EXPECT_FALSE(parse_orderly_id("order_00jc1gmm00000000000028t5cy4tqkfu"));
}

TEST(Stripe, KnowsItsPrefixes) {
  EXPECT_EQ(stripe_prefix("cus_lO1DEQWBbQAACfHO"), "cus");
  EXPECT_EQ(stripe_prefix("sk_test_4eC39HqLyjWDarjtT1zdp7dc"), "sk_test");
  EXPECT_FALSE(stripe_prefix("ord_lO1DEQWBbQAACfHO"));
  EXPECT_FALSE(stripe_prefix("cus_short"));
  EXPECT_FALSE(stripe_prefix("cus_lO1DEQWBbQAACfH-"));
  EXPECT_FALSE(stripe_prefix("cuslO1DEQWBbQAACfHO"));
}

TEST(ForeignSpellings, AgreeWithTheirLibraries) {
  const auto expect = [](const std::optional<Bytes16>& bytes, const Bytes16& wanted) {
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, wanted);
  };
  for (const auto& row : vectors::read_table("oracle-encodings-128.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
    expect(parse_flickr58(row["short_uuid_flickr58"]), bytes);
    expect(parse_base57(row["base57_22_shortuuid"]), bytes);
    expect(parse_base64(row["base64url"]), bytes);
    expect(parse_base64(row["base64url"] + "=="), bytes);
    expect(parse_base32_right(row["base32_rfc4648_lower"], Base32::rfc4648), bytes);
    expect(parse_base32_right(row["base32hex_lower"], Base32::hex), bytes);
    expect(parse_base32_right(row["crockford_right_padded"], Base32::crockford), bytes);
    // Bitcoin's has no padding of its own; values with a zero byte in front are shorter.
    if (row["base58btc_bytes"].size() >= 21) expect(parse_bitcoin58(row["base58btc_bytes"]), bytes);
  }
  EXPECT_FALSE(parse_base57("zzzzzzzzzzzzzzzzzzzzzz")) << "more than 128 bits";
  EXPECT_FALSE(parse_base64("AAAAAAAAAAAAAAAAAAAAAB")) << "spare bits are set";
}

}  // namespace
}  // namespace tessera::foreign
