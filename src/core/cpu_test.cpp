// What a limit on the processor promises: it lowers and never raises, and IDs stay the same.

#include "core/cpu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace tessera::detail {
namespace {

// Puts the environment back, and finds out anew.
class CpuLimit : public testing::Test {
 protected:
  void TearDown() override {
    if (had_.empty()) {
      unsetenv("TESSERA_CPU");
    } else {
      setenv("TESSERA_CPU", had_.c_str(), 1);
    }
    find_cpu_level();
  }

 private:
  const std::string had_ = std::getenv("TESSERA_CPU") != nullptr ? std::getenv("TESSERA_CPU") : "";
};

TEST_F(CpuLimit, OfTheEnvironmentIsKept) {
  unsetenv("TESSERA_CPU");
  const CpuLevel all = find_cpu_level();
  setenv("TESSERA_CPU", "portable", 1);
  EXPECT_EQ(find_cpu_level(), CpuLevel::portable);
  EXPECT_EQ(cpu_level(), CpuLevel::portable);
  EXPECT_EQ(limit_cpu_level(CpuLevel::avx512), CpuLevel::portable) << "nobody raises it again";
  setenv("TESSERA_CPU", "sse4.1", 1);
  EXPECT_LE(find_cpu_level(), CpuLevel::sse41);
  setenv("TESSERA_CPU", "avx2", 1);
  EXPECT_LE(find_cpu_level(), CpuLevel::avx2);
  for (const char* word : {"", "AVX2", "avx1024"}) {
    setenv("TESSERA_CPU", word, 1);
    EXPECT_EQ(find_cpu_level(), all) << word;
  }
}

}  // namespace
}  // namespace tessera::detail
