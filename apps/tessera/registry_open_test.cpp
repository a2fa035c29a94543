// What the registry of a configuration promises: types as they are declared, and as many keys as
// are needed, each from the scope of its type.

#include "registry_open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tessera::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Config config_of(std::string_view yaml) {
  auto config = parse_config(yaml);
  EXPECT_TRUE(config) << config.error()[0].message;
  return config ? *std::move(config) : Config{};
}

TEST(RegistryTypesOfAConfiguration, AreThoseWithAScopeAsDeclared) {
  const auto types = registry_types(config_of(R"(
types:
  user: {prefix: usr}
  store: {prefix: st, scope: S, alias: true}
  person:
    {prefix: per, scope: S, parent: store, storage: bytes, tombstone: exact, collection: people,
     key-days: 7, capacity: 5000, false-positives: 0.002, style: checked, separator: "-"}
  note: {prefix: nt, scope: S, undelete-days: 30}
  voucher: {prefix: vch, scope: V, storage: integer}
scopes: {S: {}, V: {bits: 40}}
)"));
  ASSERT_TRUE(types) << types.error().message;
  EXPECT_EQ(types->all().size(), 4U);
  EXPECT_EQ(types->find("user"), nullptr);
  const RegisteredType& store = *types->find("store");
  EXPECT_EQ(store.declared.collection, "stores");
  EXPECT_EQ(store.declared.scope, "S");
  EXPECT_TRUE(store.declared.alias);
  EXPECT_EQ(store.declared.key_time, std::chrono::hours(24));
  const RegisteredType& person = *types->find("person");
  EXPECT_EQ(person.parent, &store);
  EXPECT_EQ(person.declared.collection, "people");
  EXPECT_EQ(person.declared.storage, RegistryType::Storage::bytes);
  EXPECT_TRUE(person.is_exact());
  EXPECT_EQ(person.declared.key_time, std::chrono::days(7));
  EXPECT_EQ(person.declared.capacity, 5000U);
  EXPECT_EQ(person.declared.false_positives, 0.002);
  EXPECT_EQ(person.id.style, PublicStyle::checked);
  EXPECT_EQ(person.id.separator, '-');
  EXPECT_EQ(types->find("note")->declared.undelete, std::chrono::days(30));
  EXPECT_EQ(types->find("voucher")->declared.short_bits, 40U);
}

TEST(RegistryTypesOfAConfiguration, AreRefusedWithWhatIsWrong) {
  const struct {
    const char* yaml;
    const char* message;
  } cases[] = {
      {"", "no type with a scope"},
      {"types: {a: {prefix: a}}", "no type with a scope"},
      {"types: {a: {prefix: a}, b: {prefix: b, parent: a, scope: B}}\nscopes: {B: {}}",
       "has the parent 'a', without a scope"},
      {"types: {a: {prefix: a, scope: A, storage: integer}}\nscopes: {A: {}}", "integer"},
      {"types: {a: {prefix: a, scope: A}}\nscopes: {A: {bits: 40}}", "integer"},
      {"types: {tenant: {prefix: a, scope: A}}\nscopes: {A: {}}", "collection: 'tenants'"},
  };
  for (const auto& c : cases) {
    const auto types = registry_types(config_of(c.yaml));
    ASSERT_FALSE(types) << c.yaml;
    EXPECT_THAT(types.error().message, HasSubstr(c.message));
    EXPECT_NE(types.error().hint, "");
  }
}

TEST(RegistryTypesOfAConfiguration, TheFileToBeginWithHasSeven) {
  const auto types = registry_types(config_of(default_config_yaml()));
  ASSERT_TRUE(types) << types.error().message;
  EXPECT_EQ(types->all().size(), 7U);
}

TEST(DrawnNumbers, AreAsManyAsNeededAndNoMore) {
  const Config config = config_of("scopes: {A: {min: 5}, B: {}}");
  const auto store = std::move(*open_store("memory:"));
  DrawnNumbers numbers(*store, config);
  EXPECT_THAT(*numbers.keys("A", 3), ElementsAre(5, 6, 7));
  EXPECT_THAT(*numbers.keys("B", 1), ElementsAre(1));
  EXPECT_THAT(*numbers.keys("A", 1), ElementsAre(8));
  EXPECT_EQ(store->scopes().create(Scope{.name = "A", .min = 5})->high_water, 8);
  const auto none = numbers.keys("C", 1);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Error::Code::not_found);
}

TEST(DrawnNumbers, OfAShortIdAreItsKeyEnciphered) {
  const Config config = config_of(
      "types: {voucher: {prefix: vch, scope: V, storage: integer}}\nscopes: {V: {bits: 16}}");
  const auto types = std::move(*registry_types(config));
  const RegisteredType& type = *types.find("voucher");
  const auto store = std::move(*open_store("memory:"));
  DrawnNumbers numbers(*store, config);
  EXPECT_FALSE(numbers.short_number(type, 0)) << "without a key";
  const auto key = *ShortKey::parse("000102030405060708090a0b0c0d0e0f");
  const auto cipher = *ShortCipher::make({"V", 16, 65536}, key);
  numbers.use_cipher(type, cipher);
  std::set<std::uint64_t> seen;
  for (int batch = 0; batch < 3; ++batch) {
    const auto keys = numbers.keys("V", 2);
    ASSERT_TRUE(keys);
    for (const std::int64_t drawn : *keys) {
      const auto number = numbers.short_number(type, drawn);
      ASSERT_TRUE(number);
      EXPECT_EQ(*number, cipher.encrypt(static_cast<std::uint64_t>(drawn))->number());
      EXPECT_TRUE(seen.insert(*number).second);
    }
  }
  EXPECT_FALSE(numbers.short_number(type, 65536)) << "behind the last";
}

}  // namespace
}  // namespace tessera::cli
