// Chooses what to answer with.

#include "service/accept.h"

#include <algorithm>

namespace tessera::service {
namespace {

std::string_view trimmed(std::string_view text) noexcept {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// What stands before `separator`, which is taken off with it.
std::string_view take(std::string_view& text, char separator) noexcept {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(part);
}

bool same(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// In thousandths: "0.5" is 500. What is malformed is 0: not accepted.
int quality_of(std::string_view text) noexcept {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return 0;
  int quality = (text[0] - '0') * 1000;
  if (text.size() > 1 && text[1] != '.') return 0;
  int place = 100;
  for (std::size_t i = 2; i < text.size(); ++i, place /= 10) {
    if (text[i] < '0' || text[i] > '9') return 0;
    quality += (text[i] - '0') * place;
  }
  return quality > 1000 ? 0 : quality;
}

// How exactly a range such as "text/*" names a media type: 3 by name, 1 as any, 0 not at all.
int closeness(std::string_view range, std::string_view type) noexcept {
  if (range == "*/*") return 1;
  if (same(range, type)) return 3;
  const std::string_view family = type.substr(0, type.find('/') + 1);
  return range.ends_with("/*") && same(range.substr(0, range.size() - 1), family) ? 2 : 0;
}

int quality_for(std::string_view accept, Media media) noexcept {
  std::string_view name = name_of(media);
  const std::string_view type = take(name, ';');
  int best = 0;
  int quality = 0;
  while (!accept.empty()) {
    std::string_view range = take(accept, ',');
    const int close = closeness(take(range, ';'), type);
    if (close <= best) continue;
    best = close;
    quality = 1000;
    while (!range.empty()) {
      const std::string_view parameter = take(range, ';');
      if (parameter.starts_with("q=") || parameter.starts_with("Q=")) {
        quality = quality_of(parameter.substr(2));
      }
    }
  }
  return quality;
}

}  // namespace

std::optional<Media> choose(std::string_view accept, std::span<const Media> offered) noexcept {
  if (accept.empty() || accept == "*/*") return offered.front();
  std::optional<Media> best;
  int best_quality = 0;
  for (const Media media : offered) {
    const int quality = quality_for(accept, media);
    if (quality <= best_quality) continue;
    best = media;
    best_quality = quality;
  }
  return best;
}

bool is_json(std::string_view content_type) noexcept {
  return same(take(content_type, ';'), "application/json");
}

}  // namespace tessera::service
