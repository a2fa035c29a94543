#pragma once

// The tables of a registry: looked at, made.

#include <optional>

#include "store/registry_sql.h"
#include "tessera/db/connection.h"
#include "tessera/error.h"
#include "tessera/registry/type.h"
#include "tessera/result.h"
#include "tessera/store/store.h"

namespace tessera {

inline constexpr int kRegistryNewest = 1;

// What is wrong with what the names of tables are to begin with; nothing, if nothing is.
std::optional<Error> fault_of_registry_table(std::string_view table);

// Nothing, if all types have their tables, of this version and form.
std::optional<Error> fault_of_registry(db::Connection& connection, const RegistryNames& names,
                                       const RegistryTypes& types);

// Makes what is not there. Others may do the same at the same time. A type that is there in
// another form, or under another parent, is store_schema, and stays as it is.
Result<SchemaStatus, Error> make_registry(db::Connection& connection, const RegistryNames& names,
                                          const RegistryTypes& types);

}  // namespace tessera
