// What a Generator promises, for every kind that it makes: IDs strictly increase whatever the
// clock does; the step between two IDs of one moment is random; two copies never make the same
// one; what cannot be made is refused, and a failure changes nothing.

#include "tessera/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/child.h"
#include "support/fakes.h"
#include "support/soak.h"
#include "support/vectors.h"
#include "tessera/ksuid.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

constexpr std::uint64_t kYearMs = 31'556'952'000;
constexpr std::uint64_t kNowMs = 1'750'000'000'000;  // 2025-06-15

// The next tick is the clock's or one more; `start` counts by the lower half of its bits.
static_assert(detail::next_tick<16>(0, 5, 0x1234) == 0x5'1234);
static_assert(detail::next_tick<16>(0, 5, 0xFFFF) == 0x5'7FFF);
static_assert(detail::next_tick<16>(0x5'1234, 5, 0x9) == 0x5'1235);
static_assert(detail::next_tick<16>(0x5'1234, 4, 0x9) == 0x5'1235);
static_assert(detail::next_tick<16>(0x5'FFFF, 5, 0x9) == 0x6'0000);
static_assert(detail::next_tick<16>(0, 0, 0x9) == 1);
static_assert(detail::next_tick<32>(0x5'FFFF'FFFF, 5, 0x9) == 0x6'0000'0000);
static_assert(detail::next_tick<4>(~std::uint64_t{1}, 5, 0x9) == ~std::uint64_t{0});

// What the tests must know of a kind: its unit of time, and where in an ID its order stands.
template <class MintOf, std::uint64_t EpochUnits, std::uint64_t UnitsPerSecond>
struct Kind {
  using Mint = MintOf;
  using Id = typename Mint::Id;
  static constexpr std::uint64_t kEpoch = EpochUnits;  // 1970 + kEpoch is time 0, in units
  static constexpr std::uint64_t kPerSecond = UnitsPerSecond;
  static constexpr std::uint64_t kTimeMax = ~std::uint64_t{0} >> Mint::kCountBits;

  static void set(FakeClock& clock, std::uint64_t time) {
    const std::uint64_t units = kEpoch + time;
    if constexpr (kPerSecond == 10'000'000) {
      clock.time_ms = units / 10'000;
      clock.time_100ns = units % 10'000;
    } else {
      clock.time_ms = units * (1000 / kPerSecond);
    }
  }
};

struct UlidKind : Kind<UlidMint, 0, 1000> {
  static constexpr const char* kName = "Ulid";
  static std::uint64_t time_of(const Ulid& id) { return id.time_ms(); }
  static Ulid order_of(const Ulid& id) { return id; }
};

struct Uuidv7Kind : Kind<Uuidv7Mint, 0, 1000> {
  static constexpr const char* kName = "Uuidv7";
  static std::uint64_t time_of(const Uuid& id) { return static_cast<std::uint64_t>(*id.time_ms()); }
  static Uuid order_of(const Uuid& id) { return id; }
};

// Here time is counted from 1582, but no clock says a time before 1970.
constexpr std::uint64_t k1970 = Uuid::kGregorianOffset100ns;

struct Uuidv6Kind : Kind<Uuidv6Mint, 0 - k1970, 10'000'000> {
  static constexpr const char* kName = "Uuidv6";
  static std::uint64_t time_of(const Uuid& id) { return *id.time_100ns(); }
  static Uuid order_of(const Uuid& id) { return id; }
};

struct Uuidv1Kind : Kind<Uuidv1Mint, 0 - k1970, 10'000'000> {
  static constexpr const char* kName = "Uuidv1";
  static std::uint64_t time_of(const Uuid& id) { return *id.time_100ns(); }
  static Uuid order_of(const Uuid& id) { return *id.v1_to_v6(); }  // v1 itself does not sort
};

struct KsuidKind : Kind<KsuidMint, Ksuid::kEpochS, 1> {
  static constexpr const char* kName = "Ksuid";
  static std::uint64_t time_of(const Ksuid& id) { return id.time_s() - Ksuid::kEpochS; }
  static Ksuid order_of(const Ksuid& id) { return id; }
};

// A time in the kind's unit.
template <class K>
constexpr std::uint64_t units_of_ms(std::uint64_t time_ms) {
  if constexpr (K::kPerSecond == 10'000'000) return time_ms * 10'000 - K::kEpoch;
  return time_ms / (1000 / std::min<std::uint64_t>(K::kPerSecond, 1000)) - K::kEpoch;
}

template <class K>
class GeneratorTest : public testing::Test {
 protected:
  using Id = typename K::Id;

  FakeClock clock_;
  SeededEntropy random_{20'260'822};
  FakeEntropy entropy_;

  static bool increases(const std::vector<Id>& ids) {
    return std::ranges::adjacent_find(ids, std::greater_equal{}, K::order_of) == ids.end();
  }
};

using Kinds = testing::Types<UlidKind, Uuidv7Kind, Uuidv6Kind, Uuidv1Kind, KsuidKind>;
struct KindName {
  template <class K>
  static std::string GetName(int) {
    return K::kName;
  }
};
TYPED_TEST_SUITE(GeneratorTest, Kinds, KindName);

TYPED_TEST(GeneratorTest, IncreasesWhileTheClockStandsStill) {
  Generator<typename TypeParam::Mint> generator(this->clock_, this->random_);
  TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs));
  std::vector<typename TypeParam::Id> ids;
  for (int i = 0; i < 10'000; ++i) {
    const auto id = generator.next();
    ASSERT_TRUE(id);
    ids.push_back(*id);
  }
  EXPECT_TRUE(this->increases(ids));
  EXPECT_EQ(TypeParam::time_of(ids.front()), units_of_ms<TypeParam>(kNowMs));
}

TYPED_TEST(GeneratorTest, IncreasesWhenTheClockStepsBack) {
  Generator<typename TypeParam::Mint> generator(this->clock_, this->random_);
  const std::uint64_t now = units_of_ms<TypeParam>(kNowMs);
  std::vector<typename TypeParam::Id> ids;
  for (const std::uint64_t back_ms : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000},
                                      std::uint64_t{10'000}, kYearMs, std::uint64_t{1}}) {
    TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs - back_ms));
    const auto id = generator.next();
    ASSERT_TRUE(id);
    EXPECT_EQ(TypeParam::time_of(*id), now) << "the highest time it has seen";
    ids.push_back(*id);
  }
  TypeParam::set(this->clock_, now + 1);
  ids.push_back(*generator.next());
  EXPECT_EQ(TypeParam::time_of(ids.back()), now + 1) << "and the clock again, when it moves on";
  EXPECT_TRUE(this->increases(ids));
}

TYPED_TEST(GeneratorTest, IncreasesUnderAWildClock) {
  Generator<typename TypeParam::Mint> generator(this->clock_, this->random_);
  std::mt19937_64 wild(7);
  std::vector<typename TypeParam::Id> ids;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t span_ms = std::uint64_t{1} << wild() % 40;
    TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs + wild() % span_ms));
    const auto id = generator.next();
    ASSERT_TRUE(id);
    ids.push_back(*id);
  }
  EXPECT_TRUE(this->increases(ids));
}

