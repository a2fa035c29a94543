// Reads public IDs and resource names, and guesses what was meant by others.

#include "tessera/registry/target.h"

#include <algorithm>

#include "tessera/check.h"
#include "tessera/public_id.h"
#include "tessera/resource_name.h"
#include "tessera/short_id.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

constexpr std::size_t kGuessSizeMax = 128;  // beyond, it is no slip of the finger

ParseError fault_at(Code code, std::size_t offset) {
  return {code, static_cast<std::uint32_t>(offset)};
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

// The canonical text of what a person typed, if it can be read at all.
std::string friendly_id(const RegisteredType& type, std::string_view text) {
  const std::string front = type.id.prefix + type.id.separator;
  if (type.declared.short_bits != 0) {
    if (!lower(text).starts_with(front)) return "";
    const auto number = ShortId::parse(text.substr(front.size()), type.declared.short_bits);
    return number ? front + number->to_string() : "";
  }
  const auto mended = public_id::friendly_spelling(text, type.id.style, type.id.separator);
  const auto body = type.parse(mended.view());
  return body ? type.text_of(*body) : "";
}

// The text that may have been meant by one that is no ID of this type; often empty.
std::string likely_id(const RegisteredType& type, std::string_view text) {
  if (text.size() > kGuessSizeMax) return "";
  if (std::string mended = friendly_id(type, text); !mended.empty()) {
    return mended == text ? "" : mended;
  }
  // Where there are check symbols, one changed or swapped character can be found.
  const std::string front = type.id.prefix + type.id.separator;
  const bool checked = type.declared.short_bits != 0 || type.id.style == PublicStyle::checked;
  if (!checked || !lower(text).starts_with(front)) return "";
  std::string body = upper(text.substr(front.size()));
  std::erase(body, '-');
  const auto found = likely_corrections(body, [&](std::string_view changed) {
    return static_cast<bool>(type.parse(front + std::string(changed)));
  });
  if (found.count == 0) return "";
  const Correction& best = found.list[0];
  if (best.kind == Correction::Kind::swap) {
    std::swap(body[best.offset], body[best.offset + 1]);
  } else {
    body[best.offset] = best.symbol;
  }
  return front + body;
}

// The same for a text of no known type.
std::string likely_id(const RegistryTypes& types, std::string_view text) {
  if (text.size() > kGuessSizeMax) return "";
  for (const auto& type : types.all()) {
    if (std::string mended = friendly_id(*type, text); !mended.empty()) return mended;
  }
  return "";
}

Error invalid_request(std::string message, std::string hint) {
  return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
}

}  // namespace

ResourceTarget read_target(const RegistryTypes& types, std::string_view tenant,
                           std::string_view text) {
  ResourceTarget target;
  const auto invalid = [&](Code code, std::size_t offset, std::string correction = "") {
    target.fault = fault_at(code, offset);
    target.correction = std::move(correction);
    return target;
  };
  const TypedBody typed = types.parse(text);
  if (typed.type != nullptr) {
    target.type = typed.type;
    target.body = typed.body;
    return target;
  }
  if (text.find('/') == std::string_view::npos) {
    target.type = types.type_of(text);
    if (target.type == nullptr) return invalid(Code::unknown_prefix, 0, likely_id(types, text));
    const ParseError fault = target.type->parse(text).error();  // or types had read it
    return invalid(fault.code, fault.offset, likely_id(*target.type, text));
  }

  const auto name = ResourceName::parse(text);
  if (!name) return invalid(name.error().code, name.error().offset);
  const auto offset_of = [&](std::string_view part) {
    return static_cast<std::size_t>(part.data() - text.data());
  };
  auto parts = name->parts();
  if (parts[0].collection == "tenants") {
    target.elsewhere = parts[0].id != tenant;
    parts = parts.subspan(1);
    if (parts.empty()) return invalid(Code::invalid_resource_name, text.size());
  }
  target.type = types.find_by_collection(parts.back().collection);
  if (target.type == nullptr) {
    return invalid(Code::invalid_resource_name, offset_of(parts.back().collection));
  }
  // From the end to the beginning, so that each is of the type above.
  std::vector<IdBody> bodies;
  const RegisteredType* type = target.type;
  for (std::size_t i = parts.size(); i-- > 0; type = type->parent) {
    const auto& [collection, id] = parts[i];
    if (type == nullptr || type->declared.collection != collection) {
      return invalid(Code::invalid_resource_name, offset_of(collection));
    }
    std::string whole(id);
    std::size_t front_size = 0;
    if (type->declared.alias && types.type_of(id) != type) {
      if (!id.starts_with('0')) {
        target.alias = true;
        return invalid(Code::invalid_resource_name, offset_of(id));
      }
      whole = type->id.prefix + type->id.separator + whole;
      front_size = type->id.prefix.size() + 1;
    }
    const auto body = type->parse(whole);
    if (!body) {
      std::string correction = likely_id(*type, whole);
      if (!correction.empty()) {
        correction = std::string(text.substr(0, offset_of(id))) + correction +
                     std::string(text.substr(offset_of(id) + id.size()));
      }
      const std::size_t at = body.error().offset;
      return invalid(body.error().code, offset_of(id) + (at > front_size ? at - front_size : 0),
                     std::move(correction));
    }
    bodies.push_back(*body);
  }
  if (type != nullptr) return invalid(Code::invalid_resource_name, offset_of(parts[0].collection));
  target.body = bodies[0];
  target.ancestors.emplace(bodies.begin() + 1, bodies.end());
  return target;
}

LookUp invalid_answer(ResourceTarget target) {
  LookUp answer;
  answer.state = LookUp::State::invalid;
  answer.type = target.type;
  answer.fault = target.fault;
  answer.correction = std::move(target.correction);
  answer.alias = target.alias;
  return answer;
}

Error no_parent(const RegisteredType& type, std::string_view parent) {
  return Error{Error::Code::not_found,
               "there is no " + quoted(type.parent->name()) + " " + quoted(parent) +
                   " to create a " + quoted(type.name()) + " in",
               "It was never issued, or has ended, or belongs to another tenant."};
}

Result<ResourceTarget, Error> read_parent(const RegistryTypes& types, const RegisteredType& type,
                                          std::string_view tenant, std::string_view parent) {
  if (type.parent == nullptr) {
    if (parent.empty()) return ResourceTarget{};
    return Failure{
        invalid_request("type " + quoted(type.name()) + " has no parent", "Leave it out.")};
  }
  if (parent.empty()) {
    return Failure{
        invalid_request("a " + quoted(type.name()) + " belongs to a " + quoted(type.parent->name()),
                        "Name its parent.")};
  }
  ResourceTarget target = read_target(types, tenant, parent);
  if (target.fault) {
    return Failure{invalid_request(
        "not a parent: " + describe(*target.fault, parent),
        target.correction.empty() ? "" : "Did you mean " + target.correction + "?")};
  }
  if (target.type != type.parent) {
    return Failure{invalid_request("a " + quoted(type.name()) + " belongs to a " +
                                       quoted(type.parent->name()) + ", not to a " +
                                       quoted(target.type->name()),
                                   "Name its parent.")};
  }
  return target;
}

Result<const RegisteredType*, Error> type_named(const RegistryTypes& types, std::string_view name) {
  const RegisteredType* type = types.find(name);
  if (type != nullptr) return type;
  return Failure{Error{Error::Code::not_found, "there is no type " + quoted(name),
                       "Types are declared; names are compared letter by letter."}};
}

}  // namespace tessera
