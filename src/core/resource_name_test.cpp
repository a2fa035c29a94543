// What a ResourceName promises: a name has one spelling, in which nothing is decoded and
// nothing stands for something else; children are built from and found within their parents;
// what is refused is refused at the first part that breaks its rule; and no input, however
// long or deep, costs more than a name of full length.

#include "tessera/resource_name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;
using Part = ResourceName::Part;

static_assert(std::is_trivially_copyable_v<ResourceName>);
static_assert(noexcept(ResourceName::parse("")) && noexcept(ResourceName::parse_full("")));
static_assert(!std::is_convertible_v<std::string, ResourceName>);
static_assert(ResourceName::kTextSizeMax == 1031);

// Everything but to_string() works in a constant expression.
constexpr auto kBook = ResourceName::root().child("books", "1");
constexpr auto kPage = ResourceName::parse("books/1/pages/2");
static_assert(kPage && kPage->leaf() == Part{"pages", "2"});
static_assert(kPage->parent() == *kBook && kPage->is_within(*kBook));
static_assert(kBook->child("pages", "2") == kPage);
static_assert(ResourceName::parse("books") == Failure{ParseError{Code::invalid_resource_name, 5}});

struct BadText {
  const char* name;
  std::string text;
  std::uint32_t offset;
};

std::string pairs(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += (i > 0 ? "/c" : "c") + number + "/" + number;
  }
  return text;
}

TEST(ResourceName, RefusesBadTextAndSaysWhere) {
  const BadText cases[] = {
      {"empty", "", 0},
      {"no ID", "books", 5},
      {"empty ID", "books/", 6},
      {"odd number of parts", "books/1/pages", 13},
      {"slash behind", "books/1/", 8},
      {"slash in front", "/books/1", 0},
      {"two slashes", "books//1", 6},
      {"empty collection inside", "books/1//2", 8},
      {"collection begins with a digit", "1books/1", 0},
      {"collection begins with a hyphen", "-/1", 0},
      {"collection with a dot", "bo.oks/1", 2},
      {"collection with a tilde", "books/1/pa~ges/2", 10},
      {"collection of 64", std::string(64, 'c') + "/1", 63},
      {"wildcard", "books/-", 6},
      {"dot", "books/.", 6},
      {"dot dot", "books/1/pages/..", 14},
      {"ID of 65", "books/" + std::string(65, 'i'), 70},
      {"blank", "books/1 2", 7},
      {"percent sign", "books/%31", 6},
      {"question mark", "books/1?x", 7},
      {"NUL", std::string("books/1\0", 8), 7},
      {"high bit set", "books/\xC3\xA9", 6},
      {"check symbol in front", "books/*", 6},
      {"check symbol inside", "books/12*3", 8},
      {"two check symbols", "books/12*=", 8},
      {"collection twice", "books/1/pages/2/books/3", 16},
      {"nine levels", pairs(9), static_cast<std::uint32_t>(pairs(8).size() + 1)},
      {"a service", "//example.com/books/1", 0},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto name = ResourceName::parse(c.text);
    ASSERT_FALSE(name);
    EXPECT_EQ(name.error().code, Code::invalid_resource_name);
    EXPECT_EQ(name.error().offset, c.offset);
  }
}

TEST(ResourceName, RefusesEveryBadInputForTheRightReason) {
  std::size_t count = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "resource") continue;
    SCOPED_TRACE(row.where() + " " + row["why"]);
    ++count;
    const std::string text = vectors::unescape(row["input"]);
    const auto name = ResourceName::parse(text);
    ASSERT_EQ(static_cast<bool>(name), row["expected"] == "ok");
    if (name) {
      EXPECT_EQ(name->to_string(), text);
    } else {
      EXPECT_EQ(name_of(name.error().code), row["error_class"]);
      EXPECT_LE(name.error().offset, text.size());
    }
  }
  EXPECT_GE(count, 25u);
}

// Where we are stricter than others on purpose, and why.
const std::map<std::string, std::string> kDepartures = {
    {"foo", "a collection without an ID is no name of a thing"},
    {"foo/1234/bar", "likewise: an odd number of parts"},
    {"FOO/1234/bAr", "likewise; see UpperCaseIsKept for its letters"},
    {"shippers/1/sites/1/settings", "likewise: a singleton has no ID of its own"},
    {"-", "a wildcard is a question, not a name"},
    {"-/bar", "likewise"},
    {"foo/-", "likewise"},
    {"foo/-/bar", "likewise"},
    {"/shippers/1", "a slash in front would be a second spelling"},
};

