// Reads bodies by Boost.JSON's parser, which calls back for each piece: nothing is built that is
// not wanted, and a key that stands twice is seen.

#include "service/json_body.h"

#include <boost/json/basic_parser_impl.hpp>

#include <algorithm>

#include "tessera/parse_error.h"
#include "tessera/spelling.h"

namespace tessera::service {
namespace {

namespace json = boost::json;

std::string pointer_of(std::string_view key) {
  std::string pointer = "/";
  for (const char c : key.substr(0, 80)) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

}  // namespace

void set_problem(Answer& answer, const BodyFault& fault) {
  const FaultText& text = text_of(fault.fault);
  set_problem(answer, Problem{.status = text.status,
                              .code = text.code,
                              .title = text.title,
                              .detail = fault.detail,
                              .hint = fault.hint,
                              .pointer = fault.pointer});
}

// What Boost.JSON calls. A false answer with an error ends the parse; the fault is kept.
class JsonBody::Handler {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the names are Boost's
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  // NOLINTEND(readability-identifier-naming)
  using Ec = json::error_code;
  using View = json::string_view;

  explicit Handler(JsonBody& body, std::string_view text) : body_(body), text_(text) {}

  bool on_document_begin(Ec&) { return true; }
  bool on_document_end(Ec&) { return true; }

  bool on_object_begin(Ec& ec) {
    ++depth_;
    if (depth_ == 1) return true;
    return nested(ec);
  }
  bool on_object_end(std::size_t, Ec&) {
    --depth_;
    return true;
  }
  bool on_array_begin(Ec& ec) {
    ++depth_;
    if (depth_ == 1) return top_must_be_object(ec);
    if (depth_ > 2) return nested(ec);
    field_->type = Type::list;
    field_->first = body_.items_.size();
    return true;
  }
  bool on_array_end(std::size_t, Ec&) {
    --depth_;
    if (depth_ == 1) field_->count = body_.items_.size() - field_->first;
    return true;
  }

  bool on_key_part(View part, std::size_t, Ec&) {
    add(part);
    return true;
  }
  bool on_key(View part, std::size_t, Ec& ec) {
    const std::string_view key = whole(part);
    if (depth_ > 1) return true;  // of an object that is refused anyway
    if (body_.find(key) != nullptr) {
      return refuse(ec, Fault::duplicate_field, pointer_of(key), quoted(key) + " stands twice");
    }
    if (std::ranges::find(body_.keys_, key) == body_.keys_.end()) {
      const std::string_view near = nearest(key, body_.keys_);
      std::string hint;
      if (!near.empty()) {
        hint = "Did you mean " + quoted(near) + "?";
      } else {
        for (const std::string_view known : body_.keys_) {
          hint += (hint.empty() ? "Known are: " : ", ") + std::string(known);
        }
        if (!hint.empty()) hint += '.';
      }
      return refuse(ec, Fault::unknown_field, pointer_of(key), "there is no field " + quoted(key),
                    std::move(hint));
    }
    field_ = &body_.fields_[body_.field_count_++];  // known and not twice: there is room
    field_->key = key;
    return true;
  }

  bool on_string_part(View part, std::size_t, Ec&) {
    add(part);
    return true;
  }
  bool on_string(View part, std::size_t, Ec& ec) {
    const std::string_view text = whole(part);
    if (depth_ == 2) {
      body_.items_.push_back(text);
      return true;
    }
    if (!scalar(Type::text, ec)) return false;
    field_->text = text;
    return true;
  }

  bool on_number_part(View part, Ec&) {
    note_number(part);
    return true;
  }
  bool on_int64(std::int64_t number, View, Ec& ec) {
    if (!scalar(Type::number, ec)) return false;
    field_->whole = true;
    field_->fits = number >= 0;
    field_->number = static_cast<std::uint64_t>(number);
    return true;
  }
  bool on_uint64(std::uint64_t number, View, Ec& ec) {
    if (!scalar(Type::number, ec)) return false;
    field_->whole = field_->fits = true;
    field_->number = number;
    return true;
  }
  bool on_double(double, View part, Ec& ec) {
    note_number(part);
    const bool whole = !fraction_;
    fraction_ = false;
    if (!scalar(Type::number, ec)) return false;
    field_->whole = whole;
    return true;
  }
  bool on_bool(bool truth, Ec& ec) {
    if (!scalar(Type::truth, ec)) return false;
    field_->truth = truth;
    return true;
  }
  bool on_null(Ec& ec) { return scalar(Type::null, ec); }
  bool on_comment_part(View, Ec&) { return true; }
  bool on_comment(View, Ec&) { return true; }

