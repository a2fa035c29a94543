// Lines of the log.

#include "tessera/service/log.h"

#include <unistd.h>

#include <cerrno>

#include "tessera/json.h"
#include "tessera/time_text.h"

namespace tessera::service {
namespace {

// Cut where a character begins, so that the rest is still text.
std::string_view bounded(std::string_view text) noexcept {
  if (text.size() <= Log::kTextSizeMax) return text;
  std::size_t end = Log::kTextSizeMax;
  const auto inside = [&] { return (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; };
  while (end > Log::kTextSizeMax - 4 && inside()) --end;
  return text.substr(0, end);
}

}  // namespace

std::string_view name_of(Log::Level level) noexcept {
  switch (level) {
    case Log::Level::debug: return "debug";
    case Log::Level::info: return "info";
    case Log::Level::warning: return "warning";
    case Log::Level::error: return "error";
  }
  return "";
}

void Log::write(Level level, std::string_view event, std::initializer_list<Field> fields) {
  if (!writes(level)) return;
  JsonWriter json;
  json.begin_object();
  json.key("time").value(time_text(static_cast<std::int64_t>(clock_.now_ms())).view());
  json.key("level").value(name_of(level)).key("event").value(bounded(event));
  for (const auto& [name, value] : fields) {
    json.key(bounded(name));
    if (const auto* text = std::get_if<std::string_view>(&value)) {
      json.value(bounded(*text));
    } else {
      std::visit([&](const auto& other) { json.value(other); }, value);
    }
  }
  const std::string line = json.end_object().take() + '\n';
  // A log that cannot be written must not stop the work; a signal must not lose a line.
  while (::write(descriptor_, line.data(), line.size()) < 0 && errno == EINTR) {
  }
}

}  // namespace tessera::service
