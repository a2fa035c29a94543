// What the console's routes promise: the bytes that were built in, plain or compressed, to anybody;
// a tag that is the tag of just these bytes; a policy that lets the page do what it needs, no more.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "service/http_writer.h"
#include "support/service_world.h"

namespace tessera::service {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::array kAssets = {
    Asset{.path = "/",
          .type = "text/html; charset=utf-8",
          .bytes = "<!doctype html>",
          .gzip = "PAGE-GZ",
          .etag = "\"page\"",
          .gzip_etag = "\"page-gzip\"",
          .style_digest = "sha256-frame="},
    Asset{.path = "/assets/index-B2x9QfLk.js",
          .type = "text/javascript; charset=utf-8",
          .bytes = "let a = 1;",
          .gzip = "JS-GZ",
          .etag = "\"js\"",
          .gzip_etag = "\"js-gzip\"",
          .immutable = true},
    Asset{.path = "/assets/icon.png",
          .type = "image/png",
          .bytes = "PNG",
          .gzip = "",
          .etag = "\"png\"",
          .gzip_etag = "\"png-gzip\""},
};
constexpr std::string_view kScript = "/assets/index-B2x9QfLk.js";

ServiceWorld& with_token(ServiceWorld& world) {
  world.add_token(std::vector<std::string>{"acme"});  // so that others are asked for one
  return world;
}

TEST(Page, IsForAnybodyAsItWasBuilt) {
  ServiceWorld made(ApiOptions{.assets = kAssets});
  ServiceWorld& world = with_token(made);
  EXPECT_EQ(world.ask({.path = "/v1/types"}).status, 401);
  EXPECT_EQ(world.ask({.path = "/", .accept = "text/html"}).status, 200);
  EXPECT_EQ(world.answer.content(), "<!doctype html>");
  EXPECT_EQ(world.answer.cache, "no-cache");
  EXPECT_EQ(world.answer.etag, "\"page\"");
  EXPECT_EQ(world.ask({.path = std::string(kScript), .accept = "text/css"}).status, 200);
  EXPECT_EQ(world.answer.content().data(), kAssets[1].bytes.data()) << "no copy is made";
  EXPECT_EQ(world.answer.cache, "public, max-age=31536000, immutable");
  EXPECT_EQ(world.ask({.path = "/assets/icon.png"}).cache, "no-cache") << "no digest in its name";
}

TEST(Page, IsCompressedForWhoTakesItAndHasATagOfItsOwn) {
  ServiceWorld world(ApiOptions{.assets = kAssets});
  Ask ask{.path = std::string(kScript), .accept_encoding = "br, gzip"};
  EXPECT_EQ(world.ask(ask).content(), "JS-GZ");
  EXPECT_TRUE(world.answer.is_gzip);
  EXPECT_EQ(world.answer.etag, "\"js-gzip\"");
  ask.if_none_match = "\"js\"";
  EXPECT_EQ(world.ask(ask).status, 200) << "those are other bytes";
  ask.if_none_match = "\"js-gzip\"";
  EXPECT_EQ(world.ask(ask).status, 304);
  EXPECT_EQ(world.answer.etag, "\"js-gzip\"");
  EXPECT_EQ(world.ask({.path = "/assets/icon.png", .accept_encoding = "gzip"}).content(), "PNG");
  EXPECT_FALSE(world.answer.is_gzip) << "it would not be smaller";
}

TEST(Page, HasNoOtherPathsAndNoOtherMethods) {
  ServiceWorld world(ApiOptions{.assets = kAssets});
  for (const std::string path :
       {"/assets/", "/assets/nothing.js", "/assets/index-B2x9QfLk.js/x", "/index.html",
        "/inspect/1", "/assets/%69con.png", "/assets/../assets/icon.png"}) {
    EXPECT_GE(world.ask({.path = path}).status, 400) << path;
    EXPECT_LE(world.answer.status, 404) << path;
    EXPECT_EQ(world.answer.media, Media::problem) << path;
  }
  EXPECT_EQ(world.ask({.method = Method::post, .path = std::string(kScript)}).status, 405);
  EXPECT_EQ(world.answer.allow, "GET, HEAD");
  EXPECT_EQ(world.ask({.method = Method::del, .path = "/"}).status, 405);
}

TEST(Page, WithoutAConsoleThereIsAPlainOne) {
  ServiceWorld world;
  EXPECT_EQ(world.ask({.path = "/"}).status, 200);
  EXPECT_EQ(world.answer.media, Media::html);
  EXPECT_THAT(std::string(world.answer.content()), HasSubstr("without its web console"));
  EXPECT_EQ(world.ask({.path = std::string(kScript)}).status, 404);
  world.ask({.path = "/healthz"});
  EXPECT_EQ(world.answer.asset, nullptr);
}

TEST(Page, SaysWhatABrowserMustKnow) {
  ServiceWorld world(ApiOptions{.assets = kAssets});
  HttpWriter writer(world.shop.clock);
  const auto text_of = [&](const Ask& ask, HttpWriter::Connection how = {}) {
    std::string out;
    world.ask(ask);
    how.is_gzip = world.answer.is_gzip;
    how.may_gzip = true;
    writer.write(world.answer, how, out);
    return out;
  };
  const std::string page = text_of({.path = "/"});
  for (const std::string_view field :
       {"Content-Type: text/html; charset=utf-8\r\n", "Content-Length: 15\r\n",
        "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
        "style-src 'self' 'sha256-frame='; img-src 'self' data:; connect-src 'self'; manifest-src "
        "'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n",
        "X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
        "Origin-Agent-Cluster: ?1\r\n", "Vary: Accept-Encoding\r\n", "ETag: \"page\"\r\n",
        "\r\n\r\n<!doctype html>"}) {
    EXPECT_THAT(page, HasSubstr(std::string(field)));
  }
  const std::string script = text_of({.path = std::string(kScript), .accept_encoding = "gzip"});
  EXPECT_THAT(script, HasSubstr("Content-Type: text/javascript; charset=utf-8\r\n"));
  EXPECT_THAT(script, HasSubstr("Content-Encoding: gzip\r\nContent-Length: 5\r\n"));
  EXPECT_TRUE(script.ends_with("\r\n\r\nJS-GZ"));
  const std::string head = text_of({.method = Method::head, .path = "/"}, {.is_head = true});
  EXPECT_THAT(head, HasSubstr("Content-Length: 15\r\n"));
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  const std::string same = text_of({.path = "/", .if_none_match = "\"page\""});
  EXPECT_THAT(same, HasSubstr("304 Not Modified"));
  EXPECT_THAT(same, HasSubstr("ETag: \"page\"\r\n"));
  EXPECT_THAT(same, Not(HasSubstr("Content-Length")));
  EXPECT_TRUE(same.ends_with("\r\n\r\n"));
}

}  // namespace
}  // namespace tessera::service
