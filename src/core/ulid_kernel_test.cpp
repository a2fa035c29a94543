// What the kernels of ULID text promise: each writes and reads what the portable one does, for
// every value, every character at every place and all three alphabets, and touches not a byte more.
// And what write_texts() and parse_texts() promise with them.

#include "core/ulid_kernel.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "support/fakes.h"
#include "support/properties.h"
#include "tessera/uuid.h"

namespace tessera::detail {
namespace {

using base32::Letters;

constexpr TextAlphabet kAlphabets[] = {TextAlphabet::either_case, TextAlphabet::lower,
                                       TextAlphabet::friendly};

// No more than so much of the processor, while this lives.
class LimitedCpu {
 public:
  explicit LimitedCpu(CpuLevel most) { limit_cpu_level(most); }
  LimitedCpu(const LimitedCpu&) = delete;
  LimitedCpu& operator=(const LimitedCpu&) = delete;
  ~LimitedCpu() { limit_cpu_level(CpuLevel::avx512); }
};

std::vector<Ulid> some_ulids(std::size_t count) {
  SeededEntropy entropy(20'260'822);
  std::vector<Ulid> ids(count);
  for (auto& id : ids) EXPECT_TRUE(entropy.fill(id.bytes));
  return ids;
}

std::string text_of(const Ulid& id, Letters letters = Letters::upper) {
  std::string text(Ulid::kTextSize, '?');
  base32::write_left_portable(id.bytes, std::span<char, Ulid::kTextSize>(text), letters);
  return text;
}

std::string one_by_one(const std::vector<Ulid>& ids, char separator) {
  std::string texts;
  for (const auto& id : ids) texts += text_of(id) + separator;
  return texts;
}

void expect_right(const UlidTextKernel& kernel) {
  for (std::size_t count = 0; count <= 70; ++count) {
    const auto ids = some_ulids(count);
    for (const char separator : {'\n', ',', '\0', '\xFF'}) {
      const std::string expected = one_by_one(ids, separator);
      std::string out(expected.size() + 64, '?');
      kernel.write_many(ids, separator, out.data() + 32);
      ASSERT_EQ(out, std::string(32, '?') + expected + std::string(32, '?')) << count;
    }
  }
}

TEST(UlidKernel, EachWriterWritesTheTextsAndNothingBeyond) {
  EXPECT_EQ(ulid_text_kernels().front().level, CpuLevel::portable);
  for (const auto& kernel : ulid_text_kernels()) expect_right(kernel);
}

TEST(UlidKernel, EachWriterOfOneWritesItsTextInBothCasesAndNothingBeyond) {
  for (const auto& kernel : ulid_text_kernels()) {
    for (const auto& id : some_ulids(500)) {
      for (const auto letters : {Letters::upper, Letters::lower}) {
        std::string out(Ulid::kTextSize + 64, '?');
        kernel.write_one(id.bytes.data(), out.data() + 32, letters);
        ASSERT_EQ(out, std::string(32, '?') + text_of(id, letters) + std::string(32, '?'));
      }
    }
  }
}

// What a kernel makes of 26 characters: the bytes, or nothing.
std::vector<std::uint8_t> read(const UlidTextKernel& kernel, const std::string& text,
                               TextAlphabet alphabet) {
  std::vector<std::uint8_t> bytes(Ulid::kSize, 0xEE);
  if (!kernel.read_one(text.data(), bytes.data(), alphabet)) return {};
  return bytes;
}

TEST(UlidKernel, EachReaderTakesAndRefusesEveryCharacterAtEveryPlaceAsThePortableOne) {
  const UlidTextKernel& portable = ulid_text_kernels().front();
  const std::string good[] = {"00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
                              text_of(some_ulids(1)[0]), text_of(some_ulids(1)[0], Letters::lower)};
  std::size_t taken = 0;
  for (std::string text : good) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char before = text[at];
      for (int c = 0; c < 256; ++c) {
        text[at] = static_cast<char>(c);
        for (const auto alphabet : kAlphabets) {
          const auto expected = read(portable, text, alphabet);
          if (!expected.empty()) ++taken;
          for (const auto& kernel : ulid_text_kernels()) {
            ASSERT_EQ(read(kernel, text, alphabet), expected) << text << " at " << at;
          }
        }
      }
      text[at] = before;
    }
  }
  EXPECT_GT(taken, 10'000u) << "or nothing was compared but refusals";
}

TEST(UlidKernel, ReadingAndWritingAreTheSameOnAProcessorWithoutVectors) {
  const auto ids = some_ulids(300);
  const auto everything = [&] {
    std::string all;
    for (const auto& id : ids) {
      const std::string text = id.to_string();
      all += text;
      EXPECT_EQ(Ulid::parse(text), id);
      EXPECT_EQ(base32::parse_left(text_of(id, Letters::lower), kCrockfordLowerDigits), id.bytes);
      std::string bad = text;
      bad[text.size() / 2] = 'U';
      EXPECT_EQ(Ulid::parse(bad).error(), (ParseError{ParseError::Code::invalid_character, 13}));
      EXPECT_EQ(Uuid::parse(Uuid{id.bytes}.to_string()), Uuid{id.bytes});
    }
    std::string many(ids.size() * (Ulid::kTextSize + 1), '?');
    write_texts(ids, '\n', many);
    return all + many;
  };
  const std::string with = everything();
  for (const auto level : {CpuLevel::portable, CpuLevel::sse41, CpuLevel::avx2}) {
    const LimitedCpu limited(level);
    EXPECT_LE(cpu_level(), level);
    EXPECT_EQ(everything(), with);
  }
}

TEST(UlidKernel, WriteTextsFitsExactly) {
  const auto ids = some_ulids(100);
  std::string out(ids.size() * (Ulid::kTextSize + 1), '?');
  write_texts(ids, '\n', out);
  EXPECT_EQ(out, one_by_one(ids, '\n'));
  write_texts(std::span<const Ulid>(), '\n', {});
}

TEST(UlidKernelDeathTest, WriteTextsRefusesABufferThatIsTooSmall) {
  const auto ids = some_ulids(3);
  std::string out(ids.size() * (Ulid::kTextSize + 1) - 1, '?');
  EXPECT_EXIT(write_texts(ids, '\n', out), testing::KilledBySignal(SIGABRT), "");
}

TEST(ParseTexts, AnswersForEachTextAndSaysHowManyAreGood) {
  const auto ids = some_ulids(3);
  const std::string bad = "01ARZ3NDEKTSV4RRFFQ69G5FAU";
  const std::string good[] = {text_of(ids[0]), text_of(ids[1], Letters::lower), text_of(ids[2])};
  const std::vector<std::string_view> texts = {good[0], bad, good[1], "", good[2]};
  const Result<Ulid, ParseError> none = Failure{ParseError{}};
  std::vector<Result<Ulid, ParseError>> answers(texts.size() + 1, none);
  EXPECT_EQ(parse_texts(texts, answers), 3u);
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(answers[i], Ulid::parse(texts[i])) << i;
  EXPECT_EQ(answers[1].error(), (ParseError{ParseError::Code::invalid_character, 25}));
  EXPECT_EQ(answers[4], ids[2]);
  EXPECT_EQ(answers[5], none) << "what is behind is not touched";
}

TEST(ParseTexts, ReadsUuidsAndWriteTextsWritesThem) {
  std::vector<Uuid> ids;
  for (const auto& id : some_ulids(40)) ids.push_back({id.bytes});
  std::string lines(ids.size() * (Uuid::kTextSize + 1) + 1, '?');
  write_texts(ids, ';', lines);
  EXPECT_EQ(lines.back(), '?');
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(lines[i * (Uuid::kTextSize + 1) + Uuid::kTextSize], ';');
    texts.emplace_back(lines.data() + i * (Uuid::kTextSize + 1), Uuid::kTextSize);
  }
  texts[7].remove_suffix(1);
  std::vector<Result<Uuid, ParseError>> answers(ids.size(), Failure{ParseError{}});
  EXPECT_EQ(parse_texts(texts, answers), ids.size() - 1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i == 7) continue;
    EXPECT_EQ(answers[i], ids[i]);
  }
  EXPECT_EQ(answers[7].error(), (ParseError{ParseError::Code::invalid_length, 35}));
}

RC_GTEST_PROP(UlidKernel, WritesEveryValueAsItWritesItself, (const std::vector<Ulid>& ids)) {
  std::string out(ids.size() * (Ulid::kTextSize + 1), '?');
  write_texts(ids, ' ', out);
  RC_ASSERT(out == one_by_one(ids, ' '));
}

}  // namespace
}  // namespace tessera::detail
