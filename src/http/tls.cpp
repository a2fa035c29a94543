// TLS 1.2 or newer, by OpenSSL.

#include "http/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "tessera/parse_error.h"

namespace tessera::http {
namespace {

Failure<Error> unusable(std::string_view what, const std::string& file) {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return Failure{Error{Error::Code::invalid_request,
                       "cannot use the " + std::string(what) + " " + quoted(file) + ": " +
                           (reason != nullptr ? reason : "no reason is given"),
                       "It must be a PEM file that this user may read."}};
}

}  // namespace

Tls::~Tls() { SSL_CTX_free(context_); }

Result<std::unique_ptr<Tls>, Error> Tls::make(const TlsFiles& files) {
  ERR_clear_error();
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  if (context == nullptr) return unusable("authorities", files.ca);
  auto tls = std::make_unique<Tls>(context);
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_ENABLE_PARTIAL_WRITE);
  const bool believes = files.ca.empty() ? SSL_CTX_set_default_verify_paths(context) == 1
                                         : SSL_CTX_load_verify_file(context, files.ca.c_str()) == 1;
  if (!believes) return unusable("authorities", files.ca);
  if (files.certificate.empty()) return tls;
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1) {
    return unusable("certificate", files.certificate);
  }
  const std::string& key = files.key.empty() ? files.certificate : files.key;
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1) {
    return unusable("key", key);
  }
  return tls;
}

}  // namespace tessera::http
