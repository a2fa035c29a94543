// The functions for MariaDB, called as a server calls them, so that they can be under a sanitizer:
// whatever the number, the type and the bytes of their arguments, they answer, answer NULL or
// refuse, and write no byte past the buffer; and threads may call them at once.
// (tests/extensions/mariadb_test.py has them in a real server.)

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "mariadb/udf.h"

#define TESSERA_DECLARE_TEXT(name)                                            \
  extern "C" tessera::mariadb::Bool name##_init(UDF_INIT*, UDF_ARGS*, char*); \
  extern "C" char* name(UDF_INIT*, UDF_ARGS*, char*, unsigned long*, char*, char*);
TESSERA_DECLARE_TEXT(tessera_ulid)
TESSERA_DECLARE_TEXT(tessera_ulid_ordered)
TESSERA_DECLARE_TEXT(tessera_uuid4)
TESSERA_DECLARE_TEXT(tessera_uuid7)
TESSERA_DECLARE_TEXT(tessera_objectid)
TESSERA_DECLARE_TEXT(tessera_ksuid)
TESSERA_DECLARE_TEXT(tessera_uuid7_ordered_bytes)
TESSERA_DECLARE_TEXT(tessera_random)
TESSERA_DECLARE_TEXT(tessera_public_id)
TESSERA_DECLARE_TEXT(tessera_check)
TESSERA_DECLARE_TEXT(tessera_inspect)
TESSERA_DECLARE_TEXT(tessera_range)
TESSERA_DECLARE_TEXT(tessera_range_min)
TESSERA_DECLARE_TEXT(tessera_range_max)
TESSERA_DECLARE_TEXT(tessera_checksum)
TESSERA_DECLARE_TEXT(tessera_convert)
TESSERA_DECLARE_TEXT(tessera_ulid_text)
TESSERA_DECLARE_TEXT(tessera_ulid_bytes)
TESSERA_DECLARE_TEXT(tessera_uuid_text)
TESSERA_DECLARE_TEXT(tessera_uuid_bytes)
TESSERA_DECLARE_TEXT(tessera_ksuid_text)
TESSERA_DECLARE_TEXT(tessera_ksuid_bytes)
TESSERA_DECLARE_TEXT(tessera_objectid_text)
TESSERA_DECLARE_TEXT(tessera_objectid_bytes)
TESSERA_DECLARE_TEXT(tessera_version)
extern "C" void tessera_inspect_deinit(UDF_INIT*);
#define TESSERA_DECLARE_NUMBER(name)                                          \
  extern "C" tessera::mariadb::Bool name##_init(UDF_INIT*, UDF_ARGS*, char*); \
  extern "C" long long name(UDF_INIT*, UDF_ARGS*, char*, char*);
TESSERA_DECLARE_NUMBER(tessera_valid)
TESSERA_DECLARE_NUMBER(tessera_time)
TESSERA_DECLARE_NUMBER(tessera_snowflake)

