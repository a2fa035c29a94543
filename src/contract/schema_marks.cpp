// Whether every scope is above the keys that are there.

#include <algorithm>
#include <optional>

#include "contract/words.h"
#include "tessera/contract/schema.h"
#include "tessera/parse_error.h"

namespace tessera::contract {
namespace {

using db::Connection;
using db::DbError;

struct ScopeRow {
  std::string scope;
  std::optional<std::int64_t> max_id;
  std::optional<std::int64_t> step;
};

struct LargestKey {
  const SchemaTable* table;
  std::optional<std::int64_t> id;  // nothing: the table is empty
};

std::string quoted_name(db::Engine engine, std::string_view name) {
  const char mark = engine == db::Engine::mariadb ? '`' : '"';
  std::string text(1, mark);
  for (const char c : name) text.append(c == mark ? 2 : 1, c);
  return text + mark;
}

std::string quoted_table(db::Engine engine, const SchemaTable& table) {
  const std::string name = quoted_name(engine, table.name);
  return table.space.empty() ? name : quoted_name(engine, table.space) + "." + name;
}

std::optional<std::int64_t> number_of(const db::Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

// The end of the primary key: no table is read.
Result<std::vector<LargestKey>, DbError> largest_keys(Connection& connection, const Schema& schema,
                                                      const SchemaOptions& options) {
  std::vector<LargestKey> keys;
  for (const SchemaTable* table : checked_tables(schema, options)) {
    const SchemaColumn* column = table->column("id");
    const SchemaIndex* key = table->primary_key();
    if (column == nullptr || key == nullptr || key->columns[0] != column->name) continue;
    if (column->type.find("int") == std::string::npos) continue;
    const auto rows = connection.query("SELECT max(" + quoted_name(schema.engine, column->name) +
                                       ") FROM " + quoted_table(schema.engine, *table));
    if (!rows) return Failure{rows.error()};
    keys.push_back({table, rows->empty() ? std::nullopt : number_of(rows->rows[0][0])});
  }
  return keys;
}

Result<std::vector<ScopeRow>, DbError> scope_rows(Connection& connection, db::Engine engine,
                                                  const SchemaTable& table) {
  const auto rows = connection.query("SELECT scope, max_id, step FROM " +
                                     quoted_table(engine, table) + " ORDER BY scope");
  if (!rows) return Failure{rows.error()};
  std::vector<ScopeRow> scopes;
  for (const auto& row : rows->rows) {
    const auto* name = std::get_if<std::string>(&row[0]);
    const auto* bytes = std::get_if<db::Bytes>(&row[0]);  // a binary collation
    scopes.push_back({name != nullptr    ? *name
                      : bytes != nullptr ? bytes->bytes
                                         : std::string(),
                      number_of(row[1]), number_of(row[2])});
  }
  return scopes;
}

// "stores" and "categories" are of STORE and CATEGORY.
bool is_plural_of(std::string_view plural, std::string_view word) {
  if (!plural.ends_with('s')) return false;
  plural.remove_suffix(1);
  if (same_word(plural, word)) return true;
  if (!plural.ends_with('e')) return false;
  plural.remove_suffix(1);
  if (same_word(plural, word)) return true;
  return plural.ends_with('i') &&
         same_word(std::string(plural.substr(0, plural.size() - 1)) + "y", word);
}

const ScopeRow* scope_of(const SchemaTable& table, const std::vector<ScopeRow>& scopes,
                         const Declared& declared, const SchemaOptions& options) {
  const auto named = [&](std::string_view name) -> const ScopeRow* {
    const auto found = std::ranges::find(scopes, name, &ScopeRow::scope);
    return found == scopes.end() ? nullptr : &*found;
  };
  const auto told = options.scopes.find(table.full_name());
  if (told != options.scopes.end()) return named(told->second);
  std::string_view name = table.name;
  if (name.starts_with("bc_")) name.remove_prefix(3);
  const DeclaredType* type = declared.find(name);
  if (type != nullptr && !type->scope.empty()) return named(type->scope);
  const auto found = std::ranges::find_if(scopes, [&](const ScopeRow& row) {
    return same_word(row.scope, name) || is_plural_of(name, row.scope);
  });
  return found == scopes.end() ? nullptr : &*found;
}

Finding of_path(RuleId rule, std::string path, std::string what, std::string mend = {}) {
  Place place;
  place.path = std::move(path);
  return finding_of(rule, std::move(place), std::move(what), std::move(mend));
}

void check_rows(const std::vector<ScopeRow>& scopes, const std::string& table, Findings& findings) {
  for (const ScopeRow& row : scopes) {
    const std::string path = table + "." + printable(row.scope);
    if (!row.max_id || *row.max_id < 0) {
      findings.push_back(of_path(RuleId::segment_table, path, "its mark is not a number from 0 on",
                                 "Set max_id to the largest key, with a margin."));
    }
    if (!row.step || *row.step < 1) {
      findings.push_back(of_path(RuleId::segment_table, path, "its step is below 1",
                                 "Set a step of 1 or more: 1000 is usual."));
    }
  }
}

}  // namespace

Result<Findings, DbError> check_marks(Connection& connection, const Schema& schema,
                                      const Declared& declared, const SchemaOptions& options) {
  Findings findings;
  const SchemaTable* segments = schema.table(options.segment_table);
  if (segments == nullptr || segments->column("scope") == nullptr ||
      segments->column("max_id") == nullptr || segments->column("step") == nullptr) {
    return findings;  // check_schema said so
  }
  // Keys first, marks second: a row that is written meanwhile can only make the mark larger.
  const auto keys = largest_keys(connection, schema, options);
  if (!keys) return Failure{keys.error()};
  const auto scopes = scope_rows(connection, schema.engine, *segments);
  if (!scopes) return Failure{scopes.error()};
  check_rows(*scopes, options.segment_table, findings);
  for (const LargestKey& key : *keys) {
    const std::string path = key.table->full_name() + ".id";
    const ScopeRow* scope = scope_of(*key.table, *scopes, declared, options);
    if (scope == nullptr) {
      findings.push_back(of_path(RuleId::no_scope, path,
                                 "no scope of " + options.segment_table + " is known for it"));
    } else if (key.id && scope->max_id && *key.id > *scope->max_id) {
      findings.push_back(
          of_path(RuleId::high_water_mark, path,
                  "the largest key is " + std::to_string(*key.id) + ", the mark of " +
                      quoted(scope->scope) + " is " + std::to_string(*scope->max_id),
                  "tessera segment advance " + printable(scope->scope) + " " +
                      std::to_string(*key.id) + ", or further, before the next draw."));
    }
  }
  return findings;
}

}  // namespace tessera::contract
