#pragma once

// Log: what happened, one JSON object a line.
//
//    {"time":"2026-11-16T09:00:00.123Z","level":"info","event":"started","address":"127.0.0.1:8420"}
//
// Text that came from outside is escaped, and cut to kTextSizeMax. There is no way to write a
// token: a caller is named by the ID of its token.
//
// Thread-safe: a line is one write.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <variant>

#include "tessera/source.h"

namespace tessera::service {

class Log {
 public:
  enum class Level : std::uint8_t { debug, info, warning, error };
  using Value = std::variant<std::string_view, std::int64_t, double, bool>;
  using Field = std::pair<std::string_view, Value>;

  static constexpr std::size_t kTextSizeMax = 512;

  // Lines below `level` are not written. The descriptor stays the caller's.
  Log(int descriptor, Level level, Clock& clock) noexcept
      : descriptor_(descriptor), level_(level), clock_(clock) {}

  bool writes(Level level) const noexcept { return level >= level_; }
  void write(Level level, std::string_view event, std::initializer_list<Field> fields = {});

 private:
  const int descriptor_;
  const Level level_;
  Clock& clock_;
};

std::string_view name_of(Log::Level level) noexcept;

}  // namespace tessera::service
