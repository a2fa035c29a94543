#pragma once

// A store on a database: one implementation, three dialects.

#include <memory>

#include "store/dialect.h"
#include "tessera/db/url.h"
#include "tessera/store/store.h"

namespace tessera {

// Connects once, and fails if that does not go well.
Result<std::unique_ptr<Store>, Error> open_sql_store(const db::Url& url,
                                                     const OpenOptions& options);

// A connection with its session prepared and its settings checked, tables or not.
Result<std::unique_ptr<db::Connection>, Error> open_checked(const db::Url& url,
                                                            const OpenOptions& options,
                                                            std::chrono::milliseconds timeout,
                                                            bool create);

}  // namespace tessera
