// Answers are read as they come, in pieces of any size and memory that does not grow; what is
// found is what is there, once for each place, with the line of the first.

#include "tessera/contract/responses.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::contract {
namespace {

constexpr std::string_view kUlid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const Declared& shop() {
  static const Declared declared(
      {{{"order", "ord"}, "orders", ""}, {{"store", "sto"}, "stores", ""}});
  return declared;
}

// "TC201 3 /data/*/id": rule, line, path.
std::vector<std::string> found(std::string_view text, const Declared& declared = shop(),
                               std::size_t piece = SIZE_MAX) {
  ResponsesCheck check("x", declared);
  for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at)) {
    check.feed(text.substr(at, piece));
  }
  check.end();
  std::vector<std::string> lines;
  for (const Finding& finding : check.findings()) {
    lines.push_back(std::string(rule(finding.rule).number) + " " +
                    std::to_string(finding.place.line) + " " + finding.place.path);
  }
  return lines;
}
using Lines = std::vector<std::string>;

std::string with_id(std::string_view prefix) { return std::string(prefix) + std::string(kUlid); }

TEST(Responses, GoodAnswersHaveNoFindings) {
  EXPECT_EQ(found(R"({"id":"ord_01ARZ3NDEKTSV4RRFFQ69G5FAV","store_id":null,"paid":7,"page":1,
    "store":{"id":"sto_01ARZ3NDEKTSV4RRFFQ69G5FAV"},"note":"0123","valid":true,
    "stores":[{"id":"sto_01ARZ3NDEKTSV4RRFFQ69G5FAV"}],"order_ids":[]})"),
            Lines{});
  EXPECT_EQ(found(""), Lines{});
  EXPECT_EQ(found("\xEF\xBB\xBF[]\n"), Lines{});
  EXPECT_EQ(found(R"({"id":"abc_01ARZ3NDEKTSV4RRFFQ69G5FAV"})", Declared{}), Lines{});
}

TEST(Responses, EveryFaultIsFoundWhereItIs) {
  EXPECT_EQ(found("{\n\"id\": 7}"), Lines{"TC201 2 /id"});
  EXPECT_EQ(found(R"({"id":"1234567890"})"), Lines{"TC201 1 /id"});
  EXPECT_EQ(found(R"({"id":1.5})"), Lines{"TC201 1 /id"});
  EXPECT_EQ(found(R"({"storeIds":["sto_01ARZ3NDEKTSV4RRFFQ69G5FAV",8]})"),
            Lines{"TC201 1 /storeIds/*"});
  EXPECT_EQ(found(R"({"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"})"), Lines{"TC202 1 /id"});
  EXPECT_EQ(found(R"({"trace":"01arz3ndektsv4rrffq69g5fav"})"), Lines{"TC202 1 /trace"});
  EXPECT_EQ(found(R"({"01ARZ3NDEKTSV4RRFFQ69G5FAV":{}})"), Lines{"TC202 1 /*"});
  EXPECT_EQ(found(R"({"id":"b3f1c2d4-0000-4000-8000-000000000000"})"), Lines{"TC203 1 /id"});
  EXPECT_EQ(found(R"({"id":"usr_01ARZ3NDEKTSV4RRFFQ69G5FAV"})"), Lines{"TC203 1 /id"});
  EXPECT_EQ(found(R"({"id":"ord_01ARZ3NDEKTSV4RRFFQ69G5FAU"})"), Lines{"TC203 1 /id"});
  EXPECT_EQ(found("{\"id\":\"" + std::string(100'000, 'x') + "\"}"), Lines{"TC203 1 /id"});
  EXPECT_EQ(found(R"({"store_id":"ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"})"), Lines{"TC204 1 /store_id"});
  EXPECT_EQ(found(R"({"orders":[{"id":"sto_01ARZ3NDEKTSV4RRFFQ69G5FAV"}]})"),
            Lines{"TC204 1 /orders/*/id"});
  EXPECT_EQ(found(R"({"id":"nonsense"})", Declared{}), Lines{"TC203 1 /id"});
}

TEST(Responses, AFaultOfEveryRowIsToldOnceAndCounted) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "{\"rows\":[{\"id\":1},{\"id\":2}]}\n";
  ResponsesCheck check("x", shop());
  check.feed(text);
  check.end();
  ASSERT_EQ(check.findings().size(), 1U);
  EXPECT_EQ(check.findings()[0].count, 10'000U);
  EXPECT_EQ(check.findings()[0].place.line, 1U);
  EXPECT_EQ(check.values(), 5000U);
}

TEST(Responses, MorePlacesThanAnybodyReadsAreCounted) {
  std::string text = "{";
  for (int i = 0; i < 1500; ++i) text += "\"k" + std::to_string(i) + "_id\":1,";
  text += "\"z\":0}";
  ResponsesCheck check("x", shop());
  check.feed(text);
  check.end();
  EXPECT_EQ(check.findings().size(), ResponsesCheck::kFindingsMax);
  EXPECT_EQ(check.left_off(), 500U);
}

TEST(Responses, ABrokenLineOfManyIsToldAndTheRestIsRead) {
  EXPECT_EQ(found("{\"id\":1}\n{\"id\":\n{\"store_id\":2}\n"),
            (Lines{"TC201 1 /id", "TC201 3 /id/store_id", "TC001 4 "}));
  EXPECT_EQ(found("{\"a\":1}\nnonsense\n{\"store_id\":2}\n"),
            (Lines{"TC001 2 ", "TC201 3 /store_id"}));
  // Also if the line broke in the middle of a name.
  for (const std::size_t piece : {1U, 2U, 100U}) {
    EXPECT_EQ(found("{\"aen\n{\"id\":1}\n", shop(), piece), (Lines{"TC001 1 ", "TC201 2 /id"}));
  }
  EXPECT_EQ(found("{\"a\":"), Lines{"TC001 1 "});
  EXPECT_EQ(found("{\n\"a\": x,\n\"id\": 1}"), Lines{"TC001 2 "});
  EXPECT_EQ(found(std::string(500, '[')), Lines{"TC001 1 "});
}

constexpr std::string_view kHar = R"({"log": {"version": "1.2", "creator": {"name": "x"},
 "pages": [{"id": "page_1"}],
 "entries": [
  {"connection": "123", "request": {"method": "GET", "url": "https://a.example/v1/orders/17?page=2"},
   "response": {"status": 200, "content": {"mimeType": "application/json",
    "text": "{\"id\":17,\n\"store_id\":\"ord_01ARZ3NDEKTSV4RRFFQ69G5FAV\"}"}}},
  {"request": {"method": "POST", "url": "https://a.example/v1/orders",
    "postData": {"text": "{\"public_id\":\"ord_01ARZ3NDEKTSV4RRFFQ69G5FAV\"}"}},
   "response": {"content": {"text": "<html>{\"id\":1}</html>"}}},
  {"request": {"method": "GET", "url": "https://a.example/v1/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV"},
   "response": {"content": {"text": "{ color: red }"}}}
 ]}}
)";

