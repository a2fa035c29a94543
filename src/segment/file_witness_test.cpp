// What the witness file promises: what was stored is there after a restart; a damaged file is
// refused, never read in part; two processes never share one.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tessera/segment/scope.h"
#include "tessera/segment/witness.h"

namespace tessera {
namespace {

class FileWitnessTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "tessera-witness-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = name + "/marks";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) { std::ofstream(path_) << text; }
  std::string read() {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string folder_;
  std::string path_;
};

TEST_F(FileWitnessTest, RemembersAcrossRestarts) {
  {
    auto witness = FileWitness::open(path_);
    ASSERT_TRUE(witness);
    EXPECT_EQ(*(*witness)->load("ORDER"), std::nullopt);
    EXPECT_EQ((*witness)->store("ORDER", {1, 2000}), std::nullopt);
    EXPECT_EQ((*witness)->store("USER", {7, Scope::kMax}), std::nullopt);
  }
  EXPECT_EQ(read(), "tessera witness 1\nORDER 1 2000\nUSER 7 9223372036854775807\n");
  auto witness = FileWitness::open(path_);
  ASSERT_TRUE(witness);
  EXPECT_EQ(*(*witness)->load("ORDER"), (WitnessMark{1, 2000}));
  EXPECT_EQ(*(*witness)->load("USER"), (WitnessMark{7, Scope::kMax}));
}

TEST_F(FileWitnessTest, NeverFalls) {
  auto witness = FileWitness::open(path_);
  ASSERT_TRUE(witness);
  (*witness)->store("ORDER", {2, 2000});
  (*witness)->store("ORDER", {1, 1000});
  EXPECT_EQ(*(*witness)->load("ORDER"), (WitnessMark{2, 2000}));
}

TEST_F(FileWitnessTest, BelongsToOneProcess) {
  auto first = FileWitness::open(path_);
  ASSERT_TRUE(first);
  const auto second = FileWitness::open(path_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Error::Code::store_failed);
  (*first).reset();
  EXPECT_TRUE(FileWitness::open(path_));
}

TEST_F(FileWitnessTest, RefusesADamagedFile) {
  for (const char* text : {
           "",
           "tessera witness 2\n",
           "tessera witness 1",
           "tessera witness 1\nORDER 1 20",      // cut off
           "tessera witness 1\nORDER 1\n",       // no mark
           "tessera witness 1\nORDER 1 -2\n",    // not a number of ours
           "tessera witness 1\nORDER -1 2\n",    //
           "tessera witness 1\nORDER  1 2\n",    //
           "tessera witness 1\nORDER 1 2 \n",    //
           "tessera witness 1\nORDER 1 2x\n",    //
           "tessera witness 1\nORDER 1_2\n",     //
           "tessera witness 1\n-ORDER 1 2\n",    // not a name
           "tessera witness 1\nO 1 2\nO 1 3\n",  // twice
           "tessera witness 1\nORDER 1 9223372036854775808\n",
           "tessera witness 1\n\n",
       }) {
    write(text);
    const auto witness = FileWitness::open(path_);
    ASSERT_FALSE(witness) << text;
    EXPECT_EQ(witness.error().code, Error::Code::store_failed);
    EXPECT_FALSE(witness.error().hint.empty());
  }
}

TEST_F(FileWitnessTest, SaysWhenItCannotWrite) {
  auto witness = FileWitness::open(path_);
  ASSERT_TRUE(witness);
  std::filesystem::remove_all(folder_);
  const auto error = (*witness)->store("ORDER", {1, 1});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, Error::Code::store_failed);
  EXPECT_FALSE(FileWitness::open(folder_ + "/no/such/folder/marks"));
}

}  // namespace
}  // namespace tessera
