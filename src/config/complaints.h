#pragma once

// Complaints: the mistakes of one configuration, as they are found.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/config/config_error.h"
#include "tessera/parse_error.h"

namespace tessera::config {

// A place in the file, both from 1. A value that came from elsewhere has line 0.
struct Mark {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class Complaints {
 public:
  // Nobody mends more at once; and a hostile file gets a short answer.
  static constexpr std::size_t kCountMax = 100;

  void add(Mark at, ConfigError::Code code, std::string message, std::string hint = {}) {
    if (errors_.size() < kCountMax) {
      errors_.push_back({at.line, at.column, code, std::move(message), std::move(hint)});
    } else {
      cut_ = true;
    }
  }

  bool empty() const noexcept { return errors_.empty(); }
  bool full() const noexcept { return cut_; }

  // From top to bottom of the file, whatever the order they were found in.
  ConfigErrors take() {
    std::ranges::stable_sort(
        errors_, {}, [](const ConfigError& error) { return std::pair(error.line, error.column); });
    if (cut_) {
      errors_.push_back({0, 0, ConfigError::Code::too_many,
                         "more mistakes follow; these are " + std::to_string(kCountMax), ""});
    }
    return std::move(errors_);
  }

 private:
  ConfigErrors errors_;
  bool cut_ = false;
};

// 'text', safe to show, and no longer than what helps to find it.
inline std::string quoted(std::string_view text) { return "'" + printable(text, 64) + "'"; }

}  // namespace tessera::config
