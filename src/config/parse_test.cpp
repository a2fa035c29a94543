// What reading a configuration promises: every key is taken; what is not said has its default;
// every mistake is found in one go, at its place, and says what would be right.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/config_mistakes.h"
#include "tessera/config/config.h"
#include "tessera/config/config_keys.h"

namespace tessera {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

struct Case {
  const char* yaml;
  const char* mistakes;
};

template <std::size_t N>
void expect_mistakes(const Case (&cases)[N]) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.yaml);
    EXPECT_EQ(mistakes_in(c.yaml), c.mistakes) << rendered_mistakes(c.yaml);
  }
}

TEST(Config, HasItsDefaultsWhereNothingIsSaid) {
  for (const char* yaml : {"", "# only a comment\n", "---\n", "{}", "types:\nscopes:\nlisten:\n",
                           "\xEF\xBB\xBF# with a byte order mark\n", "%YAML 1.2\n---\n{}\n"}) {
    SCOPED_TRACE(yaml);
    const auto config = parse_config(yaml);
    ASSERT_TRUE(config) << rendered_mistakes(yaml);
    EXPECT_EQ(*config, Config{});
  }
  const Config config;
  EXPECT_TRUE(config.enabled);
  EXPECT_EQ(config.step, 1000);
  EXPECT_EQ(config.separator, '_');
  EXPECT_EQ(config.store, "sqlite:tessera.db");
  EXPECT_EQ(config.listen.public_api->to_string(), "127.0.0.1:8420");
  EXPECT_EQ(config.listen.internal_api->to_string(), "127.0.0.1:8421");
  EXPECT_EQ(config.listen.redis->to_string(), "127.0.0.1:8422");
  EXPECT_EQ(config.tokens, "");
}

TEST(Config, TakesEveryKey) {
  const auto config = parse_config(R"(
enabled: false
segment: {step: 50}
public-id: {separator: "-"}
types:
  store: {prefix: sto}
  order:
    prefix: ord
    style: checked
    scope: ORDER
    parent: store
    separator: "."
    storage: bytes
    tombstone: exact
    alias: true
    undelete-days: 0
  item: {prefix: itm, tombstone: soft, undelete-days: 30, storage: integer}
  person: {prefix: per, collection: people, key-days: 7, capacity: 5000, false-positives: 0.002}
scopes:
  ORDER: {min: 5, max: 9007199254740991, step: 7, order: strict, js-safe: true}
store: postgresql://tessera@db.example/ids
listen: {public: "0.0.0.0:80", internal: off, redis: "[::1]:6379"}
tokens: /etc/tessera/tokens.yaml
)");
  ASSERT_TRUE(config) << codes_of(config.error());
  EXPECT_FALSE(config->enabled);
  EXPECT_EQ(config->step, 50);
  EXPECT_EQ(config->separator, '-');
  EXPECT_EQ(config->store, "postgresql://tessera@db.example/ids");
  EXPECT_EQ(config->tokens, "/etc/tessera/tokens.yaml");
  EXPECT_EQ(config->listen.public_api, (ListenAddress{"0.0.0.0", 80}));
  EXPECT_EQ(config->listen.internal_api, std::nullopt);
  EXPECT_EQ(config->listen.redis, (ListenAddress{"::1", 6379}));

  const TypeConfig* order = config->find_type("order");
  ASSERT_NE(order, nullptr);
  EXPECT_EQ(order->prefix, "ord");
  EXPECT_EQ(order->style, PublicStyle::checked);
  EXPECT_EQ(order->scope, "ORDER");
  EXPECT_EQ(order->parent, "store");
  EXPECT_EQ(order->separator, '.');
  EXPECT_EQ(name_of(order->storage), "bytes");
  EXPECT_EQ(name_of(order->tombstone), "exact");
  EXPECT_TRUE(order->alias);
  const TypeConfig* item = config->find_type("item");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->undelete_days, 30U);
  EXPECT_EQ(name_of(item->storage), "integer");
  EXPECT_EQ(name_of(item->tombstone), "soft");
  EXPECT_EQ(Config::collection_of(*item), "items");
  EXPECT_EQ(item->key_days, 1U);
  const TypeConfig* person = config->find_type("person");
  ASSERT_NE(person, nullptr);
  EXPECT_EQ(Config::collection_of(*person), "people");
  EXPECT_EQ(person->key_days, 7U);
  EXPECT_EQ(person->capacity, 5000);
  EXPECT_EQ(person->false_positives, 0.002);

  const ScopeConfig* scope = config->find_scope("ORDER");
  ASSERT_NE(scope, nullptr);
  EXPECT_EQ(scope->min, 5);
  EXPECT_EQ(scope->max, ScopeConfig::kJsSafeMax);
  EXPECT_EQ(config->step_of(*scope), 7);
  EXPECT_EQ(name_of(scope->order), "strict");
  EXPECT_TRUE(scope->js_safe);
  EXPECT_EQ(config->find_type("ORDER"), nullptr);
  EXPECT_EQ(config->find_scope("order"), nullptr) << "names are compared byte by byte";
}

