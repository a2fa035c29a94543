// Matches paths with patterns.

#include <algorithm>

#include "service/routes.h"

namespace tessera::service {
namespace {

constexpr std::size_t kFrontSize = 3;  // of a nested pattern: v1, tenants, {tenant}

bool is_visible(const Route& route, bool internal) noexcept {
  return internal || route.listener == Listener::both;
}

// "{id}" matches anything, "{id}:undelete" what ends so, any other word itself.
bool part_matches(std::string_view pattern, std::string_view part) noexcept {
  if (!pattern.starts_with('{')) return pattern == part;
  const std::string_view verb = pattern.substr(pattern.find('}') + 1);
  return part.size() > verb.size() && part.ends_with(verb);
}

}  // namespace

std::string_view name_of(Method method) noexcept {
  switch (method) {
    case Method::get: return "GET";
    case Method::head: return "HEAD";
    case Method::post: return "POST";
    case Method::del: return "DELETE";
    case Method::options: return "OPTIONS";
    case Method::other: break;
  }
  return "";
}

RouteTable::RouteTable(std::span<const Route> routes) : routes_(routes), rows_(routes.size()) {
  for (std::size_t i = 0; i < routes.size(); ++i) {
    if (routes[i].pattern.find('{') != std::string_view::npos) {
      std::string_view rest = routes[i].pattern.substr(1);
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        rows_[i].parts.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    for (const bool internal : {false, true}) {
      std::string& allow = rows_[i].allow[internal ? 1 : 0];
      for (const Route& other : routes) {
        if (other.pattern != routes[i].pattern || !is_visible(other, internal)) continue;
        allow += (allow.empty() ? "" : ", ") + std::string(name_of(other.method));
        if (other.method == Method::get) allow += ", HEAD";
      }
    }
  }
}

bool RouteTable::matches(const Row& row, const Route& route, const Path& path) const noexcept {
  const auto parts = path.parts();
  const std::size_t count = row.parts.size();
  if (parts.size() < count || (!route.nested && parts.size() != count)) return false;
  const std::size_t between = parts.size() - count;  // pairs of a nested path
  if (between % 2 != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i < kFrontSize ? i : i + between;
    if (!part_matches(row.parts[i], parts[at])) return false;
  }
  return true;
}

RouteTable::Match RouteTable::find(Method method, std::string_view text, bool internal,
                                   Path& path) const {
  const Method wanted = method == Method::head ? Method::get : method;
  Match match;
  const auto consider = [&](std::size_t i) {
    match.allow = rows_[i].allow[internal ? 1 : 0];
    if (routes_[i].method != wanted) return false;
    match.route = &routes_[i];
    match.number = i;
    return true;
  };
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    const bool plain = rows_[i].parts.empty();  // a pattern with holes is no path
    if (plain && routes_[i].pattern == text && is_visible(routes_[i], internal) && consider(i)) {
      return match;
    }
  }
  if (!match.allow.empty()) return match;
  if (!path.parse(text)) {
    match.malformed = true;
    return match;
  }
  if (path.ends_with_slash()) return match;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    if (!rows_[i].parts.empty() && is_visible(routes_[i], internal) &&
        matches(rows_[i], routes_[i], path) && consider(i)) {
      return match;
    }
  }
  return match;
}

}  // namespace tessera::service
