#pragma once

// TLS, from certificate files: 1.2 and 1.3, and nothing older.

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/service/service.h"

namespace tessera::service {

// Null, if there are no files. What is wrong with them is told with the name of the file.
Result<std::shared_ptr<boost::asio::ssl::context>, Error> make_tls(const TlsFiles& files);

}  // namespace tessera::service
