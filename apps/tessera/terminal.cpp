// ANSI colours, and whether to use them.

#include "terminal.h"

#include <unistd.h>

#include <cstdlib>

namespace tessera::cli {
namespace {

std::string_view code_of(Colour colour) noexcept {
  switch (colour) {
    case Colour::none: return "0";
    case Colour::bold: return "1";
    case Colour::dim: return "2";
    case Colour::red: return "31";
    case Colour::green: return "32";
    case Colour::yellow: return "33";
    case Colour::blue: return "34";
    case Colour::magenta: return "35";
    case Colour::cyan: return "36";
  }
  return "0";
}

bool is_set(const char* name) noexcept {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

std::string Painter::operator()(Colour colour, std::string_view text) const {
  if (!on_ || colour == Colour::none || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code_of(colour)) + "m" + std::string(text) + "\x1b[0m";
}

bool is_terminal(int fd) noexcept { return ::isatty(fd) == 1; }

bool is_dumb_terminal() noexcept {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

Painter painter_for(const Args& args, int fd) {
  const std::string_view when = args.value_or("color", "auto");
  if (when != "auto") return Painter(when == "always");
  return painter_for(fd);
}

Painter painter_for(int fd) {
  return Painter(is_terminal(fd) && !is_set("NO_COLOR") && !is_dumb_terminal());
}

}  // namespace tessera::cli
