// The paths that everything else waits for, one at a time and without a framework around
// them, for tools that count instructions.
//
//   hot_paths --list          the names
//   hot_paths NAME COUNT      runs one COUNT times, and prints a checksum
//   hot_paths all COUNT       runs each
//
// What is made before the loop does not depend on COUNT, so the difference of two runs is
// the price of the loop alone; tools/count_instructions does it so.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/ksuid.h"
#include "tessera/objectid.h"
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
};

const Samples& samples() {
  static const Samples made = [] {
    Samples list;
    std::mt19937_64 random(42);
    for (auto& bytes : list.bytes) {
      bytes = detail::store_pair({random(), random()});
      list.ulids.push_back(Ulid{bytes}.to_string());
      list.uuids.push_back(Uuid{bytes}.to_string());
    }
    return list;
  }();
  return made;
}

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

struct HotPath {
  std::string_view name;
  std::uint64_t (*run)(std::size_t count);
};

// One name on each line; tools read them.
constexpr HotPath kHotPaths[] = {
    {"entropy_16",
     [](std::size_t count) {
       std::uint64_t sum = 0;
       detail::Bytes16 bytes{};
       for (std::size_t i = 0; i < count; ++i) {
         if (!SystemEntropy().fill(bytes)) std::abort();
         keep(bytes);
         sum += bytes.back();
       }
       return sum;
     }},
    {"ulid_generate",
     [](std::size_t count) { return make_each(count, [] { return Ulid::generate(); }); }},
    {"ulid_generate_many",
     [](std::size_t count) {
       return make_many<Ulid>(count, [](std::span<Ulid> out) { return Ulid::generate(out); });
     }},
    {"uuidv4_generate",
     [](std::size_t count) { return make_each(count, [] { return Uuid::generate_v4(); }); }},
    {"uuidv4_generate_many",
     [](std::size_t count) {
       return make_many<Uuid>(count, [](std::span<Uuid> out) { return Uuid::generate_v4(out); });
     }},
    {"uuidv7_generate",
     [](std::size_t count) { return make_each(count, [] { return Uuid::generate_v7(); }); }},
    {"uuidv7_generate_many",
     [](std::size_t count) {
       return make_many<Uuid>(count, [](std::span<Uuid> out) { return Uuid::generate_v7(out); });
     }},
    {"ksuid_generate",
     [](std::size_t count) { return make_each(count, [] { return Ksuid::generate(); }); }},
    {"objectid_generate",
     [](std::size_t count) { return make_each(count, [] { return ObjectId::generate(); }); }},
    {"ulid_format", format<Ulid>},
    {"uuid_format", format<Uuid>},
    {"ulid_parse", [](std::size_t count) { return parse<Ulid>(count, samples().ulids); }},
    {"uuid_parse", [](std::size_t count) { return parse<Uuid>(count, samples().uuids); }},
};

int run(std::string_view name, std::size_t count) {
  samples();
  bool found = false;
  for (const HotPath& path : kHotPaths) {
    if (name != "all" && name != path.name) continue;
    found = true;
    std::printf("%-20s %llu\n", std::string(path.name).c_str(),
                static_cast<unsigned long long>(path.run(count)));
  }
  if (!found) std::fprintf(stderr, "hot_paths: no path '%s'\n", std::string(name).c_str());
  return found ? 0 : 2;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (argc == 2 && std::string_view(arguments[1]) == "--list") {
    for (const auto& path : tessera::kHotPaths) std::printf("%s\n", std::string(path.name).c_str());
    return 0;
  }
  if (argc != 3) {
    std::fprintf(stderr, "usage: hot_paths --list | NAME COUNT | all COUNT\n");
    return 2;
  }
  return tessera::run(arguments[1], std::strtoull(arguments[2], nullptr, 10));
}
