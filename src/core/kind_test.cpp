// What the table of kinds promises: a row for each, complete, and a name that leads back to it.

#include "tessera/kind.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tessera {
namespace {

TEST(Kind, EveryKindIsExplained) {
  std::set<std::string_view> names;
  for (const KindInfo& info : all_kinds()) {
    SCOPED_TRACE(info.name);
    EXPECT_TRUE(names.insert(info.name).second);
    for (const std::string_view text : {info.name, info.title, info.size, info.picture, info.sorts,
                                        info.guess, info.tells, info.use}) {
      EXPECT_FALSE(text.empty());
      EXPECT_FALSE(text.ends_with('.'));
    }
    EXPECT_EQ(&info_of(info.kind), &info);
    EXPECT_EQ(name_of(info.kind), info.name);
    EXPECT_EQ(kind_of(info.name), info.kind);
  }
  EXPECT_EQ(names.size(), 14u);
}

TEST(Kind, ThePictureHasAllTheBits) {
  // The numbers in | name 48 | name 80 | add up.
  for (const auto& [name, bits] :
       {std::pair{"ulid", 128}, std::pair{"uuidv1", 128}, std::pair{"uuidv3", 128},
        std::pair{"uuidv4", 128}, std::pair{"uuidv5", 128}, std::pair{"uuidv6", 128},
        std::pair{"uuidv7", 128}, std::pair{"uuidv8", 128}, std::pair{"snowflake", 63},
        std::pair{"objectid", 96}, std::pair{"ksuid", 160}}) {
    const std::string picture(info_of(*kind_of(name)).picture);
    int sum = 0;
    for (std::size_t at = picture.find('|'); at != std::string::npos;) {
      const std::size_t end = picture.find('|', at + 1);
      if (end == std::string::npos) break;
      const std::string field = picture.substr(at + 1, end - at - 1);
      sum += std::stoi(field.substr(field.find_last_of(' ', field.size() - 2)));
      at = end;
    }
    EXPECT_EQ(sum, bits) << name;
  }
}

TEST(Kind, AUuidMayBeCalledInThreeWays) {
  for (const char* name : {"uuidv7", "uuid7", "uuid-v7"}) {
    EXPECT_EQ(kind_of(name), Kind::uuidv7) << name;
  }
  EXPECT_EQ(kind_of("uuid"), Kind::uuidv4);
}

TEST(Kind, OtherNamesAreNone) {
  for (const char* name : {"", "uuidv2", "uuid2", "uuid9", "uuid77", "uuidv", "uuid-7", "ULID",
                           "ulid ", "short-id", "long", "typeid", "public-id"}) {
    EXPECT_EQ(kind_of(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace tessera
