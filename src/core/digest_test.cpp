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

TEST(Digest, IsTheSameWithAndWithoutTheInstructionsOfTheProcessor) {
  if (!sha1_instructions_available()) return;  // then all of the above was without
  std::array<std::uint8_t, 64> block{};
  Sha1State plain = {1, 2, 3, 4, 0xffffffff};
  Sha1State special = plain;
  for (int i = 0; i < 1000; ++i) {
    sha1_block_plain(plain, block.data());
    sha1_block_by_instructions(special, block.data());
    ASSERT_EQ(plain, special) << i;
    block[static_cast<std::size_t>(i) % block.size()] ^= static_cast<std::uint8_t>(plain[0]);
  }
}

}  // namespace
}  // namespace tessera::detail
