// The table of keys: what each is called, what it takes, what holds without it, how it is read.

#include "config/fields.h"

#include <array>
#include <optional>
#include <utility>

namespace tessera {
namespace config {
namespace {

constexpr std::array<std::string_view, 4> kStyles = {
    name_of(PublicStyle::ulid), name_of(PublicStyle::type_id), name_of(PublicStyle::base36),
    name_of(PublicStyle::checked)};
constexpr std::array<std::string_view, 3> kStorages = {"text", "bytes", "integer"};
constexpr std::array<std::string_view, 2> kTombstones = {"soft", "exact"};
constexpr std::array<std::string_view, 2> kOrders = {"process", "strict"};

// A value that was refused leaves the target as it is.
template <class T, class U>
void take(T& target, std::optional<U> value) {
  if (value) target = *std::move(value);
}

template <class Enum, std::size_t N>
void take_choice(Enum& target, const Value& value, const std::array<std::string_view, N>& names) {
  if (const auto at = choice_of(value, names)) target = static_cast<Enum>(*at);
}

constexpr std::array<Field<Config>, 9> kRootFields = {{
    {{"enabled", "bluecone.id.enabled", "true or false", "true", "TESSERA_ENABLED",
      "hand out new IDs; if false, only read, check and convert"},
     [](const Value& value, Config& config) { take(config.enabled, bool_of(value)); }},
    {{"segment.step", "bluecone.id.segment.step", "1 to 1000000", "1000", "TESSERA_SEGMENT_STEP",
      "how many keys a segment holds, in scopes that do not say"},
     [](const Value& value, Config& config) {
       take(config.step, number_of(value, 1, ScopeConfig::kStepMax));
     }},
    {{"public-id.separator", "bluecone.id.public-id.separator", "one of _ - . : ~", "_",
      "TESSERA_PUBLIC_ID_SEPARATOR",
      "what stands between prefix and body, in types that do not say"},
     [](const Value& value, Config& config) { take(config.separator, separator_of(value)); }},
    {{"store", "", "a URL", "sqlite:tessera.db", "TESSERA_STORE",
      "where segments, leases and the registry are kept"},
     [](const Value& value, Config& config) { take(config.store, store_of(value)); }},
    {{"listen.public", "", "host:port, or off", "127.0.0.1:8420", "TESSERA_LISTEN_PUBLIC",
      "HTTP for everybody; no 64-bit key leaves here"},
     [](const Value& value, Config& config) { take(config.listen.public_api, address_of(value)); }},
    {{"listen.internal", "", "host:port, or off", "127.0.0.1:8421", "TESSERA_LISTEN_INTERNAL",
      "HTTP for your own services: segments, leases, keys of public IDs"},
     [](const Value& value, Config& config) {
       take(config.listen.internal_api, address_of(value));
     }},
    {{"listen.redis", "", "host:port, or off", "127.0.0.1:8422", "TESSERA_LISTEN_REDIS",
      "the Redis protocol, for your own services"},
     [](const Value& value, Config& config) { take(config.listen.redis, address_of(value)); }},
    {{"tokens", "", "a path", "none", "TESSERA_TOKENS",
      "the file of bearer tokens; without it every listener must be on loopback"},
     [](const Value& value, Config& config) { take(config.tokens, path_of(value)); }},
    {{"short.key-file", "", "a path", "none", "TESSERA_SHORT_KEY_FILE",
      "the file of the key that short IDs are enciphered with; the same for ever"},
     [](const Value& value, Config& config) { take(config.short_key_file, path_of(value)); }},
}};

constexpr std::array<Field<TypeConfig>, 13> kTypeFields = {{
    {{"types.<name>.prefix", "", "1 to 63 of a-z and _", "required", "",
      "what its public IDs begin with; no other type may have it"},
     [](const Value& value, TypeConfig& type) { take(type.prefix, prefix_of(value)); }},
    {{"types.<name>.style", "", "ulid, typeid, base36 or checked", "ulid", "",
      "how the body is written"},
     [](const Value& value, TypeConfig& type) { take_choice(type.style, value, kStyles); }},
    {{"types.<name>.separator", "", "one of _ - . : ~", "public-id.separator", "",
      "what stands between prefix and body; always _ in style typeid"},
     [](const Value& value, TypeConfig& type) { take(type.separator, separator_of(value)); }},
    {{"types.<name>.scope", "", "a name under scopes", "none", "",
      "where its 64-bit keys come from"},
     [](const Value& value, TypeConfig& type) { take(type.scope, text_of(value)); }},
    {{"types.<name>.parent", "", "a name under types", "none", "",
      "the type it belongs to; it ends when its parent does"},
     [](const Value& value, TypeConfig& type) { take(type.parent, text_of(value)); }},
    {{"types.<name>.storage", "", "text, bytes or integer", "text", "",
      "how a store keeps the body: as written, as 16 bytes, or as a number"},
     [](const Value& value, TypeConfig& type) { take_choice(type.storage, value, kStorages); }},
    {{"types.<name>.tombstone", "", "soft or exact", "soft", "",
      "what is kept of a deleted one: its row, or only that the ID was used"},
     [](const Value& value, TypeConfig& type) { take_choice(type.tombstone, value, kTombstones); }},
    {{"types.<name>.alias", "", "true or false", "false", "",
      "whether an alias may stand where its ID could"},
     [](const Value& value, TypeConfig& type) { take(type.alias, bool_of(value)); }},
    {{"types.<name>.undelete-days", "", "0 to 36500", "0", "",
      "for how long a deleted one can be brought back; needs a soft tombstone"},
     [](const Value& value, TypeConfig& type) {
       if (const auto days = number_of(value, 0, TypeConfig::kUndeleteDaysMax)) {
         type.undelete_days = static_cast<std::uint32_t>(*days);
       }
     }},
    {{"types.<name>.collection", "", "letters, digits, - and _", "its name and an s", "",
      "what stands in front of its IDs in resource names"},
     [](const Value& value, TypeConfig& type) { take(type.collection, collection_of(value)); }},
    {{"types.<name>.key-days", "", "1 to 3650", "1", "", "for how long an idempotency key holds"},
     [](const Value& value, TypeConfig& type) {
       if (const auto days = number_of(value, 1, TypeConfig::kKeyDaysMax)) {
         type.key_days = static_cast<std::uint32_t>(*days);
       }
     }},
    {{"types.<name>.capacity", "", "1 to 1000000000000", "1000000", "",
      "how many IDs its filter is made for; it grows if need be"},
     [](const Value& value, TypeConfig& type) {
       take(type.capacity, number_of(value, 1, TypeConfig::kCapacityMax));
     }},
    {{"types.<name>.false-positives", "", "0.000001 to 0.5", "0.01", "",
      "how often the filter may send a stranger on to the store"},
     [](const Value& value, TypeConfig& type) {
       take(type.false_positives, fraction_of(value, 0.000001, 0.5));
     }},
}};

constexpr std::array<Field<ScopeConfig>, 6> kScopeFields = {{
    {{"scopes.<name>.min", "", "1 to 9223372036854775807", "1", "", "the smallest key"},
     [](const Value& value, ScopeConfig& scope) {
       take(scope.min, number_of(value, 1, ScopeConfig::kMax));
     }},
    {{"scopes.<name>.max", "", "1 to 9223372036854775807", "9223372036854775807", "",
      "the largest key; without it, 9007199254740991 if js-safe"},
     [](const Value& value, ScopeConfig& scope) {
       take(scope.max, number_of(value, 1, ScopeConfig::kMax));
     }},
    {{"scopes.<name>.step", "", "1 to 1000000", "segment.step", "",
      "how many keys a segment holds"},
     [](const Value& value, ScopeConfig& scope) {
       take(scope.step, number_of(value, 1, ScopeConfig::kStepMax));
     }},
    {{"scopes.<name>.order", "", "process or strict", "process", "",
      "keys increase within each process, or across all of them, which is slower"},
     [](const Value& value, ScopeConfig& scope) { take_choice(scope.order, value, kOrders); }},
    {{"scopes.<name>.js-safe", "", "true or false", "false", "",
      "keys stay below 2^53, so that a JavaScript number holds them"},
     [](const Value& value, ScopeConfig& scope) { take(scope.js_safe, bool_of(value)); }},
    {{"scopes.<name>.bits", "", "16 to 63", "none", "",
      "it is a scope of short IDs of that size: keys from 0 to 2^bits - 1, or to max"},
     [](const Value& value, ScopeConfig& scope) {
       if (const auto bits = number_of(value, 16, 63)) {
         scope.bits = static_cast<std::uint32_t>(*bits);
       }
     }},
}};

constexpr std::array<Field<SnowflakeConfig>, 1> kSnowflakeFields = {{
    {{"snowflakes.<name>.layout", "", "a name, or EPOCH_MS/UNIT_MS/tT.mM.sS", "required", "",
      "how its Snowflakes are laid out; for ever"},
     [](const Value& value, SnowflakeConfig& made) { take(made.layout, layout_of(value)); }},
}};

constexpr auto kKeys = [] {
  std::array<ConfigKey, kRootFields.size() + kTypeFields.size() + kScopeFields.size() +
                            kSnowflakeFields.size()>
      keys{};
  auto at = keys.begin();
  for (const ConfigKey& field : kRootFields) *at++ = field;
  for (const ConfigKey& field : kTypeFields) *at++ = field;
  for (const ConfigKey& field : kScopeFields) *at++ = field;
  for (const ConfigKey& field : kSnowflakeFields) *at++ = field;
  return keys;
}();

}  // namespace

std::span<const Field<Config>> root_fields() noexcept { return kRootFields; }
std::span<const Field<TypeConfig>> type_fields() noexcept { return kTypeFields; }
std::span<const Field<ScopeConfig>> scope_fields() noexcept { return kScopeFields; }
std::span<const Field<SnowflakeConfig>> snowflake_fields() noexcept { return kSnowflakeFields; }

}  // namespace config

std::span<const ConfigKey> config_keys() noexcept { return config::kKeys; }

std::string_view name_of(TypeConfig::Storage storage) noexcept {
  return config::kStorages[static_cast<std::size_t>(storage)];
}
std::string_view name_of(TypeConfig::Tombstone tombstone) noexcept {
  return config::kTombstones[static_cast<std::size_t>(tombstone)];
}
std::string_view name_of(ScopeConfig::Order order) noexcept {
  return config::kOrders[static_cast<std::size_t>(order)];
}

}  // namespace tessera