TEST(Config, ReadsTheContractsOwnNesting) {
  const auto nested = parse_config(R"(
bluecone:
  id:
    enabled: false
    segment:
      step: 2000
    public-id:
      separator: "-"
)");
  const auto flat =
      parse_config("enabled: false\nsegment: {step: 2000}\npublic-id: {separator: '-'}\n");
  ASSERT_TRUE(nested);
  ASSERT_TRUE(flat);
  EXPECT_EQ(*nested, *flat);

  expect_mistakes({
      {"segment: {step: 1}\nbluecone: {id: {segment: {step: 2}}}", "2:27 duplicate_key"},
      {"bluecone: {id: {store: 'memory:'}}", "1:17 unknown_key"},
      {"bluecone: {enabled: true}", "1:12 unknown_key"},
      {"bluecone: 5", "1:11 wrong_type"},
  });
}

TEST(Config, GivesTypesAndScopesTheDefaultsOfTheFile) {
  const auto config = parse_config(R"(
segment: {step: 10}
public-id: {separator: "-"}
types: {a: {prefix: a}, b: {prefix: b, separator: "."}, c: {prefix: c, style: typeid}}
scopes: {A: , B: {step: 20}}
)");
  ASSERT_TRUE(config) << codes_of(config.error());
  EXPECT_EQ(config->separator_of(config->types[0]), '-');
  EXPECT_EQ(config->separator_of(config->types[1]), '.');
  EXPECT_EQ(config->separator_of(config->types[2]), '_') << "TypeID fixes its separator";
  EXPECT_EQ(config->step_of(config->scopes[0]), 10);
  EXPECT_EQ(config->step_of(config->scopes[1]), 20);
}

TEST(Config, MakesATableThatReadsItsIds) {
  const auto config = parse_config(R"(
types:
  order: {prefix: ord, separator: "-"}
  user: {prefix: usr, style: checked}
)");
  ASSERT_TRUE(config);
  const auto table = config->type_table();
  ASSERT_TRUE(table);
  const auto id = table->parse("ord-01ARZ3NDEKTSV4RRFFQ69G5FAV");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->type->name, "order");
  EXPECT_FALSE(table->parse("ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_EQ(table->find_by_name("user")->style, PublicStyle::checked);

  Config by_hand;
  by_hand.types.resize(2);
  EXPECT_FALSE(by_hand.type_table()) << "what parse_config would refuse is refused here, too";
}

TEST(Config, AScopeWithBitsIsOneOfShortIds) {
  const auto config = parse_config(
      "short: {key-file: k}\nscopes: {A: {bits: 16}, B: {bits: 20, max: 999999}, C: {bits: 63}, D: "
      "}");
  ASSERT_TRUE(config) << codes_of(config.error());
  EXPECT_EQ(config->short_key_file, "k");
  const struct {
    std::uint32_t bits;
    std::int64_t min;
    std::int64_t max;
  } expected[] = {{16, 0, 65'535}, {20, 0, 999'999}, {63, 0, INT64_MAX}, {0, 1, INT64_MAX}};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const ScopeConfig& scope = config->scopes[i];
    SCOPED_TRACE(scope.name);
    EXPECT_EQ(scope.bits, expected[i].bits);
    EXPECT_EQ(scope.min, expected[i].min);
    EXPECT_EQ(scope.max, expected[i].max);
  }
  // More than half of them all, or fewer bits would do.
  EXPECT_EQ(mistakes_in("scopes: {A: {bits: 16, max: 32768}}"), "");
  EXPECT_EQ(mistakes_in("scopes: {A: {bits: 16, max: 32767}}"), "1:29 conflict");
  EXPECT_EQ(mistakes_in("scopes: {A: {bits: 16, max: 65536}}"), "1:29 conflict");
  EXPECT_EQ(mistakes_in("scopes: {A: {bits: 16, min: 1}}"), "1:29 conflict");
  EXPECT_EQ(mistakes_in("scopes: {A: {bits: 16, js-safe: true}}"), "1:33 conflict");
  EXPECT_EQ(mistakes_in("scopes: {A: {bits: 15}}"), "1:20 out_of_range");
  EXPECT_EQ(mistakes_in("scopes: {A: {bits: 64}}"), "1:20 out_of_range");
}