TEST(ResourceName, ReadsTheNamesOfOthersButForDeparturesOfPurpose) {
  for (const auto& row : vectors::read_table("resource-names/names.tsv")) {
    SCOPED_TRACE(row.where() + " " + row["name"]);
    const std::string& text = row["name"];
    const bool valid = row["verdict"].starts_with("valid") && !kDepartures.contains(text);
    const auto name = ResourceName::parse_full(text);
    ASSERT_EQ(static_cast<bool>(name), valid);
    EXPECT_EQ(static_cast<bool>(ResourceName::parse(text)), valid && !text.starts_with("//"));
    if (name) {
      EXPECT_EQ(name->to_string(), text);
    }
  }
}

TEST(ResourceName, ReadsNamesThatMatchPatternsAndNoPattern) {
  for (const auto& row : vectors::read_table("resource-names/match.tsv")) {
    SCOPED_TRACE(row.where());
    EXPECT_FALSE(ResourceName::parse_full(row["pattern"])) << row["pattern"];
    const auto name = ResourceName::parse_full(row["name"]);
    ASSERT_EQ(static_cast<bool>(name), !row["name"].empty() && !kDepartures.contains(row["name"]));
    if (!name || row["matches"] != "true") continue;
    // The collections of a name stand in its pattern at the same places.
    std::string_view pattern = row["pattern"];
    if (pattern.starts_with('/')) pattern.remove_prefix(1);
    const auto segments = vectors::split(pattern, '/');
    ASSERT_EQ(segments.size(), 2 * name->depth());
    for (std::size_t i = 0; i < name->depth(); ++i) {
      EXPECT_EQ(segments[2 * i], name->parts()[i].collection);
    }
  }
  // Names in the templates of others: an ID of two segments, or an encoded slash, is none.
  for (const auto& row : vectors::read_table("resource-names/gax-path-template.tsv")) {
    SCOPED_TRACE(row.where());
    const bool literal = row["template"].find_first_of("*{") == std::string::npos;
    EXPECT_EQ(static_cast<bool>(ResourceName::parse(row["template"])), literal);
    const auto segments = vectors::split(row["path"], '/');
    const bool plain = segments.size() % 2 == 0 && row["path"].find('%') == std::string::npos;
    EXPECT_EQ(static_cast<bool>(ResourceName::parse(row["path"])), plain) << row["path"];
  }
}

TEST(ResourceName, IdsMayBeMoreThanWhatUsersMayChoose) {
  for (const auto& row : vectors::read_table("resource-names/user-settable-ids.tsv")) {
    SCOPED_TRACE(row.where() + " " + row["id"]);
    // Departures: where an ID begins and ends is the business of its kind, and a ULID begins
    // with a digit. Only what would not be one part of a path is refused here.
    const bool one_part = !row["id"].empty() && row["id"].find('/') == std::string::npos;
    EXPECT_EQ(!ResourceName::id_fault(row["id"]), one_part);
  }
}

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream file(TESSERA_VECTORS_DIR "/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && !line.starts_with('#')) lines.push_back(line);
  }
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

TEST(ResourceName, IdsAreWhatRecordKeysAreWithoutColons) {
  for (const auto& key : lines_of("resource-names/atproto-recordkey_syntax_valid.txt")) {
    // Departures: a colon begins a custom verb, `-` is a wildcard, and 64 characters are enough.
    const bool ours = key.find(':') == std::string::npos && key != "-" && key.size() <= 64;
    EXPECT_EQ(!ResourceName::id_fault(key), ours) << key;
  }
  for (const auto& key : lines_of("resource-names/atproto-recordkey_syntax_invalid.txt")) {
    EXPECT_TRUE(ResourceName::id_fault(key)) << key;
  }
}

TEST(ResourceName, UpperCaseIsKept) {
  const auto name = ResourceName::parse("FOO/1234/bAr/XyZ");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->to_string(), "FOO/1234/bAr/XyZ");
  EXPECT_NE(*name, *ResourceName::parse("foo/1234/bar/xyz"));
  // Two collections that differ in case are two collections.
  EXPECT_TRUE(ResourceName::parse("foo/1/FOO/2"));
}

