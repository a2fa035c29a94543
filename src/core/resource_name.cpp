// The text of a ResourceName.

#include "tessera/resource_name.h"

namespace tessera {

std::string ResourceName::to_string() const {
  std::string out;
  if (!service_.empty()) {
    out += "//";
    out += service_;
    out += '/';
  }
  for (std::size_t i = 0; i < depth_; ++i) {
    if (i > 0) out += '/';
    out += parts_[i].collection;
    out += '/';
    out += parts_[i].id;
  }
  return out;
}

}  // namespace tessera
