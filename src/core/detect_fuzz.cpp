// Any bytes: the probabilities make one, the best comes first, the answer is bounded,
// printable and the same the second time, and a correction is not what was given.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tessera/detect.h"

namespace {

using namespace tessera;

void require(bool condition) {
  if (!condition) std::abort();
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

void require_sound(const Detection& detection) {
  double sum = detection.other_probability;
  for (const Guess& guess : detection.guesses) {
    require(guess.probability >= 0 && guess.probability <= 1 + 1e-9);
    require(std::isfinite(guess.score_bits));
    require(is_printable(guess.note) && is_printable(guess.prefix));
    require(guess.bytes.size() <= kDetectSizeMax);
    if (!guess.is_family()) sum += guess.probability;
  }
  require(std::abs(sum - 1) < 1e-9);
  require(detection.guesses.empty() == (detection.verdict == Detection::Verdict::unknown));
  require(detection.guesses.size() <= 200 && detection.near_misses.size() <= 8);
  for (std::size_t i = 1; i < detection.guesses.size(); ++i) {
    require(detection.guesses[i - 1].probability >= detection.guesses[i].probability);
  }
  for (const NearMiss& miss : detection.near_misses) {
    require(is_printable(miss.reason) && is_printable(miss.correction));
    require(miss.reason.size() <= 300 && miss.correction.size() <= 2 * kDetectSizeMax);
  }
}

const TypeTable& types() {
  static const TypeTable table = [] {
    TypeTable made;
    require(bool(made.add({"order", "ord", PublicStyle::ulid})));
    require(bool(made.add({"account", "acct", PublicStyle::type_id})));
    require(bool(made.add({"ticket", "tkt", PublicStyle::checked, '-'})));
    return made;
  }();
  return table;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kNowMs = 1'794'700'800'000;  // 2026-11-15
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  const Detection first = detect(text, kNowMs);
  require_sound(first);
  require_sound(detect(text, kNowMs, &types()));
  require_sound(detect(text, size % 2 == 0 ? 0 : ~std::uint64_t{0}));

  const Detection second = detect(text, kNowMs);
  require(first.verdict == second.verdict && first.guesses.size() == second.guesses.size());
  for (std::size_t i = 0; i < first.guesses.size(); ++i) {
    require(first.guesses[i].kind == second.guesses[i].kind);
  }
  for (const NearMiss& miss : first.near_misses) {
    if (miss.correction.empty()) continue;
    // What is proposed is not what was given.
    require(miss.correction != text);
    require_sound(detect(miss.correction, kNowMs));
  }
  return 0;
}