TEST(ResourceName, ReadsTheExtremes) {
  const std::string collection(63, 'c');
  const std::string id(64, '~');
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += (i > 0 ? "/" : "") + collection.substr(1) + static_cast<char>('a' + i) + "/" + id;
  }
  ASSERT_EQ(text.size(), ResourceName::kTextSizeMax);
  const auto name = ResourceName::parse(text);
  ASSERT_TRUE(name);
  EXPECT_EQ(name->depth(), ResourceName::kDepthMax);
  EXPECT_EQ(name->to_string(), text);
  EXPECT_FALSE(name->child("one", "more"));
  EXPECT_FALSE(ResourceName::parse(text + "~"));

  EXPECT_EQ(ResourceName::parse("a/b")->to_string(), "a/b");
  for (const char* id_text :
       {"...", "_", "~", "--", "-a", "A1*", "A1~", "A1$", "A1=", "A1U", ".a"}) {
    EXPECT_FALSE(ResourceName::id_fault(id_text)) << id_text;
  }
}

TEST(ResourceName, HugeInputsCostNoMoreThanLongNames) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "a/b/";
  const std::string texts[] = {
      deep + "c/d",
      "orders/" + std::string(1 << 20, 'a'),
      std::string(1 << 20, 'a') + "/1",
      std::string(1 << 20, '/'),
      "//" + std::string(1 << 20, 'a') + "/books/1",
      "//example.com/" + deep,
  };
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) {
    for (const auto& text : texts) {
      ASSERT_FALSE(ResourceName::parse(text));
      ASSERT_FALSE(ResourceName::parse_full(text));
      ASSERT_FALSE(ResourceName::root().child(text, "1"));
      ASSERT_FALSE(ResourceName::root().child("books", text));
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_LE(ResourceName::parse(texts[0]).error().offset, ResourceName::kTextSizeMax);
}

TEST(ResourceName, BuildsChildrenAndFindsParents) {
  const auto book = ResourceName::root().child("books", "1");
  ASSERT_TRUE(book);
  const auto page = book->child("pages", "2");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->to_string(), "books/1/pages/2");
  EXPECT_EQ(page->depth(), 2u);
  EXPECT_EQ(page->leaf(), (Part{"pages", "2"}));
  EXPECT_EQ(page->parts()[0], (Part{"books", "1"}));
  EXPECT_EQ(page->parent(), *book);
  EXPECT_EQ(book->parent(), std::nullopt);
  EXPECT_EQ(ResourceName::root().parent(), std::nullopt);
  EXPECT_EQ(ResourceName::root().depth(), 0u);
  EXPECT_EQ(ResourceName::root().to_string(), "");
  // The parent is as it was.
  EXPECT_EQ(book->to_string(), "books/1");
}

TEST(ResourceName, RefusesBadChildrenAndSaysWhereInThem) {
  const auto book = *ResourceName::root().child("books", "1");
  const std::tuple<std::string, std::string, std::uint32_t> cases[] = {
      {"", "1", 0},        {"pages", "", 6},     {"pa/ges", "1", 2}, {"pages", "1/2", 7},
      {"books", "2", 0},   {"pages", "-", 6},    {"pages", "..", 6}, {"1", "1", 0},
      {"pages", "a b", 7}, {"pages", "a%20", 7}, {"{page}", "1", 0},
  };
  for (const auto& [collection, id, offset] : cases) {
    const auto child = book.child(collection, id);
    ASSERT_FALSE(child) << collection << "/" << id;
    EXPECT_EQ(child.error(), (ParseError{Code::invalid_resource_name, offset}))
        << collection << "/" << id;
  }
}

TEST(ResourceName, ChildrenAreWithinTheirAncestorsAndNothingElse) {
  const auto read = [](std::string_view text) { return *ResourceName::parse_full(text); };
  const auto line = read("books/1/pages/2/lines/3");
  EXPECT_TRUE(line.is_within(read("books/1/pages/2")));
  EXPECT_TRUE(line.is_within(read("books/1")));
  EXPECT_TRUE(line.is_within(ResourceName::root()));
  EXPECT_FALSE(line.is_within(line));
  EXPECT_FALSE(read("books/1").is_within(line));
  EXPECT_FALSE(line.is_within(read("books/2")));
  EXPECT_FALSE(line.is_within(read("pages/2")));
  // The text of the one begins with the text of the other, but it is another book.
  EXPECT_FALSE(read("books/12/pages/1").is_within(read("books/1")));
  EXPECT_FALSE(read("books/1/pages/23").is_within(read("books/1/pages/2")));
  // Of another service, or of none.
  EXPECT_FALSE(read("//a.com/books/1/pages/2").is_within(read("books/1")));
  EXPECT_FALSE(read("books/1/pages/2").is_within(read("//a.com/books/1")));
  EXPECT_FALSE(read("//a.com/books/1/pages/2").is_within(read("//b.com/books/1")));
  EXPECT_TRUE(read("//a.com/books/1/pages/2").is_within(read("//a.com/books/1")));
}

