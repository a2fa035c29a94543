// A filter as bytes.
//
//    0  "tessfltr"          24  capacity            48  nothing: zero
//    8  version, probes     32  count               56  checksum of all other words
//   16  blocks              40  rate, a double      64  the blocks
//
// Everything is in words of 64 bits, least byte first.

#include <array>
#include <bit>
#include <string>

#include "tessera/registry/filter.h"

namespace tessera {
namespace {

constexpr std::uint64_t kMagic = 0x7274'6c66'7373'6574;
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kHeaderSize = 64;
constexpr std::size_t kBlockSize = 64;

std::uint64_t load(const std::uint8_t* bytes) noexcept {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << 8 * i;
  return word;
}

void store(std::uint8_t* bytes, std::uint64_t word) noexcept {
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(word >> 8 * i);
}

// Each step can be undone, so one wrong word is always found; more with odds of 2^64 to 1.
std::uint64_t checksum_of(std::span<const std::uint8_t> bytes) noexcept {
  std::uint64_t sum = 0x2545'F491'4F6C'DD1D;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    if (at == 56) continue;  // where it stands itself
    sum = (std::rotl(sum, 23) ^ load(bytes.data() + at)) * 0x9FB2'1C65'1E98'DF25;
    sum ^= sum >> 32;
  }
  return sum;
}

Failure<Error> refused(std::string what) {
  return Failure{Error{Error::Code::invalid_request, "not a filter: " + std::move(what),
                       "Make it again from what the store keeps."}};
}

}  // namespace

std::vector<std::uint8_t> MembershipFilter::serialize() const {
  std::vector<std::uint8_t> bytes(kHeaderSize +
                                  static_cast<std::size_t>(block_count_) * kBlockSize);
  const std::array<std::uint64_t, 6> head = {kMagic,       kVersion | std::uint64_t{probes_} << 32,
                                             block_count_, capacity_,
                                             count(),      std::bit_cast<std::uint64_t>(rate_)};
  for (std::size_t i = 0; i < head.size(); ++i) store(bytes.data() + 8 * i, head[i]);
  std::uint8_t* at = bytes.data() + kHeaderSize;
  for (std::size_t i = 0; i < block_count_; ++i) {
    for (const auto& word : blocks_[i].words) {
      store(at, word.load(std::memory_order_relaxed));
      at += 8;
    }
  }
  store(bytes.data() + 56, checksum_of(bytes));
  return bytes;
}

Result<std::unique_ptr<MembershipFilter>, Error> MembershipFilter::deserialize(
    std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderSize || load(bytes.data()) != kMagic) {
    return refused("it does not begin like one");
  }
  const std::uint64_t version = load(bytes.data() + 8) & 0xFFFF'FFFF;
  const std::uint64_t probes = load(bytes.data() + 8) >> 32;
  if (version != kVersion) {
    return refused("version " + std::to_string(version) + ", where " + std::to_string(kVersion) +
                   " is known");
  }
  const std::uint64_t block_count = load(bytes.data() + 16);
  const std::size_t rest = bytes.size() - kHeaderSize;
  if (block_count == 0 || rest % kBlockSize != 0 || rest / kBlockSize != block_count) {
    return refused("its size is not what it says");
  }
  if (checksum_of(bytes) != load(bytes.data() + 56)) return refused("its checksum is wrong");
  const std::uint64_t capacity = load(bytes.data() + 24);
  const auto rate = std::bit_cast<double>(load(bytes.data() + 40));
  if (probes < 1 || probes > kProbesMax || capacity < 1 || capacity > kCapacityMax ||
      !(rate >= kRateMin && rate <= kRateMax) || load(bytes.data() + 48) != 0) {
    return refused("it says what none can be");
  }
  auto filter = with_memory(capacity, rate, block_count, static_cast<unsigned>(probes));
  if (!filter) return filter;
  const std::uint8_t* at = bytes.data() + kHeaderSize;
  for (std::size_t i = 0; i < block_count; ++i) {
    for (auto& word : (*filter)->blocks_[i].words) {
      word.store(load(at), std::memory_order_relaxed);
      at += 8;
    }
  }
  (*filter)->count_.store(load(bytes.data() + 32), std::memory_order_relaxed);
  return filter;
}

}  // namespace tessera
