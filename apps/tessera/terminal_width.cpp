// How wide the system says that a terminal is.

#include <sys/ioctl.h>

#include "terminal.h"

namespace tessera::cli {

std::size_t terminal_width(int fd) noexcept {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

}  // namespace tessera::cli
