// What was done before is told again only when it is on disk: InnoDB shows a commit before its log
// is, and PostgreSQL one whose wait for the standby was cancelled. Every answer of that kind must
// write something, for the sake of its commit, which then waits for all before it.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "support/registry_fixture.h"
#include "support/store_places.h"
#include "tessera/db/connection.h"
#include "tessera/store/store.h"
#include "tessera/ulid.h"

namespace tessera {
namespace {

struct ToldPlace {
  StoreKind kind;
  bool portable;
};

class ToldAgain : public testing::TestWithParam<ToldPlace> {
 protected:
  void SetUp() override {
    spot_ = new_spot(GetParam().kind);
    spot_.options.portable_statements = GetParam().portable;
    spot_.init();
    ASSERT_TRUE(init_registry(spot_.url, types_, spot_.options));
    store_ = spot_.open();
    ASSERT_TRUE(store_);
    registry_ = std::move(*store_->registry(types_));
    beside_ = std::move(*db::connect(spot_.url));
  }

  // How far the server's log reaches.
  std::string log_end() {
    const auto rows =
        beside_->query(GetParam().kind == StoreKind::mariadb
                           ? "SELECT variable_value FROM information_schema"
                             ".global_status WHERE variable_name = 'INNODB_LSN_CURRENT'"
                           : "SELECT pg_current_wal_insert_lsn()::text");
    EXPECT_TRUE(rows) << rows.error().message;
    return rows ? std::get<std::string>(rows->rows.at(0).at(0)) : "";
  }

  // Others write to the log now and then, the server itself among them, but not in every turn.
  void expect_to_write(const std::function<void()>& tell) {
    for (int turn = 0; turn < 10; ++turn) {
      const std::string before = log_end();
      tell();
      EXPECT_NE(log_end(), before) << "turn " << turn;
    }
  }

  NewEntry create(const char* type, std::string_view key = {}) {
    const NewEntry entry{++last_key_, Ulid::generate()->bytes};
    const auto made = registry_->create({.type = *types_.find(type),
                                         .tenant = "acme",
                                         .ancestors = {},
                                         .entries = std::span(&entry, 1),
                                         .idempotency_key = key});
    EXPECT_TRUE(made) << made.error().message;
    return made ? made->entries.at(0) : NewEntry{};
  }

  RegistryTypes types_ = shop_types();
  StoreSpot spot_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<RegistryStore> registry_;
  std::unique_ptr<db::Connection> beside_;
  std::int64_t last_key_ = 0;
};

TEST_P(ToldAgain, TheRangeOfAKey) {
  Scope scope;
  scope.name = "ORDER";
  ASSERT_TRUE(store_->scopes().create(scope));
  const auto draw = [&] { return store_->segments().draw({"ORDER", 7, "t", "key"}); };
  const auto first = draw();
  ASSERT_TRUE(first) << first.error().message;
  expect_to_write([&] {
    const auto again = draw();
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(again->segment, first->segment);
  });
}

TEST_P(ToldAgain, TheAnswerOfAnIdempotencyKey) {
  const NewEntry first = create("store", "key");
  expect_to_write([&] { EXPECT_EQ(create("store", "key").body, first.body); });
  // That it belongs to another request, too.
  expect_to_write([&] {
    const NewEntry entry{++last_key_, Ulid::generate()->bytes};
    const auto refused = registry_->create({.type = *types_.find("store"),
                                            .tenant = "acme",
                                            .ancestors = {},
                                            .entries = std::span(&entry, 1),
                                            .idempotency_key = "key",
                                            .digest = Ulid::generate()->bytes});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Error::Code::key_reused) << refused.error().message;
  });
}

TEST_P(ToldAgain, ARetirement) {
  const IssuedId id{*types_.find("store"), "acme", create("store").body};
  ASSERT_TRUE(registry_->retire(id));
  expect_to_write([&] {
    const auto again = registry_->retire(id);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->state, Issued::State::deleted);
  });
}

TEST_P(ToldAgain, AReturn) {
  const IssuedId id{*types_.find("note"), "acme", create("note").body};
  ASSERT_TRUE(registry_->retire(id));
  ASSERT_TRUE(registry_->undelete(id));
  expect_to_write([&] {
    const auto again = registry_->undelete(id);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->state, Issued::State::live);
  });
}

TEST_P(ToldAgain, ARaisedLease) {
  const auto lease = store_->leases().claim(
      {.scope = "SNOW", .layout = "twitter", .machine_min = 1, .machine_max = 9, .holder = "t"});
  ASSERT_TRUE(lease) << lease.error().message;
  expect_to_write([&] {
    const auto raised =
        store_->leases().raise({.scope = "SNOW", .machine = lease->machine, .token = lease->token});
    EXPECT_TRUE(raised) << raised.error().message;
  });
}

// What nobody has done is not told as done.
TEST_P(ToldAgain, WhatWasNeverIssuedStaysSo) {
  const IssuedId id{*types_.find("store"), "acme", Ulid::generate()->bytes};
  const auto answer = registry_->retire(id);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->state, Issued::State::never);
}

INSTANTIATE_TEST_SUITE_P(
    Servers, ToldAgain,
    testing::Values(ToldPlace{StoreKind::postgres, false}, ToldPlace{StoreKind::postgres, true},
                    ToldPlace{StoreKind::mariadb, false}, ToldPlace{StoreKind::mariadb, true}),
    [](const auto& at) { return name_of(at.param.kind) + (at.param.portable ? "_portable" : ""); });

}  // namespace
}  // namespace tessera
