// Keys and values of the etcd store.

#include "store/etcd_records.h"

#include <array>

#include "store/requests.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"

namespace tessera::etcd {
namespace {

constexpr std::string_view kPrefix = "tessera";

std::string complement(std::uint64_t first) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::uint64_t number = static_cast<std::uint64_t>(INT64_MAX) - first;
  std::string out(16, '0');
  for (std::size_t i = out.size(); i-- > 0; number >>= 4) out[i] = kDigits[number & 15];
  return out;
}

bool is_time(const std::optional<std::int64_t>& time_ms) noexcept {
  return time_ms && *time_ms >= 0;
}

}  // namespace

void write_long(JsonWriter& json, std::string_view name, std::int64_t number) {
  json.key(name).value(std::string_view(std::to_string(number)));
}

std::optional<std::int64_t> long_in(const Json& object, std::string_view name) {
  const Json* value = object.find(name);
  return value == nullptr ? std::nullopt : value->whole();
}

std::string root_of(std::string_view prefix, std::string_view table) {
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  return std::string(prefix.empty() ? kPrefix : prefix) + "/" + std::string(table) + "/";
}

std::string new_change() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  SystemEntropy entropy;
  std::array<std::uint8_t, 12> bytes{};
  std::string change;
  if (!entropy.fill(bytes)) return change;
  for (const std::uint8_t byte : bytes) change += {kDigits[byte >> 4], kDigits[byte & 15]};
  return change;
}

Error odd_value(std::string_view key) {
  return {Error::Code::store_failed, "etcd has something else under " + quoted(key),
          "Was it written by hand? Put back what was there before."};
}

Keys::Keys(std::string_view prefix, std::string_view table) : root_(root_of(prefix, table)) {}

std::string Keys::name_in(std::string_view key) const {
  const std::size_t size = scope("").size();
  return std::string(key.substr(std::min(size, key.size())));
}

std::string Keys::line(std::string_view scope, std::uint64_t first) const {
  return lines(scope).first + complement(first);
}

Span Keys::lines(std::string_view scope) const {
  return prefixed(root_ + "log/" + std::string(scope) + "/");
}

Span Keys::lines_up_to(std::string_view scope, std::uint64_t number) const {
  return {line(scope, number), lines(scope).end};
}

Span Keys::lines_after(std::string_view scope, std::string_view line) const {
  return {std::string(line) + '\0', lines(scope).end};
}

Span Keys::lines_before(std::string_view scope, std::string_view line) const {
  return {lines(scope).first, std::string(line)};
}

std::string Keys::request_key(std::string_view scope, std::string_view key) const {
  return root_ + "key/" + std::string(scope) + "/" + std::string(key);
}

std::string Keys::fingerprint(std::string_view scope) const {
  return root_ + "fingerprint/" + std::string(scope);
}

std::string written(const KeptScope& kept) {
  const ScopeState& state = kept.state;
  JsonWriter json;
  json.begin_object();
  write_long(json, "high_water", state.high_water);
  write_long(json, "min", state.scope.min);
  write_long(json, "max", state.scope.max);
  write_long(json, "step", state.scope.step);
  json.key("strict").value(state.scope.order == Scope::Order::strict);
  json.key("js_safe").value(state.scope.js_safe);
  write_long(json, "epoch", state.epoch);
  write_long(json, "draws", state.draws);
  write_long(json, "updated_ms", static_cast<std::int64_t>(state.updated_ms));
  return json.key("change").value(kept.change).end_object().take();
}

std::optional<KeptScope> read_scope(std::string_view name, std::string_view value) {
  const auto json = Json::parse(value);
  if (!json) return std::nullopt;
  const auto high_water = long_in(*json, "high_water");
  const auto min = long_in(*json, "min");
  const auto max = long_in(*json, "max");
  const auto step = long_in(*json, "step");
  const auto strict = json->truth_in("strict");
  const auto js_safe = json->truth_in("js_safe");
  const auto epoch = long_in(*json, "epoch");
  const auto draws = long_in(*json, "draws");
  const auto updated_ms = long_in(*json, "updated_ms");
  const auto change = json->text_in("change");
  if (!high_water || !min || !max || !step || !strict || !js_safe || !epoch || !draws ||
      !is_time(updated_ms) || !change) {
    return std::nullopt;
  }
  KeptScope kept;
  kept.state.scope = {.name = std::string(name),
                      .min = *min,
                      .max = *max,
                      .step = *step,
                      .order = *strict ? Scope::Order::strict : Scope::Order::process,
                      .js_safe = *js_safe};
  // What is handed out is reckoned from these.
  if (fault_of(kept.state.scope) || *high_water < *min - 1 || *high_water > *max || *epoch < 1 ||
      *draws < 0 || *epoch == INT64_MAX || *draws == INT64_MAX) {
    return std::nullopt;
  }
  kept.state.high_water = *high_water;
  kept.state.epoch = *epoch;
  kept.state.draws = *draws;
  kept.state.updated_ms = static_cast<std::uint64_t>(*updated_ms);
  kept.change = *change;
  return kept;
}

std::string written(const KeptRange& kept) {
  const RangeRecord& record = kept.record;
  JsonWriter json;
  json.begin_object();
  write_long(json, "first", static_cast<std::int64_t>(record.segment.first));
  write_long(json, "last", static_cast<std::int64_t>(record.segment.end - 1));
  write_long(json, "number", record.number);
  write_long(json, "epoch", record.epoch);
  json.key("holder").value(record.holder).key("key").value(record.key);
  write_long(json, "drawn_ms", static_cast<std::int64_t>(record.drawn_ms));
  return json.key("change").value(kept.change).end_object().take();
}

std::optional<KeptRange> read_range(std::string_view scope, std::string_view value) {
  const auto json = Json::parse(value);
  if (!json) return std::nullopt;
  const auto first = long_in(*json, "first");
  const auto last = long_in(*json, "last");
  const auto number = long_in(*json, "number");
  const auto epoch = long_in(*json, "epoch");
  const auto holder = json->text_in("holder");
  const auto key = json->text_in("key");
  const auto drawn_ms = long_in(*json, "drawn_ms");
  const auto change = json->text_in("change");
  if (!first || !last || !number || !epoch || !holder || !key || !is_time(drawn_ms) || !change) {
    return std::nullopt;
  }
  if (*first < 0 || *last < *first || *number < 1 || *epoch < 1) return std::nullopt;
  const Segment segment{static_cast<std::uint64_t>(*first), static_cast<std::uint64_t>(*last) + 1};
  return KeptRange{{.scope = std::string(scope),
                    .epoch = *epoch,
                    .number = *number,
                    .segment = segment,
                    .holder = std::string(*holder),
                    .key = std::string(*key),
                    .drawn_ms = static_cast<std::uint64_t>(*drawn_ms)},
                   std::string(*change)};
}

}  // namespace tessera::etcd
