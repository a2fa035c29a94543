#pragma once

// What the etcd store keeps, under which keys, and how it is written. JSON, for people who look at
// it with etcdctl.
//
//    PREFIX/TABLE/schema                    the version of all this
//    PREFIX/TABLE/scope/NAME                the scope, and where its mark is
//    PREFIX/TABLE/log/NAME/7FFF...FFFE      a range that was drawn, by the complement of its first
//                                           number: the newest come first, and can be asked for
//                                           without reading all the others
//    PREFIX/TABLE/key/NAME/KEY              the range that a request key has drawn
//    PREFIX/TABLE/fingerprint/NAME          of the key of its short IDs

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/json.h"
#include "store/etcd_wire.h"
#include "tessera/error.h"
#include "tessera/json.h"
#include "tessera/segment/store.h"

namespace tessera::etcd {

inline constexpr int kSchemaNewest = 1;

// What all our keys begin with.
std::string root_of(std::string_view prefix, std::string_view table);

// A mark that no other change has; empty, if there is no entropy.
std::string new_change();

// Of what is there and cannot have been written by us.
Error odd_value(std::string_view key);

class Keys {
 public:
  Keys(std::string_view prefix, std::string_view table);

  std::string schema() const { return root_ + "schema"; }
  std::string scope(std::string_view name) const { return root_ + "scope/" + std::string(name); }
  Span scopes() const { return prefixed(root_ + "scope/"); }
  // The name in the key of a scope.
  std::string name_in(std::string_view key) const;

  std::string line(std::string_view scope, std::uint64_t first) const;
  Span lines(std::string_view scope) const;                               // the newest first
  Span lines_up_to(std::string_view scope, std::uint64_t number) const;   // those that begin there
  Span lines_after(std::string_view scope, std::string_view line) const;  // older than that one
  Span lines_before(std::string_view scope, std::string_view line) const;

  std::string request_key(std::string_view scope, std::string_view key) const;
  std::string fingerprint(std::string_view scope) const;

 private:
  std::string root_;
};

// A scope, and the mark of the change that made it what it is.
struct KeptScope {
  ScopeState state;
  std::string change;
};
std::string written(const KeptScope& kept);
// Nothing, if it is not what written() writes, or makes no sense.
std::optional<KeptScope> read_scope(std::string_view name, std::string_view value);

// A line of the log, and the mark of the draw that wrote it.
struct KeptRange {
  RangeRecord record;
  std::string change;
};
std::string written(const KeptRange& kept);
std::optional<KeptRange> read_range(std::string_view scope, std::string_view value);

// Numbers of 64 bits are texts.
void write_long(JsonWriter& json, std::string_view name, std::int64_t number);
std::optional<std::int64_t> long_in(const Json& object, std::string_view name);

}  // namespace tessera::etcd
