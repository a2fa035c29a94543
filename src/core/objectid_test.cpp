// What an ObjectId promises: 24 hex digits and 12 bytes are one value and sort alike, by the
// second. What its generator promises: IDs strictly increase whatever the clock does, share
// one random part for each process, and never repeat, not in a forked child either.

#include "tessera/objectid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "support/child.h"
#include "support/fakes.h"
#include "support/properties.h"
#include "support/vectors.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

static_assert(sizeof(ObjectId) == 12);
static_assert(std::is_trivially_copyable_v<ObjectId> && std::is_standard_layout_v<ObjectId>);
static_assert(HasText<ObjectId>&& noexcept(ObjectId::parse("")));
static_assert(ObjectId::from_parts(0x507f1f77, 0xbcf86cd799, 0x439011).text().view() ==
              "507f1f77bcf86cd799439011");
static_assert(ObjectId::parse("507F1F77BCF86CD799439011") ==
              ObjectId::from_parts(0x507f1f77, 0xbcf86cd799, 0x439011));
static_assert(ObjectId::parse("507f1f77bcf86cd79943901g") ==
              Failure{ParseError{Code::invalid_character, 23}});

TEST(ObjectId, AgreesWithTheReferenceImplementation) {
  for (const auto& row : vectors::read_table("oracle-objectid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto id = ObjectId::parse(row["hex"]);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->to_string(), row["hex"]);
    EXPECT_EQ(id->bytes, vectors::array_of_hex<12>(row["hex"]));
    EXPECT_EQ(id->time_s(), vectors::number(row["unix_s"]));
    EXPECT_EQ(id->time_ms(), vectors::number(row["unix_s"]) * 1000);
    EXPECT_EQ(id->random(), detail::load_be<5>(vectors::bytes_of_hex(row["random5_hex"]).data()));
    EXPECT_EQ(id->counter(), vectors::number(row["counter"]));
    EXPECT_EQ(ObjectId::smallest(id->time_s()).to_string(), row["min_objectid_for_second"]);
    EXPECT_EQ(ObjectId::from_parts(id->time_s(), id->random(), id->counter()), *id);
  }
}

TEST(ObjectId, RefusesBadTextAndSaysWhere) {
  const struct {
    const char* name;
    std::string text;
    ParseError error;
  } cases[] = {
      {"empty", "", {Code::invalid_length, 0}},
      {"one short", std::string(23, '0'), {Code::invalid_length, 23}},
      {"one long", std::string(25, '0'), {Code::invalid_length, 25}},
      {"twelve bytes as they are", "hello world!", {Code::invalid_length, 12}},
      {"first of two", "507f1f77bcf86xd79943901g", {Code::invalid_character, 13}},
      {"high half of a byte", "g07f1f77bcf86cd799439011", {Code::invalid_character, 0}},
      {"NUL", std::string("507f1f77bcf86cd7994390\0001", 24), {Code::invalid_character, 22}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(ObjectId::parse(c.text), Failure{c.error});
  }
}

TEST(ObjectId, HashesNeighboursApart) {
  std::unordered_set<std::size_t> hashes;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    hashes.insert(std::hash<ObjectId>{}(ObjectId::from_parts(1'600'000'000 + i / 100, 7, i % 100)));
  }
  EXPECT_EQ(hashes.size(), 10'000u);
}

RC_GTEST_PROP(ObjectId, TextRoundTripsInEitherCase, (const ObjectId& id)) {
  check_round_trip(id, true);
}
RC_GTEST_PROP(ObjectId, ValuesBytesAndTextsSortAlike, ()) { check_order<ObjectId>(); }
RC_GTEST_PROP(ObjectId, HasOneTextPerValueButForCase, (const ObjectId& id)) { check_one_text(id); }

RC_GTEST_PROP(ObjectId, LiesBetweenTheSmallestAndTheLargestOfItsSecond, (const ObjectId& id)) {
  RC_ASSERT(ObjectId::smallest(id.time_s()) <= id);
  RC_ASSERT(id <= ObjectId::largest(id.time_s()));
}

TEST(ObjectIdGenerator, IncreasesWhenTheClockStandsStillOrStepsBack) {
  FakeClock clock;
  SeededEntropy entropy(20'260'822);
  ObjectIdGenerator generator(clock, entropy);

  std::vector<ObjectId> ids;
  constexpr std::uint64_t kYearS = 31'556'952;
  for (const std::uint64_t time_s :
       {2 * kYearS, 2 * kYearS, 2 * kYearS - 1, 2 * kYearS - 10, kYearS, std::uint64_t{0},
        2 * kYearS, 2 * kYearS + 1, 2 * kYearS + 1}) {
    clock.time_ms = time_s * 1000;
    const auto id = generator.next();
    ASSERT_TRUE(id);
    ids.push_back(*id);
  }
  EXPECT_EQ(std::ranges::adjacent_find(ids, std::greater_equal{}), ids.end());
  EXPECT_EQ(ids[5].time_s(), 2 * kYearS);
  EXPECT_EQ(ids[7].time_s(), 2 * kYearS + 1);
}

TEST(ObjectIdGenerator, KeepsOneRandomPartAndDrawsTheStartOfTheCounterOnceASecond) {
  FakeClock clock(1'600'000'000'000);
  FakeEntropy entropy;
  entropy.script = {{0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xFF, 0xB2, 0xB3},
                    {0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0x01, 0x02, 0x03}};
  ObjectIdGenerator generator(clock, entropy);

  EXPECT_EQ(generator.next()->to_string(), "5f5e1000a1a2a3a4a57fb2b3") << "lower half of the range";
  EXPECT_EQ(generator.next()->to_string(), "5f5e1000a1a2a3a4a57fb2b4");
  EXPECT_EQ(entropy.calls, 1u);
  clock.time_ms = 1'600'000'001'999;
  EXPECT_EQ(generator.next()->to_string(), "5f5e1001a1a2a3a4a5010203");
  EXPECT_EQ(generator.next()->to_string(), "5f5e1001a1a2a3a4a5010204");
  EXPECT_EQ(entropy.calls, 2u);
}

// As if the last ID had been made in this second with this counter.
void set_last(ObjectIdGenerator::State& state, std::uint64_t time_s, std::uint32_t counter) {
  state.last_tick = time_s << 24 | counter;
}

TEST(ObjectIdGenerator, CarriesIntoTheSecondWhenTheCounterRunsOver) {
  FakeClock clock(1'600'000'000'000);
  FakeEntropy entropy;
  ObjectIdGenerator::State state;
  set_last(state, 1'600'000'000, 0xFF'FFFE);
  EXPECT_EQ(detail::mint_objectid(state, clock, entropy)->to_string(), "5f5e10000000000000ffffff");
  EXPECT_EQ(detail::mint_objectid(state, clock, entropy)->to_string(), "5f5e10010000000000000000");
  EXPECT_EQ(detail::mint_objectid(state, clock, entropy)->to_string(), "5f5e10010000000000000001");
}

TEST(ObjectIdGenerator, FailsRatherThanWrapAtTheVeryLast) {
  FakeClock clock(ObjectId::kTimeSMax * 1000);
  FakeEntropy entropy;
  entropy.byte = 0xFF;
  ObjectIdGenerator::State state;
  set_last(state, ObjectId::kTimeSMax, 0xFF'FFFE);
  EXPECT_EQ(detail::mint_objectid(state, clock, entropy), ObjectId::largest(ObjectId::kTimeSMax));
  EXPECT_EQ(detail::mint_objectid(state, clock, entropy).error(), MintError::exhausted);
  clock.time_ms = 0;
  EXPECT_EQ(detail::mint_objectid(state, clock, entropy).error(), MintError::exhausted)
      << "never again";
}

TEST(ObjectIdGenerator, FailsBeyondTheLastSecondAndRecovers) {
  FakeClock clock((ObjectId::kTimeSMax + 1) * 1000);
  FakeEntropy entropy;
  ObjectIdGenerator generator(clock, entropy);
  EXPECT_EQ(generator.next().error(), MintError::time_out_of_range);
  clock.time_ms = ~std::uint64_t{0};  // before 1970
  EXPECT_EQ(generator.next().error(), MintError::time_out_of_range);
  clock.time_ms = ObjectId::kTimeSMax * 1000 + 999;
  EXPECT_TRUE(generator.next());
}

TEST(ObjectIdGenerator, FailsWithoutEntropyAndGoesOnWhereItWas) {
  FakeClock clock(5000);
  FakeEntropy entropy;
  entropy.byte = 0x11;
  entropy.working = false;
  ObjectIdGenerator generator(clock, entropy);
  EXPECT_EQ(generator.next().error(), MintError::no_entropy);

  entropy.working = true;
  EXPECT_EQ(generator.next()->to_string(), "000000051111111111111111");
  clock.time_ms = 6000;
  entropy.working = false;
  EXPECT_EQ(generator.next().error(), MintError::no_entropy) << "a new second needs a new start";
  clock.time_ms = 5000;
  EXPECT_EQ(generator.next()->to_string(), "000000051111111111111112") << "the old one does not";
}

TEST(ObjectIdGenerator, DrawsANewRandomPartInAForkedChild) {
  for (const ForkBy how : {ForkBy::fork, ForkBy::bare_clone}) {
    FakeClock clock(1'600'000'000'000);
    SystemEntropy entropy;
    ObjectIdGenerator generator(clock, entropy);
    const auto before = generator.next();
    ASSERT_TRUE(before);
    const auto told = in_child(
        [&](Pipe& out) {
          for (int i = 0; i < 3; ++i) out.write(generator.next()->bytes);
        },
        how);
    const auto after = generator.next();
    ASSERT_TRUE(after);
    EXPECT_EQ(after->random(), before->random());

    ASSERT_EQ(told.size(), 3 * ObjectId::kSize);
    std::uint64_t random = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      ObjectId id;
      std::copy_n(told.begin() + static_cast<std::ptrdiff_t>(i * ObjectId::kSize), ObjectId::kSize,
                  id.bytes.begin());
      EXPECT_NE(id.random(), before->random());
      EXPECT_TRUE(i == 0 || id.random() == random) << "one for the child, too";
      random = id.random();
    }
  }
}

TEST(ObjectIdGenerator, SharedByThreadsNeverRepeatsAndKeepsTheOrderOfEach) {
  SystemClock clock;
  SystemEntropy entropy;
  ObjectIdGenerator generator(clock, entropy);
  std::vector<std::vector<ObjectId>> made(4);
  std::vector<std::thread> threads;
  for (auto& ids : made) {
    threads.emplace_back([&] {
      const std::uint64_t end_ms = clock.now_ms() + 100;
      do {
        ids.push_back(*generator.next());
      } while (ids.size() < 25'000 && clock.now_ms() < end_ms);
    });
  }
  for (auto& thread : threads) thread.join();

  std::vector<ObjectId> all;
  for (const auto& ids : made) {
    EXPECT_FALSE(ids.empty());
    EXPECT_EQ(std::ranges::adjacent_find(ids, std::greater_equal{}), ids.end());
    all.insert(all.end(), ids.begin(), ids.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(ObjectId, MadeByThisProcessIncreasesAndCarriesTheTime) {
  SystemClock clock;
  const std::uint64_t before_s = clock.now_s();
  ObjectId last;
  for (int i = 0; i < 1000; ++i) {
    const auto id = ObjectId::generate();
    ASSERT_TRUE(id);
    EXPECT_LT(last, *id);
    last = *id;
  }
  EXPECT_GE(last.time_s(), before_s);
  EXPECT_LE(last.time_s(), clock.now_ms() / 1000);
}

TEST(ObjectId, ManyAtOnceAreWhatAsManyCallsWouldHaveMade) {
  FakeClock clock(1'755'854'043'118);
  for (const std::size_t count : {0u, 1u, 2u, 1000u}) {
    SeededEntropy entropy(7);
    SeededEntropy same(7);
    ObjectIdGenerator many(clock, entropy);
    ObjectIdGenerator single(clock, same);
    std::vector<ObjectId> ids(count);
    ASSERT_EQ(many.next(ids), count);
    for (const ObjectId& id : ids) EXPECT_EQ(id, *single.next());
  }
  std::vector<ObjectId> ids(1000);
  const ObjectId before = *ObjectId::generate();
  ASSERT_EQ(ObjectId::generate(ids), 1000u);
  EXPECT_LT(before, ids.front());
  EXPECT_EQ(std::ranges::adjacent_find(ids, std::greater_equal{}), ids.end());
  EXPECT_GT(*ObjectId::generate(), ids.back());
}

TEST(ObjectId, ManyAtOnceFailRatherThanWrap) {
  FakeClock clock(ObjectId::kTimeSMax * 1000);
  FakeEntropy entropy;
  entropy.byte = 0xFF;  // the counter starts in the middle
  ObjectIdGenerator generator(clock, entropy);
  EXPECT_EQ(generator.next()->counter(), 0x7F'FFFFu);
  std::vector<ObjectId> ids(65'536);
  for (int i = 0; i < 127; ++i) ASSERT_EQ(generator.next(ids), ids.size());
  ids.emplace_back();
  EXPECT_EQ(generator.next(ids).error(), MintError::exhausted);
  ids.pop_back();
  EXPECT_EQ(generator.next(ids), ids.size()) << "the one that failed has taken nothing";
  EXPECT_EQ(ids.back(), ObjectId::from_parts(ObjectId::kTimeSMax, ~std::uint64_t{0}, 0xFF'FFFF));
  EXPECT_EQ(generator.next().error(), MintError::exhausted);
  EXPECT_EQ(generator.next(std::span(ids).first(1)).error(), MintError::exhausted);
}

}  // namespace
}  // namespace tessera