TYPED_TEST(GeneratorTest, CarriesIntoTheTimeWhenTheCountRunsOverAndSaysHowFar) {
  using Mint = typename TypeParam::Mint;
  const std::uint64_t now = units_of_ms<TypeParam>(kNowMs);
  TypeParam::set(this->clock_, now);
  // As if the last ID but one of this unit had just been made.
  std::atomic<std::uint64_t> last_tick = ((now + 1) << Mint::kCountBits) - 2;
  std::vector<typename TypeParam::Id> ids;
  for (int i = 0; i < 3; ++i)
    ids.push_back(*detail::mint<Mint>(last_tick, this->clock_, this->random_));
  EXPECT_EQ(TypeParam::time_of(ids[0]), now);
  EXPECT_EQ(TypeParam::time_of(ids[1]), now + 1);
  EXPECT_EQ(TypeParam::time_of(ids[2]), now + 1);
  EXPECT_TRUE(this->increases(ids));
}

TYPED_TEST(GeneratorTest, SaysHowFarItLeadsTheClock) {
  Generator<typename TypeParam::Mint> generator(this->clock_, this->random_);
  const std::uint64_t now = units_of_ms<TypeParam>(kNowMs);
  TypeParam::set(this->clock_, now);
  EXPECT_EQ(generator.lead(), 0u) << "nothing was made yet";
  ASSERT_TRUE(generator.next());
  EXPECT_EQ(generator.lead(), 0u);
  TypeParam::set(this->clock_, now - 25);
  EXPECT_EQ(generator.lead(), 25u);
  TypeParam::set(this->clock_, now + 25);
  EXPECT_EQ(generator.lead(), 0u);
}

