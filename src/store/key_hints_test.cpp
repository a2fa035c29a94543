// A hint is for the ID it was kept for, and a wrong one makes no wrong answer.

#include "store/key_hints.h"

#include <gtest/gtest.h>

#include <random>

#include "support/registry_fixture.h"
#include "support/store_places.h"
#include "tessera/db/connection.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

TEST(KeyHints, AreOfOneTenantOneTypeOneId) {
  const auto types = shop_types();
  const RegisteredType& store = *types.find("store");
  const IdBody body = Ulid::generate()->bytes;
  IdBody other = body;
  ++other[15];
  KeyHints hints;
  EXPECT_FALSE(hints.find({store, "acme", body}));
  hints.keep({store, "acme", body}, 41);
  EXPECT_EQ(hints.find({store, "acme", body}), 41);
  EXPECT_FALSE(hints.find({store, "zenith", body}));
  EXPECT_FALSE(hints.find({*types.find("note"), "acme", body}));
  EXPECT_FALSE(hints.find({store, "acme", other}));
  hints.keep({store, "acme", body}, 42);
  EXPECT_EQ(hints.find({store, "acme", body}), 42);
}

// IDs whose hints meet in one place do not take it from each other in turns.
TEST(KeyHints, FourThatMeetAreAllKept) {
  const auto types = shop_types();
  const RegisteredType& store = *types.find("store");
  constexpr std::int64_t kCount = KeyHints::kCount / 16;
  std::mt19937_64 random(20'261'119);
  std::vector<IdBody> bodies;
  for (std::int64_t i = 0; i < kCount; ++i) {
    bodies.push_back(detail::store_pair({1, random()}));
  }
  KeyHints hints;
  for (std::int64_t i = 0; i < kCount; ++i) {
    hints.keep({store, "acme", bodies[static_cast<std::size_t>(i)]}, i);
  }
  std::int64_t lost = 0;
  for (std::int64_t i = 0; i < kCount; ++i) {
    const auto key = hints.find({store, "acme", bodies[static_cast<std::size_t>(i)]});
    lost += key ? 0 : 1;
    EXPECT_EQ(key.value_or(i), i);
  }
  // With one place for each about a thousand are lost, with two about 85.
  EXPECT_LT(lost, 10);
}

// Who creates millions does not drive out what others ask for; and what is new is there at first.
TEST(KeyHints, NewOnesDriveOutOnlyNewOnes) {
  const auto types = shop_types();
  const RegisteredType& store = *types.find("store");
  constexpr std::int64_t kAsked = 1000;
  const auto id = [&](std::int64_t i) {
    return IssuedId{store, "acme", detail::store_pair({1, static_cast<std::uint64_t>(i)})};
  };
  KeyHints hints;
  for (std::int64_t i = 0; i < kAsked; ++i) {
    hints.keep_new(id(i), i);
    ASSERT_EQ(hints.find(id(i)), i);
  }
  const std::int64_t end = kAsked + 4 * static_cast<std::int64_t>(KeyHints::kCount);
  for (std::int64_t i = kAsked; i < end; ++i) hints.keep_new(id(i), i);
  std::int64_t lost = 0;
  for (std::int64_t i = 0; i < kAsked; ++i) lost += hints.find(id(i)) ? 0 : 1;
  EXPECT_EQ(lost, 0);
  EXPECT_FALSE(hints.find(id(kAsked))) << "else they were too few";
  EXPECT_EQ(hints.find(id(end - 1)), end - 1);
}

// Nobody may do that to the table; if it was done, the row is still found, and no other.
TEST(KeyHints, AreTriedAndNotBelieved) {
  const StoreSpot spot = new_spot(StoreKind::sqlite);
  spot.init();
  const auto types = shop_types();
  ASSERT_TRUE(init_registry(spot.url, types, spot.options));
  const auto store = spot.open();
  const auto registry = std::move(*store->registry(types));
  const RegisteredType& type = *types.find("store");
  const std::array<NewEntry, 2> entries = {NewEntry{1, Ulid::generate()->bytes},
                                           NewEntry{2, Ulid::generate()->bytes}};
  ASSERT_TRUE(
      registry->create({.type = type, .tenant = "acme", .ancestors = {}, .entries = entries}));
  for (const auto& entry : entries) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(registry->find({type, "acme", entry.body})->key, entry.key);
      EXPECT_EQ(registry->find({type, "zenith", entry.body})->state, Issued::State::never);
    }
  }
  auto other = std::move(*db::connect(spot.url));
  const std::string table = spot.options.registry_table + "_of_st";
  const auto done = other->batch("UPDATE " + table + " SET id = 3 WHERE id = 1; UPDATE " + table +
                                 " SET id = 1 WHERE id = 2");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(registry->find({type, "acme", entries[0].body})->key, 3);
  EXPECT_EQ(registry->find({type, "acme", entries[1].body})->key, 1);
  ASSERT_TRUE(other->batch("DELETE FROM " + table));
  EXPECT_EQ(registry->find({type, "acme", entries[0].body})->state, Issued::State::never);
}

}  // namespace
}  // namespace tessera