TEST(Responses, OfAHarTheBodiesAndPathsAreRead) {
  const Lines expected = {"TC201 4 GET /v1/orders/*", "TC201 6 GET /v1/orders/*/id",
                          "TC204 6 GET /v1/orders/*/store_id", "TC205 8 POST /v1/orders/public_id",
                          "TC202 10 GET /v1/orders/*"};
  EXPECT_EQ(found(kHar), expected);
  ResponsesCheck check("x", shop());
  check.feed(kHar);
  check.end();
  EXPECT_EQ(check.bodies(), 2U);
}

std::string har_of(std::string_view method, std::string_view path, std::string_view post,
                   std::string_view answer) {
  return R"({"log":{"version":"1.2","entries":[{"request":{"method":")" + std::string(method) +
         R"(","url":"https://a.example)" + std::string(path) + R"(","postData":{"text":")" +
         std::string(post) + R"("}},"response":{"content":{"text":")" + std::string(answer) +
         R"("}}}]}})";
}

TEST(Responses, InThePathOfAHarEveryPartIsJudgedByTheOneInFront) {
  const auto path = [](std::string_view text) { return found(har_of("GET", text, "", "")); };
  EXPECT_EQ(path("/v1/orders/ord_01ARZ3NDEKTSV4RRFFQ69G5FAV/lines"), Lines{});
  EXPECT_EQ(path("/v1/me/orders"), Lines{});
  EXPECT_EQ(path("/v1/orders/sto_01ARZ3NDEKTSV4RRFFQ69G5FAV"), Lines{"TC204 1 GET /v1/orders/*"});
  EXPECT_EQ(path("/v1/orders/b3f1c2d4-0000-4000-8000-000000000000"),
            Lines{"TC203 1 GET /v1/orders/*"});
  EXPECT_EQ(path("/v1/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV"), Lines{"TC202 1 GET /v1/orders/*"});
  EXPECT_EQ(path("/v1/orders/17#top"), Lines{"TC201 1 GET /v1/orders/*"});
}

TEST(Responses, ABodyInBase64IsReadLikeAnyOther) {
  const std::string har = har_of("GET", "/a", "", "eyJpZCI6MTd9");  // {"id":17}
  for (const std::size_t piece : {1U, 2U, 3U, 5U, 1000U}) {
    EXPECT_EQ(found(har, shop(), piece), Lines{"TC201 1 GET /a/id"});
  }
  EXPECT_EQ(found(har_of("GET", "/a", "", "W3siaWQiOjE3fV0=")), Lines{"TC201 1 GET /a/*/id"});
  EXPECT_EQ(found(har_of("GET", "/a", "", "We have moved.")), Lines{});
  EXPECT_EQ(found(har_of("GET", "/a", "", "eyJpZCI6MTd")), Lines{"TC201 1 GET /a/id"});  // cut
}

TEST(Responses, AClientMustNotChooseAlsoInAList) {
  EXPECT_EQ(found(har_of("POST", "/a", R"([{\"ulid\":\"x\"}])", "")),
            (Lines{"TC203 1 POST /a/*/ulid", "TC205 1 POST /a/*/ulid"}));
  // What is referred to is chosen by nobody.
  EXPECT_EQ(found(har_of("POST", "/a", R"({\"store_id\":\"sto_01ARZ3NDEKTSV4RRFFQ69G5FAV\"})", "")),
            Lines{});
  EXPECT_EQ(found(har_of("PATCH", "/a", R"({\"id\":\"sto_01ARZ3NDEKTSV4RRFFQ69G5FAV\"})", "")),
            Lines{});
}

TEST(Responses, DoNotDependOnWhereThePiecesEnd) {
  for (const std::string& text :
       {std::string(kHar), "{\"id\":12345}\n{\"b\":\n[true,null,{\"store_id\":\"" +
                               with_id("ord_") + "\"}]}\nbroken\n{\"id\":\"" + with_id("") +
                               "\"}"}) {
    const Lines whole = found(text);
    EXPECT_GE(whole.size(), 3U);
    for (const std::size_t piece : {1U, 2U, 3U, 7U, 64U})
      EXPECT_EQ(found(text, shop(), piece), whole);
  }
}

}  // namespace
}  // namespace tessera::contract
