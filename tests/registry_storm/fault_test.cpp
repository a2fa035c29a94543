// What happens when the line to the registry fails in the middle of a reply: a creation with a key
// happens once, one without is there or not, and a retirement that was answered stays.
//
// With TESSERA_REGISTRY_FAULT_BUGS set the registry has three bugs, one for each test, and each
// must fail: `find_bugs` sees to it.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "support/fault_proxy.h"
#include "support/forwarding_registry.h"
#include "support/servers.h"
#include "tessera/registry/store.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Code = Error::Code;
using servers::Server;

struct Place {
  Server::Kind kind;
  bool portable;
};

RegistryTypes make_types() {
  TypeTable table;
  EXPECT_TRUE(table.add({"store", "st"}));
  auto types = RegistryTypes::make(
      table, {{.name = "store", .collection = "stores", .scope = "S", .capacity = 1000}});
  EXPECT_TRUE(types);
  return std::move(*types);
}

// Keeps no key; takes a lost answer for a refusal; says "retired" whatever the store says.
class BuggyRegistry final : public ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;

  Result<CreateAnswer, Error> create(const CreateRequest& request) override {
    CreateRequest forgetful = request;
    forgetful.idempotency_key = {};
    auto answer = store_.create(forgetful);
    if (answer || answer.error().code != Code::outcome_unknown) return answer;
    return Failure{Error{Code::store_unavailable, answer.error().message, ""}};
  }
  Result<Issued, Error> retire(const IssuedId& id) override {
    auto answer = store_.retire(id);
    return answer ? std::move(answer) : Issued{.state = Issued::State::deleted};
  }
};

class RegistryFaultTest : public testing::TestWithParam<Place> {
 protected:
  RegistryFaultTest()
      : server_(GetParam().kind == Server::Kind::postgres ? servers::postgres()
                                                          : servers::mariadb()),
        proxy_(server_.port()) {}

  void SetUp() override {
    const std::string url = server_.fresh_database();
    OpenOptions options;
    options.portable_statements = GetParam().portable;
    ASSERT_TRUE(init_store(url, options));
    ASSERT_TRUE(init_registry(url, types_, options));
    options.connections_max = 1;
    open(url, options, direct_store_, direct_);
    open(proxy_.url(url), options, store_, registry_);
    if (std::getenv("TESSERA_REGISTRY_FAULT_BUGS") != nullptr) {
      correct_ = std::move(registry_);
      registry_ = std::make_unique<BuggyRegistry>(*correct_);
    }
    ASSERT_TRUE(create(1));  // connected, and its statements prepared
  }

  void open(const std::string& url, const OpenOptions& options, std::unique_ptr<Store>& store,
            std::unique_ptr<RegistryStore>& registry) {
    auto opened = open_store(url, options);
    ASSERT_TRUE(opened) << opened.error().message;
    store = std::move(*opened);
    auto asked = store->registry(types_);
    ASSERT_TRUE(asked) << asked.error().message;
    registry = std::move(*asked);
  }

  Result<CreateAnswer, Error> create(std::int64_t number, std::string_view key = {}) {
    const NewEntry entry{number, body(number)};
    return registry_->create({.type = type_,
                              .tenant = "acme",
                              .ancestors = {},
                              .entries = {&entry, 1},
                              .idempotency_key = key,
                              .timeout = 10s});
  }
  static IdBody body(std::int64_t number) {
    IdBody made{};
    for (std::size_t i = 0; i < 8; ++i) made[i] = static_cast<std::uint8_t>(number >> (8 * i));
    return made;
  }

  Issued::State state(std::int64_t number) {
    const auto found = direct_->find({type_, "acme", body(number)});
    EXPECT_TRUE(found) << found.error().message;
    return found ? found->state : Issued::State::never;
  }
  std::uint64_t row_count() {
    const auto counted = direct_->stats(type_);
    EXPECT_TRUE(counted) << counted.error().message;
    return counted ? counted->rows() : 0;
  }

