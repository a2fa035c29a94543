#pragma once

// What a configuration declares, running: store, numbers, registry and tokens, for the service.

#include <memory>
#include <string>

#include "args.h"
#include "tessera/config/config.h"
#include "tessera/error.h"
#include "tessera/lease/store.h"
#include "tessera/result.h"
#include "tessera/service/log.h"
#include "tessera/service/service.h"
#include "tessera/store/store.h"

namespace tessera::cli {

struct InstallationOptions {
  OpenOptions store{};
  std::string witness{};  // a file; empty: none is kept
  // A folder for the filters of the registry, so that the next process need not read everything;
  // empty: they are not kept. What is in it is never believed further than the store confirms.
  std::string filters{};
  LeaseTerms lease{};  // of the machine numbers of snowflakes
};

// Keeps an installation up to date: filters every second, and what retirements have left to do.
// Thread- safe.
class Installed {
 public:
  using Ptr = std::shared_ptr<const service::Installation>;

  // Opens the store, and makes what is declared and not there yet: scopes, tables of types.
  static Result<std::unique_ptr<Installed>, Error> open(const Config& config,
                                                        const InstallationOptions& options,
                                                        service::Log& log);
  virtual ~Installed() = default;

  virtual Ptr now() const = 0;
  // Other types, scopes and tokens, on the same store. What is cached of scopes that stay as they
  // were is kept. On failure all stays as it was.
  virtual Result<Ptr, Error> reload(const Config& config) = 0;
  // Reads the file of tokens again, if it has changed. Null: it has not, or cannot be read.
  virtual Ptr reload_tokens() = 0;
};

}  // namespace tessera::cli
