// Weighing: from claims to scores, from scores to probabilities, from those to a verdict.

#include "tessera/detect.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/detect_readings.h"
#include "tessera/time_text.h"

namespace tessera {
namespace detection {
namespace {

constexpr std::uint64_t kAheadMs = 172'800'000;  // clocks differ, and so do time zones
constexpr double kImplausibleBits = 14;          // a date that cannot be true: 1 in 16,384
constexpr double kSureProbability = 0.9;
// A layout that has no more of the family than this is not named alone.
constexpr double kLayoutShareMin = 2.0 / 3;

bool is_snowflake(const Guess& guess) noexcept {
  // A TSID as a number is one more layout of 64 bits; as text it is not.
  return guess.kind.starts_with("snowflake-") ||
         (guess.kind == row_of(Kind::tsid).name && guess.spelling == "int");
}

void append_note(std::string& note, std::string_view more) {
  if (!note.empty()) note += "; ";
  note += more;
}

double sum_of(const std::vector<Guess>& guesses, bool (*wanted)(const Guess&)) noexcept {
  double sum = 0;
  for (const Guess& guess : guesses) sum += wanted(guess) ? guess.probability : 0;
  return sum;
}

// Where many layouts fit a number and none stands out, the honest answer is the family.
void put_family_in_front(std::vector<Guess>& guesses) {
  const double family = sum_of(guesses, is_snowflake);
  const auto best_member = std::find_if(guesses.begin(), guesses.end(), is_snowflake);
  const auto best_other = std::find_if_not(guesses.begin(), guesses.end(), is_snowflake);
  if (best_member == guesses.end() || best_member->probability >= kLayoutShareMin * family) return;
  if (best_other != guesses.end() && best_other->probability > family) return;

  Guess head{.kind = row_of(Kind::snowflake).name};
  head.probability = family;
  head.score_bits = best_member->score_bits + std::log2(family / best_member->probability);
  head.note = "several layouts fit; the number alone does not say which";
  head.bytes = best_member->bytes;
  guesses.insert(guesses.begin(), std::move(head));
}

Detection weigh(std::string_view text, Readings readings) {
  Detection detection;
  std::vector<Guess>& guesses = readings.guesses();
  const double other_bits = other_score_bits(text);

  // Relative to the best, so that nothing underflows that matters.
  double best_bits = other_bits;
  for (const Guess& guess : guesses) best_bits = std::max(best_bits, guess.score_bits);
  double sum = std::exp2(other_bits - best_bits);
  for (const Guess& guess : guesses) sum += std::exp2(guess.score_bits - best_bits);
  for (Guess& guess : guesses) guess.probability = std::exp2(guess.score_bits - best_bits) / sum;
  detection.other_probability = std::exp2(other_bits - best_bits) / sum;
  std::stable_sort(guesses.begin(), guesses.end(), [](const Guess& a, const Guess& b) {
    return std::tie(b.score_bits, a.kind, a.spelling) < std::tie(a.score_bits, b.kind, b.spelling);
  });

  if (guesses.empty() || detection.other_probability > 0.5) {
    detection.verdict = Detection::Verdict::unknown;
    detection.near_misses = near_misses(text, guesses);
    detection.other_probability = 1;
    return detection;
  }
  detection.guesses = std::move(guesses);
  if (detection.guesses.front().probability >= kSureProbability) {
    detection.verdict = Detection::Verdict::sure;
  } else {
    detection.verdict = Detection::Verdict::ambiguous;
    put_family_in_front(detection.guesses);
    detection.near_misses = near_misses(text, {});
  }
  return detection;
}

Detection look(std::string_view text, std::uint64_t now_ms, const TypeTable* types) {
  Readings readings(now_ms);
  read_sixteen_bytes(text, readings);
  read_other_sizes(text, readings);
  read_numbers(text, readings);
  read_prefixed(text, types, readings);
  read_checked(text, readings);
  read_resource_name(text, readings);
  read_foreign(text, readings);
  return weigh(text, std::move(readings));
}

// Without what is copied along by mistake.
std::string_view without_wrapping(std::string_view text) noexcept {
  constexpr std::string_view kWrapping = " \t\r\n\"'`,;()<>[]";
  const std::size_t first = text.find_first_not_of(kWrapping);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kWrapping) - first + 1);
}

}  // namespace

bool Readings::in_window(Kind kind, std::int64_t time_ms) const noexcept {
  if (time_ms < row_of(kind).birth_ms.value_or(0)) return false;
  const auto time = static_cast<std::uint64_t>(time_ms);  // no kind was born before 1970
  return time <= now_ms_ || time - now_ms_ <= kAheadMs;
}

double Readings::window_bits(Kind kind, double ticks_per_ms) const noexcept {
  const auto end_ms = static_cast<double>(now_ms_) + static_cast<double>(kAheadMs);
  const double window_ms = end_ms - static_cast<double>(row_of(kind).birth_ms.value_or(0));
  // A clock that stands before the birth of a kind still leaves it one day.
  return std::log2(std::max(window_ms, 86'400'000.0) * ticks_per_ms);
}

void Readings::add(Claim claim) {
  const DetectableKind& row = row_of(claim.kind);
  Guess guess{.kind = row.name, .spelling = claim.spelling};
  double space_bits = claim.space_bits;
  if (claim.time) {
    guess.time_ms = claim.time->ms;
    guess.time_is_plausible = in_window(claim.kind, claim.time->ms);
  }
  if (claim.time && claim.time_counts) {
    if (guess.time_is_plausible) {
      space_bits += window_bits(claim.kind, claim.time->ticks_per_ms) - claim.time->bits;
    } else {
      space_bits += kImplausibleBits;
      const bool early = claim.time->ms < row.birth_ms.value_or(0);
      append_note(claim.note, "its time, " + time_text(claim.time->ms).to_string() +
                                  (early ? ", is before the kind existed" : ", is in the future"));
    }
  }
  guess.score_bits = row.prior_bits - claim.share_bits - space_bits;
  guess.note = std::move(claim.note);
  guess.bytes = std::move(claim.bytes);
  guess.prefix = std::move(claim.prefix);
  guess.layout = claim.layout;
  guesses_.push_back(std::move(guess));
}

}  // namespace detection

std::string_view name_of(Detection::Verdict verdict) noexcept {
  switch (verdict) {
    case Detection::Verdict::sure: return "sure";
    case Detection::Verdict::ambiguous: return "ambiguous";
    case Detection::Verdict::unknown: return "unknown";
  }
  return "unknown";
}

Detection detect(std::string_view text, std::uint64_t now_ms, const TypeTable* types) {
  if (text.size() > kDetectSizeMax) {
    Detection detection;
    detection.near_misses.push_back({{},
                                     ParseError::Code::invalid_length,
                                     "too long: " + std::to_string(text.size()) + " of at most " +
                                         std::to_string(kDetectSizeMax) + " bytes",
                                     {}});
    return detection;
  }
  Detection detection = detection::look(text, now_ms, types);
  if (detection.verdict != Detection::Verdict::unknown) return detection;

  const std::string_view bare = detection::without_wrapping(text);
  if (bare.size() == text.size()) return detection;
  if (const Detection inside = detection::look(bare, now_ms, types); !inside.guesses.empty()) {
    // What is recognised is ASCII, so that it can be given back as it is.
    detection.near_misses.insert(
        detection.near_misses.begin(),
        {inside.guesses.front().kind, ParseError::Code::invalid_character,
         "there are blanks or quotes around it", printable(bare, kDetectSizeMax)});
  }
  return detection;
}

}  // namespace tessera
