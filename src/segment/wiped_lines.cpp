// Lines are cut from pages that the kernel wipes in a child, 64 from each. A page of its own for
// each would be simpler, and was: ten thousand of them are more than a processor keeps translations
// for, and all begin in the same few sets of its caches.
//
// Which lines are taken stands in ordinary memory, so that a child knows it. Pages are never given
// back; lines are, and the next one who asks gets them.

#include "segment/wiped_lines.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>

namespace tessera {
namespace {

constexpr std::size_t kPageSize = 4096;
constexpr unsigned kLineCount = kPageSize / kWipedLineSize;
static_assert(kLineCount == 64);

struct Page {
  std::byte* memory;
  Page* older;
  std::atomic<std::uint64_t> taken{1};  // a bit for each line; whoever makes a page has the first
};

constinit std::atomic<Page*> newest{nullptr};

void* line_of(const Page& page, unsigned index) noexcept {
  return page.memory + index * kWipedLineSize;
}

void* take_from(Page& page) noexcept {
  std::uint64_t taken = page.taken.load(std::memory_order_relaxed);
  while (~taken != 0) {
    const auto index = static_cast<unsigned>(__builtin_ctzll(~taken));
    if (page.taken.compare_exchange_weak(taken, taken | std::uint64_t{1} << index,
                                         std::memory_order_acquire)) {
      return line_of(page, index);
    }
  }
  return nullptr;
}

}  // namespace

void* take_wiped_line() {
  for (Page* page = newest.load(std::memory_order_acquire); page != nullptr; page = page->older) {
    if (void* line = take_from(*page)) return line;
  }
  auto* page = new Page{};
  void* memory =
      mmap(nullptr, kPageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    delete page;
    throw std::bad_alloc();
  }
  // Before Linux 4.14 there is no such advice; there, whoever forks must not use the copy.
  madvise(memory, kPageSize, MADV_WIPEONFORK);
  page->memory = static_cast<std::byte*>(memory);
  page->older = newest.load(std::memory_order_relaxed);
  while (!newest.compare_exchange_weak(page->older, page, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
  return line_of(*page, 0);
}

void return_wiped_line(void* line) noexcept {
  auto* place = static_cast<std::byte*>(line);
  std::memset(place, 0, kWipedLineSize);
  for (Page* page = newest.load(std::memory_order_acquire); page != nullptr; page = page->older) {
    if (place < page->memory || place >= page->memory + kPageSize) continue;
    const auto index =
        static_cast<unsigned>(static_cast<std::size_t>(place - page->memory) / kWipedLineSize);
    page->taken.fetch_and(~(std::uint64_t{1} << index), std::memory_order_release);
    return;
  }
}

}  // namespace tessera
