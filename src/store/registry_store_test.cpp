// Every store keeps the contract of the registry, with its own statements and the portable ones.

#include <gtest/gtest.h>

#include <thread>

#include "support/durable_registry_contract.h"
#include "support/registry_audit_contract.h"
#include "support/registry_store_contract.h"
#include "support/store_places.h"
#include "tessera/db/connection.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

void forget_all(const StoreSpot& spot, const RegistryTypes& types) {
  auto connection = db::connect(spot.url);
  ASSERT_TRUE(connection) << connection.error().message;
  const std::string& table = spot.options.registry_table;
  std::string sql = "DELETE FROM " + table + "_keys; DELETE FROM " + table + "_work;";
  for (const auto& type : types.all()) {
    sql += "DELETE FROM " + table + "_of_" + type->id.prefix + ";";
    sql += "DELETE FROM " + table + "_gone_" + type->id.prefix + ";";
  }
  sql += "UPDATE " + table + "_types SET epoch = 1";
  const auto done = (*connection)->batch(sql);
  ASSERT_TRUE(done) << done.error().message;
}

// Making tables takes a server longer than a test does: they are made once, and emptied.
RegistryPlace sql_place(StoreKind kind, bool portable) {
  const auto made = std::make_shared<std::optional<StoreSpot>>();
  return {name_of(kind) + (portable ? "_portable" : ""), [=](const RegistryTypes& types) {
            if (!*made || kind == StoreKind::sqlite) {
              *made = new_spot(kind);
              (*made)->options.portable_statements = portable;
              (*made)->init();
              const auto done = init_registry((*made)->url, types, (*made)->options);
              EXPECT_TRUE(done) << done.error().message;
            } else {
              forget_all(**made, types);
            }
            return [spot = **made] { return spot.open(); };
          }};
}

RegistryPlace memory_place() {
  return {"memory", [](const auto&) {
            return []() -> std::unique_ptr<Store> { return std::move(*open_store("memory:")); };
          }};
}

const auto kSqlPlaces =
    testing::Values(sql_place(StoreKind::sqlite, false), sql_place(StoreKind::sqlite, true),
                    sql_place(StoreKind::postgres, false), sql_place(StoreKind::postgres, true),
                    sql_place(StoreKind::mariadb, false), sql_place(StoreKind::mariadb, true));

INSTANTIATE_TEST_SUITE_P(Memory, RegistryStoreContract, testing::Values(memory_place()),
                         registry_name);
INSTANTIATE_TEST_SUITE_P(Sql, RegistryStoreContract, kSqlPlaces, registry_name);
INSTANTIATE_TEST_SUITE_P(Memory, RegistryAuditContract, testing::Values(memory_place()),
                         registry_name);
INSTANTIATE_TEST_SUITE_P(Sql, RegistryAuditContract, kSqlPlaces, registry_name);
INSTANTIATE_TEST_SUITE_P(Sql, DurableRegistryContract, kSqlPlaces, registry_name);

class RegistrySchema : public testing::TestWithParam<StoreKind> {};
INSTANTIATE_TEST_SUITE_P(Sql, RegistrySchema,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres,
                                         StoreKind::mariadb),
                         [](const auto& of) { return name_of(of.param); });

// What a creation holds while it is under way, with a second connection that gets in its way.
struct LockCase {
  StoreKind kind;
  bool portable;
  std::size_t count = 1;  // of what is created
};
class RegistryLocks : public testing::TestWithParam<LockCase> {
 protected:
  using State = Issued::State;

  void SetUp() override {
    spot_ = new_spot(GetParam().kind);
    spot_.options.portable_statements = GetParam().portable;
    spot_.init();
    const auto made = init_registry(spot_.url, types_, spot_.options);
    ASSERT_TRUE(made) << made.error().message;
    store_ = spot_.open();
    registry_ = std::move(*store_->registry(types_));
    other_ = std::move(*db::connect(spot_.url));
    ASSERT_TRUE(registry_->create({.type = store_type_,
                                   .tenant = "acme",
                                   .ancestors = {},
                                   .entries = std::span(&parent_, 1)}));
  }
  // Somebody changes the row of the parent, and has not decided yet.
  void begin_retiring() {
    const std::string sql =
        "UPDATE " + spot_.options.registry_table + "_of_st SET state = 2, deleted_ms = 1";
    ASSERT_TRUE(other_->batch("BEGIN"));
    ASSERT_TRUE(other_->batch(sql));
  }
  Result<CreateAnswer, Error> create_child() {
    return registry_->create({.type = shelf_type_,
                              .tenant = "acme",
                              .ancestors = std::span(&parent_.body, 1),
                              .entries = std::span(children_).first(GetParam().count)});
  }