TYPED_TEST(GeneratorTest, FailsWithoutEntropyAndIsUnchanged) {
  using Mint = typename TypeParam::Mint;
  const std::uint64_t now = units_of_ms<TypeParam>(kNowMs);
  TypeParam::set(this->clock_, now);
  Generator<Mint> broken(this->clock_, this->entropy_);
  this->entropy_.failing_calls = 2;
  EXPECT_EQ(broken.next().error(), MintError::no_entropy);
  std::array<typename TypeParam::Id, 3> many;
  EXPECT_EQ(broken.next(many).error(), MintError::no_entropy);
  EXPECT_EQ(broken.lead(), 0u);

  // The same entropy without the failure makes the same IDs.
  FakeEntropy sound_entropy;
  Generator<Mint> sound(this->clock_, sound_entropy);
  for (int i = 0; i < 3; ++i) {
    const auto id = broken.next();
    ASSERT_TRUE(id);
    EXPECT_EQ(id, sound.next());
    TypeParam::set(this->clock_, now + 5);
    this->entropy_.failing_calls = 1;
    EXPECT_EQ(broken.next().error(), MintError::no_entropy);
    TypeParam::set(this->clock_, now);
  }
}

TYPED_TEST(GeneratorTest, TakesAllRandomBitsFromTheEntropyEachTime) {
  using Mint = typename TypeParam::Mint;
  TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs));
  Generator<Mint> generator(this->clock_, this->entropy_);
  for (std::size_t i = 1; i <= 5; ++i) {
    ASSERT_TRUE(generator.next());
    EXPECT_EQ(this->entropy_.calls, i);
    EXPECT_EQ(this->entropy_.bytes_given, i * (Mint::kRandomSize + Mint::kStartSize));
  }
}

TYPED_TEST(GeneratorTest, FailsBeyondTheTimeItHasBitsForAndRecovers) {
  using Mint = typename TypeParam::Mint;
  Generator<Mint> generator(this->clock_, this->random_);
  TypeParam::set(this->clock_, TypeParam::kTimeMax + 1);
  EXPECT_EQ(generator.next().error(), MintError::time_out_of_range);
  std::array<typename TypeParam::Id, 3> many;
  EXPECT_EQ(generator.next(many).error(), MintError::time_out_of_range);
  this->clock_.time_100ns = 0;
  this->clock_.time_ms = ~std::uint64_t{0};  // a clock before 1970 reads so
  EXPECT_EQ(generator.next().error(), MintError::time_out_of_range);
  TypeParam::set(this->clock_, TypeParam::kTimeMax);
  const auto id = generator.next();
  ASSERT_TRUE(id);
  EXPECT_EQ(TypeParam::time_of(*id), TypeParam::kTimeMax);
  EXPECT_EQ(generator.lead(), 0u);
}

// A clock that knows milliseconds only; the step of 100 ns is worked out by Clock itself.
struct MillisecondClock final : Clock {
  std::uint64_t time_ms = 0;
  std::uint64_t now_ms() noexcept override { return time_ms; }
};

