// What a look-up of something that was never issued costs, beside a hash set of the same keys:
// the set is exact, and takes some fifty bytes for a key where the filter takes two.

#include "tessera/registry/filter.h"

#include <memory>
#include <random>
#include <unordered_set>

#include "support/bench.h"
#include "tessera/registry/type.h"
#include "tessera/ulid.h"

namespace tessera::bench {
namespace {

constexpr double kRate = 0.001;

// Sets of ten million take a minute to fill: only where speed is looked at, as by tools/run_bench.
constexpr std::int64_t kLeast = 1'000;
const std::int64_t kMost = is_large() ? 10'000'000 : 100'000;

struct TakeHigh {
  std::size_t operator()(const Hash128& hash) const noexcept { return hash.high; }
};
using Set = std::unordered_set<Hash128, TakeHigh>;

std::vector<Hash128> hashes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Hash128> made(count);
  for (auto& hash : made) hash = {random(), random()};
  return made;
}

// So many that they are not in the cache of the processor, nor learned by it.
const std::vector<Hash128>& strangers() {
  static const auto made = hashes(1 << 18, 2);
  return made;
}

void filter_refuses(benchmark::State& state) {
  const auto keys = hashes(static_cast<std::size_t>(state.range(0)), 1);
  const auto filter = MembershipFilter::make(keys.size(), kRate);
  prove(bool(filter), "the filter is made");
  for (const Hash128& key : keys) (*filter)->insert(key);
  std::size_t wrong = 0;
  for (const Hash128& key : strangers()) wrong += (*filter)->may_contain(key) ? 1u : 0u;
  prove(static_cast<double>(wrong) < 1.3 * kRate * static_cast<double>(strangers().size()),
        "the filter keeps its rate");
  for (const Hash128& key : keys) prove((*filter)->may_contain(key), "the filter forgets nothing");
  state.counters["bytes"] = static_cast<double>((*filter)->bytes());
  state.counters["declared"] = kRate;
  state.counters["false_positives"] =
      static_cast<double>(wrong) / static_cast<double>(strangers().size());
  measure(state, strangers(),
          [&](const Hash128& key) { return (*filter)->may_contain(key) ? 1u : 0u; });
  state.counters.erase("checksum");  // a set is never wrong, so its sum is another
}
BENCHMARK(filter_refuses)
    ->Name("filter/refuse/tessera")
    ->ArgName("ids")
    ->RangeMultiplier(10)
    ->Range(kLeast, kMost);

// Filled to its capacity with IDs as the registry keeps them, asked for others of the same time.
void filter_refuses_ids(benchmark::State& state) {
  TypeTable table;
  prove(bool(table.add({"store", "st"})), "a type");
  const auto types =
      RegistryTypes::make(table, {{.name = "store", .collection = "stores", .scope = "S"}});
  prove(bool(types), "a registered type");
  const RegisteredType& type = *types->find("store");
  const auto capacity = static_cast<std::uint64_t>(state.range(0));
  const auto filter = MembershipFilter::make(capacity, type.declared.false_positives);
  prove(bool(filter), "the filter is made");
  const auto key = [&] { return type.filter_key_of("acme", Ulid::generate()->bytes); };
  for (std::uint64_t i = 0; i < capacity; ++i) (*filter)->insert(key());
  std::vector<Hash128> others(1 << 18);
  std::size_t wrong = 0;
  for (auto& other : others) {
    other = key();
    wrong += (*filter)->may_contain(other) ? 1u : 0u;
  }
  state.counters["declared"] = type.declared.false_positives;
  state.counters["false_positives"] =
      static_cast<double>(wrong) / static_cast<double>(others.size());
  measure(state, others,
          [&](const Hash128& hash) { return (*filter)->may_contain(hash) ? 1u : 0u; });
}
BENCHMARK(filter_refuses_ids)
    ->Name("filter/refuse_ids/tessera")
    ->ArgName("ids")
    ->RangeMultiplier(10)
    ->Range(kLeast, kMost);

void set_refuses(benchmark::State& state) {
  const auto keys = hashes(static_cast<std::size_t>(state.range(0)), 1);
  const Set set(keys.begin(), keys.end());
  prove(set.size() == keys.size(), "the set has all keys");
  lacks(state, "small size");
  measure(state, strangers(), [&](const Hash128& key) { return set.contains(key) ? 1u : 0u; });
}
BENCHMARK(set_refuses)
    ->Name("filter/refuse/unordered_set")
    ->ArgName("ids")
    ->RangeMultiplier(10)
    ->Range(kLeast, kMost);

void filter_finds(benchmark::State& state) {
  const auto keys = hashes(static_cast<std::size_t>(state.range(0)), 1);
  const auto filter = MembershipFilter::make(keys.size(), kRate);
  prove(bool(filter), "the filter is made");
  for (const Hash128& key : keys) (*filter)->insert(key);
  measure(state, keys, [&](const Hash128& key) { return (*filter)->may_contain(key) ? 1u : 0u; });
}
BENCHMARK(filter_finds)
    ->Name("filter/find/tessera")
    ->ArgName("ids")
    ->RangeMultiplier(10)
    ->Range(kLeast, kMost);

void filter_inserts(benchmark::State& state) {
  const auto keys = hashes(1 << 18, 3);
  const auto filter = MembershipFilter::make(static_cast<std::uint64_t>(state.range(0)), kRate);
  prove(bool(filter), "the filter is made");
  measure(state, keys, [&](const Hash128& key) { return (*filter)->insert(key) ? 1u : 0u; });
}
BENCHMARK(filter_inserts)->Name("filter/insert/tessera")->ArgName("ids")->Arg(kMost);

}  // namespace
}  // namespace tessera::bench
