#pragma once

// Where a store is, read from one line of text.
//
//    memory:
//    sqlite:FILE                                      a file; relative to the working directory
//    postgres://USER:PASSWORD@HOST:PORT/DATABASE      several HOST:PORT, with commas between
//    postgres://%2Frun%2Fpostgresql/DATABASE          a host that begins with / is a socket's
//                                                     folder
//    mariadb://USER:PASSWORD@HOST:PORT/DATABASE       mysql:// is the same
//    etcd://USER:PASSWORD@HOST:PORT/PREFIX            several HOST:PORT; etcds:// with TLS
//
// Each may end with ?NAME=VALUE&NAME=VALUE. Everything behind the scheme may have %NN in it, and
// must, where a character would mean something else. postgresql:// is postgres://.
//
//    sqlite     journal=wal|delete  synchronous=full|extra   (and unsafe ones, which stores refuse)
//    postgres   host  sslmode  sslrootcert  sslcert  sslkey  application_name
//    mariadb    socket  tls=off|on|verify  tls_ca  tls_cert  tls_key
//    etcds      tls_ca  tls_cert  tls_key
//    all three  password

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera::db {

struct Url {
  enum class Scheme : std::uint8_t { memory, sqlite, postgres, mariadb, etcd, etcds };
  struct Host {
    std::string name;        // or the folder of a socket, if it begins with '/'
    std::uint16_t port = 0;  // 0: the usual one

    friend bool operator==(const Host&, const Host&) = default;
  };

  Scheme scheme = Scheme::memory;
  std::string user;
  std::optional<std::string> password;
  std::vector<Host> hosts;  // none: the usual local one
  std::string path;         // the file, the name of the database, or what keys begin with
  std::vector<std::pair<std::string, std::string>> options;  // in the order given

  // The value of an option; nothing if it was not given.
  std::optional<std::string_view> option(std::string_view name) const noexcept;

  // A URL of the same meaning, but for the password, which is left out.
  std::string to_string() const;

  friend bool operator==(const Url&, const Url&) = default;
};

// The error is invalid_request; it never quotes what may be a password.
Result<Url, Error> parse_url(std::string_view text);

// `text` with %NN for all that is not a letter, a digit or one of -._~ and those of `keep`.
std::string percent_encoded(std::string_view text, std::string_view keep = {});

}  // namespace tessera::db