TEST(Config, SnowflakesAreANameAndALayout) {
  const auto config = parse_config(
      "snowflakes:\n  TICKET: {layout: 1700000000000/10/t40.s8.m8}\n  order: {layout: sony}\n");
  ASSERT_TRUE(config);
  ASSERT_EQ(config->snowflakes.size(), 2U);
  EXPECT_EQ(config->snowflakes[0].name, "TICKET");
  EXPECT_EQ(config->snowflakes[0].layout, "1700000000000/10/t40.s8.m8");
  EXPECT_EQ(config->snowflakes[1].layout, "sony");
  EXPECT_EQ(mistakes_in("snowflakes: {A: {layout: mine}}"), "1:26 out_of_range");
  EXPECT_EQ(mistakes_in("snowflakes: {A: {layout: 0/1/t41.m20.s12}}"), "1:26 out_of_range");
  EXPECT_EQ(mistakes_in("snowflakes: {A: {layout: [twitter]}}"), "1:26 wrong_type");
  EXPECT_EQ(mistakes_in("snowflakes: {A: {}}"), "1:14 missing_key");
  EXPECT_EQ(mistakes_in("snowflakes: {A: {layout: js53, bits: 3}}"), "1:32 unknown_key");
  EXPECT_EQ(mistakes_in("snowflakes: {a/b: {layout: js53}}"), "1:14 invalid_scope");
  for (const char* taken : {"twitter", "sony", "sonyflake"}) {
    EXPECT_EQ(mistakes_in("snowflakes: {" + std::string(taken) + ": {layout: js53}}"),
              "1:14 conflict");
  }
  std::string many = "snowflakes:\n";
  for (std::size_t i = 0; i < SnowflakeConfig::kCountMax; ++i) {
    many += "  S" + std::to_string(i) + ": {layout: js53}\n";
  }
  EXPECT_EQ(mistakes_in(many), "");
  EXPECT_EQ(mistakes_in(many + "  MORE: {layout: js53}\n"), "66:3 too_many");
}

TEST(Config, FindsAllMistakesOfAFile) {
  const std::string yaml = R"(enabeld: true
segment: {step: 0}
types:
  order: {prefix: Ord, stile: ulid}
  item: {style: uild, scope: ITEMS}
scopes:
  ITEM: {min: 10, max: 9, js-safe: maybe}
)";
  EXPECT_EQ(mistakes_in(yaml),
            "1:1 unknown_key, 2:17 out_of_range, 4:19 invalid_prefix, 4:24 unknown_key, "
            "5:3 missing_key, 5:17 invalid_choice, 5:30 unknown_scope, 7:24 conflict, "
            "7:36 wrong_type");
}

