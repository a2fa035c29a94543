// What a Uuid promises: the 36 characters of RFC 9562 and its 16 bytes are one value and sort
// alike; every version and variant is read and named, the moment and the names in it come
// out as they went in, and bad text is refused with the place where it goes wrong.

#include "tessera/uuid.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_set>

#include "support/fakes.h"
#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;
using Variant = Uuid::Variant;
using namespace literals;

static_assert(sizeof(Uuid) == 16);
static_assert(std::is_trivially_copyable_v<Uuid> && std::is_standard_layout_v<Uuid>);
static_assert(HasText<Uuid> && !std::is_convertible_v<std::string, Uuid>);
static_assert(noexcept(Uuid::parse("")) && noexcept(Uuid::parse_friendly("")));

constexpr std::string_view kSample = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
constexpr Uuid kSampleId = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"_uuid;

// Everything but minting and names works in a constant expression.
static_assert(kSampleId.text().view() == kSample);
static_assert("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"_uuid == kSampleId);
static_assert(kSampleId.version() == 7u && kSampleId.variant() == Variant::rfc9562);
static_assert(kSampleId.time_ms() == 1'645'557'742'000);
static_assert(Uuid::parse("") == Failure{ParseError{Code::invalid_length, 0}});
static_assert(Uuid::parse_friendly("{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}") == kSampleId);
static_assert(Uuid::parse_version(kSample, 7) == kSampleId);
static_assert("c232ab00-9414-11ec-b3c8-9f6bdeced846"_uuid.v1_to_v6() ==
              "1ec9414c-232a-6b00-b3c8-9f6bdeced846"_uuid);
static_assert(Uuid::nil().is_nil() && Uuid::max().is_max() && Uuid::nil() < Uuid::max());
static_assert(Uuid::custom_v8({}).text().view() == "00000000-0000-8000-8000-000000000000");

