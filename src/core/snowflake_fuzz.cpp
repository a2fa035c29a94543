// Any bytes, as the text of a Snowflake and as a layout: reading agrees with school arithmetic,
// every value has one text, and its parts make it again in every layout that is valid.

#include "support/fuzz.h"
#include "tessera/detail/bytes.h"
#include "tessera/snowflake.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

constexpr std::string_view kDigits = "0123456789";

std::optional<std::uint64_t> value_of(std::string_view text) {
  if (text.empty() || text.size() > 20 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  const auto bytes = number_of(text, kDigits, 8);
  if (!bytes || bytes->front() >= 0x80) return std::nullopt;
  return detail::load_be<8>(bytes->data());
}

// Widths and units as the bytes say, sensible or not.
SnowflakeLayout layout_of(const std::uint8_t* data, std::size_t size) {
  std::array<std::uint8_t, 13> bytes{};
  std::copy_n(data, std::min(size, bytes.size()), bytes.begin());
  return {.name = "fuzz",
          .epoch_ms = detail::load_be<6>(bytes.data()),
          .unit_ms = static_cast<std::uint32_t>(detail::load_be<3>(bytes.data() + 6)),
          .time_bits = bytes[9] % 70u,
          .machine_bits = bytes[10] % 40u,
          .sequence_bits = bytes[11] % 40u,
          .machine_last = bytes[12] % 2 != 0};
}

void require_parts(const SnowflakeLayout& layout, Snowflake id) {
  if (!layout.valid()) return;
  if (layout.bits() < 63) id.value &= (std::uint64_t{1} << layout.bits()) - 1;
  require(id.time(layout) <= layout.time_max());
  require(id.machine(layout) <= layout.machine_max());
  require(id.sequence(layout) <= layout.sequence_max());
  require(Snowflake::from_parts(layout, id.time(layout), id.machine(layout), id.sequence(layout)) ==
          id);
  require(id.time_ms(layout) <= layout.time_ms_max());
  const auto smallest = Snowflake::smallest(layout, id.time_ms(layout));
  const auto largest = Snowflake::largest(layout, id.time_ms(layout));
  require(smallest && largest && *smallest <= id && id <= *largest);
  require(!Snowflake::smallest(layout, layout.time_ms_max() + 1));
  require(layout.epoch_ms == 0 || !Snowflake::largest(layout, layout.epoch_ms - 1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  const auto read = Snowflake::parse(text);
  const auto value = value_of(text);
  require(bool(read) == value.has_value());
  if (read) {
    require(read->value == *value && read->text().view() == text);
  } else {
    require_sound(read.error(), text);
  }

  Snowflake id = read ? *read : Snowflake{};
  if (!read) {
    for (std::size_t i = 0; i < size && i < 8; ++i) id.value = id.value << 8 | data[i];
    id.value &= Snowflake::kMax;
  }
  const auto again = Snowflake::parse(id.to_string());
  require(again && *again == id);
  for (const auto& layout : all_snowflake_layouts()) require_parts(layout, id);
  require_parts(layout_of(data + size / 2, size - size / 2), id);
  return 0;
}
