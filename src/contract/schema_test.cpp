// Tables of three real databases: what is found in a shop is what was reviewed, line by line;
// looking changes nothing; and what each rule is about goes away when it is mended.

#include "tessera/contract/schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "support/servers.h"

namespace tessera::contract {
namespace {

using db::Engine;

std::string file_text(const std::string& name) {
  std::ifstream file(std::string(TESSERA_CONTRACT_DIR) + "/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The lines of shop_findings.tsv that are for this engine: "TC101 error orders".
std::multiset<std::string> reviewed(char engine) {
  std::multiset<std::string> lines;
  std::istringstream text(file_text("shop_findings.tsv"));
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t tab = line.find('\t');
    if (line.substr(0, tab).find(engine) != std::string::npos) lines.insert(line.substr(tab + 1));
  }
  return lines;
}

std::multiset<std::string> lines_of(const Findings& findings) {
  std::multiset<std::string> lines;
  for (const Finding& finding : findings) {
    EXPECT_FALSE(finding.what.empty());
    lines.insert(std::string(rule(finding.rule).number) + "\t" +
                 std::string(name_of(finding.level)) + "\t" + finding.place.to_string());
  }
  return lines;
}

class SchemaTest : public testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    switch (GetParam()) {
      case Engine::sqlite: url_ = "sqlite:" + folder_ / "shop.db"; break;
      case Engine::postgres: url_ = servers::postgres().fresh_database(); break;
      case Engine::mariadb: url_ = servers::mariadb().fresh_database(); break;
    }
    auto made = db::connect(url_);
    ASSERT_TRUE(made) << made.error().message;
    connection_ = std::move(*made);
  }
  void run(const std::string& sql) {
    const auto done = connection_->script(sql);
    ASSERT_TRUE(done) << done.error().message;
  }
  Findings check(const SchemaOptions& options = {}, const Declared& declared = {}) {
    const auto schema = read_schema(*connection_);
    EXPECT_TRUE(schema) << schema.error().message;
    if (!schema) return {};
    Findings findings = check_schema(*schema, options);
    const auto marks = check_marks(*connection_, *schema, declared, options);
    EXPECT_TRUE(marks) << marks.error().message;
    if (marks) findings.insert(findings.end(), marks->begin(), marks->end());
    return findings;
  }
  char letter() const {
    return GetParam() == Engine::sqlite ? 's' : GetParam() == Engine::postgres ? 'p' : 'm';
  }
  std::string shop() const {
    return file_text(GetParam() == Engine::sqlite     ? "shop_sqlite.sql"
                     : GetParam() == Engine::postgres ? "shop_postgres.sql"
                                                      : "shop_mariadb.sql");
  }

