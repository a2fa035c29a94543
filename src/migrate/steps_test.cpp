// A machine that is killed at any call goes on when it is started again: every step is done, in
// order, and none is left out. What may pass is waited for, but not for ever.

#include "tessera/migrate/steps.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tessera::migrate {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

struct Killed : std::runtime_error {
  Killed() : std::runtime_error("killed") {}
};

const std::vector<Step> kPlan = {{StepName::column, {}, "", 0},
                                 {StepName::trigger, {}, "", 0},
                                 {StepName::backfill, {}, "", 0},
                                 {StepName::index, {}, "", 0},
                                 {StepName::verify, {}, "", 0}};

// What survives a kill, and a count of calls after which it comes.
struct Database : Work {
  StepName step = StepName::column;
  std::vector<StepName> performed;
  int calls_left = 1'000'000;
  int failures_left = 0;
  Error::Code failure = Error::Code::store_unavailable;
  milliseconds rested{0};

  void live() {
    if (calls_left-- == 0) throw Killed();
  }
  Result<StepName, Error> recorded() override {
    live();
    return step;
  }
  Result<bool, Error> perform(const Step& what) override {
    live();
    if (failures_left > 0) {
      --failures_left;
      return Failure{Error{failure, "no", ""}};
    }
    performed.push_back(what.name);
    live();  // done, but nobody has been told
    return true;
  }
  Result<bool, Error> record(StepName next) override {
    live();
    step = next;
    live();
    return true;
  }
  void rest(milliseconds time) override { rested += time; }
};

TEST(Steps, AreDoneInOrder) {
  Database database;
  ASSERT_TRUE(perform_steps(kPlan, database, 1s));
  EXPECT_EQ(database.step, StepName::done);
  EXPECT_EQ(database.performed,
            (std::vector{StepName::column, StepName::trigger, StepName::backfill, StepName::index,
                         StepName::verify}));
  ASSERT_TRUE(perform_steps(kPlan, database, 1s));
  EXPECT_EQ(database.performed.size(), 5U) << "what is done is done";
}

TEST(Steps, GoOnWhereverTheyWereKilled) {
  int kills = 0;
  for (int first = 0; first < 30; ++first) {
    for (int later = 1; later < 8; ++later) {
      Database database;
      database.calls_left = first;
      for (int runs = 0; database.step != StepName::done; ++runs) {
        ASSERT_LT(runs, 100);
        try {
          ASSERT_TRUE(perform_steps(kPlan, database, 1s));
        } catch (const Killed&) {
          ++kills;
          database.calls_left = later + runs;  // a little longer each time
        }
      }
      // Each at least once, never one before another that comes first.
      auto last = StepName::column;
      std::size_t different = 1;
      for (const StepName done : database.performed) {
        ASSERT_GE(done, last);
        if (done != last) ++different;
        last = done;
      }
      EXPECT_EQ(different, kPlan.size());
    }
  }
  EXPECT_GT(kills, 200);
}

TEST(Steps, WaitForWhatMayPass) {
  Database database;
  database.failures_left = 3;
  ASSERT_TRUE(perform_steps(kPlan, database, 10s));
  EXPECT_EQ(database.rested, 50ms + 100ms + 200ms);
}

TEST(Steps, LosePatienceAndCanGoOnLater) {
  Database database;
  database.step = StepName::index;
  database.failures_left = 1000;
  const auto done = perform_steps(kPlan, database, 5s);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Error::Code::store_unavailable);
  EXPECT_GE(database.rested, 5s);
  EXPECT_LT(database.rested, 8s);
  EXPECT_EQ(database.step, StepName::index);
  database.failures_left = 0;
  EXPECT_TRUE(perform_steps(kPlan, database, 5s));
}

TEST(Steps, DoNotWaitForWhatWillNot) {
  Database database;
  database.failures_left = 1;
  database.failure = Error::Code::store_failed;
  EXPECT_FALSE(perform_steps(kPlan, database, 5s));
  EXPECT_EQ(database.rested, 0ms);
}

TEST(Steps, RefuseAStepThatIsNotInThePlan) {
  Database database;
  database.step = StepName::validate;
  const auto done = perform_steps(kPlan, database, 5s);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Error::Code::store_schema);
  EXPECT_TRUE(database.performed.empty());
}

TEST(Steps, HaveNames) {
  for (int i = 0; i <= static_cast<int>(StepName::done); ++i) {
    const auto step = static_cast<StepName>(i);
    EXPECT_EQ(step_of(name_of(step)), step);
  }
  EXPECT_FALSE(step_of(""));
  EXPECT_FALSE(step_of("backfil"));
}

}  // namespace
}  // namespace tessera::migrate
