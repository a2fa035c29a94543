// Any body: what the parser of Boost.JSON refuses is refused here; what is accepted here it
// accepts, as an object without a key that stands twice, and the values are the same.

#include <boost/json/parse.hpp>

#include <array>

#include "service/json_body.h"
#include "support/fuzz.h"

namespace json = boost::json;
using tessera::fuzz::require;
using namespace tessera::service;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array<std::string_view, 4> kKeys = {"kind", "count", "strict", "ids"};
  const std::string_view text = tessera::fuzz::as_text(data, size);
  JsonBody body(text, kKeys);
  const bool read = body.fault() == nullptr;
  if (text.empty()) {
    require(read);
    return 0;
  }
  json::parse_options options;
  options.max_depth = JsonBody::kDepthMax;
  json::error_code ec;
  const json::value value = json::parse({text.data(), text.size()}, ec, {}, options);
  if (ec) {
    require(!read);
    return 0;
  }
  if (!read) {
    const Fault fault = body.fault()->fault;
    require(fault == Fault::type_mismatch || fault == Fault::unknown_field ||
            fault == Fault::duplicate_field);
    return 0;
  }
  const json::object& object = value.as_object();
  const auto* kind = object.if_contains("kind");
  const auto kind_text = body.text("kind");
  require(kind_text.has_value() == (kind != nullptr && kind->is_string()));
  if (kind_text) {
    const auto& other = kind->as_string();
    require(*kind_text == std::string_view(other.data(), other.size()));
  }
  JsonBody again(text, kKeys);
  const auto* count = object.if_contains("count");
  const auto number = again.number("count", 0, ~std::uint64_t{0});
  const bool whole =
      count != nullptr && ((count->is_int64() && count->as_int64() >= 0) || count->is_uint64());
  require(number.has_value() == whole);
  if (whole) require(*number == count->to_number<std::uint64_t>());
  return 0;
}
