// What is promised about many at once: a batch has the IDs that as many single calls would have
// made, in the same strict order, each with random bits of its own; a batch that fails leaves a
// generator that goes on above everything it has made. And the texts of many ULIDs are the same
// from the vector kernel as from the portable one, with not one byte written behind them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/ulid_kernel.h"
#include "support/fakes.h"
#include "support/properties.h"
#include "tessera/generator.h"
#include "tessera/ksuid.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

constexpr std::uint64_t kNowMs = 1'755'854'043'118;
constexpr std::uint64_t kLastTick = ~std::uint64_t{0};

// Version 1 does not sort by its bytes; in the layout of version 6 it does.
template <class Mint>
auto in_order(const typename Mint::Id& id) {
  if constexpr (std::is_same_v<Mint, Uuidv1Mint>) {
    return *id.v1_to_v6();
  } else {
    return id;
  }
}

template <class Mint>
bool strictly_increasing(std::span<const typename Mint::Id> ids) {
  return std::ranges::adjacent_find(ids, [](const auto& a, const auto& b) {
           return !(in_order<Mint>(a) < in_order<Mint>(b));
         }) == ids.end();
}

template <class Mint>
class Batch : public ::testing::Test {};

using Mints = ::testing::Types<UlidMint, KsuidMint, Uuidv1Mint, Uuidv6Mint, Uuidv7Mint>;

struct MintNames {
  template <class Mint>
  static std::string GetName(int) {
    if (std::is_same_v<Mint, UlidMint>) return "ulid";
    if (std::is_same_v<Mint, KsuidMint>) return "ksuid";
    if (std::is_same_v<Mint, Uuidv1Mint>) return "uuidv1";
    return std::is_same_v<Mint, Uuidv6Mint> ? "uuidv6" : "uuidv7";
  }
};

TYPED_TEST_SUITE(Batch, Mints, MintNames);

TYPED_TEST(Batch, AGeneratorOfOneThreadMakesWhatASharedOneMakes) {
  FakeClock clock(kNowMs);
  SeededEntropy entropy(11);
  SeededEntropy same(11);
  Generator<TypeParam> shared(clock, entropy);
  LocalGenerator<TypeParam, FakeClock, SeededEntropy> local(clock, same);
  for (int i = 0; i < 300; ++i) {
    if (i % 7 == 0) clock.time_ms = kNowMs + static_cast<std::uint64_t>(i % 11);  // and back
    EXPECT_EQ(*local.next(), *shared.next());
  }
  std::vector<typename TypeParam::Id> ids(1000);
  std::vector<typename TypeParam::Id> others(1000);
  EXPECT_EQ(local.next(ids), 1000u);
  EXPECT_EQ(shared.next(others), 1000u);
  EXPECT_EQ(ids, others);
  EXPECT_EQ(local.lead(), shared.lead());
}

TYPED_TEST(Batch, FillsAllInStrictOrderWhateverItsSize) {
  FakeClock clock(kNowMs);
  SeededEntropy entropy(1);
  Generator<TypeParam> generator(clock, entropy);
  std::vector<typename TypeParam::Id> all;
  for (const std::size_t count : {0u, 1u, 2u, 255u, 256u, 257u, 511u, 512u, 513u, 1000u, 1025u}) {
    std::vector<typename TypeParam::Id> ids(count);
    const auto done = generator.next(ids);
    ASSERT_TRUE(done);
    EXPECT_EQ(*done, count);
    all.insert(all.end(), ids.begin(), ids.end());
    // One by itself between two batches has its place too.
    const auto one = generator.next();
    ASSERT_TRUE(one);
    all.push_back(*one);
  }
  EXPECT_TRUE(strictly_increasing<TypeParam>(all));
}

TYPED_TEST(Batch, IsWhatAsManySingleCallsWouldHaveMade) {
  // With randomness that is always the same byte, the IDs themselves are the same.
  for (const int byte : {0x00, 0x55, 0xFF}) {
    SCOPED_TRACE(byte);
    FakeClock clock(kNowMs);
    FakeEntropy entropy;
    entropy.byte = static_cast<std::uint8_t>(byte);
    Generator<TypeParam> many(clock, entropy);
    Generator<TypeParam> single(clock, entropy);
    // On, still, back by a second, on by a millisecond, back by a year, on by an hour.
    for (const std::int64_t step_ms :
         {0ll, 0ll, -1'000ll, 1'001ll, -31'536'000'000ll, 31'539'600'000ll}) {
      clock.time_ms += static_cast<std::uint64_t>(step_ms);
      std::vector<typename TypeParam::Id> ids(600);
      ASSERT_TRUE(many.next(ids));
      for (const auto& id : ids) ASSERT_EQ(single.next().value_or({}), id);
      ASSERT_EQ(many.lead(), single.lead());
    }
  }
}