  RegistryTypes types_ = contract_types();
  const RegisteredType& store_type_ = *types_.find("store");
  const RegisteredType& shelf_type_ = *types_.find("shelf");
  const NewEntry parent_{1, Ulid::generate()->bytes};
  const std::array<NewEntry, 2> children_ = {NewEntry{2, Ulid::generate()->bytes},
                                             NewEntry{3, Ulid::generate()->bytes}};
  const NewEntry& child_ = children_[0];
  StoreSpot spot_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<RegistryStore> registry_;
  std::unique_ptr<db::Connection> other_;
};
INSTANTIATE_TEST_SUITE_P(Sql, RegistryLocks,
                         testing::Values(LockCase{StoreKind::postgres, false},
                                         LockCase{StoreKind::postgres, true},
                                         LockCase{StoreKind::mariadb, false},
                                         LockCase{StoreKind::mariadb, true},
                                         LockCase{StoreKind::postgres, false, 2},
                                         LockCase{StoreKind::mariadb, false, 2}),
                         [](const auto& of) {
                           return name_of(of.param.kind) + (of.param.portable ? "_portable" : "") +
                                  (of.param.count > 1 ? "_batch" : "");
                         });

TEST_P(RegistryLocks, ACreationWaitsForAParentThatMayBeEnding) {
  begin_retiring();
  std::atomic<bool> done{false};
  std::thread creator([&] {
    const auto made = create_child();
    done = true;
    EXPECT_FALSE(made);
    EXPECT_TRUE(made || made.error().code == Error::Code::not_found);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(done) << "it did not look whether its parent is ending";
  EXPECT_TRUE(other_->batch("COMMIT"));
  creator.join();
  EXPECT_EQ(registry_->find({shelf_type_, "acme", child_.body})->state, State::never);
}

TEST_P(RegistryLocks, ABarrierWaitsForACreationThatHasReadTheClock) {
  begin_retiring();
  std::thread creator([&] {
    const auto made = create_child();
    EXPECT_TRUE(made) << made.error().message;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::size_t count = 0;
  std::int64_t barrier_ms = 0;
  std::thread reader([&] {
    const auto barrier = registry_->barrier(shelf_type_);
    ASSERT_TRUE(barrier) << barrier.error().message;
    barrier_ms = barrier->now_ms;
    const auto page = registry_->issued(shelf_type_, 0, 0, 10);
    ASSERT_TRUE(page);
    count = page->filter_keys.size();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(other_->batch("ROLLBACK"));
  creator.join();
  reader.join();
  const auto child = registry_->find({shelf_type_, "acme", child_.body});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->state, State::live);
  const bool behind = static_cast<std::int64_t>(child->created_ms) >= barrier_ms;
  EXPECT_TRUE(count == GetParam().count || behind) << "it read an older clock, and was not there";
}

RegistryTypes one_type(RegistryType::Storage storage) {
  TypeTable table;
  EXPECT_TRUE(table.add({"store", "st"}));
  return std::move(*RegistryTypes::make(
      table, {{.name = "store", .collection = "stores", .scope = "S", .storage = storage}}));
}

TEST_P(RegistrySchema, IsMadeOnceAndKeepsItsForm) {
  const StoreSpot spot = new_spot(GetParam());
  spot.init();
  const auto store = spot.open();
  const auto types = one_type(RegistryType::Storage::text);
  const auto missing = store->registry(types);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Error::Code::store_schema);
  for (int i = 0; i < 2; ++i) {
    const auto made = init_registry(spot.url, types, spot.options);
    ASSERT_TRUE(made) << made.error().message;
  }
  EXPECT_TRUE(store->registry(types));
  const auto others = one_type(RegistryType::Storage::bytes);
  EXPECT_FALSE(store->registry(others));
  const auto changed = init_registry(spot.url, others, spot.options);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, Error::Code::store_schema);
  EXPECT_TRUE(store->registry(types));
}

TEST_P(RegistrySchema, TakesOnlyNamesThatFit) {
  StoreSpot spot = new_spot(GetParam());
  spot.init();
  const auto types = one_type(RegistryType::Storage::text);
  for (const auto* name : {"", "a b", "a\"b", "1a", "A", "abcdefghijklmnopqrstuvwxyz"}) {
    spot.options.registry_table = name;
    const auto made = init_registry(spot.url, types, spot.options);
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, Error::Code::invalid_request);
  }
}

// The contract of the tables: nothing is unique on public_id alone, and no check symbol is stored.
TEST_P(RegistrySchema, StoresTextWithoutItsCheckSymbols) {
  const StoreSpot spot = new_spot(GetParam());
  spot.init();
  TypeTable table;
  ASSERT_TRUE(table.add({"store", "st", PublicStyle::checked}));
  const auto types = std::move(
      *RegistryTypes::make(table, {{.name = "store", .collection = "stores", .scope = "S"}}));
  ASSERT_TRUE(init_registry(spot.url, types, spot.options));
  const auto store = spot.open();
  const auto registry = std::move(*store->registry(types));
  const RegisteredType& type = *types.find("store");
  const NewEntry one{1, Ulid::generate()->bytes};
  ASSERT_TRUE(registry->create(
      {.type = type, .tenant = "a", .ancestors = {}, .entries = std::span(&one, 1)}));
  auto connection = db::connect(spot.url);
  ASSERT_TRUE(connection);
  const auto rows =
      (*connection)
          ->query("SELECT public_id FROM " + spot.options.registry_table + "_of_st WHERE id = 1");
  ASSERT_TRUE(rows) << rows.error().message;
  const std::string shown = type.text_of(one.body);
  EXPECT_EQ(std::get<std::string>(rows->rows.at(0).at(0)), shown.substr(0, shown.size() - 2));
  for (int i = 0; i < 2; ++i) {  // whether or not the caller has the text, and a hint is there
    EXPECT_EQ(registry->find({type, "a", one.body, shown})->key, 1);
    EXPECT_EQ(registry->find({type, "a", one.body})->key, 1);
    EXPECT_EQ(registry->find({type, "b", one.body, shown})->state, Issued::State::never);
  }
  const NewEntry same{2, one.body};
  EXPECT_TRUE(registry->create(
      {.type = type, .tenant = "b", .ancestors = {}, .entries = std::span(&same, 1)}));
}

// A row that somebody has changed by hand is no other ID, and no zeros.
TEST_P(RegistrySchema, WhatCannotBeReadIsAnError) {
  const StoreSpot spot = new_spot(GetParam());
  spot.init();
  const auto types = contract_types();
  ASSERT_TRUE(init_registry(spot.url, types, spot.options));
  const auto store = spot.open();
  const auto registry = std::move(*store->registry(types));
  const auto create = [&](const char* type, std::int64_t key, std::span<const IdBody> above) {
    const NewEntry entry{key, Ulid::generate()->bytes};
    const auto made = registry->create({.type = *types.find(type),
                                        .tenant = "acme",
                                        .ancestors = above,
                                        .entries = std::span(&entry, 1),
                                        .idempotency_key = type});
    EXPECT_TRUE(made) << made.error().message;
    return entry;
  };
  const NewEntry parent = create("store", 1, {});
  const NewEntry child = create("shelf", 2, std::span(&parent.body, 1));
  const NewEntry person = create("person", 3, {});
  const NewEntry letter = create("letter", 4, std::span(&person.body, 1));
  ASSERT_TRUE(registry->retire({*types.find("letter"), "acme", letter.body}));

  const std::string& table = spot.options.registry_table;
  auto other = std::move(*db::connect(spot.url));
  for (const std::string& sql :
       {"UPDATE " + table + "_of_st SET public_id = 'st_01M0MBZ8ZEKMQP3G3V2KM579H'",
        "UPDATE " + table + "_of_let SET public_id = 'let_'",
        "UPDATE " + table + "_keys SET answer = digest"}) {
    const auto done = other->batch(sql);
    ASSERT_TRUE(done) << done.error().message;
  }
  const auto is_told = [](const auto& answer) {
    return !answer && answer.error().code == Error::Code::store_failed;
  };
  const RegisteredType& store_type = *types.find("store");
  EXPECT_TRUE(is_told(registry->find({*types.find("shelf"), "acme", child.body})));
  EXPECT_TRUE(is_told(registry->list({.type = store_type, .tenant = "acme"})));
  EXPECT_TRUE(is_told(registry->issued(store_type, 0, 0, 10)));
  for (const std::size_t damaged : {1u, 0u}) {  // then it is put off, and holds up nobody
    const auto swept = registry->sweep(10);
    ASSERT_TRUE(swept) << swept.error().message;
    EXPECT_EQ(swept->damaged, damaged);
    EXPECT_EQ(swept->ended, 0u) << "the wrong tombstone would be buried";
    EXPECT_FALSE(swept->more);
  }
  const NewEntry again{5, Ulid::generate()->bytes};
  EXPECT_TRUE(is_told(registry->create({.type = store_type,
                                        .tenant = "acme",
                                        .ancestors = {},
                                        .entries = std::span(&again, 1),
                                        .idempotency_key = "store"})));
}

}  // namespace
}  // namespace tessera
