// What a verdict promises: valid with its canonical text, or a code, a place, and where there are
// check symbols what was meant. (tests/cli/ has many more, through the command line.)

#include "tessera/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tessera/random_id.h"

namespace tessera {
namespace {

Question about(std::string_view kind) {
  Question question;
  EXPECT_TRUE(question.ask_for(kind)) << kind;
  question.now_ms = 1'790'000'000'000;
  return question;
}

TEST(Verdict, KindsAreAskedForByEveryNameOfTheirs) {
  for (const std::string_view kind :
       {"ulid", "uuid", "uuidv1", "uuidv7", "objectid", "ksuid", "snowflake", "long", "random",
        "short", "public", "typeid", "name"}) {
    EXPECT_EQ(about(kind).as, kind);
  }
  EXPECT_EQ(about("uuid7").as, "uuidv7");
  EXPECT_EQ(about("uuid-v7").version, 7u);
  EXPECT_EQ(about("uuid").version, 0u);
  EXPECT_EQ(about("typeid").style, PublicStyle::type_id);
  Question question;
  for (const std::string_view kind : {"", "ULID", "uuidx", "uuidv9", "nothing"}) {
    EXPECT_FALSE(question.ask_for(kind)) << kind;
  }
}

TEST(Verdict, SaysWhatIsWrongAndWhere) {
  const Verdict good = judge(about("ulid"), "01m0mbz8zekmqp3g3v2km579hw");
  EXPECT_TRUE(good.valid());
  EXPECT_EQ(good.canonical, "01M0MBZ8ZEKMQP3G3V2KM579HW");
  const Verdict bad = judge(about("ulid"), "01M0MBZ8ZEKMQP3U3V2KM579HW");
  EXPECT_EQ(bad.code, "invalid_character");
  EXPECT_EQ(bad.offset, 15u);
  const Verdict version = judge(about("uuidv7"), "f47ac10b-58cc-4372-a567-0e02b2c3d479");
  EXPECT_EQ(version.code, "invalid_version");
  EXPECT_EQ(judge(Question{}, "!").code, "unknown");
  EXPECT_TRUE(judge(Question{}, "01M0MBZ8ZEKMQP3G3V2KM579HW").valid());
}

TEST(Verdict, TellsWhatWasMeantWhereThereIsACheck) {
  const std::string good = RandomId::generate(60)->to_string();
  std::string bad = good;
  std::swap(bad[2], bad[3]);
  if (bad == good) bad[2] = bad[2] == '0' ? '1' : '0';
  const Verdict verdict = judge(about("random"), bad);
  EXPECT_FALSE(verdict.valid());
  Question question = about("random");
  question.bits = 60;
  const auto& meant = judge(question, bad).suggestions;
  EXPECT_NE(std::ranges::find(meant, good), meant.end());
}

}  // namespace
}  // namespace tessera
