// TLS: what is read from the files, and what is allowed.

#include "service/tls.h"

#include <openssl/ssl.h>

#include <string>
#include <utility>

#include "tessera/parse_error.h"

namespace tessera::service {
namespace {

namespace ssl = boost::asio::ssl;

Error cannot_use(std::string_view what, const std::string& path, std::string_view why) {
  return {
      .code = Error::Code::invalid_request,
      .message =
          std::string("cannot use the ").append(what).append(" " + quoted(path) + ": ").append(why),
      .hint = "It must be a PEM file that this user may read."};
}

// The only protocol we speak, for clients that ask which.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* in, unsigned in_size, void*) {
  static constexpr std::string_view kOurs = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, reinterpret_cast<const unsigned char*>(kOurs.data()),
                            static_cast<unsigned>(kOurs.size()), in,
                            in_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

Result<std::shared_ptr<ssl::context>, Error> make_tls(const TlsFiles& files) {
  if (files.certificate.empty()) return std::shared_ptr<ssl::context>();
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(
      native, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
  boost::system::error_code error;
  context->use_certificate_chain_file(files.certificate, error);
  if (error) return Failure{cannot_use("certificate", files.certificate, error.message())};
  context->use_private_key_file(files.key, ssl::context::pem, error);
  if (error) return Failure{cannot_use("private key", files.key, error.message())};
  if (SSL_CTX_check_private_key(native) != 1) {
    return Failure{cannot_use("private key", files.key, "it is not that of the certificate")};
  }
  if (!files.client_ca.empty()) {
    context->load_verify_file(files.client_ca, error);
    if (error) return Failure{cannot_use("authority", files.client_ca, error.message())};
    context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error);
  }
  return context;
}

}  // namespace tessera::service
