#pragma once

// Inside detect: what a reading claims, and how claims are weighed.
//
// A reader says what a text would be, in which spelling, out of how many, and when it would
// have been made. Readings turns that into a score. No reader knows of any other.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/codec.h"
#include "tessera/detect.h"
#include "tessera/uuid.h"

namespace tessera::detection {

// In the order of the table in detect_kinds.cpp.
enum class Kind : std::uint8_t {
  uuid_v0,
  uuid_v1,
  uuid_v7 = uuid_v0 + 7,
  uuid_v15 = uuid_v0 + 15,
  uuid_nil,
  uuid_max,
  uuid_ncs,
  uuid_microsoft,
  uuid_future,
  ulid,
  type_id,
  public_id,
  base36_uuid_v7,
  base36_uuid,
  ksuid,
  ksuid_hex,
  object_id,
  snowflake,  // the family; no reader claims it
  snowflake_twitter,
  snowflake_discord,
  snowflake_instagram,
  snowflake_mastodon,
  snowflake_sony,
  snowflake_linkedin,
  snowflake_js53,
  crockford_check,
  resource_name,
  tsid,
  tid,
  xid,
  scru64,
  scru128,
  timeflake,
  push_id,
  cuid1,
  cuid2,
  nano_id,
  sqids,
  stripe,
  orderly_id,
  youtube,
  unix_s,
  unix_ms,
  unix_us,
  unix_ns,
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
};

const DetectableKind& row_of(Kind kind) noexcept;

struct Claim {
  struct Time {
    std::int64_t ms = 0;      // since 1970
    double bits = 0;          // how many bits of the value it takes
    double ticks_per_ms = 1;  // how fine it is
  };

  Kind kind;
  std::string_view spelling = "canonical";
  double share_bits = 0;  // how rare this spelling is among those of the kind: 3 is 1 in 8
  double space_bits = 0;  // log2 of how many texts there are in this spelling
  std::optional<Time> time = {};
  bool time_counts = true;  // false: space_bits already says it all

  std::string note = {};
  std::vector<std::uint8_t> bytes = {};
  std::string prefix = {};
  const SnowflakeLayout* layout = nullptr;

  // Says that the value is 0 or all ones: no ID that was made, but one that somebody wrote
  // to mark the end of a range. There are two, and few ever write one.
  void be_bound();
};

class Readings {
 public:
  explicit Readings(std::uint64_t now_ms) noexcept : now_ms_(now_ms) {}

  void add(Claim claim);

  // log2 of the number of ticks between the birth of `kind` and now.
  double window_bits(Kind kind, double ticks_per_ms) const noexcept;
  bool in_window(Kind kind, std::int64_t time_ms) const noexcept;

  std::vector<Guess>& guesses() noexcept { return guesses_; }

 private:
  std::uint64_t now_ms_;
  std::vector<Guess> guesses_;
};

// The readers. Each looks at the whole text, of at most kDetectSizeMax bytes.
void read_sixteen_bytes(std::string_view text, Readings& readings);  // detect_bytes.cpp
void read_other_sizes(std::string_view text, Readings& readings);
void read_numbers(std::string_view text, Readings& readings);  // detect_numbers.cpp
void read_prefixed(std::string_view text, const TypeTable* types, Readings& readings);
void read_checked(std::string_view text, Readings& readings);
void read_resource_name(std::string_view text, Readings& readings);  // detect_names.cpp
void read_foreign(std::string_view text, Readings& readings);        // detect_foreign.cpp

// detect_bytes.cpp: what more than one reader needs to know about bytes.
bool is_bound(std::span<const std::uint8_t> bytes) noexcept;
Kind uuid_kind(const Uuid& id) noexcept;
double uuid_space_bits(Kind kind) noexcept;  // without what version and variant fix
std::optional<Claim::Time> uuid_time(const Uuid& id) noexcept;
// Of a version 7 whose time is implausible but would not be in an old draft's layout.
std::string draft_note(const Uuid& id, const Readings& readings);
// 25 digits, or 24 without the zero in front.
std::optional<Bytes16> parse_base36_number(std::string_view text) noexcept;

// An ID of a resource name that has the look of a checked one, and whose check fails.
bool has_failed_check(std::string_view id) noexcept;

// detect_text.cpp: texts that are no identifiers.

// What a text costs that a person wrote, in bits: words, numbers, punctuation.
double word_bits(std::string_view text) noexcept;
// The cheaper of that and of random characters from a usual alphabet, averaged.
double plain_bits(std::string_view text) noexcept;
// The score of the reading that it is no identifier: its prior, and how many such texts.
double other_score_bits(std::string_view text) noexcept;

enum class LetterCase : std::uint8_t { none, lower, upper, mixed };
LetterCase letter_case(std::string_view text) noexcept;
// 0 for the usual case or no letters, `other_bits` for the other, twice that if mixed.
double case_bits(std::string_view text, LetterCase usual, double other_bits) noexcept;

// detect_near_miss.cpp: what `text` nearly is, the most helpful first. `lost` are readings
// that are likelier no identifier.
std::vector<NearMiss> near_misses(std::string_view text, const std::vector<Guess>& lost);

}  // namespace tessera::detection