  // From cutting the first byte until some replies have passed whole.
  template <class Try>
  void cut_everywhere(Try attempt) {
    int lost_count = 0;
    std::size_t size = 0;
    for (int whole = 0; whole < 2 && size < 2'000; size += size < 24 ? 1 : 7) {
      proxy_.cut_after(size);
      const bool answered = attempt(static_cast<std::int64_t>(100 + size));
      proxy_.heal();
      ++(answered ? whole : lost_count);
      // Makes a new connection, and warms it up.
      ASSERT_TRUE(create(static_cast<std::int64_t>(10'000 + size))) << size;
    }
    EXPECT_GT(lost_count, 8);
    EXPECT_LT(size, 2'000U);
  }

  const RegistryTypes types_ = make_types();
  const RegisteredType& type_ = *types_.find("store");
  Server& server_;
  FaultProxy proxy_;
  std::unique_ptr<Store> direct_store_, store_;
  std::unique_ptr<RegistryStore> direct_, correct_, registry_;
};

TEST_P(RegistryFaultTest, AKeyCreatesOnceWhereverItsReplyWasCut) {
  std::int64_t second = 100'000;  // a retry has an ID of its own, and must not use it
  cut_everywhere([&](std::int64_t number) {
    const std::string key = "key " + std::to_string(number);
    const std::uint64_t before = row_count();
    const auto first = create(number, key);
    proxy_.heal();
    const auto again = create(++second, key);
    EXPECT_TRUE(again) << number << ": " << again.error().message;
    EXPECT_EQ(row_count(), before + 1) << number;
    if (!again) return false;
    EXPECT_EQ(state(again->entries[0].key), Issued::State::live) << number;
    if (first) {
      EXPECT_TRUE(again->repeated);
      EXPECT_EQ(again->entries, first->entries) << number;
    }
    return static_cast<bool>(first);
  });
}

TEST_P(RegistryFaultTest, ALostReplySaysNothingOfWhatWasDone) {
  cut_everywhere([&](std::int64_t number) {
    const auto made = create(number);
    proxy_.heal();
    if (made) {
      EXPECT_EQ(state(number), Issued::State::live) << number;
    } else if (made.error().code == Code::store_unavailable) {
      EXPECT_EQ(state(number), Issued::State::never) << number << ": " << made.error().message;
    } else {
      EXPECT_EQ(made.error().code, Code::outcome_unknown) << number << ": " << made.error().message;
    }
    return static_cast<bool>(made);
  });
}

TEST_P(RegistryFaultTest, ARetirementThatWasAnsweredStays) {
  std::vector<NewEntry> entries;
  for (std::int64_t number = 100; number < 2'100; ++number) {
    entries.push_back({number, body(number)});
  }
  ASSERT_TRUE(registry_->create(
      {.type = type_, .tenant = "acme", .ancestors = {}, .entries = entries, .timeout = 60s}));
  cut_everywhere([&](std::int64_t number) {
    const auto ended = registry_->retire({type_, "acme", body(number)});
    proxy_.heal();
    const auto now = state(number);
    if (ended) {
      EXPECT_EQ(now, Issued::State::deleted) << number;
    } else {
      EXPECT_NE(now, Issued::State::never) << number;
    }
    return static_cast<bool>(ended);
  });
}

std::string name_of_place(const testing::TestParamInfo<Place>& of) {
  return std::string(of.param.kind == Server::Kind::postgres ? "postgres" : "mariadb") +
         (of.param.portable ? "_portable" : "");
}

INSTANTIATE_TEST_SUITE_P(Servers, RegistryFaultTest,
                         testing::Values(Place{Server::Kind::postgres, false},
                                         Place{Server::Kind::postgres, true},
                                         Place{Server::Kind::mariadb, false},
                                         Place{Server::Kind::mariadb, true}),
                         name_of_place);

}  // namespace
}  // namespace tessera
