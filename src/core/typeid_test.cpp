// What a public ID of style `typeid` promises to everybody else: it is read and written as the
// specification of TypeID says, and as its other implementations do.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "support/public_id_places.h"
#include "support/vectors.h"
#include "tessera/public_id.h"

namespace tessera {
namespace {

using Code = ParseError::Code;
using TypeIdUser = PublicId<"user", PublicStyle::type_id>;

TEST(TypeId, AgreesWithTheSpecification) {
  for (const char* table : {"typeid/valid.tsv", "typeid/valid-typeid-js.tsv"}) {
    for (const auto& row : vectors::read_table(table)) {
      SCOPED_TRACE(row.where());
      const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
      EXPECT_EQ(public_id::write(row["prefix"], bytes, PublicStyle::type_id).view(), row["typeid"]);
      const auto parts = public_id::parse(row["typeid"], PublicStyle::type_id);
      ASSERT_TRUE(parts);
      EXPECT_EQ(parts->prefix, row["prefix"]);
      EXPECT_EQ(parts->body, bytes);
    }
  }
  for (const auto& row : vectors::read_table("typeid/invalid.tsv")) {
    SCOPED_TRACE(row.where() + " " + row["name"]);
    const auto parts = public_id::parse(row["typeid"], PublicStyle::type_id);
    ASSERT_FALSE(parts) << row["description"];
    expect_right_place(row["typeid"], parts.error(), PublicStyle::type_id, '_');
    const bool prefix = row["name"].starts_with("prefix") && row["name"] != "prefix-empty";
    EXPECT_EQ(parts.error().code == Code::invalid_prefix,
              prefix || row["name"].starts_with("separator"));
  }
}

TEST(TypeId, AgreesWithThoseOfOthers) {
  for (const auto& row : vectors::read_table("oracle-typeid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::array_of_hex<16>(row["uuid"]);
    EXPECT_EQ(public_id::write(row["prefix"], bytes, PublicStyle::type_id).view(), row["typeid"]);
    const auto parts = public_id::parse(row["typeid"], PublicStyle::type_id);
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->prefix, row["prefix"]);
    EXPECT_EQ(parts->body, bytes);
  }
  for (const auto& row : vectors::read_table("oracle-typeid-parse.tsv")) {
    SCOPED_TRACE(row.where() + " " + row["case"]);
    const auto parts = public_id::parse(row["text"], PublicStyle::type_id);
    EXPECT_EQ(static_cast<bool>(parts), row["typeid_js_fromString"] == "accepted");
    if (!parts) expect_right_place(row["text"], parts.error(), PublicStyle::type_id, '_');
  }
}

TEST(TypeId, RefusesEveryBadOneForTheRightReason) {
  std::size_t count = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "typeid") continue;
    SCOPED_TRACE(row.where() + " " + row["why"]);
    ++count;
    const std::string text = vectors::unescape(row["input"]);
    const auto parts = public_id::parse(text, PublicStyle::type_id);
    ASSERT_EQ(static_cast<bool>(parts), row["expected"] == "ok");
    if (parts) {
      EXPECT_EQ(public_id::write(parts->prefix, parts->body, PublicStyle::type_id).view(), text);
    } else {
      EXPECT_EQ(name_of(parts.error().code), row["error_class"]);
      expect_right_place(text, parts.error(), PublicStyle::type_id, '_');
    }
  }
  EXPECT_GE(count, 30u);
}

TEST(TypeId, RefusesGoodOnesOfAnotherType) {
  std::size_t count = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "typeid-expect-user") continue;
    SCOPED_TRACE(row.where() + " " + row["why"]);
    ++count;
    const std::string text = vectors::unescape(row["input"]);
    const auto id = TypeIdUser::parse(text);
    ASSERT_EQ(static_cast<bool>(id), row["expected"] == "ok");
    if (id) {
      EXPECT_EQ(id->to_string(), text);
    } else {
      EXPECT_EQ(name_of(id.error().code), row["error_class"]);
      EXPECT_EQ(id.error().offset, 0u);
    }
  }
  EXPECT_GE(count, 4u);
}

}  // namespace
}  // namespace tessera
