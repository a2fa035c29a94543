#pragma once

// The tables of a database, and whether they keep the contract.
//
//    connection -> read_schema -> check_schema     (a value; no database needed)
//               -> check_marks                     (looks at rows of the segment table, and
//               max(id))
//
// Only catalogues are read, and for check_marks the segment table and the ends of primary keys.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tessera/contract/declared.h"
#include "tessera/contract/finding.h"
#include "tessera/db/connection.h"
#include "tessera/result.h"

namespace tessera::contract {

struct SchemaColumn {
  std::string name;
  std::string
      type;  // in lower case, as the database writes it: "bigint(20)", "character varying(64)"
  bool not_null = false;
  std::string made_by;  // what gives a value that is not given: "auto_increment"; empty: nothing
};

struct SchemaIndex {
  std::string name;
  std::vector<std::string> columns;  // in order; empty text: an expression
  bool unique = false;
  bool primary = false;
  bool whole = true;  // over all rows and whole values: not partial, no prefix of a column
};

struct SchemaTable {
  std::string space;  // PostgreSQL: its schema, if it is not the first of the search path
  std::string name;
  std::vector<SchemaColumn> columns;
  std::vector<SchemaIndex> indexes;
  std::string lost_by;  // why a crash may take its rows: "UNLOGGED", "MyISAM"; empty: it does not

  std::string full_name() const { return space.empty() ? name : space + "." + name; }
  const SchemaColumn* column(std::string_view name) const noexcept;
  const SchemaIndex* primary_key() const noexcept;
};

struct Schema {
  db::Engine engine = db::Engine::sqlite;
  std::vector<SchemaTable> tables;  // by name

  const SchemaTable* table(std::string_view full_name) const noexcept;
};

struct SchemaOptions {
  std::string tenant_column = "tenant_id";
  std::string segment_table = "bc_id_segment";
  std::vector<std::string> only;              // globs of tables; none: all
  std::vector<std::string> skip;              // globs of tables
  std::map<std::string, std::string> scopes;  // by table
};

Result<Schema, db::DbError> read_schema(db::Connection& connection);

// The tables that the contract is about: not those of Tessera itself, nor those left out.
std::vector<const SchemaTable*> checked_tables(const Schema& schema, const SchemaOptions& options);

Findings check_schema(const Schema& schema, const SchemaOptions& options);

// The scopes and the largest key of each table; empty if there is no segment table.
Result<Findings, db::DbError> check_marks(db::Connection& connection, const Schema& schema,
                                          const Declared& declared, const SchemaOptions& options);

}  // namespace tessera::contract
