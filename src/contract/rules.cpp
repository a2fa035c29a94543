// The rules of the contract: one table, from which help, documents and SARIF are made.

#include <algorithm>
#include <array>

#include "tessera/contract/finding.h"

namespace tessera::contract {
namespace {

constexpr std::array kRules = {
    Rule{RuleId::unreadable, "TC001", "unreadable", Level::error, "the input cannot be read",
         "What was not read was not checked.", "Mend the document, or name another."},
    Rule{RuleId::unused_waiver, "TC002", "unused-waiver", Level::note,
         "a waiver that waives nothing",
         "What it allowed is gone, or its place is misspelt; left there, it would hide the next "
         "one.",
         "Remove it."},
    Rule{RuleId::primary_key, "TC101", "primary-key", Level::error,
         "the primary key is not the column id alone",
         "Rows refer to each other by one number of 64 bits that is never shown.",
         "Make PRIMARY KEY (id)."},
    Rule{RuleId::key_type, "TC102", "key-type", Level::error, "the key id is not a BIGINT",
         "Numbers of segments have 63 bits; a smaller column ends early, and a larger key makes "
         "every index larger.",
         "Make the column BIGINT NOT NULL, and all that refer to it."},
    Rule{RuleId::key_made_by_database, "TC103", "key-made-by-database", Level::error,
         "the database makes the number of a new row",
         "Two sources of keys will meet: keys come from segments, so that a row knows its key "
         "before it is written.",
         "Remove auto_increment, identity or the default, and take keys from a scope."},
    Rule{RuleId::tenant_column, "TC104", "tenant-column", Level::error,
         "there is no tenant column that is always set",
         "A row without tenant belongs to everybody, and no look-up can leave it out.",
         "Add tenant_id BIGINT NOT NULL."},
    Rule{RuleId::public_id_column, "TC105", "public-id-column", Level::error,
         "there is no public ID that is always set", "Without one an API can only show the key.",
         "Add public_id VARCHAR(64) NOT NULL."},
    Rule{RuleId::public_id_type, "TC106", "public-id-type", Level::warning,
         "public_id is not a VARCHAR(64)",
         "A shorter column cuts IDs or refuses them, and one of another type cannot hold the "
         "prefix.",
         "Make the column VARCHAR(64)."},
    Rule{RuleId::not_unique_per_tenant, "TC107", "not-unique-per-tenant", Level::error,
         "no unique index over tenant and public ID",
         "It is the way of every look-up, and what stops a second row of the same ID.",
         "Add a unique index over tenant_id and public_id."},
    Rule{RuleId::unique_across_tenants, "TC108", "unique-across-tenants", Level::error,
         "public_id is unique by itself",
         "It invites look-ups without the tenant, and lets one tenant learn what another has.",
         "Drop the index, after making one over tenant_id and public_id."},
    Rule{RuleId::public_id_as_key, "TC109", "public-id-as-key", Level::error,
         "a public ID or ULID is the primary key",
         "It is two to four times as large as a BIGINT, in every index and reference, and cannot "
         "be changed once it was shown.",
         "Make id BIGINT the key, and keep this column beside it."},
    Rule{RuleId::unique_order, "TC110", "unique-order", Level::note,
         "the unique index begins with the tenant",
         "On PostgreSQL an index over (tenant_id, public_id) fills its pages to about 54 % when "
         "many tenants insert by turns, one over (public_id, tenant_id) to 90 %; a look-up with "
         "both columns is served by either.",
         "If no query lists the rows of a tenant by it, make the index (public_id, tenant_id)."},
    Rule{RuleId::ulid_type, "TC111", "ulid-type", Level::warning,
         "a ULID is neither 16 bytes nor CHAR(26)",
         "Other types cut it, pad it or compare it by the rules of a language.",
         "Make the column BINARY(16), uuid or CHAR(26)."},
    Rule{RuleId::segment_table, "TC112", "segment-table", Level::error,
         "the segment table is not sound",
         "It is what makes keys unique: scope is its key, and max_id and step are numbers that "
         "are always set.",
         "tessera store init makes a table that is missing, and adopts one that is there."},
    Rule{RuleId::high_water_mark, "TC113", "high-water-mark", Level::error,
         "the mark of the scope is below the largest key",
         "The next segment hands out keys that rows have already.",
         "Raise the mark with tessera segment advance, with a margin, before the next draw."},
    Rule{RuleId::no_scope, "TC114", "no-scope", Level::warning,
         "no scope is known for the keys of a table",
         "Whether its mark is above the largest key was not checked.",
         "Create the scope, or name it with --scope TABLE=SCOPE."},
    Rule{RuleId::integer_id, "TC201", "integer-id", Level::error, "a number as an ID",
         "A key that is shown tells how many there are, lets others count through them, and can "
         "never be changed.",
         "Show the public ID instead."},
    Rule{RuleId::bare_ulid, "TC202", "bare-ulid", Level::error, "a ULID without a prefix",
         "Without its type an ID of one sort is taken for another, and the internal name is out.",
         "Show the public ID: prefix, separator, ULID."},
    Rule{RuleId::not_a_public_id, "TC203", "not-a-public-id", Level::error,
         "an ID that is not a public ID",
         "Every ID that leaves is a public ID: its type can be told, and its form checked.",
         "Show the public ID instead."},
    Rule{RuleId::wrong_type, "TC204", "wrong-type", Level::error,
         "a public ID of another type than its field",
         "An order in the place of a store is found by nobody, or by the wrong one.",
         "Look where the field is filled."},
    Rule{RuleId::client_chosen_id, "TC205", "client-chosen-id", Level::error,
         "a request lets the client choose an ID",
         "Only the server makes IDs: what a client chooses may be taken, guessed or another "
         "tenant's.",
         "Remove the field from the request, or mark it readOnly; offer an Idempotency-Key."},
    Rule{RuleId::unspecified_id, "TC206", "unspecified-id", Level::note,
         "an ID of which only is said that it is text",
         "A client cannot tell what is wanted, and a gateway cannot refuse what is not.",
         "Give it a pattern, such as ^ord_[0-9A-HJKMNP-TV-Z]{26}$, or an example."},
    Rule{RuleId::query_without_tenant, "TC301", "query-without-tenant", Level::warning,
         "a query that does not name the tenant (heuristic)",
         "A look-up without the tenant finds what belongs to others.",
         "Compare tenant_id in WHERE or ON, for each table."},
    Rule{RuleId::insert_without_tenant, "TC302", "insert-without-tenant", Level::warning,
         "an INSERT that does not set the tenant (heuristic)",
         "A row without tenant belongs to everybody.", "Add tenant_id to the columns."},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (static_cast<std::size_t>(kRules[i].id) != i) return false;
    if (i > 0 && kRules[i].number <= kRules[i - 1].number) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

std::string_view name_of(Level level) noexcept {
  switch (level) {
    case Level::note: return "note";
    case Level::warning: return "warning";
    case Level::error: break;
  }
  return "error";
}

std::span<const Rule> rules() noexcept { return kRules; }

const Rule& rule(RuleId id) noexcept { return kRules[static_cast<std::size_t>(id)]; }

const Rule* find_rule(std::string_view number_or_name) noexcept {
  const auto* found = std::ranges::find_if(kRules, [&](const Rule& rule) {
    return rule.number == number_or_name || rule.name == number_or_name;
  });
  return found == kRules.end() ? nullptr : found;
}

std::string Place::to_string() const {
  if (file.empty()) return path;
  return line == 0 ? file : file + ":" + std::to_string(line);
}

std::string_view mend_of(const Finding& finding) noexcept {
  return finding.mend.empty() ? rule(finding.rule).mend : std::string_view(finding.mend);
}

Finding finding_of(RuleId id, Place place, std::string what, std::string mend) {
  Finding finding;
  finding.rule = id;
  finding.level = rule(id).level;
  finding.place = std::move(place);
  finding.what = std::move(what);
  finding.mend = std::move(mend);
  return finding;
}

bool breaks_contract(std::span<const Finding> findings) noexcept {
  return std::ranges::any_of(findings, [](const Finding& finding) {
    return !finding.waived && finding.level != Level::note;
  });
}

}  // namespace tessera::contract
