// The paths that everything else waits for, one at a time and without a framework around
// them, for tools that count instructions.
//
//   hot_paths all COUNT [portable | avx2]     runs each COUNT times, and prints a checksum
//   hot_paths NAME COUNT [portable | avx2]    runs one
//
// The last word limits what the kernels may use of the processor; the first line says what they do
// use. Each path is run once before, so that pools are filled and nothing is looked up for the
// first time, and then by measure(), which tools/count_instructions finds by that name.
//
// The clock stands still: how often a real one is asked depends on how fast the machine is.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cpu.h"
#include "tessera/codec.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/segment/handout.h"
#include "tessera/snowflake.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

constexpr std::size_t kSampleCount = 1024;
constexpr std::size_t kBatch = 256;

struct Samples {
  std::vector<detail::Bytes16> bytes{kSampleCount};
  std::vector<std::string> ulids;
  std::vector<std::string> uuids;
  std::vector<std::string> objectids;
  std::vector<std::string> base36s;
  std::vector<std::string> base62s;
};

ObjectId objectid_of(const detail::Bytes16& bytes) {
  ObjectId id;
  std::copy_n(bytes.begin(), ObjectId::kSize, id.bytes.begin());
  return id;
}

const Samples& samples() {
  static const Samples made = [] {
    Samples list;
    std::mt19937_64 random(42);
    for (auto& bytes : list.bytes) {
      bytes = detail::store_pair({random(), random()});
      list.ulids.push_back(Ulid{bytes}.to_string());
      list.uuids.push_back(Uuid{bytes}.to_string());
      list.objectids.push_back(objectid_of(bytes).to_string());
      list.base36s.push_back(base36::text_of(bytes).to_string());
      list.base62s.push_back(base62::text_of(bytes).to_string());
    }
    return list;
  }();
  return made;
}

struct StandingClock final : Clock {
  std::uint64_t now_ms() noexcept override { return 1'755'854'043'118; }
};

StandingClock clock_at_rest;
SystemEntropy entropy;

template <class T>
void keep(T& made) {
  __asm__ volatile("" : "+m"(made) : : "memory");
}

template <class Make>
std::uint64_t make_each(std::size_t count, Make make) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto id = make();
    if (!id) std::abort();
    keep(id);
    sum += id->bytes.back();
  }
  return sum;
}

// `count` IDs, by batches; counts that are no multiple of a batch are rounded up.
template <class Id, class Make>
std::uint64_t make_many(std::size_t count, Make make) {
  std::array<Id, kBatch> ids;
  std::uint64_t sum = 0;
  for (std::size_t done = 0; done < count; done += kBatch) {
    if (!make(std::span<Id>(ids))) std::abort();
    keep(ids);
    sum += ids.back().bytes.back();
  }
  return sum;
}

template <class Id>
std::uint64_t format(std::size_t count) {
  std::array<char, Id::kTextSize> text;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Id{samples().bytes[i % kSampleCount]}.write_text(text);
    keep(text);
    sum += static_cast<std::uint8_t>(text.back());
  }
  return sum;
}

template <class Id>
std::uint64_t parse(std::size_t count, const std::vector<std::string>& texts) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto id = Id::parse(texts[i % kSampleCount]);
    if (!id) std::abort();
    keep(id);
    sum += id->bytes.back();
  }
  return sum;
}

template <auto TextOf>
std::uint64_t format_number(std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto text = TextOf(samples().bytes[i % kSampleCount]);
    keep(text);
    sum += static_cast<std::uint8_t>(text.chars.back());
  }
  return sum;
}

template <auto Parse>
std::uint64_t parse_number(std::size_t count, const std::vector<std::string>& texts) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto bytes = Parse(texts[i % kSampleCount]);
    if (!bytes) std::abort();
    keep(bytes);
    sum += bytes->back();
  }
  return sum;
}

template <class Mint>
std::uint64_t generate(std::size_t count) {
  static Generator<Mint> generator(clock_at_rest, entropy);
  return make_each(count, [] { return generator.next(); });
}

template <class Mint>
std::uint64_t generate_many(std::size_t count) {
  using Id = typename Mint::Id;
  static Generator<Mint> generator(clock_at_rest, entropy);
  return make_many<Id>(count, [](std::span<Id> out) { return generator.next(out); });
}

struct HotPath {
  std::string_view name;
  std::uint64_t (*run)(std::size_t count);
};

