// What the parsers promise about hostile text: every row of tests/vectors/bad-inputs.tsv that
// is a text of a kind of core gets the answer that is written there, and the offset points to
// the first byte that is wrong.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "support/vectors.h"
#include "tessera/codec.h"
#include "tessera/objectid.h"
#include "tessera/snowflake.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

// The canonical text, or why there is none.
using Answer = Result<std::string, ParseError>;

Answer answer(const auto& parsed) {
  if (!parsed) return Failure{parsed.error()};
  return parsed->to_string();
}

struct Reader {
  std::function<Answer(std::string_view)> parse;
  // Whether `c` may stand at `offset`: written anew here, from the specifications.
  std::function<bool(std::string_view text, std::size_t offset)> fits;
};

bool one_of(std::string_view alphabet, char c) {
  return c != '\0' && alphabet.find(c) != std::string_view::npos;
}

constexpr std::string_view kDecimal = "0123456789";
constexpr std::string_view kHex = "0123456789abcdefABCDEF";
constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz";
constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool fits_uuid(std::string_view text, std::size_t offset) {
  const bool hyphen = offset == 8 || offset == 13 || offset == 18 || offset == 23;
  return hyphen ? text[offset] == '-' : one_of(kHex, text[offset]);
}

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all = {
      {"ulid",
       {[](std::string_view text) { return answer(Ulid::parse(text)); },
        [](std::string_view text, std::size_t at) { return one_of(kCrockford, text[at]); }}},
      {"uuid", {[](std::string_view text) { return answer(Uuid::parse(text)); }, fits_uuid}},
      {"uuidv7",
       {[](std::string_view text) { return answer(Uuid::parse_version(text, 7)); }, fits_uuid}},
      {"uuid-lenient",
       {[](std::string_view text) { return answer(Uuid::parse_friendly(text)); },
        [](std::string_view text, std::size_t at) {
          return one_of(kHex, text[at]) || text[at] == '-';
        }}},
      {"objectid",
       {[](std::string_view text) { return answer(ObjectId::parse(text)); },
        [](std::string_view text, std::size_t at) { return one_of(kHex, text[at]); }}},
      {"snowflake",
       {[](std::string_view text) { return answer(Snowflake::parse(text)); },
        [](std::string_view text, std::size_t at) { return one_of(kDecimal, text[at]); }}},
      {"base64url128",
       {[](std::string_view text) -> Answer {
          const auto bytes = base64url::parse(text);
          if (!bytes) return Failure{bytes.error()};
          return base64url::text_of(*bytes).to_string();
        },
        [](std::string_view text, std::size_t at) { return one_of(kBase64Url, text[at]); }}},
  };
  return all;
}

// Where the error must point; nothing where the table does not say enough.
std::optional<std::size_t> expected_offset(Code code, const std::string& kind, const Reader& reader,
                                           std::string_view text) {
  switch (code) {
    case Code::invalid_length: return text.size();
    case Code::invalid_character:
      for (std::size_t at = 0; at < text.size(); ++at) {
        if (!reader.fits(text, at)) return at;
      }
      return text.size();
    case Code::overflow:
    case Code::reserved_value: return 0;
    case Code::invalid_version: return 14;
    case Code::invalid_variant: return 19;
    case Code::non_canonical:
      if (kind == "base64url128") return 21;              // the digit with the spare bits
      if (kind == "snowflake") return 0;                  // the leading zero
      if (kind == "uuid-lenient") return text.find('-');  // the first that stands wrong
      return std::nullopt;
    default: return std::nullopt;
  }
}

TEST(BadInputs, GetTheRightAnswerAndTheRightPlace) {
  std::map<std::string, int> rows_of;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    const auto reader = readers().find(row["kind"]);
    if (reader == readers().end()) continue;  // not a text of a kind of core
    SCOPED_TRACE(row.where() + ": " + row["why"]);
    ++rows_of[row["kind"]];
    const std::string text = vectors::unescape(row["input"]);
    const Answer got = reader->second.parse(text);

    if (row["expected"] == "ok") {
      ASSERT_TRUE(got) << describe(got.error(), text);
      constexpr std::string_view kCanonical = "canonical: ";
      if (row["why"].starts_with(kCanonical)) {
        const std::string rest = row["why"].substr(kCanonical.size());
        EXPECT_EQ(*got, rest.substr(0, rest.find(';')));
      }
      continue;
    }
    ASSERT_FALSE(got) << "read as " << *got;
    EXPECT_EQ(name_of(got.error().code), row["error_class"]);
    const auto offset = expected_offset(got.error().code, row["kind"], reader->second, text);
    ASSERT_TRUE(offset);
    EXPECT_EQ(got.error().offset, *offset) << describe(got.error(), text);
  }
  for (const auto& [kind, reader] : readers()) EXPECT_GT(rows_of[kind], 0) << "no row of " << kind;
}

TEST(BadInputs, OfOneKindAreAnsweredByAllOthers) {
  // Whatever is handed to whatever parser: an answer, with a place in the text or just behind.
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    SCOPED_TRACE(row.where());
    const std::string text = vectors::unescape(row["input"]);
    for (const auto& [kind, reader] : readers()) {
      const Answer got = reader.parse(text);
      EXPECT_TRUE(got || got.error().offset <= text.size()) << kind;
      EXPECT_TRUE(got || !describe(got.error(), text).empty()) << kind;
    }
  }
}

}  // namespace
}  // namespace tessera
