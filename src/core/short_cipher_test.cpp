// What the short cipher promises: a permutation of exactly the declared numbers, the same for
// ever and on every machine, that no eye and no simple test can tell from a random one; and
// that nothing it says has a key in it.

#include "tessera/short_cipher.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

ShortKey key_of(std::string_view hex) { return *ShortKey::parse(hex); }

const char* const kHex16 = "000102030405060708090a0b0c0d0e0f";
const char* const kHex32 = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

ShortCipher cipher_of(const ShortSpace& space, std::string_view hex = kHex32) {
  auto made = ShortCipher::make(space, key_of(hex));
  EXPECT_TRUE(made);
  return *made;
}

std::vector<std::uint64_t> first_of(const ShortCipher& cipher, std::uint64_t count) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < count; ++i) ids.push_back(cipher.encrypt(i)->number());
  return ids;
}

// Once for ever.

TEST(ShortCipher, GivesTheIdsOfTheVectors) {
  for (const auto& row : vectors::read_table("short/cipher.tsv")) {
    SCOPED_TRACE(row.where());
    const ShortCipher cipher =
        cipher_of({.scope = row["scope"],
                   .bits = static_cast<unsigned>(vectors::number(row["bits"])),
                   .size = vectors::number(row["size"])},
                  row["key"]);
    const auto id = cipher.encrypt(vectors::number(row["number"]));
    ASSERT_TRUE(id);
    EXPECT_EQ(id->number(), vectors::number(row["id"]));
    EXPECT_EQ(id->to_string(), row["text"]);
    EXPECT_EQ(*cipher.decrypt(*id), vectors::number(row["number"]));
  }
}

// The same once more, with the ChaCha20 of OpenSSL and no line of ours.
class Oracle {
 public:
  Oracle(const std::string& scope, unsigned bits, std::uint64_t size, std::string_view hex)
      : bits_(bits), size_(size) {
    const auto key = vectors::array_of_hex<32>(hex);
    std::memcpy(key_, key.data(), 32);
    std::uint32_t tail[4] = {0x31687354, bits | static_cast<std::uint32_t>(scope.size()) << 8,
                             static_cast<std::uint32_t>(size),
                             static_cast<std::uint32_t>(size >> 32)};
    step(tail);
    for (std::size_t at = 0; at < scope.size(); at += 16) {
      std::memset(tail, 0, 16);
      std::memcpy(tail, scope.data() + at, std::min<std::size_t>(16, scope.size() - at));
      step(tail);
    }
  }

  std::uint64_t encrypt(std::uint64_t number) {
    const unsigned low = bits_ - bits_ / 2;
    do {
      std::uint64_t left = number >> low;
      std::uint64_t right = number & ((1ull << low) - 1);
      for (std::uint32_t i = 0; i < ShortCipher::rounds_for(bits_); ++i) {
        std::uint64_t& changed = i % 2 == 0 ? left : right;
        const std::uint64_t other = i % 2 == 0 ? right : left;
        std::uint32_t tail[4] = {i, 0, static_cast<std::uint32_t>(other),
                                 static_cast<std::uint32_t>(other >> 32)};
        std::uint64_t mask = 0;
        const auto out = block(tail);
        std::memcpy(&mask, out.data(), 8);
        changed ^= mask & ((1ull << (i % 2 == 0 ? bits_ / 2 : low)) - 1);
      }
      number = left << low | right;
    } while (number >= size_);
    return number;
  }

 private:
  std::array<std::uint8_t, 64> block(const std::uint32_t (&tail)[4]) {
    const std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context(EVP_CIPHER_CTX_new(),
                                                                             EVP_CIPHER_CTX_free);
    std::array<std::uint8_t, 16> iv;
    std::memcpy(iv.data(), tail, 16);
    const std::array<std::uint8_t, 64> zeros{};
    std::array<std::uint8_t, 64> out;
    int written = 0;
    EXPECT_EQ(EVP_EncryptInit_ex(context.get(), EVP_chacha20(), nullptr, key_, iv.data()), 1);
    EXPECT_EQ(EVP_EncryptUpdate(context.get(), out.data(), &written, zeros.data(), 64), 1);
    return out;
  }
  void step(const std::uint32_t (&tail)[4]) {
    const auto out = block(tail);
    std::memcpy(key_, out.data(), 32);
  }

