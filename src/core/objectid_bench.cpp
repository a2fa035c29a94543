// How long a new ObjectId takes, and how fast it becomes text and back, beside libbson, which
// is MongoDB's own.
//
// libbson's default asks for the process number with each ID, and so notices a fork. Its
// context without flags does not, and repeats 20,000 of 20,000 IDs in a child.

#include <bson/bson.h>

#include "support/bench.h"
#include "tessera/objectid.h"
#include "tessera/system.h"

namespace tessera::bench {
namespace {

using Bytes = std::array<std::uint8_t, 12>;
using Text24 = TextSample<24>;

const std::vector<ObjectId>& ids() {
  static const auto made = [] {
    std::vector<ObjectId> list;
    for (const Bytes& bytes : random_samples<12>()) list.push_back({bytes});
    return list;
  }();
  return made;
}

bson_oid_t bson_of(const ObjectId& id) {
  bson_oid_t copy;
  std::ranges::copy(id.bytes, copy.bytes);
  return copy;
}

const std::vector<Text24>& texts() {
  static const auto made = [] {
    std::vector<Text24> list;
    for (const ObjectId& id : ids()) {
      const std::string text = id.to_string();
      const bson_oid_t copy = bson_of(id);
      std::array<char, 25> by_libbson;
      bson_oid_to_string(&copy, by_libbson.data());
      prove(text == by_libbson.data(), "libbson writes the same text");
      prove(value(ObjectId::parse(text)) == id, "an ObjectId reads back");
      list.emplace_back(text);
    }
    return list;
  }();
  return made;
}

void generate(benchmark::State& state) {
  static const bool proven = makes_distinct(
      [] { return [] { return value(ObjectId::generate()); }; }, Order::increasing, "generate()");
  prove(proven, "ObjectIds are distinct and increase");
  measure_new(state, [] {
    auto made = ObjectId::generate();
    return sink(value_in(made).bytes);
  });
}
BENCHMARK(generate)->Name("objectid/generate/tessera")->ThreadRange(1, 2);

void generate_by_generator(benchmark::State& state) {
  static SystemClock clock;
  static SystemEntropy entropy;
  static ObjectIdGenerator generator(clock, entropy);
  measure_new(state, [] {
    ObjectId id = value(generator.next());
    return sink(id.bytes);
  });
}
BENCHMARK(generate_by_generator)->Name("objectid/generate/tessera_generator")->ThreadRange(1, 2);

void run_libbson(benchmark::State& state, bson_context_t* context) {
  measure_new(state, [context] {
    bson_oid_t id;
    bson_oid_init(&id, context);
    return sink(id.bytes);
  });
}

void generate_libbson(benchmark::State& state) {
  const auto next = [] {
    bson_oid_t id;
    bson_oid_init(&id, nullptr);
    return std::to_array(id.bytes);
  };
  static const bool proven =
      makes_distinct([next] { return next; }, Order::none, "bson_oid_init()");
  prove(proven, "libbson is distinct");
  run_libbson(state, nullptr);
  same_promises(state);
}
BENCHMARK(generate_libbson)->Name("objectid/generate/libbson_default")->ThreadRange(1, 2);

void generate_libbson_pid_cache(benchmark::State& state) {
  static bson_context_t* context = bson_context_new(BSON_CONTEXT_NONE);
  run_libbson(state, context);
  lacks(state, "fork safety");
}
BENCHMARK(generate_libbson_pid_cache)
    ->Name("objectid/generate/libbson_pid_cache")
    ->ThreadRange(1, 2);

void format(benchmark::State& state) {
  texts();
  measure(state, ids(), [](const ObjectId& id) {
    std::array<char, ObjectId::kTextSize> out;
    id.write_text(out);
    return sink(out);
  });
}
BENCHMARK(format)->Name("objectid/format/tessera");

void format_libbson(benchmark::State& state) {
  std::vector<bson_oid_t> copies;
  for (const ObjectId& id : ids()) copies.push_back(bson_of(id));
  measure(state, copies, [](const bson_oid_t& id) {
    std::array<char, 25> out;
    bson_oid_to_string(&id, out.data());
    keep(out);
    return std::uint64_t{static_cast<std::uint8_t>(out[23])};
  });
  same_promises(state);
}
BENCHMARK(format_libbson)->Name("objectid/format/libbson_to_string");

void parse(benchmark::State& state) {
  measure(state, texts(), [](const Text24& text) {
    ObjectId id = value(ObjectId::parse(text.view()));
    return sink(id.bytes);
  });
}
BENCHMARK(parse)->Name("objectid/parse/tessera");

// libbson tests and reads in two calls; a program needs both.
void parse_libbson(benchmark::State& state) {
  measure(state, texts(), [](const Text24& text) {
    bson_oid_t id;
    prove(bson_oid_is_valid(text.chars.data(), text.size), "libbson reads it");
    bson_oid_init_from_string(&id, text.chars.data());
    return sink(id.bytes);
  });
  same_promises(state);
}
BENCHMARK(parse_libbson)->Name("objectid/parse/libbson_checked");

void parse_libbson_unchecked(benchmark::State& state) {
  measure(state, texts(), [](const Text24& text) {
    bson_oid_t id;
    bson_oid_init_from_string(&id, text.chars.data());
    return sink(id.bytes);
  });
  lacks(state, "any check of the text");
}
BENCHMARK(parse_libbson_unchecked)->Name("objectid/parse/libbson_unchecked");

void refuse(benchmark::State& state) {
  const auto bad_texts = spoiled(texts());
  measure(state, bad_texts, [](const Text24& text) {
    auto answer = ObjectId::parse(text.view());
    keep(answer);
    return std::uint64_t{!answer};
  });
}
BENCHMARK(refuse)->Name("objectid/refuse/tessera");

void refuse_libbson(benchmark::State& state) {
  const auto bad_texts = spoiled(texts());
  measure(state, bad_texts, [](const Text24& text) {
    return std::uint64_t{!bson_oid_is_valid(text.chars.data(), text.size)};
  });
  lacks(state, "the place of the error");
}
BENCHMARK(refuse_libbson)->Name("objectid/refuse/libbson_is_valid");

}  // namespace
}  // namespace tessera::bench
