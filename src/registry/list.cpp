// Lists, page by page.
//
// A token is where the last page ended, 16 bytes, and behind it a digest of the question, so that
// it is of no use for another one: of another tenant, type, parent or state.

#include <algorithm>

#include "registry/blake2s.h"
#include "tessera/codec.h"
#include "tessera/registry/registry.h"

namespace tessera {
namespace {

IdBody digest_of(const ListRequest& request, const IdBody& last) {
  Blake2s digest;
  digest.add_text(request.deleted ? "tombstones" : "page").add_text(request.tenant);
  digest.add_text(request.type.id.prefix).add_number(request.ancestors.size());
  for (const auto& ancestor : request.ancestors) digest.add(ancestor);
  return digest.add(last).finish_16();
}

Error odd_token() {
  return Error{Error::Code::invalid_request, "not a page token of this list",
               "Take the one of the page before, with the same tenant, type and parent."};
}

Error keeps_nothing(const RegisteredType& type) {
  return Error{Error::Code::invalid_request,
               "of a deleted " + type.name() + " nothing is kept but that its ID was used",
               "Ask for the ID itself."};
}

}  // namespace

Result<Page, Error> Registry::list(std::string_view tenant, std::string_view type_name,
                                   const ListOptions& options) {
  if (auto fault = fault_of_tenant(tenant)) return Failure{*fault};
  const auto found = type_named(types_, type_name);
  if (!found) return Failure{found.error()};
  const RegisteredType& type = **found;
  if (options.page_size == 0 || options.page_size > kPageSizeMax) {
    return Failure{Error{Error::Code::invalid_request,
                         "no page has " + std::to_string(options.page_size) + " entries",
                         "Ask for 1 to " + std::to_string(kPageSizeMax) + "."}};
  }
  if (options.deleted && type.is_exact()) return Failure{keeps_nothing(type)};
  std::vector<IdBody> ancestors;
  if (!options.parent.empty()) {
    auto named = ancestors_of(tenant, type, options.parent);
    if (!named) return Failure{named.error()};
    ancestors = std::move(*named);
  }
  ListRequest request{.type = type,
                      .tenant = tenant,
                      .ancestors = ancestors,
                      .deleted = options.deleted,
                      .after = std::nullopt,
                      .count_max = options.page_size + 1};
  if (!options.page_token.empty()) {
    constexpr std::size_t kHalf = base62::kTextSize;
    if (options.page_token.size() != 2 * kHalf) return Failure{odd_token()};
    const auto last = base62::parse(options.page_token.substr(0, kHalf));
    const auto digest = base62::parse(options.page_token.substr(kHalf));
    if (!last || !digest || *digest != digest_of(request, *last)) {
      return Failure{odd_token()};
    }
    request.after = *last;
  }
  auto listed = store_.list(request);
  if (!listed) return Failure{listed.error()};
  Page page;
  const bool more = listed->size() > options.page_size;
  if (more) listed->resize(options.page_size);
  for (const auto& issued : *listed) {
    const bool whole = issued.ancestors.size() == type.depth();
    page.items.push_back(
        {type.text_of(issued.body),
         whole ? resource_name_of(tenant, type, issued.ancestors, issued.body) : std::string(),
         issued.key, issued.created_ms, issued.deleted_ms});
  }
  if (more) {
    const IdBody& last = listed->back().body;
    page.next_token =
        base62::text_of(last).to_string() + base62::text_of(digest_of(request, last)).to_string();
  }
  return page;
}

}  // namespace tessera
