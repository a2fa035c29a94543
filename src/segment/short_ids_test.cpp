// What short IDs of a scope promise: several allocators, as in several processes, issue every ID
// of the space exactly once between them, in no order that can be seen, and then say that it is
// exhausted; and the service hands them out under their declared name.

#include "tessera/segment/short_ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/fake_segment_store.h"
#include "tessera/segment/id_service.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using Code = Error::Code;

const ShortSpace kSpace{.scope = "VOUCHER", .bits = 16};

ShortKey key() { return *ShortKey::parse("000102030405060708090a0b0c0d0e0f"); }

// As in a process of its own: nothing shared but the store.
struct Process {
  explicit Process(SegmentStore& store, const ShortSpace& space = kSpace)
      : numbers(ShortIds::scope_of(space), store, refiller, clock),
        ids(*ShortCipher::make(space, key()), numbers) {}

  SystemMonotonicClock clock;
  Refiller refiller{clock, 1};
  SegmentAllocator numbers;
  ShortIds ids;
};

// All that four processes of two threads get until there is no more.
std::vector<std::uint64_t> issued_by_four(SegmentStore& store, const ShortSpace& space) {
  std::vector<std::unique_ptr<Process>> processes;
  for (int i = 0; i < 4; ++i) processes.push_back(std::make_unique<Process>(store, space));
  std::vector<std::vector<std::uint64_t>> issued(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < issued.size(); ++i) {
    threads.emplace_back([&processes, &mine = issued[i], i] {
      while (true) {
        const auto id = processes[i % 4]->ids.next(std::chrono::seconds(20));
        if (!id) {
          EXPECT_EQ(id.error().code, Code::exhausted) << id.error().message;
          return;
        }
        mine.push_back(id->number());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<std::uint64_t> all;
  for (const auto& part : issued) {
    EXPECT_FALSE(std::ranges::is_sorted(part) && part.size() > 10);
    all.insert(all.end(), part.begin(), part.end());
  }
  for (const auto& process : processes) {
    EXPECT_EQ(process->numbers.status().health, AllocatorHealth::exhausted);
    EXPECT_EQ(process->ids.next().error().code, Code::exhausted);  // and stays so
  }
  return all;
}

void expect_each_once(std::vector<std::uint64_t> issued, std::uint64_t count) {
  EXPECT_EQ(issued.size(), count);
  std::ranges::sort(issued);
  for (std::uint64_t i = 0; i < issued.size(); ++i) ASSERT_EQ(issued[i], i);
}

TEST(ShortIds, FourProcessesIssueEveryIdOfSixteenBitsOnceAndThenNone) {
  FakeSegmentStore store(ShortIds::scope_of(kSpace));
  expect_each_once(issued_by_four(store, kSpace), 65'536);
}

TEST(ShortIds, FourProcessesIssueADeclaredNumberOfIdsOnceAndThenNone) {
  const ShortSpace space{.scope = "VOUCHER", .bits = 16, .size = 40'000};
  FakeSegmentStore store(ShortIds::scope_of(space));
  expect_each_once(issued_by_four(store, space), 40'000);
}

TEST(ShortIds, TheIdIsThatOfTheNumber) {
  FakeSegmentStore store(ShortIds::scope_of(kSpace));
  Process process(store);
  for (std::uint64_t number = 0; number < 250; ++number) {
    const auto id = process.ids.next();
    ASSERT_TRUE(id);
    EXPECT_EQ(*process.ids.cipher().decrypt(*id), number);
  }
}

TEST(ShortIds, AScopeThatIsLongerInTheStoreEndsWhereItWasDeclaredToEnd) {
  FakeSegmentStore store(Scope{.name = "VOUCHER", .min = 65'530});
  SystemMonotonicClock clock;
  Refiller refiller(clock, 1);
  SegmentAllocator numbers(store.state().scope, store, refiller, clock);
  ShortIds ids(*ShortCipher::make(kSpace, key()), numbers);
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(ids.next());
  const auto beyond = ids.next();
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, Code::exhausted);
  EXPECT_EQ(beyond.error().message, "number 65536 is beyond the last of 65536 short IDs");
}

// Through the service.

struct Scene {
  FakeSegmentStore store{ShortIds::scope_of(kSpace)};
  SystemClock clock;
  SystemMonotonicClock monotonic;

  Result<std::unique_ptr<IdService>, Error> make(const IdServiceOptions& options) {
    return IdService::make(options, store, clock, monotonic);
  }
};

TEST(ShortIds, TheServiceHandsThemOutAndChecksThem) {
  Scene scene;
  const auto made = scene.make({.shorts = {{.space = kSpace, .key = key()}}});
  ASSERT_TRUE(made);
  IdService& service = **made;
  const auto id = service.next_short("VOUCHER");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->to_string(), "P560T");  // as tests/vectors/short/cipher.tsv
  EXPECT_EQ(*service.check_short("VOUCHER", "p56-0t"), *id);
  EXPECT_EQ(
      service.check_short("VOUCHER", "P560V").error().message,
      "not a short ID of scope 'VOUCHER': mistyped: the check symbol does not fit at offset 4");
  EXPECT_EQ(service.check_short("VOUCHER", "P560V").error().code, Code::invalid_request);
  EXPECT_EQ(service.next_short("voucher").error().code, Code::not_found);
  EXPECT_EQ(service.check_short("voucher", "P560T").error().code, Code::not_found);
  EXPECT_NE(service.allocator("VOUCHER"), nullptr);
  service.close();
  EXPECT_EQ(service.next_short("VOUCHER").error().code, Code::closed);
}

TEST(ShortIds, ManyAreHandedOutAtOnceAllOrNone) {
  Scene scene;
  const auto made = scene.make({.shorts = {{.space = kSpace, .key = key()}}});
  ASSERT_TRUE(made);
  IdService& service = **made;
  const auto ids = service.next_shorts("VOUCHER", 1000);
  ASSERT_TRUE(ids);
  ASSERT_EQ(ids->size(), 1000u);
  EXPECT_EQ(ids->front().to_string(), "P560T");
  std::vector<ShortId> sorted = *ids;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
  EXPECT_EQ(service.next_shorts("VOUCHER", 65'000).error().code, Code::exhausted);
  EXPECT_EQ(service.next_shorts("VOUCHER", 0).error().code, Code::invalid_request);
  EXPECT_EQ(service.next_shorts("voucher", 1).error().code, Code::not_found);
}

TEST(ShortIds, TheServiceRefusesBadDeclarations) {
  Scene scene;
  const auto code_of = [&](const IdServiceOptions& options) {
    const auto made = scene.make(options);
    EXPECT_FALSE(made);
    return made ? Code::closed : made.error().code;
  };
  const ShortScope good{.space = kSpace, .key = key()};
  ShortScope bad = good;
  bad.space.bits = 64;
  EXPECT_EQ(code_of({.shorts = {bad}}), Code::invalid_request);
  bad = good;
  bad.step = 0;
  EXPECT_EQ(code_of({.shorts = {bad}}), Code::invalid_request);
  EXPECT_EQ(code_of({.shorts = {good, good}}), Code::already_exists);
  EXPECT_EQ(code_of({.scopes = {{.name = "VOUCHER"}}, .shorts = {good}}), Code::already_exists);
}

TEST(ShortIds, SwitchedOffTheServiceHandsOutNone) {
  Scene scene;
  const auto made = scene.make({.shorts = {{.space = kSpace, .key = key()}}, .enabled = false});
  EXPECT_EQ((*made)->next_short("VOUCHER").error().code, Code::closed);
  EXPECT_TRUE((*made)->check_short("VOUCHER", "P560T"));
}

}  // namespace
}  // namespace tessera
