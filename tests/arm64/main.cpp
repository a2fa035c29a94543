// What the kernels of arm64 promise, where there is no GoogleTest: the fuzz targets of ULID and
// UUID text find no difference to the portable code and to school arithmetic, the keystreams keep
// the vectors of their standards, and the tables of tests/vectors/ are read as they should be.
//
// Prints a line for each part, with a digest of what it made: the same on every architecture, which
// check.py holds it to.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "core/keystream.h"
#include "core/ulid_kernel.h"
#include "tessera/codec.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

// The fuzz targets, each compiled under a name of its own.
extern "C" int ulid_kernel_input(const std::uint8_t* data, std::size_t size);
extern "C" int uuid_input(const std::uint8_t* data, std::size_t size);

namespace {

using namespace tessera;

void require(bool true_always, const char* promise) {
  if (true_always) return;
  std::fprintf(stderr, "not true: %s\n", promise);
  std::exit(1);
}

class Digest {
 public:
  void add(const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      value_ = (value_ ^ static_cast<const std::uint8_t*>(bytes)[i]) * 0x100'0000'01B3;
    }
  }
  void print(const char* part) const {
    std::printf("%s %016llx\n", part, static_cast<unsigned long long>(value_));
  }

 private:
  std::uint64_t value_ = 0xCBF2'9CE4'8422'2325;
};

std::vector<std::uint8_t> random_bytes(std::mt19937_64& random, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 24);
  return bytes;
}

void check_ulid_kernels() {
  const auto kernels = detail::ulid_text_kernels();
  require(kernels.size() > 1, "there is a kernel besides the portable one");
  std::mt19937_64 random(20'260'822);
  for (int i = 0; i < 4'000; ++i) {
    const auto bytes = random_bytes(random, 1 + random() % 100);
    ulid_kernel_input(bytes.data(), bytes.size());
  }
  // Every character at every place, in all alphabets.
  const auto id = random_bytes(random, 16);
  std::array<char, Ulid::kTextSize> text{};
  kernels.front().write_one(id.data(), text.data(), base32::Letters::upper);
  int taken = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto changed = text;
    for (int c = 0; c < 256; ++c) {
      changed[at] = static_cast<char>(c);
      for (const auto alphabet : {detail::TextAlphabet::either_case, detail::TextAlphabet::lower,
                                  detail::TextAlphabet::friendly}) {
        std::array<std::uint8_t, 16> expected{};
        const bool good = kernels.front().read_one(changed.data(), expected.data(), alphabet);
        if (good) ++taken;
        for (const auto& kernel : kernels) {
          std::array<std::uint8_t, 16> bytes{};
          require(kernel.read_one(changed.data(), bytes.data(), alphabet) == good &&
                      (!good || bytes == expected),
                  "kernels of ULID text read the same");
        }
      }
    }
  }
  require(taken > 500, "some texts were good");
}

void check_uuid_text() {
  std::mt19937_64 random(20'260'823);
  Digest digest;
  for (int i = 0; i < 4'000; ++i) {
    const auto bytes = random_bytes(random, random() % 40);
    uuid_input(bytes.data(), bytes.size());
    Uuid id;
    for (auto& byte : id.bytes) byte = static_cast<std::uint8_t>(random() >> 24);
    std::string text = id.to_string();
    digest.add(text.data(), text.size());
    // With one character that is another: good, or not.
    text[random() % text.size()] = static_cast<char>(random() % 256);
    uuid_input(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    const auto read = Uuid::parse(text);
    if (read) digest.add(read->bytes.data(), read->bytes.size());
  }
  digest.print("uuid_text");
}

std::array<std::uint8_t, 32> key_of(std::string_view hex) {
  std::array<std::uint8_t, 32> key{};
  for (std::size_t half = 0; half < 2; ++half) {
    const auto bytes = hex::parse(hex.substr(32 * half, 32));
    require(static_cast<bool>(bytes), "a key is hex");
    std::copy(bytes->begin(), bytes->end(), key.begin() + 16 * half);
  }
  return key;
}

// The first bytes of the keystream, and then a digest of many keys and sizes.
void check_keystream(const char* part, detail::Keystream cipher, std::string_view key_text,
                     std::string_view first) {
  std::array<std::uint8_t, 128> out{};
  const auto vector_key = key_of(key_text);
  cipher(vector_key.data(), out.data(), out.size());
  const auto expected = hex::parse(first);
  require(expected && std::equal(expected->begin(), expected->end(), out.begin()), part);
  std::mt19937_64 random(20'260'824);
  Digest digest;
  for (const std::size_t size : {128u, 256u, 384u, 4096u, 32'768u}) {
    for (int i = 0; i < 4; ++i) {
      const auto key = random_bytes(random, detail::kKeySize);
      std::vector<std::uint8_t> stream(size + 1, std::uint8_t{0xEE});
      cipher(key.data(), stream.data(), size);
      require(stream.back() == 0xEE, "a keystream writes nothing beyond its size");
      digest.add(stream.data(), size);
    }
  }
  digest.print(part);
}

void check_vectors(const std::string& folder) {
  std::ifstream table(folder + "/oracle-ulid.tsv");
  std::string line;
  std::size_t rows = 0;
  while (std::getline(table, line)) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    const std::size_t third = line.find('\t', second + 1);
    const std::string uuid_text = line.substr(first + 1, second - first - 1);
    const std::string ulid_text = line.substr(second + 1, third - second - 1);
    const auto bytes = hex::parse(line.substr(0, first));
    const auto uuid = Uuid::parse(uuid_text);
    const auto ulid = Ulid::parse(ulid_text);
    require(bytes && uuid && ulid, "every row of the table can be read");
    require(uuid->bytes == *bytes && ulid->bytes == *bytes, "a row has one value");
    require(uuid->to_string() == uuid_text && ulid->to_string() == ulid_text,
            "a row is written as it was read");
    ++rows;
  }
  require(rows > 20, "the table has rows");
  std::printf("vectors %zu\n", rows);
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 2, "the folder of the vectors is an argument");
  check_ulid_kernels();
  std::puts("ulid_kernels same");
  check_uuid_text();
  check_keystream("chacha20", detail::chacha20_keystream,
                  "0000000000000000000000000000000000000000000000000000000000000000",
                  "76b8e0ada0f13d90405d6ae55386bd28");
  if (detail::aes_available()) {
    check_keystream("aes256", detail::aes256_keystream,
                    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                    "f29000b62a499fd0a9f39a6add2e7780");
    require(detail::best_keystream() != detail::chacha20_keystream, "AES is used where it is");
  }
  check_vectors(argv[1]);
  return 0;
}
