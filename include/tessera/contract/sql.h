#pragma once

// Queries that do not name the tenant. A heuristic: it knows tokens and brackets, not SQL. It
// looks whether the tenant's column stands in WHERE, ON or USING of each SELECT, UPDATE and
// DELETE, also inside of others, and in the columns of each INSERT. It cannot see what a view, a
// function or row-level security adds, nor whether the comparison is the right one.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/contract/finding.h"

namespace tessera::contract {

struct SqlOptions {
  std::string tenant_column = "tenant_id";
  std::vector<std::string> only;  // globs of tables; none: all
  std::vector<std::string> skip;
  // The tables that have the tenant's column, if a schema told; else every table counts.
  std::optional<std::set<std::string, std::less<>>> tenant_tables;
};

Findings check_sql(std::string_view sql, std::string_view file, const SqlOptions& options);

}  // namespace tessera::contract
