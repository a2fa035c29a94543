// What write_texts() promises: the texts that each ULID has by itself, a separator behind each,
// and not a byte more, with vectors and without.

#include "core/ulid_kernel.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "support/fakes.h"
#include "support/properties.h"

namespace tessera::detail {
namespace {

std::vector<Ulid> some_ulids(std::size_t count) {
  SeededEntropy entropy(20'260'822);
  std::vector<Ulid> ids(count);
  for (auto& id : ids) EXPECT_TRUE(entropy.fill(id.bytes));
  return ids;
}

std::string one_by_one(const std::vector<Ulid>& ids, char separator) {
  std::string texts;
  for (const auto& id : ids) texts += id.to_string() + separator;
  return texts;
}

void expect_right(UlidTextsWriter write) {
  for (std::size_t count = 0; count <= 70; ++count) {
    const auto ids = some_ulids(count);
    for (const char separator : {'\n', ',', '\0', '\xFF'}) {
      const std::string expected = one_by_one(ids, separator);
      std::string out(expected.size() + 64, '?');
      write(ids, separator, out.data() + 32);
      ASSERT_EQ(out, std::string(32, '?') + expected + std::string(32, '?')) << count;
    }
  }
}

TEST(UlidKernel, EachWriterWritesTheTextsAndNothingBeyond) {
  EXPECT_EQ(ulid_texts_writers().front(), write_ulid_texts_portable);
  for (const auto write : ulid_texts_writers()) expect_right(write);
}

TEST(UlidKernel, WriteTextsFitsExactly) {
  const auto ids = some_ulids(100);
  std::string out(ids.size() * (Ulid::kTextSize + 1), '?');
  write_texts(ids, '\n', out);
  EXPECT_EQ(out, one_by_one(ids, '\n'));
  write_texts({}, '\n', {});
}

TEST(UlidKernelDeathTest, WriteTextsRefusesABufferThatIsTooSmall) {
  const auto ids = some_ulids(3);
  std::string out(ids.size() * (Ulid::kTextSize + 1) - 1, '?');
  EXPECT_EXIT(write_texts(ids, '\n', out), testing::KilledBySignal(SIGABRT), "");
}

RC_GTEST_PROP(UlidKernel, WritesEveryValueAsItWritesItself, (const std::vector<Ulid>& ids)) {
  std::string out(ids.size() * (Ulid::kTextSize + 1), '?');
  write_texts(ids, ' ', out);
  RC_ASSERT(out == one_by_one(ids, ' '));
}

}  // namespace
}  // namespace tessera::detail
