#pragma once

// JsonBody: the body of a request, read within bounds and strictly.
//
//   constexpr std::array<std::string_view, 2> kKeys = {"kind", "count"};
//   JsonBody body(request.body, kKeys);
//   const auto kind = body.text("kind");
//   const auto count = body.number("count", 1, 1000);
//   if (body.fault()) return refuse(answer, *body.fault());
//
// A body is one object whose values are texts, whole numbers, truths, or lists of texts. What is
// deeper, twice or not known is refused, with its place. An empty body is an empty object.
//
// Views are into the text that was read, or into this object. Not thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/problem.h"

namespace tessera::service {

// The first thing that is wrong.
struct BodyFault {
  Fault fault = Fault::invalid_json;
  std::string pointer{};  // RFC 6901; empty: the whole
  std::string detail{};
  std::string hint{};
};
void set_problem(Answer& answer, const BodyFault& fault);

class JsonBody {
 public:
  static constexpr std::size_t kDepthMax = 8;
  static constexpr std::size_t kFieldsMax = 16;

  // `keys` are those that are known; at most kFieldsMax. They must outlive the body.
  JsonBody(std::string_view text, std::span<const std::string_view> keys);
  JsonBody(const JsonBody&) = delete;
  JsonBody& operator=(const JsonBody&) = delete;

  // Nothing, if it is not there or something is wrong.
  std::optional<std::string_view> text(std::string_view key);
  std::optional<std::uint64_t> number(std::string_view key, std::uint64_t min, std::uint64_t max);
  std::optional<bool> truth(std::string_view key);
  std::optional<std::span<const std::string_view>> texts(std::string_view key,
                                                         std::size_t count_max);

  bool has(std::string_view key) const noexcept { return find(key) != nullptr; }
  void require(std::string_view key);
  // Of a value that is of the right type and makes no sense all the same.
  void refuse(Fault fault, std::string_view key, std::string detail, std::string hint = {});

  const BodyFault* fault() const noexcept { return fault_ ? &*fault_ : nullptr; }

 private:
  class Handler;

  enum class Type : std::uint8_t { text, number, truth, null, list, object };
  struct Field {
    std::string_view key;
    Type type = Type::null;
    bool truth = false;
    bool whole = false;  // of a number: no fraction and no exponent
    bool fits = false;   // of a whole number: 0 to 2^64 - 1
    std::uint64_t number = 0;
    std::string_view text{};
    std::size_t first = 0, count = 0;  // of a list, in items_
  };

  void read(std::string_view text);
  const Field* find(std::string_view key) const noexcept;
  const Field* find(std::string_view key, Type type, std::string_view wanted);

  std::span<const std::string_view> keys_;
  std::optional<BodyFault> fault_;
  std::size_t field_count_ = 0;
  std::array<Field, kFieldsMax> fields_{};
  std::vector<std::string_view> items_;
  std::vector<std::unique_ptr<std::string>> kept_;  // texts that had escapes
};

}  // namespace tessera::service