 private:
  bool refuse(Ec& ec, Fault fault, std::string pointer, std::string detail, std::string hint = {}) {
    body_.fault_ = BodyFault{fault, std::move(pointer), std::move(detail), std::move(hint)};
    ec = json::error::syntax;
    return false;
  }
  bool top_must_be_object(Ec& ec) {
    return refuse(ec, Fault::type_mismatch, "", "the body must be an object");
  }
  // Where a field has an object, or a list something else than texts.
  bool nested(Ec& ec) {
    // Deeper down it may still be too deep, or no JSON: that would be the worse mistake.
    if (depth_ == 2) field_->type = Type::object;
    if (depth_ == 3 && field_->type == Type::list) field_->type = Type::object;
    static_cast<void>(ec);
    return true;
  }
  // A value that is no list and no object has come.
  bool scalar(Type type, Ec& ec) {
    if (depth_ == 0) return top_must_be_object(ec);
    if (depth_ == 1) {
      field_->type = type;
    } else if (depth_ == 2) {
      field_->type = Type::object;  // a list of numbers is none of texts
    }
    return true;
  }

  void note_number(View part) {
    fraction_ = fraction_ || std::string_view(part.data(), part.size()).find_first_of(".eE") !=
                                 std::string_view::npos;
  }

  void add(View part) { parts_.append(part.data(), part.size()); }
  // A text without escapes is a part of the body; any other is kept.
  std::string_view whole(View last) {
    const std::string_view view(last.data(), last.size());
    const bool inside =
        view.data() >= text_.data() && view.data() + view.size() <= text_.data() + text_.size();
    if (parts_.empty() && (inside || view.empty())) return view;
    parts_ += view;
    body_.kept_.push_back(std::make_unique<std::string>(std::move(parts_)));
    parts_.clear();
    return *body_.kept_.back();
  }

  JsonBody& body_;
  std::string_view text_;
  std::size_t depth_ = 0;
  Field* field_ = nullptr;
  bool fraction_ = false;
  std::string parts_;
};

JsonBody::JsonBody(std::string_view text, std::span<const std::string_view> keys) : keys_(keys) {
  if (!text.empty()) read(text);
}

void JsonBody::read(std::string_view text) {
  json::parse_options options;
  options.max_depth = kDepthMax;
  json::basic_parser<Handler> parser(options, *this, text);
  json::error_code ec;
  const std::size_t size = parser.write_some(false, text.data(), text.size(), ec);
  if (!ec && size < text.size()) ec = json::error::extra_data;
  if (!ec || fault_) return;
  if (ec == json::error::too_deep) {
    fault_ = BodyFault{Fault::nesting_too_deep, "",
                       "the body is nested deeper than " + std::to_string(kDepthMax), ""};
    return;
  }
  fault_ = BodyFault{Fault::invalid_json, "",
                     ec.message() + ", at byte " + std::to_string(size) + " of the body", ""};
}

const JsonBody::Field* JsonBody::find(std::string_view key) const noexcept {
  for (std::size_t i = 0; i < field_count_; ++i) {
    if (fields_[i].key == key) return &fields_[i];
  }
  return nullptr;
}

const JsonBody::Field* JsonBody::find(std::string_view key, Type type, std::string_view wanted) {
  if (fault_) return nullptr;
  const Field* field = find(key);
  if (field == nullptr || field->type == type) return field;
  refuse(Fault::type_mismatch, key, quoted(key) + " must be " + std::string(wanted));
  return nullptr;
}

std::optional<std::string_view> JsonBody::text(std::string_view key) {
  const Field* field = find(key, Type::text, "a text");
  return field == nullptr ? std::nullopt : std::optional(field->text);
}

std::optional<std::uint64_t> JsonBody::number(std::string_view key, std::uint64_t min,
                                              std::uint64_t max) {
  constexpr std::string_view kWanted = "a whole number";
  const Field* field = find(key, Type::number, kWanted);
  if (field == nullptr) return std::nullopt;
  if (!field->whole) {
    refuse(Fault::type_mismatch, key, quoted(key) + " must be " + std::string(kWanted));
    return std::nullopt;
  }
  if (!field->fits || field->number < min || field->number > max) {
    refuse(Fault::out_of_range, key,
           quoted(key) + " must be " + std::to_string(min) + " to " + std::to_string(max));
    return std::nullopt;
  }
  return field->number;
}

std::optional<bool> JsonBody::truth(std::string_view key) {
  const Field* field = find(key, Type::truth, "true or false");
  return field == nullptr ? std::nullopt : std::optional(field->truth);
}

std::optional<std::span<const std::string_view>> JsonBody::texts(std::string_view key,
                                                                 std::size_t count_max) {
  const Field* field = find(key, Type::list, "a list of texts");
  if (field == nullptr) return std::nullopt;
  if (field->count > count_max) {
    refuse(Fault::out_of_range, key,
           quoted(key) + " must have at most " + std::to_string(count_max) + " texts");
    return std::nullopt;
  }
  return std::span<const std::string_view>(items_).subspan(field->first, field->count);
}

void JsonBody::require(std::string_view key) {
  if (!fault_ && !has(key)) {
    refuse(Fault::missing_field, key, "the field " + quoted(key) + " is missing");
  }
}

void JsonBody::refuse(Fault fault, std::string_view key, std::string detail, std::string hint) {
  if (!fault_) fault_ = BodyFault{fault, pointer_of(key), std::move(detail), std::move(hint)};
}

}  // namespace tessera::service