TEST(Config, GuessesWhatAMisspeltKeyMeans) {
  const struct {
    const char* yaml;
    const char* hint;
  } cases[] = {
      {"typs: {}", "did you mean 'types'?"},
      {"lisetn: {}", "did you mean 'listen'?"},
      {"types: {a: {prefxi: a, prefix: a}}", "did you mean 'prefix'?"},
      {"scopes: {A: {js_safe: true}}", "did you mean 'js-safe'?"},
      {"types: {a: {prefix: a, style: typid}}", "did you mean 'typeid'?"},
      {"scopes: {ORDER: }\ntypes: {a: {prefix: a, scope: ODRER}}", "did you mean 'ORDER'?"},
      {"types: {a: {prefix: a, parent: stroe}, store: {prefix: s}}", "did you mean 'store'?"},
      {"step: 5", "'step' belongs under 'segment' or 'scopes.<name>'."},
      {"segment.step: 5", "Write 'step' below 'segment', one step further in."},
      {"segment: {size: 5}", "keys here: step"},
      {"store: sqllite:a.db", "did you mean 'sqlite'?"},
      {"public-id: {separator: ~}", "~ without quotes is YAML for nothing: write \"~\"."},
      {"enabled: yes", "Write true or false, in small letters and without quotes."},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.yaml);
    const auto config = parse_config(c.yaml);
    ASSERT_FALSE(config);
    EXPECT_EQ(config.error().size(), 1U) << codes_of(config.error());
    EXPECT_EQ(config.error()[0].hint, c.hint);
  }
}

TEST(Config, RefusesValuesOfTheWrongKind) {
  expect_mistakes({
      {"enabled: yes", "1:10 wrong_type"},
      {"enabled: 1", "1:10 wrong_type"},
      {"enabled: \"true\"", "1:10 wrong_type"},
      {"enabled: True", "1:10 wrong_type"},
      {"enabled:", "1:9 wrong_type"},
      {"enabled: [true]", "1:10 wrong_type"},
      {"enabled: {a: b}", "1:10 wrong_type"},
      {"segment: 1000", "1:10 wrong_type"},
      {"segment: [1000]", "1:10 wrong_type"},
      {"segment: {step: \"1000\"}", "1:17 wrong_type"},
      {"segment: {step: 0x10}", "1:17 wrong_type"},
      {"segment: {step: 0100}", "1:17 wrong_type"},
      {"segment: {step: 1_000}", "1:17 wrong_type"},
      {"segment: {step: 1e3}", "1:17 wrong_type"},
      {"segment: {step: 1.0}", "1:17 wrong_type"},
      {"segment: {step: +1}", "1:17 wrong_type"},
      {"segment: {step: -}", "1:17 wrong_type"},
      {"segment: {step: 1 }", ""},
      {"segment: {step: }", "1:17 wrong_type"},
      {"store: {a: b}", "1:8 wrong_type"},
      {"store:", "1:7 wrong_type"},
      {"types: [order]", "1:8 wrong_type"},
      {"types: order", "1:8 wrong_type"},
      {"types: {order: ord}", "1:16 wrong_type"},
      {"scopes: {ORDER: 1}", "1:17 wrong_type"},
      {"[]", "1:1 wrong_type"},
      {"text", "1:1 wrong_type"},
      {"42", "1:1 wrong_type"},
      // Words that YAML 1.1 takes for booleans are words: a prefix may be `no`.
      {"types: {y: {prefix: no}, n: {prefix: on}}", ""},
  });
}

TEST(Config, RefusesNumbersThatAreTooSmallOrTooLarge) {
  expect_mistakes({
      {"segment: {step: 1}", ""},
      {"segment: {step: 1000000}", ""},
      {"segment: {step: 0}", "1:17 out_of_range"},
      {"segment: {step: -1}", "1:17 out_of_range"},
      {"segment: {step: 1000001}", "1:17 out_of_range"},
      {"segment: {step: 99999999999999999999999999}", "1:17 out_of_range"},
      {"scopes: {A: {step: 0}}", "1:20 out_of_range"},
      {"scopes: {A: {min: 0}}", "1:19 out_of_range"},
      {"scopes: {A: {max: 9223372036854775807}}", ""},
      {"scopes: {A: {max: 9223372036854775808}}", "1:19 out_of_range"},
      {"types: {a: {prefix: a, undelete-days: 36501}}", "1:39 out_of_range"},
      {"types: {a: {prefix: a, key-days: 0}}", "1:34 out_of_range"},
      {"types: {a: {prefix: a, capacity: 0}}", "1:34 out_of_range"},
      {"types: {a: {prefix: a, false-positives: 0.5}}", ""},
      {"types: {a: {prefix: a, false-positives: 0}}", "1:41 out_of_range"},
      {"types: {a: {prefix: a, false-positives: 0.51}}", "1:41 out_of_range"},
      {"types: {a: {prefix: a, false-positives: 1e-3}}", "1:41 wrong_type"},
      {"types: {a: {prefix: a, false-positives: '0.1'}}", "1:41 wrong_type"},
      {"types: {a: {prefix: a, false-positives: -0.1}}", "1:41 wrong_type"},
      {"types: {a: {prefix: a, false-positives: nan}}", "1:41 wrong_type"},
  });
}

