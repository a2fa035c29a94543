// What variables and flags promise: they win over the file, are read as strictly, and change
// nothing at all if one of them is wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/config_mistakes.h"
#include "tessera/config/config.h"
#include "tessera/config/config_keys.h"

namespace tessera {
namespace {

using Variables = std::vector<EnvironmentVariable>;

TEST(Environment, OverridesTheFile) {
  auto parsed =
      parse_config("segment: {step: 5}\nscopes: {A: , B: {step: 9}}\ntypes: {a: {prefix: a}}");
  ASSERT_TRUE(parsed);
  Config config = *parsed;
  const auto errors = apply_environment(config, Variables{{"TESSERA_ENABLED", "false"},
                                                          {"TESSERA_SEGMENT_STEP", "77"},
                                                          {"TESSERA_PUBLIC_ID_SEPARATOR", "~"},
                                                          {"TESSERA_STORE", "memory:"},
                                                          {"TESSERA_LISTEN_PUBLIC", "0.0.0.0:1"},
                                                          {"TESSERA_LISTEN_INTERNAL", "off"},
                                                          {"TESSERA_LISTEN_REDIS", "[::1]:2"},
                                                          {"TESSERA_TOKENS", "null"}});
  EXPECT_EQ(codes_of(errors), "");
  EXPECT_FALSE(config.enabled);
  EXPECT_EQ(config.step_of(config.scopes[0]), 77) << "a scope that does not say follows";
  EXPECT_EQ(config.step_of(config.scopes[1]), 9);
  EXPECT_EQ(config.separator_of(config.types[0]), '~') << "quotes are for YAML, not for shells";
  EXPECT_EQ(config.store, "memory:");
  EXPECT_EQ(config.listen.public_api, (ListenAddress{"0.0.0.0", 1}));
  EXPECT_EQ(config.listen.internal_api, std::nullopt);
  EXPECT_EQ(config.listen.redis, (ListenAddress{"::1", 2}));
  EXPECT_EQ(config.tokens, "null");
}

TEST(Environment, EveryVariableOfTheTableSetsItsDefault) {
  int variables = 0;
  for (const ConfigKey& key : config_keys()) {
    if (key.variable.empty() || key.standard == "none") continue;
    SCOPED_TRACE(key.variable);
    Config config;
    EXPECT_EQ(codes_of(apply_environment(config, Variables{{key.variable, key.standard}})), "");
    EXPECT_EQ(config, Config{});
    EXPECT_EQ(set_config(config, key.path, key.standard), std::nullopt);
    EXPECT_EQ(config, Config{});
    ++variables;
  }
  EXPECT_EQ(variables, 7);
}

TEST(Environment, IsAllOrNothing) {
  Config config;
  const auto errors =
      apply_environment(config, Variables{{"TESSERA_SEGMENT_STEP", "5"},
                                          {"TESSERA_ENABLED", "no"},
                                          {"TESSERA_STORE", "postgrsql://u:hunter2@h/db"}});
  EXPECT_EQ(config, Config{});
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].message, "'TESSERA_ENABLED' must be true or false, not 'no'");
  EXPECT_EQ(render(errors[1], "environment", ""),
            "environment: 'TESSERA_STORE' is of no known kind: 'postgrsql'\n"
            "hint: did you mean 'postgresql'?\n");
}

TEST(Environment, SeesTypingErrorsButNotOtherPeoplesVariables) {
  Config config;
  EXPECT_EQ(codes_of(apply_environment(config, Variables{{"TESSERA_PORT", "tcp://10.0.0.1:80"},
                                                         {"TESSERA_SERVICE_HOST", "10.0.0.1"},
                                                         {"TESSERA_STORE", ""},
                                                         {"PATH", "/bin"},
                                                         {"", ""},
                                                         {"TESSERA_", "x"}})),
            "");
  EXPECT_EQ(config, Config{});
  const auto errors = apply_environment(config, Variables{{"TESSERA_STROE", "memory:"}});
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].hint, "did you mean 'TESSERA_STORE'?");
}

TEST(Environment, CannotPutTwoListenersOnOneAddress) {
  Config config;
  const auto errors =
      apply_environment(config, Variables{{"TESSERA_LISTEN_PUBLIC", "127.0.0.1:8422"}});
  ASSERT_EQ(codes_of(errors), "0:0 address_taken");
  EXPECT_EQ(config, Config{});
  // Two variables may trade places: only what holds in the end counts.
  EXPECT_EQ(
      codes_of(apply_environment(config, Variables{{"TESSERA_LISTEN_PUBLIC", "127.0.0.1:8421"},
                                                   {"TESSERA_LISTEN_INTERNAL", "127.0.0.1:8420"}})),
      "");
}

TEST(SetConfig, KnowsTheKeysOfTheFileOnly) {
  Config config;
  EXPECT_EQ(set_config(config, "segment.step", "12"), std::nullopt);
  EXPECT_EQ(config.step, 12);
  for (const char* key : {"", "segment", "types.<name>.prefix", "types.order.prefix", "Store"}) {
    const auto error = set_config(config, key, "x");
    ASSERT_TRUE(error) << key;
    EXPECT_EQ(error->code, ConfigError::Code::unknown_key);
  }
}

}  // namespace
}  // namespace tessera
