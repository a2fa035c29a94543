// Queries that name the tenant are let be; those that do not are told with their line, in every
// corner where a query can hide. It is a heuristic: what it cannot know is tested as such.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tessera/contract/sql.h"

namespace tessera::contract {
namespace {

using Lines = std::vector<std::string>;

// "TC301 2 select of 'orders' without tenant_id"
Lines found(std::string_view sql, const SqlOptions& options = {}) {
  Lines lines;
  for (const Finding& finding : check_sql(sql, "q.sql", options)) {
    lines.push_back(std::string(rule(finding.rule).number) + " " +
                    std::to_string(finding.place.line) + " " + finding.what);
  }
  return lines;
}

TEST(Sql, QueriesWithTheTenantAreLetBe) {
  for (const std::string_view sql :
       {"SELECT * FROM orders WHERE tenant_id = ? AND public_id = ?",
        "select o.* from orders o join stores s using (tenant_id, store_id) where o.id = 1",
        "SELECT * FROM orders o JOIN stores s ON s.id = o.store_id AND s.\"tenant_id\" = "
        "o.tenant_id",
        "UPDATE orders SET state = 1 WHERE public_id = ? AND tenant_id = ?",
        "DELETE FROM `orders` WHERE (`tenant_id` = 1 AND id < 5)",
        "INSERT INTO orders (id, tenant_id, public_id) VALUES (1, 2, 'x')",
        "INSERT INTO orders VALUES (1, 2, 'x')",
        "REPLACE INTO orders SET id = 1, tenant_id = 2",
        "WITH o AS (SELECT * FROM orders WHERE tenant_id = 1) SELECT * FROM o",
        "SELECT extract(year FROM made_at) FROM orders WHERE tenant_id = $1",
        "SELECT * FROM generate_series(1, total) AS n",
        "SELECT 1; SELECT now(); BEGIN; COMMIT",
        "SELECT a IS DISTINCT FROM b FROM orders WHERE tenant_id = 1",
        "SELECT * FROM information_schema.tables",
        "CREATE TABLE orders (id BIGINT)",
        "-- SELECT * FROM orders\n/* SELECT * FROM orders; */ # SELECT * FROM orders\n",
        "SELECT 'x; DELETE FROM orders' FROM t WHERE tenant_id = 1",
        "",
        ";;",
        "((",
        "))",
        "'",
        "\"",
        "SELECT * FROM orders WHERE tenant_id = 1 FOR UPDATE"}) {
    EXPECT_EQ(found(sql), Lines{}) << sql;
  }
}

TEST(Sql, QueriesWithoutTheTenantAreTold) {
  EXPECT_EQ(found("\nSELECT *\nFROM orders WHERE public_id = ?;"),
            Lines{"TC301 3 select of 'orders' without tenant_id"});
  EXPECT_EQ(found("SELECT tenant_id FROM shop.orders ORDER BY tenant_id"),
            Lines{"TC301 1 select of 'orders' without tenant_id"});
  EXPECT_EQ(found("UPDATE orders SET tenant_id = 1 WHERE id = 2"),
            Lines{"TC301 1 update of 'orders' without tenant_id"});
  EXPECT_EQ(found("DELETE FROM orders USING stores WHERE orders.store_id = stores.id"),
            Lines{"TC301 1 delete of 'orders', 'stores' without tenant_id"});
  EXPECT_EQ(found("INSERT INTO orders (id, public_id) VALUES (1, 'x')"
                  " ON CONFLICT (tenant_id, public_id) DO NOTHING"),
            Lines{"TC302 1 into 'orders' without tenant_id"});
  EXPECT_EQ(found("SELECT * FROM a, b LEFT JOIN c ON a.x = c.x"),
            Lines{"TC301 1 select of 'a', 'b', 'c' without tenant_id"});
}

TEST(Sql, QueriesInsideOfOthersCountByThemselves) {
  EXPECT_EQ(
      found("SELECT * FROM orders WHERE tenant_id = 1\n AND store_id IN (SELECT id FROM stores)"),
      Lines{"TC301 2 select of 'stores' without tenant_id"});
  EXPECT_EQ(found("SELECT * FROM (SELECT * FROM orders WHERE tenant_id = 1) x"), Lines{});
  EXPECT_EQ(found("SELECT 1 FROM orders WHERE tenant_id = 1 UNION SELECT 2 FROM stores"),
            Lines{"TC301 1 select of 'stores' without tenant_id"});
  EXPECT_EQ(found("WITH o AS (SELECT * FROM orders)\nSELECT * FROM o"),
            Lines{"TC301 1 select of 'orders' without tenant_id"});
  EXPECT_EQ(found("INSERT INTO a (tenant_id) SELECT tenant_id FROM b"),
            Lines{"TC301 1 select of 'b' without tenant_id"});
  EXPECT_EQ(found("SELECT * FROM a WHERE tenant_id = (SELECT max(tenant_id) FROM b)"),
            Lines{"TC301 1 select of 'b' without tenant_id"});
}

TEST(Sql, OnlyTablesThatHaveATenantCountIfThatIsKnown) {
  SqlOptions options;
  options.tenant_tables = {"orders"};
  EXPECT_EQ(found("SELECT * FROM country; SELECT * FROM orders", options),
            Lines{"TC301 1 select of 'orders' without tenant_id"});
  options.skip = {"ord*"};
  EXPECT_EQ(found("SELECT * FROM orders", options), Lines{});
  SqlOptions other;
  other.tenant_column = "account";
  other.only = {"o*"};
  EXPECT_EQ(found("SELECT * FROM orders WHERE account = 1; SELECT * FROM stores", other), Lines{});
}

TEST(Sql, ALongAndDeepTextIsReadToItsEnd) {
  const std::string deep = std::string(100'000, '(') + "SELECT * FROM orders";
  EXPECT_EQ(found("SELECT " + deep).size(), 1U);
  std::string nested;
  for (int i = 0; i < 3000; ++i) nested += "SELECT * FROM (";
  EXPECT_EQ(found(nested + "SELECT 1"), Lines{});
}

}  // namespace
}  // namespace tessera::contract
