#pragma once

// What a migration is to do, to which table.

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/type_table.h"

namespace tessera::migrate {

enum class Form : std::uint8_t { text, bytes };
std::string_view name_of(Form form) noexcept;

// Names are as the database has them, without quotes; they are never trusted as SQL.
struct Target {
  std::string table;  // "store", or in PostgreSQL "shop.store"
  std::string column = "public_id";
  std::string key = "id";     // unique, of one column: rows are visited in its order
  std::string tenant_column;  // second in the unique index; empty: none
  std::string created_at;     // the time of an ID; empty: when it is made
  std::string from;           // a column with the same IDs as text; empty: IDs are new
  ResourceType type;
  Form form = Form::text;
};

// Whether its names can be names, and whether a trigger in plain SQL can make such IDs.
Result<bool, Error> check_target(const Target& target);

// All but the table and the column, one `name=value` a line: what is kept in the database, and
// compared when a run goes on.
std::string text_of(const Target& target);
Result<Target, Error> target_of(std::string_view table, std::string_view column,
                                std::string_view text);

// How many characters the text of an ID has.
std::size_t text_size(const ResourceType& type) noexcept;

}  // namespace tessera::migrate
