#pragma once

// Value: a node of the tree with the name of its key, read as what the key wants it to be.
//
// Each reader returns nothing after it has complained, so that the caller keeps the default and
// goes on to the next mistake.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "config/complaints.h"
#include "config/tree.h"
#include "tessera/config/config.h"

namespace tessera::config {

struct Value {
  const Node& node;
  std::string_view key;  // as people call it: "segment.step"
  Complaints& complaints;

  void complain(ConfigError::Code code, std::string message, std::string hint = {}) const {
    complaints.add(node.mark, code, std::move(message), std::move(hint));
  }
};

// Any scalar, with or without quotes, but nothing: `prefix: no` is the text "no".
std::optional<std::string> text_of(const Value& value);
std::optional<bool> bool_of(const Value& value);
// Decimal digits without quotes. No 0x, no 1_000, no 1e3, no leading zero: YAML readers differ
// on all of them, and on none of 1000.
std::optional<std::int64_t> number_of(const Value& value, std::int64_t min, std::int64_t max);
// Digits with a point: 0.01. No exponent, no percent.
std::optional<double> fraction_of(const Value& value, double min, double max);
// The place of the text in `names`.
std::optional<std::size_t> choice_of(const Value& value, std::span<const std::string_view> names);

std::optional<std::string> prefix_of(const Value& value);
std::optional<std::string> collection_of(const Value& value);
std::optional<char> separator_of(const Value& value);
// sqlite:file, postgresql://host/db and so on: the form only. What it complains of never repeats
// the URL, which may have a password in it.
std::optional<std::string> store_of(const Value& value);
std::optional<std::string> path_of(const Value& value);
// A layout of Snowflakes, by name or in full.
std::optional<std::string> layout_of(const Value& value);
// host:port or [ipv6]:port. `off` is an answer, too: an address that is not there.
std::optional<std::optional<ListenAddress>> address_of(const Value& value);

// Why `name` breaks the rule of scope_name.h: "ends with '-'".
std::string describe_scope_name(std::string_view name);

// What a node is, for "must be a number, not ...": "a list", "'abc'".
std::string kind_of(const Node& node);

}  // namespace tessera::config
