#pragma once

// Call: what a handler works on. The caller is known and may ask.

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "service/message.h"
#include "service/metrics.h"
#include "service/path.h"
#include "service/routes.h"
#include "service/store_probe.h"
#include "tessera/json.h"
#include "tessera/service/service.h"

namespace tessera::service {

// What lasts from request to request. Thread-safe.
struct ApiState {
  Metrics metrics;
  std::string openapi;
  std::string openapi_etag;
  std::span<const Asset> assets;  // of the console
  StoreProbe store;
};

struct Call {
  const Installation& on;
  const Request& request;
  Answer& answer;
  const Route& route;
  const Path& path;
  Media media;         // of those the route offers
  const Token* token;  // null: no token is asked for
  ApiState& state;

  bool may(Ability ability) const noexcept {
    return token == nullptr || token->abilities.has(ability);
  }
  // Keys are told to our own services only, and of those to whom they were promised.
  bool may_see_keys() const noexcept { return request.internal && may(Ability::resolve); }
};

// Answers with what `json` wrote.
inline Outcome answer_json(Call& call, JsonWriter& json, int status = 200) {
  call.answer.status = status;
  call.answer.media = Media::json;
  call.answer.body = json.take();
  return Outcome::done;
}

template <class... What>
Outcome answer_problem(Call& call, const What&... what) {
  set_problem(call.answer, what...);
  return Outcome::done;
}

// Numbers of 64 bits are texts in JSON, all of them: a type that changes with the value is a trap.
inline void write_number(JsonWriter& json, std::string_view key, std::int64_t number) {
  json.key(key).value(std::string_view(std::to_string(number)));
}

// "GET /v1/ids", answered: 304 if the caller has it already.
void set_etag(Call& call, const std::string& etag, std::string_view cache);

}  // namespace tessera::service
