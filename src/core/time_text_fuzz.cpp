// Any bytes, as the text of a moment and as a moment: what is read has a text that is read as
// the same moment, and every moment is one day of the calendar, which leads back to it.

#include <cstring>

#include "support/fuzz.h"
#include "tessera/time_text.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

constexpr std::int64_t kYearMax = 99'999;  // with more digits a year is written, but not read

void require_calendar(std::int64_t time_ms) {
  const CivilTime civil = civil_time(time_ms);
  require(civil.month >= 1 && civil.month <= 12 && civil.day >= 1 && civil.day <= 31);
  require(civil.hour <= 23 && civil.minute <= 59);
  require(civil.second <= 59 && civil.millisecond <= 999);
  require(time_ms_of(civil) == time_ms);
  const auto text = time_text(time_ms);
  require(text.size >= 24 && text.view().ends_with('Z'));
  const bool readable = civil.year >= -kYearMax && civil.year <= kYearMax;
  require(parse_time(text) == (readable ? std::optional(time_ms) : std::nullopt));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  if (const auto time_ms = parse_time(text)) {
    require_calendar(*time_ms);
    // Nothing may stand before it or behind it.
    require(!parse_time(" " + std::string(text)) && !parse_time(std::string(text) + " "));
  }
  std::int64_t time_ms = 0;
  if (size >= sizeof time_ms) std::memcpy(&time_ms, data, sizeof time_ms);
  require_calendar(time_ms);
  return 0;
}
