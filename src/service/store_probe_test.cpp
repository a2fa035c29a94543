// Whoever asks whether the store answers is not kept waiting by it.

#include "service/store_probe.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "support/service_world.h"

namespace tessera::service {
namespace {

using std::chrono::milliseconds;

// Answers when it is let go.
class HeldStore final : public SegmentStore {
 public:
  std::promise<void> let_go;
  std::atomic<int> asked{0};

  Result<Draw, Error> draw(const DrawRequest&) override {
    return Failure{Error{Error::Code::store_unavailable, "held", ""}};
  }
  Result<ScopeState, Error> find(std::string_view) override {
    ++asked;
    gone_.wait();
    return ScopeState{};
  }

 private:
  std::shared_future<void> gone_ = let_go.get_future().share();
};

TEST(StoreProbe, AStoreThatHangsIsNone) {
  ServiceWorld world;
  HeldStore store;
  world.on.segments = &store;
  StoreProbe probe;
  EXPECT_FALSE(probe.ask(world.on, milliseconds(20)));
  EXPECT_EQ(probe.believed(world.on), false);
  world.shop.pass(std::chrono::seconds(2));
  EXPECT_EQ(probe.believed(world.on), std::nullopt);
  EXPECT_FALSE(probe.ask(world.on, milliseconds(20)));
  EXPECT_EQ(store.asked, 1) << "one at a time";
  store.let_go.set_value();
  world.shop.pass(std::chrono::seconds(2));
  EXPECT_TRUE(probe.ask(world.on, std::chrono::seconds(60)));
}

TEST(StoreProbe, AnAnswerIsBelievedForASecond) {
  ServiceWorld world;
  StoreProbe probe;
  EXPECT_TRUE(probe.ask(world.on));
  world.segments.away = true;
  EXPECT_TRUE(probe.ask(world.on));
  world.shop.pass(std::chrono::seconds(2));
  EXPECT_FALSE(probe.ask(world.on));
}

}  // namespace
}  // namespace tessera::service