namespace {

using tessera::mariadb::Bool;

using Init = Bool (*)(UDF_INIT*, UDF_ARGS*, char*);
using Text = char* (*)(UDF_INIT*, UDF_ARGS*, char*, unsigned long*, char*, char*);
using Number = long long (*)(UDF_INIT*, UDF_ARGS*, char*, char*);

struct Function {
  const char* name;
  Init init;
  Text text;
  Number number = nullptr;
};

#define TESSERA_TEXT_FUNCTION(name) \
  { #name, name##_init, name }
#define TESSERA_NUMBER_FUNCTION(name) \
  { #name, name##_init, nullptr, name }
const Function kFunctions[] = {
    TESSERA_TEXT_FUNCTION(tessera_ulid),
    TESSERA_TEXT_FUNCTION(tessera_ulid_ordered),
    TESSERA_TEXT_FUNCTION(tessera_uuid4),
    TESSERA_TEXT_FUNCTION(tessera_uuid7),
    TESSERA_TEXT_FUNCTION(tessera_objectid),
    TESSERA_TEXT_FUNCTION(tessera_ksuid),
    TESSERA_TEXT_FUNCTION(tessera_uuid7_ordered_bytes),
    TESSERA_TEXT_FUNCTION(tessera_random),
    TESSERA_TEXT_FUNCTION(tessera_public_id),
    TESSERA_TEXT_FUNCTION(tessera_check),
    TESSERA_TEXT_FUNCTION(tessera_inspect),
    TESSERA_TEXT_FUNCTION(tessera_range),
    TESSERA_TEXT_FUNCTION(tessera_range_min),
    TESSERA_TEXT_FUNCTION(tessera_range_max),
    TESSERA_TEXT_FUNCTION(tessera_checksum),
    TESSERA_TEXT_FUNCTION(tessera_convert),
    TESSERA_TEXT_FUNCTION(tessera_ulid_text),
    TESSERA_TEXT_FUNCTION(tessera_ulid_bytes),
    TESSERA_TEXT_FUNCTION(tessera_uuid_text),
    TESSERA_TEXT_FUNCTION(tessera_uuid_bytes),
    TESSERA_TEXT_FUNCTION(tessera_ksuid_text),
    TESSERA_TEXT_FUNCTION(tessera_ksuid_bytes),
    TESSERA_TEXT_FUNCTION(tessera_objectid_text),
    TESSERA_TEXT_FUNCTION(tessera_objectid_bytes),
    TESSERA_TEXT_FUNCTION(tessera_version),
    TESSERA_NUMBER_FUNCTION(tessera_valid),
    TESSERA_NUMBER_FUNCTION(tessera_time),
    TESSERA_NUMBER_FUNCTION(tessera_snowflake),
};

// A call for one row, as a server makes it: constants are known to init, and the type that init
// asks for is the type that comes.
std::string call(const Function& function, std::vector<std::string> values,
                 std::vector<bool> null = {}) {
  null.resize(values.size());
  const auto count = static_cast<unsigned>(values.size());
  std::vector<Item_result> types(count + 1, STRING_RESULT);
  std::vector<std::vector<char>> copies;  // without a byte behind, for the sanitizer
  std::vector<char*> pointers(count + 1, nullptr);
  std::vector<unsigned long> sizes(count + 1);
  for (unsigned i = 0; i < count; ++i) {
    copies.emplace_back(values[i].begin(), values[i].end());
    pointers[i] = null[i] ? nullptr : copies[i].data();
    if (!null[i] && pointers[i] == nullptr) pointers[i] = values[i].data();  // empty, not NULL
    sizes[i] = values[i].size();
  }
  UDF_ARGS args{};
  args.arg_count = count;
  args.arg_type = types.data();
  args.args = pointers.data();
  args.lengths = sizes.data();
  UDF_INIT init{};
  init.const_item = 1;
  std::vector<char> message(MYSQL_ERRMSG_SIZE, 'm');
  if (function.init(&init, &args, message.data()) != 0) {
    return "refused: " + std::string(message.data());
  }
  std::vector<long long> numbers(count);
  for (unsigned i = 0; i < count; ++i) {
    if (types[i] != INT_RESULT || pointers[i] == nullptr) continue;
    numbers[i] = std::atoll(values[i].c_str());
    pointers[i] = reinterpret_cast<char*>(&numbers[i]);
    sizes[i] = sizeof(long long);
  }
  char is_null = 0;
  char error = 0;
  std::string answer;
  if (function.number != nullptr) {
    answer = std::to_string(function.number(&init, &args, &is_null, &error));
  } else {
    std::vector<char> result(255);
    unsigned long size = 0;
    const char* text = function.text(&init, &args, result.data(), &size, &is_null, &error);
    if (is_null == 0) answer.assign(text, size);
    EXPECT_LE(answer.size(), init.max_length) << function.name;
  }
  if (function.init == tessera_inspect_init) tessera_inspect_deinit(&init);
  if (error != 0) return "failed";
  return is_null != 0 ? "NULL" : answer;
}

const Function& find(std::string_view name) {
  return *std::ranges::find(kFunctions, name,
                            [](const Function& f) { return std::string_view(f.name); });
}

TEST(Mariadb, AnswersAsItsNamesSay) {
  EXPECT_EQ(call(find("tessera_ulid"), {}).size(), 26u);
  EXPECT_EQ(call(find("tessera_uuid7"), {}).size(), 36u);
  EXPECT_EQ(call(find("tessera_ulid_bytes"), {}).size(), 16u);
  EXPECT_EQ(call(find("tessera_ulid_bytes"), {"01ARYZ6S41TSV4RRFFQ69G5FAV"}).size(), 16u);
  EXPECT_EQ(call(find("tessera_valid"), {"01ARYZ6S41TSV4RRFFQ69G5FAV", "ulid"}), "1");
  EXPECT_EQ(call(find("tessera_time"), {"01ARYZ6S41TSV4RRFFQ69G5FAV"}), "1469918176385");
  EXPECT_EQ(call(find("tessera_range_max"), {"ulid", "0", "1"}), "0000000000ZZZZZZZZZZZZZZZZ");
  EXPECT_EQ(call(find("tessera_checksum"), {"AHM6A83HENMP"}), "S");
  EXPECT_EQ(call(find("tessera_inspect"), {"x"}).substr(0, 12), R"({"input":"x")");
  EXPECT_EQ(call(find("tessera_ulid"), {"1"}), "refused: it takes no arguments");
  EXPECT_EQ(call(find("tessera_random"), {"0"}), "failed");
  EXPECT_EQ(call(find("tessera_public_id"), {"ord"}).size(), 30u);
  EXPECT_EQ(call(find("tessera_check"), {"x", "ulid"}, {true, false}), "NULL");
}

TEST(Mariadb, AnAnswerLongerThanTheServersBufferHasItsOwn) {
  const std::string json = call(find("tessera_inspect"), {std::string(20'000, 'x')});
  EXPECT_GT(json.size(), 20'000u);
}

TEST(Mariadb, ConnectionsAreThreadsAndShareOneOrder) {
  constexpr int kThreads = 4;
  std::vector<std::vector<std::string>> made(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&made, i] {
      for (int n = 0; n < 2000; ++n) {
        made[i].push_back(call(find("tessera_ulid_ordered"), {}));
        call(find("tessera_snowflake"), {"5"});
        call(find("tessera_inspect"), {"01ARYZ6S41TSV4RRFFQ69G5FAV"});
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& ids : made) {
    EXPECT_TRUE(std::ranges::is_sorted(ids));
    all.insert(ids.begin(), ids.end());
  }
  EXPECT_EQ(all.size(), std::size_t{kThreads} * 2000);
}

TEST(Mariadb, NoArgumentMakesItStumble) {
  std::mt19937 random(20261116);  // NOLINT(cert-msc51-cpp): the same every time
  const std::string seeds[] = {"01ARYZ6S41TSV4RRFFQ69G5FAV",
                               "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                               "ord_01ARYZ6S41TSV4RRFFQ69G5FAV",
                               "AHM6A83HENMPS",
                               "ulid",
                               "uuidv7",
                               "ord:checked",
                               "hex",
                               "bytes",
                               "public",
                               "",
                               std::string(3000, 'Z'),
                               std::string("\0\0", 2),
                               "507f1f77bcf86cd799439011",
                               "60",
                               "-1",
                               "strict"};
  for (int round = 0; round < 4000; ++round) {
    const Function& function = kFunctions[random() % std::size(kFunctions)];
    std::vector<std::string> values(random() % 5);
    std::vector<bool> null;
    for (auto& value : values) {
      value = seeds[random() % std::size(seeds)];
      for (auto i = random() % 3; i > 0 && !value.empty(); --i) {
        value[random() % value.size()] = static_cast<char>(random());
      }
      null.push_back(random() % 16 == 0);
    }
    call(function, values, null);
  }
}

}  // namespace
