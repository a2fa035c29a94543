#pragma once

// What the etcd store keeps of machine numbers, and under which keys.
//
//    PREFIX/TABLE/lease_scope/NAME            how the IDs of the scope are laid out
//    PREFIX/TABLE/lease/NAME/0000002A         the number: token, limit, holder; never deleted
//    PREFIX/TABLE/lease_held/NAME/0000002A    there while the lease lives: etcd deletes it
//    PREFIX/TABLE/lease_rest/NAME/0000002A    there until the number has rested: likewise

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/etcd_wire.h"
#include "tessera/lease/rules.h"

namespace tessera::etcd {

// A number of a scope, in a key: "ORDER/0000002A".
struct LeaseName {
  std::string scope;
  std::uint32_t machine = 0;

  std::string text() const;
  // Nothing, if it is none.
  static std::optional<LeaseName> parse(std::string_view text);

  friend bool operator==(const LeaseName&, const LeaseName&) = default;
};

// Names from `first` up to, and not including, `end`; all from there on, if that is empty.
struct LeaseNames {
  std::string first{};
  std::string end{};

  static LeaseNames of(std::string_view scope);
  static LeaseNames of(std::string_view scope, std::uint32_t machine_min,
                       std::uint32_t machine_max);
};

class LeaseKeys {
 public:
  LeaseKeys(std::string_view prefix, std::string_view table);

  std::string layout(std::string_view scope) const { return scopes_ + std::string(scope); }
  Span layouts() const { return prefixed(scopes_); }
  std::string row(const LeaseName& name) const { return rows_ + name.text(); }
  std::string held(const LeaseName& name) const { return held_ + name.text(); }
  std::string rest(const LeaseName& name) const { return rest_ + name.text(); }
  Span rows(const LeaseNames& names) const { return span(rows_, names); }
  Span all_held(const LeaseNames& names) const { return span(held_, names); }
  Span all_resting(const LeaseNames& names) const { return span(rest_, names); }

  // What stands behind the prefix, in a key of each of the four kinds.
  std::string_view in_layout(std::string_view key) const { return behind(scopes_, key); }
  std::string_view in_row(std::string_view key) const { return behind(rows_, key); }
  std::string_view in_held(std::string_view key) const { return behind(held_, key); }
  std::string_view in_rest(std::string_view key) const { return behind(rest_, key); }

 private:
  static Span span(const std::string& prefix, const LeaseNames& names);
  static std::string_view behind(const std::string& prefix, std::string_view key);

  std::string scopes_, rows_, held_, rest_;
};

// A number, the leases of etcd that its two other keys hang on, and the mark of the change that
// made it what it is.
struct KeptLease {
  LeaseRow row;  // expires_ms is by the clock of who wrote it, and for people
  Grant held;
  Grant rest;
  std::string change;

  friend bool operator==(const KeptLease&, const KeptLease&) = default;
};
std::string written(const KeptLease& kept);
// Nothing, if it is not what written() writes, or makes no sense.
std::optional<KeptLease> read_lease(std::uint32_t machine, std::string_view value);

}  // namespace tessera::etcd
