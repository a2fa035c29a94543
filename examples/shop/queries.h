#pragma once

// Every statement of the shop. $1 is always the tenant; the test gives them all to
// `tessera contract check --sql`.

namespace shop::sql {

// A key that was used before changes nothing; what it made then is found by it.
inline constexpr const char* kAddProduct = R"sql(
  INSERT INTO products (tenant_id, request_key, id, public_id, name, price_cents)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant_id, request_key) DO NOTHING)sql";

inline constexpr const char* kProductOfRequest = R"sql(
  SELECT public_id, name, price_cents FROM products WHERE tenant_id = $1 AND request_key = $2)sql";

inline constexpr const char* kProduct = R"sql(
  SELECT public_id, name, price_cents FROM products WHERE tenant_id = $1 AND public_id = $2)sql";

inline constexpr const char* kProducts = R"sql(
  SELECT public_id, name, price_cents FROM products WHERE tenant_id = $1 ORDER BY public_id LIMIT 100)sql";

// The product is named by its public ID; its key never leaves the statement.
inline constexpr const char* kAddOrder = R"sql(
  INSERT INTO orders (tenant_id, request_key, id, public_id, product_id, quantity)
  SELECT $1, $2, $3, $4, p.id, $6 FROM products p WHERE p.tenant_id = $1 AND p.public_id = $5
  ON CONFLICT (tenant_id, request_key) DO NOTHING)sql";

inline constexpr const char* kOrderOfRequest = R"sql(
  SELECT o.public_id, p.public_id, o.quantity, o.deleted_at
  FROM orders o JOIN products p ON p.tenant_id = o.tenant_id AND p.id = o.product_id
  WHERE o.tenant_id = $1 AND o.request_key = $2)sql";

inline constexpr const char* kOrder = R"sql(
  SELECT o.public_id, p.public_id, o.quantity, o.deleted_at
  FROM orders o JOIN products p ON p.tenant_id = o.tenant_id AND p.id = o.product_id
  WHERE o.tenant_id = $1 AND o.public_id = $2)sql";

// The row stays, as a tombstone: the ID is never anything else, and 410 is not 404.
inline constexpr const char* kDeleteOrder = R"sql(
  UPDATE orders SET deleted_at = now() WHERE tenant_id = $1 AND public_id = $2 AND deleted_at IS NULL)sql";

}  // namespace shop::sql
