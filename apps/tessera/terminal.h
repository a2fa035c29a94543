#pragma once

// Terminals: colours, whether to use them, and how much fits in a line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "args.h"

namespace tessera::cli {

enum class Colour : std::uint8_t { none, bold, dim, red, green, yellow, blue, magenta, cyan };

// Colours text, or leaves it as it is.
class Painter {
 public:
  explicit Painter(bool on) noexcept : on_(on) {}

  bool on() const noexcept { return on_; }
  std::string operator()(Colour colour, std::string_view text) const;

 private:
  bool on_;
};

bool is_terminal(int fd) noexcept;
bool is_dumb_terminal() noexcept;  // by TERM: it knows no escape sequences

// How many characters a line of it has; 80 if that cannot be told.
std::size_t terminal_width(int fd) noexcept;

// By --color (auto, always, never); auto is: a terminal, and neither NO_COLOR nor TERM=dumb.
Painter painter_for(const Args& args, int fd);
Painter painter_for(int fd);  // auto

}  // namespace tessera::cli
