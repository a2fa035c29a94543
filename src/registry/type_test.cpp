// Promised: a text is of the type whose prefix and separator it begins with, all of them, or of
// none.

#include "tessera/registry/type.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tessera/ulid.h"

namespace tessera {
namespace {

RegistryTypes types_of(const std::vector<ResourceType>& ids) {
  TypeTable table;
  std::vector<RegistryType> types;
  for (const ResourceType& id : ids) {
    EXPECT_TRUE(table.add(id)) << id.name;
    types.push_back({.name = id.name, .collection = id.name + "s", .scope = "S"});
  }
  return std::move(*RegistryTypes::make(table, std::move(types)));
}

TEST(RegistryTypes, KnowAnIdByAllOfItsPrefix) {
  // Prefixes below, at and above the eight bytes of a word, of which some begin alike.
  const RegistryTypes types = types_of({
      {.name = "one", .prefix = "a"},
      {.name = "dash", .prefix = "ab", .separator = '-'},
      {.name = "seven", .prefix = "abcdefg"},
      {.name = "eight", .prefix = "abcdefgh"},
      {.name = "nine", .prefix = "abcdefghi"},
      {.name = "other", .prefix = "abcdefghj", .separator = '.'},
      {.name = "long", .prefix = "abcdefghijklmnopqrstuvw"},
  });
  const std::string body = Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV")->to_string();
  for (const auto& type : types.all()) {
    const std::string front = type->id.prefix + type->id.separator;
    const TypedBody found = types.parse(front + body);
    EXPECT_EQ(found.type, type.get()) << front;
    EXPECT_EQ(found.body, Ulid::parse(body)->bytes);
    for (std::size_t i = 0; i < front.size(); ++i) {
      std::string wrong = front + body;
      wrong[i] = 'z';
      EXPECT_EQ(types.parse(wrong).type, nullptr) << wrong;
    }
    for (std::size_t size = 0; size <= front.size() + 1; ++size) {
      EXPECT_EQ(types.parse((front + body).substr(0, size)).type, nullptr) << front << ' ' << size;
    }
  }
}

TEST(RegistryTypes, SayWhatIsATenant) {
  for (const auto* tenant : {"a", "acme", "A-b_c.d~9"}) {
    EXPECT_TRUE(is_tenant(tenant)) << tenant;
    EXPECT_FALSE(fault_of_tenant(tenant)) << tenant;
  }
  EXPECT_TRUE(is_tenant(std::string(64, 'x')));
  for (const std::string& tenant : {std::string(), std::string("."), std::string(".."),
                                    std::string("a/b"), std::string("a b"), std::string(65, 'x')}) {
    EXPECT_FALSE(is_tenant(tenant)) << tenant;
    EXPECT_TRUE(fault_of_tenant(tenant)) << tenant;
  }
}

}  // namespace
}  // namespace tessera
