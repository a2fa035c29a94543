// An API document is read through its references; every way to show a key or to let a client
// choose one is told with the line where it is written, in JSON and in YAML.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tessera/contract/openapi.h"

namespace tessera::contract {
namespace {

using Lines = std::vector<std::string>;

const Declared& shop() {
  static const Declared declared(
      {{{"order", "ord"}, "orders", ""}, {{"store", "sto"}, "stores", ""}});
  return declared;
}

Lines found(std::string_view text, const Declared& declared = shop()) {
  Lines lines;
  for (const Finding& finding : check_openapi(text, "api", declared)) {
    lines.push_back(std::string(rule(finding.rule).number) + " " +
                    std::to_string(finding.place.line) + " " + finding.place.path);
  }
  return lines;
}

constexpr std::string_view kGood = R"(openapi: 3.1.0
paths:
  /orders/{order_id}:
    parameters:
      - name: order_id
        in: path
        schema: {type: string, pattern: "^ord_[0-9A-HJKMNP-TV-Z]{26}$"}
      - {name: page, in: query, schema: {type: integer}}
    get:
      responses:
        "200":
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Order"}
    post:
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Order"}
components:
  schemas:
    Order:
      properties:
        id: {type: string, readOnly: true, example: ord_01ARZ3NDEKTSV4RRFFQ69G5FAV}
        quantity: {type: integer}
        ulid: {$ref: "#/components/schemas/OrderId", readOnly: true}
        public_id: {$ref: "#/components/schemas/MadeId"}
        next: {$ref: "#/components/schemas/Order"}
        other: {$ref: "other.yaml#/X"}
    OrderId: {type: string, pattern: "^ord_[0-9A-HJKMNP-TV-Z]{26}$"}
    MadeId: {type: string, readOnly: true, pattern: "^ord_[0-9A-HJKMNP-TV-Z]{26}$"}
)";

TEST(OpenApi, AGoodDocumentHasNoFindings) { EXPECT_EQ(found(kGood), Lines{}); }

TEST(OpenApi, ParametersThatAreNoPublicIdsAreTold) {
  EXPECT_EQ(found(R"(openapi: 3.1.0
paths:
  /stores/{store}/orders/{id}:
    get:
      parameters:
        - name: store
          in: path
          schema: {type: integer}
        - name: id
          in: path
          schema: {type: string, format: uuid}
        - name: order_id
          in: query
          schema: {type: string, pattern: "^sto_"}
        - name: user_id
          in: query
          schema: {type: string}
        - name: parent_id
          in: query
          schema: {type: string, pattern: "^[0-9A-Z]{26}$"}
        - name: key_id
          in: header
          schema: {type: string}
          example: 17
)"),
            (Lines{"TC201 8 GET /stores/{store}/orders/{id} {store}",
                   "TC203 11 GET /stores/{store}/orders/{id} {id}",
                   "TC204 14 GET /stores/{store}/orders/{id} {order_id}",
                   "TC206 17 GET /stores/{store}/orders/{id} {user_id}",
                   "TC202 20 GET /stores/{store}/orders/{id} {parent_id}",
                   "TC201 24 GET /stores/{store}/orders/{id} {key_id}"}));
}

constexpr std::string_view kJson = R"({"openapi": "3.0.3", "paths": {"/orders": {"post": {
 "requestBody": {"content": {"application/json": {"schema": {"allOf": [
   {"$ref": "#/components/schemas/New~1Order"}]}}}},
 "responses": {"201": {"$ref": "#/components/responses/Made"}}}}},
"components": {
 "schemas": {
  "New/Order": {"properties": {
    "id": {"type": "string", "example": "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"},
    "storeId": {"type": ["integer", "null"]}}},
  "Order": {"properties": {
    "id": {"type": "integer", "format": "int64"},
    "store": {"properties": {"id": {"type": "string", "format": "int64"}}},
    "orderIds": {"type": "array", "items": {"type": "number"}}},
   "example": {"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "store": {"id": "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"}}}},
 "responses": {"Made": {"content": {"application/json": {
   "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Order"}},
   "example": [{"id": 5, "note": "\ud83d\ude00"}]}}}}}}
)";

TEST(OpenApi, RequestsAndAnswersAreReadThroughReferences) {
  EXPECT_EQ(found(kJson),
            (Lines{"TC205 8 POST /orders /id", "TC201 9 #/components/schemas/New~1Order/storeId",
                   "TC201 17 POST /orders 201/*/id", "TC202 14 #/components/schemas/Order/id",
                   "TC204 14 #/components/schemas/Order/store/id",
                   "TC201 11 #/components/schemas/Order/id",
                   "TC201 12 #/components/schemas/Order/store/id",
                   "TC201 13 #/components/schemas/Order/orderIds/*"}));
}

TEST(OpenApi, WhatCannotBeReadIsAFinding) {
  EXPECT_EQ(found("{\"openapi\": \"3.1.0\",\n \"paths\": {,}}"), Lines{"TC001 2 "});
  EXPECT_EQ(found("a: b\n c: [\n"), Lines{"TC001 2 "});
  EXPECT_EQ(found("a: &x 1\nb: *x\n"), Lines{"TC001 2 "});
  EXPECT_EQ(found("{\"swagger\": \"2.0\"}"), Lines{"TC001 1 "});
  EXPECT_EQ(found("{\"openapi\": \"3.1.0\"}\n{}"), Lines{"TC001 2 "});
  EXPECT_EQ(found(""), Lines{"TC001 1 "});
  EXPECT_EQ(found(std::string(300, '[')), Lines{"TC001 1 "});
}

TEST(OpenApi, CirclesAndReferencesToNowhereEnd) {
  EXPECT_EQ(found(R"({"openapi":"3.1.0","paths":{"/a":{"$ref":"#/paths/~1a"}},
    "components":{"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A"},
    "C":{"items":{"$ref":"#/components/schemas/C"}},"D":{"$ref":"#/nowhere"},"E":{"$ref":"#"}}}})"),
            Lines{});
}

}  // namespace
}  // namespace tessera::contract
