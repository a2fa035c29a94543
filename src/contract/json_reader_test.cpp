// Pieces arrive in order with their line, values may follow each other, and a broken line can be
// left behind.

#include "contract/json_reader.h"

#include <gtest/gtest.h>

#include "contract/document.h"

namespace tessera::contract {
namespace {

class Recorder final : public JsonListener {
 public:
  void begin_object() override { all += '{'; }
  void end_object() override { all += '}'; }
  void begin_array() override { all += '['; }
  void end_array() override { all += ']'; }
  void key(std::string_view name) override { all += std::string(name.substr(0, 300)) + ":"; }
  void text(std::string_view piece, bool last) override {
    all += piece;
    if (last) all += '"';
  }
  void number(bool whole) override { all += whole ? '#' : '.'; }
  void literal(std::string_view word) override { all += word.substr(0, 1); }
  void end_value() override { all += ';'; }

  std::string all;
};

TEST(JsonReader, TellsEverythingInOrder) {
  Recorder told;
  JsonReader reader(told);
  EXPECT_TRUE(
      reader.feed("{\"a\":[1,-2.5,1e3,\"x\\u00e4\",true,false,null,18446744073709551615]}"));
  EXPECT_TRUE(reader.feed(" 7 \n[]\n\"z\""));
  EXPECT_TRUE(reader.end());
  EXPECT_EQ(told.all, "{a:[#..x\xC3\xA4\"tfn#]};#;[];z\";");
  EXPECT_EQ(reader.values(), 4U);
  EXPECT_EQ(reader.line(), 3U);
}

TEST(JsonReader, ANumberAtTheVeryEndIsAValue) {
  Recorder told;
  JsonReader reader(told);
  EXPECT_TRUE(reader.feed("12"));
  EXPECT_TRUE(reader.end());
  EXPECT_EQ(told.all, "#;");
  EXPECT_EQ(reader.values(), 1U);
}

TEST(JsonReader, CutsKeysAndRefusesDepth) {
  Recorder told;
  JsonReader reader(told);
  EXPECT_TRUE(reader.feed("{\"" + std::string(1000, 'k') + "\":1}"));
  EXPECT_EQ(told.all, "{" + std::string(JsonReader::kKeySizeMax, 'k') + ":#};");
  EXPECT_TRUE(reader.feed(std::string(JsonReader::kDepthMax, '[')));
  EXPECT_FALSE(reader.feed("["));
  EXPECT_FALSE(reader.error().empty());
  EXPECT_FALSE(reader.feed("1"));
  EXPECT_FALSE(reader.end());
}

TEST(JsonReader, LeavesABrokenLineBehindOnlyIfTheValueBeganOnIt) {
  Recorder told;
  JsonReader reader(told);
  EXPECT_FALSE(reader.feed("1\nx"));
  EXPECT_TRUE(reader.skip_broken_line());
  EXPECT_TRUE(reader.feed("yz\n2\n"));
  EXPECT_EQ(told.all, "#;#;");
  EXPECT_FALSE(reader.feed("[\nx"));
  EXPECT_FALSE(reader.skip_broken_line());
}

TEST(Document, KnowsLinesInJsonAndYaml) {
  for (const std::string_view text :
       {"{\"a\": 1,\n \"b\": [true,\n  \"x\"]}", "a: 1\nb: [true,\n  x]\n"}) {
    const auto root = read_document(text);
    ASSERT_TRUE(root) << root.error().message;
    const Document* list = root->find("b");
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->line, 2U);
    ASSERT_EQ(list->items.size(), 2U);
    EXPECT_EQ(list->items[0].kind, Document::Kind::truth);
    EXPECT_EQ(list->items[1].line, 3U);
    EXPECT_EQ(list->items[1].text, "x");
    EXPECT_EQ(root->find("a")->kind, Document::Kind::number);
    EXPECT_EQ(root->find("c"), nullptr);
  }
}

}  // namespace
}  // namespace tessera::contract
