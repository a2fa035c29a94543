// What verifying promises: a registry that is as it should be has no fault, also while it is used
// and in parts as small as one likes; and every kind of damage is found, at its row.

#include "tessera/registry/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "support/forwarding_registry.h"
#include "support/registry_fixture.h"

namespace tessera {
namespace {

using testing::ElementsAre;

// What was drawn, by scope.
struct Ranges final : RangeLog {
  std::map<std::string, std::vector<KeyRange>, std::less<>> drawn;
  std::size_t asked = 0;

  Result<std::optional<KeyRange>, Error> range_of(std::string_view scope,
                                                  std::int64_t key) override {
    ++asked;
    const auto found = drawn.find(scope);
    if (found == drawn.end()) return std::optional<KeyRange>();
    std::optional<KeyRange> last;
    for (const KeyRange& range : found->second) {
      if (range.first <= key && (!last || range.first > last->first)) last = range;
    }
    return last && key <= last->last ? last : std::nullopt;
  }
};

// A store whose rows somebody has changed.
class DamagedStore final : public ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;

  std::map<std::string, std::vector<StoredRow>> added;  // by type
  std::function<void(const RegisteredType&, StoredRow&)> change = [](const auto&, auto&) {};
  std::map<std::string, std::vector<IdBody>> buried;  // in order
  std::optional<Error> error;

  Result<std::vector<IdBody>, Error> erased(const RegisteredType& type, const IdBody& after,
                                            std::size_t count_max) override {
    if (!buried.contains(type.name())) return store_.erased(type, after, count_max);
    std::vector<IdBody> list;
    for (const IdBody& tombstone : buried[type.name()]) {
      if (tombstone > after && list.size() < count_max) list.push_back(tombstone);
    }
    return list;
  }
  Result<RegistryStats, Error> stats(const RegisteredType& type) override {
    auto stats = store_.stats(type);
    stats->live += added[type.name()].size();
    if (buried.contains(type.name())) stats->erased = buried[type.name()].size();
    return stats;
  }
  Result<std::vector<StoredRow>, Error> rows(const RegisteredType& type, std::int64_t first_key,
                                             std::size_t count_max) override {
    if (error) return Failure{*error};
    auto list = store_.rows(type, first_key, SIZE_MAX);
    for (const StoredRow& row : added[type.name()]) {
      if (row.key >= first_key) list->push_back(row);
    }
    std::ranges::sort(*list, {}, &StoredRow::key);
    if (list->size() > count_max) list->resize(count_max);
    for (StoredRow& row : *list) change(type, row);
    return list;
  }
};

class Verify : public testing::Test {
 protected:
  Verify() {
    for (const auto* scope : {"STORE", "PRODUCT", "PERSON", "VOUCHER", "NOTE"}) {
      log_.drawn[scope] = {{1, 1000}};
    }
  }
  VerifyReport verify(const VerifyOptions& options = {}) {
    auto report = verify_registry(shop_.types, store_, log_, options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *std::move(report) : VerifyReport{};
  }
  // "came_back store 7", one for each fault.
  std::vector<std::string> faults(const VerifyOptions& options = {}) {
    std::vector<std::string> words;
    for (const auto& fault : verify(options).faults) {
      words.push_back(std::string(name_of(fault.code)) + " " + fault.type->name() + " " +
                      std::to_string(fault.row.key));
    }
    return words;
  }
  StoredRow row_of(std::string_view type, std::size_t at = 0) {
    return shop_.memory->rows(*shop_.types.find(type), 0, 100)->at(at);
  }

  Shop shop_;
  DamagedStore store_{*shop_.memory};
  Ranges log_;
};

TEST_F(Verify, FindsNothingWhereNothingIsWrong) {
  EXPECT_EQ(verify().rows, 0U);
  const auto store = shop_.create("store");
  shop_.create("store", "", "zeta");
  const auto product = shop_.create("product", store.name);
  shop_.create("variant", product.name);
  shop_.create("voucher");
  shop_.create("person");
  const auto person = shop_.create("person");
  const auto note = shop_.create("note");
  shop_.retire(note.id);
  shop_.retire(person.id);
  shop_.pass(std::chrono::minutes(2));
  while (shop_.registry.sweep()->more) {
  }
  VerifyOptions options;
  options.page_size = 1;
  const auto report = verify(options);
  EXPECT_EQ(report.fault_count, 0U);
  EXPECT_EQ(report.rows, 7U);
  EXPECT_EQ(report.ranges, 5U) << "one for each scope: rows of one range are not asked for again";
  EXPECT_EQ(report.tombstones, 1U);
}

TEST_F(Verify, GoesThroughAsManyPartsAsItNeeds) {
  for (int i = 0; i < 60; ++i) shop_.create("person", "", i % 2 == 0 ? "acme" : "zeta");
  std::vector<IdBody> buried;
  for (std::uint8_t i = 1; i < 200; ++i) {
    IdBody tombstone{};
    tombstone.fill(static_cast<std::uint8_t>(i * 37));
    buried.push_back(tombstone);
  }
  const auto& person = *shop_.types.find("person");
  const auto back = row_of("person", 42);
  buried.push_back(person.tombstone_of(back.tenant, *body_of(person, back)));
  std::ranges::sort(buried);
  store_.buried["person"] = buried;
  StoredRow twin = row_of("person", 7);
  twin.key = 500;
  twin.tenant = "zeta";
  store_.added["person"] = {twin};
  for (const std::size_t ids_max : {1U, 10U, 59U, 1000U}) {
    VerifyOptions options;
    options.ids_max = ids_max;
    options.page_size = 13;
    std::uint64_t last = 0;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
      EXPECT_GT(done, last);
      EXPECT_LE(done, total);
      last = done;
    };
    const auto report = verify(options);
    EXPECT_EQ(report.rows, 61U);
    EXPECT_EQ(report.tombstones, buried.size());
    EXPECT_EQ(report.fault_count, 2U) << ids_max;
    EXPECT_TRUE(last > 0 || ids_max > 10);
  }
}

TEST_F(Verify, FindsAnIdThatTwoTenantsHave) {
  shop_.create("store");
  StoredRow twin = row_of("store");
  twin.key = 900;
  twin.tenant = "zeta";
  store_.added["store"] = {twin};
  EXPECT_THAT(faults(), ElementsAre("id_issued_twice store 900"));
  EXPECT_EQ(verify().faults[0].detail, "key 1, tenant 'acme' has it too");
}

TEST_F(Verify, FindsKeysThatWereNeverDrawn) {
  shop_.create("store");
  shop_.create("note");
  log_.drawn["STORE"] = {{2, 1000}};
  log_.drawn.erase("NOTE");
  EXPECT_THAT(faults(), ElementsAre("key_never_drawn note 1", "key_never_drawn store 1"));
}

TEST_F(Verify, FindsRangesThatOverlap) {
  for (int i = 0; i < 3; ++i) shop_.create("store");
  log_.drawn["STORE"] = {{1, 3}};
  EXPECT_THAT(faults(), ElementsAre());
  log_.drawn["STORE"] = {{1, 1}, {2, 3}, {4, 9}};
  EXPECT_THAT(faults(), ElementsAre());
  for (const KeyRange& other : {KeyRange{2, 2}, {3, 3}, {3, 500}, {10, 10}, {10, 11}}) {
    log_.drawn["STORE"] = {{1, 10}, other};
    EXPECT_THAT(faults(), ElementsAre("range_overlaps store 1")) << other.first;
  }
  log_.drawn["STORE"] = {{1, 10}, {11, 20}};
  EXPECT_THAT(faults(), ElementsAre());
}

TEST_F(Verify, FindsAKeyThatTwoTypesOfAScopeHave) {
  const auto store = shop_.create("store");
  const auto product = shop_.create("product", store.name);
  shop_.create("variant", product.name);
  StoredRow other = row_of("variant");
  other.key = row_of("product").key;
  other.id = shop_.types.find("variant")->stored_text_of({0x01, 0x9F});
  store_.added["variant"] = {other};
  const auto found = faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0], testing::StartsWith("key_used_twice "));
}

