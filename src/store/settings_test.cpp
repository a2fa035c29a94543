// A store whose settings may lose what it has confirmed is refused, with the name of the setting;
// who insists may have it.

#include "store/settings.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "support/store_places.h"
#include "tessera/db/connection.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

using Code = Error::Code;
using servers::Server;

void expect_refused(const std::string& url, const OpenOptions& options, const std::string& why) {
  const auto store = open_store(url, options);
  ASSERT_FALSE(store) << why;
  EXPECT_EQ(store.error().code, Code::store_unsafe) << store.error().message;
  EXPECT_NE(store.error().message.find(why), std::string::npos) << store.error().message;
  EXPECT_FALSE(store.error().hint.empty());
  EXPECT_EQ(store.error().message.find("s3cret"), std::string::npos);
  auto insisting = options;
  insisting.accept_duplicate_risk = true;
  const auto accepted = open_store(url, insisting);
  ASSERT_TRUE(accepted) << accepted.error().message;
  const auto status = (*accepted)->status();
  ASSERT_TRUE(status);
  EXPECT_TRUE(std::ranges::any_of(status->settings, [](const auto& one) { return !one.safe; }));
}

TEST(Settings, UnsafeOnesOfSqliteAreRefused) {
  const auto spot = new_spot(StoreKind::sqlite);
  spot.init();
  EXPECT_NE(spot.open(), nullptr);
  expect_refused(spot.url + "?synchronous=normal", spot.options, "synchronous is 'normal'");
  expect_refused(spot.url + "?synchronous=off", spot.options, "synchronous is 'off'");
  for (const char* mode : {"memory", "off", "truncate", "persist"}) {
    expect_refused(spot.url + "?journal=" + mode, spot.options,
                   "journal_mode is '" + std::string(mode));
  }
  expect_refused(spot.url + "?journal=delete&synchronous=full", spot.options,
                 "synchronous is 'full'");
  const auto rollback = open_store(spot.url + "?journal=delete", spot.options);
  ASSERT_TRUE(rollback) << rollback.error().message;
  EXPECT_TRUE((*rollback)->scopes().list());
}

TEST(Settings, FileSystemsOfOtherMachinesAreNotSafe) {
  for (const long type : {0x6969L, 0x517BL, 0xFE534D42L, 0xFF534D42L, 0x01021997L, 0x65735546L}) {
    EXPECT_FALSE(file_system_of(type).safe) << file_system_of(type).name;
  }
  EXPECT_FALSE(file_system_of(static_cast<int>(0xFF534D42U)).safe) << "where long has 32 bits";
  for (const long type : {0xEF53L, 0x58465342L, 0x9123683EL, 0x2FC12FC1L}) {
    EXPECT_TRUE(file_system_of(type).safe) << file_system_of(type).name;
  }
}

TEST(Settings, UnsafeOnesOfPostgresAreRefused) {
  Server& server = servers::breakable(Server::Kind::postgres);
  OpenOptions options;
  const std::string url = server.fresh_database();
  ASSERT_TRUE(init_store(url, options));
  ASSERT_TRUE(open_store(url, options));
  for (const char* setting : {"fsync", "full_page_writes"}) {
    server.run("ALTER SYSTEM SET " + std::string(setting) + " = off");
    server.restart();
    expect_refused(url, options, std::string(setting) + " is 'off'");
    EXPECT_EQ(init_store(url, options).error().code, Code::store_unsafe);
    server.run("ALTER SYSTEM RESET " + std::string(setting));
  }
  server.restart();
  const std::string database = url.substr(url.rfind('/') + 1);
  server.run("ALTER TABLE bc_id_segment SET UNLOGGED", database);
  expect_refused(url, options, "unlogged bc_id_segment is 'on'");
  server.run("ALTER TABLE bc_id_segment SET LOGGED; ALTER TABLE bc_id_segment_log SET UNLOGGED",
             database);
  expect_refused(url, options, "unlogged bc_id_segment_log is 'on'");
  server.run("ALTER TABLE bc_id_segment_log SET LOGGED", database);
  EXPECT_TRUE(open_store(url, options));
}

// What a role or a database has as its default is overruled by our session.
TEST(Settings, PostgresCommitsDurablyWhateverTheRoleSays) {
  Server& server = servers::postgres();
  const auto spot = new_spot(StoreKind::postgres);
  spot.init();
  const std::string database = spot.url.substr(spot.url.rfind('/') + 1);
  server.run("ALTER DATABASE " + database + " SET synchronous_commit = off;");
  server.run("ALTER DATABASE " + database + " SET default_transaction_isolation = 'serializable'");
  server.run("ALTER DATABASE " + database + " SET default_transaction_read_only = on");
  const auto store = spot.open();
  ASSERT_NE(store, nullptr);
  const auto status = store->status();
  ASSERT_TRUE(status) << status.error().message;
  for (const auto& setting : status->settings) {
    EXPECT_TRUE(setting.safe) << setting.name;
    if (setting.name == "synchronous_commit") {
      EXPECT_EQ(setting.value, "on");
    }
  }
  Scope scope;
  scope.name = "A";
  EXPECT_TRUE(store->scopes().create(scope));
  EXPECT_TRUE(store->segments().draw({"A", 1}));
  for (const char* name :
       {"synchronous_commit", "default_transaction_isolation", "default_transaction_read_only"}) {
    server.run("ALTER DATABASE " + database + " RESET " + name);
  }
}