TYPED_TEST(GeneratorTest, FailsForEveryTimeThatIsAbsurd) {
  MillisecondClock clock;
  Generator<typename TypeParam::Mint> generator(clock, this->random_);
  for (unsigned bits = 48; bits < 64; ++bits) {
    for (const std::uint64_t more : {0u, 1u, 999u}) {
      clock.time_ms = (std::uint64_t{1} << bits) + more;
      const auto id = generator.next();
      ASSERT_FALSE(id) << "2^" << bits << " + " << more << " ms gave " << *id;
      EXPECT_EQ(id.error(), MintError::time_out_of_range);
    }
  }
}

TYPED_TEST(GeneratorTest, FailsRatherThanWrapAtTheVeryLastTick) {
  using Mint = typename TypeParam::Mint;
  TypeParam::set(this->clock_, TypeParam::kTimeMax);
  std::atomic<std::uint64_t> last_tick = ~std::uint64_t{0} - 2;
  std::vector<typename TypeParam::Id> ids;
  std::array<typename TypeParam::Id, 3> many;
  EXPECT_EQ(detail::mint_many<Mint>(last_tick, this->clock_, this->random_, many).error(),
            MintError::exhausted);
  EXPECT_EQ(last_tick, ~std::uint64_t{0} - 2) << "unchanged";
  for (int i = 0; i < 2; ++i) {
    const auto id = detail::mint<Mint>(last_tick, this->clock_, this->random_);
    ASSERT_TRUE(id);
    ids.push_back(*id);
    EXPECT_EQ(TypeParam::time_of(*id), TypeParam::kTimeMax);
  }
  EXPECT_TRUE(this->increases(ids));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(detail::mint<Mint>(last_tick, this->clock_, this->random_).error(),
              MintError::exhausted);
    EXPECT_EQ(
        detail::mint_many<Mint>(last_tick, this->clock_, this->random_, std::span(many).first(1))
            .error(),
        MintError::exhausted);
  }
  TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs));
  EXPECT_EQ(detail::mint<Mint>(last_tick, this->clock_, this->random_).error(),
            MintError::exhausted)
      << "never again";
}

TYPED_TEST(GeneratorTest, MakesManyAtOnceByTheSameRules) {
  using Mint = typename TypeParam::Mint;
  Generator<Mint> generator(this->clock_, this->random_);
  TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs));
  std::vector<typename TypeParam::Id> ids;
  for (const std::size_t count : {0u, 1u, 2u, 255u, 256u, 257u, 1000u}) {
    std::vector<typename TypeParam::Id> many(count);
    EXPECT_EQ(generator.next(many), count);
    ids.insert(ids.end(), many.begin(), many.end());
    ids.push_back(*generator.next());
  }
  EXPECT_TRUE(this->increases(ids));
  EXPECT_EQ(TypeParam::time_of(ids.front()), units_of_ms<TypeParam>(kNowMs));
}

TYPED_TEST(GeneratorTest, OfOneEntropyMakesOneIdAtATimeOrManyAlike) {
  using Mint = typename TypeParam::Mint;
  TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs));
  this->entropy_.byte = 0x5A;
  Generator<Mint> single(this->clock_, this->entropy_);
  Generator<Mint> batch(this->clock_, this->entropy_);
  std::vector<typename TypeParam::Id> many(300);
  ASSERT_TRUE(batch.next(many));
  for (const auto& id : many) EXPECT_EQ(single.next(), id);
}

// The bits of an ID that are random in each, from the lowest up.
template <class K>
std::uint64_t random_bits_of(const typename K::Id& id) {
  return detail::load_be<8>(K::order_of(id).bytes.data() + K::Id::kSize - 8);
}