  unsigned bits_;
  std::uint64_t size_;
  unsigned char key_[32];
};

TEST(ShortCipher, AgreesWithTheSameNetworkOverOpenSsl) {
  const std::string scopes[] = {"A", "sixteen-letters1", "seventeen-letters", std::string(64, 'z')};
  for (unsigned bits = 16; bits <= 63; ++bits) {
    const std::string& scope = scopes[bits % 4];
    const std::uint64_t size = bits % 3 == 0 ? (1ull << (bits - 1)) + 12'345 : 1ull << bits;
    Oracle oracle(scope, bits, size, kHex32);
    const ShortCipher cipher = cipher_of({.scope = scope, .bits = bits, .size = size});
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, size / 7, size - 1}) {
      EXPECT_EQ(cipher.encrypt(number)->number(), oracle.encrypt(number)) << bits << ' ' << number;
    }
  }
}

// Every number once, and back.

void expect_a_permutation(const ShortSpace& space) {
  SCOPED_TRACE(std::to_string(space.bits) + " bits, " + std::to_string(space.count()));
  const ShortCipher cipher = cipher_of(space);
  std::vector<bool> seen(space.count());
  for (std::uint64_t i = 0; i < space.count(); ++i) {
    const auto id = cipher.encrypt(i);
    ASSERT_TRUE(id) << i;
    ASSERT_LT(id->number(), space.count());
    ASSERT_FALSE(seen[id->number()]) << "twice: " << id->number();
    seen[id->number()] = true;
    ASSERT_EQ(*cipher.decrypt(*id), i);
  }
  EXPECT_FALSE(cipher.encrypt(space.count()));
}

TEST(ShortCipher, IssuesEveryIdOfSixteenBitsExactlyOnce) {
  expect_a_permutation({.scope = "A", .bits = 16});
}

TEST(ShortCipher, IssuesEveryIdOfAnOddSizeExactlyOnce) {
  expect_a_permutation({.scope = "A", .bits = 17});
}

