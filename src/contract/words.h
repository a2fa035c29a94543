#pragma once

// Names of fields, columns and parameters, taken apart: store_id, storeId and StoreID are the
// words "store" and "id".

#include <string>
#include <string_view>

namespace tessera::contract {

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
std::string lowered(std::string_view text);

// Equal but for case, hyphens and underscores: order_item is orderItem.
bool same_word(std::string_view a, std::string_view b) noexcept;

// What a name says about an ID.
struct IdName {
  bool is_id = false;      // "id", or ends with the word id, ids, ulid or public_id
  bool is_own = false;     // of the thing itself: id, public_id, ulid
  std::string_view whose;  // "store" of store_id, of store_public_id, of storeIds; part of the name
};
IdName id_name(std::string_view name) noexcept;

}  // namespace tessera::contract
