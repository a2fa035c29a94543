// How long public IDs take in each style. No package of Debian has them; what stands in
// uuid_bench.cpp and ulid_bench.cpp is their body.

#include "support/bench.h"
#include "tessera/public_id.h"

namespace tessera::bench {
namespace {

using UlidStyle = PublicId<"ord", PublicStyle::ulid>;
using TypeIdStyle = PublicId<"ord", PublicStyle::type_id>;
using Base36Style = PublicId<"ord", PublicStyle::base36>;
using CheckedStyle = PublicId<"ord", PublicStyle::checked>;
using Text32 = TextSample<32>;

template <class Id>
std::vector<Id> samples() {
  std::vector<Id> ids;
  for (const auto& bytes : random_samples<16>()) ids.push_back(Id{typename Id::Body{bytes}});
  return ids;
}

template <class Id>
std::vector<Text32> texts() {
  std::vector<Text32> list;
  for (const Id& id : samples<Id>()) {
    const std::string text = id.to_string();
    prove(value(Id::parse(text)) == id, "a public ID reads back");
    list.emplace_back(text);
  }
  return list;
}

template <class Id>
void generate(benchmark::State& state) {
  static const bool proven = makes_distinct(
      [] { return [] { return value(Id::generate()).body; }; }, Order::increasing, "generate()");
  prove(proven, "public IDs are distinct and increase");
  measure_new(state, [] {
    Id id = value(Id::generate());
    return sink(id.body.bytes);
  });
}
BENCHMARK(generate<UlidStyle>)->Name("public_ulid/generate/tessera")->ThreadRange(1, 2);
BENCHMARK(generate<TypeIdStyle>)->Name("public_typeid/generate/tessera")->ThreadRange(1, 2);

template <class Id>
void format(benchmark::State& state) {
  measure(state, samples<Id>(), [](const Id& id) {
    std::array<char, Id::kTextSize> out;
    id.write_text(out);
    return sink(out);
  });
}
BENCHMARK(format<UlidStyle>)->Name("public_ulid/format/tessera");
BENCHMARK(format<TypeIdStyle>)->Name("public_typeid/format/tessera");
BENCHMARK(format<Base36Style>)->Name("public_base36/format/tessera");
BENCHMARK(format<CheckedStyle>)->Name("public_checked/format/tessera");

template <class Id>
void parse(benchmark::State& state) {
  measure(state, texts<Id>(), [](const Text32& text) {
    Id id = value(Id::parse(text.view()));
    return sink(id.body.bytes);
  });
}
BENCHMARK(parse<UlidStyle>)->Name("public_ulid/parse/tessera");
BENCHMARK(parse<TypeIdStyle>)->Name("public_typeid/parse/tessera");
BENCHMARK(parse<Base36Style>)->Name("public_base36/parse/tessera");
BENCHMARK(parse<CheckedStyle>)->Name("public_checked/parse/tessera");

template <class Id>
void refuse(benchmark::State& state) {
  const auto bad_texts = spoiled(texts<Id>());
  measure(state, bad_texts, [](const Text32& text) {
    auto answer = Id::parse(text.view());
    keep(answer);
    return std::uint64_t{!answer};
  });
  prove(state.counters["checksum"] == static_cast<double>(kSampleCount), "bad ones are refused");
}
BENCHMARK(refuse<UlidStyle>)->Name("public_ulid/refuse/tessera");
BENCHMARK(refuse<CheckedStyle>)->Name("public_checked/refuse/tessera");

}  // namespace
}  // namespace tessera::bench