TEST(ShortCipher, IssuesEveryIdOfADeclaredNumberExactlyOnce) {
  expect_a_permutation({.scope = "A", .bits = 16, .size = 32'769});  // the longest walks
  expect_a_permutation({.scope = "A", .bits = 17, .size = 100'000});
}

RC_GTEST_PROP(ShortCipher, LeadsBackFromEveryIdOfEverySize, ()) {
  ShortSpace space{.scope = "PROPERTY", .bits = *any_from_to(16u, 63u)};
  const std::uint64_t half = std::uint64_t{1} << (space.bits - 1);
  if (*rc::gen::arbitrary<bool>()) space.size = half + 1 + *any_u64() % half;
  const auto bytes = *any_bytes<32>();
  const bool is_long = *rc::gen::arbitrary<bool>();
  const auto key = ShortKey::from_bytes(std::span(bytes).first(is_long ? 32 : 16));
  const auto cipher = ShortCipher::make(space, *key);
  RC_ASSERT(cipher);
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t number = *any_u64() % space.count();
    const auto id = cipher->encrypt(number);
    RC_ASSERT(id);
    RC_ASSERT(id->bits() == space.bits);
    RC_ASSERT(id->number() < space.count());
    RC_ASSERT(cipher->decrypt(*id) == (Result<std::uint64_t, ParseError>(number)));
    // And the other way round: what was never encrypted has a number, too.
    const auto other = *ShortId::from_number(number, space.bits);
    RC_ASSERT(*cipher->encrypt(*cipher->decrypt(other)) == other);
  }
}

TEST(ShortCipher, RefusesWhatIsBeyondItsEnd) {
  const ShortCipher cipher = cipher_of({.scope = "A", .bits = 16, .size = 40'000});
  EXPECT_TRUE(cipher.encrypt(39'999));
  for (const std::uint64_t number : {std::uint64_t{40'000}, std::uint64_t{65'536}, UINT64_MAX}) {
    EXPECT_EQ(cipher.encrypt(number), (Failure{MintError::exhausted})) << number;
  }
  EXPECT_EQ(cipher.decrypt(*ShortId::from_number(40'000, 16)), refusal(Code::overflow, 0));
  EXPECT_EQ(cipher.decrypt(*ShortId::from_number(7, 17)), refusal(Code::invalid_length, 0));
}

// Other keys, scopes, bits and sizes are other orders.

TEST(ShortCipher, EveryPartOfTheDeclarationChangesTheOrder) {
  const ShortSpace base{.scope = "A", .bits = 40};
  std::vector<ShortCipher> others = {
      cipher_of(base),
      cipher_of(base, kHex16),
      cipher_of(base, std::string(kHex16) + kHex16),  // not the same as sixteen bytes
      cipher_of(base, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1e"),
      cipher_of({.scope = "B", .bits = 40}),
      cipher_of({.scope = "AA", .bits = 40}),
      cipher_of({.scope = "sixteen-letters1", .bits = 40}),
      cipher_of({.scope = "sixteen-letters1A", .bits = 40}),
      cipher_of({.scope = "A", .bits = 40, .size = (1ull << 40) - 1}),
      cipher_of({.scope = "A", .bits = 41}),
  };
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      int same = 0;
      for (std::uint64_t n = 0; n < 64; ++n) {
        same += others[i].encrypt(n)->number() == others[j].encrypt(n)->number() ? 1 : 0;
      }
      EXPECT_EQ(same, 0) << i << ' ' << j;
      EXPECT_NE(others[i].fingerprint(), others[j].fingerprint()) << i << ' ' << j;
    }
  }
}

// It is kept in stores.
TEST(ShortCipher, IsKnownAgainByItsFingerprint) {
  const ShortSpace space{.scope = "VOUCHER", .bits = 40};
  EXPECT_EQ(cipher_of(space).fingerprint(), cipher_of(space).fingerprint());
  EXPECT_EQ(cipher_of(space).fingerprint(), "d4a332c597a45a6b");
  EXPECT_EQ(std::string(kHex32).find(cipher_of(space).fingerprint()), std::string::npos);
}

TEST(ShortCipher, HasEnoughRounds) {
  for (unsigned bits = 16; bits <= 63; ++bits) {
    const unsigned rounds = ShortCipher::rounds_for(bits);
    EXPECT_GE(rounds, 10u);
    EXPECT_EQ(rounds % 2, 0u);
    EXPECT_GE((rounds - 4) * (bits / 2), 96u) << bits;
  }
  EXPECT_EQ(ShortCipher::rounds_for(16), 16u);
  EXPECT_EQ(ShortCipher::rounds_for(32), 10u);
}

// What can be seen from outside. All inputs are fixed, so the figures are the same in every run;
// the bounds are five standard deviations.

class ShortCipherLooks : public testing::TestWithParam<unsigned> {};

TEST_P(ShortCipherLooks, OneBitOfTheNumberChangesHalfOfTheId) {
  const unsigned bits = GetParam();
  const ShortCipher cipher = cipher_of({.scope = "LOOKS", .bits = bits});
  constexpr std::uint64_t kTrials = 500;
  for (unsigned flipped = 0; flipped < bits; ++flipped) {
    std::uint64_t changed = 0;
    for (std::uint64_t i = 0; i < kTrials; ++i) {
      const std::uint64_t number = i * 0x9E37'79B9'7F4A'7C15 >> (64 - bits);
      changed += static_cast<std::uint64_t>(
          std::popcount(cipher.encrypt(number)->number() ^
                        cipher.encrypt(number ^ std::uint64_t{1} << flipped)->number()));
    }
    const double expected = static_cast<double>(kTrials) * bits / 2;
    EXPECT_NEAR(static_cast<double>(changed), expected, 5 * std::sqrt(kTrials * bits / 4.0))
        << "bit " << flipped;
  }
}

TEST_P(ShortCipherLooks, NoOrderIsVisible) {
  const unsigned bits = GetParam();
  const auto ids = first_of(cipher_of({.scope = "LOOKS", .bits = bits}), 20'000);
  const auto n = static_cast<double>(ids.size());

  // Half of the steps go up; a serial number's all do.
  double ups = 0;
  for (std::size_t i = 1; i < ids.size(); ++i) ups += ids[i] > ids[i - 1] ? 1 : 0;
  EXPECT_NEAR(ups, n / 2, 5 * std::sqrt(n / 12));

  // Number and ID do not go together, nor does an ID and the next.
  const auto correlation = [n](auto a, auto b) {
    double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      const double x = a(i), y = b(i);
      sum_a += x, sum_b += y, aa += x * x, bb += y * y, ab += x * y;
    }
    return (ab - sum_a * sum_b / n) /
           std::sqrt((aa - sum_a * sum_a / n) * (bb - sum_b * sum_b / n));
  };
  const double scale = std::ldexp(1.0, -static_cast<int>(bits));
  const auto id = [&](std::size_t i) { return static_cast<double>(ids[i]) * scale; };
  EXPECT_NEAR(correlation([](std::size_t i) { return static_cast<double>(i); }, id), 0,
              5 / std::sqrt(n));
  EXPECT_NEAR(correlation(id, [&](std::size_t i) { return id((i + 1) % ids.size()); }), 0,
              5 / std::sqrt(n));

  // The upper and the lower eight bits, and those of the steps, are evenly spread: chi square
  // with 255 degrees of freedom has a mean of 255 and a deviation of 22.6.
  const auto chi_square = [&](auto bucket_of) {
    std::vector<double> buckets(256);
    for (std::size_t i = 1; i < ids.size(); ++i) buckets[bucket_of(i) & 255] += 1;
    double sum = 0;
    for (const double count : buckets) {
      sum += (count - (n - 1) / 256) * (count - (n - 1) / 256) / ((n - 1) / 256);
    }
    return sum;
  };
  EXPECT_LT(chi_square([&](std::size_t i) { return ids[i] >> (bits - 8); }), 255 + 5 * 22.6);
  EXPECT_LT(chi_square([&](std::size_t i) { return ids[i]; }), 255 + 5 * 22.6);
  EXPECT_LT(chi_square([&](std::size_t i) { return (ids[i] - ids[i - 1]) >> (bits - 8); }),
            255 + 5 * 22.6);
  EXPECT_LT(chi_square([&](std::size_t i) { return ids[i] - ids[i - 1]; }), 255 + 5 * 22.6);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ShortCipherLooks, testing::Values(16u, 17u, 24u, 31u, 40u, 63u));

// Declarations and keys.

TEST(ShortCipher, RefusesBadDeclarations) {
  const auto code_of = [](const ShortSpace& space) {
    const auto fault = fault_of(space);
    EXPECT_EQ(bool(fault), !ShortCipher::make(space, key_of(kHex32)));
    if (fault) {
      EXPECT_EQ(fault->code, Error::Code::invalid_request);
    }
    return fault ? fault->message : "";
  };
  EXPECT_EQ(code_of({.scope = "A", .bits = 40}), "");
  EXPECT_EQ(code_of({.scope = "A", .bits = 16, .size = 32'769}), "");
  EXPECT_EQ(code_of({.scope = "A", .bits = 63, .size = 1ull << 63}), "");
  EXPECT_EQ(code_of({.scope = "A", .bits = 15}), "a short ID has 16 to 63 bits, not 15");
  EXPECT_EQ(code_of({.scope = "A", .bits = 64}), "a short ID has 16 to 63 bits, not 64");
  EXPECT_EQ(code_of({.scope = "", .bits = 16}), "not a name for a scope: '', at offset 0");
  EXPECT_EQ(code_of({.scope = "a\n", .bits = 16}), "not a name for a scope: 'a\\x0a', at offset 1");
  EXPECT_EQ(code_of({.scope = "A", .bits = 16, .size = 32'768}),
            "32768 short IDs do not need 16 bits");
  EXPECT_EQ(code_of({.scope = "A", .bits = 16, .size = 65'537}),
            "65537 short IDs do not need 16 bits");
  EXPECT_EQ(code_of({.scope = "A", .bits = 16, .size = 0}), "0 short IDs do not need 16 bits");
}

TEST(ShortKey, IsSixteenOrThirtyTwoBytes) {
  const std::array<std::uint8_t, 64> bytes{};
  for (std::size_t size = 0; size <= 64; ++size) {
    const bool good = size == 16 || size == 32;
    EXPECT_EQ(bool(ShortKey::from_bytes(std::span(bytes).first(size))), good) << size;
    EXPECT_EQ(bool(ShortKey::parse(std::string(2 * size, 'a'))), good) << size;
    EXPECT_FALSE(ShortKey::parse(std::string(2 * size + 1, 'a'))) << size;
  }
  for (const char* end : {"", "\n", "\r\n"}) {
    const auto key = ShortKey::parse(std::string(kHex16) + end);
    ASSERT_TRUE(key);
    EXPECT_EQ(vectors::hex_of(key->bytes()), kHex16);
  }
  EXPECT_EQ(vectors::hex_of(ShortKey::parse("000102030405060708090A0B0C0D0E0F")->bytes()), kHex16);
}

TEST(ShortKey, StandsInNoMessage) {
  const std::string secret = "c0ffee11c0ffee22c0ffee33c0ffee44";
  for (const std::string& text : {secret.substr(1), secret + "5", secret.substr(1) + "x",
                                  secret.substr(1) + "\xff", secret + secret + secret}) {
    const auto key = ShortKey::parse(text);
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().code, Error::Code::invalid_request);
    const std::string said = key.error().message + key.error().hint;
    EXPECT_EQ(said.find("ffee"), std::string::npos);
    EXPECT_EQ(said, ShortKey::parse("").error().message + ShortKey::parse("").error().hint);
  }
  const auto made = ShortCipher::make({.scope = "A", .bits = 99}, key_of(secret));
  ASSERT_FALSE(made);
  EXPECT_EQ((made.error().message + made.error().hint).find("ffee"), std::string::npos);
}

template <class T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};
static_assert(!Printable<ShortKey> && !Printable<ShortCipher>);

// The bytes are looked at where they were, in storage that is still ours.
TEST(ShortKey, IsGoneWhenItEnds) {
  alignas(ShortKey) std::array<unsigned char, sizeof(ShortKey)> key_place{};
  alignas(ShortCipher) std::array<unsigned char, sizeof(ShortCipher)> cipher_place{};
  auto* key = new (key_place.data()) ShortKey(key_of(std::string(64, 'f')));
  auto* cipher = new (cipher_place.data()) ShortCipher(*ShortCipher::make({.scope = "A"}, *key));
  const auto zeros = [](const auto& bytes) {
    return std::count(bytes.begin(), bytes.end(), std::uint8_t{0});
  };
  EXPECT_LT(zeros(key_place), 16);
  key->~ShortKey();
  cipher->~ShortCipher();
  // The compiler may not assume that these are the old objects: read through volatile.
  const volatile unsigned char* k = key_place.data();
  for (std::size_t i = 0; i < 32; ++i) EXPECT_NE(k[i], 0xFF) << i;
  const volatile unsigned char* c = cipher_place.data();
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(c[i], 0) << i;
}

}  // namespace
}  // namespace tessera
