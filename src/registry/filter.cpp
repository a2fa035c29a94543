// The filter: making one, inserting, and its hash.

#include "tessera/registry/filter.h"

#include <bit>
#include <new>
#include <string>

#include "registry/filter_rate.h"

namespace tessera {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) noexcept {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Every bit of the input changes half of the bits (MurmurHash3's finalizer).
std::uint64_t mixed(std::uint64_t bits) noexcept {
  bits = (bits ^ bits >> 33) * 0xFF51'AFD7'ED55'8CCD;
  bits = (bits ^ bits >> 33) * 0xC4CE'B9FE'1A85'EC53;
  return bits ^ bits >> 33;
}

}  // namespace

Hash128 hash_of(std::span<const std::uint8_t> key) noexcept {
  std::uint64_t a = 0x9E37'79B9'7F4A'7C15 ^ key.size();
  std::uint64_t b = 0xD6E8'FEB8'6659'FD93 + key.size();
  for (std::size_t at = 0; at < key.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8 && at + i < key.size(); ++i) {
      word |= std::uint64_t{key[at + i]} << 8 * i;
    }
    a = folded_product(a ^ word, 0xA076'1D64'78BD'642F) + std::rotl(b, 29);
    b = mixed(b ^ word) + a;
  }
  return {mixed(a ^ std::rotl(b, 32)), mixed(b + 0xE703'7ED1'A0B4'28DB)};
}

MembershipFilter::MembershipFilter(std::uint64_t capacity, double rate, std::uint64_t block_count,
                                   unsigned probes) noexcept
    : capacity_(capacity),
      rate_(rate),
      block_count_(block_count),
      probes_(probes),
      blocks_(new (std::nothrow) Block[static_cast<std::size_t>(block_count)]()) {}

Result<std::unique_ptr<MembershipFilter>, Error> MembershipFilter::with_memory(
    std::uint64_t capacity, double rate, std::uint64_t block_count, unsigned probes) {
  std::unique_ptr<MembershipFilter> filter(
      new MembershipFilter(capacity, rate, block_count, probes));
  if (filter->blocks_ == nullptr) {
    return Failure{
        Error{Error::Code::overloaded,
              "no memory for a filter of " + std::to_string(block_count * sizeof(Block)) + " bytes",
              "Declare a smaller capacity, or a higher rate."}};
  }
  return filter;
}

Result<std::unique_ptr<MembershipFilter>, Error> MembershipFilter::make(std::uint64_t capacity,
                                                                        double rate) {
  if (capacity < 1 || capacity > kCapacityMax) {
    return Failure{Error{Error::Code::invalid_request,
                         "a filter cannot be for " + std::to_string(capacity) + " keys",
                         "Let it be 1 to 4294967296."}};
  }
  if (!(rate >= kRateMin && rate <= kRateMax)) {  // nor a number that is none
    return Failure{Error{Error::Code::invalid_request,
                         "a filter cannot have a false-positive rate of " + std::to_string(rate),
                         "Let it be 0.000001 to 0.5."}};
  }
  const auto geometry = registry::smallest_geometry(capacity, rate, kProbesMax);
  return with_memory(capacity, rate, geometry.block_count, geometry.probes);
}

bool MembershipFilter::insert(const Hash128& hash) noexcept {
  std::uint64_t masks[8] = {};
  std::uint64_t word = hash.low;
  for (unsigned i = 0; i < probes_; ++i) {
    if (i == kProbesOfOneWord) word = second_word(hash);
    masks[word >> 6 & 7] |= std::uint64_t{1} << (word & 63);
    word >>= 9;
  }
  Block& block = blocks_[index_of(hash)];
  bool changed = false;
  for (std::size_t i = 0; i < 8; ++i) {
    // Most bits of a known key need no write, and then nobody else's cache loses the line.
    if ((block.words[i].load(std::memory_order_relaxed) & masks[i]) == masks[i]) continue;
    const std::uint64_t before = block.words[i].fetch_or(masks[i], std::memory_order_relaxed);
    changed = changed || (before & masks[i]) != masks[i];
  }
  if (changed) count_.fetch_add(1, std::memory_order_relaxed);
  return changed;
}

double MembershipFilter::rate_now() const noexcept {
  return registry::blocked_rate(static_cast<double>(count()) / static_cast<double>(block_count_),
                                probes_);
}

}  // namespace tessera
