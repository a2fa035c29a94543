// The first line names what is asked for, the second a form, and the rest is the text: given to
// every function of c.h that goes by name. Nothing is written past a buffer or into one that is
// too small, an offset points into the text, and what one function says another does not deny.

#include <algorithm>
#include <array>
#include <string>

#include "support/fuzz.h"
#include "tessera/c.h"

namespace {

using namespace tessera::fuzz;

constexpr char kGuard = '\x5A';

struct Buffer {
  std::array<char, TESSERA_TEXT_SIZE_MAX + 1> chars{};
  std::size_t size = 0;

  Buffer() { chars.fill(kGuard); }
  std::string_view view() const { return {chars.data(), size}; }
  bool untouched(std::size_t from = 0) const {
    return std::all_of(chars.begin() + static_cast<std::ptrdiff_t>(from), chars.end(),
                       [](char c) { return c == kGuard; });
  }
};

std::string_view line_of(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

void fuzz_check(std::string_view what, std::string_view text) {
  std::uint32_t offset = 0;
  const int friendly =
      tessera_check(what.data(), what.size(), 0, text.data(), text.size(), &offset);
  require(offset <= text.size());
  const int strict =
      tessera_check(what.data(), what.size(), TESSERA_STRICT, text.data(), text.size(), &offset);
  require(offset <= text.size());
  if (strict == TESSERA_OK) require(friendly == TESSERA_OK);
  std::int64_t time_ms = 0;
  const int time =
      tessera_time_ms(what.data(), what.size(), text.data(), text.size(), &time_ms, &offset);
  require(offset <= text.size());
  if (time == TESSERA_OK && !what.empty()) require(friendly == TESSERA_OK);
}

void fuzz_convert(std::string_view from, std::string_view to, std::string_view text) {
  Buffer out;
  std::uint32_t offset = 0;
  const int code =
      tessera_convert(from.data(), from.size(), to.data(), to.size(), text.data(), text.size(), 0,
                      out.chars.data(), TESSERA_TEXT_SIZE_MAX, &out.size, &offset);
  require(offset <= text.size());
  require(out.untouched(code == TESSERA_OK ? out.size : 0));
  if (code != TESSERA_OK || out.size == 0) return;
  Buffer small;
  require(tessera_convert(from.data(), from.size(), to.data(), to.size(), text.data(), text.size(),
                          0, small.chars.data(), out.size - 1, &small.size,
                          nullptr) == TESSERA_BUFFER_TOO_SMALL);
  require(small.untouched() && small.size == out.size);
}

void fuzz_checksum(std::string_view text) {
  std::array<char, 4> symbols{kGuard, kGuard, kGuard, kGuard};
  std::uint32_t offset = 0;
  const unsigned bits = text.empty() ? 0 : static_cast<unsigned char>(text.back()) * 3u;
  for (const unsigned count : {0u, 1u, 2u, 3u}) {
    const int code =
        tessera_checksum(text.data(), text.size(), bits, count, symbols.data(), &offset);
    require(offset <= text.size() && symbols[3] == kGuard);
    if (code != TESSERA_OK || count == 0 || bits == 0) continue;
    if (text.find('_') != text.npos) continue;
    const std::string whole = std::string(text) + std::string(symbols.data(), count);
    std::array<char, 512> canonical;
    std::size_t size = 0;
    const int checked = tessera_random_check(whole.data(), whole.size(), bits, count,
                                             canonical.data(), canonical.size(), &size, nullptr);
    require(checked == TESSERA_OK || whole.size() > 256);
  }
}

void fuzz_range(std::string_view what, std::string_view text) {
  Buffer smallest;
  Buffer largest;
  std::uint64_t from_ms = 0;
  for (const char c : text.substr(0, 6)) from_ms = from_ms << 8 | static_cast<unsigned char>(c);
  const int code = tessera_range(what.data(), what.size(), from_ms, from_ms + 1000,
                                 smallest.chars.data(), largest.chars.data(), &largest.size);
  smallest.size = largest.size;
  if (code != TESSERA_OK) {
    require(smallest.untouched() && largest.untouched());
    return;
  }
  require(smallest.view() < largest.view());
  require(smallest.untouched(smallest.size) && largest.untouched(largest.size));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = as_text(data, size);
  const std::string_view what = line_of(rest);
  const std::string_view to = line_of(rest);
  fuzz_check(what, rest);
  fuzz_convert(what, to, rest);
  fuzz_checksum(rest);
  fuzz_range(what, rest);

  Buffer made;
  const int code =
      tessera_new(what.data(), what.size(), made.chars.data(), TESSERA_TEXT_SIZE_MAX, &made.size);
  if (code == TESSERA_OK) {
    require(tessera_check(what.data(), what.size(), TESSERA_STRICT, made.chars.data(), made.size,
                          nullptr) == TESSERA_OK);
  }
  if (rest.size() > 600) return 0;           // more takes longer and finds nothing new
  static std::string json(1 << 20, kGuard);  // to make it each time takes longer than the rest
  std::size_t json_size = 0;
  const int inspected = tessera_inspect(what.data(), what.size(), rest.data(), rest.size(), 0,
                                        json.data(), json.size(), &json_size);
  require(inspected == TESSERA_OK || inspected == TESSERA_BAD_ARGUMENT);
  if (inspected == TESSERA_OK) require(json[0] == '{' && json[json_size - 1] == '}');
  const int any = tessera_check_any(rest.data(), rest.size(), 0);
  require(any == TESSERA_OK || any <= TESSERA_INVALID_RESOURCE_NAME || any == TESSERA_UNKNOWN);
  return 0;
}