TEST(Config, RefusesRangesThatCannotBe) {
  expect_mistakes({
      {"scopes: {A: {min: 5, max: 5}}", ""},
      {"scopes: {A: {min: 6, max: 5}}", "1:27 conflict"},
      {"scopes: {A: {max: 9007199254740991, js-safe: true}}", ""},
      {"scopes: {A: {max: 9007199254740992, js-safe: true}}", "1:19 conflict"},
      {"scopes: {A: {max: 9007199254740992, js-safe: false}}", ""},
      {"scopes: {A: {min: 9007199254740992, js-safe: true}}", "1:19 conflict"},
  });
  const auto config = parse_config("scopes: {A: {js-safe: true}}");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->scopes[0].max, ScopeConfig::kJsSafeMax) << "a default that keeps the promise";
}

TEST(Config, RefusesClashesAndNamesTheOtherLine) {
  const std::string yaml = "types:\n  order: {prefix: ord}\n  item: {prefix: ord}\n";
  const auto config = parse_config(yaml);
  ASSERT_FALSE(config);
  EXPECT_EQ(codes_of(config.error()), "3:18 prefix_taken");
  EXPECT_EQ(config.error()[0].message, "prefix 'ord' is taken by type 'order' (line 2)");

  const auto twice = parse_config("types:\n  a: {prefix: a}\n  b: {prefix: b}\n  a: {prefix: c}\n");
  ASSERT_FALSE(twice);
  EXPECT_EQ(codes_of(twice.error()), "4:3 duplicate_key");
  EXPECT_EQ(twice.error()[0].message, "'a' is here twice (first on line 2)");

  expect_mistakes({
      {"scopes: {A: , A: }", "1:15 duplicate_key"},
      {"scopes: {A: , a: }", ""},
      {"scopes: {A: , \"\\x41\": }", "1:15 duplicate_key"},
      {"store: 'memory:'\nstore: 'memory:'", "2:1 duplicate_key"},
      {"listen: {public: \"h:1\", redis: \"h:1\"}", "1:32 address_taken"},
      {"types: {a: {prefix: a, scope: A}, b: {prefix: b, scope: A, collection: as}}\nscopes: {A: }",
       "1:72 conflict"},
      {"types: {a: {prefix: a}, b: {prefix: b, collection: as}}", ""},
      {"listen: {public: \"127.0.0.1:8422\"}", "1:18 address_taken"},
      {"listen: {public: \"h:0\", redis: \"h:0\"}", ""},
      {"listen: {public: off, redis: off, internal: off}", ""},
  });
}

TEST(Config, RefusesBadNamesPrefixesAndSeparators) {
  const std::string long_name(65, 'a');
  expect_mistakes({
      {"types: {a: {prefix: ''}}", "1:21 invalid_prefix"},
      {"types: {a: {prefix: _a}}", "1:21 invalid_prefix"},
      {"types: {a: {prefix: a_}}", "1:21 invalid_prefix"},
      {"types: {a: {prefix: a1}}", "1:21 invalid_prefix"},
      {"types: {a: {prefix: a_b}}", ""},
      {"types: {'a b': {prefix: a}}", "1:9 invalid_name"},
      {"types: {'': {prefix: a}, b: {prefix: b}}", "1:9 invalid_name"},
      {"types: {a: {prefix: a, separator: __}}", "1:35 invalid_separator"},
      {"types: {a: {prefix: a, separator: ''}}", "1:35 invalid_separator"},
      {"types: {a: {prefix: a, separator: a}}", "1:35 invalid_separator"},
      {"types: {a: {prefix: a, separator: '-', style: typeid}}", "1:35 invalid_separator"},
      {"types: {a: {prefix: a, separator: '_', style: typeid}}", ""},
      {"public-id: {separator: '/'}", "1:24 invalid_separator"},
      {"types: {a: {prefix: a, collection: a/b}}", "1:36 invalid_name"},
      {"types: {a: {prefix: a, collection: tenants}}", "1:36 invalid_name"},
      {"scopes: {'a b': }", "1:10 invalid_scope"},
      {"tokens: ''", "1:9 invalid_path"},
      {"tokens: \"a\\0b\"", "1:9 invalid_path"},
  });
  EXPECT_EQ(mistakes_in("types: {" + long_name + ": {prefix: a}}"), "1:9 invalid_name");
  EXPECT_EQ(mistakes_in("types: {a: {prefix: " + std::string(63, 'a') + "}}"), "");
  EXPECT_EQ(mistakes_in("types: {a: {prefix: " + std::string(64, 'a') + "}}"),
            "1:21 invalid_prefix");
}