TEST_F(Verify, FindsRowsThatCannotBeRead) {
  const auto store = shop_.create("store");
  shop_.create("product", store.name);
  shop_.create("voucher");
  const struct {
    const char* type;
    const char* found;
    std::function<void(StoredRow&)> change;
  } cases[] = {
      {"store", "bad_id store 1", [](StoredRow& row) { row.id.replace(0, 2, "xx"); }},
      {"store", "bad_id store 1", [](StoredRow& row) { row.id.back() = 'U'; }},
      {"store", "bad_id store 1", [](StoredRow& row) { row.id.clear(); }},
      {"store", "bad_id store 1", [](StoredRow& row) { row.id += '\n'; }},
      {"product", "bad_id product 1", [](StoredRow& row) { row.id.pop_back(); }},
      {"product", "bad_id product 1", [](StoredRow& row) { row.id += 'x'; }},
      {"voucher", "bad_id voucher 1", [](StoredRow& row) { row.number = -1; }},
      {"voucher", "bad_id voucher 1", [](StoredRow& row) { row.number = 1LL << 40; }},
      {"store", "bad_state store 1", [](StoredRow& row) { row.state = 3; }},
      {"store", "bad_state store 1", [](StoredRow& row) { row.state = 1; }},
      {"store", "bad_state store 1", [](StoredRow& row) { row.deleted_ms = 5; }},
      {"store", "bad_tenant store 1", [](StoredRow& row) { row.tenant = "a b"; }},
      {"store", "bad_tenant store 1", [](StoredRow& row) { row.tenant.clear(); }},
  };
  EXPECT_THAT(faults(), ElementsAre());
  for (const auto& c : cases) {
    store_.change = [&](const RegisteredType& type, StoredRow& row) {
      if (type.name() == c.type) c.change(row);
    };
    EXPECT_THAT(faults(), ElementsAre(c.found));
  }
}

TEST_F(Verify, FindsAnErasedIdThatHasComeBack) {
  const auto person = shop_.create("person");
  StoredRow before = row_of("person");
  shop_.retire(person.id);
  shop_.pass(std::chrono::minutes(2));
  while (shop_.registry.sweep()->more) {
  }
  EXPECT_THAT(faults(), ElementsAre());
  store_.added["person"] = {before};
  EXPECT_THAT(faults(), ElementsAre("came_back person 1"));
  before.tenant = "zeta";
  store_.added["person"] = {before};
  EXPECT_THAT(faults(), ElementsAre()) << "the same ID of another tenant was not erased";
}

TEST_F(Verify, KeepsTheFirstFaultsAndCountsAll) {
  for (int i = 0; i < 30; ++i) shop_.create("store");
  log_.drawn.clear();
  VerifyOptions options;
  options.faults_max = 3;
  const auto report = verify(options);
  EXPECT_EQ(report.fault_count, 30U);
  ASSERT_EQ(report.faults.size(), 3U);
  EXPECT_EQ(report.faults[2].row.key, 3);
}

TEST_F(Verify, EndsWithTheErrorOfTheStore) {
  store_.error = Error{Error::Code::store_unavailable, "away", ""};
  const auto report = verify_registry(shop_.types, store_, log_);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Error::Code::store_unavailable);
}

}  // namespace
}  // namespace tessera
