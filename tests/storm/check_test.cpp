// storm_check finds what a storm did wrong, and says nothing about what is too little to judge.

#include "check.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "log.h"
#include "repeats.h"

namespace storm {
namespace {

class CheckTest : public testing::Test {
 protected:
  void SetUp() override { begin(16, true); }
  void TearDown() override {
    log_.reset();
    std::filesystem::remove(path_);
  }

  void begin(std::size_t id_size, bool ordered) {
    log_ = std::make_unique<Log>(path_, "test", id_size, ordered, 1'000, 1);
  }

  // An ID of which `number` decides the order: big-endian, in the first eight bytes.
  void add(Stream& stream, std::uint64_t number) {
    const std::span<std::uint8_t> id = stream.next();
    for (std::size_t i = 0; i < id.size(); ++i) {
      id[i] = i < 8 ? static_cast<std::uint8_t>(number >> (56 - 8 * i)) : std::uint8_t{0x5A};
    }
    stream.commit();
  }
  void add(Stream& stream, std::uint64_t first, std::uint64_t end) {
    for (; first < end; ++first) add(stream, first);
  }

  Stream new_stream() { return {*log_, Origin::turns, 0}; }

  Verdict judge(std::size_t memory_size = 1'000'000, std::uint64_t ids_min = 1) {
    return check(path_, {.ids_min = ids_min, .memory_size = memory_size});
  }

  std::string path_ = testing::TempDir() + "storm_check_test." + std::to_string(getpid());
  std::unique_ptr<Log> log_;
};

TEST_F(CheckTest, AcceptsStreamsInOrderWithoutRepeats) {
  Stream a = new_stream();
  Stream b = new_stream();
  for (std::uint64_t i = 1; i < 10'000; ++i) add(i % 3 == 0 ? a : b, i);
  const Verdict verdict = judge();
  EXPECT_TRUE(verdict.good());
  EXPECT_EQ(verdict.kind, "test");
  EXPECT_EQ(verdict.id_count, 9'999u);
  EXPECT_EQ(verdict.stream_count, 2u);
}

// With memory for 100 IDs, in some hundred passes.
TEST_F(CheckTest, FindsEachRepeatInAnySizeAndMemory) {
  for (const std::size_t id_size : {8u, 12u, 16u, 20u}) {
    begin(id_size, true);
    Stream a = new_stream();
    Stream b = new_stream();
    add(a, 1, 5'000);
    add(b, 5'000, 9'000);
    for (const std::uint64_t twice : {1u, 17u, 4'999u})
      add(*std::make_unique<Stream>(new_stream()), twice);
    for (const std::size_t memory_size : {1'000u, 10'000'000u}) {
      const Verdict verdict = judge(memory_size);
      EXPECT_FALSE(verdict.good());
      EXPECT_EQ(verdict.repeated, 3u) << id_size << " bytes in " << memory_size;
      EXPECT_EQ(verdict.disordered, 0u);
      EXPECT_EQ(verdict.findings.size(), 3u);
    }
  }
}

TEST_F(CheckTest, FindsARepeatInOneStreamOfAKindWithoutOrder) {
  begin(16, false);
  Stream stream = new_stream();
  for (const std::uint64_t number : {7u, 3u, 9u, 1u, 3u, 8u, 3u}) add(stream, number);
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.repeated, 2u);
  EXPECT_EQ(verdict.disordered, 0u);
}

TEST_F(CheckTest, ComparesInFullWhenFingerprintsAgree) {
  Stream stream = new_stream();
  IdBytes one{1};
  IdBytes other{2};
  // Chosen so that what the second half adds undoes the difference of the first.
  const std::uint64_t difference = fingerprint(one.data(), 8) ^ fingerprint(other.data(), 8);
  std::memcpy(other.data() + 8, &difference, sizeof(difference));
  ASSERT_EQ(fingerprint(one.data(), 16), fingerprint(other.data(), 16));
  for (const IdBytes& id : {one, other}) {
    std::memcpy(stream.next().data(), id.data(), 16);
    stream.commit();
  }
  EXPECT_TRUE(judge().good());
}

TEST_F(CheckTest, FindsOrderBrokenInABlockAndBetweenBlocks) {
  const std::uint64_t full = ids_per_block(16);
  Stream stream = new_stream();
  add(stream, 1'000, 1'000 + full);
  add(stream, 500);  // the first of the second block
  add(stream, 2'000);
  add(stream, 1'999);
  EXPECT_EQ(judge().disordered, 2u);
}

TEST_F(CheckTest, FindsAChildThatDoesNotBeginAboveItsParent) {
  Stream parent = new_stream();
  add(parent, 1, 100);
  Stream above(*log_, Origin::fork_storm, 1, parent.last());
  add(above, 100);
  Stream below(*log_, Origin::fork_storm, 1, parent.last());
  add(below, 50);
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.below_parent, 1u);
  EXPECT_FALSE(verdict.good());
}

TEST_F(CheckTest, HasNoVerdictOnTooFewIds) {
  EXPECT_NE(judge().unusable, "") << "an empty log proves nothing";
  Stream stream = new_stream();
  add(stream, 1, 100);
  EXPECT_EQ(judge(1'000'000, 99).unusable, "");
  EXPECT_NE(judge(1'000'000, 100).unusable, "");
}

TEST_F(CheckTest, HasNoVerdictOnALogThatIsCutShortOrForeign) {
  Stream stream = new_stream();
  add(stream, 1, 1'000);
  std::filesystem::resize_file(path_, 2 * kBlockSize);
  EXPECT_NE(judge().unusable, "");
  std::filesystem::resize_file(path_, 10);
  EXPECT_NE(judge().unusable, "");
  std::filesystem::remove(path_);
  EXPECT_NE(judge().unusable, "");
}

TEST_F(CheckTest, HasNoVerdictWhenABlockIsMissing) {
  Stream stream = new_stream();
  add(stream, 1, 1'000);
  Block& block = log_->new_block();
  block.head.stream = stream.number();
  block.head.sequence = 99;
  EXPECT_NE(judge().unusable, "");
}

}  // namespace
}  // namespace storm
