// Any bytes, as a number and as texts in base 36 and base 62: every kernel writes and reads what
// the portable one does, and not one byte behind.

#include <algorithm>
#include <vector>

#include "core/radix_kernel.h"
#include "support/fuzz.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;
using detail::RadixKernel;

using Write = void (*RadixKernel::*)(const Bytes16& bytes, char* out) noexcept;
using Read = bool (*RadixKernel::*)(const char* text, Bytes16& out) noexcept;

// On the heap and of the exact size: what is written or read behind it is found by the sanitizer.

std::vector<char> text_by(const RadixKernel& kernel, Write write, std::size_t size,
                          const Bytes16& bytes) {
  std::vector<char> text(size);
  (kernel.*write)(bytes, text.data());
  return text;
}

void check_reading(const std::vector<char>& text, Read read) {
  const auto kernels = detail::radix_kernels();
  Bytes16 expected{};
  const bool good = (kernels.front().*read)(text.data(), expected);
  for (const RadixKernel& kernel : kernels) {
    Bytes16 bytes{};
    require((kernel.*read)(text.data(), bytes) == good);
    require(!good || bytes == expected);
  }
}

void check(const std::uint8_t* data, std::size_t size, std::size_t text_size, Write write,
           Read read) {
  Bytes16 bytes{};
  std::copy_n(data, std::min(size, bytes.size()), bytes.begin());
  const auto kernels = detail::radix_kernels();
  const auto text = text_by(kernels.front(), write, text_size, bytes);
  for (const RadixKernel& kernel : kernels) {
    require(text_by(kernel, write, text_size, bytes) == text);
  }
  // As it is, with one character that the input chooses, and the input itself.
  check_reading(text, read);
  auto changed = text;
  changed[data[0] % text_size] = static_cast<char>(data[size - 1]);
  check_reading(changed, read);
  if (size >= text_size) {
    const auto* chars = reinterpret_cast<const char*>(data);
    check_reading(std::vector<char>(chars, chars + text_size), read);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  check(data, size, base36::kTextSize, &RadixKernel::write_36, &RadixKernel::read_36);
  check(data, size, base62::kTextSize, &RadixKernel::write_62, &RadixKernel::read_62);
  return 0;
}
