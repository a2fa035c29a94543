// What loading a file promises: a file that is not there, one that cannot be read and one that is
// wrong are three different answers.

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/config_mistakes.h"
#include "tessera/config/config.h"

namespace tessera {
namespace {

class ConfigFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("tessera_config_") + test->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& text) {
    const auto path = folder_ / "tessera.yaml";
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  std::filesystem::path folder_;
};

TEST_F(ConfigFile, IsLoaded) {
  const auto config = load_config(write("store: 'memory:'\n"));
  ASSERT_TRUE(config);
  EXPECT_EQ(config->store, "memory:");
}

TEST_F(ConfigFile, ThatIsNotThereIsItsOwnAnswer) {
  const auto config = load_config((folder_ / "none.yaml").string());
  ASSERT_FALSE(config);
  EXPECT_EQ(codes_of(config.error()), "0:0 not_found");
  EXPECT_EQ(codes_of(load_config("").error()), "0:0 not_found");
}

TEST_F(ConfigFile, ThatCannotBeReadIsAnother) {
  const auto config = load_config(folder_.string());  // a folder
  ASSERT_FALSE(config);
  EXPECT_EQ(codes_of(config.error()), "0:0 unreadable");
}

TEST_F(ConfigFile, ThatIsWrongSaysWhere) {
  const auto config = load_config(write("stroe: 'memory:'\n"));
  ASSERT_FALSE(config);
  EXPECT_EQ(codes_of(config.error()), "1:1 unknown_key");
}

TEST_F(ConfigFile, ThatNeverEndsIsNotReadToItsEnd) {
  EXPECT_EQ(codes_of(load_config("/dev/zero").error()), "0:0 too_large");
  EXPECT_EQ(codes_of(load_config(write(std::string(kConfigSizeMax + 1, '#'))).error()),
            "0:0 too_large");
  EXPECT_TRUE(load_config(write(std::string(kConfigSizeMax, '#'))));
}

}  // namespace
}  // namespace tessera
