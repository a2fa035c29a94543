// SHA-256 by OpenSSL.

#include "service/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "tessera/detail/alphabet.h"

namespace tessera::service {
namespace {

// Fetched once: by name it costs more than the digest itself.
const EVP_MD* algorithm() noexcept {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return found;
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view bytes) noexcept {
  thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(
      EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::array<std::uint8_t, 32> digest{};
  const bool good = context != nullptr && algorithm() != nullptr &&
                    EVP_DigestInit_ex2(context.get(), algorithm(), nullptr) == 1 &&
                    EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1 &&
                    EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1;
  if (!good) std::abort();  // a token must never be compared with a digest that is none
  return digest;
}

std::string etag_of(std::string_view body) {
  constexpr std::size_t kBytes = 8;
  const auto digest = sha256(body);
  std::string etag = "\"";
  for (std::size_t i = 0; i < kBytes; ++i) {
    etag += detail::kHex[digest[i] >> 4];
    etag += detail::kHex[digest[i] & 15];
  }
  return etag + '"';
}

bool matches_etag(std::string_view if_none_match, std::string_view etag) noexcept {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  while (!if_none_match.empty()) {
    const std::size_t end = std::min(if_none_match.find(','), if_none_match.size());
    std::string_view one = if_none_match.substr(0, end);
    if_none_match.remove_prefix(std::min(end + 1, if_none_match.size()));
    while (one.starts_with(' ') || one.starts_with('\t')) one.remove_prefix(1);
    while (one.ends_with(' ') || one.ends_with('\t')) one.remove_suffix(1);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || one == etag) return true;
  }
  return false;
}

}  // namespace tessera::service
