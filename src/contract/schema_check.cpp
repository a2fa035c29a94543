// What the contract says of tables, one rule after the other. No database is asked here.

#include <algorithm>
#include <array>
#include <charconv>

#include "contract/words.h"
#include "tessera/contract/schema.h"
#include "tessera/parse_error.h"

namespace tessera::contract {
namespace {

using db::Engine;

constexpr std::uint64_t kPublicIdSize = 64;
constexpr std::string_view kKey = "id";
constexpr std::string_view kPublicId = "public_id";

bool is_bigint(Engine engine, std::string_view type) {
  // Every integer of SQLite has 64 bits.
  if (engine == Engine::sqlite) return type.find("int") != type.npos;
  return type.starts_with("bigint");
}

// The number in the brackets of "varchar(64)"; 0 if there is none.
std::uint64_t size_of(std::string_view type) {
  const std::size_t open = type.find('(');
  std::uint64_t size = 0;
  if (open == type.npos) return size;
  std::from_chars(type.data() + open + 1, type.data() + type.size(), size);
  return size;
}

bool is_varying_text(std::string_view type) {
  return type.starts_with("varchar") || type.starts_with("character varying") ||
         type.starts_with("nvarchar") || type.starts_with("varying character");
}
bool is_fixed_text(std::string_view type) {
  return type.starts_with("char(") || type.starts_with("character(") ||
         type.starts_with("nchar(") || type.starts_with("bpchar");
}
bool is_long_text(std::string_view type) {
  return type.ends_with("text") || type == "public_id" || type == "clob";
}

// 16 bytes, or 26 characters: what holds a ULID. Types of an extension count by their name.
bool holds_ulid(Engine engine, std::string_view type) {
  if (type == "uuid" || type == "ulid" || type.starts_with("binary(16)")) return true;
  if (is_fixed_text(type) && size_of(type) == 26) return true;
  // These engines have no bytes or characters of a fixed size, or do not enforce them.
  if (engine == Engine::postgres && type == "bytea") return true;
  return engine == Engine::sqlite && (type == "blob" || type == "text");
}

class TableCheck {
 public:
  TableCheck(const Schema& schema, const SchemaTable& table, const SchemaOptions& options,
             Findings& findings)
      : engine_(schema.engine), table_(table), options_(options), findings_(findings) {}

  void run() {
    check_primary_key();
    check_key();
    check_tenant();
    check_public_id();
    check_unique();
    check_ulids();
  }

 private:
  Finding& add(RuleId rule, std::string_view column, std::string what, std::string mend = {}) {
    Place place;
    place.path = table_.full_name();
    if (!column.empty()) place.path.append(".").append(column);
    findings_.push_back(finding_of(rule, std::move(place), std::move(what), std::move(mend)));
    return findings_.back();
  }

  // Only an ID by its name or its type: a CHAR(2) of a country is TC101.
  bool is_id_column(std::string_view name) const {
    const SchemaColumn* column = table_.column(name);
    if (column == nullptr || same_word(name, options_.tenant_column)) return false;
    if (same_word(name, kPublicId) || same_word(name, "ulid") || same_word(name, "uuid")) {
      return true;
    }
    const std::string_view type = column->type;
    return type == "uuid" || type == "ulid" || type.starts_with("binary(16)") ||
           ((is_fixed_text(type) || is_varying_text(type)) &&
            (size_of(type) == 26 || size_of(type) == 36));
  }

  void check_primary_key() {
    const SchemaIndex* key = table_.primary_key();
    if (key == nullptr) {
      add(RuleId::primary_key, "", "there is no primary key");
      return;
    }
    const auto shown = std::ranges::find_if(
        key->columns, [&](const std::string& name) { return is_id_column(name); });
    if (shown != key->columns.end()) {
      add(RuleId::public_id_as_key, *shown,
          "it is " + std::string(key->columns.size() == 1 ? "" : "part of ") +
              "the primary key, and holds an ID that is not a BIGINT");
      return;
    }
    if (key->columns.size() == 1 && same_word(key->columns[0], kKey)) return;
    std::string names;
    for (const std::string& name : key->columns) names += (names.empty() ? "" : ", ") + name;
    add(RuleId::primary_key, "", "the primary key is (" + printable(names, 200) + "), not (id)");
  }

  void check_key() {
    const SchemaColumn* key = table_.column(kKey);
    if (key == nullptr) return;  // TC101 said so
    if (!is_bigint(engine_, key->type) && !is_id_column(key->name)) {
      add(RuleId::key_type, key->name, "it is " + quoted(key->type) + ", not BIGINT");
    }
    if (key->made_by.empty()) return;
    Finding& finding = add(RuleId::key_made_by_database, key->name,
                           "the database makes it: " + printable(key->made_by, 120));
    if (key->made_by == "rowid") {
      finding.level = Level::note;  // only if a program forgets it
      finding.what = "INTEGER PRIMARY KEY is the rowid: SQLite makes a number where none is given";
      finding.mend = "Write BIGINT instead of INTEGER, if an INSERT without key must fail.";
    }
  }

  void check_tenant() {
    const SchemaColumn* tenant = table_.column(options_.tenant_column);
    if (tenant == nullptr) {
      add(RuleId::tenant_column, options_.tenant_column, "there is no such column");
    } else if (!tenant->not_null) {
      add(RuleId::tenant_column, tenant->name, "it may be NULL", "Make the column NOT NULL.");
    }
  }