TEST(ResourceName, ReadsTheServiceOfAFullName) {
  const auto name = ResourceName::parse_full("//library.example.com/books/1");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->service(), "library.example.com");
  EXPECT_EQ(name->depth(), 1u);
  EXPECT_EQ(name->to_string(), "//library.example.com/books/1");
  EXPECT_NE(*name, *ResourceName::parse("books/1"));
  EXPECT_EQ(name->child("pages", "2")->to_string(), "//library.example.com/books/1/pages/2");
  EXPECT_EQ(name->child("pages", "2")->parent(), *name);
  // Without a service it is what parse() reads.
  EXPECT_EQ(ResourceName::parse_full("books/1"), ResourceName::parse("books/1"));

  const std::string longest(253, 'a');
  EXPECT_EQ(ResourceName::parse_full("//" + longest + "/books/1")->service(), longest);
  const BadText cases[] = {
      {"no service", "///books/1", 2},
      {"nothing behind", "//example.com", 2},
      {"no name", "//example.com/", 14},
      {"bad name", "//example.com/books", 19},
      {"two dots", "//example..com/books/1", 10},
      {"dot in front", "//.com/books/1", 2},
      {"dot behind", "//com./books/1", 5},
      {"hyphen in front", "//-a.com/books/1", 2},
      {"hyphen behind a dot", "//a.-b/books/1", 4},
      {"blank", "//a b/books/1", 3},
      {"port", "//a.com:80/books/1", 7},
      {"user", "//me@a.com/books/1", 4},
      {"of 254", "//" + longest + "a/books/1", 2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto bad = ResourceName::parse_full(c.text);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error(), (ParseError{Code::invalid_resource_name, c.offset}));
  }
}

std::string any_text_of(std::string_view first, std::string_view rest, std::size_t size_max) {
  const auto size = *any_from_to(std::size_t{1}, size_max);
  std::string text(1, *rc::gen::elementOf(std::string(first)));
  while (text.size() < size) text += *rc::gen::elementOf(std::string(rest));
  return text;
}

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kIdChars =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";

RC_GTEST_PROP(ResourceName, TextAndPartsAreTwoSpellingsOfOneName, ()) {
  const auto depth = *any_from_to(std::size_t{1}, ResourceName::kDepthMax);
  std::vector<std::string> texts;  // what the names look into
  texts.reserve(2 * depth);
  ResourceName built = ResourceName::root();
  for (std::size_t i = 0; i < depth; ++i) {
    const auto& collection = texts.emplace_back(any_text_of(
        kLetters, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", 63));
    const bool repeated = std::ranges::any_of(
        built.parts(), [&](const Part& part) { return part.collection == collection; });
    auto& id = texts.emplace_back(any_text_of(kIdChars, kIdChars, 64));
    if (id == "-" || id == "." || id == "..") id = "0";
    if (id.size() < 64 && *any_from_to(0, 3) == 0) id += *rc::gen::element('*', '$', '=');
    const auto child = built.child(collection, id);
    RC_ASSERT(static_cast<bool>(child) == !repeated);
    if (!child) continue;
    RC_ASSERT(child->is_within(built));
    RC_ASSERT(child->parent().value_or(ResourceName::root()) == built);
    built = *child;
  }
  const std::string text = built.to_string();
  RC_ASSERT(text.size() <= ResourceName::kTextSizeMax);
  const auto read = ResourceName::parse(text);
  RC_ASSERT(read);
  RC_ASSERT(*read == built);
  RC_ASSERT(read->to_string() == text);
}

RC_GTEST_PROP(ResourceName, WhatIsReadIsWrittenBackAsItWas, ()) {
  // Short texts of the characters that matter most, so that many are names.
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("aab1//-._~*=%A")));
  const auto name = ResourceName::parse(text);
  if (name) {
    RC_ASSERT(name->to_string() == text);
    RC_ASSERT(name->depth() * 2 == 1 + static_cast<std::size_t>(std::ranges::count(text, '/')));
  } else {
    RC_ASSERT(name.error().code == Code::invalid_resource_name);
    RC_ASSERT(name.error().offset <= text.size());
  }
}

}  // namespace
}  // namespace tessera
