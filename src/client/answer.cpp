// Reads answers.

#include "client/answer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "tessera/parse_error.h"
#include "tessera/time_text.h"

namespace tessera {
namespace {

constexpr std::size_t kWordsMax = 400;  // of a message that came from elsewhere

std::string code_in(const HttpAnswer& answer) {
  const auto object = object_in(answer.body);
  return object ? std::string(text_in(*object, "code").value_or("")) : "";
}

// Those of the service that say that nothing was done, and may say something else later.
constexpr std::array<std::string_view, 6> kNotNow = {
    "overloaded", "store_unavailable",    "closed",
    "not_ready",  "too_many_connections", "too_many_requests"};

template <class Number>
std::optional<Number> number_in(const Json& object, std::string_view key) {
  const auto text = text_in(object, key);
  Number number = 0;
  if (!text || text->empty()) return std::nullopt;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
  if (read.ec != std::errc{} || read.ptr != text->data() + text->size()) return std::nullopt;
  return number;
}

Error::Code code_of(int status, std::string_view code) noexcept {
  const auto texts = error_code_texts();
  const auto known = std::ranges::find(texts, code, &ErrorCodeText::name);
  if (known != texts.end()) return known->code;
  if (status == 429) return Error::Code::overloaded;
  if (status == 400 || status == 413 || status == 414) return Error::Code::invalid_request;
  if (std::ranges::find(kNotNow, code) != kNotNow.end()) return Error::Code::store_unavailable;
  return Error::Code::store_failed;
}

}  // namespace

std::optional<Json> object_in(std::string_view body) {
  auto value = Json::parse(body);
  if (!value || !value->is_object()) return std::nullopt;
  return value;
}

std::optional<std::string_view> text_in(const Json& object, std::string_view key) {
  return object.text_in(key);
}

std::optional<std::int64_t> long_in(const Json& object, std::string_view key) {
  return number_in<std::int64_t>(object, key);
}

std::optional<std::uint64_t> unsigned_in(const Json& object, std::string_view key) {
  return number_in<std::uint64_t>(object, key);
}

std::optional<bool> truth_in(const Json& object, std::string_view key) {
  return object.truth_in(key);
}

std::optional<std::uint64_t> time_in(const Json& object, std::string_view key) {
  const auto text = text_in(object, key);
  const auto time_ms = text ? parse_time(*text) : std::nullopt;
  if (!time_ms || *time_ms < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*time_ms);
}

Advice advice_of(const HttpAnswer& answer) {
  if (answer.status == 429) return Advice::again;
  if (answer.status < 500 && answer.status != 408) return Advice::final;
  const std::string code = code_in(answer);
  if (std::ranges::find(kNotNow, code) != kNotNow.end()) return Advice::again;
  const auto texts = error_code_texts();
  const auto known = std::ranges::find(texts, code, &ErrorCodeText::name);
  if (known != texts.end() && !known->retry) return Advice::final;
  // The rest comes from a store that lost an answer, or from somebody between us and the service.
  return Advice::again_if_repeatable;
}

Error error_of(const HttpAnswer& answer) {
  const auto object = object_in(answer.body);
  const std::string_view code = object ? text_in(*object, "code").value_or("") : "";
  Error error{code_of(answer.status, code), {}, {}};
  if (object) {
    const auto detail = text_in(*object, "detail");
    error.message = printable(detail ? *detail : text_in(*object, "title").value_or(""), kWordsMax);
    error.hint = printable(text_in(*object, "hint").value_or(""), kWordsMax);
  }
  if (error.message.empty()) {
    error.message = "the service answered with status " + std::to_string(answer.status);
  }
  if (answer.status == 401) {
    error.hint = "Set TESSERA_TOKEN, or TESSERA_TOKEN_FILE, to a token of that service.";
  }
  return error;
}

Error odd_answer(std::string_view what) {
  return {Error::Code::store_failed, "the service answered without " + std::string(what),
          "Is it a Tessera of this version?"};
}

}  // namespace tessera
