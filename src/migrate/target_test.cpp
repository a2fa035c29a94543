// Names come from people: none can end its quotes, and what is no name is refused.

#include "tessera/migrate/target.h"

#include <gtest/gtest.h>

#include "migrate/identifier.h"

namespace tessera::migrate {
namespace {

using db::Engine;

Target good() {
  Target target;
  target.table = "shop.store";
  target.tenant_column = "tenant_id";
  target.created_at = "made";
  target.type = {"store", "sto", PublicStyle::ulid, '_'};
  return target;
}

TEST(Names, AreQuotedSoThatNothingEndsThem) {
  EXPECT_EQ(quoted_name(Engine::postgres, R"(a"; DROP TABLE x; --)"), R"("a""; DROP TABLE x; --")");
  EXPECT_EQ(quoted_name(Engine::mariadb, "a`b\"c"), "`a``b\"c`");
  EXPECT_EQ(quoted_table(Engine::postgres, "a b.C"), R"("a b"."C")");
  EXPECT_EQ(quoted_text("it's"), "'it''s'");
}

TEST(Names, HaveBounds) {
  EXPECT_TRUE(is_identifier("a"));
  EXPECT_TRUE(is_identifier("\xC3\xA4 \" ' ` ; ? $tag$"));
  EXPECT_TRUE(is_identifier(std::string(63, 'x')));
  EXPECT_FALSE(is_identifier(std::string(64, 'x')));
  EXPECT_FALSE(is_identifier(""));
  EXPECT_FALSE(is_identifier("a\nb"));
  EXPECT_FALSE(is_identifier(std::string_view("a\0b", 3)));
  EXPECT_FALSE(is_identifier("a\x7F"));
}

TEST(Names, OfOursDifferFromColumnToColumnAndStay) {
  EXPECT_EQ(derived_name("x_", "t", "c"), derived_name("x_", "t", "c"));
  EXPECT_NE(derived_name("x_", "t", "c"), derived_name("x_", "tc", ""));
  EXPECT_EQ(derived_name("x_", "t", "c").size(), 18U);
}

TEST(Target, IsKeptAndComesBack) {
  const Target target = good();
  const auto again = target_of(target.table, target.column, text_of(target));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(text_of(*again), text_of(target));
  EXPECT_EQ(again->key, "id");
  EXPECT_EQ(again->type.prefix, "sto");
}

TEST(Target, OfADamagedRecordIsRefused) {
  const std::string text = text_of(good());
  for (const std::string& damaged :
       {std::string("key"), std::string("key=id"), text + "more=1\n", text + "\n",
        std::string("style=none\n"), std::string("form=\n"), std::string(),
        std::string("separator=__\n")}) {
    const auto target = target_of("t", "c", damaged);
    ASSERT_FALSE(target) << damaged;
    EXPECT_EQ(target.error().code, Error::Code::store_schema);
  }
}

TEST(Target, IsRefusedIfItCannotBe) {
  EXPECT_TRUE(check_target(good()));
  const auto refused = [](auto change) {
    Target target = good();
    change(target);
    const auto checked = check_target(target);
    return !checked && checked.error().code == Error::Code::invalid_request;
  };
  EXPECT_TRUE(refused([](Target& t) { t.table = ""; }));
  EXPECT_TRUE(refused([](Target& t) { t.table = ".store"; }));
  EXPECT_TRUE(refused([](Target& t) { t.table = "shop."; }));
  EXPECT_TRUE(refused([](Target& t) { t.column = std::string(64, 'x'); }));
  EXPECT_TRUE(refused([](Target& t) { t.column = "a\nb"; }));
  EXPECT_TRUE(refused([](Target& t) { t.column = t.key; }));
  EXPECT_TRUE(refused([](Target& t) { t.key = ""; }));
  EXPECT_TRUE(refused([](Target& t) { t.type.prefix = "Sto"; }));
  EXPECT_TRUE(refused([](Target& t) { t.type.separator = '\''; }));
  EXPECT_TRUE(refused([](Target& t) { t.type.style = PublicStyle::checked; }));
  EXPECT_FALSE(refused([](Target& t) {
    t.type.style = PublicStyle::checked;
    t.form = Form::bytes;
  }));
}

}  // namespace
}  // namespace tessera::migrate
