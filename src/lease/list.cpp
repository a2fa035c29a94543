// Lists, page by page.
//
// A token says of which list it is, and where the last page ended, "=ORDER/42" or "*ORDER/42", in
// hexadecimal digits: nobody is meant to read it, or to make one.

#include <algorithm>
#include <charconv>
#include <utility>

#include "tessera/codec.h"
#include "tessera/lease/rules.h"
#include "tessera/lease/store.h"

namespace tessera {
namespace {

std::string token_of(const LeaseListRequest& request, const LeasePosition& last) {
  const std::string text =
      (request.scope.empty() ? "*" : "=") + last.scope + "/" + std::to_string(last.machine);
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  std::string token(2 * bytes.size(), '\0');
  hex::write(bytes, token);
  return token;
}

// Nothing, if it is not what token_of() writes for the same list.
std::optional<LeasePosition> read_token(const LeaseListRequest& request) {
  constexpr std::size_t kSizeMax = 256;
  const std::string_view token = request.page_token;
  if (token.size() > kSizeMax || token.size() % 2 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes(token.size() / 2);
  if (!hex::parse(token, bytes)) return std::nullopt;
  const std::string text(bytes.begin(), bytes.end());
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return std::nullopt;
  LeasePosition last{text.substr(1, slash - 1), 0};
  std::from_chars(text.data() + slash + 1, text.data() + text.size(), last.machine);
  if (!request.scope.empty() && last.scope != request.scope) return std::nullopt;
  if (fault_of_lease_scope(last.scope) || token_of(request, last) != token) return std::nullopt;
  return last;
}

LeasePosition position_of(const LeaseRecord& record) { return {record.scope, record.machine}; }

}  // namespace

std::optional<Error> fault_of(const LeaseListRequest& request) {
  if (request.page_size == 0 || request.page_size > LeaseListRequest::kPageSizeMax) {
    return Error{Error::Code::invalid_request,
                 "no page has " + std::to_string(request.page_size) + " entries",
                 "Ask for 1 to " + std::to_string(LeaseListRequest::kPageSizeMax) + "."};
  }
  return request.scope.empty() ? std::nullopt : fault_of_lease_scope(request.scope);
}

Result<std::optional<LeasePosition>, Error> page_start(const LeaseListRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*std::move(fault)};
  if (request.page_token.empty()) return std::optional<LeasePosition>();
  auto last = read_token(request);
  if (last) return last;
  return Failure{Error{Error::Code::invalid_request, "not a page token of this list",
                       "Take the one of the page before, with the same scope."}};
}

LeasePage page_of(const LeaseListRequest& request, std::vector<LeaseRecord> records) {
  LeasePage page{std::move(records), ""};
  if (page.items.size() <= request.page_size) return page;
  page.items.resize(request.page_size);
  page.next_token = token_of(request, position_of(page.items.back()));
  return page;
}

Result<std::vector<LeaseRecord>, Error> LeaseStore::list_all(std::string_view scope) {
  std::vector<LeaseRecord> records;
  std::string token;
  do {
    auto page = list({scope, token, LeaseListRequest::kPageSizeMax});
    if (!page) return Failure{page.error()};
    // Another Tessera that turns in a circle must not keep us for ever.
    const bool stuck = page->items.empty() ? !page->next_token.empty()
                                           : !records.empty() && position_of(page->items.front()) <=
                                                                     position_of(records.back());
    if (stuck) {
      return Failure{Error{Error::Code::store_failed,
                           "the pages of a list of leases go round in a circle", ""}};
    }
    token = std::move(page->next_token);
    std::ranges::move(page->items, std::back_inserter(records));
  } while (!token.empty());
  return records;
}

}  // namespace tessera
