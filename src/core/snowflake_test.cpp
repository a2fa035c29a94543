// What a Snowflake promises: a number up to 2^63 - 1 with one decimal text; time, machine and
// sequence come out of every layout as they went in. What its generator promises: numbers
// strictly increase whatever the clock does, two machines never make the same one, and what
// the layout has no room for, or a forked child no right to, is refused.

#include "tessera/snowflake.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
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
using namespace snowflake_layouts;

static_assert(sizeof(Snowflake) == 8);
static_assert(std::is_trivially_copyable_v<Snowflake> && std::is_standard_layout_v<Snowflake>);
static_assert(HasText<Snowflake>&& noexcept(Snowflake::parse("")));
static_assert(Snowflake::parse("175928847299117063") == Snowflake{175'928'847'299'117'063});
static_assert(Snowflake{175'928'847'299'117'063}.time_ms(kDiscord) == 1'462'015'105'796);
static_assert(Snowflake{0}.text().view() == "0");
static_assert(Snowflake{Snowflake::kMax}.text().view() == "9223372036854775807");
static_assert(Snowflake::parse("9223372036854775808") == Failure{ParseError{Code::overflow, 0}});
static_assert(Snowflake::smallest(kTwitter, 0) == std::nullopt);

TEST(Snowflake, RefusesBadTextAndSaysWhere) {
  const struct {
    const char* text;
    ParseError error;
  } cases[] = {
      {"", {Code::invalid_length, 0}},
      {"184467440737095516160", {Code::invalid_length, 21}},
      {"9223372036854775808", {Code::overflow, 0}},
      {"9223372036854775810", {Code::overflow, 0}},
      {"18446744073709551615", {Code::overflow, 0}},
      {"18446744073709551617", {Code::overflow, 0}},  // 1, where 64 bits wrap
      {"99999999999999999999", {Code::overflow, 0}},
      {"00", {Code::non_canonical, 0}},
      {"01", {Code::non_canonical, 0}},
      {"00000000000000000000", {Code::non_canonical, 0}},
      {"-1", {Code::invalid_character, 0}},
      {"+1", {Code::invalid_character, 0}},
      {"12 ", {Code::invalid_character, 2}},
      {"1e5", {Code::invalid_character, 1}},
      {"0x1", {Code::invalid_character, 1}},
      {"12345/", {Code::invalid_character, 5}},
      {"12345:", {Code::invalid_character, 5}},
      {"1\xB2", {Code::invalid_character, 1}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Snowflake::parse(c.text), Failure{c.error}) << c.text;
  }
}

TEST(Snowflake, ReadsEveryPowerOfTen) {
  std::string text = "1";
  for (std::uint64_t value = 1; text.size() <= 19; value *= 10, text += '0') {
    EXPECT_EQ(Snowflake::parse(text), Snowflake{value});
    EXPECT_EQ(Snowflake{value}.to_string(), text);
    EXPECT_EQ(Snowflake{value - 1}.to_string(), std::to_string(value - 1));
  }
}

TEST(Snowflake, AgreesWithTheReferenceImplementation) {
  for (const auto& row : vectors::read_table("oracle-snowflake.tsv")) {
    SCOPED_TRACE(row.where());
    const auto id = Snowflake::parse(row["id"]);
    ASSERT_TRUE(id);
    const SnowflakeLayout* layout = find_snowflake_layout(row["layout"]);
    ASSERT_NE(layout, nullptr);
    EXPECT_EQ(id->to_string(), row["id"]);
    EXPECT_EQ(id->time_ms(*layout), vectors::number(row["unix_ms"]));
    EXPECT_EQ(id->machine(*layout),
              vectors::number(row["worker5"]) << 5 | vectors::number(row["process5"]));
    EXPECT_EQ(id->sequence(*layout), vectors::number(row["increment12"]));
  }
}

// "2015-06-04T14:48:31.271Z" or a number of milliseconds.
std::uint64_t time_ms_of(const std::string& text) {
  if (text.find('T') == std::string::npos) return vectors::number(text);
  using namespace std::chrono;
  const auto part = [&](std::size_t at, std::size_t size) {
    return static_cast<int>(vectors::number(text.substr(at, size)));
  };
  const sys_days day = year(part(0, 4)) / month(static_cast<unsigned>(part(5, 2))) /
                       std::chrono::day(static_cast<unsigned>(part(8, 2)));
  const auto moment = day + hours(part(11, 2)) + minutes(part(14, 2)) + seconds(part(17, 2)) +
                      milliseconds(part(20, 3));
  return static_cast<std::uint64_t>(duration_cast<milliseconds>(moment.time_since_epoch()).count());
}

TEST(Snowflake, AgreesWithPublishedOnesOfEveryLayout) {
  std::set<std::string_view> seen;
  for (const auto& row : vectors::read_table("snowflake/snowflake.tsv")) {
    SCOPED_TRACE(row.where());
    const std::string name = row["layout"].substr(0, row["layout"].find_first_of("/ "));
    const SnowflakeLayout* layout = find_snowflake_layout(name == "sony" ? "sonyflake" : name);
    if (layout == nullptr) continue;  // a layout that we have no name for
    seen.insert(layout->name);
    const auto id = Snowflake::parse(row["id"]);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->time_ms(*layout), time_ms_of(row["unix_ms_or_iso"]));
    if (row["fields"].starts_with("worker=")) {
      const auto fields = vectors::split(row["fields"], ' ');
      ASSERT_EQ(fields.size(), 3u);
      const auto value = [](const std::string& field) {
        return vectors::number(field.substr(field.find('=') + 1));
      };
      EXPECT_EQ(id->machine(*layout), value(fields[0]) << 5 | value(fields[1]));
      EXPECT_EQ(id->sequence(*layout), value(fields[2]));
    }
  }
  EXPECT_GE(seen.size(), 6u) << "all that are in use outside of this project";
}

TEST(SnowflakeLayout, EveryNamedOneIsValidAndFoundByItsName) {
  std::set<std::string_view> names;
  for (const auto& layout : all_snowflake_layouts()) {
    SCOPED_TRACE(layout.name);
    EXPECT_TRUE(layout.valid());
    EXPECT_LE(layout.bits(), 63u);
    EXPECT_EQ(find_snowflake_layout(layout.name), &layout);
    EXPECT_TRUE(names.insert(layout.name).second);
  }
  EXPECT_EQ(find_snowflake_layout(""), nullptr);
  EXPECT_EQ(find_snowflake_layout("Twitter"), nullptr);
  EXPECT_EQ(kJs53.bits(), 53u) << "fits in a JavaScript number";
}

TEST(SnowflakeLayout, IsWrittenInFullAndReadBack) {
  EXPECT_EQ(snowflake_layout_text(kTwitter), "1288834974657/1/t41.m10.s12");
  EXPECT_EQ(snowflake_layout_text(snowflake_layouts::kSonyflake), "1409529600000/10/t39.s8.m16");
  EXPECT_EQ(snowflake_layout_text(snowflake_layouts::kMastodon), "0/1/t47.m0.s16");
  for (const auto& layout : all_snowflake_layouts()) {
    for (const std::string& text : {snowflake_layout_text(layout), std::string(layout.name)}) {
      const auto read = parse_snowflake_layout(text);
      ASSERT_TRUE(read) << text;
      EXPECT_EQ(read->name, layout.name);
      EXPECT_EQ(snowflake_layout_text(*read), snowflake_layout_text(layout));
    }
  }
  EXPECT_EQ(parse_snowflake_layout("sony")->name, "sonyflake");
  const auto custom = parse_snowflake_layout("1700000000000/60000/t30.s1.m32");
  ASSERT_TRUE(custom);
  EXPECT_EQ(custom->name, "custom");
  EXPECT_EQ(custom->epoch_ms, 1'700'000'000'000U);
  EXPECT_EQ(custom->unit_ms, 60'000U);
  EXPECT_EQ(custom->time_bits, 30U);
  EXPECT_EQ(custom->machine_bits, 32U);
  EXPECT_EQ(custom->sequence_bits, 1U);
  EXPECT_TRUE(custom->machine_last);
  EXPECT_EQ(snowflake_layout_text(*parse_snowflake_layout("0/1/t40.s10.m0")), "0/1/t40.m0.s10")
      << "without a machine there is no order";
}

TEST(SnowflakeLayout, RefusesTextsThatAreNone) {
  for (const char* text : {"",
                           "Twitter",
                           "0",
                           "0/1",
                           "0/1/",
                           "0/1/t41",
                           "0/1/t41.",
                           "0/1/t41.m10",
                           "0/1/t41.m10.",
                           "0/1/t41.m10.m12",
                           "0/1/t41.s10.s12",
                           "0/1/t41.m10.s12 ",
                           " 0/1/t41.m10.s12",
                           "0/1/t41.m10.s12.s1",
                           "00/1/t41.m10.s12",
                           "0/01/t41.m10.s12",
                           "0/1/t041.m10.s12",
                           "-1/1/t41.m10.s12",
                           "+1/1/t41.m10.s12",
                           "0/0/t41.m10.s12",
                           "0/60001/t41.m10.s12",
                           "0/1/t41.m10.s13",
                           "0/1/t0.m10.s12",
                           "0/1/t49.m1.s1",
                           "0/1/t10.m33.s1",
                           "0/1/t41.m10.s0",
                           "281474976710656/1/t41.m10.s12",
                           "18446744073709551616/1/t41.m10.s12",
                           "0/1/T41.m10.s12",
                           "0/1/t41,m10,s12"}) {
    EXPECT_FALSE(parse_snowflake_layout(text)) << text;
  }
}

TEST(SnowflakeLayout, RefusesWidthsThatMakeNoSense) {
  const auto with = [](auto change) {
    SnowflakeLayout layout = kTwitter;
    change(layout);
    return layout.valid();
  };
  EXPECT_TRUE(with([](auto&) {}));
  EXPECT_FALSE(with([](auto& l) { l.time_bits = 42; })) << "64 bits";
  EXPECT_FALSE(with([](auto& l) { l.time_bits = 0; }));
  EXPECT_FALSE(with([](auto& l) { l.time_bits = 49, l.machine_bits = 0; }));
  EXPECT_TRUE(with([](auto& l) { l.machine_bits = 0; }));
  EXPECT_FALSE(with([](auto& l) { l.machine_bits = 33, l.time_bits = 1; }));
  EXPECT_FALSE(with([](auto& l) { l.sequence_bits = 0; }));
  EXPECT_FALSE(with([](auto& l) { l.sequence_bits = 33, l.time_bits = 1; }));
  EXPECT_FALSE(with([](auto& l) { l.unit_ms = 0; }));
  EXPECT_FALSE(with([](auto& l) { l.unit_ms = 60'001; }));
  EXPECT_FALSE(with([](auto& l) { l.epoch_ms = std::uint64_t{1} << 48; }));
  // Sums that run over 32 bits are no way in.
  EXPECT_FALSE(with([](auto& l) { l.time_bits = ~0u, l.machine_bits = 1, l.sequence_bits = 1; }));
  EXPECT_FALSE(with([](auto& l) { l.machine_bits = ~0u - 40; }));
}

TEST(Snowflake, KnowsTheSmallestAndTheLargestOfAUnitOfTime) {
  for (const auto& layout : all_snowflake_layouts()) {
    SCOPED_TRACE(layout.name);
    for (const std::uint64_t time_ms : {layout.epoch_ms, layout.epoch_ms + layout.unit_ms,
                                        layout.epoch_ms + 123'456'789, layout.time_ms_max()}) {
      const auto smallest = Snowflake::smallest(layout, time_ms);
      const auto largest = Snowflake::largest(layout, time_ms);
      ASSERT_TRUE(smallest && largest);
      EXPECT_LE(smallest->time_ms(layout), time_ms);
      EXPECT_LT(time_ms, smallest->time_ms(layout) + layout.unit_ms);
      EXPECT_EQ(largest->time(layout), smallest->time(layout));
      EXPECT_EQ(smallest->machine(layout) + smallest->sequence(layout), 0u);
      EXPECT_EQ(largest->machine(layout), layout.machine_max());
      EXPECT_EQ(largest->sequence(layout), layout.sequence_max());
    }
    EXPECT_EQ(Snowflake::largest(layout, layout.time_ms_max())->value,
              (std::uint64_t{1} << layout.bits()) - 1);
    EXPECT_FALSE(Snowflake::smallest(layout, layout.time_ms_max() + 1));
    EXPECT_FALSE(Snowflake::largest(layout, layout.time_ms_max() + 1));
    EXPECT_FALSE(layout.epoch_ms > 0 && Snowflake::smallest(layout, layout.epoch_ms - 1));
    EXPECT_FALSE(layout.epoch_ms > 0 && Snowflake::largest(layout, layout.epoch_ms - 1));
  }
}

TEST(Snowflake, HashesNeighboursApart) {
  std::unordered_set<Snowflake> ids;
  std::unordered_set<std::size_t> hashes;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    ids.insert(Snowflake{i << 22});
    hashes.insert(std::hash<Snowflake>{}(Snowflake{i << 22}));
  }
  EXPECT_EQ(ids.size(), 10'000u);
  EXPECT_EQ(hashes.size(), 10'000u);
}

rc::Gen<Snowflake> any_snowflake() {
  return rc::gen::map(any_u64(), [](std::uint64_t value) { return Snowflake{value >> 1}; });
}

rc::Gen<SnowflakeLayout> any_layout() {
  return rc::gen::suchThat(
      rc::gen::apply(
          [](unsigned time, unsigned machine, unsigned sequence, std::uint32_t unit_ms,
             std::uint64_t epoch_ms, bool machine_last) {
            return SnowflakeLayout{"any", epoch_ms, unit_ms, time, machine, sequence, machine_last};
          },
          any_from_to(1u, 48u), any_from_to(0u, 16u), any_from_to(1u, 16u),
          any_from_to(std::uint32_t{1}, std::uint32_t{60'000}),
          any_from_to(std::uint64_t{0}, std::uint64_t{1} << 42), rc::gen::arbitrary<bool>()),
      [](const SnowflakeLayout& layout) { return layout.valid(); });
}

RC_GTEST_PROP(Snowflake, TextRoundTripsAndIsTheNumber, ()) {
  const Snowflake id = *any_snowflake();
  RC_ASSERT(id.to_string() == std::to_string(id.value));
  RC_ASSERT(Snowflake::parse(id.to_string()) == id);
  RC_ASSERT(Snowflake::parse("0" + id.to_string()) != id);
}

RC_GTEST_PROP(Snowflake, HasOneTextPerValue, ()) {
  const Snowflake id = *any_snowflake();
  const std::string text = id.to_string();
  const auto at = *any_from_to(std::size_t{0}, text.size() - 1);
  for (int c = 0; c < 256; ++c) {
    std::string changed = text;
    changed[at] = static_cast<char>(c);
    if (changed != text) RC_ASSERT(Snowflake::parse(changed) != id);
  }
}

RC_GTEST_PROP(Snowflake, SortsAsItsNumberAndTextsOfOneLengthLikewise, ()) {
  const Snowflake a = *any_snowflake();
  const Snowflake b = *any_snowflake();
  RC_ASSERT((a <=> b) == (a.value <=> b.value));
  const std::string text_a = a.to_string();
  const std::string text_b = b.to_string();
  if (text_a.size() == text_b.size()) RC_ASSERT((a <=> b) == (text_a <=> text_b));
  if (text_a.size() < text_b.size()) RC_ASSERT(a < b);
}

RC_GTEST_PROP(Snowflake, PartsComeOutOfAnyLayoutAsTheyWentIn, ()) {
  const SnowflakeLayout layout = *any_layout();
  const auto time = *any_u64() & layout.time_max();
  const auto machine = *any_u64() & layout.machine_max();
  const auto sequence = *any_u64() & layout.sequence_max();
  const Snowflake id = Snowflake::from_parts(layout, time, machine, sequence);
  RC_ASSERT(id.value <= Snowflake::kMax);
  RC_ASSERT(id.time(layout) == time);
  RC_ASSERT(id.machine(layout) == machine);
  RC_ASSERT(id.sequence(layout) == sequence);
  RC_ASSERT(*Snowflake::smallest(layout, id.time_ms(layout)) <= id);
  RC_ASSERT(id <= *Snowflake::largest(layout, id.time_ms(layout)));
}

TEST(SnowflakeGenerator, StartsEachUnitOfTimeAtZeroAndCountsUp) {
  FakeClock clock(kTwitter.epoch_ms + 1000);
  SnowflakeGenerator generator(kTwitter, 77, clock);
  EXPECT_EQ(generator.next(), Snowflake::from_parts(kTwitter, 1000, 77, 0));
  EXPECT_EQ(generator.next(), Snowflake::from_parts(kTwitter, 1000, 77, 1));
  clock.time_ms += 5;
  EXPECT_EQ(generator.next(), Snowflake::from_parts(kTwitter, 1005, 77, 0));
  EXPECT_EQ(generator.layout().name, "twitter");
}

TEST(SnowflakeGenerator, IncreasesWhenTheClockStandsStillOrStepsBack) {
  constexpr std::uint64_t kYearMs = 31'556'952'000;
  for (const auto& layout : all_snowflake_layouts()) {
    SCOPED_TRACE(layout.name);
    FakeClock clock;
    SnowflakeGenerator generator(layout, layout.machine_max(), clock, 3 * kYearMs);
    const std::uint64_t start_ms = layout.epoch_ms + 2 * kYearMs;
    std::vector<Snowflake> ids;
    for (const std::uint64_t back_ms : {std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1},
                                        std::uint64_t{10'000}, kYearMs, std::uint64_t{0}}) {
      clock.time_ms = start_ms - back_ms;
      const auto id = generator.next();
      ASSERT_TRUE(id);
      EXPECT_EQ(id->time(layout), ids.empty() ? id->time(layout) : ids[0].time(layout));
      ids.push_back(*id);
    }
    EXPECT_EQ(std::ranges::adjacent_find(ids, std::greater_equal{}), ids.end());
  }
}

TEST(SnowflakeGenerator, RunsIntoTheNextUnitAndThenWaits) {
  for (const auto& layout : all_snowflake_layouts()) {
    SCOPED_TRACE(layout.name);
    FakeClock clock(layout.epoch_ms + 1'000'000);
    const std::uint64_t lead_ms_max = 2 * layout.unit_ms;
    SnowflakeGenerator generator(layout, 0, clock, lead_ms_max);
    const std::uint64_t now = 1'000'000 / layout.unit_ms;
    // This unit and two more, all of each, and not one beyond.
    Snowflake last{0};
    for (std::uint64_t i = 0; i < 3 * (layout.sequence_max() + 1); ++i) {
      const auto id = generator.next();
      ASSERT_TRUE(id) << i;
      ASSERT_LT(last, *id);
      last = *id;
    }
    EXPECT_EQ(last.time(layout), now + 2);
    EXPECT_EQ(last.sequence(layout), layout.sequence_max());
    EXPECT_EQ(generator.next().error(), MintError::too_far_ahead);
    EXPECT_EQ(generator.next().error(), MintError::too_far_ahead);
    clock.time_ms += layout.unit_ms;
    EXPECT_EQ(generator.next(), Snowflake::from_parts(layout, now + 3, 0, 0)) << "nothing was lost";
  }
}

TEST(SnowflakeGenerator, WithoutLeadNeverLeavesTheUnitOfTheClock) {
  FakeClock clock(kJs53.epoch_ms + 1);
  SnowflakeGenerator generator(kJs53, 3, clock, 0);
  for (std::uint64_t i = 0; i <= kJs53.sequence_max(); ++i) ASSERT_TRUE(generator.next());
  EXPECT_EQ(generator.next().error(), MintError::too_far_ahead);
  clock.time_ms -= 1;
  EXPECT_EQ(generator.next().error(), MintError::too_far_ahead) << "nor when the clock steps back";
}

TEST(SnowflakeGenerator, FailsOutsideOfItsTimeAndRecovers) {
  FakeClock clock(kTwitter.epoch_ms - 1);
  SnowflakeGenerator generator(kTwitter, 0, clock);
  EXPECT_EQ(generator.next().error(), MintError::time_out_of_range);
  clock.time_ms = ~std::uint64_t{0};
  EXPECT_EQ(generator.next().error(), MintError::time_out_of_range);
  clock.time_ms = kTwitter.time_ms_max() + 1;
  EXPECT_EQ(generator.next().error(), MintError::time_out_of_range);
  clock.time_ms = kTwitter.epoch_ms;
  EXPECT_EQ(generator.next(), Snowflake::from_parts(kTwitter, 0, 0, 1)) << "0 is never issued";
}

TEST(SnowflakeGenerator, FailsRatherThanWrapAtTheVeryLast) {
  for (const auto& layout : all_snowflake_layouts()) {
    SCOPED_TRACE(layout.name);
    FakeClock clock(layout.time_ms_max());
    SnowflakeGenerator generator(layout, layout.machine_max(), clock);
    Snowflake last{0};
    for (std::uint64_t i = 0; i <= layout.sequence_max(); ++i) {
      const auto id = generator.next();
      ASSERT_TRUE(id);
      ASSERT_LT(last, *id);
      last = *id;
    }
    EXPECT_EQ(last, Snowflake::largest(layout, layout.time_ms_max()));
    EXPECT_EQ(generator.next().error(), MintError::exhausted);
    EXPECT_EQ(generator.next().error(), MintError::exhausted) << "never again";
  }
}

TEST(SnowflakeGenerator, RefusesAMachineNumberThatDoesNotFit) {
  FakeClock clock(kTwitter.epoch_ms + 1);
  EXPECT_TRUE(SnowflakeGenerator(kTwitter, 1023, clock).next());
  EXPECT_EQ(SnowflakeGenerator(kTwitter, 1024, clock).next().error(), MintError::invalid_machine);
  EXPECT_EQ(SnowflakeGenerator(kMastodon, 1, clock).next().error(), MintError::invalid_machine);
  SnowflakeLayout broken = kTwitter;
  broken.unit_ms = 0;
  EXPECT_EQ(SnowflakeGenerator(broken, 0, clock).next().error(), MintError::invalid_machine);
}

TEST(SnowflakeGenerator, OfTwoMachinesNeverMakesTheSame) {
  for (const auto& layout : all_snowflake_layouts()) {
    if (layout.machine_bits == 0) continue;
    SCOPED_TRACE(layout.name);
    FakeClock clock(layout.epoch_ms + 1'000'000);
    SnowflakeGenerator one(layout, 0, clock);
    SnowflakeGenerator other(layout, 1, clock);
    std::set<Snowflake> ids;
    for (int i = 0; i < 1000; ++i) {
      if (i % 100 == 0) clock.time_ms += layout.unit_ms;
      const auto a = one.next();
      const auto b = other.next();
      ASSERT_TRUE(a && b);
      EXPECT_TRUE(ids.insert(*a).second);
      EXPECT_TRUE(ids.insert(*b).second);
      EXPECT_EQ(a->machine(layout), 0u);
      EXPECT_EQ(b->machine(layout), 1u);
    }
  }
}

TEST(SnowflakeGenerator, MakesNothingInAForkedChild) {
  for (const ForkBy how : {ForkBy::fork, ForkBy::bare_clone}) {
    SystemClock clock;
    SnowflakeGenerator generator(kTwitter, 5, clock);
    ASSERT_TRUE(generator.next());
    const auto told = in_child(
        [&](Pipe& out) {
          for (int i = 0; i < 2; ++i) {
            const auto id = generator.next();
            out.write_byte(id ? 0xFF : static_cast<std::uint8_t>(id.error()));
          }
          // A new generator is the child's own, with a number that it got for itself.
          out.write_byte(SnowflakeGenerator(kTwitter, 6, clock).next() ? 1 : 0);
        },
        how);
    const auto forked = static_cast<std::uint8_t>(MintError::forked);
    EXPECT_EQ(told, (std::vector<std::uint8_t>{forked, forked, 1}));
    EXPECT_TRUE(generator.next()) << "the parent goes on";
  }
}

TEST(SnowflakeGenerator, MakesNothingInTheChildOfAChildThatMadeNothing) {
  SystemClock clock;
  SnowflakeGenerator generator(kTwitter, 5, clock);
  const auto told = in_child([&](Pipe& out) {
    out.write(in_child([&](Pipe& inner) {
      const auto id = generator.next();
      inner.write_byte(id ? 0xFF : static_cast<std::uint8_t>(id.error()));
    }));
  });
  EXPECT_EQ(told, (std::vector<std::uint8_t>{static_cast<std::uint8_t>(MintError::forked)}));
}

TEST(SnowflakeGenerator, SharedByThreadsNeverRepeatsAndKeepsTheOrderOfEach) {
  SystemClock clock;
  SnowflakeGenerator generator(kTwitter, 9, clock, 1'000'000);
  std::vector<std::vector<Snowflake>> made(4);
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

  std::vector<Snowflake> all;
  for (const auto& ids : made) {
    EXPECT_FALSE(ids.empty());
    EXPECT_EQ(std::ranges::adjacent_find(ids, std::greater_equal{}), ids.end());
    all.insert(all.end(), ids.begin(), ids.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(SnowflakeGenerator, ManyAtOnceAreWhatAsManyCallsWouldHaveMade) {
  for (const auto& layout : all_snowflake_layouts()) {
    FakeClock clock(layout.epoch_ms + 1'000'000);
    SnowflakeGenerator many(layout, 0, clock);
    SnowflakeGenerator single(layout, 0, clock);
    for (const std::size_t count : {0u, 1u, 2u, 700u}) {
      std::vector<Snowflake> ids(count);
      ASSERT_EQ(many.next(ids), count) << layout.name;
      for (const Snowflake& id : ids) EXPECT_EQ(id, *single.next()) << layout.name;
    }
  }
}

TEST(SnowflakeGenerator, ManyAtOnceAreAllOrNone) {
  const auto& layout = snowflake_layouts::kTwitter;
  FakeClock clock(layout.epoch_ms + 5);
  SnowflakeGenerator generator(layout, 3, clock, 1);  // this millisecond and the next
  std::vector<Snowflake> ids(2 * 4096 + 1);
  EXPECT_EQ(generator.next(ids).error(), MintError::too_far_ahead);
  ids.pop_back();
  ASSERT_EQ(generator.next(ids), 8192u) << "the one that failed has taken nothing";
  EXPECT_EQ(ids.front(), Snowflake::from_parts(layout, 5, 3, 0));
  EXPECT_EQ(ids.back(), Snowflake::from_parts(layout, 6, 3, 4095));
  EXPECT_EQ(generator.next(std::span(ids).first(1)).error(), MintError::too_far_ahead);

  clock.time_ms = layout.time_ms_max();
  SnowflakeGenerator last(layout, 3, clock);
  EXPECT_EQ(last.next(ids).error(), MintError::exhausted);
  EXPECT_EQ(last.next(std::span(ids).first(4096)), 4096u);
  EXPECT_EQ(last.next().error(), MintError::exhausted);
}

}  // namespace
}  // namespace tessera
