// segment_storm_check finds what a storm did wrong, and says nothing about what is too little to
// judge.

#include "check.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "record.h"

namespace segment_storm {
namespace {

class SegmentCheckTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  struct Call {
    std::uint16_t slot = 0;
    std::uint8_t thread = 0;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    std::uint64_t invoked_ns = 0;
    std::uint64_t returned_ns = 0;
    Order order = Order::process;
    std::uint64_t key = 0;
    std::uint32_t incarnation = 0;
  };

  void add(const Call& call) {
    Record record;
    record.slot = call.slot;
    record.thread = call.thread;
    record.order = call.order;
    record.incarnation = call.incarnation;
    record.number = numbers_[{path_of(call), call.thread}]++;
    record.first = call.first;
    record.end = call.end;
    record.invoked_ns = call.invoked_ns;
    record.returned_ns = call.returned_ns;
    record.key = call.key;
    record.sum = sum_of(record);
    std::ofstream(path_of(call), std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(&record), sizeof record);
  }

  std::string path_of(const Call& call) const {
    return folder_ + "/" + std::to_string(call.slot) + "." + std::to_string(call.incarnation) +
           ".log";
  }

  Verdict judge(std::uint64_t ids_min = 1) const { return check(folder_, ids_min); }

  std::string folder_ = testing::TempDir() + "segment_storm_check_test." + std::to_string(getpid());
  std::map<std::pair<std::string, std::uint8_t>, std::uint32_t> numbers_;
};

TEST_F(SegmentCheckTest, AcceptsRangesThatAreDisjointAndInOrder) {
  add({0, 0, 1, 101, 10, 20});
  add({0, 1, 101, 200'000, 15, 30});
  add({0, 0, 200'000, 200'001, 40, 50});
  add({1, 0, 300'000, 300'010, 10, 20});
  const Verdict verdict = judge();
  EXPECT_TRUE(verdict.good()) << verdict.unusable;
  EXPECT_EQ(verdict.id_count, 200'010u);
  EXPECT_EQ(verdict.record_count, 4u);
  EXPECT_EQ(verdict.log_count, 2u);
}

TEST_F(SegmentCheckTest, FindsEachRepeatedNumber) {
  add({0, 0, 60'000, 70'000, 10, 20});
  add({1, 0, 69'990, 70'010, 10, 20});
  const Verdict verdict = judge();
  EXPECT_FALSE(verdict.good());
  EXPECT_EQ(verdict.repeated, 10u);
  EXPECT_EQ(verdict.id_count, 10'010u);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_NE(verdict.findings[0].find("69990"), std::string::npos);
}

TEST_F(SegmentCheckTest, FindsOrderBrokenInAThreadWhateverTheClockSays) {
  add({0, 0, 10, 20, 10, 10});
  add({0, 0, 5, 10, 10, 10});
  EXPECT_EQ(judge().disordered, 1u);
}

TEST_F(SegmentCheckTest, FindsOrderBrokenBetweenThreadsIfOneReturnedFirst) {
  add({0, 0, 10, 20, 10, 20});
  add({0, 1, 5, 10, 15, 30});  // began before the other returned: may be lower
  EXPECT_EQ(judge().disordered, 0u);
  add({0, 2, 1, 5, 21, 30});
  EXPECT_EQ(judge().disordered, 1u);
}

TEST_F(SegmentCheckTest, FindsAWorkerBelowTheOneItFollows) {
  add({0, 0, 100, 200, 10, 20});
  add({0, 0, 50, 60, 100, 110, Order::process, 0, 1});
  EXPECT_EQ(judge().disordered, 1u);
}

TEST_F(SegmentCheckTest, AllowsNoOrderBetweenWorkersUnlessItIsStrict) {
  add({0, 0, 100, 200, 10, 20});
  add({1, 0, 50, 60, 100, 110});
  EXPECT_TRUE(judge().good());
  add({0, 0, 100, 200, 10, 20, Order::strict});
  add({1, 0, 50, 60, 100, 110, Order::strict});
  EXPECT_EQ(judge().disordered, 1u);
  EXPECT_EQ(judge().repeated, 0u) << "a scope of its own";
}

TEST_F(SegmentCheckTest, WantsSnowflakesOnceAndInOrderForEachWorker) {
  add({0, 0, 1'000'000, 1'000'064, 10, 20, Order::leased});
  add({0, 1, 1'000'064, 1'000'065, 30, 40, Order::leased});
  add({0, 0, 500'000, 500'064, 100, 110, Order::leased, 0, 1});  // of another number, perhaps
  EXPECT_TRUE(judge().good());
  add({0, 2, 999'999, 1'000'000, 30, 40, Order::leased});
  EXPECT_EQ(judge().disordered, 1u);
  add({1, 0, 1'000'063, 1'000'066, 10, 20, Order::leased});
  EXPECT_EQ(judge().repeated, 2u);
}

TEST_F(SegmentCheckTest, WantsOneRangeForAKeyAndAnotherForAnother) {
  add({0, 0, 10, 17, 10, 20, Order::keyed, 1});
  add({1, 0, 10, 17, 30, 40, Order::keyed, 1});
  add({1, 0, 3, 10, 50, 60, Order::keyed, 2});
  Verdict verdict = judge();
  EXPECT_TRUE(verdict.good());
  EXPECT_EQ(verdict.id_count, 14u);
  EXPECT_EQ(verdict.shared_keys, 1u);
  add({2, 0, 20, 27, 70, 80, Order::keyed, 2});
  EXPECT_EQ(judge().keys_broken, 1u);
  add({2, 0, 10, 17, 70, 80, Order::keyed, 3});
  EXPECT_EQ(judge().repeated, 7u);
}

TEST_F(SegmentCheckTest, HasNoVerdictOnTooLittle) {
  EXPECT_FALSE(judge(0).unusable.empty());
  add({0, 0, 1, 101, 10, 20});
  EXPECT_TRUE(judge(100).good());
  EXPECT_FALSE(judge(101).unusable.empty());
  EXPECT_FALSE(check(folder_ + "/nothing", 1).unusable.empty());
}

TEST_F(SegmentCheckTest, HasNoVerdictOnALogThatIsCutOrHasHoles) {
  add({0, 0, 1, 101, 10, 20});
  std::filesystem::resize_file(path_of({}), sizeof(Record) - 1);
  EXPECT_FALSE(judge().unusable.empty());
  std::filesystem::resize_file(path_of({}), 0);
  add({0, 0, 1, 101, 10, 20});  // the second of its thread
  EXPECT_FALSE(judge().unusable.empty());
  std::ofstream(path_of({}), std::ios::binary) << std::string(sizeof(Record), 'x');
  EXPECT_FALSE(judge().unusable.empty());
}

}  // namespace
}  // namespace segment_storm
