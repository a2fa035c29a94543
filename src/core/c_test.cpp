// What the C interface promises: it gives the bytes, texts and errors of the C++ types; a
// function that fails writes nothing but where and how much; text comes without a NUL, and not
// one byte past its size; and codes, names and phrases belong together.

#include "tessera/c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/child.h"
#include "support/vectors.h"
#include "tessera/ksuid.h"
#include "tessera/mint_error.h"
#include "tessera/objectid.h"
#include "tessera/parse_error.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/snowflake.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"
#include "tessera/version.h"

namespace tessera {
namespace {

constexpr std::uint8_t kGuard = 0xA5;
constexpr std::uint32_t kNoOffset = 0xDEAD'BEEF;

template <std::size_t Size>
std::array<std::uint8_t, Size> guarded() {
  std::array<std::uint8_t, Size> bytes;
  bytes.fill(kGuard);
  return bytes;
}

// A buffer for text with a guard behind it.
struct TextBuffer {
  std::string chars = std::string(200, static_cast<char>(kGuard));
  std::size_t size = 12345;

  char* data() { return chars.data(); }
  std::string text() const { return chars.substr(0, size); }
  // Everything from `from` on is as it was.
  bool untouched(std::size_t from = 0) const {
    return chars.find_first_not_of(static_cast<char>(kGuard), from) == std::string::npos;
  }
};

TEST(C, HasTheVersionOfTheLibrary) {
  EXPECT_STREQ(tessera_version(), TESSERA_VERSION);
  EXPECT_EQ(tessera_c_version(), TESSERA_C_VERSION);
  EXPECT_EQ(TESSERA_C_VERSION, 1);
}

TEST(C, CodesAgreeWithTheirNames) {
  const std::pair<int, const char*> codes[] = {
      {TESSERA_OK, "ok"},
      {TESSERA_INVALID_LENGTH, "invalid_length"},
      {TESSERA_INVALID_CHARACTER, "invalid_character"},
      {TESSERA_OVERFLOW, "overflow"},
      {TESSERA_NON_CANONICAL, "non_canonical"},
      {TESSERA_BAD_CHECK, "bad_check"},
      {TESSERA_INVALID_PREFIX, "invalid_prefix"},
      {TESSERA_PREFIX_MISMATCH, "prefix_mismatch"},
      {TESSERA_UNKNOWN_PREFIX, "unknown_prefix"},
      {TESSERA_INVALID_VERSION, "invalid_version"},
      {TESSERA_INVALID_VARIANT, "invalid_variant"},
      {TESSERA_RESERVED_VALUE, "reserved_value"},
      {TESSERA_OUT_OF_RANGE, "out_of_range"},
      {TESSERA_INVALID_RESOURCE_NAME, "invalid_resource_name"},
      {TESSERA_NO_ENTROPY, "no_entropy"},
      {TESSERA_TIME_OUT_OF_RANGE, "time_out_of_range"},
      {TESSERA_EXHAUSTED, "exhausted"},
      {TESSERA_TOO_FAR_AHEAD, "too_far_ahead"},
      {TESSERA_FORKED, "forked"},
      {TESSERA_INVALID_MACHINE, "invalid_machine"},
      {TESSERA_UNKNOWN, "unknown"},
      {TESSERA_AMBIGUOUS, "ambiguous"},
      {TESSERA_LOSSY, "lossy"},
      {TESSERA_NO_TIME, "no_time"},
      {TESSERA_BUFFER_TOO_SMALL, "buffer_too_small"},
      {TESSERA_BAD_ARGUMENT, "bad_argument"},
      {TESSERA_NO_MEMORY, "no_memory"},
  };
  std::set<std::string> phrases;
  for (const auto& [code, name] : codes) {
    EXPECT_STREQ(tessera_error_name(code), name);
    EXPECT_TRUE(phrases.insert(tessera_error_phrase(code)).second) << name;
    ASSERT_NE(tessera_error_hint(code), nullptr) << name;
  }
  for (const auto& row : error_texts()) {
    const int code = 1 + static_cast<int>(row.code);
    EXPECT_EQ(tessera_error_name(code), row.name);
    EXPECT_EQ(tessera_error_phrase(code), row.phrase);
    EXPECT_EQ(tessera_error_hint(code), row.hint);
  }
  for (int i = 0; i <= static_cast<int>(MintError::invalid_machine); ++i) {
    EXPECT_EQ(tessera_error_name(65 + i), name_of(static_cast<MintError>(i)));
    EXPECT_EQ(tessera_error_phrase(65 + i), describe(static_cast<MintError>(i)));
    EXPECT_STREQ(tessera_error_hint(65 + i), "");
  }
  for (const int code : {-1, 14, 64, 71, 96, 101, 127, 131, 1000, INT_MAX, INT_MIN}) {
    EXPECT_STREQ(tessera_error_name(code), "unknown") << code;
    EXPECT_STREQ(tessera_error_phrase(code), "unknown error") << code;
    EXPECT_STREQ(tessera_error_hint(code), "") << code;
  }
}

TEST(C, SizesAreThoseOfTheTypes) {
  EXPECT_EQ(TESSERA_ULID_TEXT_SIZE, Ulid::kTextSize);
  EXPECT_EQ(TESSERA_UUID_TEXT_SIZE, Uuid::kTextSize);
  EXPECT_EQ(TESSERA_OBJECTID_TEXT_SIZE, ObjectId::kTextSize);
  EXPECT_EQ(TESSERA_KSUID_TEXT_SIZE, Ksuid::kTextSize);
  EXPECT_EQ(TESSERA_SNOWFLAKE_TEXT_SIZE_MAX, Snowflake::kTextSizeMax);
  EXPECT_EQ(TESSERA_PUBLIC_ID_TEXT_SIZE_MAX, public_id::kTextSizeMax);
  EXPECT_EQ(TESSERA_STYLE_ULID, static_cast<int>(PublicStyle::ulid));
  EXPECT_EQ(TESSERA_STYLE_TYPEID, static_cast<int>(PublicStyle::type_id));
  EXPECT_EQ(TESSERA_STYLE_BASE36, static_cast<int>(PublicStyle::base36));
  EXPECT_EQ(TESSERA_STYLE_CHECKED, static_cast<int>(PublicStyle::checked));
}

// One kind that is parsed from and written to text of one size.
template <std::size_t Size>
struct Kind {
  int (*parse)(const char*, std::size_t, std::uint8_t*, std::uint32_t*);
  void (*text)(const std::uint8_t*, char*);
  std::size_t text_size;
  std::string good;  // canonical
  std::string bad;   // of the right length, with one bad character
  std::uint32_t bad_offset;
};

template <std::size_t Size>
void check_kind(const Kind<Size>& kind) {
  SCOPED_TRACE(kind.good);
  // One byte more than the ID has, to see that it stays.
  auto bytes = guarded<Size + 1>();
  std::uint32_t offset = kNoOffset;
  ASSERT_EQ(kind.parse(kind.good.data(), kind.good.size(), bytes.data(), &offset), TESSERA_OK);
  EXPECT_EQ(offset, kNoOffset);
  EXPECT_EQ(bytes[Size], kGuard);
  EXPECT_EQ(kind.parse(kind.good.data(), kind.good.size(), bytes.data(), nullptr), TESSERA_OK);

  TextBuffer buffer;
  kind.text(bytes.data(), buffer.data());
  buffer.size = kind.text_size;
  EXPECT_EQ(buffer.text(), kind.good);
  EXPECT_TRUE(buffer.untouched(kind.text_size));

  bytes = guarded<Size + 1>();
  EXPECT_EQ(kind.parse(kind.bad.data(), kind.bad.size(), bytes.data(), &offset),
            TESSERA_INVALID_CHARACTER);
  EXPECT_EQ(offset, kind.bad_offset);
  EXPECT_EQ((bytes), (guarded<Size + 1>()));
  EXPECT_EQ(kind.parse(kind.bad.data(), kind.bad.size(), bytes.data(), nullptr),
            TESSERA_INVALID_CHARACTER);
  // The size counts, not a NUL.
  EXPECT_EQ(kind.parse(kind.good.data(), kind.good.size() - 1, bytes.data(), &offset),
            TESSERA_INVALID_LENGTH);
  EXPECT_EQ(offset, kind.good.size() - 1);
  EXPECT_EQ(kind.parse(nullptr, 0, bytes.data(), &offset), TESSERA_INVALID_LENGTH);
  EXPECT_EQ(offset, 0u);
  EXPECT_EQ((bytes), (guarded<Size + 1>()));
}

TEST(C, ReadsAndWritesEveryKind) {
  check_kind<16>({tessera_ulid_parse, tessera_ulid_text, 26, "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                  "01ARZ3NDEKTSV4RRFFQ69G5FAU", 25});
  check_kind<16>({tessera_uuid_parse, tessera_uuid_text, 36, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                  "017f22e2-79b0-7cc3-98c4_dc0c0c07398f", 23});
  check_kind<12>({tessera_objectid_parse, tessera_objectid_text, 24, "507f1f77bcf86cd799439011",
                  "507f1f77bcf86cd79943901x", 23});
  check_kind<20>({tessera_ksuid_parse, tessera_ksuid_text, 27, "0ujtsYcgvSTl8PAuAdqWYSMnLOv",
                  "0ujtsYcgvSTl8PAuAdqWYSMnL_v", 25});
  check_kind<16>({tessera_crockford_parse, tessera_crockford_text, 27,
                  "DY6EX8CCNZ0CC2GDAV0MWW5YPR=", "DY6EX8CCNZ0CC2GDAV0!WW5YPR=", 19});
}

TEST(C, MakesIdsThatIncreaseByTheirBytes) {
  const auto check = []<std::size_t Size>(std::integral_constant<std::size_t, Size>, auto make) {
    auto last = guarded<Size + 1>();
    ASSERT_EQ(make(last.data()), TESSERA_OK);
    ASSERT_EQ(last[Size], kGuard);
    for (int i = 0; i < 1000; ++i) {
      auto next = guarded<Size + 1>();
      ASSERT_EQ(make(next.data()), TESSERA_OK);
      ASSERT_LT(std::memcmp(last.data(), next.data(), Size), 0);
      last = next;
    }
  };
  check(std::integral_constant<std::size_t, 16>{}, tessera_ulid_new);
  check(std::integral_constant<std::size_t, 16>{},
        [](std::uint8_t* out) { return tessera_uuid_new(6, out); });
  check(std::integral_constant<std::size_t, 16>{},
        [](std::uint8_t* out) { return tessera_uuid_new(7, out); });
  check(std::integral_constant<std::size_t, 12>{}, tessera_objectid_new);
  check(std::integral_constant<std::size_t, 20>{}, tessera_ksuid_new);
}

TEST(C, MakesIdsThatShareNoRandomBits) {
  for (const int version : {0, 4, 7}) {  // 0: a ULID
    SCOPED_TRACE(version);
    std::set<std::string> tails;
    for (int i = 0; i < 2000; ++i) {  // past the end of a pool
      auto bytes = guarded<17>();
      ASSERT_EQ(
          version == 0 ? tessera_ulid_new(bytes.data()) : tessera_uuid_new(version, bytes.data()),
          TESSERA_OK);
      ASSERT_EQ(bytes[16], kGuard);
      EXPECT_TRUE(tails.emplace(reinterpret_cast<const char*>(bytes.data()) + 9, 7).second) << i;
    }
  }
}

TEST(C, MakesManyThatIncreaseAsIfMadeOneByOne) {
  constexpr std::size_t kCount = 1000;  // no whole number of chunks
  const auto make = [](int version, std::uint8_t* out, std::size_t count) {
    return version == 0 ? tessera_ulid_new_many(out, count)
                        : tessera_uuid_new_many(version, out, count);
  };
  for (const int version : {0, 1, 4, 6, 7}) {
    SCOPED_TRACE(version);
    std::vector<std::uint8_t> bytes(16 * kCount + 1, kGuard);
    ASSERT_EQ(make(version, bytes.data(), kCount), TESSERA_OK);
    EXPECT_EQ(bytes.back(), kGuard);
    std::set<std::string> ids;
    std::string last;
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::string id(reinterpret_cast<const char*>(bytes.data()) + 16 * i, 16);
      if (version != 0) {
        EXPECT_EQ(tessera_uuid_version(bytes.data() + 16 * i), version);
      }
      if (version == 0 || version == 6 || version == 7) {
        EXPECT_LT(last, id);
      }
      EXPECT_TRUE(ids.insert(id).second);
      last = id;
    }
    EXPECT_EQ(make(version, nullptr, 0), TESSERA_OK);
  }
  auto out = guarded<16>();
  EXPECT_EQ(tessera_uuid_new_many(2, out.data(), 1), TESSERA_BAD_ARGUMENT);
  EXPECT_EQ(out, guarded<16>());
}

TEST(C, ReadsWhatPeopleType) {
  auto bytes = guarded<16>();
  auto expected = guarded<16>();
  std::uint32_t offset = kNoOffset;
  const std::string_view ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const std::string_view typed = "oLarz-3ndek-tsv4r-rffq6-9g5fa-v";
  ASSERT_EQ(tessera_ulid_parse("01ARZ3NDEKTSV4RRFFQ69G5FAV", ulid.size(), expected.data(), nullptr),
            TESSERA_OK);
  EXPECT_NE(tessera_ulid_parse(typed.data(), typed.size(), bytes.data(), nullptr), TESSERA_OK);
  EXPECT_EQ(tessera_ulid_parse_friendly(typed.data(), typed.size(), bytes.data(), &offset),
            TESSERA_OK);
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(tessera_ulid_parse_friendly("U", 1, bytes.data(), &offset), TESSERA_INVALID_LENGTH);
  EXPECT_EQ(bytes, expected);

  const std::string_view braced = "{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}";
  EXPECT_EQ(tessera_uuid_parse(braced.data(), braced.size(), bytes.data(), nullptr),
            TESSERA_INVALID_LENGTH);
  EXPECT_EQ(tessera_uuid_parse_friendly(braced.data(), braced.size(), bytes.data(), &offset),
            TESSERA_OK);
  EXPECT_EQ(vectors::hex_of(bytes), "017f22e279b07cc398c4dc0c0c07398f");
}

TEST(C, TellsTimesAndRanges) {
  const auto ulid = vectors::array_of_hex<16>("01563e3ab5d3d6764c61efb99302bd5b");
  EXPECT_EQ(tessera_ulid_time_ms(ulid.data()), 1'469'922'850'259u);
  auto smallest = guarded<16>();
  auto largest = guarded<16>();
  EXPECT_EQ(tessera_ulid_range(1, 3, smallest.data(), largest.data()), TESSERA_OK);
  EXPECT_EQ(vectors::hex_of(smallest), "00000000000100000000000000000000");
  EXPECT_EQ(vectors::hex_of(largest), "000000000002ffffffffffffffffffff");
  EXPECT_EQ(tessera_uuid7_range(1, 3, smallest.data(), largest.data()), TESSERA_OK);
  EXPECT_EQ(vectors::hex_of(smallest), "00000000000170008000000000000000");
  EXPECT_EQ(vectors::hex_of(largest), "0000000000027fffbfffffffffffffff");

  for (const auto range : {tessera_ulid_range, tessera_uuid7_range}) {
    smallest = guarded<16>();
    largest = guarded<16>();
    EXPECT_EQ(range(3, 3, smallest.data(), largest.data()), TESSERA_OUT_OF_RANGE);
    EXPECT_EQ(range(3, 1, smallest.data(), largest.data()), TESSERA_OUT_OF_RANGE);
    EXPECT_EQ(range(0, UINT64_MAX, smallest.data(), largest.data()), TESSERA_OUT_OF_RANGE);
    EXPECT_EQ(smallest, guarded<16>());
    EXPECT_EQ(largest, guarded<16>());
  }
}

TEST(C, KnowsTheVersionsOfUuids) {
  for (const int version : {1, 4, 6, 7}) {
    auto bytes = guarded<17>();
    ASSERT_EQ(tessera_uuid_new(version, bytes.data()), TESSERA_OK);
    EXPECT_EQ(bytes[16], kGuard);
    EXPECT_EQ(tessera_uuid_version(bytes.data()), version);
    std::int64_t time_ms = -1;
    if (version == 4) {
      EXPECT_EQ(tessera_uuid_time_ms(bytes.data(), &time_ms), TESSERA_INVALID_VERSION);
      EXPECT_EQ(time_ms, -1);
    } else {
      EXPECT_EQ(tessera_uuid_time_ms(bytes.data(), &time_ms), TESSERA_OK);
      EXPECT_GT(time_ms, 1'700'000'000'000);
    }
  }
  for (const int version : {-1, 0, 2, 3, 5, 8, 16, INT_MAX}) {
    auto bytes = guarded<16>();
    EXPECT_EQ(tessera_uuid_new(version, bytes.data()), TESSERA_BAD_ARGUMENT) << version;
    EXPECT_EQ(bytes, guarded<16>());
  }
  const auto microsoft = vectors::array_of_hex<16>("00000000-0000-7000-c000-000000000000");
  EXPECT_EQ(tessera_uuid_version(microsoft.data()), -1);
}

TEST(C, MakesUuidsFromNames) {
  for (const auto& row : vectors::read_table("oracle-uuid-v3-v5.tsv")) {
    SCOPED_TRACE(row.where());
    const auto space = vectors::array_of_hex<16>(row["namespace_uuid"]);
    const auto name = vectors::bytes_of_hex(row["name_utf8_hex"]);
    const std::string text(name.begin(), name.end());
    auto bytes = guarded<16>();
    ASSERT_EQ(tessera_uuid_from_name(3, space.data(), text.data(), text.size(), bytes.data()),
              TESSERA_OK);
    EXPECT_EQ(bytes, vectors::array_of_hex<16>(row["v3"]));
    ASSERT_EQ(tessera_uuid_from_name(5, space.data(), text.data(), text.size(), bytes.data()),
              TESSERA_OK);
    EXPECT_EQ(bytes, vectors::array_of_hex<16>(row["v5"]));
  }
  const auto space = guarded<16>();
  auto bytes = guarded<16>();
  for (const int version : {0, 1, 4, 7, 8}) {
    EXPECT_EQ(tessera_uuid_from_name(version, space.data(), "x", 1, bytes.data()),
              TESSERA_BAD_ARGUMENT);
  }
  EXPECT_EQ(bytes, guarded<16>());
}

TEST(C, MakesSnowflakesOfEveryLayout) {
  for (const auto& layout : all_snowflake_layouts()) {
    SCOPED_TRACE(layout.name);
    const std::string name(layout.name);
    tessera_snowflake* generator = nullptr;
    // Too large a number for this layout, and the largest that fits.
    EXPECT_EQ(tessera_snowflake_create(name.c_str(), layout.machine_max() + 1, &generator),
              TESSERA_INVALID_MACHINE);
    EXPECT_EQ(generator, nullptr);
    ASSERT_EQ(tessera_snowflake_create(name.c_str(), layout.machine_max(), &generator), TESSERA_OK);
    std::uint64_t last = 0;
    for (int i = 0; i < 100; ++i) {
      std::uint64_t next = 0;
      ASSERT_EQ(tessera_snowflake_next(generator, &next), TESSERA_OK);
      ASSERT_GT(next, last);
      EXPECT_EQ(Snowflake{next}.machine(layout), layout.machine_max());
      last = next;
    }
    std::uint64_t time_ms = 0;
    EXPECT_EQ(tessera_snowflake_time_ms(name.c_str(), last, &time_ms), TESSERA_OK);
    EXPECT_EQ(time_ms, Snowflake{last}.time_ms(layout));
    EXPECT_GT(time_ms, 1'700'000'000'000u);

    const std::string text = std::to_string(last);
    std::uint64_t read = 0;
    EXPECT_EQ(tessera_snowflake_parse(text.data(), text.size(), &read, nullptr), TESSERA_OK);
    EXPECT_EQ(read, last);
    tessera_snowflake_free(generator);
  }
}

TEST(C, RefusesBadSnowflakes) {
  tessera_snowflake* generator = nullptr;
  EXPECT_EQ(tessera_snowflake_create("no such layout", 0, &generator), TESSERA_BAD_ARGUMENT);
  EXPECT_EQ(tessera_snowflake_create("", 0, &generator), TESSERA_BAD_ARGUMENT);
  EXPECT_EQ(generator, nullptr);
  tessera_snowflake_free(nullptr);

  std::uint64_t number = 42;
  std::uint32_t offset = kNoOffset;
  EXPECT_EQ(tessera_snowflake_parse("12x", 3, &number, &offset), TESSERA_INVALID_CHARACTER);
  EXPECT_EQ(offset, 2u);
  EXPECT_EQ(tessera_snowflake_parse("007", 3, &number, nullptr), TESSERA_NON_CANONICAL);
  EXPECT_EQ(tessera_snowflake_parse("9223372036854775808", 19, &number, nullptr), TESSERA_OVERFLOW);
  EXPECT_EQ(tessera_snowflake_time_ms("no such layout", 1, &number), TESSERA_BAD_ARGUMENT);
  EXPECT_EQ(tessera_snowflake_time_ms("twitter", std::uint64_t{1} << 63, &number),
            TESSERA_BAD_ARGUMENT);
  EXPECT_EQ(number, 42u);
}

TEST(C, SnowflakeGeneratorRefusesToWorkInAForkedChild) {
  tessera_snowflake* generator = nullptr;
  ASSERT_EQ(tessera_snowflake_create("twitter", 1, &generator), TESSERA_OK);
  std::uint64_t id = 0;
  ASSERT_EQ(tessera_snowflake_next(generator, &id), TESSERA_OK);
  const auto told = in_child([&](Pipe& out) {
    std::uint64_t in_child_id = 42;
    const int code = tessera_snowflake_next(generator, &in_child_id);
    out.write_byte(static_cast<std::uint8_t>(code));
    out.write_byte(static_cast<std::uint8_t>(in_child_id));
  });
  EXPECT_EQ(told, (std::vector<std::uint8_t>{TESSERA_FORKED, 42}));
  EXPECT_EQ(tessera_snowflake_next(generator, &id), TESSERA_OK);
  tessera_snowflake_free(generator);
}

TEST(C, MakesAndChecksRandomIds) {
  for (const unsigned bits : {1u, 16u, 60u, 64u, 80u, 120u, 128u, 511u, 512u}) {
    for (const unsigned check_count : {1u, 2u, 3u}) {
      SCOPED_TRACE(std::to_string(bits) + " bits, " + std::to_string(check_count));
      TextBuffer made;
      ASSERT_EQ(tessera_random_new(bits, check_count, made.data(), 200, &made.size), TESSERA_OK);
      EXPECT_EQ(made.size, (bits + 4) / 5 + check_count);
      EXPECT_TRUE(made.untouched(made.size));

      // Typed in lower case and with a hyphen; the canonical text comes out.
      std::string typed = made.text();
      std::ranges::transform(typed, typed.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      });
      typed.insert(1, "-");
      TextBuffer checked;
      std::uint32_t offset = kNoOffset;
      ASSERT_EQ(tessera_random_check(typed.data(), typed.size(), bits, check_count, checked.data(),
                                     200, &checked.size, &offset),
                TESSERA_OK);
      EXPECT_EQ(checked.text(), made.text());
      EXPECT_EQ(offset, kNoOffset);
      EXPECT_TRUE(checked.untouched(checked.size));
    }
  }
  // Without a size it goes by the length of the text.
  TextBuffer checked;
  EXPECT_EQ(tessera_random_check("zw~", 3, 0, 1, checked.data(), 200, &checked.size, nullptr),
            TESSERA_OK);
  EXPECT_EQ(checked.text(), "ZW~");
}

TEST(C, RefusesBadRandomIds) {
  TextBuffer buffer;
  std::uint32_t offset = kNoOffset;
  for (const unsigned bits : {0u, 513u, UINT_MAX}) {
    EXPECT_EQ(tessera_random_new(bits, 1, buffer.data(), 200, &buffer.size), TESSERA_BAD_ARGUMENT);
  }
  for (const unsigned check_count : {0u, 4u, UINT_MAX}) {
    EXPECT_EQ(tessera_random_new(60, check_count, buffer.data(), 200, &buffer.size),
              TESSERA_BAD_ARGUMENT);
    EXPECT_EQ(
        tessera_random_check("ZW~", 3, 8, check_count, buffer.data(), 200, &buffer.size, &offset),
        TESSERA_BAD_ARGUMENT);
  }
  EXPECT_EQ(tessera_random_check("ZW~", 3, 513, 1, buffer.data(), 200, &buffer.size, &offset),
            TESSERA_BAD_ARGUMENT);
  EXPECT_EQ(offset, kNoOffset);
  EXPECT_EQ(tessera_random_check("ZW0", 3, 8, 1, buffer.data(), 200, &buffer.size, &offset),
            TESSERA_BAD_CHECK);
  EXPECT_EQ(offset, 2u);
  EXPECT_EQ(tessera_random_check("Z!~", 3, 8, 1, buffer.data(), 200, &buffer.size, &offset),
            TESSERA_INVALID_CHARACTER);
  EXPECT_EQ(offset, 1u);
  EXPECT_EQ(buffer.size, 12345u);
  EXPECT_TRUE(buffer.untouched());
}

TEST(C, PublicIdsHaveTheTextsOfTheirStyles) {
  const auto body = vectors::array_of_hex<16>("01563e3ab5d3d6764c61efb99302bd5b");
  const std::pair<int, const char*> styles[] = {
      {TESSERA_STYLE_ULID, "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"},
      {TESSERA_STYLE_TYPEID, "ord_01arz3ndektsv4rrffq69g5fav"},
      {TESSERA_STYLE_BASE36, "ord_02ukohbn3kw46609nd56rlkd7"},
      {TESSERA_STYLE_CHECKED, "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X"},
  };
  for (const auto& [style, text] : styles) {
    SCOPED_TRACE(text);
    TextBuffer buffer;
    ASSERT_EQ(
        tessera_public_id_text("ord", 3, style, body.data(), buffer.data(), 200, &buffer.size),
        TESSERA_OK);
    EXPECT_EQ(buffer.text(), text);
    EXPECT_TRUE(buffer.untouched(buffer.size));

    auto read = guarded<16>();
    std::size_t prefix_size = 99;
    ASSERT_EQ(
        tessera_public_id_parse(text, std::strlen(text), style, read.data(), &prefix_size, nullptr),
        TESSERA_OK);
    EXPECT_EQ(read, body);
    EXPECT_EQ(prefix_size, 3u);

    TextBuffer made;
    ASSERT_EQ(tessera_public_id_new("ord", 3, style, made.data(), 200, &made.size), TESSERA_OK);
    EXPECT_EQ(
        tessera_public_id_parse(made.data(), made.size, style, read.data(), &prefix_size, nullptr),
        TESSERA_OK);
    const bool uuid = style == TESSERA_STYLE_TYPEID || style == TESSERA_STYLE_BASE36;
    EXPECT_TRUE(!uuid || tessera_uuid_version(read.data()) == 7);
    EXPECT_GT(tessera_ulid_time_ms(read.data()), 1'700'000'000'000u);
  }
  // A TypeID may do without a prefix.
  TextBuffer bare;
  EXPECT_EQ(tessera_public_id_text(nullptr, 0, TESSERA_STYLE_TYPEID, body.data(), bare.data(), 200,
                                   &bare.size),
            TESSERA_OK);
  EXPECT_EQ(bare.text(), "01arz3ndektsv4rrffq69g5fav");
  auto read = guarded<16>();
  std::size_t prefix_size = 99;
  EXPECT_EQ(tessera_public_id_parse(bare.data(), bare.size, TESSERA_STYLE_TYPEID, read.data(),
                                    &prefix_size, nullptr),
            TESSERA_OK);
  EXPECT_EQ(prefix_size, 0u);
  // The longest of all.
  const std::string prefix(63, 'p');
  TextBuffer longest;
  EXPECT_EQ(tessera_public_id_text(prefix.data(), 63, TESSERA_STYLE_CHECKED, body.data(),
                                   longest.data(), TESSERA_PUBLIC_ID_TEXT_SIZE_MAX, &longest.size),
            TESSERA_OK);
  EXPECT_EQ(longest.size, static_cast<std::size_t>(TESSERA_PUBLIC_ID_TEXT_SIZE_MAX));
}

TEST(C, RefusesBadPublicIds) {
  const auto body = guarded<16>();
  TextBuffer buffer;
  for (const std::string& prefix : {std::string(), std::string("Ord"), std::string("ord_"),
                                    std::string(64, 'a'), std::string(1000, 'a')}) {
    EXPECT_EQ(tessera_public_id_text(prefix.data(), prefix.size(), TESSERA_STYLE_ULID, body.data(),
                                     buffer.data(), 200, &buffer.size),
              TESSERA_INVALID_PREFIX);
    EXPECT_EQ(tessera_public_id_new(prefix.data(), prefix.size(), TESSERA_STYLE_CHECKED,
                                    buffer.data(), 200, &buffer.size),
              TESSERA_INVALID_PREFIX);
  }
  auto read = guarded<16>();
  std::size_t prefix_size = 99;
  std::uint32_t offset = kNoOffset;
  for (const int style : {-1, 4, INT_MAX}) {
    EXPECT_EQ(
        tessera_public_id_text("ord", 3, style, body.data(), buffer.data(), 200, &buffer.size),
        TESSERA_BAD_ARGUMENT);
    EXPECT_EQ(tessera_public_id_new("ord", 3, style, buffer.data(), 200, &buffer.size),
              TESSERA_BAD_ARGUMENT);
    EXPECT_EQ(tessera_public_id_parse("ord_", 4, style, read.data(), &prefix_size, &offset),
              TESSERA_BAD_ARGUMENT);
  }
  EXPECT_EQ(offset, kNoOffset);
  const std::string bad = "ord_01ARZ3NDEKTSV4RRFFQ69G5FAU";
  EXPECT_EQ(tessera_public_id_parse(bad.data(), bad.size(), TESSERA_STYLE_ULID, read.data(),
                                    &prefix_size, &offset),
            TESSERA_INVALID_CHARACTER);
  EXPECT_EQ(offset, 29u);
  EXPECT_EQ(read, guarded<16>());
  EXPECT_EQ(prefix_size, 99u);
  EXPECT_EQ(buffer.size, 12345u);
  EXPECT_TRUE(buffer.untouched());
}

TEST(C, SaysHowLargeABufferMustBeAndLeavesTheSmallOneAlone) {
  const auto body = guarded<16>();
  for (std::size_t capacity = 0; capacity <= 31; ++capacity) {
    SCOPED_TRACE(capacity);
    TextBuffer text;
    const int code = tessera_public_id_text("ord", 3, TESSERA_STYLE_ULID, body.data(), text.data(),
                                            capacity, &text.size);
    EXPECT_EQ(code, capacity < 30 ? TESSERA_BUFFER_TOO_SMALL : TESSERA_OK);
    EXPECT_EQ(text.size, 30u);
    EXPECT_TRUE(text.untouched(capacity < 30 ? 0 : 30));
  }
  TextBuffer buffer;
  EXPECT_EQ(tessera_public_id_new("ord", 3, TESSERA_STYLE_CHECKED, buffer.data(), 31, &buffer.size),
            TESSERA_BUFFER_TOO_SMALL);
  EXPECT_EQ(buffer.size, 32u);
  EXPECT_EQ(tessera_random_new(60, 1, buffer.data(), 12, &buffer.size), TESSERA_BUFFER_TOO_SMALL);
  EXPECT_EQ(buffer.size, 13u);
  EXPECT_EQ(tessera_random_check("z-w-~", 5, 8, 1, buffer.data(), 2, &buffer.size, nullptr),
            TESSERA_BUFFER_TOO_SMALL);
  EXPECT_EQ(buffer.size, 3u);
  EXPECT_TRUE(buffer.untouched());
  // A buffer of no bytes may be none at all.
  EXPECT_EQ(tessera_random_new(60, 1, nullptr, 0, &buffer.size), TESSERA_BUFFER_TOO_SMALL);
  EXPECT_EQ(buffer.size, 13u);
}

TEST(C, ChecksResourceNames) {
  std::uint32_t offset = kNoOffset;
  EXPECT_EQ(tessera_resource_name_check("books/1/pages/2", 15, &offset), TESSERA_OK);
  EXPECT_EQ(tessera_resource_name_check("books/1/pages/2", 15, nullptr), TESSERA_OK);
  EXPECT_EQ(offset, kNoOffset);
  EXPECT_EQ(tessera_resource_name_check("books/1/pages/2", 13, &offset),
            TESSERA_INVALID_RESOURCE_NAME);
  EXPECT_EQ(offset, 13u);
  EXPECT_EQ(tessera_resource_name_check("", 0, nullptr), TESSERA_INVALID_RESOURCE_NAME);
}

TEST(C, GivesRandomBytes) {
  auto a = guarded<33>();
  auto b = guarded<33>();
  EXPECT_EQ(tessera_random_bytes(a.data(), 32), TESSERA_OK);
  EXPECT_EQ(tessera_random_bytes(b.data(), 32), TESSERA_OK);
  EXPECT_NE(a, b);
  EXPECT_EQ(a[32], kGuard);
  EXPECT_EQ(tessera_random_bytes(nullptr, 0), TESSERA_OK);
  std::vector<std::uint8_t> many(1 << 20, 0);
  EXPECT_EQ(tessera_random_bytes(many.data(), many.size()), TESSERA_OK);
  EXPECT_LT(std::ranges::count(many, 0), (1 << 20) / 200);
}

}  // namespace
}  // namespace tessera
