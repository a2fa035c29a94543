#pragma once

// Tls: whom we believe, and who we are. Shared by all connections that are made with it.

#include <memory>
#include <string>

#include "tessera/error.h"
#include "tessera/result.h"

struct ssl_ctx_st;

namespace tessera::http {

struct TlsFiles {
  std::string ca{};           // PEM, whom we believe; empty: those whom the system believes
  std::string certificate{};  // PEM, who we are; empty: we do not say
  std::string key{};          // of the certificate; empty: it is in the same file
};

class Tls {
 public:
  // A file that cannot be used is invalid_request.
  static Result<std::unique_ptr<Tls>, Error> make(const TlsFiles& files);
  explicit Tls(ssl_ctx_st* context) noexcept : context_(context) {}
  ~Tls();
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  ssl_ctx_st* context() const noexcept { return context_; }

 private:
  ssl_ctx_st* context_;
};

}  // namespace tessera::http
