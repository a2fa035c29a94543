// How often detect is right: 200 random members of every kind, made between the birth of the
// kind and now, and how many of them it must name. Less than 190 are asked for only where the
// kind cannot be told from another, and the reason stands beside the number.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/codec.h"
#include "tessera/detect.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/snowflake.h"
#include "tessera/time_text.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

constexpr std::uint64_t kNowMs = 1'794'700'800'000;  // 2026-11-15
constexpr int kMembers = 200;

constexpr std::string_view kBase32Hex = "0123456789abcdefghijklmnopqrstuv";
constexpr std::string_view kTid = "234567abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kPush =
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kBase57 = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
constexpr std::string_view kFlickr58 = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  std::uint64_t bits() { return random_(); }
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  std::uint64_t time_ms(std::string_view from, std::uint64_t to_ms = kNowMs) {
    const auto from_ms = static_cast<std::uint64_t>(*parse_time(from));
    return from_ms + below(to_ms - from_ms);
  }
  Bytes16 sixteen() { return detail::store_pair({bits(), bits()}); }
  std::string string(std::string_view alphabet, std::size_t size) {
    std::string text;
    while (text.size() < size) text += alphabet[below(alphabet.size())];
    return text;
  }
  std::string hex(std::size_t size) { return string(detail::kHex, size); }
  std::string_view word() {
    constexpr std::string_view kWords[] = {"ord",  "user",  "acct",    "invoice", "org",
                                           "item", "event", "product", "session", "team"};
    return kWords[below(std::size(kWords))];
  }
  Uuid uuid(unsigned version) { return Uuid::stamped(detail::load_pair(sixteen()), version); }
  Uuid v7() { return Uuid::stamped({time_ms("2021-01-01") << 16 | (bits() & 0xFFFF), bits()}, 7); }
  Uuid v6() {
    const std::uint64_t time =
        time_ms("2005-01-01") * 10'000 + below(10'000) + Uuid::kGregorianOffset100ns;
    return Uuid::stamped({time >> 12 << 16 | (time & 0xFFF), bits()}, 6);
  }
  Uuid variant(std::uint8_t mask, std::uint8_t value) {
    auto bytes = sixteen();
    bytes[8] = static_cast<std::uint8_t>((bytes[8] & ~mask) | value);
    return {bytes};
  }
  Ulid ulid() {
    return {detail::store_pair({time_ms("2016-06-01") << 16 | (bits() & 0xFFFF), bits()})};
  }

 private:
  std::mt19937_64 random_;
};

// `value` in `size` digits of the alphabet's base.
std::string number(detail::uint128 value, std::string_view alphabet, std::size_t size) {
  std::string text(size, alphabet[0]);
  for (std::size_t i = size; i-- > 0; value /= alphabet.size()) {
    text[i] = alphabet[static_cast<std::size_t>(value % alphabet.size())];
  }
  return text;
}

