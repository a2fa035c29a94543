#pragma once

// The tables of a store: looked at, made, adopted.

#include <optional>
#include <string_view>

#include "store/dialect.h"
#include "tessera/db/connection.h"
#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/store/store.h"

namespace tessera {

inline constexpr int kSchemaNewest = 3;

// What is wrong with the name of a table; nothing, if nothing is. It becomes part of statements.
std::optional<Error> fault_of_table(std::string_view table);

// The version that is there. An error if there is a table of that name which is none of ours.
Result<SchemaStatus, Error> look_at_schema(db::Connection& connection, const Dialect& dialect);

// Makes or adopts. Others may do the same at the same time: one does it, all find it done.
Result<SchemaStatus, Error> bring_up_to_date(db::Connection& connection, const Dialect& dialect);

// What a statement ALTER TABLE of somebody may have changed since; nothing, if all is well.
std::optional<Error> fault_of_columns(db::Connection& connection, const Dialect& dialect);

}  // namespace tessera
