// Minting of Snowflakes, and the table of layouts.

#include "tessera/snowflake.h"

#include "tessera/system.h"

namespace tessera {
namespace {

constexpr std::array kLayouts = {
    snowflake_layouts::kTwitter,   snowflake_layouts::kDiscord,  snowflake_layouts::kInstagram,
    snowflake_layouts::kSonyflake, snowflake_layouts::kMastodon, snowflake_layouts::kLinkedin,
    snowflake_layouts::kJs53,
};

}  // namespace

std::span<const SnowflakeLayout> all_snowflake_layouts() noexcept { return kLayouts; }

const SnowflakeLayout* find_snowflake_layout(std::string_view name) noexcept {
  for (const auto& layout : kLayouts) {
    if (layout.name == name) return &layout;
  }
  return nullptr;
}

SnowflakeGenerator::SnowflakeGenerator(const SnowflakeLayout& layout, std::uint64_t machine,
                                       Clock& clock, std::uint64_t lead_ms_max) noexcept
    : layout_(layout),
      machine_(machine),
      valid_(layout.valid() && machine <= layout.machine_max()),
      clock_(clock),
      lead_ms_max_(lead_ms_max),
      fork_generation_(fork_generation()) {}

Result<Snowflake, MintError> SnowflakeGenerator::next() noexcept {
  if (!valid_) return Failure{MintError::invalid_machine};
  if (fork_generation() != fork_generation_) return Failure{MintError::forked};
  const std::uint64_t now_ms = clock_.now_ms();
  if (now_ms < layout_.epoch_ms || now_ms > layout_.time_ms_max()) {
    return Failure{MintError::time_out_of_range};
  }
  const std::uint64_t now = (now_ms - layout_.epoch_ms) / layout_.unit_ms;
  const std::uint64_t lead_max = lead_ms_max_ / layout_.unit_ms;

  std::uint64_t last = last_tick_.load(std::memory_order_relaxed);
  std::uint64_t tick = 0;
  do {
    tick = now > last >> layout_.sequence_bits ? now << layout_.sequence_bits : last + 1;
    const std::uint64_t time = tick >> layout_.sequence_bits;
    if (time > layout_.time_max()) return Failure{MintError::exhausted};
    if (time > now && time - now > lead_max) return Failure{MintError::too_far_ahead};
  } while (!last_tick_.compare_exchange_weak(last, tick, std::memory_order_relaxed));
  return Snowflake::from_parts(layout_, tick >> layout_.sequence_bits, machine_,
                               tick & layout_.sequence_max());
}

}  // namespace tessera
