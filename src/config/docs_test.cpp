// What docs/configuration.md promises: its tables are those of the code, its examples parse, and
// the mistakes it shows are shown so.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/config_mistakes.h"
#include "tessera/config/config_keys.h"

namespace tessera {
namespace {

std::string page() {
  std::ifstream file(TESSERA_DOCS_DIR "/configuration.md", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Block {
  std::string language;
  std::string text;
};

std::vector<Block> blocks_of(const std::string& text) {
  std::vector<Block> blocks;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(3), ""});
      inside = !inside;
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

// The rows of all keys below `path`, as Markdown.
std::string table_of(std::string_view path) {
  const auto code = [](std::string_view text) { return "`" + std::string(text) + "`"; };
  std::string out;
  for (const ConfigKey& key : config_keys()) {
    const bool named = key.path.find('<') != std::string_view::npos;
    if (path.empty() ? named : !key.path.starts_with(path)) continue;
    const bool words = key.standard == "none" || key.standard == "required" ||
                       key.standard.find(' ') != std::string_view::npos;
    out += "| " + code(key.path) + " | " + std::string(key.type) + " | " +
           (words ? std::string(key.standard) : code(key.standard)) + " | " +
           std::string(key.meaning) + " |\n";
  }
  return out;
}

std::string table_of_variables() {
  std::string out;
  for (const ConfigKey& key : config_keys()) {
    if (!key.variable.empty()) {
      out += "| `" + std::string(key.variable) + "` | `" + std::string(key.path) + "` |\n";
    }
  }
  return out;
}

TEST(ConfigurationPage, HasTheTablesOfTheCode) {
  const std::string text = page();
  for (const std::string& table : {table_of(""), table_of("types."), table_of("scopes."),
                                   table_of("snowflakes."), table_of_variables()}) {
    EXPECT_TRUE(text.find("| --- |\n" + table + "\n") != std::string::npos)
        << "docs/configuration.md should have this table, and no other row in it:\n"
        << table;
  }
}

TEST(ConfigurationPage, HasExamplesThatParse) {
  const auto blocks = blocks_of(page());
  int good = 0;
  int wrong = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].language != "yaml") continue;
    // What stands in a text block right below an example is what tessera says about it.
    const bool is_wrong = i + 1 < blocks.size() && blocks[i + 1].language == "text";
    EXPECT_EQ(rendered_mistakes(blocks[i].text), is_wrong ? blocks[i + 1].text : "")
        << blocks[i].text;
    ++(is_wrong ? wrong : good);
  }
  EXPECT_GE(good, 5);
  EXPECT_GE(wrong, 1);
}

}  // namespace
}  // namespace tessera
