// Any bytes as a filter: they are refused, or they are a filter that says itself what it was
// made of, and goes on. The checksum is mended first for half of the inputs, which would never
// get past it otherwise.

#include "tessera/registry/filter.h"

#include "support/fuzz.h"

namespace {

using tessera::MembershipFilter;
using tessera::fuzz::require;

void try_reading(std::span<const std::uint8_t> bytes) {
  const auto filter = MembershipFilter::deserialize(bytes);
  if (!filter) {
    require(filter.error().code == tessera::Error::Code::invalid_request);
    require(!filter.error().message.empty());
    return;
  }
  MembershipFilter& good = **filter;
  require(good.bytes() + 64 == bytes.size());
  require(std::ranges::equal(good.serialize(), bytes));
  const auto hash = tessera::hash_of(bytes.first(64));
  const bool before = good.may_contain(hash);
  require(good.insert(hash) == !before);
  require(good.may_contain(hash));
  require(good.rate_now() >= 0 && good.rate_now() <= 1);
}

// What serialize() would have written there: the checksum of the same bytes.
std::uint64_t checksum_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t sum = 0x2545'F491'4F6C'DD1D;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    if (at == 56) continue;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{bytes[at + i]} << 8 * i;
    sum = ((sum << 23 | sum >> 41) ^ word) * 0x9FB2'1C65'1E98'DF25;
    sum ^= sum >> 32;
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try_reading({data, size});
  if (size < 64) return 0;
  std::vector<std::uint8_t> mended(data, data + size);
  const std::uint64_t sum = checksum_of(mended);
  for (std::size_t i = 0; i < 8; ++i) mended[56 + i] = static_cast<std::uint8_t>(sum >> 8 * i);
  try_reading(mended);
  return 0;
}