// How far the counts of 256 equally likely cases are from even: mean 255, deviation 23.
double chi_square(const std::array<std::uint32_t, 256>& counts, double expected) {
  double sum = 0;
  for (const std::uint32_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

TYPED_TEST(GeneratorTest, StepsAtRandomFromOneIdToTheNext) {
  constexpr std::size_t kCount = 25'600;
  SystemEntropy entropy;
  Generator<typename TypeParam::Mint> generator(this->clock_, entropy);
  TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs));
  std::vector<typename TypeParam::Id> ids(kCount + 1);
  for (auto& id : ids) id = *generator.next();

  // All kinds have at least 40 random bits at the end, less the one that versions 1 and 6
  // set; the steps between neighbours must be spread over them, at both ends.
  std::set<std::uint64_t> steps;
  std::array<std::uint32_t, 256> high{};
  std::array<std::uint32_t, 256> low{};
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::uint64_t step =
        (random_bits_of<TypeParam>(ids[i + 1]) - random_bits_of<TypeParam>(ids[i])) &
        0xFF'FFFF'FFFF;
    steps.insert(step);
    ++high[step >> 32];
    ++low[step & 0xFF];
  }
  EXPECT_EQ(steps.size(), kCount) << "a step came twice";
  // Odds of a false alarm are below one in a billion.
  EXPECT_LT(chi_square(high, kCount / 256.0), 420);
  EXPECT_LT(chi_square(low, kCount / 256.0), 420);
}

TYPED_TEST(GeneratorTest, OfTwoCopiesNeverMakesTheSame) {
  constexpr std::size_t kCount = 2000;
  constexpr std::size_t kSize = TypeParam::Id::kSize;
  for (const ForkBy how : {ForkBy::fork, ForkBy::bare_clone}) {
    SystemEntropy entropy;
    Generator<typename TypeParam::Mint> generator(this->clock_, entropy);
    TypeParam::set(this->clock_, units_of_ms<TypeParam>(kNowMs));
    ASSERT_TRUE(generator.next());
    std::vector<typename TypeParam::Id> ids(kCount);
    const auto make = [&] {
      for (auto& id : ids) id = *generator.next();
    };
    const auto told = in_child(
        [&](Pipe& out) {
          make();
          for (const auto& id : ids) out.write(id.bytes);
        },
        how, make);

    ASSERT_EQ(told.size(), kCount * kSize);
    std::set<typename TypeParam::Id> all(ids.begin(), ids.end());
    for (std::size_t i = 0; i < kCount; ++i) {
      typename TypeParam::Id id;
      std::copy_n(told.begin() + static_cast<std::ptrdiff_t>(i * kSize), kSize, id.bytes.begin());
      EXPECT_TRUE(all.insert(id).second) << id;
    }
  }
}

