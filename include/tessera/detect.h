#pragma once

// detect: given any text, what identifier is it? Ranked guesses, with reasons.
//
//    score = log2 prior(kind, spelling) - log2 N
//
// N is how many texts the kind would plausibly emit in this spelling between its birth and
// now. Every kind reads the text and nobody goes first. Version and variant bits, padding,
// check symbols and alphabets need no rules of their own: each of them makes N smaller, and so
// the claim stronger. One more reading competes with them: that it is no identifier at all.
// docs/detection.md has the numbers.
//
// A kind has one name for ever; programs may match it. The names:
//
//    uuid-v0 … uuid-v15, uuid-nil, uuid-max     by version; 1 to 8 are defined
//    uuid-ncs, uuid-microsoft, uuid-future      by variant, where it is not RFC 9562's
//    ulid, typeid, public-id                    TypeID with and without prefix; <prefix>_<ULID>
//    base36-uuid-v7, base36-uuid                <prefix>_<24 or 25 digits>; of another version
//    ksuid, ksuid-hex, objectid                 20 bytes as 27 characters, as hex; MongoDB
//    snowflake                                  a family: some layout, but the number fits many
//    snowflake-twitter, -discord, -instagram,
//      -mastodon, -sony, -linkedin, -js53       its members; tsid is one too
//    crockford-check                            random bits and check symbols, as RandomId
//    resource-name                              books/<id>/pages/<id>
//    tsid, tid, xid, scru64, scru128, timeflake, pushid, cuid1, cuid2, nanoid, sqids,
//      stripe, orderlyid, youtube               formats of others
//    unix-s, unix-ms, unix-us, unix-ns          a moment, as a number
//    md5, sha1, sha224, sha256, sha384, sha512  a digest, by the number of its hex digits
//
// The spelling says how the value is written: canonical (the kind's own text), hyphenated,
// braced, urn, hex, int, base32 (26 digits, padded on the left), base32-rfc, base32hex,
// crockford (padded on the right; with or without check symbol), base36, base57, base58,
// base58-flickr, base62, base64, base64url, base64-guid (base64 of the byte order of
// Microsoft's Guid), checked (of a public ID). The letter case is not part of it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/parse_error.h"
#include "tessera/snowflake.h"
#include "tessera/type_table.h"

namespace tessera {

// Longer text is not looked at.
inline constexpr std::size_t kDetectSizeMax = 512;

struct Guess {
  std::string_view kind;                     // from the table above; lives for ever
  std::string_view spelling = "canonical";   // the same
  double probability = 0;                    // posterior, 0 to 1; see Detection
  double score_bits = 0;                     // what it was computed from; differences count
  std::optional<std::int64_t> time_ms = {};  // since 1970, if the reading carries a time
  bool time_is_plausible = true;             // false: before the kind existed, or to come
  std::string note = {};                     // why, or what to beware of; one line or empty
  std::vector<std::uint8_t> bytes = {};      // the value, big-endian, where the kind has one
  std::string prefix = {};                   // "ord" of ord_01J…
  const SnowflakeLayout* layout = nullptr;   // of a snowflake

  // A family stands above its members and has the sum of their probabilities.
  bool is_family() const noexcept { return kind == "snowflake"; }
};

// What the text nearly is.
struct NearMiss {
  std::string_view kind;  // as in Guess; `uuid` of any version; empty if no matter of kind
  std::optional<ParseError::Code> code = {};  // nothing: a faint reading, but no fault in it
  std::string reason = {};                    // "22 of 26 characters": lower case, no full stop
  std::string correction = {};                // the text that may have been meant; often empty
};

struct Detection {
  enum class Verdict : std::uint8_t {
    sure,       // the best guess has 90 % or more
    ambiguous,  // there are guesses, and none has
    unknown,    // likelier no identifier than any: no guesses, but perhaps near misses
  };

  Verdict verdict = Verdict::unknown;
  std::vector<Guess> guesses;  // the best first; every reading, however faint
  // That the text is none of the kinds. With the guesses that are no family it makes 1.
  double other_probability = 1;
  std::vector<NearMiss> near_misses;  // the most helpful first; none if the verdict is sure
};

// "sure", "ambiguous", "unknown".
std::string_view name_of(Detection::Verdict verdict) noexcept;

// Looks at `text`, which may be anything. `now_ms` bounds the times that are plausible. The
// prefixes of `types`, if given, are known here and win against any guess from shape alone.
// Answers hold no byte of the text that is not printable ASCII. Thread-safe.
Detection detect(std::string_view text, std::uint64_t now_ms, const TypeTable* types = nullptr);

// What can be detected, with what is assumed about it. The table in the documents is checked
// against this one.
struct DetectableKind {
  std::string_view name;
  double prior_bits;                     // log2 of the share of all texts that people ask about
  std::optional<std::int64_t> birth_ms;  // no ID of the kind is older
};

std::span<const DetectableKind> detectable_kinds() noexcept;

}  // namespace tessera