TEST(Uuid, RefusesBadTextAndSaysWhere) {
  const struct {
    const char* name;
    std::string text;
    ParseError error;
  } cases[] = {
      {"empty", "", {Code::invalid_length, 0}},
      {"one short", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", {Code::invalid_length, 35}},
      {"one long", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0", {Code::invalid_length, 37}},
      {"no hyphens", "017f22e279b07cc398c4dc0c0c07398f", {Code::invalid_length, 32}},
      {"hyphens moved", "017f22e279b0-7cc3-98c4-dc0c0c07398f-", {Code::invalid_character, 8}},
      {"hyphen among digits", "-17f22e2-79b0-7cc3-98c4-dc0c0c07398f", {Code::invalid_character, 0}},
      {"digit for a hyphen", "017f22e2079b0-7cc3-98c4-dc0c0c07398f", {Code::invalid_character, 8}},
      {"last digit", "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", {Code::invalid_character, 35}},
      {"first of two", "017f22e2-79b0_7ccx-98c4-dc0c0c07398f", {Code::invalid_character, 13}},
      {"high bytes", std::string(36, '\xE9'), {Code::invalid_character, 0}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = Uuid::parse(c.text);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
}

TEST(Uuid, FindsAWrongCharacterAtEveryPlace) {
  for (std::uint32_t at = 0; at < Uuid::kTextSize; ++at) {
    for (const char c : {'g', '/', ':', '@', 'G', '`', '_', '\0', '\x80'}) {
      std::string text(kSample);
      text[at] = c;
      EXPECT_EQ(Uuid::parse(text), refusal(Code::invalid_character, at));
    }
  }
}

TEST(Uuid, FriendlyReadingTakesBracesUrnAndBareDigits) {
  for (const std::string text : {
           "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
           "017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
           "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
           "urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
           "URN:UUID:017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
           "017f22e279b07cc398c4dc0c0c07398f",
           "{017f22e279b07cc398c4dc0c0c07398f}",
       }) {
    EXPECT_EQ(Uuid::parse_friendly(text), kSampleId) << text;
    EXPECT_EQ(static_cast<bool>(Uuid::parse(text)), text.size() == 36) << text;
  }
}

TEST(Uuid, FriendlyReadingPointsIntoTheTextThatWasTyped) {
  const struct {
    const char* name;
    std::string text;
    ParseError error;
  } cases[] = {
      {"empty", "", {Code::invalid_length, 0}},
      {"braces around nothing", "{}", {Code::invalid_length, 2}},
      {"no closing brace", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f", {Code::invalid_character, 0}},
      {"no opening brace", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f}", {Code::invalid_character, 36}},
      {"two braces", "{{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}}", {Code::invalid_character, 1}},
      {"in braces", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398g}", {Code::invalid_character, 36}},
      {"behind urn:uuid:",
       "urn:uuid:g17f22e2-79b0-7cc3-98c4-dc0c0c07398f",
       {Code::invalid_character, 9}},
      {"another urn",
       "urn:isbn:017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
       {Code::invalid_character, 4}},
      {"urn without hyphens",
       "urn:uuid:017f22e279b07cc398c4dc0c0c07398f",
       {Code::invalid_character, 0}},
      {"31 digits", "017f22e279b07cc398c4dc0c0c07398", {Code::invalid_length, 31}},
      {"33 digits", "017f22e279b07cc398c4dc0c0c07398f0", {Code::invalid_length, 33}},
      {"too long", "{urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f}", {Code::invalid_length, 47}},
      {"hyphens after every four",
       "017f-22e2-79b0-7cc3-98c4-dc0c-0c07-398f",
       {Code::non_canonical, 4}},
      {"one hyphen in braces", "{017f22e279b07cc3-98c4dc0c0c07398f}", {Code::non_canonical, 17}},
      {"bare digits", "017f22e279b07cc398c4dc0c0c07398x", {Code::invalid_character, 31}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = Uuid::parse_friendly(c.text);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
}

TEST(Uuid, OfAnotherVersionOrVariantIsRefusedWhereOneIsAskedFor) {
  const struct {
    const char* text;
    unsigned version;
    Code code;
    std::uint32_t offset;
  } cases[] = {
      {"017f22e2-79b0-4cc3-98c4-dc0c0c07398f", 7, Code::invalid_version, 14},
      {"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", 4, Code::invalid_version, 14},
      {"017f22e2-79b0-7cc3-78c4-dc0c0c07398f", 7, Code::invalid_variant, 19},
      {"017f22e2-79b0-4cc3-c8c4-dc0c0c07398f", 7, Code::invalid_variant, 19},
      {"00000000-0000-0000-0000-000000000000", 7, Code::reserved_value, 0},
      {"ffffffff-ffff-ffff-ffff-ffffffffffff", 15, Code::reserved_value, 0},
      {"017f22e2-79b0-7cc3-98c4-dc0c0c07398", 7, Code::invalid_length, 35},
      {"017f22e2-79b0-7cc3-98c4-dc0c0c07398x", 7, Code::invalid_character, 35},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Uuid::parse_version(c.text, c.version), refusal(c.code, c.offset))
        << c.text << " as version " << c.version;
  }
}

TEST(Uuid, NamesEveryVariantAndVersion) {
  for (unsigned high = 0; high < 16; ++high) {
    const Variant expected = high < 8    ? Variant::ncs
                             : high < 12 ? Variant::rfc9562
                             : high < 14 ? Variant::microsoft
                                         : Variant::future;
    for (unsigned version = 0; version < 16; ++version) {
      Uuid id;
      id.bytes[6] = static_cast<std::uint8_t>(version << 4 | 0xC);
      id.bytes[8] = static_cast<std::uint8_t>(high << 4 | 0x5);
      EXPECT_EQ(id.variant(), expected) << high;
      const auto named = expected == Variant::rfc9562 ? std::optional(version) : std::nullopt;
      EXPECT_EQ(id.version(), named) << high << ' ' << version;
      EXPECT_EQ(id.time_100ns().has_value(), named == 1u || named == 6u);
      EXPECT_EQ(id.time_ms().has_value(), named == 1u || named == 6u || named == 7u);
      EXPECT_EQ(id.v1_to_v6().has_value(), named == 1u);
      EXPECT_EQ(id.v6_to_v1().has_value(), named == 6u);
    }
  }
}

TEST(Uuid, ReadsTheMomentAtTheExtremes) {
  constexpr auto kLast100ns = std::uint64_t{0x0FFF'FFFF'FFFF'FFFF};
  const struct {
    const char* text;
    std::optional<std::uint64_t> time_100ns;
    std::int64_t time_ms;
  } cases[] = {
      {"00000000-0000-1000-8000-000000000000", 0, -12'219'292'800'000},  // 1582-10-15
      {"00000000-0000-6000-8000-000000000000", 0, -12'219'292'800'000},
      {"ffffffff-ffff-1fff-bfff-ffffffffffff", kLast100ns, 103'072'857'660'684},  // 5236-03-31
      {"ffffffff-ffff-6fff-bfff-ffffffffffff", kLast100ns, 103'072'857'660'684},
      {"13814000-1dd2-11b2-8000-000000000000", Uuid::kGregorianOffset100ns, 0},
      {"13813fff-1dd2-11b2-8000-000000000000", Uuid::kGregorianOffset100ns - 1, -1},
      {"1b21dd21-3813-6fff-8000-000000000000", Uuid::kGregorianOffset100ns - 1, -1},
      {"1381190f-1dd2-11b2-8000-000000000000", Uuid::kGregorianOffset100ns - 9'969, -1},
      {"13811900-1dd2-11b2-8000-000000000000", Uuid::kGregorianOffset100ns - 9'984, -1},
      {"1381670f-1dd2-11b2-8000-000000000000", Uuid::kGregorianOffset100ns + 9'999, 0},
      {"13816710-1dd2-11b2-8000-000000000000", Uuid::kGregorianOffset100ns + 10'000, 1},
      {"138118f0-1dd2-11b2-8000-000000000000", Uuid::kGregorianOffset100ns - 10'000, -1},
      {"138118ef-1dd2-11b2-8000-000000000000", Uuid::kGregorianOffset100ns - 10'001, -2},
      {"00000000-0000-7000-8000-000000000000", std::nullopt, 0},
      {"ffffffff-ffff-7fff-bfff-ffffffffffff", std::nullopt, 0xFFFF'FFFF'FFFF},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const auto id = Uuid::parse(c.text);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->time_100ns(), c.time_100ns);
    EXPECT_EQ(id->time_ms(), c.time_ms);
  }
}

TEST(Uuid, KnowsTheSmallestAndTheLargestVersion7OfAMillisecond) {
  for (const std::uint64_t time_ms :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1'645'557'742'000}, Uuid::kTimeMsMax}) {
    const Uuid smallest = Uuid::smallest_v7(time_ms);
    const Uuid largest = Uuid::largest_v7(time_ms);
    EXPECT_TRUE(Uuid::parse_version(smallest.to_string(), 7));
    EXPECT_TRUE(Uuid::parse_version(largest.to_string(), 7));
    EXPECT_EQ(smallest.time_ms(), static_cast<std::int64_t>(time_ms));
    EXPECT_EQ(largest.time_ms(), static_cast<std::int64_t>(time_ms));
    EXPECT_EQ(smallest.to_string().substr(13), "-7000-8000-000000000000");
    EXPECT_EQ(largest.to_string().substr(13), "-7fff-bfff-ffffffffffff");
  }
}

// The value of `name` in "ns=... name=... greg100ns=...".
std::string field(const std::string& fields, const std::string& name) {
  for (const auto& part : vectors::split(fields, ' ')) {
    if (part.starts_with(name + "=")) return part.substr(name.size() + 1);
  }
  return "";
}

TEST(Uuid, AgreesWithTheExamplesOfTheRfc) {
  for (const auto& row : vectors::read_table("uuid/rfc9562-appendix.tsv")) {
    SCOPED_TRACE(row.where());
    const auto id = Uuid::parse(row["uuid"]);
    ASSERT_TRUE(id);
    const std::string& fields = row["fields"];
    if (row["version"] == "nil" || row["version"] == "max") {
      EXPECT_EQ(*id, row["version"] == "nil" ? Uuid::nil() : Uuid::max());
      continue;
    }
    const auto version = static_cast<unsigned>(vectors::number(row["version"]));
    EXPECT_EQ(id->version(), version);
    if (version == 1 || version == 6) {
      EXPECT_EQ(id->time_100ns(), vectors::number(field(fields, "greg100ns")));
      EXPECT_EQ(vectors::hex_of(std::span(id->bytes).subspan(10)), field(fields, "node"));
    }
    if (!field(fields, "unix_ms").empty()) {
      EXPECT_EQ(id->time_ms(),
                static_cast<std::int64_t>(vectors::number(field(fields, "unix_ms"))));
    }
    if (version == 3 || version == 5) {
      const auto name_space = Uuid::parse(field(fields, "ns"));
      ASSERT_TRUE(name_space);
      const std::string name = field(fields, "name");
      EXPECT_EQ(version == 3 ? Uuid::name_v3(*name_space, name) : Uuid::name_v5(*name_space, name),
                *id);
    }
    if (version == 4) {
      FakeEntropy entropy;
      entropy.script = {vectors::bytes_of_hex(field(fields, "random"))};
      EXPECT_EQ(Uuidv4Generator(entropy).next(), *id);
    }
    if (version == 8) {
      EXPECT_EQ(Uuid::custom_v8(id->bytes), *id);
    }
  }
}

TEST(Uuid, AgreesWithTheReferenceImplementation) {
  for (const auto& row : vectors::read_table("oracle-uuid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto id = Uuid::parse(row["uuid"]);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->to_string(), row["uuid"]);
    EXPECT_EQ(Uuid::parse_friendly(row["urn"]), *id);
    EXPECT_EQ(decimal::text_of(id->bytes).view(), row["integer"]);
    EXPECT_EQ(base64url::text_of(id->bytes).view(), row["base64url"]);
    const bool named = row["uuid_js_validate"] == "true" && !id->is_nil() && !id->is_max();
    EXPECT_EQ(named, id->version() >= 1u && id->version() <= 8u);
    if (named) {
      EXPECT_EQ(id->version(), vectors::number(row["version"]));
    }
    if (!row["v1_v6_counterpart"].empty()) {
      const auto other = id->version() == 1u ? id->v1_to_v6() : id->v6_to_v1();
      ASSERT_TRUE(other);
      EXPECT_EQ(other->to_string(), row["v1_v6_counterpart"]);
      EXPECT_EQ(other->time_100ns(), id->time_100ns());
    }
  }
}

TEST(Uuid, OfANameIsWhatTheReferenceImplementationMakes) {
  for (const auto& row : vectors::read_table("oracle-uuid-v3-v5.tsv")) {
    SCOPED_TRACE(row.where());
    const auto name_space = Uuid::parse(row["namespace_uuid"]);
    ASSERT_TRUE(name_space);
    const auto bytes = vectors::bytes_of_hex(row["name_utf8_hex"]);
    const std::string name(bytes.begin(), bytes.end());
    EXPECT_EQ(Uuid::name_v3(*name_space, name).to_string(), row["v3"]);
    EXPECT_EQ(Uuid::name_v5(*name_space, name).to_string(), row["v5"]);
  }
}

TEST(Uuid, KnowsTheNamespacesOfTheRfc) {
  EXPECT_EQ(uuid_namespace::kDns, "6ba7b810-9dad-11d1-80b4-00c04fd430c8"_uuid);
  EXPECT_EQ(uuid_namespace::kUrl, "6ba7b811-9dad-11d1-80b4-00c04fd430c8"_uuid);
  EXPECT_EQ(uuid_namespace::kOid, "6ba7b812-9dad-11d1-80b4-00c04fd430c8"_uuid);
  EXPECT_EQ(uuid_namespace::kX500, "6ba7b814-9dad-11d1-80b4-00c04fd430c8"_uuid);
}

TEST(Uuidv4Generator, KeepsAllOfTheEntropyButSixBits) {
  for (const int pattern : {0x00, 0xFF, 0xA5}) {
    const auto byte = static_cast<std::uint8_t>(pattern);
    FakeEntropy entropy;
    entropy.byte = byte;
    const auto id = Uuidv4Generator(entropy).next();
    ASSERT_TRUE(id);
    EXPECT_EQ(id->version(), 4u);
    Uuid expected;
    expected.bytes.fill(byte);
    expected.bytes[6] = static_cast<std::uint8_t>(0x40 | (byte & 0x0F));
    expected.bytes[8] = static_cast<std::uint8_t>(0x80 | (byte & 0x3F));
    EXPECT_EQ(*id, expected);
    EXPECT_EQ(entropy.bytes_given, 16u);
  }
}

TEST(Uuidv4Generator, FailsWithoutEntropyAndRecovers) {
  FakeEntropy entropy;
  entropy.working = false;
  Uuidv4Generator generator(entropy);
  EXPECT_EQ(generator.next().error(), MintError::no_entropy);
  entropy.working = true;
  EXPECT_TRUE(generator.next());
}

TEST(Uuid, MadeByThisProcessHasTheVersionAskedForAndIsNeverTheSame) {
  std::unordered_set<Uuid> ids;
  for (int i = 0; i < 1000; ++i) {
    const struct {
      Result<Uuid, MintError> id;
      unsigned version;
    } made[] = {{Uuid::generate_v1(), 1},
                {Uuid::generate_v4(), 4},
                {Uuid::generate_v6(), 6},
                {Uuid::generate_v7(), 7}};
    for (const auto& m : made) {
      ASSERT_TRUE(m.id);
      EXPECT_EQ(m.id->version(), m.version);
      EXPECT_TRUE(ids.insert(*m.id).second) << *m.id;
    }
  }
}

TEST(Uuid, OfVersion1And6TellsNoHardwareAddress) {
  std::set<std::string> nodes;
  for (int i = 0; i < 200; ++i) {
    for (const auto& id : {Uuid::generate_v1(), Uuid::generate_v6()}) {
      ASSERT_TRUE(id);
      EXPECT_EQ(id->bytes[10] & 1, 1) << "the bit that no hardware address has: " << *id;
      nodes.insert(vectors::hex_of(std::span(id->bytes).subspan(10)));
    }
  }
  EXPECT_EQ(nodes.size(), 400u) << "the node is drawn anew for each";
}

RC_GTEST_PROP(Uuid, TextRoundTripsInEitherCase, (const Uuid& id)) { check_round_trip(id, true); }
RC_GTEST_PROP(Uuid, ValuesBytesAndTextsSortAlike, ()) { check_order<Uuid>(); }
RC_GTEST_PROP(Uuid, HasOneTextPerValueButForCase, (const Uuid& id)) { check_one_text(id); }

RC_GTEST_PROP(Uuid, FriendlyReadingAgreesWithTheStrictOne, (const Uuid& id)) {
  const std::string text = id.to_string();
  RC_ASSERT(Uuid::parse_friendly(text) == id);
  RC_ASSERT(Uuid::parse_friendly("{" + text + "}") == id);
  RC_ASSERT(Uuid::parse_friendly("urn:uuid:" + text) == id);
  RC_ASSERT(Uuid::parse_friendly(hex::text_of(id.bytes)) == id);
}

RC_GTEST_PROP(Uuid, FriendlyReadingNeverLooksBeyondTheText, ()) {
  // Whatever comes in, there is an answer, and its place is in the text or just behind it.
  const auto text = *rc::gen::container<std::string>(
      rc::gen::weightedOneOf<char>({{8, rc::gen::elementOf(std::string("0123456789abcdefABCDEF"))},
                                    {2, rc::gen::elementOf(std::string("-{}urnUuid:"))},
                                    {1, any_char()}}));
  const auto id = Uuid::parse_friendly(text);
  RC_ASSERT(id || id.error().offset <= text.size());
}

RC_GTEST_PROP(Uuid, Version1And6AreOneMomentAndNodeInTwoLayouts, (const Uuid& any)) {
  const Uuid v1 = Uuid::stamped(detail::load_pair(any.bytes), 1);
  const auto v6 = v1.v1_to_v6();
  RC_ASSERT(v6.has_value());
  RC_ASSERT(v6->version() == 6u);
  RC_ASSERT(v6->time_100ns() == v1.time_100ns());
  RC_ASSERT(std::equal(v1.bytes.begin() + 8, v1.bytes.end(), v6->bytes.begin() + 8));
  RC_ASSERT(v6->v6_to_v1() == v1);
}

RC_GTEST_PROP(Uuid, Version6And7SortByTime, (const Uuid& a, const Uuid& b)) {
  for (const unsigned version : {6u, 7u}) {
    const Uuid x = Uuid::stamped(detail::load_pair(a.bytes), version);
    const Uuid y = Uuid::stamped(detail::load_pair(b.bytes), version);
    if (*x.time_ms() < *y.time_ms()) RC_ASSERT(x < y);
    if (*x.time_ms() > *y.time_ms()) RC_ASSERT(x > y);
  }
}

RC_GTEST_PROP(Uuid, StampingChangesSixBitsAndNoOther, (const Uuid& any)) {
  const auto version = *any_from_to(0u, 15u);
  Uuid stamped = Uuid::stamped(detail::load_pair(any.bytes), version);
  RC_ASSERT(stamped.version() == version);
  stamped.bytes[6] = static_cast<std::uint8_t>((stamped.bytes[6] & 0x0F) | (any.bytes[6] & 0xF0));
  stamped.bytes[8] = static_cast<std::uint8_t>((stamped.bytes[8] & 0x3F) | (any.bytes[8] & 0xC0));
  RC_ASSERT(stamped == any);
}

RC_GTEST_PROP(Uuid, Version7LiesBetweenTheSmallestAndTheLargestOfItsMillisecond,
              (const Uuid& any)) {
  const Uuid id = Uuid::stamped(detail::load_pair(any.bytes), 7);
  const auto time_ms = static_cast<std::uint64_t>(*id.time_ms());
  RC_ASSERT(Uuid::smallest_v7(time_ms) <= id);
  RC_ASSERT(id <= Uuid::largest_v7(time_ms));
}

}  // namespace
}  // namespace tessera