constexpr HotPath kHotPaths[] = {
    {"entropy_16",
     [](std::size_t count) {
       std::uint64_t sum = 0;
       detail::Bytes16 bytes{};
       for (std::size_t i = 0; i < count; ++i) {
         if (!entropy.fill(bytes)) std::abort();
         keep(bytes);
         sum += bytes.back();
       }
       return sum;
     }},
    {"ulid_generate", generate<UlidMint>},
    {"ulid_generate_many", generate_many<UlidMint>},
    {"uuidv4_generate",
     [](std::size_t count) { return make_each(count, [] { return Uuid::generate_v4(); }); }},
    {"uuidv4_generate_many",
     [](std::size_t count) {
       return make_many<Uuid>(count, [](std::span<Uuid> out) { return Uuid::generate_v4(out); });
     }},
    {"uuidv7_generate", generate<Uuidv7Mint>},
    {"uuidv7_generate_many", generate_many<Uuidv7Mint>},
    {"ksuid_generate", generate<KsuidMint>},
    {"objectid_generate",
     [](std::size_t count) {
       static ObjectIdGenerator generator(clock_at_rest, entropy);
       return make_each(count, [] { return generator.next(); });
     }},
    {"snowflake_generate",
     [](std::size_t count) {
       static SnowflakeGenerator generator(snowflake_layouts::kTwitter, 1, clock_at_rest, 1 << 20);
       std::uint64_t sum = 0;
       for (std::size_t i = 0; i < count; ++i) {
         auto id = generator.next();
         if (!id) std::abort();
         keep(id);
         sum += id->value;
       }
       return sum;
     }},
    {"long_handout",
     [](std::size_t count) {
       static Handout handout;
       static const std::uint64_t published = handout.publish({1, 10'000'000});
       std::uint64_t sum = published;
       for (std::size_t i = 0; i < count; ++i) {
         auto taken = handout.take(1);
         if (taken.count != 1) std::abort();
         keep(taken);
         sum += taken.first;
       }
       return sum;
     }},
    {"ulid_format", format<Ulid>},
    {"uuid_format", format<Uuid>},
    {"ulid_parse", [](std::size_t count) { return parse<Ulid>(count, samples().ulids); }},
    {"uuid_parse", [](std::size_t count) { return parse<Uuid>(count, samples().uuids); }},
    {"objectid_parse",
     [](std::size_t count) { return parse<ObjectId>(count, samples().objectids); }},
    {"base36_format", format_number<base36::text_of>},
    {"base62_format", format_number<base62::text_of>},
    {"base36_parse",
     [](std::size_t count) { return parse_number<base36::parse>(count, samples().base36s); }},
    {"base62_parse",
     [](std::size_t count) { return parse_number<base62::parse>(count, samples().base62s); }},
};

// A function of its own for each path, which the counter of instructions knows by its number.
template <std::size_t Index>
[[gnu::noinline]] std::uint64_t measure(std::size_t count) {
  const std::uint64_t sum = kHotPaths[Index].run(count);
  __asm__ volatile("");  // so that this is no jump, but a call to be counted
  return sum;
}

template <std::size_t... Index>
constexpr auto measures_of(std::index_sequence<Index...> /*all*/) {
  return std::array{&measure<Index>...};
}

constexpr auto kMeasures = measures_of(std::make_index_sequence<std::size(kHotPaths)>());

int run(std::string_view name, std::size_t count) {
  samples();
  bool found = false;
  for (std::size_t i = 0; i < std::size(kHotPaths); ++i) {
    const HotPath& path = kHotPaths[i];
    if (name != "all" && name != path.name) continue;
    found = true;
    path.run(4 * kBatch);
    const std::uint64_t sum = kMeasures[i](count);
    std::printf("%zu %s %llu\n", i, std::string(path.name).c_str(),
                static_cast<unsigned long long>(sum));
  }
  if (!found) std::fprintf(stderr, "hot_paths: no path '%s'\n", std::string(name).c_str());
  return found ? 0 : 2;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  using tessera::detail::CpuLevel;
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const bool limited = words.size() == 3;
  if ((words.size() != 2 && !limited) ||
      (limited && words[2] != "portable" && words[2] != "avx2")) {
    std::fprintf(stderr, "usage: hot_paths all|NAME COUNT [portable | avx2]\n");
    return 2;
  }
  const CpuLevel level =
      tessera::detail::limit_cpu_level(!limited             ? CpuLevel::avx512
                                       : words[2] == "avx2" ? CpuLevel::avx2
                                                            : CpuLevel::portable);
  std::printf("level %d\n", static_cast<int>(level));
  return tessera::run(words[0], std::strtoull(argv[2], nullptr, 10));
}
