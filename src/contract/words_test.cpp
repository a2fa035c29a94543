// Names are taken apart as people write them, and only words that are "id" count.

#include "contract/words.h"

#include <gtest/gtest.h>

#include "tessera/contract/declared.h"

namespace tessera::contract {
namespace {

TEST(IdName, KnowsAnIdInEverySpelling) {
  struct Case {
    std::string_view name;
    std::string_view whose;
  };
  for (const Case& c : {Case{"id", ""},
                        Case{"ID", ""},
                        Case{"Id", ""},
                        Case{"_id", ""},
                        Case{"public_id", ""},
                        Case{"publicId", ""},
                        Case{"ulid", ""},
                        Case{"store_id", "store"},
                        Case{"storeId", "store"},
                        Case{"storeID", "store"},
                        Case{"StoreId", "Store"},
                        Case{"store-id", "store"},
                        Case{"STORE_ID", "STORE"},
                        Case{"store_ids", "store"},
                        Case{"storeIds", "store"},
                        Case{"storeIDs", "store"},
                        Case{"store_public_id", "store"},
                        Case{"storePublicId", "store"},
                        Case{"order_item_id", "order_item"},
                        Case{"orderItemId", "orderItem"},
                        Case{"request_ulid", "request"}}) {
    SCOPED_TRACE(c.name);
    const IdName said = id_name(c.name);
    EXPECT_TRUE(said.is_id);
    EXPECT_EQ(said.whose, c.whose);
    EXPECT_EQ(said.is_own, c.whose.empty());
  }
}

TEST(IdName, IsNotDeceivedByWordsThatEndAlike) {
  for (const std::string_view name :
       {"", "paid", "grid", "valid", "android", "void", "bids", "kids", "identity", "id_card",
        "idle", "PAID", "i_d", "-", "_"}) {
    EXPECT_FALSE(id_name(name).is_id) << name;
  }
}

TEST(Words, AreTheSameWhateverTheSpelling) {
  EXPECT_TRUE(same_word("order_item", "orderItem"));
  EXPECT_TRUE(same_word("ORDER-ITEM", "orderitem"));
  EXPECT_FALSE(same_word("order", "orders"));
  EXPECT_FALSE(same_word("", "a"));
  EXPECT_TRUE(same_word("", "_"));
}

TEST(Glob, StarIsAnythingAndQuestionMarkIsOne) {
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("bc_*", "bc_order"));
  EXPECT_TRUE(matches_glob("*.public_id", "a.b.public_id"));
  EXPECT_TRUE(matches_glob("a*b*c", "aXbYbZc"));
  EXPECT_TRUE(matches_glob("a?c", "abc"));
  EXPECT_FALSE(matches_glob("a?c", "ac"));
  EXPECT_FALSE(matches_glob("bc_*", "xbc_"));
  EXPECT_FALSE(matches_glob("", "a"));
  // Not for ever, however many stars there are.
  EXPECT_FALSE(matches_glob("*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
}

TEST(Declared, FindsATypeByEveryNameItHas) {
  const Declared declared(
      {{{"category", "cat"}, "categories", ""}, {{"order_item", "itm"}, "", ""}});
  EXPECT_EQ(declared.find("category"), &declared.types()[0]);
  EXPECT_EQ(declared.find("categories"), &declared.types()[0]);
  EXPECT_EQ(declared.find("orderItems"), &declared.types()[1]);
  EXPECT_EQ(declared.find("cat"), nullptr);
  EXPECT_EQ(declared.find_by_prefix("itm"), &declared.types()[1]);
  EXPECT_EQ(declared.find(""), nullptr);
}

}  // namespace
}  // namespace tessera::contract
