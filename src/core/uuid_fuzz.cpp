// Any bytes, as the text of a UUID and as a UUID: strict and friendly reading agree with school
// arithmetic, every value has one text, and its parts fit together.

#include "support/fuzz.h"
#include "tessera/uuid.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

constexpr std::string_view kDigits = "0123456789abcdef";

std::string with_hyphens(std::string digits) {
  for (const std::size_t at : {8u, 13u, 18u, 23u}) digits.insert(at, 1, '-');
  return digits;
}

std::optional<std::vector<std::uint8_t>> value_of_digits(std::string_view digits) {
  if (digits.size() != 32) return std::nullopt;
  return number_of(digits, kDigits, 16, Letters::either_case);
}

std::optional<std::vector<std::uint8_t>> value_of(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '-');
  if (digits.size() != 32 || with_hyphens(digits) != text) return std::nullopt;
  return value_of_digits(digits);
}

std::optional<std::vector<std::uint8_t>> value_of_friendly(std::string_view text) {
  std::string start(text.substr(0, 9));
  std::ranges::transform(start, start.begin(), lower);
  if (start == "urn:uuid:") return value_of(text.substr(9));
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
    text = text.substr(1, text.size() - 2);
  }
  return text.size() == 36 ? value_of(text) : value_of_digits(text);
}

// Rounded down, as time goes, also before 1970.
std::int64_t floor_ms(std::int64_t time_100ns) {
  std::int64_t time_ms = time_100ns / 10'000;
  while (time_ms * 10'000 > time_100ns) --time_ms;
  return time_ms;
}

void require_parts(const Uuid& id) {
  const bool rfc9562 = (id.bytes[8] & 0xC0) == 0x80;
  require((id.variant() == Uuid::Variant::rfc9562) == rfc9562);
  require(id.version().has_value() == rfc9562);
  const unsigned digit = id.bytes[6] >> 4;
  for (const unsigned version : {digit, digit ^ 1}) {
    const auto read = Uuid::parse_version(id.text(), version);
    require(bool(read) == (rfc9562 && version == digit));
    if (!read) require_sound(read.error(), id.text());
  }

  const auto time = id.time_100ns();
  require(time.has_value() == (id.version() == 1u || id.version() == 6u));
  if (time) {
    require(*time < std::uint64_t{1} << 60);
    require(id.time_ms() == floor_ms(static_cast<std::int64_t>(*time) -
                                     static_cast<std::int64_t>(Uuid::kGregorianOffset100ns)));
  }
  if (id.version() == 7u) {
    const auto time_ms = static_cast<std::uint64_t>(*id.time_ms());
    require(Uuid::smallest_v7(time_ms) <= id && id <= Uuid::largest_v7(time_ms));
  }
  const auto v6 = id.v1_to_v6();
  const auto v1 = id.v6_to_v1();
  require(v6.has_value() == (id.version() == 1u));
  require(v1.has_value() == (id.version() == 6u));
  if (v6) require(v6->v6_to_v1() == id && v6->time_100ns() == time);
  if (v1) require(v1->v1_to_v6() == id && v1->time_100ns() == time);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  const auto strict = Uuid::parse(text);
  const auto friendly = Uuid::parse_friendly(text);
  require_read(strict, text, value_of(text));
  require_read(friendly, text, value_of_friendly(text));
  if (strict) require(friendly == strict);

  const Uuid id = friendly ? *friendly : id_of<Uuid>(data, size);
  require_text(id, with_hyphens(digits_of(id.bytes, kDigits, 32)));
  require_order(id, id_of<Uuid>(data + size / 2, size - size / 2));
  require_parts(id);
  for (const unsigned version : {1u, 6u, 7u, 8u}) {
    require_parts(Uuid::stamped(detail::load_pair(id.bytes), version));
  }
  require(Uuid::custom_v8(id.bytes).version() == 8u);
  return 0;
}
