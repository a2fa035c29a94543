// vmsplice() of huge pages.

#include "given_pages.h"

#ifdef __linux__

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

namespace tessera::cli {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

// A region of one huge page is touched by one fault; in small pages it would be 512.
constexpr long kFaultsOfHugePage = 64;

bool huge_pages_may_be_had() {
  const int fd = ::open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[64];
  const ssize_t size = ::read(fd, text, sizeof text);
  ::close(fd);
  // "always [madvise] never": the one in brackets is in force.
  return size > 0 && std::string_view(text, static_cast<std::size_t>(size)).find("[never]") ==
                         std::string_view::npos;
}

long faults() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

// Mapped memory of twice the size has an aligned huge page in it; the rest is given back.
char* map_huge_page() {
  void* const whole =
      ::mmap(nullptr, 2 * kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<char*>(whole);
  const std::size_t before =
      (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before > 0) ::munmap(begin, before);
  ::munmap(begin + before + kHugePage, kHugePage - before);
  (void)::madvise(begin + before, kHugePage, MADV_HUGEPAGE);
  return begin + before;
}

}  // namespace

GivenPages::~GivenPages() { drop(); }

void GivenPages::drop() {
  if (region_ != nullptr) ::munmap(region_, kHugePage);  // a pipe keeps what it was given
  region_ = nullptr;
}

bool GivenPages::suit(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode) && huge_pages_may_be_had();
}

std::span<char> GivenPages::next() {
  if (region_ == nullptr || used_ == kHugePage) {
    const bool first = region_ == nullptr;
    drop();
    const long now = faults();
    if (!first && now - faults_before_ > kFaultsOfHugePage) return {};
    faults_before_ = now;
    used_ = 0;
    region_ = map_huge_page();
    if (region_ == nullptr) return {};
  }
  const std::span<char> piece(region_ + used_, kPiece);
  used_ += kPiece;
  return piece;
}

std::span<const char> GivenPages::give(int fd, std::span<const char> filled) {
  while (!filled.empty()) {
    iovec part{const_cast<char*>(filled.data()), filled.size()};
    const ssize_t given = ::vmsplice(fd, &part, 1, 0);
    if (given < 0 && errno == EINTR) continue;
    if (given <= 0) break;
    filled = filled.subspan(static_cast<std::size_t>(given));
  }
  return filled;
}

}  // namespace tessera::cli

#else  // there is no such thing

namespace tessera::cli {

GivenPages::~GivenPages() = default;
bool GivenPages::suit(int) { return false; }
std::span<char> GivenPages::next() { return {}; }
std::span<const char> GivenPages::give(int, std::span<const char> filled) { return filled; }

}  // namespace tessera::cli

#endif