  servers::TemporaryFolder folder_;
  std::string url_;
  std::unique_ptr<db::Connection> connection_;
};

TEST_P(SchemaTest, AShopHasWhatWasReviewedAndNothingElse) {
  run(shop());
  const auto found = lines_of(check());
  const auto expected = reviewed(letter());
  EXPECT_GT(expected.size(), 25U);
  for (const std::string& line : expected) EXPECT_TRUE(found.contains(line)) << "missing: " << line;
  for (const std::string& line : found) EXPECT_TRUE(expected.contains(line)) << "new: " << line;
  EXPECT_EQ(found.size(), expected.size());
}

TEST_P(SchemaTest, WhatIsMendedIsFoundNoMore) {
  run("CREATE TABLE bc_user (id BIGINT NOT NULL PRIMARY KEY, tenant_id BIGINT NOT NULL,"
      " public_id VARCHAR(64) NOT NULL, UNIQUE (public_id, tenant_id));");
  run("CREATE TABLE bc_id_segment (scope VARCHAR(64) NOT NULL PRIMARY KEY, max_id BIGINT NOT NULL,"
      " step INT NOT NULL);");
  run("INSERT INTO bc_id_segment VALUES ('USER', 9, 10);"
      "INSERT INTO bc_user VALUES (10, 1, 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV');");
  const auto found = lines_of(check());
  EXPECT_EQ(found, (std::multiset<std::string>{"TC113\terror\tbc_user.id"}));
  run("UPDATE bc_id_segment SET max_id = 10;");
  EXPECT_TRUE(check().empty());
}

TEST_P(SchemaTest, ASegmentTableThatIsNotSoundIsTold) {
  run("CREATE TABLE bc_id_segment (scope VARCHAR(64) NOT NULL, max_id INT, other INT);");
  const auto found = lines_of(check());
  EXPECT_TRUE(found.contains("TC112\terror\tbc_id_segment"));         // no primary key
  EXPECT_TRUE(found.contains("TC112\terror\tbc_id_segment.max_id"));  // may be NULL
  EXPECT_TRUE(found.contains("TC112\terror\tbc_id_segment.step"));    // is not there
  SchemaOptions options;
  options.segment_table = "numbers";
  options.skip = {"bc_*"};
  EXPECT_EQ(lines_of(check(options)), (std::multiset<std::string>{"TC112\twarning\tnumbers"}));
}

TEST_P(SchemaTest, ASegmentTableThatACrashMayTakeIsTold) {
  const std::string columns =
      " bc_id_segment (scope VARCHAR(64) NOT NULL PRIMARY KEY, max_id BIGINT NOT NULL,"
      " step INT NOT NULL)";
  std::multiset<std::string> expected = {"TC112\terror\tbc_id_segment"};
  switch (GetParam()) {
    case Engine::postgres: run("CREATE UNLOGGED TABLE" + columns + ";"); break;
    case Engine::mariadb: run("CREATE TABLE" + columns + " ENGINE=MyISAM;"); break;
    case Engine::sqlite:  // keeps all tables of a file alike
      run("CREATE TABLE" + columns + ";");
      expected.clear();
  }
  EXPECT_EQ(lines_of(check()), expected);
  if (GetParam() == Engine::postgres) run("ALTER TABLE bc_id_segment SET LOGGED;");
  if (GetParam() == Engine::mariadb) run("ALTER TABLE bc_id_segment ENGINE=InnoDB;");
  EXPECT_TRUE(check().empty());
}

TEST_P(SchemaTest, OnlyAndSkipAndScopesAreHeeded) {
  run(shop());
  SchemaOptions options;
  options.only = {"bc_store", "bc_o*"};
  options.skip = {"bc_order"};
  options.scopes["bc_store"] = "PRODUCT";
  // Of the scope that was told the mark is 2000.
  std::multiset<std::string> expected = {"TC112\terror\tbc_id_segment.PRODUCT",
                                         "TC113\terror\tbc_store.id"};
  const Findings findings = check(options);
  EXPECT_EQ(lines_of(findings), expected);
  EXPECT_NE(findings.back().what.find("'PRODUCT' is 2000"), std::string::npos)
      << findings.back().what;
}

TEST_P(SchemaTest, ADeclaredTypeSaysItsScope) {
  run(shop());
  SchemaOptions options;
  options.only = {"bc_order"};
  const Declared declared({{{"order", "ord"}, "orders", "PRODUCT"}});
  const auto found = lines_of(check(options, declared));
  EXPECT_FALSE(found.contains("TC114\twarning\tbc_order.id"));
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

TEST(SchemaOfAFile, IsReadWithoutAWrite) {
  const servers::TemporaryFolder folder;
  const std::string path = folder / "shop.db";
  {
    const auto made = db::connect("sqlite:" + path + "?journal=delete");
    ASSERT_TRUE(made);
    ASSERT_TRUE((*made)->script("CREATE TABLE bc_user (id BIGINT NOT NULL PRIMARY KEY);"));
  }
  const std::string before = bytes_of(path);
  ASSERT_GT(before.size(), 1000U);
  db::ConnectOptions options;
  options.read_only = true;
  const auto again = db::connect("sqlite:" + path, options);
  ASSERT_TRUE(again) << again.error().message;
  const auto schema = read_schema(**again);
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->tables.size(), 1U);
  EXPECT_FALSE((*again)->script("CREATE TABLE t (n BIGINT);"));
  EXPECT_EQ(bytes_of(path), before);  // also the bytes that say how its journal is kept
  EXPECT_FALSE(std::ifstream(path + "-wal").good());
  EXPECT_FALSE(db::connect("sqlite:" + folder / "absent.db", options));
  EXPECT_FALSE(std::ifstream(folder / "absent.db").good());
}

INSTANTIATE_TEST_SUITE_P(Engines, SchemaTest,
                         testing::Values(Engine::sqlite, Engine::postgres, Engine::mariadb),
                         [](const auto& param) {
                           return param.param == Engine::sqlite     ? std::string("sqlite")
                                  : param.param == Engine::postgres ? std::string("postgres")
                                                                    : std::string("mariadb");
                         });

}  // namespace
}  // namespace tessera::contract
