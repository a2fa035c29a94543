// What the keystreams promise: AES-256 in counter mode and ChaCha20 as the standards and OpenSSL
// have them, from a counter of zero, and not a byte beyond what was asked for.

#include "core/keystream.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/cpu.h"
#include "support/vectors.h"

namespace tessera::detail {
namespace {

using Key = std::array<std::uint8_t, kKeySize>;

std::vector<std::uint8_t> keystream(Keystream cipher, const Key& key, std::size_t size) {
  std::vector<std::uint8_t> out(size, std::uint8_t{0xEE});  // what was there must not matter
  cipher(key.data(), out.data(), size);
  return out;
}

// Zeros, enciphered with a zero nonce and counter.
std::vector<std::uint8_t> by_openssl(const EVP_CIPHER* cipher, const Key& key, std::size_t size) {
  const std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context(EVP_CIPHER_CTX_new(),
                                                                           EVP_CIPHER_CTX_free);
  const std::array<std::uint8_t, 16> iv{};
  const std::vector<std::uint8_t> zeros(size);
  std::vector<std::uint8_t> out(size);
  int written = 0;
  EXPECT_EQ(EVP_EncryptInit_ex(context.get(), cipher, nullptr, key.data(), iv.data()), 1);
  EXPECT_EQ(
      EVP_EncryptUpdate(context.get(), out.data(), &written, zeros.data(), static_cast<int>(size)),
      1);
  EXPECT_EQ(static_cast<std::size_t>(written), size);
  return out;
}

void expect_same_as_openssl(Keystream ours, const EVP_CIPHER* theirs) {
  std::mt19937_64 random(20'260'822);
  for (const std::size_t size : {128u, 256u, 384u, 640u, 1024u, 4096u, 32'768u, 131'072u}) {
    for (int i = 0; i < 8; ++i) {
      Key key{};
      if (i == 1) key.fill(0xFF);
      if (i > 1) {
        for (auto& byte : key) byte = static_cast<std::uint8_t>(random() >> 8);
      }
      ASSERT_EQ(keystream(ours, key, size), by_openssl(theirs, key, size)) << size << ' ' << i;
    }
  }
}

void expect_nothing_beyond(Keystream ours) {
  const Key key{1, 2, 3};
  for (std::size_t size = 0; size <= 1024; size += kKeystreamBlock) {
    std::vector<std::uint8_t> out(size + 64, std::uint8_t{0xEE});
    ours(key.data(), out.data() + 32, size);
    for (std::size_t i = 0; i < 32; ++i) {
      ASSERT_EQ(out[i], 0xEE) << size;
      ASSERT_EQ(out[32 + size + i], 0xEE) << size;
    }
  }
}

TEST(Chacha20, AgreesWithTheVectorsOfRfc8439) {
  // Appendix A.1: block `counter` of the keystream with a zero nonce.
  const struct {
    const char* key;
    std::size_t counter;
    const char* block;
  } cases[] = {
      {"0000000000000000000000000000000000000000000000000000000000000000", 0,
       "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
       "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
      {"0000000000000000000000000000000000000000000000000000000000000000", 1,
       "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
       "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
      {"0000000000000000000000000000000000000000000000000000000000000001", 1,
       "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
       "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"},
      {"00ff000000000000000000000000000000000000000000000000000000000000", 2,
       "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
       "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"},
  };
  for (const auto& c : cases) {
    const auto stream = keystream(chacha20_keystream, vectors::array_of_hex<kKeySize>(c.key), 256);
    EXPECT_EQ(vectors::hex_of(std::span(stream).subspan(64 * c.counter, 64)), c.block);
  }
}

TEST(Chacha20, AgreesWithOpenSslOnManyKeysAndSizes) {
  expect_same_as_openssl(chacha20_keystream, EVP_chacha20());
}

TEST(Chacha20, WritesNothingBeyondItsSize) { expect_nothing_beyond(chacha20_keystream); }

// Where the CPU has no AES, the same name gives ChaCha20, and so do these tests.
const EVP_CIPHER* expected_of_aes() { return aes_available() ? EVP_aes_256_ctr() : EVP_chacha20(); }

// The ones for two and for four blocks at once, or where the CPU has none what stands in for it.
Keystream wide_aes() { return wide_aes_available() ? aes256_wide_keystream : aes256_keystream; }
Keystream widest_aes() { return widest_aes_available() ? aes256_widest_keystream : wide_aes(); }

TEST(Aes256, AgreesWithTheVectorsOfNist) {
  // A block of zeros: the first block of the keystream. The first key is that of FIPS 197,
  // appendix C.3; the others are the KeySbox vectors of AESAVS.
  const struct {
    const char* key;
    const char* block;
  } cases[] = {
      {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
       "f29000b62a499fd0a9f39a6add2e7780"},
      {"c47b0294dbbbee0fec4757f22ffeee3587ca4730c3d33b691df38bab076bc558",
       "46f2fb342d6f0ab477476fc501242c5f"},
      {"28d46cffa158533194214a91e712fc2b45b518076675affd910edeca5f41ac64",
       "4bf3b0a69aeb6657794f2901b1440ad4"},
      {"c1cc358b449909a19436cfbb3f852ef8bcb5ed12ac7058325f56e6099aab1a1c",
       "352065272169abf9856843927d0674fd"},
      {"984ca75f4ee8d706f46c2d98c0bf4a45f5b00d791c2dfeb191b5ed8e420fd627",
       "4307456a9e67813b452e15fa8fffe398"},
      {"0000000000000000000000000000000000000000000000000000000000000000",
       "dc95c078a2408989ad48a21492842087"},
  };
  for (const auto& c : cases) {
    const Key key = vectors::array_of_hex<kKeySize>(c.key);
    const auto stream = keystream(aes256_keystream, key, 128);
    EXPECT_EQ(stream, by_openssl(expected_of_aes(), key, 128));
    EXPECT_EQ(keystream(wide_aes(), key, 128), stream);
    EXPECT_EQ(keystream(widest_aes(), key, 128), stream);
    // The vectors hold for AES itself; OpenSSL's must keep them on every processor.
    const auto theirs = by_openssl(EVP_aes_256_ctr(), key, 128);
    EXPECT_EQ(vectors::hex_of(std::span(theirs).first(16)), c.block);
  }
}

TEST(Aes256, AgreesWithOpenSslOnManyKeysAndSizes) {
  expect_same_as_openssl(aes256_keystream, expected_of_aes());
  expect_same_as_openssl(wide_aes(), expected_of_aes());
  expect_same_as_openssl(widest_aes(), expected_of_aes());
}

TEST(Aes256, WritesNothingBeyondItsSize) {
  expect_nothing_beyond(aes256_keystream);
  expect_nothing_beyond(wide_aes());
  expect_nothing_beyond(widest_aes());
}

TEST(BestKeystream, IsTheWidestThereIsAndIsAllowed) {
  const CpuLevel level = cpu_level();  // which TESSERA_CPU may lower
  const Keystream aes = level >= CpuLevel::avx512 ? widest_aes()
                        : level >= CpuLevel::avx2 ? wide_aes()
                                                  : aes256_keystream;
  EXPECT_EQ(best_keystream(),
            level >= CpuLevel::sse41 && aes_available() ? aes : chacha20_keystream);
}

}  // namespace
}  // namespace tessera::detail