  void check_public_id() {
    const SchemaColumn* column = table_.column(kPublicId);
    if (column == nullptr) {
      add(RuleId::public_id_column, kPublicId, "there is no such column",
          "Add public_id VARCHAR(64); rows that are there need one, too.");
      return;
    }
    if (!column->not_null) {
      add(RuleId::public_id_column, column->name, "it may be NULL",
          "Fill it where it is empty, then make the column NOT NULL.");
    }
    check_public_id_type(*column);
  }

  void check_public_id_type(const SchemaColumn& column) {
    const std::string_view type = column.type;
    if (is_varying_text(type) && size_of(type) == kPublicIdSize) return;
    Finding& finding =
        add(RuleId::public_id_type, column.name, "it is " + quoted(type) + ", not VARCHAR(64)");
    const bool longer =
        is_varying_text(type) && (size_of(type) == 0 || size_of(type) > kPublicIdSize);
    if (is_long_text(type) || longer) finding.level = Level::note;  // it holds every ID
  }

  void check_unique() {
    if (table_.column(kPublicId) == nullptr) return;
    bool tenant_first = false;
    bool id_first = false;
    for (const SchemaIndex& index : table_.indexes) {
      if (!index.unique) continue;
      const auto is = [&](std::size_t i, std::string_view name) {
        return same_word(index.columns[i], name);
      };
      if (index.columns.size() == 1 && is(0, kPublicId) && !index.primary) {
        add(RuleId::unique_across_tenants, kPublicId,
            "the index " + quoted(index.name) + " makes it unique for all tenants together");
      }
      if (index.columns.size() != 2 || !index.whole) continue;
      tenant_first = tenant_first || (is(0, options_.tenant_column) && is(1, kPublicId));
      id_first = id_first || (is(0, kPublicId) && is(1, options_.tenant_column));
    }
    if (!tenant_first && !id_first) {
      add(RuleId::not_unique_per_tenant, kPublicId,
          "no unique index over (" + options_.tenant_column + ", public_id)");
    } else if (!id_first && engine_ == Engine::postgres) {
      add(RuleId::unique_order, kPublicId,
          "the index is (" + options_.tenant_column + ", public_id)");
    }
  }

  void check_ulids() {
    for (const SchemaColumn& column : table_.columns) {
      const std::string name = lowered(column.name);
      if (name != "ulid" && !name.ends_with("_ulid")) continue;
      if (holds_ulid(engine_, column.type)) continue;
      add(RuleId::ulid_type, column.name, "it is " + quoted(column.type));
    }
  }

  Engine engine_;
  const SchemaTable& table_;
  const SchemaOptions& options_;
  Findings& findings_;
};

void check_segment_table(const Schema& schema, const SchemaOptions& options, Findings& findings) {
  const std::string& name = options.segment_table;
  const auto add = [&](std::string path, std::string what) -> Finding& {
    Place place;
    place.path = std::move(path);
    findings.push_back(finding_of(RuleId::segment_table, std::move(place), std::move(what)));
    return findings.back();
  };
  const SchemaTable* table = schema.table(name);
  if (table == nullptr) {
    // Keys may come from somewhere else: a Snowflake, another Tessera.
    add(name, "there is no such table: nothing says where keys come from").level = Level::warning;
    return;
  }
  if (!table->lost_by.empty()) {
    add(name, "it is " + printable(table->lost_by) + ": a crash may take marks back").mend =
        schema.engine == Engine::postgres ? "ALTER TABLE ... SET LOGGED."
                                          : "ALTER TABLE ... ENGINE=InnoDB.";
  }
  for (const std::string_view wanted : {"scope", "max_id", "step"}) {
    const SchemaColumn* column = table->column(wanted);
    const std::string path = name + "." + std::string(wanted);
    if (column == nullptr) {
      add(path, "there is no such column");
      continue;
    }
    if (!column->not_null) add(path, "it may be NULL");
    if (wanted == "max_id" && !is_bigint(schema.engine, column->type)) {
      add(path, "it is " + quoted(column->type) + ", not BIGINT");
    }
  }
  const SchemaIndex* key = table->primary_key();
  if (key == nullptr || key->columns.size() != 1 || !same_word(key->columns[0], "scope")) {
    add(name, "the primary key is not (scope): a scope may be there twice");
  }
}

bool matches_any(const std::vector<std::string>& globs, std::string_view name) {
  return std::ranges::any_of(globs, [&](const std::string& g) { return matches_glob(g, name); });
}

bool is_of_tessera(std::string_view name, std::string_view segment_table) {
  if (name.starts_with("tessera_")) return true;
  if (!name.starts_with(segment_table)) return false;
  const std::string_view rest = name.substr(segment_table.size());
  constexpr std::array<std::string_view, 6> kOwn = {"",        "_log",   "_cipher",
                                                    "_schema", "_lease", "_lease_scope"};
  return std::ranges::find(kOwn, rest) != kOwn.end();
}

}  // namespace

std::vector<const SchemaTable*> checked_tables(const Schema& schema, const SchemaOptions& options) {
  std::vector<const SchemaTable*> tables;
  for (const SchemaTable& table : schema.tables) {
    const std::string name = table.full_name();
    if (is_of_tessera(name, options.segment_table)) continue;
    if (!options.only.empty() && !matches_any(options.only, name)) continue;
    if (!matches_any(options.skip, name)) tables.push_back(&table);
  }
  return tables;
}

Findings check_schema(const Schema& schema, const SchemaOptions& options) {
  Findings findings;
  for (const SchemaTable* table : checked_tables(schema, options)) {
    TableCheck(schema, *table, options, findings).run();
  }
  check_segment_table(schema, options, findings);
  return findings;
}

}  // namespace tessera::contract
