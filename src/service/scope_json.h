#pragma once

// Scopes and ranges in JSON, both ways. Numbers of 64 bits are texts.

#include <algorithm>
#include <string>
#include <string_view>

#include "service/call.h"
#include "service/json_body.h"
#include "tessera/segment/store.h"
#include "tessera/time_text.h"

namespace tessera::service {

inline constexpr std::size_t kHolderSizeMax = 128;
inline constexpr std::size_t kKeySizeMax = 128;

inline std::string_view name_of_order(Scope::Order order) noexcept {
  return order == Scope::Order::strict ? "strict" : "process";
}

inline void write_scope(JsonWriter& json, const Scope& scope) {
  json.key("name").value(scope.name);
  write_number(json, "min", scope.min);
  write_number(json, "max", scope.max);
  json.key("step").value(scope.step).key("order").value(name_of_order(scope.order));
  json.key("js_safe").value(scope.js_safe);
}

inline void write_progress(JsonWriter& json, const ScopeState& state) {
  write_number(json, "high_water", state.high_water);
  write_number(json, "epoch", state.epoch);
  write_number(json, "draws", state.draws);
  json.key("updated");
  if (state.updated_ms == 0) {
    json.null();
  } else {
    json.value(time_text(static_cast<std::int64_t>(state.updated_ms)).view());
  }
}

inline void write_state(JsonWriter& json, const ScopeState& state) {
  json.begin_object();
  write_scope(json, state.scope);
  write_progress(json, state);
  json.end_object();
}

inline void write_segment(JsonWriter& json, const Segment& segment) {
  json.key("first").value(std::string_view(std::to_string(segment.first)));
  json.key("end").value(std::string_view(std::to_string(segment.end)));
}

inline bool is_printable(std::string_view text, std::size_t size_max) noexcept {
  return text.size() <= size_max &&
         std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

inline std::string_view read_printable(JsonBody& body, std::string_view key, std::size_t size_max) {
  const std::string_view text = body.text(key).value_or("");
  if (!is_printable(text, size_max)) {
    body.refuse(Fault::out_of_range, key,
                "'" + std::string(key) + "' must be at most " + std::to_string(size_max) +
                    " printable characters");
  }
  return text;
}

}  // namespace tessera::service