TYPED_TEST(GeneratorTest, SharedByThreadsNeverRepeatsAndKeepsTheOrderOfEach) {
  SystemEntropy entropy;
  SystemClock clock;
  Generator<typename TypeParam::Mint> generator(clock, entropy);
  std::vector<std::vector<typename TypeParam::Id>> made(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < made.size(); ++i) {
    threads.emplace_back([&, i, &ids = made[i]] {
      const std::uint64_t end_ms =
          clock.now_ms() + static_cast<std::uint64_t>(soak_time().count()) / 5;
      std::vector<typename TypeParam::Id> many(10 * i + 1);  // some by one, some by many
      do {
        if (i % 2 == 0) {
          ids.push_back(*generator.next());
        } else if (generator.next(many)) {
          ids.insert(ids.end(), many.begin(), many.end());
        }
      } while (ids.size() < 10'000 && clock.now_ms() < end_ms);
    });
  }
  for (auto& thread : threads) thread.join();

  std::vector<typename TypeParam::Id> all;
  for (const auto& ids : made) {
    EXPECT_FALSE(ids.empty());
    EXPECT_TRUE(this->increases(ids));
    all.insert(all.end(), ids.begin(), ids.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(UlidGenerator, LeadsTheClockByAMillisecondForEachRunOfTheCount) {
  FakeClock clock(kNowMs);
  FakeEntropy entropy;
  entropy.byte = 0xFF;  // the count starts at 32,767
  UlidGenerator generator(clock, entropy);
  std::uint64_t lead_max = 0;
  for (std::uint32_t i = 32'767; i < 65'536; ++i) {
    ASSERT_EQ(generator.next()->time_ms(), kNowMs);
    lead_max = std::max(lead_max, generator.lead());
  }
  EXPECT_EQ(lead_max, 0u);
  EXPECT_EQ(generator.next()->time_ms(), kNowMs + 1);
  EXPECT_EQ(generator.lead(), 1u);
  clock.time_ms = kNowMs + 1;
  EXPECT_EQ(generator.next()->time_ms(), kNowMs + 1);
  EXPECT_EQ(generator.lead(), 0u);
}

TEST(UlidGenerator, FailsRatherThanWrapAtTheEndOfTime) {
  FakeClock clock(Ulid::kTimeMsMax);
  FakeEntropy entropy;
  entropy.byte = 0xFF;
  UlidGenerator generator(clock, entropy);
  Ulid last;
  for (std::uint32_t i = 32'767; i < 65'536; ++i) last = *generator.next();
  EXPECT_EQ(last, Ulid::largest(Ulid::kTimeMsMax));
  EXPECT_EQ(generator.next().error(), MintError::exhausted);
  clock.time_ms = 0;
  EXPECT_EQ(generator.next().error(), MintError::exhausted) << "never again";
}

TEST(UlidGenerator, PutsTheCountAboveTheRandomBits) {
  FakeClock clock(0x0123'4567'89AB);
  FakeEntropy entropy;
  entropy.script = {{1, 2, 3, 4, 5, 6, 7, 8, 0x92, 0x34}, {9, 8, 7, 6, 5, 4, 3, 2, 0x77, 0x77}};
  UlidGenerator generator(clock, entropy);
  EXPECT_EQ(vectors::hex_of(generator.next()->bytes), "0123456789ab12340102030405060708");
  EXPECT_EQ(vectors::hex_of(generator.next()->bytes), "0123456789ab12350908070605040302");
}

TEST(Uuidv7Generator, PutsTheCountInRandAAndTheTopOfRandB) {
  FakeClock clock(0x0123'4567'89AB);
  FakeEntropy entropy;
  entropy.script = {{0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0x12, 0x3F}};
  Uuidv7Generator generator(clock, entropy);
  EXPECT_EQ(generator.next()->to_string(), "01234567-89ab-7123-bffc-000000000003");
  EXPECT_EQ(generator.next()->to_string(), "01234567-89ab-7124-8000-000000000000");
}

TEST(KsuidGenerator, PutsTheCountInTheFirstQuarterOfThePayload) {
  FakeClock clock((Ksuid::kEpochS + 0x0A0B0C0D) * 1000 + 999);
  FakeEntropy entropy;
  entropy.script = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xF1, 0xF2, 0xF3, 0xF4}};
  KsuidGenerator generator(clock, entropy);
  EXPECT_EQ(vectors::hex_of(generator.next()->bytes), "0a0b0c0d71f2f3f40102030405060708090a0b0c");
  EXPECT_EQ(vectors::hex_of(generator.next()->bytes), "0a0b0c0d71f2f3f5000000000000000000000000");
}

TEST(KsuidGenerator, FailsBeforeTheEpochOfKsuid) {
  FakeClock clock(Ksuid::kEpochS * 1000 - 1);
  FakeEntropy entropy;
  KsuidGenerator generator(clock, entropy);
  EXPECT_EQ(generator.next().error(), MintError::time_out_of_range);
  EXPECT_EQ(generator.lead(), 0u);
  clock.time_ms = Ksuid::kEpochS * 1000;
  EXPECT_TRUE(generator.next());
}

TEST(UlidGenerator, TellsTheTimesThatTheReferenceImplementationTells) {
  FakeClock clock;
  SeededEntropy entropy(1);
  UlidGenerator generator(clock, entropy);
  Ulid last;
  for (const auto& row : vectors::read_table("ulid/monotonic.tsv")) {
    SCOPED_TRACE(row.where());
    clock.time_ms = vectors::number(row.at(1));
    const auto id = generator.next();
    ASSERT_TRUE(id);
    // Theirs steps by one, so that a neighbour can be guessed; the times are the same.
    EXPECT_EQ(id->to_string().substr(0, 10), row["result"].substr(0, 10));
    EXPECT_LT(last, *id);
    last = *id;
  }
}

TEST(Generate, MakesIdsOfThisMomentThatIncrease) {
  SystemClock clock;
  const std::uint64_t before_ms = clock.now_ms();
  const std::uint64_t before_s = clock.now_s();
  Ulid ulid;
  Uuid uuidv7;
  Uuid uuidv6;
  Ksuid ksuid;
  for (int i = 0; i < 1000; ++i) {
    const auto a = Ulid::generate();
    const auto b = Uuid::generate_v7();
    const auto c = Uuid::generate_v6();
    const auto d = Ksuid::generate();
    ASSERT_TRUE(a && b && c && d);
    EXPECT_LT(ulid, *a);
    EXPECT_LT(uuidv7, *b);
    EXPECT_LT(uuidv6, *c);
    EXPECT_LT(ksuid, *d);
    ulid = *a, uuidv7 = *b, uuidv6 = *c, ksuid = *d;
  }
  const std::uint64_t after_ms = clock.now_ms() + 1;  // the tick may lead by a little
  for (const std::uint64_t time_ms : {ulid.time_ms(), static_cast<std::uint64_t>(*uuidv7.time_ms()),
                                      static_cast<std::uint64_t>(*uuidv6.time_ms())}) {
    EXPECT_GE(time_ms, before_ms);
    EXPECT_LE(time_ms, after_ms);
  }
  EXPECT_GE(ksuid.time_s(), before_s);
  EXPECT_LE(ksuid.time_s(), after_ms / 1000);
}

TEST(Generate, MakesManyAtOnceInOrder) {
  std::vector<Ulid> ulids(1000);
  std::vector<Ksuid> ksuids(1000);
  std::vector<Uuid> v1(1000), v4(1000), v6(1000), v7(1000);
  EXPECT_EQ(Ulid::generate(ulids), 1000u);
  EXPECT_EQ(Ksuid::generate(ksuids), 1000u);
  EXPECT_EQ(Uuid::generate_v1(v1), 1000u);
  EXPECT_EQ(Uuid::generate_v4(v4), 1000u);
  EXPECT_EQ(Uuid::generate_v6(v6), 1000u);
  EXPECT_EQ(Uuid::generate_v7(v7), 1000u);
  EXPECT_EQ(std::ranges::adjacent_find(ulids, std::greater_equal{}), ulids.end());
  EXPECT_EQ(std::ranges::adjacent_find(ksuids, std::greater_equal{}), ksuids.end());
  EXPECT_EQ(std::ranges::adjacent_find(v1, std::greater_equal{}, Uuidv1Kind::order_of), v1.end());
  EXPECT_EQ(std::ranges::adjacent_find(v6, std::greater_equal{}), v6.end());
  EXPECT_EQ(std::ranges::adjacent_find(v7, std::greater_equal{}), v7.end());
  for (const auto& id : v4) EXPECT_EQ(id.version(), 4u);
  std::ranges::sort(v4);
  EXPECT_EQ(std::ranges::adjacent_find(v4), v4.end());
  EXPECT_LT(ulids.back(), *Ulid::generate()) << "one and many share their order";
}

TEST(Generate, MakesNoIdTwiceInParentAndChildren) {
  constexpr std::size_t kCount = 2000;
  ASSERT_TRUE(Ulid::generate() && Uuid::generate_v4() && Uuid::generate_v7());
  std::set<std::vector<std::uint8_t>> all;
  for (int child = 0; child < 4; ++child) {
    const auto told = in_child([](Pipe& out) {
      for (std::size_t i = 0; i < kCount; ++i) {
        out.write(Ulid::generate()->bytes);
        out.write(Uuid::generate_v4()->bytes);
        out.write(Uuid::generate_v7()->bytes);
      }
    });
    ASSERT_EQ(told.size(), 3 * 16 * kCount);
    for (auto id = told.begin(); id != told.end(); id += 16) {
      EXPECT_TRUE(all.emplace(id, id + 16).second);
    }
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    for (const auto& bytes :
         {Ulid::generate()->bytes, Uuid::generate_v4()->bytes, Uuid::generate_v7()->bytes}) {
      EXPECT_TRUE(all.emplace(bytes.begin(), bytes.end()).second);
    }
  }
}

}  // namespace
}  // namespace tessera
