#pragma once

// Findings: where something breaks the ID contract, as data. Text, JSON and SARIF are made of
// them, and so are the lists of rules in help and documents.
//
//    TC103  error  order.id: the database makes the number of a new row (auto_increment)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::contract {

enum class Level : std::uint8_t {
  note,     // worth knowing; the contract holds
  warning,  // it may not hold, or not for long; people must look
  error,    // it does not hold
};
std::string_view name_of(Level level) noexcept;  // as in SARIF

// In the order of their numbers. A number is never used for another rule.
enum class RuleId : std::uint8_t {
  unreadable,
  unused_waiver,
  primary_key,
  key_type,
  key_made_by_database,
  tenant_column,
  public_id_column,
  public_id_type,
  not_unique_per_tenant,
  unique_across_tenants,
  public_id_as_key,
  unique_order,
  ulid_type,
  segment_table,
  high_water_mark,
  no_scope,
  integer_id,
  bare_ulid,
  not_a_public_id,
  wrong_type,
  client_chosen_id,
  unspecified_id,
  query_without_tenant,
  insert_without_tenant,
};

struct Rule {
  RuleId id;
  std::string_view number;  // "TC103"
  std::string_view name;    // "key-made-by-database"
  Level level;              // what its findings have, unless one says otherwise
  std::string_view what;    // a phrase: what is found
  std::string_view why;     // sentences: why the contract forbids it
  std::string_view mend;    // a sentence: what to do about it
};

// Every rule, in the order of the enum.
std::span<const Rule> rules() noexcept;
const Rule& rule(RuleId id) noexcept;
// By number or name; null if there is none.
const Rule* find_rule(std::string_view number_or_name) noexcept;

struct Place {
  std::string file;        // a path, or "-"; empty: it is in a database
  std::uint64_t line = 0;  // from 1; 0: the file as a whole
  std::string path;        // in a document: /data/*/store_id; in a database: order.public_id

  // "orders.json:7", or "order.public_id".
  std::string to_string() const;
};

struct Finding {
  RuleId rule = RuleId::unreadable;
  Level level = Level::error;
  Place place;
  std::string what;                   // a phrase for this one; printable
  std::string mend;                   // for this one; empty: the rule's
  std::uint64_t count = 1;            // how often it was seen, at places that differ in no name
  std::optional<std::string> waived;  // the reason, if somebody has accepted it
};

std::string_view mend_of(const Finding& finding) noexcept;

// With the level of its rule.
Finding finding_of(RuleId rule, Place place, std::string what, std::string mend = {});

using Findings = std::vector<Finding>;

// Whether they are a reason to fail: one that nobody waived is more than a note.
bool breaks_contract(std::span<const Finding> findings) noexcept;

}  // namespace tessera::contract
