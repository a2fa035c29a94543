// The registry of another Tessera answers as that registry does itself, and creates once.

#include "tessera/client/http_registry.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "support/fault_proxy.h"
#include "support/served_tessera.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using State = LookUp::State;
using std::chrono::milliseconds;

class HttpRegistryTest : public testing::Test {
 protected:
  static std::shared_ptr<HttpClient> client_for(const std::string& url) {
    // A machine that is busy with other tests takes its time.
    auto client = HttpClient::open(
        url, {.timeout = std::chrono::seconds(60), .attempt_timeout = std::chrono::seconds(20)});
    EXPECT_TRUE(client) << client.error().message;
    return *std::move(client);
  }
  NewResource create(std::string_view type, std::string_view parent = {}) {
    auto made = remote_.create("acme", type, {.parent = parent});
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : NewResource{};
  }
  std::size_t live(std::string_view type) {
    return served_.shop.memory->stats(*served_.shop.types.find(type))->live;
  }

  ServedTessera served_{memory_store()};
  FaultProxy proxy_{served_.port()};
  SystemEntropy entropy_;
  RegistryTypes types_ = shop_types();
  HttpRegistry remote_{client_for(proxy_.url(served_.url())), types_, entropy_};
};

void expect_same(const LookUp& remote, const LookUp& local) {
  EXPECT_EQ(name_of(remote.state), name_of(local.state));
  ASSERT_EQ(remote.type == nullptr, local.type == nullptr);
  if (local.type != nullptr) {
    EXPECT_EQ(remote.type->name(), local.type->name());
  }
  EXPECT_EQ(remote.id, local.id);
  EXPECT_EQ(remote.name, local.name);
  EXPECT_EQ(remote.created_ms, local.created_ms);
  EXPECT_EQ(remote.deleted_ms, local.deleted_ms);
  EXPECT_EQ(remote.fault, local.fault);
  EXPECT_EQ(remote.correction, local.correction);
  EXPECT_EQ(remote.alias, local.alias);
}

TEST_F(HttpRegistryTest, AnswersAsTheRegistryItself) {
  const NewResource store = create("store");
  const NewResource product = create("product", store.id);
  const NewResource variant = create("variant", product.id);
  const NewResource by_name = create("variant", product.name);
  const NewResource gone = create("store");
  const NewResource erased = create("person");
  const NewResource voucher = create("voucher");
  ASSERT_TRUE(served_.shop.registry.retire("acme", gone.id));
  ASSERT_TRUE(served_.shop.registry.retire("acme", erased.id));
  EXPECT_EQ(variant.name, product.name + "/variants/" + variant.id);
  const std::string texts[] = {store.id,
                               store.name,
                               product.id,
                               product.name,
                               variant.id,
                               by_name.name,
                               gone.id,
                               gone.name,
                               erased.id,
                               voucher.id,
                               "stores/" + store.id,
                               "tenants/other/stores/" + store.id,
                               "st_01M0MBZ8ZEKMQP3G3V2KM579HW",  // never issued
                               "st_01M0MBZ8ZEKMQP3G3V2KM579H",   // too short
                               "st_01m0mbz8zekmqp3g3v2km579hw",  // in the wrong case
                               "xx_01M0MBZ8ZEKMQP3G3V2KM579HW",
                               "",
                               "/",
                               "tenants/acme",
                               "tenants/acme/stores/mine",
                               "stores/../x",
                               "st_\xC3\xA9",
                               "a?b=c#d"};
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    const auto remote = remote_.look_up("acme", text);
    const auto local = served_.shop.registry.look_up("acme", text);
    ASSERT_TRUE(remote && local) << (remote ? local.error() : remote.error()).message;
    expect_same(*remote, *local);
    const auto remote_key = remote_.resolve("acme", text);
    const auto local_key = served_.shop.registry.resolve("acme", text);
    ASSERT_TRUE(remote_key && local_key);
    expect_same(remote_key->answer, local_key->answer);
    EXPECT_EQ(remote_key->key, local_key->key);
  }
  EXPECT_EQ(remote_.look_up("other", store.id)->state, State::never_issued);
  EXPECT_EQ(remote_.look_up("no tenant", store.id).error().code, Error::Code::invalid_request);
}

