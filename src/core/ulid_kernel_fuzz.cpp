// Any bytes, as a separator and ULIDs, and as texts: every kernel writes and reads what the
// portable one does, and not one byte behind.

#include <vector>

#include "core/ulid_kernel.h"
#include "support/fuzz.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

// On the heap and of the exact size: what is written or read behind it is found by the sanitizer.

std::vector<char> texts_by(const detail::UlidTextKernel& kernel, std::span<const Ulid> ids,
                           char separator) {
  std::vector<char> buffer(ids.size() * (Ulid::kTextSize + 1));
  kernel.write_many(ids, separator, buffer.data());
  return buffer;
}

std::vector<char> text_by(const detail::UlidTextKernel& kernel, const Ulid& id,
                          base32::Letters letters) {
  const std::vector<std::uint8_t> bytes(id.bytes.begin(), id.bytes.end());
  std::vector<char> buffer(Ulid::kTextSize);
  kernel.write_one(bytes.data(), buffer.data(), letters);
  return buffer;
}

// Nothing, or the bytes.
std::vector<std::uint8_t> bytes_by(const detail::UlidTextKernel& kernel,
                                   const std::vector<char>& text, detail::TextAlphabet alphabet) {
  std::vector<std::uint8_t> bytes(Ulid::kSize);
  if (!kernel.read_one(text.data(), bytes.data(), alphabet)) bytes.clear();
  return bytes;
}

void check_reading(const std::vector<char>& text) {
  using detail::TextAlphabet;
  const auto kernels = detail::ulid_text_kernels();
  for (const auto alphabet :
       {TextAlphabet::either_case, TextAlphabet::lower, TextAlphabet::friendly}) {
    const auto expected = bytes_by(kernels.front(), text, alphabet);
    for (const auto& kernel : kernels) require(bytes_by(kernel, text, alphabet) == expected);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char separator = static_cast<char>(data[0]);
  std::vector<Ulid> ids;
  for (std::size_t at = 1; at < size; at += Ulid::kSize) {
    ids.push_back(id_of<Ulid>(data + at, size - at));
  }
  const auto kernels = detail::ulid_text_kernels();
  const auto expected = texts_by(kernels.front(), ids, separator);
  for (const auto& kernel : kernels) require(texts_by(kernel, ids, separator) == expected);
  for (const Ulid& id : ids) {
    for (const auto letters : {base32::Letters::upper, base32::Letters::lower}) {
      const auto text = text_by(kernels.front(), id, letters);
      for (const auto& kernel : kernels) require(text_by(kernel, id, letters) == text);
      // As it is, and with one character that the input chooses.
      check_reading(text);
      auto changed = text;
      changed[data[0] % Ulid::kTextSize] = static_cast<char>(data[size - 1]);
      check_reading(changed);
    }
  }
  if (size >= Ulid::kTextSize) {
    const auto* text = reinterpret_cast<const char*>(data);
    check_reading(std::vector<char>(text, text + Ulid::kTextSize));
  }
  return 0;
}