TYPED_TEST(Batch, CarriesIntoTheTimeAsSingleCallsDo) {
  FakeClock clock(kNowMs);
  FakeEntropy entropy;
  entropy.byte = 0xFF;  // the count begins as high as it may
  Generator<TypeParam> many(clock, entropy);
  Generator<TypeParam> single(clock, entropy);
  constexpr std::size_t kCount = 40'000;  // more than the upper half of a count of 16 bits
  std::vector<typename TypeParam::Id> ids(kCount);
  ASSERT_TRUE(many.next(ids));
  EXPECT_TRUE(strictly_increasing<TypeParam>(ids));
  typename TypeParam::Id last{};
  for (std::size_t i = 0; i < kCount; ++i) last = single.next().value_or({});
  EXPECT_EQ(last, ids.back());
  EXPECT_EQ(many.lead(), single.lead());
  EXPECT_EQ(many.lead() > 0, TypeParam::kCountBits <= 16);
}

TYPED_TEST(Batch, GivesEveryIdRandomBitsOfItsOwn) {
  FakeClock clock(kNowMs);
  FakeEntropy counting;
  Generator<TypeParam> generator(clock, counting);
  std::vector<typename TypeParam::Id> ids(1200);  // two whole chunks and a part of one
  ASSERT_TRUE(generator.next(ids));
  EXPECT_EQ(counting.calls, 3u);
  EXPECT_EQ(counting.bytes_given, 1200 * TypeParam::kRandomSize + 3 * TypeParam::kStartSize);

  SeededEntropy entropy(7);
  Generator<TypeParam> random(clock, entropy);
  ASSERT_TRUE(random.next(ids));
  std::set<std::vector<std::uint8_t>> tails;
  for (const auto& id : ids) tails.emplace(id.bytes.end() - 6, id.bytes.end());
  EXPECT_EQ(tails.size(), ids.size());
}

TYPED_TEST(Batch, FailsWithoutEntropyAndGoesOnAboveWhatItMade) {
  FakeClock clock(kNowMs);
  FakeEntropy entropy;
  Generator<TypeParam> generator(clock, entropy);
  std::vector<typename TypeParam::Id> ids(1000);
  entropy.working = false;
  EXPECT_EQ(generator.next(ids).error(), MintError::no_entropy);
  EXPECT_TRUE(
      std::ranges::all_of(ids, [](const auto& id) { return id == typename TypeParam::Id{}; }));

  // After the first chunk.
  struct FailsAfter final : Entropy {
    int good_calls = 1;
    bool fill(std::span<std::uint8_t> out) noexcept override {
      std::ranges::fill(out, std::uint8_t{0x11});
      return good_calls-- > 0;
    }
  } fails_after;
  Generator<TypeParam> broken(clock, fails_after);
  EXPECT_EQ(broken.next(ids).error(), MintError::no_entropy);
  const auto written = std::ranges::find(ids, typename TypeParam::Id{});
  EXPECT_EQ(written - ids.begin(), 512);
  fails_after.good_calls = 100;
  const auto next = broken.next();
  ASSERT_TRUE(next);
  EXPECT_TRUE(in_order<TypeParam>(ids[511]) < in_order<TypeParam>(*next));
}

