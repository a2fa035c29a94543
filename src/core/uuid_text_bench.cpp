// How fast a UUID becomes text and text a UUID, and what a UUID made of a name costs; beside
// Boost, libuuid and OpenSSL.
//
// All readers get the same 1,024 texts, and the same 1,024 with one bad character. Ours accepts
// the 36 characters of RFC 9562 and nothing else, and so does libuuid. Boost's string_generator
// also takes braces and bare digits, so it stands beside parse_friendly() too.

#include <openssl/evp.h>
#include <uuid/uuid.h>

#include <boost/uuid/name_generator_md5.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>

#include "support/bench.h"
#include "tessera/uuid.h"

namespace tessera::bench {
namespace {

using Bytes = std::array<std::uint8_t, 16>;
using Chars = std::array<char, Uuid::kTextSize>;
using Text36 = TextSample<36>;
using Text38 = TextSample<38>;

const std::vector<Uuid>& ids() {
  static const auto made = [] {
    std::vector<Uuid> list;
    for (const Bytes& bytes : random_samples<16>()) list.push_back({bytes});
    return list;
  }();
  return made;
}

boost::uuids::uuid boost_of(const Uuid& id) {
  boost::uuids::uuid copy;
  std::ranges::copy(id.bytes, copy.begin());
  return copy;
}

// Written by all three, who must agree, and read back.
const std::vector<Text36>& texts() {
  static const auto made = [] {
    std::vector<Text36> list;
    for (const Uuid& id : ids()) {
      const std::string text = id.to_string();
      std::array<char, 37> by_libuuid;
      uuid_unparse_lower(id.bytes.data(), by_libuuid.data());
      prove(text == by_libuuid.data(), "libuuid writes the same text");
      prove(text == boost::uuids::to_string(boost_of(id)), "Boost writes the same text");
      prove(value(Uuid::parse(text)) == id, "a UUID reads back");
      list.emplace_back(text);
    }
    return list;
  }();
  return made;
}

// By turns plain, in braces, and bare digits.
const std::vector<Text38>& friendly_texts() {
  static const auto made = [] {
    std::vector<Text38> list;
    for (const Text36& text : texts()) {
      std::string spelling(text.view());
      if (list.size() % 3 == 1) spelling = "{" + spelling + "}";
      if (list.size() % 3 == 2) std::erase(spelling, '-');
      list.emplace_back(spelling);
    }
    return list;
  }();
  return made;
}

const std::vector<Text36>& bad_texts() {
  static const auto made = [] {
    auto list = spoiled(texts());
    for (const Text36& text : list) prove(!Uuid::parse(text.view()), "a bad UUID is refused");
    return list;
  }();
  return made;
}

// Text from a UUID.

void format(benchmark::State& state) {
  texts();
  measure(state, ids(), [](const Uuid& id) {
    Chars out;
    id.write_text(out);
    return sink(out);
  });
}
BENCHMARK(format)->Name("uuid/format/tessera");

void format_boost(benchmark::State& state) {
  std::vector<boost::uuids::uuid> copies;
  for (const Uuid& id : ids()) copies.push_back(boost_of(id));
  measure(state, copies, [](const boost::uuids::uuid& id) {
    Chars out;
    boost::uuids::to_chars(id, out.data(), out.data() + out.size());
    return sink(out);
  });
  same_promises(state);
}
BENCHMARK(format_boost)->Name("uuid/format/boost_to_chars");

void format_libuuid(benchmark::State& state) {
  measure(state, ids(), [](const Uuid& id) {
    std::array<char, 37> out;
    uuid_unparse_lower(id.bytes.data(), out.data());
    keep(out);
    return std::uint64_t{static_cast<std::uint8_t>(out[35])};
  });
  same_promises(state);
}
BENCHMARK(format_libuuid)->Name("uuid/format/libuuid_unparse_lower");

void format_string(benchmark::State& state) {
  measure(state, ids(), [](const Uuid& id) {
    std::string out = id.to_string();
    return sink(out);
  });
}
BENCHMARK(format_string)->Name("uuid/format_string/tessera");

void format_string_boost(benchmark::State& state) {
  std::vector<boost::uuids::uuid> copies;
  for (const Uuid& id : ids()) copies.push_back(boost_of(id));
  measure(state, copies, [](const boost::uuids::uuid& id) {
    std::string out = boost::uuids::to_string(id);
    return sink(out);
  });
  same_promises(state);
}
BENCHMARK(format_string_boost)->Name("uuid/format_string/boost_to_string");

// A UUID from text.

void parse(benchmark::State& state) {
  measure(state, texts(), [](const Text36& text) {
    Uuid id = value(Uuid::parse(text.view()));
    return sink(id.bytes);
  });
}
BENCHMARK(parse)->Name("uuid/parse/tessera");

std::uint64_t read_by_boost(std::string_view text) {
  boost::uuids::uuid id = boost::uuids::string_generator()(text.begin(), text.end());
  return sink(id);
}

void parse_boost(benchmark::State& state) {
  measure(state, texts(), [](const Text36& text) { return read_by_boost(text.view()); });
  same_promises(state);
}
BENCHMARK(parse_boost)->Name("uuid/parse/boost_string_generator");

#if defined(TESSERA_BENCH_BOOST_UUID)  // 1.86 and later have it
void parse_boost_chars(benchmark::State& state) {
  measure(state, texts(), [](const Text36& text) {
    boost::uuids::uuid id;
    const char* begin = text.chars.data();
    prove(!!boost::uuids::from_chars(begin, begin + text.size, id), "Boost reads it");
    return sink(id);
  });
  same_promises(state);
}
BENCHMARK(parse_boost_chars)->Name("uuid/parse/boost_from_chars");
#endif

void parse_libuuid(benchmark::State& state) {
  measure(state, texts(), [](const Text36& text) {
    uuid_t id;
    prove(uuid_parse(text.chars.data(), id) == 0, "libuuid reads it");
    return sink(id);
  });
  same_promises(state);
}
BENCHMARK(parse_libuuid)->Name("uuid/parse/libuuid_parse");

void parse_friendly(benchmark::State& state) {
  measure(state, friendly_texts(), [](const Text38& text) {
    Uuid id = value(Uuid::parse_friendly(text.view()));
    return sink(id.bytes);
  });
}
BENCHMARK(parse_friendly)->Name("uuid/parse_friendly/tessera");

void parse_friendly_boost(benchmark::State& state) {
  measure(state, friendly_texts(), [](const Text38& text) { return read_by_boost(text.view()); });
  same_promises(state);
}
BENCHMARK(parse_friendly_boost)->Name("uuid/parse_friendly/boost_string_generator");

// What is no UUID.

void refuse(benchmark::State& state) {
  measure(state, bad_texts(), [](const Text36& text) {
    auto answer = Uuid::parse(text.view());
    keep(answer);
    return std::uint64_t{!answer};
  });
}
BENCHMARK(refuse)->Name("uuid/refuse/tessera");

void refuse_boost(benchmark::State& state) {
  measure(state, bad_texts(), [](const Text36& text) {
    try {
      read_by_boost(text.view());
    } catch (const std::runtime_error&) {
      return std::uint64_t{1};
    }
    return std::uint64_t{0};
  });
  lacks(state, "the place of the error");
}
BENCHMARK(refuse_boost)->Name("uuid/refuse/boost_string_generator");

void refuse_libuuid(benchmark::State& state) {
  measure(state, bad_texts(), [](const Text36& text) {
    uuid_t id;
    return std::uint64_t{uuid_parse(text.chars.data(), id) != 0};
  });
  lacks(state, "the place of the error");
}
BENCHMARK(refuse_libuuid)->Name("uuid/refuse/libuuid_parse");

// A UUID from a name of 26 characters.

const std::vector<TextSample<26>>& names() {
  static const auto made = [] {
    std::vector<TextSample<26>> list;
    for (const Text36& text : texts()) list.emplace_back(text.view().substr(0, 26));
    return list;
  }();
  return made;
}

using Name = TextSample<26>;
const Bytes kNamespace = uuid_namespace::kUrl.bytes;

void name_v5(benchmark::State& state) {
  measure(state, names(), [](const Name& name) {
    Uuid id = Uuid::name_v5(uuid_namespace::kUrl, name.view());
    return sink(id.bytes);
  });
}
BENCHMARK(name_v5)->Name("uuidv5/name/tessera");

void name_v3(benchmark::State& state) {
  measure(state, names(), [](const Name& name) {
    Uuid id = Uuid::name_v3(uuid_namespace::kUrl, name.view());
    return sink(id.bytes);
  });
}
BENCHMARK(name_v3)->Name("uuidv3/name/tessera");

template <class Generator>
void name_boost(benchmark::State& state) {
  Generator generator(boost_of(uuid_namespace::kUrl));
  measure(state, names(), [&](const Name& name) {
    boost::uuids::uuid id = generator(name.chars.data(), name.size);
    return sink(id);
  });
  same_promises(state);
}
BENCHMARK(name_boost<boost::uuids::name_generator_sha1>)
    ->Name("uuidv5/name/boost_name_generator_sha1");
BENCHMARK(name_boost<boost::uuids::name_generator_md5>)
    ->Name("uuidv3/name/boost_name_generator_md5");

template <auto Generate>
void name_libuuid(benchmark::State& state) {
  measure(state, names(), [](const Name& name) {
    uuid_t id;
    Generate(id, kNamespace.data(), name.chars.data(), name.size);
    return sink(id);
  });
  same_promises(state);
}
BENCHMARK(name_libuuid<uuid_generate_sha1>)->Name("uuidv5/name/libuuid_generate_sha1");
BENCHMARK(name_libuuid<uuid_generate_md5>)->Name("uuidv3/name/libuuid_generate_md5");

// OpenSSL has the digest only; the UUID is made by hand. The digest and its context are made
// once, as its manual advises.
template <const EVP_MD* (*Digest)(), unsigned Version>
void name_openssl(benchmark::State& state) {
  EVP_MD* digest = EVP_MD_fetch(nullptr, EVP_MD_get0_name(Digest()), nullptr);
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  prove(digest != nullptr && context != nullptr, "OpenSSL has the digest");
  measure(state, names(), [&](const Name& name) {
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> all;
    EVP_DigestInit_ex2(context, digest, nullptr);
    EVP_DigestUpdate(context, kNamespace.data(), kNamespace.size());
    EVP_DigestUpdate(context, name.chars.data(), name.size);
    EVP_DigestFinal_ex(context, all.data(), nullptr);
    Bytes id;
    std::copy_n(all.begin(), id.size(), id.begin());
    id[6] = static_cast<std::uint8_t>((id[6] & 0x0F) | Version << 4);
    id[8] = static_cast<std::uint8_t>((id[8] & 0x3F) | 0x80);
    return sink(id);
  });
  EVP_MD_CTX_free(context);
  EVP_MD_free(digest);
  same_promises(state);
}
BENCHMARK(name_openssl<EVP_sha1, 5>)->Name("uuidv5/name/openssl_by_hand");
BENCHMARK(name_openssl<EVP_md5, 3>)->Name("uuidv3/name/openssl_by_hand");

}  // namespace
}  // namespace tessera::bench
