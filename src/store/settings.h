#pragma once

// The settings of a server without which what it has confirmed may be lost, and numbers repeated.

#include <optional>
#include <string>
#include <vector>

#include "store/dialect.h"
#include "tessera/db/connection.h"
#include "tessera/db/url.h"
#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/store/store.h"

namespace tessera {

// Sets what a session can set for itself: durable commits, strict numbers, no waiting for ever.
std::optional<Error> prepare_session(db::Connection& connection);

// All that matter, with our opinion. Of the tables only if they are there.
Result<std::vector<StoreSetting>, Error> read_settings(db::Connection& connection,
                                                       const db::Url& url, const Dialect& dialect,
                                                       const std::string& registry_table);

// The error for those that are not safe; nothing, if all are.
std::optional<Error> fault_of(const std::vector<StoreSetting>& settings);

// A file system, by the number that statfs() has for it.
struct FileSystem {
  std::string name;
  bool safe = true;
};
FileSystem file_system_of(long type);

}  // namespace tessera
