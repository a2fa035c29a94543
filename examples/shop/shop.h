#pragma once

// The shop: products and orders of many tenants, by the ID contract.
//
//    BIGINT key     from a segment of Tessera; in tables only
//    public ID      prd_…, ord_…: each is a type of its own here, and all that a caller sees
//    tenant         in every statement
//
// Creation is idempotent: the caller's key and the row are one commit, so a request that is
// repeated, at once or after a crash, finds what it made.

#include <cstdint>
#include <string>
#include <string_view>

#include "database.h"
#include "tessera/public_id.h"
#include "tessera/segment/id_service.h"

namespace shop {

// An order can not be looked up by the ID of a product: that does not compile.
using ProductId = tessera::PublicId<"prd", tessera::PublicStyle::checked>;
using OrderId = tessera::PublicId<"ord", tessera::PublicStyle::checked>;
using Types = tessera::IdTypes<ProductId, OrderId>;

enum class Tenant : std::int64_t {};

struct Answer {
  unsigned status = 200;
  std::string body = {};      // JSON; a problem of RFC 9457 from 400 on
  std::string location = {};  // of what was created
  bool replayed = false;      // the answer to an earlier request with the same key
};

Answer problem(unsigned status, std::string_view code, std::string_view detail);

// For one thread: it has a connection of its own. `ids` may be shared.
class Shop {
 public:
  Shop(const std::string& database_url, tessera::IdService& ids)
      : database_(database_url), ids_(ids) {}

  // `path` is below the root: "/orders/ord_…". Never throws.
  Answer handle(Tenant tenant, std::string_view method, std::string_view path,
                std::string_view body, std::string_view idempotency_key);

 private:
  Answer route(Tenant tenant, std::string_view method, std::string_view path, std::string_view body,
               std::string_view idempotency_key);
  Answer add_product(Tenant tenant, std::string_view body, std::string_view key);
  Answer add_order(Tenant tenant, std::string_view body, std::string_view key);
  Answer find(Tenant tenant, const ProductId& id);
  Answer find(Tenant tenant, const OrderId& id);
  Answer list_products(Tenant tenant);
  Answer remove(Tenant tenant, const OrderId& id);
  std::int64_t next_key(std::string_view scope);

  Database database_;
  tessera::IdService& ids_;
};

}  // namespace shop
