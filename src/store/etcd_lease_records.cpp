// Keys and values of machine numbers on etcd.

#include "store/etcd_lease_records.h"

#include <algorithm>
#include <charconv>

#include "http/json.h"
#include "store/etcd_records.h"
#include "tessera/json.h"
#include "tessera/scope_name.h"

namespace tessera::etcd {
namespace {

constexpr std::size_t kDigits = 8;
constexpr std::int64_t kTimeMax = 9'000'000'000'000;  // milliseconds; sums of two do not overflow
constexpr std::size_t kTextSizeMax = 128;

std::string digits_of(std::uint32_t machine) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out(kDigits, '0');
  for (std::size_t i = kDigits; i-- > 0; machine >>= 4) out[i] = kHex[machine & 15];
  return out;
}

std::optional<std::uint64_t> time_in(const Json& object, std::string_view name) {
  const auto time = long_in(object, name);
  if (!time || *time < 0 || *time > kTimeMax) return std::nullopt;
  return static_cast<std::uint64_t>(*time);
}

void write_grant(JsonWriter& json, std::string_view name, const Grant& grant) {
  write_long(json, std::string(name) + "_lease", grant.id);
  write_long(json, std::string(name) + "_ttl_s", grant.ttl_s);
}

std::optional<Grant> grant_in(const Json& object, const std::string& name) {
  const auto id = long_in(object, name + "_lease");
  const auto ttl_s = long_in(object, name + "_ttl_s");
  if (!id || *id < 0 || !ttl_s || *ttl_s < 0 || *ttl_s > kTimeMax) return std::nullopt;
  return Grant{*id, *ttl_s};
}

}  // namespace

std::string LeaseName::text() const { return scope + "/" + digits_of(machine); }

std::optional<LeaseName> LeaseName::parse(std::string_view text) {
  if (text.size() <= kDigits + 1 || text[text.size() - kDigits - 1] != '/') return std::nullopt;
  LeaseName name{std::string(text.substr(0, text.size() - kDigits - 1)), 0};
  const std::string_view digits = text.substr(text.size() - kDigits);
  const auto read = std::from_chars(digits.data(), digits.data() + kDigits, name.machine, 16);
  // One text for each: small letters are another key.
  if (read.ec != std::errc{} || digits != digits_of(name.machine)) return std::nullopt;
  if (scope_name_fault(name.scope)) return std::nullopt;
  return name;
}

LeaseNames LeaseNames::of(std::string_view scope) {
  const Span all = prefixed(std::string(scope) + "/");
  return {all.first, all.end};
}

LeaseNames LeaseNames::of(std::string_view scope, std::uint32_t machine_min,
                          std::uint32_t machine_max) {
  const std::string name(scope);
  return {LeaseName{name, machine_min}.text(), LeaseName{name, machine_max}.text() + '\0'};
}

LeaseKeys::LeaseKeys(std::string_view prefix, std::string_view table) {
  const std::string root = root_of(prefix, table);
  scopes_ = root + "lease_scope/";
  rows_ = root + "lease/";
  held_ = root + "lease_held/";
  rest_ = root + "lease_rest/";
}

Span LeaseKeys::span(const std::string& prefix, const LeaseNames& names) {
  return {prefix + names.first, names.end.empty() ? prefixed(prefix).end : prefix + names.end};
}

std::string_view LeaseKeys::behind(const std::string& prefix, std::string_view key) {
  return key.substr(std::min(prefix.size(), key.size()));
}

std::string written(const KeptLease& kept) {
  const LeaseRow& row = kept.row;
  JsonWriter json;
  json.begin_object();
  write_long(json, "token", row.token);
  json.key("holder").value(row.holder);
  write_long(json, "claimed_ms", static_cast<std::int64_t>(row.claimed_ms));
  write_long(json, "expires_ms", static_cast<std::int64_t>(row.expires_ms));
  write_long(json, "quarantine_ms", static_cast<std::int64_t>(row.quarantine_ms));
  write_long(json, "ts_limit_ms", static_cast<std::int64_t>(row.ts_limit_ms));
  write_grant(json, "held", kept.held);
  write_grant(json, "rest", kept.rest);
  return json.key("change").value(kept.change).end_object().take();
}

std::optional<KeptLease> read_lease(std::uint32_t machine, std::string_view value) {
  const auto json = Json::parse(value);
  if (!json) return std::nullopt;
  const auto token = long_in(*json, "token");
  const auto holder = json->text_in("holder");
  const auto claimed_ms = time_in(*json, "claimed_ms");
  const auto expires_ms = time_in(*json, "expires_ms");
  const auto quarantine_ms = time_in(*json, "quarantine_ms");
  const auto ts_limit_ms = time_in(*json, "ts_limit_ms");
  const auto held = grant_in(*json, "held");
  const auto rest = grant_in(*json, "rest");
  const auto change = json->text_in("change");
  if (!token || !holder || !claimed_ms || !expires_ms || !quarantine_ms || !ts_limit_ms || !held ||
      !rest || !change) {
    return std::nullopt;
  }
  // The next token is one more, and what is told of the holder goes to terminals.
  const auto is_plain = [](std::string_view text) {
    return text.size() <= kTextSizeMax &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  };
  if (*token < 1 || *token == INT64_MAX || !is_plain(*holder) || !is_plain(*change)) {
    return std::nullopt;
  }
  return KeptLease{{.machine = machine,
                    .token = *token,
                    .holder = std::string(*holder),
                    .claimed_ms = *claimed_ms,
                    .expires_ms = *expires_ms,
                    .quarantine_ms = *quarantine_ms,
                    .ts_limit_ms = *ts_limit_ms},
                   *held,
                   *rest,
                   std::string(*change)};
}

}  // namespace tessera::etcd
