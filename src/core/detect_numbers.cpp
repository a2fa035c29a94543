// The readers of numbers: snowflakes of every layout, TSIDs, and plain times.

#include <array>
#include <cmath>

#include "core/detect_readings.h"
#include "core/foreign.h"
#include "tessera/snowflake.h"

namespace tessera::detection {
namespace {

struct NamedLayout {
  Kind kind;
  const SnowflakeLayout* layout;
};

constexpr std::array kLayouts = {
    NamedLayout{Kind::snowflake_twitter, &snowflake_layouts::kTwitter},
    NamedLayout{Kind::snowflake_discord, &snowflake_layouts::kDiscord},
    NamedLayout{Kind::snowflake_instagram, &snowflake_layouts::kInstagram},
    NamedLayout{Kind::snowflake_mastodon, &snowflake_layouts::kMastodon},
    NamedLayout{Kind::snowflake_sony, &snowflake_layouts::kSonyflake},
    NamedLayout{Kind::snowflake_linkedin, &snowflake_layouts::kLinkedin},
    NamedLayout{Kind::snowflake_js53, &snowflake_layouts::kJs53},
};

struct UnixUnit {
  Kind kind;
  std::uint64_t per_second;
  std::size_t size_min, size_max;  // how many digits it has from 1973 to 2286
};

constexpr std::array kUnixUnits = {
    UnixUnit{Kind::unix_s, 1, 9, 10},
    UnixUnit{Kind::unix_ms, 1'000, 12, 13},
    UnixUnit{Kind::unix_us, 1'000'000, 15, 16},
    UnixUnit{Kind::unix_ns, 1'000'000'000, 18, 19},
};

// A clock often counts more coarsely than it is written: 1734971723000000000 are seconds.
void add_unix_time(const UnixUnit& unit, std::uint64_t value, Readings& readings) {
  std::uint64_t precision = unit.per_second;
  double share_bits = 1;
  std::uint64_t rest = value;
  while (precision > 1 && rest % 1000 == 0) {
    precision /= 1000;
    rest /= 1000;
    share_bits = 3;
  }
  Claim claim{.kind = unit.kind};
  claim.share_bits = share_bits;
  claim.space_bits = std::log2(1e10 * static_cast<double>(unit.per_second));
  claim.time = Claim::Time{};
  // Ten digits of seconds are no overflow in any unit.
  claim.time->ms = static_cast<std::int64_t>(
      unit.per_second >= 1000 ? value / (unit.per_second / 1000) : value * 1000);
  claim.time->bits = claim.space_bits;
  claim.time->ticks_per_ms = static_cast<double>(precision) / 1000;
  readings.add(std::move(claim));
}

}  // namespace

void read_numbers(std::string_view text, Readings& readings) {
  const auto id = Snowflake::parse(text);
  if (!id) return;
  std::vector<std::uint8_t> bytes(Snowflake::kSize);
  detail::store_be<8>(bytes.data(), id->value);

  for (const auto& [kind, layout] : kLayouts) {
    if (id->time(*layout) > layout->time_max()) continue;
    Claim claim{.kind = kind, .space_bits = static_cast<double>(layout->bits())};
    claim.time = Claim::Time{static_cast<std::int64_t>(id->time_ms(*layout)),
                             static_cast<double>(layout->time_bits), 1.0 / layout->unit_ms};
    claim.bytes = bytes;
    claim.layout = layout;
    readings.add(std::move(claim));
  }
  Claim tsid{.kind = Kind::tsid, .spelling = "int", .share_bits = 2, .space_bits = 64};
  tsid.time = Claim::Time{foreign::tsid_time_ms(id->value), 42, 1};
  tsid.bytes = bytes;
  readings.add(std::move(tsid));

  for (const UnixUnit& unit : kUnixUnits) {
    if (text.size() >= unit.size_min && text.size() <= unit.size_max) {
      add_unix_time(unit, id->value, readings);
    }
  }
}

}  // namespace tessera::detection
