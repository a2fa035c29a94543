// The web console: a page and its parts, from the memory of the program.

#include <algorithm>

#include "service/digest.h"
#include "service/gzip.h"
#include "service/handlers.h"
#include "service/problem.h"
#include "tessera/version.h"

namespace tessera::service {
namespace {

constexpr std::string_view kAskAgain = "no-cache";
constexpr std::string_view kForEver = "public, max-age=31536000, immutable";

// What there is without a console. No style: the policy of pages forbids it here.
constexpr std::string_view kPlainPage =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Tessera</title>\n"
    "<p>This is Tessera " TESSERA_VERSION
    ", built without its web console. <a href=\"/openapi.json\">What can be asked here</a>, "
    "<a href=\"/healthz\">whether it runs</a> and <a href=\"/readyz\">whether it is ready</a> are "
    "told all the same.</p>\n</html>\n";

const Asset* find_asset(std::span<const Asset> assets, std::string_view path) noexcept {
  const auto found = std::ranges::find(assets, path, &Asset::path);
  return found == assets.end() ? nullptr : &*found;
}

Outcome answer_with(Call& call, const Asset& asset, Media media) {
  Answer& answer = call.answer;
  answer.media = media;
  answer.asset = &asset;
  answer.is_gzip = !asset.gzip.empty() && takes_gzip(call.request.accept_encoding);
  answer.cache = asset.immutable ? kForEver : kAskAgain;
  answer.etag = answer.is_gzip ? asset.gzip_etag : asset.etag;
  if (matches_etag(call.request.if_none_match, answer.etag)) answer.status = 304;
  return Outcome::done;
}

}  // namespace

Outcome show_page(Call& call) {
  if (const Asset* page = find_asset(call.state.assets, "/")) {
    return answer_with(call, *page, Media::html);
  }
  call.answer.media = Media::html;
  call.answer.body = kPlainPage;
  return Outcome::done;
}

Outcome show_asset(Call& call) {
  const Asset* asset = find_asset(call.state.assets, call.request.path);
  if (asset == nullptr) return answer_problem(call, Fault::no_route);
  return answer_with(call, *asset, Media::bytes);
}

}  // namespace tessera::service
