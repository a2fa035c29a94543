#pragma once

// Asset: a file of the web console, as it was built. All its bytes live as long as the program.

#include <string_view>

namespace tessera::service {

struct Asset {
  std::string_view path;   // "/" is the page itself, "/assets/index-B2x9QfLk.js" a part of it
  std::string_view type;   // Content-Type
  std::string_view bytes;  // as they are
  std::string_view gzip;   // compressed; empty if that saves nothing
  // One for each of the two, with quotes: they are different bytes.
  std::string_view etag;
  std::string_view gzip_etag;
  bool immutable = false;  // the path has a digest of the bytes in it: it never has others
  // Of the page: the digest of the style in it, "sha256-…", which alone may stand there.
  std::string_view style_digest = {};
};

}  // namespace tessera::service