TEST(Settings, UnsafeOnesOfMariadbAreRefused) {
  Server& server = servers::breakable(Server::Kind::mariadb);
  OpenOptions options;
  const std::string url = server.fresh_database();
  const std::string database = url.substr(url.rfind('/') + 1);
  ASSERT_TRUE(init_store(url, options));
  for (const char* value : {"0", "2"}) {
    server.run("SET GLOBAL innodb_flush_log_at_trx_commit = " + std::string(value));
    expect_refused(url, options, "innodb_flush_log_at_trx_commit is '" + std::string(value));
  }
  server.run("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
  EXPECT_TRUE(open_store(url, options));
  server.run("ALTER TABLE bc_id_segment ENGINE=MyISAM", database);
  expect_refused(url, options, "engine bc_id_segment is 'MyISAM'");
  server.run("ALTER TABLE bc_id_segment ENGINE=InnoDB; ALTER TABLE bc_id_segment_log ENGINE=Aria",
             database);
  expect_refused(url, options, "engine bc_id_segment_log is 'Aria'");
  server.run("ALTER TABLE bc_id_segment_log ENGINE=InnoDB", database);
  server.run("SET GLOBAL sql_mode = ''");  // ours is of our session
  EXPECT_TRUE(open_store(url, options));

  server.restart_with({"sysdate-is-now"});
  expect_refused(url, options, "sysdate_is_now is 'ON'");
  server.restart_with({"skip-innodb-doublewrite"});
  expect_refused(url, options, "innodb_doublewrite is 'OFF'");
  server.restart_with({"log-bin=binlog", "sync-binlog=0"});
  expect_refused(url, options, "sync_binlog is '0'");
  server.run("SET GLOBAL sync_binlog = 1");
  EXPECT_TRUE(open_store(url, options));
  server.run("SET GLOBAL binlog_format = 'STATEMENT'");
  expect_refused(url, options, "binlog_format is 'STATEMENT'");
}

// A server that was made unsafe after we had connected is found out by the next connection.
TEST(Settings, EveryNewConnectionIsChecked) {
  Server& server = servers::breakable(Server::Kind::mariadb);
  const std::string url = server.fresh_database();
  ASSERT_TRUE(init_store(url));
  auto store = open_store(url);
  ASSERT_TRUE(store);
  Scope scope;
  scope.name = "A";
  ASSERT_TRUE((*store)->scopes().create(scope));
  server.restart_with({"innodb-flush-log-at-trx-commit=0"});
  const auto drawn = (*store)->segments().draw({"A", 1});
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().code, Code::store_unsafe) << drawn.error().message;
}

// The tables of a registry are looked at as those of segments are.
TEST(Settings, TablesOfARegistryMustBeDurable) {
  TypeTable table;
  ASSERT_TRUE(table.add({"store", "st"}));
  const auto types =
      RegistryTypes::make(table, {{.name = "store", .collection = "stores", .scope = "S"}});
  ASSERT_TRUE(types);
  struct Case {
    StoreKind kind;
    std::string break_it, mend_it, why;
  };
  const std::array<Case, 2> cases = {{
      {StoreKind::postgres, "SET UNLOGGED", "SET LOGGED", "unlogged "},
      {StoreKind::mariadb, "ENGINE=Aria", "ENGINE=InnoDB", "engine "},
  }};
  for (const auto& [kind, break_it, mend_it, why] : cases) {
    const auto spot = new_spot(kind);
    spot.init();
    ASSERT_TRUE(init_registry(spot.url, *types, spot.options));
    auto connection = db::connect(spot.url);
    ASSERT_TRUE(connection);
    for (const char* part : {"_types", "_keys", "_work", "_of_st", "_gone_st"}) {
      const std::string name = spot.options.registry_table + part;
      ASSERT_TRUE((*connection)->batch("ALTER TABLE " + name + " " + break_it)) << name;
      expect_refused(spot.url, spot.options, why + name + " is '");
      ASSERT_TRUE((*connection)->batch("ALTER TABLE " + name + " " + mend_it)) << name;
    }
    EXPECT_NE(spot.open(), nullptr);
  }
}

TEST(Settings, StatusTellsAllAndNoPassword) {
  for (const auto kind : {StoreKind::sqlite, StoreKind::postgres, StoreKind::mariadb}) {
    const auto spot = new_spot(kind);
    spot.init();
    const auto status = spot.open()->status();
    ASSERT_TRUE(status);
    EXPECT_EQ(status->schema.version, status->schema.newest);
    EXPECT_GE(status->settings.size(), 3U);
    EXPECT_NE(status->server.find('.'), std::string::npos) << status->server;
    EXPECT_EQ(status->url.find("s3cret"), std::string::npos) << status->url;
    for (const auto& setting : status->settings) EXPECT_TRUE(setting.safe) << setting.name;
  }
}

}  // namespace
}  // namespace tessera