TYPED_TEST(Batch, FailsWhenTheKindCannotSayTheTime) {
  FakeEntropy entropy;
  FakeClock clock(~std::uint64_t{0} / 10'000);  // no kind reaches there
  Generator<TypeParam> generator(clock, entropy);
  std::vector<typename TypeParam::Id> ids(3);
  EXPECT_EQ(generator.next(ids).error(), MintError::time_out_of_range);
  EXPECT_EQ(generator.next(std::span(ids).first(0)).value_or(1),
            0u);  // nothing asked, nothing wrong
  EXPECT_EQ(entropy.calls, 0u);
  clock.time_ms = kNowMs;
  EXPECT_TRUE(generator.next(ids));
}

TYPED_TEST(Batch, FailsRatherThanWrap) {
  FakeClock clock(kNowMs);
  FakeEntropy entropy;
  std::vector<typename TypeParam::Id> ids(11);
  std::atomic<std::uint64_t> last_tick{kLastTick - 10};
  // One more than there are: none is taken.
  EXPECT_EQ(detail::mint_many<TypeParam>(last_tick, clock, entropy, std::span(ids)).error(),
            MintError::exhausted);
  EXPECT_EQ(last_tick, kLastTick - 10);
  // Exactly as many as there are.
  EXPECT_TRUE(detail::mint_many<TypeParam>(last_tick, clock, entropy, std::span(ids).first(10)));
  EXPECT_EQ(last_tick, kLastTick);
  EXPECT_TRUE(strictly_increasing<TypeParam>(std::span(ids).first(10)));
  for (const std::size_t count : {1u, 2u, 11u}) {
    EXPECT_EQ(detail::mint_many<TypeParam>(last_tick, clock, entropy, std::span(ids).first(count))
                  .error(),
              MintError::exhausted);
  }
  EXPECT_EQ(detail::mint<TypeParam>(last_tick, clock, entropy).error(), MintError::exhausted);
  EXPECT_EQ(last_tick, kLastTick);
}

TYPED_TEST(Batch, OfTwoThreadsNeverMeet) {
  FakeClock clock(kNowMs);
  SystemEntropy entropy;
  Generator<TypeParam> generator(clock, entropy);
  using Ids = std::vector<typename TypeParam::Id>;
  const auto mint = [&](Ids& all) {
    Ids ids(300);
    while (all.size() < 6'000) {
      if (!generator.next(ids)) return;
      all.insert(all.end(), ids.begin(), ids.end());
    }
  };
  Ids a;
  Ids b;
  std::thread other([&] { mint(b); });
  mint(a);
  other.join();
  EXPECT_EQ(a.size(), 6'000u);
  EXPECT_EQ(b.size(), 6'000u);
  EXPECT_TRUE(strictly_increasing<TypeParam>(a));
  EXPECT_TRUE(strictly_increasing<TypeParam>(b));

  Ids all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto before = [](const auto& x, const auto& y) {
    return in_order<TypeParam>(x) < in_order<TypeParam>(y);
  };
  std::ranges::sort(all, before);
  EXPECT_TRUE(strictly_increasing<TypeParam>(all));
  // A chunk of one thread has no ID of the other within it.
  for (std::size_t i = 0; i < a.size(); i += 300) {
    const auto first = std::ranges::lower_bound(all, a[i], before) - all.begin();
    ASSERT_EQ(all[static_cast<std::size_t>(first) + 255], a[i + 255]);
  }
}

// The process-wide generators: batches and single calls stand in one order.
template <class Mint, class One, class Many>
void check_process_wide(One one, Many many) {
  std::vector<typename Mint::Id> all;
  for (const std::size_t count : {1u, 300u, 1000u}) {
    std::vector<typename Mint::Id> ids(count);
    ASSERT_TRUE(one());
    all.push_back(*one());
    ASSERT_EQ(many(std::span(ids)).value_or(0), count);
    all.insert(all.end(), ids.begin(), ids.end());
  }
  EXPECT_TRUE(strictly_increasing<Mint>(all));
}

TEST(GenerateMany, StandsInOneOrderWithGenerate) {
  check_process_wide<UlidMint>([] { return Ulid::generate(); },
                               [](std::span<Ulid> out) { return Ulid::generate(out); });
  check_process_wide<KsuidMint>([] { return Ksuid::generate(); },
                                [](std::span<Ksuid> out) { return Ksuid::generate(out); });
  check_process_wide<Uuidv1Mint>([] { return Uuid::generate_v1(); },
                                 [](std::span<Uuid> out) { return Uuid::generate_v1(out); });
  check_process_wide<Uuidv6Mint>([] { return Uuid::generate_v6(); },
                                 [](std::span<Uuid> out) { return Uuid::generate_v6(out); });
  check_process_wide<Uuidv7Mint>([] { return Uuid::generate_v7(); },
                                 [](std::span<Uuid> out) { return Uuid::generate_v7(out); });
}

TEST(GenerateMany, MakesTheVersionThatWasAskedFor) {
  std::vector<Uuid> ids(1000);
  const auto all_are = [&](unsigned version) {
    return std::ranges::all_of(ids, [&](const Uuid& id) { return id.version() == version; });
  };
  ASSERT_TRUE(Uuid::generate_v1(ids));
  EXPECT_TRUE(all_are(1));
  ASSERT_TRUE(Uuid::generate_v6(ids));
  EXPECT_TRUE(all_are(6));
  ASSERT_TRUE(Uuid::generate_v7(ids));
  EXPECT_TRUE(all_are(7));
  ASSERT_EQ(Uuid::generate_v4(ids).value_or(0), ids.size());
  EXPECT_TRUE(all_are(4));
  EXPECT_EQ(std::set<Uuid>(ids.begin(), ids.end()).size(), ids.size());
  EXPECT_EQ(Uuid::generate_v4(std::span<Uuid>()).value_or(1), 0u);
}

TEST(GenerateMany, HasTheTimeOfTheClock) {
  SystemClock clock;
  const std::uint64_t before_ms = clock.now_ms();
  std::vector<Ulid> ids(100);
  ASSERT_TRUE(Ulid::generate(ids));
  EXPECT_GE(ids.front().time_ms(), before_ms);
  EXPECT_LE(ids.back().time_ms(), clock.now_ms() + 1000);
}

// Texts.

constexpr std::size_t kLineSize = Ulid::kTextSize + 1;
constexpr char kGuard = '\x5A';

// By the code that is the same everywhere.
std::string texts_one_by_one(std::span<const Ulid> ids, char separator) {
  std::string text;
  for (const Ulid& id : ids) {
    std::array<char, Ulid::kTextSize> line;
    base32::write_left_portable(id.bytes, line);
    text += std::string(line.begin(), line.end()) + separator;
  }
  return text;
}

// What `kernel` writes, if the guard behind it is untouched.
std::string texts_by(const detail::UlidTextKernel& kernel, std::span<const Ulid> ids,
                     char separator) {
  constexpr std::size_t kGuardSize = 64;
  const std::size_t size = ids.size() * kLineSize;
  std::string buffer(kGuardSize + size + kGuardSize, kGuard);
  kernel.write_many(ids, separator, buffer.data() + kGuardSize);
  const std::string guard(kGuardSize, kGuard);
  EXPECT_EQ(buffer.substr(0, kGuardSize), guard);
  EXPECT_EQ(buffer.substr(kGuardSize + size), guard);
  return buffer.substr(kGuardSize, size);
}

// Every bit alone, every digit of every value at every place, the ends.
std::vector<Ulid> edge_values() {
  std::vector<Ulid> ids = {Ulid{}, Ulid::largest(Ulid::kTimeMsMax)};
  for (unsigned bit = 0; bit < 128; ++bit) {
    ids.push_back({detail::store_128(detail::uint128{1} << bit)});
    ids.push_back({detail::store_128(~(detail::uint128{1} << bit))});
  }
  for (std::size_t at = 0; at < Ulid::kTextSize; ++at) {
    for (const char digit : detail::kCrockford) {
      std::string text(Ulid::kTextSize, '0');
      text[at] = digit;
      if (const auto id = Ulid::parse(text)) ids.push_back(*id);
    }
  }
  return ids;
}

TEST(WriteTexts, KernelsWriteEveryDigitAtEveryPlace) {
  const auto ids = edge_values();
  EXPECT_GT(ids.size(), 1000u);
  for (const auto& kernel : detail::ulid_text_kernels()) {
    EXPECT_EQ(texts_by(kernel, ids, '\n'), texts_one_by_one(ids, '\n'));
  }
}

TEST(WriteTexts, KernelsWriteAnyNumberAndNothingBehind) {
  SeededEntropy entropy(3);
  const auto edges = edge_values();
  for (std::size_t count = 0; count <= 40; ++count) {
    SCOPED_TRACE(count);
    std::vector<Ulid> ids(count);
    for (Ulid& id : ids) ASSERT_TRUE(entropy.fill(id.bytes));
    const auto some_edges = std::span(edges).subspan(count * 7, count);
    for (const auto& kernel : detail::ulid_text_kernels()) {
      for (const char separator : {'\n', '\0', ',', 'Z', '\xFF'}) {
        EXPECT_EQ(texts_by(kernel, ids, separator), texts_one_by_one(ids, separator));
        EXPECT_EQ(texts_by(kernel, some_edges, separator), texts_one_by_one(some_edges, separator));
      }
    }
  }
}

TEST(WriteTexts, TakesALargerBufferAndEndsTheProcessOverASmallerOne) {
  const std::vector<Ulid> ids(5, Ulid::largest(1));
  std::string buffer(5 * kLineSize + 10, kGuard);
  write_texts(ids, '\n', buffer);
  EXPECT_EQ(buffer, texts_one_by_one(ids, '\n') + std::string(10, kGuard));
  std::string exact(5 * kLineSize, kGuard);
  write_texts(ids, '\n', exact);
  EXPECT_EQ(exact, texts_one_by_one(ids, '\n'));
  write_texts(std::span<const Ulid>(), '\n', {});
  EXPECT_DEATH(write_texts(ids, '\n', std::span(exact).first(5 * kLineSize - 1)), "");
}

RC_GTEST_PROP(WriteTexts, KernelsAgreeOnAnything, (const std::vector<Ulid>& ids, char separator)) {
  const std::string expected = texts_one_by_one(ids, separator);
  for (const auto& kernel : detail::ulid_text_kernels())
    RC_ASSERT(texts_by(kernel, ids, separator) == expected);
}

}  // namespace
}  // namespace tessera
