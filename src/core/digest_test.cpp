// What the digests promise: MD5 and SHA-1 as everyone else computes them, of any length, however
// the bytes are split in head and tail.

#include "core/digest.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/vectors.h"

namespace tessera::detail {
namespace {

std::string by_openssl(const EVP_MD* kind, std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EXPECT_EQ(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, kind, nullptr), 1);
  return vectors::hex_of(std::span(digest).first(size));
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Digest, AgreesWithTheExamplesOfTheRfcs) {
  const struct {
    std::string text;
    const char* md5;
    const char* sha1;
  } cases[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
      {"abc", "900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d"},
      {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
       "57edf4a22be3c955ac49da2e2107b67a", "50abf5706a150990a08b2c5ea40fa0e585554732"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "8215ef0796a20bcaaae116d3876c664a", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(vectors::hex_of(md5({}, bytes_of(c.text))), c.md5);
    EXPECT_EQ(vectors::hex_of(sha1(bytes_of(c.text), {})), c.sha1);
  }
}

TEST(Digest, AgreesWithOpenSslOnEveryLengthAndSplit) {
  std::vector<std::uint8_t> bytes(300);
  std::uint32_t state = 1;
  for (auto& byte : bytes)
    byte = static_cast<std::uint8_t>((state = state * 1'664'525 + 1'013'904'223) >> 24);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const auto all = std::span<const std::uint8_t>(bytes).first(size);
    const std::string expected_md5 = by_openssl(EVP_md5(), all);
    const std::string expected_sha1 = by_openssl(EVP_sha1(), all);
    for (const std::size_t split : {std::size_t{0}, std::size_t{1}, std::size_t{16},
                                    std::size_t{63}, std::size_t{64}, size / 2, size}) {
      const auto head = all.first(std::min(split, size));
      const auto tail = all.subspan(head.size());
      ASSERT_EQ(vectors::hex_of(md5(head, tail)), expected_md5) << size << ' ' << split;
      ASSERT_EQ(vectors::hex_of(sha1(head, tail)), expected_sha1) << size << ' ' << split;
    }
  }
}

TEST(Digest, AgreesWithOpenSslOnAMegabyte) {
  const std::vector<std::uint8_t> bytes((1 << 20) + 7, std::uint8_t{0xA5});
  EXPECT_EQ(vectors::hex_of(md5({}, bytes)), by_openssl(EVP_md5(), bytes));
  EXPECT_EQ(vectors::hex_of(sha1({}, bytes)), by_openssl(EVP_sha1(), bytes));
}

// sha1() takes the better of the two, so that the other is only met here.
TEST(Digest, BlocksOfSha1AreRightByEveryWayThisProcessorHas) {
  std::vector<void (*)(Sha1State&, const std::uint8_t*) noexcept> ways = {sha1_block_plain};
  if (sha1_instructions_available()) ways.push_back(sha1_block_by_instructions);
  // A message of whole blocks, and the block of padding that belongs behind it.
  std::vector<std::uint8_t> message(64 * 50);
  std::uint32_t random = 7;
  for (auto& byte : message) {
    byte = static_cast<std::uint8_t>((random = random * 1'664'525 + 1'013'904'223) >> 24);
  }
  for (const auto way : ways) {
    for (std::size_t blocks = 0; blocks <= 50; ++blocks) {
      Sha1State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
      for (std::size_t i = 0; i < blocks; ++i) way(state, message.data() + 64 * i);
      std::array<std::uint8_t, 64> padding{0x80};
      padding[62] = static_cast<std::uint8_t>(blocks * 512 >> 8);
      padding[63] = static_cast<std::uint8_t>(blocks * 512);
      way(state, padding.data());
      std::array<std::uint8_t, 20> digest{};
      for (std::size_t i = 0; i < digest.size(); ++i) {
        digest[i] = static_cast<std::uint8_t>(state[i / 4] >> 8 * (3 - i % 4));
      }
      ASSERT_EQ(vectors::hex_of(digest),
                by_openssl(EVP_sha1(), std::span<const std::uint8_t>(message).first(64 * blocks)))
          << blocks;
    }
  }
}

}  // namespace
}  // namespace tessera::detail
