// The address of a Tessera: what is read, and what is refused.

#include "client/address.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Address, IsAHostAndPerhapsAPort) {
  const struct {
    const char* url;
    Address address;
    const char* authority;
  } cases[] = {
      {"http://127.0.0.1:8421", {false, "127.0.0.1", 8421}, "127.0.0.1:8421"},
      {"http://127.0.0.1:8421/", {false, "127.0.0.1", 8421}, "127.0.0.1:8421"},
      {"http://ids.example", {false, "ids.example", 80}, "ids.example:80"},
      {"https://ids.example", {true, "ids.example", 443}, "ids.example:443"},
      {"https://my_host-1:1", {true, "my_host-1", 1}, "my_host-1:1"},
      {"http://[::1]:65535", {false, "::1", 65535}, "[::1]:65535"},
  };
  for (const auto& [url, address, authority] : cases) {
    const auto read = parse_address(url);
    ASSERT_TRUE(read) << url << ": " << read.error().message;
    EXPECT_EQ(*read, address) << url;
    EXPECT_EQ(read->authority(), authority);
  }
}

TEST(Address, AnythingElseIsRefused) {
  for (const std::string& url : {std::string(),
                                 std::string("http://"),
                                 std::string("http:///"),
                                 std::string("ftp://a"),
                                 std::string("HTTP://a"),
                                 std::string("http://a:"),
                                 std::string("http://a:0"),
                                 std::string("http://a:65536"),
                                 std::string("http://a:+1"),
                                 std::string("http://a:8 "),
                                 std::string("http://a/b"),
                                 std::string("http://a?b"),
                                 std::string("http://a#b"),
                                 std::string("http://a b"),
                                 std::string("http://[::1"),
                                 std::string("http://[]:1"),
                                 std::string("http://[::1]8"),
                                 std::string("http://[a-b]"),
                                 std::string("http://a\r\nX: y"),
                                 std::string("http://a\0b", 10),
                                 "http://" + std::string(254, 'a'),
                                 "http://" + std::string(10'000, 'a')}) {
    const auto read = parse_address(url);
    ASSERT_FALSE(read) << url;
    EXPECT_EQ(read.error().code, Error::Code::invalid_request);
  }
}

TEST(Address, APasswordIsNotQuoted) {
  const auto read = parse_address("http://me:s3cret@ids.example");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message.find("s3cret"), std::string::npos);
  EXPECT_EQ(read.error().hint.find("s3cret"), std::string::npos);
}

}  // namespace
}  // namespace tessera
