// How fast sixteen bytes become text and back in each codec.
//
// OpenSSL has three of them in near relatives: hex through a parser that also takes colons,
// base64 with the other two letters and padding, and decimal by its big numbers, on the heap.

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "support/bench.h"
#include "tessera/codec.h"

namespace tessera::bench {
namespace {

using Text39 = TextSample<39>;

const std::vector<Bytes16>& samples() {
  static const auto bytes = random_samples<16>();
  return bytes;
}

template <auto TextOf, auto Parse>
std::vector<Text39> texts() {
  std::vector<Text39> list;
  for (const Bytes16& bytes : samples()) {
    const auto text = TextOf(bytes);
    prove(value(Parse(text.view())) == bytes, "a text reads back");
    list.emplace_back(text.view());
  }
  return list;
}

template <auto TextOf>
void format(benchmark::State& state) {
  measure(state, samples(), [](const Bytes16& bytes) {
    auto out = TextOf(bytes);
    keep(out);
    return std::uint64_t{static_cast<std::uint8_t>(out.chars[out.size - 1])};
  });
}

template <auto TextOf, auto Parse>
void parse(benchmark::State& state) {
  measure(state, texts<TextOf, Parse>(), [](const Text39& text) {
    Bytes16 bytes = value(Parse(text.view()));
    return sink(bytes);
  });
}

template <auto TextOf, auto Parse>
void refuse(benchmark::State& state) {
  const auto bad_texts = spoiled(texts<TextOf, Parse>());
  measure(state, bad_texts, [](const Text39& text) {
    auto answer = Parse(text.view());
    keep(answer);
    return std::uint64_t{!answer};
  });
  prove(state.counters["checksum"] == static_cast<double>(kSampleCount), "bad ones are refused");
}

constexpr auto kParseHex =
    static_cast<Result<Bytes16, ParseError> (*)(std::string_view) noexcept>(hex::parse);

BENCHMARK(format<hex::text_of>)->Name("hex/format/tessera");
BENCHMARK(parse<hex::text_of, kParseHex>)->Name("hex/parse/tessera");
BENCHMARK(refuse<hex::text_of, kParseHex>)->Name("hex/refuse/tessera");
BENCHMARK(format<base36::text_of>)->Name("base36/format/tessera");
BENCHMARK(parse<base36::text_of, base36::parse>)->Name("base36/parse/tessera");
BENCHMARK(refuse<base36::text_of, base36::parse>)->Name("base36/refuse/tessera");
BENCHMARK(format<base58::text_of>)->Name("base58/format/tessera");
BENCHMARK(parse<base58::text_of, base58::parse>)->Name("base58/parse/tessera");
BENCHMARK(format<base62::text_of>)->Name("base62/format/tessera");
BENCHMARK(parse<base62::text_of, base62::parse>)->Name("base62/parse/tessera");
BENCHMARK(format<base64url::text_of>)->Name("base64url/format/tessera");
BENCHMARK(parse<base64url::text_of, base64url::parse>)->Name("base64url/parse/tessera");
BENCHMARK(format<decimal::text_of>)->Name("decimal/format/tessera");
BENCHMARK(parse<decimal::text_of, decimal::parse>)->Name("decimal/parse/tessera");

void hex_format_openssl(benchmark::State& state) {
  measure(state, samples(), [](const Bytes16& bytes) {
    std::array<char, 33> out;
    std::size_t size = 0;
    OPENSSL_buf2hexstr_ex(out.data(), out.size(), &size, bytes.data(), bytes.size(), '\0');
    keep(out);
    const auto last = static_cast<std::uint8_t>(out[31]);
    return std::uint64_t{last >= 'A' ? last + std::uint64_t{'a' - 'A'} : last};  // upper case
  });
  same_promises(state);
}
BENCHMARK(hex_format_openssl)->Name("hex/format/openssl_buf2hexstr");

void hex_parse_openssl(benchmark::State& state) {
  measure(state, texts<hex::text_of, kParseHex>(), [](const Text39& text) {
    Bytes16 bytes;
    std::size_t size = 0;
    prove(OPENSSL_hexstr2buf_ex(bytes.data(), bytes.size(), &size, text.chars.data(), '\0') == 1,
          "OpenSSL reads it");
    return sink(bytes);
  });
  same_promises(state);
}
BENCHMARK(hex_parse_openssl)->Name("hex/parse/openssl_hexstr2buf");

void base64_format_openssl(benchmark::State& state) {
  measure(state, samples(), [](const Bytes16& bytes) {
    std::array<unsigned char, 25> out;
    EVP_EncodeBlock(out.data(), bytes.data(), static_cast<int>(bytes.size()));
    keep(out);
    return std::uint64_t{out[21]};
  });
  lacks(state, "the url alphabet");
}
BENCHMARK(base64_format_openssl)->Name("base64url/format/openssl_EncodeBlock");

void base64_parse_openssl(benchmark::State& state) {
  std::vector<Text39> padded;
  for (const Text39& text : texts<base64url::text_of, base64url::parse>()) {
    std::string plain(text.view());
    std::ranges::replace(plain, '-', '+');
    std::ranges::replace(plain, '_', '/');
    padded.emplace_back(plain + "==");
  }
  measure(state, padded, [](const Text39& text) {
    std::array<unsigned char, 18> out;
    const auto* chars = reinterpret_cast<const unsigned char*>(text.chars.data());
    prove(EVP_DecodeBlock(out.data(), chars, 24) == 18, "OpenSSL reads it");
    keep(out);
    return std::uint64_t{out[15]};
  });
  lacks(state, "the url alphabet, check of spare bits");
}
BENCHMARK(base64_parse_openssl)->Name("base64url/parse/openssl_DecodeBlock");

void decimal_format_openssl(benchmark::State& state) {
  BIGNUM* number = BN_new();
  measure(state, samples(), [number](const Bytes16& bytes) {
    BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), number);
    char* out = BN_bn2dec(number);
    keep(out);
    const auto last = static_cast<std::uint8_t>(out[std::strlen(out) - 1]);
    OPENSSL_free(out);
    return std::uint64_t{last};
  });
  BN_free(number);
  same_promises(state);
}
BENCHMARK(decimal_format_openssl)->Name("decimal/format/openssl_bn2dec");

void decimal_parse_openssl(benchmark::State& state) {
  BIGNUM* number = BN_new();
  measure(state, texts<decimal::text_of, decimal::parse>(), [&number](const Text39& text) {
    Bytes16 bytes;
    prove(BN_dec2bn(&number, text.chars.data()) == static_cast<int>(text.size), "OpenSSL reads it");
    prove(BN_bn2binpad(number, bytes.data(), static_cast<int>(bytes.size())) == 16, "and has room");
    return sink(bytes);
  });
  BN_free(number);
  lacks(state, "refusal of leading zeros");
}
BENCHMARK(decimal_parse_openssl)->Name("decimal/parse/openssl_dec2bn");

}  // namespace
}  // namespace tessera::bench