TEST_F(HttpRegistryTest, RetiresAndBringsBack) {
  const NewResource store = create("store");
  const NewResource product = create("product", store.id);
  const auto ended = remote_.retire("acme", store.name);
  ASSERT_TRUE(ended) << ended.error().message;
  expect_same(*ended, *served_.shop.registry.look_up("acme", store.id));
  EXPECT_EQ(remote_.look_up("acme", product.id)->state, State::deleted) << "with its parent";
  served_.shop.pass(milliseconds(1000));
  const auto again = remote_.retire("acme", store.id);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->deleted_ms, ended->deleted_ms) << "the first time stays";
  EXPECT_EQ(remote_.undelete("acme", store.id)->state, State::deleted) << "not of this type";

  const NewResource note = create("note");
  ASSERT_EQ(remote_.retire("acme", note.id)->state, State::deleted);
  EXPECT_EQ(remote_.undelete("acme", note.id)->state, State::live);
  EXPECT_EQ(remote_.retire("acme", "st_01M0MBZ8ZEKMQP3G3V2KM579HW")->state, State::never_issued);
}

TEST_F(HttpRegistryTest, CreatesManyAndListsThem) {
  const NewResource store = create("store");
  const auto made = remote_.create_many(
      "acme", "product", 250, {.parent = store.name, .timeout = std::chrono::seconds(60)});
  ASSERT_TRUE(made) << made.error().message;
  std::set<std::string> wanted;
  for (const auto& one : *made) {
    EXPECT_GT(one.key, 0);
    wanted.insert(one.id);
  }
  EXPECT_EQ(wanted.size(), 250U);
  std::set<std::string> seen;
  std::string token;
  do {
    const auto page = remote_.list("acme", "product",
                                   {.parent = store.id, .page_token = token, .page_size = 100});
    ASSERT_TRUE(page) << page.error().message;
    for (const auto& item : page->items) EXPECT_TRUE(seen.insert(item.id).second);
    token = page->next_token;
  } while (!token.empty());
  EXPECT_EQ(seen, wanted);
  EXPECT_EQ(remote_.list("acme", "product")->items.size(), 100U);
}

TEST_F(HttpRegistryTest, ErrorsAreThoseOfTheRegistry) {
  const NewResource store = create("store");
  ASSERT_TRUE(remote_.retire("acme", store.id));
  const std::string unknown = "st_01M0MBZ8ZEKMQP3G3V2KM579HW";
  const struct {
    const char* type;
    std::string parent;
    std::size_t count;
  } cases[] = {{"nothing", "", 1},       {"store", store.id, 1},  {"product", "", 1},
               {"product", store.id, 1}, {"product", unknown, 1}, {"product", "st_x", 1},
               {"variant", store.id, 1}, {"store", "", 0},        {"store", "", 10'001}};
  for (const auto& [type, parent, count] : cases) {
    const auto remote = remote_.create_many("acme", type, count, {.parent = parent});
    const auto local = served_.shop.registry.create_many("acme", type, count, {.parent = parent});
    ASSERT_FALSE(remote);
    ASSERT_FALSE(local);
    EXPECT_EQ(name_of(remote.error().code), name_of(local.error().code)) << type << " " << parent;
  }
  EXPECT_EQ(remote_.list("acme", "store", {.page_token = "x"}).error().code,
            Error::Code::invalid_request);
}

TEST_F(HttpRegistryTest, AKeyCreatesOnce) {
  const auto first = remote_.create("acme", "store", {.idempotency_key = "k-1"});
  const auto again = remote_.create("acme", "store", {.idempotency_key = "k-1"});
  ASSERT_TRUE(first && again);
  EXPECT_FALSE(first->repeated);
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->id, first->id);
  const auto other = remote_.create_many("acme", "store", 2, {.idempotency_key = "k-1"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Error::Code::key_reused);
  const auto quoted = remote_.create("acme", "store", {.idempotency_key = "\"k-1\""});
  ASSERT_TRUE(quoted) << quoted.error().message;
  EXPECT_NE(quoted->id, first->id) << "quotes are part of a key";
}

TEST_F(HttpRegistryTest, ALostAnswerCreatesOnce) {
  for (std::size_t i = 1; i <= 3; ++i) {
    proxy_.cut_before_reply([&] { return live("store") == i; });
    const auto made = remote_.create("acme", "store");
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_FALSE(made->repeated);
    EXPECT_EQ(live("store"), i);
    EXPECT_EQ(remote_.look_up("acme", made->id)->state, State::live);
  }
  EXPECT_EQ(proxy_.cuts_made(), 3U);
}

TEST_F(HttpRegistryTest, ALostRetirementIsUnknownAndNotRepeated) {
  const NewResource store = create("store");
  proxy_.cut_before_reply([&] { return live("store") == 0; });
  const auto lost = remote_.retire("acme", store.id);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Error::Code::outcome_unknown);
  EXPECT_EQ(remote_.look_up("acme", store.id)->state, State::deleted);
}

}  // namespace
}  // namespace tessera
