// Minting of Snowflakes, and the table of layouts.

#include "tessera/snowflake.h"

#include <charconv>

#include "core/fork_witness.h"
#include "core/tick.h"
#include "tessera/system.h"

namespace tessera {
namespace {

constexpr std::array kLayouts = {
    snowflake_layouts::kTwitter,   snowflake_layouts::kDiscord,  snowflake_layouts::kInstagram,
    snowflake_layouts::kSonyflake, snowflake_layouts::kMastodon, snowflake_layouts::kLinkedin,
    snowflake_layouts::kJs53,
};

// The number that `text` begins with, without zeros in front.
template <class Number>
bool take_number(std::string_view& text, Number& number) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || (text[0] == '0' && size > 1)) return false;
  text.remove_prefix(size);
  return true;
}

bool take_char(std::string_view& text, char c) noexcept {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool snowflake_fields_equal(const SnowflakeLayout& a, const SnowflakeLayout& b) noexcept {
  return a.epoch_ms == b.epoch_ms && a.unit_ms == b.unit_ms && a.time_bits == b.time_bits &&
         a.machine_bits == b.machine_bits && a.sequence_bits == b.sequence_bits &&
         (a.machine_last == b.machine_last || a.machine_bits == 0);
}

}  // namespace

std::span<const SnowflakeLayout> all_snowflake_layouts() noexcept { return kLayouts; }

const SnowflakeLayout* find_snowflake_layout(std::string_view name) noexcept {
  for (const auto& layout : kLayouts) {
    if (layout.name == name) return &layout;
  }
  return nullptr;
}

std::string snowflake_layout_text(const SnowflakeLayout& layout) {
  const std::string machine = ".m" + std::to_string(layout.machine_bits);
  const std::string sequence = ".s" + std::to_string(layout.sequence_bits);
  return std::to_string(layout.epoch_ms) + "/" + std::to_string(layout.unit_ms) + "/t" +
         std::to_string(layout.time_bits) +
         (layout.machine_last && layout.machine_bits > 0 ? sequence + machine : machine + sequence);
}

std::optional<SnowflakeLayout> parse_snowflake_layout(std::string_view text) noexcept {
  if (const auto* named = find_snowflake_layout(text == "sony" ? "sonyflake" : text)) return *named;
  SnowflakeLayout layout;
  layout.name = "custom";
  if (!take_number(text, layout.epoch_ms) || !take_char(text, '/') ||
      !take_number(text, layout.unit_ms) || !take_char(text, '/') || !take_char(text, 't') ||
      !take_number(text, layout.time_bits) || !take_char(text, '.')) {
    return std::nullopt;
  }
  layout.machine_last = text.starts_with('s');
  const std::array<char, 2> marks = {layout.machine_last ? 's' : 'm',
                                     layout.machine_last ? 'm' : 's'};
  for (const char mark : marks) {
    if (mark == marks[1] && !take_char(text, '.')) return std::nullopt;
    unsigned& bits = mark == 'm' ? layout.machine_bits : layout.sequence_bits;
    if (!take_char(text, mark) || !take_number(text, bits)) return std::nullopt;
  }
  if (!text.empty() || !layout.valid()) return std::nullopt;
  for (const auto& named : kLayouts) {
    if (snowflake_fields_equal(named, layout)) return named;
  }
  return layout;
}

SnowflakeGenerator::SnowflakeGenerator(const SnowflakeLayout& layout, std::uint64_t machine,
                                       Clock& clock, std::uint64_t lead_ms_max) noexcept
    : layout_(layout),
      machine_(machine),
      valid_(layout.valid() && machine <= layout.machine_max()),
      clock_(clock),
      lead_ms_max_(lead_ms_max),
      fork_generation_(fork_generation()) {}

[[gnu::always_inline]] inline bool SnowflakeGenerator::take(std::uint64_t count,
                                                            std::uint64_t& first,
                                                            MintError& error) noexcept {
  const auto refuse = [&error](MintError why) {
    error = why;
    return false;
  };
  if (!valid_) return refuse(MintError::invalid_machine);
  if (detail::near_fork_generation() != fork_generation_) return refuse(MintError::forked);
  const std::uint64_t now_ms = clock_.now_ms();
  if (now_ms < layout_.epoch_ms || now_ms > layout_.time_ms_max()) {
    return refuse(MintError::time_out_of_range);
  }
  std::uint64_t now = now_ms - layout_.epoch_ms;
  std::uint64_t lead_max = lead_ms_max_;
  if (layout_.unit_ms != 1) {  // a division takes as long as all the rest
    now /= layout_.unit_ms;
    lead_max /= layout_.unit_ms;
  }

  std::uint64_t last = last_tick_.load(std::memory_order_relaxed);
  do {
    first = now > last >> layout_.sequence_bits ? now << layout_.sequence_bits : last + 1;
    if (first <= Snowflake::kMax && count - 1 > Snowflake::kMax - first) {
      return refuse(MintError::exhausted);
    }
    const std::uint64_t time = (first + (count - 1)) >> layout_.sequence_bits;
    if (time > layout_.time_max()) return refuse(MintError::exhausted);
    if (time > now && time - now > lead_max) return refuse(MintError::too_far_ahead);
  } while (!detail::replace_tick(last_tick_, last, first + (count - 1)));
  return true;
}

Result<Snowflake, MintError> SnowflakeGenerator::next() noexcept {
  std::uint64_t tick = 0;
  MintError error{};
  if (!take(1, tick, error)) return Failure{error};
  return make(tick);
}

Result<std::size_t, MintError> SnowflakeGenerator::next(std::span<Snowflake> out) noexcept {
  std::uint64_t first = 0;
  MintError error{};
  if (out.empty()) return std::size_t{0};
  if (!take(out.size(), first, error)) return Failure{error};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = make(first + i);
  return out.size();
}

}  // namespace tessera
