// BLAKE2s is that of RFC 7693: OpenSSL says the same, for every size and every way to cut it.

#include "registry/blake2s.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "support/properties.h"

namespace tessera {
namespace {

std::array<std::uint8_t, 32> by_openssl(const std::vector<std::uint8_t>& bytes) {
  std::array<std::uint8_t, 32> out{};
  EXPECT_EQ(EVP_Digest(bytes.data(), bytes.size(), out.data(), nullptr, EVP_blake2s256(), nullptr),
            1);
  return out;
}

TEST(Blake2s, AgreesWithOpensslAtEverySize) {
  std::vector<std::uint8_t> bytes;
  for (int size = 0; size < 300; ++size) {
    EXPECT_EQ(Blake2s().add(bytes).finish(), by_openssl(bytes)) << size;
    bytes.push_back(static_cast<std::uint8_t>(size * 7 + 1));
  }
}

RC_GTEST_PROP(Blake2s, DoesNotMindWhereItIsCut,
              (const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b)) {
  auto whole = a;
  whole.insert(whole.end(), b.begin(), b.end());
  RC_ASSERT(Blake2s().add(a).add(b).finish() == by_openssl(whole));
}

TEST(Blake2s, TellsTextsApartThatReadAlike) {
  const auto of = [](std::string_view a, std::string_view b) {
    return Blake2s().add_text(a).add_text(b).finish_16();
  };
  EXPECT_NE(of("ab", "c"), of("a", "bc"));
  EXPECT_NE(of("", "abc"), of("abc", ""));
}

}  // namespace
}  // namespace tessera
