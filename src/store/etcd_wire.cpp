// Writes transactions and reads their answers.

#include "store/etcd_wire.h"

#include "tessera/json.h"

namespace tessera::etcd {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void add(std::string& list, std::string_view item) {
  if (!list.empty()) list += ',';
  list += item;
}

JsonWriter span_of(const Span& keys) {
  JsonWriter json;
  json.begin_object().key("key").value(base64(keys.first));
  if (!keys.end.empty()) json.key("range_end").value(base64(keys.end));
  return json;
}

// Whole numbers of 64 bits are texts, as the gateway itself writes them.
std::string compare(const Span& keys, std::string_view target, std::string_view field,
                    std::string_view result, std::string_view value) {
  JsonWriter json = span_of(keys);
  json.key("target").value(target).key("result").value(result).key(field).value(value);
  return json.end_object().take();
}

std::string step(std::string_view name, const std::string& inner) {
  return R"({")" + std::string(name) + R"(":)" + inner + "}";
}

std::string range(const Span& keys, std::int64_t count_max) {
  JsonWriter json = span_of(keys);
  if (count_max > 0) json.key("limit").value(count_max);
  return step("request_range", json.end_object().take());
}

// What is zero is not written.
std::optional<std::int64_t> number_in(const Json& object, std::string_view name) {
  const Json* value = object.find(name);
  return value == nullptr ? std::optional<std::int64_t>(0) : value->whole();
}

std::optional<std::string> bytes_in(const Json& object, std::string_view name) {
  const Json* value = object.find(name);
  if (value == nullptr) return std::string();
  const auto text = value->text();
  return text ? from_base64(*text) : std::nullopt;
}

std::optional<Entry> entry_of(const Json& object) {
  auto key = bytes_in(object, "key");
  auto value = bytes_in(object, "value");
  const auto created = number_in(object, "create_revision");
  const auto modified = number_in(object, "mod_revision");
  // Whatever is there was written once.
  if (!key || !value || !created || !modified || *created < 1 || *modified < *created) {
    return std::nullopt;
  }
  return Entry{*std::move(key), *std::move(value), *created, *modified};
}

std::optional<std::vector<Entry>> entries_of(const Json& step) {
  std::vector<Entry> entries;
  const Json* range = step.find("response_range");
  const Json* list = range == nullptr ? nullptr : range->find("kvs");
  if (!step.is_object() || (range != nullptr && !range->is_object())) return std::nullopt;
  if (list == nullptr) return entries;
  if (!list->is_list()) return std::nullopt;
  for (const Json& item : list->items()) {
    auto entry = entry_of(item);
    if (!entry) return std::nullopt;
    entries.push_back(*std::move(entry));
  }
  return entries;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<std::uint8_t>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::size_t digits = 4;
    if (i + 4 == text.size() && text[i + 3] == '=') digits = text[i + 2] == '=' ? 2 : 3;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t digit = j < digits ? kDigits.find(text[i + j]) : 0;
      if (digit == std::string_view::npos) return std::nullopt;
      group = group << 6 | static_cast<std::uint32_t>(digit);
    }
    const std::uint32_t unused = digits == 4 ? 0 : digits == 3 ? 0xFF : 0xFFFF;
    if ((group & unused) != 0) return std::nullopt;
    for (std::size_t j = 0; j + 1 < digits; ++j) {
      out += static_cast<char>(group >> (16 - 8 * j) & 0xFF);
    }
  }
  return out;
}

Span prefixed(std::string prefix) {
  std::string end = prefix;
  end.back() = static_cast<char>(end.back() + 1);  // our prefixes end with a slash
  return {std::move(prefix), std::move(end)};
}

Txn& Txn::if_absent(const Span& keys) {
  add(compares_, compare(keys, "VERSION", "version", "EQUAL", "0"));
  return *this;
}

Txn& Txn::if_present(const Span& key) {
  add(compares_, compare(key, "VERSION", "version", "GREATER", "0"));
  return *this;
}

Txn& Txn::if_unchanged(const Entry& seen) {
  const Span key{seen.key};
  add(compares_, compare(key, "MOD", "mod_revision", "EQUAL", std::to_string(seen.mod_revision)));
  // A store that was set back to an old snapshot counts its revisions anew.
  add(compares_, compare(key, "VALUE", "value", "EQUAL", base64(seen.value)));
  return *this;
}

Txn& Txn::put(std::string_view key, std::string_view value, std::int64_t lease) {
  JsonWriter json;
  json.begin_object().key("key").value(base64(key)).key("value").value(base64(value));
  if (lease != 0) json.key("lease").value(std::string_view(std::to_string(lease)));
  add(then_, step("request_put", json.end_object().take()));
  ++then_count_;
  changes_ = true;
  return *this;
}

Txn& Txn::remove(std::string_view key) {
  add(then_, step("request_delete_range", span_of({std::string(key)}).end_object().take()));
  ++then_count_;
  changes_ = true;
  return *this;
}

Txn& Txn::get(const Span& keys, std::int64_t count_max) {
  add(then_, range(keys, count_max));
  ++then_count_;
  return *this;
}

Txn& Txn::otherwise_get(const Span& keys, std::int64_t count_max) {
  add(else_, range(keys, count_max));
  ++else_count_;
  return *this;
}

std::string Txn::body() const {
  return R"({"compare":[)" + compares_ + R"(],"success":[)" + then_ + R"(],"failure":[)" + else_ +
         "]}";
}

std::optional<TxnAnswer> read_answer(const Json& answer, const Txn& asked) {
  TxnAnswer read;
  const Json* header = answer.find("header");
  if (header == nullptr || !header->is_object()) return std::nullopt;
  const auto revision = number_in(*header, "revision");
  const Json* succeeded = answer.find("succeeded");
  if (!revision || *revision < 1) return std::nullopt;
  if (succeeded != nullptr && succeeded->kind() != Json::Kind::truth) return std::nullopt;
  read.revision = *revision;
  read.succeeded = answer.truth_in("succeeded").value_or(false);
  const Json* steps = answer.find("responses");
  if (steps != nullptr && !steps->is_list()) return std::nullopt;
  for (std::size_t i = 0; steps != nullptr && i < steps->items().size(); ++i) {
    auto found = entries_of(steps->items()[i]);
    if (!found) return std::nullopt;
    read.found.push_back(*std::move(found));
  }
  if (read.found.size() != asked.steps(read.succeeded)) return std::nullopt;
  return read;
}

std::optional<Grant> read_grant(const Json& answer) {
  if (!answer.is_object()) return std::nullopt;
  const auto id = number_in(answer, "ID");
  const auto ttl_s = number_in(answer, "TTL");
  if (!id || *id <= 0 || !ttl_s || *ttl_s < 0) return std::nullopt;
  return Grant{*id, *ttl_s};
}

// It is a stream of answers, of which one question gets one.
std::optional<Grant> read_keepalive(const Json& answer) {
  const Json* result = answer.find("result");
  return result == nullptr ? std::nullopt : read_grant(*result);
}

}  // namespace tessera::etcd
