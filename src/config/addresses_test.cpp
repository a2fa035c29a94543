// What stores and listeners promise: a form that is checked where it was written, and no password
// in any message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/config_mistakes.h"
#include "tessera/config/config.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Store, IsTakenInEveryForm) {
  for (const char* store :
       {"memory:", "sqlite:tessera.db", "sqlite:/var/lib/tessera/ids.db", "sqlite:a?mode=ro",
        "postgresql://localhost/ids", "postgres://u:p@h:5432/ids?sslmode=require",
        "postgresql:///ids?host=/run/postgresql", "postgresql://a,b:5433/ids",
        "mariadb://u@[::1]:3306/ids", "mysql://h/ids", "etcd://a:2379,b:2379,c:2379",
        "http://10.0.0.1:8421", "https://ids.example/base", "postgresql://u:p@x@h/ids"}) {
    Config config;
    EXPECT_EQ(set_config(config, "store", store), std::nullopt) << store;
    EXPECT_EQ(config.store, store);
  }
}

TEST(Store, IsRefusedWithAReason) {
  const struct {
    std::string store;
    const char* why;
  } cases[] = {
      {"tessera.db", "'store' does not say which kind of store"},
      {"oracle://h/db", "'store' is of no known kind: 'oracle'"},
      {"SQLITE:a", "'store' is of no known kind: 'SQLITE'"},
      {":a", "'store' is of no known kind: ''"},
      {"memory:x", "'store' has something behind the colon"},
      {"sqlite:", "'store' has no file"},
      {"postgresql:h/db", "'store' has no // behind the colon"},
      {"mariadb://", "'store' has no host"},
      {"mariadb:///db", "'store' has no host"},
      {"http://h:99999/", "'store' has a bad port"},
      {"http://h:/", "'store' has a bad port"},
      {"http://h:0x50/", "'store' has a bad port"},
      {"etcd://a:2379,,b:2379", "'store' has no host"},
      {"http://a*b/", "'store' has a bad host"},
      {"http://[::1", "'store' has a bad host"},
      {"http://[localhost]/", "'store' has a bad host"},
      {"http://[::1]x/", "'store' has a bad port"},
      {"sqlite:a b", "'store' has a blank or a control character in it"},
      {"sqlite:a\nb", "'store' has a blank or a control character in it"},
      {std::string("sqlite:a\0b", 10), "'store' has a blank or a control character in it"},
      {"sqlite:" + std::string(5000, 'a'), "'store' is longer than 4096 bytes"},
      {"", "'store' does not say which kind of store"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.store));
    Config config;
    const auto error = set_config(config, "store", c.store);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ConfigError::Code::invalid_store);
    EXPECT_EQ(error->message, c.why);
    EXPECT_EQ(config, Config{}) << "a refused value changes nothing";
  }
}

TEST(Store, KeepsItsPasswordToItself) {
  for (const char* yaml : {"store: postgrsql://u:hunter2@h/db", "store: mariadb://u:hunter2@/db",
                           "{store: mariadb://u:hunter2@h:x/db, oops: 1}",
                           "store: postgresql://h:x/db?password=hunter2&a=b",
                           "store: [\"http://u:hunter2@h\"]", "stroe: 'http://u:hunter2@h'"}) {
    SCOPED_TRACE(yaml);
    const std::string shown = rendered_mistakes(yaml);
    EXPECT_THAT(shown, HasSubstr("*******"));
    EXPECT_THAT(shown, Not(HasSubstr("hunter2")));
  }
}

TEST(WithoutPassword, StarsOutPasswordsAndNothingElse) {
  EXPECT_EQ(without_password("postgresql://u:pw@h/db"), "postgresql://u:**@h/db");
  EXPECT_EQ(without_password("postgresql://u:p@w/x@h/db"), "postgresql://u:*****@h/db");
  EXPECT_EQ(without_password("postgresql://u@h:5432/db"), "postgresql://u@h:5432/db");
  EXPECT_EQ(without_password("http://h:80/ a@b"), "http://h:80/ a@b");
  EXPECT_EQ(without_password("a://u:p@h b://u:q@h"), "a://u:*@h b://u:*@h");
  EXPECT_EQ(without_password("a://h?password=x&b=c"), "a://h?password=*&b=c");
  EXPECT_EQ(without_password("sqlite:tessera.db"), "sqlite:tessera.db");
  EXPECT_EQ(without_password("://"), "://");
  EXPECT_EQ(without_password("password="), "password=");
}

TEST(Listen, TakesHostsAndPorts) {
  const struct {
    const char* text;
    ListenAddress address;
  } cases[] = {
      {"127.0.0.1:8420", {"127.0.0.1", 8420}},   {"0.0.0.0:0", {"0.0.0.0", 0}},
      {"localhost:65535", {"localhost", 65535}}, {"[::1]:8420", {"::1", 8420}},
      {"[fe80::1%eth0]:1", {"fe80::1%eth0", 1}}, {"ids-1.example:80", {"ids-1.example", 80}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    Config config;
    ASSERT_EQ(set_config(config, "listen.public", c.text), std::nullopt);
    EXPECT_EQ(config.listen.public_api, c.address);
    EXPECT_EQ(config.listen.public_api->to_string(), c.text);
  }
  Config config;
  ASSERT_EQ(set_config(config, "listen.redis", "off"), std::nullopt);
  EXPECT_EQ(config.listen.redis, std::nullopt);
}

TEST(Listen, RefusesTheRest) {
  const struct {
    std::string text;
    const char* why;
  } cases[] = {
      {"", "no port"},
      {"8420", "no port"},
      {"localhost", "no port"},
      {":8420", "no host"},
      {"h:", "no port"},
      {"h:65536", "no port"},
      {"h:-1", "no port"},
      {"h:080", "no port"},
      {"h: 80", "no port"},
      {"::1:8420", "no host"},
      {"[::1]", "no port"},
      {"[]:80", "no host"},
      {"h b:80", "a bad host"},
      {"[::1]]:80", "a bad port"},
      {"http://h:80", "a bad port"},
      {"[::1%]:80", "a bad host"},
      {std::string("h\0:80", 5), "a bad host"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.text));
    Config config;
    const auto error = set_config(config, "listen.public", c.text);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ConfigError::Code::invalid_address);
    EXPECT_THAT(error->message, HasSubstr("'listen.public' has " + std::string(c.why)));
  }
}

}  // namespace
}  // namespace tessera