std::string number(const Bytes16& bytes, std::string_view alphabet, std::size_t size) {
  return number(detail::load_128(bytes), alphabet, size);
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

struct Members {
  std::string_view kind;
  std::string_view what;
  std::function<std::string(Maker&)> make;
  int named_min = 190;
};

std::string snowflake(Maker& maker, const SnowflakeLayout& layout, std::string_view from) {
  const std::uint64_t time = (maker.time_ms(from) - layout.epoch_ms) / layout.unit_ms;
  return Snowflake::from_parts(layout, time, maker.bits() & layout.machine_max(),
                               maker.bits() & layout.sequence_max())
      .to_string();
}

std::string checked(Maker& maker, unsigned bits, CheckCount check, std::size_t group = 0) {
  std::vector<std::uint8_t> bytes((bits + 7) / 8);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(maker.bits());
  return RandomId::from_bytes(bytes, bits).to_string(check, group);
}

std::string unix_time(Maker& maker, std::uint64_t per_ms) {
  return std::to_string(maker.time_ms("2002-01-01") * per_ms + maker.below(per_ms));
}

const std::vector<Members>& all_members() {
  static const std::vector<Members> members = {
      {"uuid-v1", "hyphenated", [](Maker& m) { return m.v6().v6_to_v1()->to_string(); }},
      {"uuid-v2", "hyphenated", [](Maker& m) { return m.uuid(2).to_string(); }},
      {"uuid-v3", "hyphenated", [](Maker& m) { return m.uuid(3).to_string(); }},
      {"uuid-v4", "hyphenated", [](Maker& m) { return m.uuid(4).to_string(); }},
      {"uuid-v4", "upper case", [](Maker& m) { return upper(m.uuid(4).to_string()); }},
      {"uuid-v5", "hyphenated", [](Maker& m) { return m.uuid(5).to_string(); }},
      {"uuid-v6", "hyphenated", [](Maker& m) { return m.v6().to_string(); }},
      {"uuid-v7", "hyphenated", [](Maker& m) { return m.v7().to_string(); }},
      {"uuid-v8", "hyphenated", [](Maker& m) { return m.uuid(8).to_string(); }},
      {"uuid-ncs", "hyphenated", [](Maker& m) { return m.variant(0x80, 0).to_string(); }},
      {"uuid-microsoft", "hyphenated", [](Maker& m) { return m.variant(0xE0, 0xC0).to_string(); }},
      {"uuid-future", "hyphenated", [](Maker& m) { return m.variant(0xE0, 0xE0).to_string(); }},
      {"uuid-v4", "braced", [](Maker& m) { return "{" + m.uuid(4).to_string() + "}"; }},
      {"uuid-v1", "urn", [](Maker& m) { return "urn:uuid:" + m.v6().v6_to_v1()->to_string(); }},
      {"uuid-v4", "hex", [](Maker& m) { return hex::text_of(m.uuid(4).bytes).to_string(); }},
      {"uuid-v7", "hex", [](Maker& m) { return hex::text_of(m.v7().bytes).to_string(); }},
      {"uuid-v4", "int", [](Maker& m) { return decimal::text_of(m.uuid(4).bytes).to_string(); }},
      {"uuid-v7", "int", [](Maker& m) { return decimal::text_of(m.v7().bytes).to_string(); }},
      {"uuid-v4", "base64url",
       [](Maker& m) { return base64url::text_of(m.uuid(4).bytes).to_string(); }},
      {"uuid-v7", "base64",
       [](Maker& m) { return base64url::text_of(m.v7().bytes).to_string() + "=="; }},
      {"uuid-v4", "base58", [](Maker& m) { return base58::text_of(m.uuid(4).bytes).to_string(); }},
      {"uuid-v7", "base58", [](Maker& m) { return base58::text_of(m.v7().bytes).to_string(); }},
      {"uuid-v4", "Flickr's base58",
       [](Maker& m) { return number(m.uuid(4).bytes, kFlickr58, 22); }},
      {"uuid-v4", "shortuuid", [](Maker& m) { return number(m.uuid(4).bytes, kBase57, 22); }},
      {"uuid-v4", "base62", [](Maker& m) { return base62::text_of(m.uuid(4).bytes).to_string(); }},
      {"uuid-v4", "uuid25", [](Maker& m) { return base36::text_of(m.uuid(4).bytes).to_string(); }},
      {"uuid-v7", "uuid25", [](Maker& m) { return base36::text_of(m.v7().bytes).to_string(); }},
      {"uuid-v7", "with a check symbol",
       [](Maker& m) { return crockford::text_of(m.v7().bytes).to_string(); }},

      {"ulid", "canonical", [](Maker& m) { return m.ulid().to_string(); }},
      // One in 64 carries version 7 and its variant by chance: then a TypeID.
      {"ulid", "lower case", [](Maker& m) { return lower(m.ulid().to_string()); }},
      // One in 64 for each version that UUIDs have.
      {"ulid", "printed as a UUID", [](Maker& m) { return Uuid{m.ulid().bytes}.to_string(); }, 175},
      {"typeid", "with prefix",
       [](Maker& m) {
         return public_id::write(m.word(), m.v7().bytes, PublicStyle::type_id).to_string();
       }},
      {"typeid", "without prefix",
       [](Maker& m) {
         return public_id::write("", m.v7().bytes, PublicStyle::type_id).to_string();
       }},
      {"public-id", "ulid",
       [](Maker& m) {
         return public_id::write(m.word(), m.ulid().bytes, PublicStyle::ulid).to_string();
       }},
      {"public-id", "checked",
       [](Maker& m) {
         return public_id::write(m.word(), m.ulid().bytes, PublicStyle::checked).to_string();
       }},
      {"base36-uuid-v7", "25 digits",
       [](Maker& m) {
         return public_id::write(m.word(), m.v7().bytes, PublicStyle::base36).to_string();
       }},
      {"base36-uuid-v7", "not padded",
       [](Maker& m) {
         return std::string(m.word()) + "_" + number(m.v7().bytes, detail::kBase36, 24);
       }},
      {"ksuid", "canonical",
       [](Maker& m) {
         return Ksuid::from_parts(m.time_ms("2017-06-01") / 1000, m.sixteen()).to_string();
       }},
      {"ksuid-hex", "hex",
       [](Maker& m) {
         const auto id = Ksuid::from_parts(m.time_ms("2017-06-01") / 1000, m.sixteen());
         std::string text(40, '0');
         hex::write(id.bytes, text);
         return text;
       }},
      {"objectid", "canonical",
       [](Maker& m) {
         return ObjectId::from_parts(m.time_ms("2009-06-01") / 1000, m.bits(), m.bits())
             .to_string();
       }},

      // The layouts overlap; what they can be told by is where the others end.
      {"snowflake-twitter", "too new for Discord",
       [](Maker& m) { return snowflake(m, snowflake_layouts::kTwitter, "2022-10-01"); }},
      {"snowflake-linkedin", "canonical",
       [](Maker& m) { return snowflake(m, snowflake_layouts::kLinkedin, "2015-01-01"); }},
      {"snowflake", "Discord",
       [](Maker& m) { return snowflake(m, snowflake_layouts::kDiscord, "2017-01-01"); }},
      {"snowflake-mastodon", "canonical",
       [](Maker& m) { return snowflake(m, snowflake_layouts::kMastodon, "2018-01-01"); }},
      {"snowflake-js53", "canonical",
       [](Maker& m) { return snowflake(m, snowflake_layouts::kJs53, "2024-06-01"); }},

      {"crockford-check", "60 bits", [](Maker& m) { return checked(m, 60, CheckCount::one); }},
      {"crockford-check", "64 bits", [](Maker& m) { return checked(m, 64, CheckCount::one); }},
      {"crockford-check", "64 bits, in groups of lower case",
       [](Maker& m) { return lower(checked(m, 64, CheckCount::one, 4)); }},
      {"crockford-check", "80 bits", [](Maker& m) { return checked(m, 80, CheckCount::two); }},
      {"crockford-check", "120 bits", [](Maker& m) { return checked(m, 120, CheckCount::one); }},
      // One in 64 for each version that UUIDs have.
      {"crockford-check", "128 bits", [](Maker& m) { return checked(m, 128, CheckCount::two); }},
      {"resource-name", "numbers",
       [](Maker& m) {
         return "publishers/" + std::to_string(m.below(1000)) + "/books/" +
                std::to_string(m.below(1000));
       }},
      {"resource-name", "a ULID", [](Maker& m) { return "orders/" + m.ulid().to_string(); }},
      {"resource-name", "a checked ID",
       [](Maker& m) { return "books/" + checked(m, 64, CheckCount::one); }},

      {"tsid", "canonical",
       [](Maker& m) {
         const std::uint64_t time = m.time_ms("2020-06-01") - 1'577'836'800'000;
         return number(time << 22 | (m.bits() >> 42), detail::kCrockford, 13);
       }},
      {"tid", "canonical",
       [](Maker& m) {
         return number((m.time_ms("2023-01-01") * 1000 + m.below(1000)) << 10 | (m.bits() & 1023),
                       kTid, 13);
       }},
      {"xid", "canonical",
       [](Maker& m) {
         const detail::uint128 value =
             static_cast<detail::uint128>(m.time_ms("2016-01-01") / 1000) << 64 | m.bits();
         return number(value << 4, kBase32Hex, 20);
       }},
      {"scru64", "canonical",
       [](Maker& m) {
         return number((m.time_ms("2023-02-01") >> 8) << 24 | (m.bits() >> 40), detail::kBase36,
                       12);
       }},
      {"scru128", "canonical",
       [](Maker& m) {
         const auto bytes =
             detail::store_pair({m.time_ms("2022-06-01") << 16 | (m.bits() >> 48), m.bits()});
         return base36::text_of(bytes).to_string();
       }},
      {"timeflake", "canonical",
       [](Maker& m) {
         const auto bytes =
             detail::store_pair({m.time_ms("2020-02-01") << 16 | (m.bits() >> 48), m.bits()});
         return base62::text_of(bytes).to_string();
       }},
      {"pushid", "canonical",
       [](Maker& m) { return number(m.time_ms("2014-01-01"), kPush, 8) + m.string(kPush, 12); }},
      {"cuid1", "canonical",
       [](Maker& m) {
         return "c" + number(m.time_ms("2013-01-01"), detail::kBase36, 8) +
                m.string(detail::kBase36, 16);
       }},
      {"cuid2", "canonical",
       [](Maker& m) {
         return m.string(detail::kBase36.substr(10), 1) + m.string(detail::kBase36, 23);
       }},
      {"nanoid", "canonical", [](Maker& m) { return m.string(detail::kBase64Url, 21); }},
      {"stripe", "customer", [](Maker& m) { return "cus_" + m.string(detail::kBase62, 14); }},
      {"stripe", "payment", [](Maker& m) { return "pi_" + m.string(detail::kBase62, 24); }},
      {"orderlyid", "canonical",
       [](Maker& m) {
         const std::uint64_t time = m.time_ms("2024-01-01") - 1'577'836'800'000;
         const detail::uint128 head = static_cast<detail::uint128>(time) << 32 | m.below(1 << 24);
         return std::string(m.word()) + "_" + number(head, detail::kCrockfordLower, 16) +
                m.string(detail::kCrockfordLower, 16);
       }},
      // Eleven letters, a quarter of them without a digit: many a name looks like that.
      {"youtube", "canonical",
       [](Maker& m) {
         return m.string(detail::kBase64Url, 10) +
                std::string(1, detail::kBase64Url[4 * m.below(16)]);
       },
       160},

      {"unix-s", "canonical",
       [](Maker& m) { return std::to_string(m.time_ms("2002-01-01") / 1000); }},
      {"unix-ms", "canonical", [](Maker& m) { return unix_time(m, 1); }},
      {"unix-us", "canonical", [](Maker& m) { return unix_time(m, 1000); }},
      {"unix-ns", "of a clock that counts microseconds",
       [](Maker& m) { return unix_time(m, 1000) + "000"; }},
      // One in 64 for each version that UUIDs have.
      {"md5", "hex", [](Maker& m) { return m.hex(32); }, 180},
      // One in eleven has the date of a KSUID.
      {"sha1", "hex", [](Maker& m) { return m.hex(40); }, 175},
      {"sha224", "hex", [](Maker& m) { return m.hex(56); }},
      {"sha256", "hex", [](Maker& m) { return m.hex(64); }},
      {"sha384", "hex", [](Maker& m) { return m.hex(96); }},
      {"sha512", "hex", [](Maker& m) { return m.hex(128); }},
  };
  return members;
}

TEST(DetectMembers, AreNamed) {
  std::uint64_t seed = 1;
  for (const Members& members : all_members()) {
    Maker maker(seed++);
    int named = 0;
    int listed = 0;
    std::string example;
    for (int i = 0; i < kMembers; ++i) {
      const std::string text = members.make(maker);
      const Detection detection = detect(text, kNowMs);
      const bool right = !detection.guesses.empty() && detection.guesses[0].kind == members.kind;
      named += right ? 1 : 0;
      if (!right) {
        example = text + " is " +
                  std::string(detection.guesses.empty() ? "unknown" : detection.guesses[0].kind);
      }
      listed += std::any_of(detection.guesses.begin(), detection.guesses.end(),
                            [&](const Guess& guess) { return guess.kind == members.kind; })
                    ? 1
                    : 0;
    }
    EXPECT_GE(named, members.named_min) << members.kind << ", " << members.what << ": " << named
                                        << " named, " << listed << " listed; " << example;
    RecordProperty(std::string(members.kind) + ", " + std::string(members.what), named);
  }
}

// Whatever the layout was, it is among the answers, with a date that can be true.
TEST(DetectMembers, OfAnySnowflakeLayoutAreListed) {
  const struct {
    std::string_view kind;
    const SnowflakeLayout& layout;
    std::string_view from;
  } cases[] = {
      {"snowflake-twitter", snowflake_layouts::kTwitter, "2011-01-01"},
      {"snowflake-discord", snowflake_layouts::kDiscord, "2015-06-01"},
      {"snowflake-instagram", snowflake_layouts::kInstagram, "2012-01-01"},
      {"snowflake-mastodon", snowflake_layouts::kMastodon, "2017-10-01"},
      {"snowflake-sony", snowflake_layouts::kSonyflake, "2015-01-01"},
      {"snowflake-linkedin", snowflake_layouts::kLinkedin, "2011-01-01"},
      {"snowflake-js53", snowflake_layouts::kJs53, "2024-02-01"},
  };
  Maker maker(7);
  for (const auto& row : cases) {
    for (int i = 0; i < kMembers; ++i) {
      const std::string text = snowflake(maker, row.layout, row.from);
      const Detection detection = detect(text, kNowMs);
      const auto guess = std::find_if(detection.guesses.begin(), detection.guesses.end(),
                                      [&](const Guess& g) { return g.kind == row.kind; });
      ASSERT_NE(guess, detection.guesses.end()) << row.kind << ": " << text;
      EXPECT_TRUE(guess->time_is_plausible) << row.kind << ": " << text;
      EXPECT_TRUE(detection.guesses[0].kind.starts_with("snowflake") ||
                  detection.verdict == Detection::Verdict::ambiguous)
          << row.kind << ": " << text << " is " << detection.guesses[0].kind;
    }
  }
}

// Random strings of no kind's length and alphabet are nothing.
TEST(DetectMembers, AreNotMadeOfNoise) {
  const struct {
    std::string_view what;
    std::function<std::string(Maker&)> make;
  } cases[] = {
      {"printable",
       [](Maker& m) {
         std::string text;
         const std::size_t size = 1 + m.below(60);
         while (text.size() < size) text += static_cast<char>(0x20 + m.below(95));
         return text;
       }},
      {"bytes",
       [](Maker& m) {
         std::string text;
         const std::size_t size = 1 + m.below(60);
         while (text.size() < size) text += static_cast<char>(m.bits());
         return text;
       }},
      {"letters", [](Maker& m) { return m.string(detail::kBase36.substr(10), 5 + m.below(12)); }},
      {"hex of no length", [](Maker& m) { return m.hex(33 + 2 * m.below(3)); }},
      {"short numbers", [](Maker& m) { return std::to_string(m.below(100'000'000)); }},
      {"two words", [](Maker& m) { return std::string(m.word()) + " " + std::string(m.word()); }},
      {"snake case", [](Maker& m) { return std::string(m.word()) + "_" + std::string(m.word()); }},
  };
  std::uint64_t seed = 100;
  for (const auto& [what, make] : cases) {
    Maker maker(seed++);
    int named = 0;
    std::string example;
    for (int i = 0; i < kMembers; ++i) {
      const std::string text = make(maker);
      const Detection detection = detect(text, kNowMs);
      if (detection.verdict == Detection::Verdict::unknown) continue;
      ++named;
      example = printable(text) + " is " + std::string(detection.guesses[0].kind);
    }
    EXPECT_LE(named, 4) << what << ": " << named << " named; " << example;
  }
}

}  // namespace
}  // namespace tessera
