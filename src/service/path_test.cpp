// What paths and queries promise: decoded once, and refused where two readers could differ.

#include "service/path.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "service/accept.h"
#include "service/digest.h"
#include "support/vectors.h"

namespace tessera::service {
namespace {

TEST(Path, IsSplitAndDecodedOnce) {
  Path path;
  ASSERT_TRUE(path.parse("/v1/ids/user%5F01h4%20x"));
  ASSERT_EQ(path.parts().size(), 3u);
  EXPECT_EQ(path[0], "v1");
  EXPECT_EQ(path[2], "user_01h4 x");
  ASSERT_TRUE(path.parse("/"));
  EXPECT_TRUE(path.parts().empty());
  ASSERT_TRUE(path.parse("/v1/"));
  EXPECT_TRUE(path.ends_with_slash());
}

TEST(Path, RefusesWhatReadersDifferAbout) {
  Path path;
  for (const std::string_view text :
       {"",          "v1",     "//",     "/v1//x", "/.",      "/..",       "/v1/../x", "/%2e",
        "/%2E%2e/x", "/a%2fb", "/a%5Cb", "/a\\b",  "/a;b",    "/a%3Bb",    "/%",       "/%4",
        "/%zz",      "/%00",   "/%7f",   "/%25",   "/%c3%a9", "/\xC3\xA9", "/a\tb",    "/%u0041"}) {
    EXPECT_FALSE(path.parse(text)) << text;
  }
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "/a";
  EXPECT_FALSE(path.parse(deep));
}

TEST(Query, ReadsWhatIsKnown) {
  constexpr std::array<std::string_view, 3> kNames = {"n", "kind", "x"};
  Query query("n=12&kind=a%2Bb+c&x=", kNames);
  EXPECT_FALSE(query.has_fault());
  EXPECT_EQ(query.number("n", 1, 100), 12u);
  EXPECT_EQ(query.text("kind"), "a+b+c");
  EXPECT_EQ(query.text("x"), "");
  EXPECT_EQ(query.text("y"), std::nullopt);
  query.require("x");
  EXPECT_FALSE(query.has_fault());
  Query none("", kNames);
  EXPECT_EQ(none.number("n", 1, 2), std::nullopt);
  EXPECT_FALSE(none.has_fault());
}

TEST(Query, RefusesTheHostileOnesOfTheVectors) {
  constexpr std::array<std::string_view, 2> kNames = {"n", "kind"};
  std::size_t count = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "query") continue;
    SCOPED_TRACE(row.where());
    ++count;
    const std::string text = vectors::unescape(row["input"]);
    Query query(text, kNames);
    query.number("n", 1, 1000);
    Answer answer;
    if (query.has_fault()) query.set_problem(answer);
    std::string code = query.has_fault() ? std::string(answer.code) : "-";
    const auto kind = query.text("kind");
    if (code == "-" && kind && *kind != "ulid") code = "unsupported_kind";
    // A byte that is none of a text is told as such, before anybody asks for its meaning.
    if (text.find("%00") != text.npos) {
      EXPECT_EQ(code, "type_mismatch");
    } else {
      EXPECT_EQ(code, row["error_class"]);
    }
  }
  EXPECT_GT(count, 10u);
}

TEST(Accept, TheBestLikedIsChosen) {
  constexpr std::array kOffered = {Media::json, Media::text, Media::bytes};
  const struct {
    std::string_view accept;
    std::optional<Media> chosen;
  } rows[] = {
      {"", Media::json},
      {"*/*", Media::json},
      {"application/json", Media::json},
      {"Text/Plain", Media::text},
      {"text/*", Media::text},
      {"text/plain;q=0.5, application/octet-stream", Media::bytes},
      {"application/json;q=0.2, text/plain ; q=0.9", Media::text},
      {"*/*;q=0.1, text/plain", Media::text},
      {"application/json;q=0, */*", Media::text},
      {"text/html", std::nullopt},
      {"application/json;q=0", std::nullopt},
      {"application/json;q=2", std::nullopt},
      {"application/json;q=x", std::nullopt},
      {",,;", std::nullopt},
  };
  for (const auto& [accept, chosen] : rows) EXPECT_EQ(choose(accept, kOffered), chosen) << accept;
}

TEST(Accept, JsonIsNamedWithOrWithoutParameters) {
  EXPECT_TRUE(is_json("application/json"));
  EXPECT_TRUE(is_json("Application/JSON ; charset=utf-8"));
  EXPECT_FALSE(is_json(""));
  EXPECT_FALSE(is_json("text/plain"));
  EXPECT_FALSE(is_json("application/jsonp"));
}

TEST(Etag, IsFoundInAListWeakOrStrong) {
  EXPECT_TRUE(matches_etag("*", "\"a\""));
  EXPECT_TRUE(matches_etag("\"a\"", "\"a\""));
  EXPECT_TRUE(matches_etag("\"b\" , W/\"a\"", "\"a\""));
  EXPECT_TRUE(matches_etag("W/\"a\"", "W/\"a\""));
  EXPECT_TRUE(matches_etag("\"a\"", "W/\"a\""));
  EXPECT_FALSE(matches_etag("", "\"a\""));
  EXPECT_FALSE(matches_etag("\"ab\"", "\"a\""));
  EXPECT_NE(etag_of("x"), etag_of("y"));
  EXPECT_EQ(etag_of(""), "\"e3b0c44298fc1c14\"") << "SHA-256 of nothing, as everybody knows it";
}

}  // namespace
}  // namespace tessera::service
