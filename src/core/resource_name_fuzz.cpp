// Any bytes, as a resource name and as the parts of one: what is read is written back as it was,
// is built again by its parts, and lies within each of its ancestors and nothing else.

#include "support/fuzz.h"
#include "tessera/resource_name.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

void require_good(const ResourceName& name) {
  require(name.depth() >= 1 && name.depth() <= ResourceName::kDepthMax);
  ResourceName built = ResourceName::root();
  for (const auto& [collection, id] : name.parts()) {
    require(!ResourceName::collection_fault(collection) && !ResourceName::id_fault(id));
    const auto child = built.child(collection, id);
    require(child && child->is_within(built) && !built.is_within(*child));
    require(child->parent().value_or(ResourceName::root()) == built);
    built = *child;
  }
  if (name.service().empty()) require(built == name);
  require(!name.is_within(name));
  for (auto above = name.parent(); above; above = above->parent()) {
    require(name.is_within(*above) && above->service() == name.service());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  const auto name = ResourceName::parse(text);
  const auto full = ResourceName::parse_full(text);
  if (name) {
    require(full == name);
    require(name->to_string() == text && name->service().empty());
    require_good(*name);
  } else {
    require_sound(name.error(), text);
  }
  if (full) {
    require(full->to_string() == text);
    require_good(*full);
  } else {
    require_sound(full.error(), text);
  }

  // Two pieces as the parts of a child: good if each is, and then one piece of a name.
  const std::string_view collection = text.substr(0, size / 2);
  const std::string_view id = text.substr(size / 2);
  const auto child = ResourceName::root().child(collection, id);
  const bool good = !ResourceName::collection_fault(collection) && !ResourceName::id_fault(id);
  require(static_cast<bool>(child) == good);
  const auto joined = std::string(collection) + "/" + std::string(id);
  if (good) {
    require(ResourceName::parse(joined) == child);
  } else {
    require(child.error().offset <= joined.size());
  }
  return 0;
}
