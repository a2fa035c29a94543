// A URL is read as people mean it, or refused with a reason; and no password is ever shown.

#include "tessera/db/url.h"

#include <gtest/gtest.h>

namespace tessera::db {
namespace {

TEST(Url, IsReadInAllItsParts) {
  const auto url =
      parse_url("postgres://me:p%40ss%3A%2F@[::1]:5433,db.example/ids?sslmode=require");
  ASSERT_TRUE(url) << url.error().message;
  EXPECT_EQ(url->scheme, Url::Scheme::postgres);
  EXPECT_EQ(url->user, "me");
  EXPECT_EQ(url->password, "p@ss:/");
  ASSERT_EQ(url->hosts.size(), 2U);
  EXPECT_EQ(url->hosts[0], (Url::Host{"::1", 5433}));
  EXPECT_EQ(url->hosts[1], (Url::Host{"db.example", 0}));
  EXPECT_EQ(url->path, "ids");
  EXPECT_EQ(url->option("sslmode"), "require");
}

TEST(Url, IsWrittenWithoutItsPassword) {
  struct Row {
    std::string_view text, written;
  };
  for (const auto& [text, written] : {
           Row{"memory:", "memory:"},
           Row{"sqlite:a b.db", "sqlite:a%20b.db"},
           Row{"sqlite:/var/x.db?journal=delete", "sqlite:/var/x.db?journal=delete"},
           Row{"postgresql://u:secret@h:5432/d", "postgres://u@h:5432/d"},
           Row{"postgres:///d?host=/tmp&password=secret", "postgres:///d?host=/tmp"},
           Row{"postgres://%2Frun%2Fpg/d", "postgres://%2Frun%2Fpg/d"},
           Row{"postgres://[2001:db8::1]:5432,[fe80::1%eth0]/d",
               "postgres://[2001:db8::1]:5432,[fe80::1%eth0]/d"},
           Row{"postgres://%3A%3A1/d", "postgres://[::1]/d"},
           Row{"postgres://%2Frun%2Fa%3Ab/d", "postgres://%2Frun%2Fa%3Ab/d"},
           Row{"mysql://u:secret@h/d", "mariadb://u@h/d"},
           Row{"mariadb://u@localhost/d?socket=/run/x.sock",
               "mariadb://u@localhost/d?socket=/run/x.sock"},
       }) {
    const auto url = parse_url(text);
    ASSERT_TRUE(url) << text;
    EXPECT_EQ(url->to_string(), written);
  }
}

TEST(Url, IsRefusedWithAReason) {
  for (const std::string_view text : {"",
                                      "x",
                                      "oracle://h/d",
                                      "memory:x",
                                      "sqlite:",
                                      "sqlite:///x.db",
                                      "sqlite::memory:",
                                      "sqlite:x%zz",
                                      "sqlite:x%00",
                                      "sqlite:x?mode=ro",
                                      "postgres:h/d",
                                      "postgres://h:0/d",
                                      "postgres://h:99999/d",
                                      "postgres://h:5432x/d",
                                      "postgres://h,/d",
                                      "postgres://[::1/d",
                                      "postgres://[::1]x5432/d",
                                      "postgres://[::1[]/d",
                                      "postgres://[h]/d",
                                      "postgres://%3Arun%2Fpom$",
                                      "postgres://%3A%5D/d",
                                      "postgres://u:secret%@h/d",
                                      "mariadb://a,b/d",
                                      "mariadb://h/d?tls=on&tls=off",
                                      "postgres://u:secret@h/d?password=secret"}) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, Error::Code::invalid_request);
    EXPECT_FALSE(url.error().hint.empty()) << text;
    EXPECT_EQ(url.error().message.find("secret"), std::string::npos) << text;
  }
  EXPECT_FALSE(parse_url("sqlite:" + std::string(5000, 'x')));
  EXPECT_TRUE(parse_url("sqlite:" + std::string(2000, 'x')));
  EXPECT_FALSE(parse_url("sqlite:" + std::string(2000, ' '))) << "6000 bytes when it is written";
}

}  // namespace
}  // namespace tessera::db