TEST(Config, RefusesReferencesThatLeadNowhereOrRoundInACircle) {
  expect_mistakes({
      {"types: {a: {prefix: a, scope: A}}", "1:31 unknown_scope"},
      {"types: {a: {prefix: a, scope: A}}\nscopes: {A: }", ""},
      {"types: {a: {prefix: a, parent: b}}", "1:32 unknown_parent"},
      {"types: {a: {prefix: a, parent: a}}", "1:32 parent_cycle"},
      {"types: {a: {prefix: a, parent: b}, b: {prefix: b, parent: a}}", "1:32 parent_cycle"},
      {"types: {a: {prefix: a, parent: b}, b: {prefix: b, parent: c}, c: {prefix: c, parent: b}}",
       "1:59 parent_cycle"},
      {"types: {a: {prefix: a, parent: b}, b: {prefix: b}, c: {prefix: c, parent: a}}", ""},
      // A mistake in what is named is said once, where it is.
      {"types: {a: {prefix: a, parent: b}, b: {prefix: B}}", "1:48 invalid_prefix"},
      {"types: {a: {prefix: a, parent: [b], scope: {}}}", "1:32 wrong_type, 1:44 wrong_type"},
      {"types: {a: {prefix: a, tombstone: exact, undelete-days: 1}}", "1:57 conflict"},
  });
  const auto circle = parse_config(
      "types: {a: {prefix: a, parent: b}, b: {prefix: b, parent: c}, c: {prefix: c, parent: a}}");
  ASSERT_FALSE(circle);
  EXPECT_THAT(circle.error()[0].message, HasSubstr("'a' -> 'b' -> 'c' -> 'a'"));
}

TEST(Config, StopsAtAHundredMistakes) {
  std::string yaml;
  for (int i = 0; i < 1000; ++i) yaml += "k" + std::to_string(i) + ": 1\n";
  const auto config = parse_config(yaml);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().size(), 101U);
  EXPECT_EQ(name_of(config.error().back().code), "too_many");
}

TEST(Config, TheFileToBeginWithIsGoodAndChangesNoDefault) {
  const auto config = parse_config(default_config_yaml());
  ASSERT_TRUE(config) << rendered_mistakes(default_config_yaml());
  Config plain = *config;
  plain.types.clear();
  plain.scopes.clear();
  EXPECT_EQ(plain, Config{});

  std::string types;
  for (const TypeConfig& type : config->types) types += type.name + ":" + type.prefix + " ";
  EXPECT_EQ(types, "tenant:tnt store:sto order:ord product:prd sku:sku user:usr payment:pay ");
  std::string scopes;
  for (const ScopeConfig& scope : config->scopes) scopes += scope.name + " ";
  EXPECT_EQ(scopes, "TENANT STORE ORDER PRODUCT SKU USER PAYMENT INVENTORY_RECORD ");
}

TEST(Config, TheFileToBeginWithHasEveryKey) {
  for (const ConfigKey& key : config_keys()) {
    const std::string name(key.path.substr(key.path.rfind('.') + 1));
    EXPECT_THAT(std::string(default_config_yaml()), ContainsRegex("[\n ]" + name + ": "));
  }
}

}  // namespace
}  // namespace tessera
