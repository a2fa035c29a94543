#include "repeats.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "log_reader.h"

namespace storm {
namespace {

__extension__ using uint128 = unsigned __int128;

constexpr std::size_t kBuckets = 256;
constexpr std::size_t kSuspectsMax = 1'000'000;  // past this the storm is broken anyway
constexpr std::size_t kSightingsMax = 4'000'000;
constexpr std::size_t kFindingsMax = 5;

using Fingerprints = std::vector<std::uint64_t>;
using Buckets = std::vector<Fingerprints>;

std::uint64_t load(const std::uint8_t* bytes) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ x >> 32) * 0xD6E8'FEB8'6659'FD93;
  x = (x ^ x >> 32) * 0xD6E8'FEB8'6659'FD93;
  return x ^ x >> 32;
}

template <class Work>
void in_threads(unsigned count, const Work& work) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (auto& thread : threads) thread.join();
}

// Equal fingerprints of one bucket, each once, of the parts that the threads have collected.
Fingerprints equal_ones(const std::vector<Buckets>& parts, std::size_t bucket) {
  Fingerprints all;
  for (const auto& part : parts) all.insert(all.end(), part[bucket].begin(), part[bucket].end());
  std::sort(all.begin(), all.end());
  Fingerprints equal;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i] == all[i - 1] && (equal.empty() || equal.back() != all[i])) equal.push_back(all[i]);
  }
  return equal;
}

// The fingerprints that more than one ID has. Stops when there are enough.
Fingerprints find_suspects(const std::string& path, const CheckOptions& options,
                           const Verdict& verdict) {
  const std::uint64_t bytes = verdict.id_count * sizeof(std::uint64_t);
  const std::uint64_t room =
      std::max<std::uint64_t>(options.memory_size - options.memory_size / 8, 1);
  const std::uint64_t passes = std::max<std::uint64_t>((bytes + room - 1) / room, 1);
  const std::size_t expected = verdict.id_count / passes / kBuckets / options.threads;

  std::vector<Buckets> parts(options.threads, Buckets(kBuckets));
  for (auto& part : parts) {
    for (auto& bucket : part) bucket.reserve(expected + expected / 16 + 64);
  }
  Fingerprints suspects;
  std::mutex suspects_mutex;
  for (std::uint64_t pass = 0; pass < passes && suspects.size() < kSuspectsMax; ++pass) {
    options.progress("looking for repeats, pass " + std::to_string(pass + 1) + " of " +
                     std::to_string(passes));
    in_threads(options.threads, [&](unsigned thread) {
      for (auto& bucket : parts[thread]) bucket.clear();
      LogReader reader(path);
      const std::size_t size = reader.header().id_size;
      const std::uint64_t count = reader.header().blocks_used;
      reader.read(count * thread / options.threads, count * (thread + 1) / options.threads,
                  [&](const Block& block, std::uint64_t) {
                    for (std::uint32_t i = 0; i < block.head.count; ++i) {
                      const std::uint64_t hash = fingerprint(block.ids.data() + i * size, size);
                      const uint128 place = static_cast<uint128>(hash) * passes;
                      if (static_cast<std::uint64_t>(place >> 64) != pass) continue;
                      parts[thread][static_cast<std::uint64_t>(place) >> 56].push_back(hash);
                    }
                  });
    });
    std::atomic<std::size_t> next{0};
    in_threads(options.threads, [&](unsigned) {
      for (std::size_t bucket = next++; bucket < kBuckets; bucket = next++) {
        const Fingerprints equal = equal_ones(parts, bucket);
        const std::lock_guard lock(suspects_mutex);
        suspects.insert(suspects.end(), equal.begin(), equal.end());
      }
    });
  }
  std::sort(suspects.begin(), suspects.end());
  return suspects;
}

// One ID and where it stands.
struct Sighting {
  IdBytes id{};
  BlockHead head{};
};

std::vector<Sighting> find_sightings(const std::string& path, const Fingerprints& suspects) {
  // Most IDs are no suspects: a table of one bit for each hash of 24 bits says so at once.
  std::vector<bool> seen(std::size_t{1} << 24);
  for (const std::uint64_t suspect : suspects) seen[suspect >> 40] = true;

  std::vector<Sighting> sightings;
  LogReader reader(path);
  const std::size_t size = reader.header().id_size;
  reader.read(0, reader.header().blocks_used, [&](const Block& block, std::uint64_t) {
    for (std::uint32_t i = 0; i < block.head.count; ++i) {
      const std::uint8_t* id = block.ids.data() + i * size;
      const std::uint64_t hash = fingerprint(id, size);
      if (!seen[hash >> 40] || !std::binary_search(suspects.begin(), suspects.end(), hash))
        continue;
      if (sightings.size() == kSightingsMax) return;
      sightings.push_back({.head = block.head});
      std::memcpy(sightings.back().id.data(), id, size);
    }
  });
  std::stable_sort(sightings.begin(), sightings.end(),
                   [](const Sighting& a, const Sighting& b) { return a.id < b.id; });
  return sightings;
}

}  // namespace

// Where words overlap, some bytes count twice.
std::uint64_t fingerprint(const std::uint8_t* id, std::size_t size) noexcept {
  std::uint64_t hash = mix(load(id));
  if (size > 8) hash = mix(hash ^ load(id + size - 8));
  if (size > 16) hash = mix(hash ^ load(id + 8));
  return hash;
}

std::string describe_id(const BlockHead& head, const std::uint8_t* id, std::size_t size) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += {kHex[id[i] >> 4], kHex[id[i] & 15]};
  const auto origin = static_cast<std::size_t>(head.origin);
  return text + " of stream " + std::to_string(head.stream) + " (" +
         std::string(origin < kOriginNames.size() ? kOriginNames[origin] : "unknown") + ", depth " +
         std::to_string(head.depth) + ")";
}

void find_repeats(const std::string& path, const CheckOptions& options, Verdict& verdict) {
  const Fingerprints suspects = find_suspects(path, options, verdict);
  if (suspects.empty()) return;
  options.progress("comparing " + std::to_string(suspects.size()) + " suspects");
  const std::vector<Sighting> sightings = find_sightings(path, suspects);
  const std::size_t size = LogReader(path).header().id_size;
  for (std::size_t i = 1; i < sightings.size(); ++i) {
    if (sightings[i].id != sightings[i - 1].id) continue;
    if (++verdict.repeated <= kFindingsMax) {
      verdict.findings.push_back(
          "repeated: " + describe_id(sightings[i - 1].head, sightings[i - 1].id.data(), size) +
          ", and again of stream " + std::to_string(sightings[i].head.stream));
    }
  }
}

}  // namespace storm
