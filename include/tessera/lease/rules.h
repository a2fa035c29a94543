#pragma once

// The rules of leases, for those who write a store: what a request may be, which number is free,
// and what a row is after a claim, a raise, a release. No clock and no I/O: `now_ms` is an
// argument, and must have been read by the store in the same transaction.
//
//    lock the scope;  read its rows;  choose_machine();  after_claim();  write;  commit
//    lock the row;    after_raise() or after_release();  write;  commit
//    page_start();    read page_size + 1 rows from there on;  page_of()

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/lease/store.h"
#include "tessera/result.h"

namespace tessera {

// What a store keeps of a number. Never deleted: ts_limit_ms is for ever.
struct LeaseRow {
  std::uint32_t machine = 0;
  std::int64_t token = 0;
  std::string holder;
  std::uint64_t claimed_ms = 0;
  std::uint64_t expires_ms = 0;
  std::uint64_t quarantine_ms = 0;  // of the last claim or raise
  std::uint64_t ts_limit_ms = 0;

  friend bool operator==(const LeaseRow&, const LeaseRow&) = default;
};

// What is wrong with a request; nothing, if nothing is.
std::optional<Error> fault_of(const ClaimRequest& request);
std::optional<Error> fault_of(const RaiseRequest& request);
std::optional<Error> fault_of(const ReleaseRequest& request);
std::optional<Error> fault_of(const LeaseListRequest& request);  // its token aside
std::optional<Error> fault_of_lease_scope(std::string_view scope);

// From when on a row may be claimed, if it is neither raised nor released before.
std::uint64_t free_from_ms(const LeaseRow& row) noexcept;

// The lowest number that is free; none_free, if there is none. `rows` are those of the scope, by
// number; numbers without a row were never claimed.
Result<std::uint32_t, Error> choose_machine(std::span<const LeaseRow> rows,
                                            const ClaimRequest& request, std::uint64_t now_ms);

// The row of a claim. `before` is the row of that number, nothing if it has none.
LeaseRow after_claim(const std::optional<LeaseRow>& before, std::uint32_t machine,
                     const ClaimRequest& request, std::uint64_t now_ms);
Lease lease_of(const std::optional<LeaseRow>& before, const LeaseRow& after,
               const LeaseTerms& terms, std::uint64_t now_ms);

// The row of a raise or a release; lease_lost, if it is not the caller's (any more).
Result<LeaseRow, Error> after_raise(const std::optional<LeaseRow>& before,
                                    const RaiseRequest& request, std::uint64_t now_ms);
Reservation reservation_of(const LeaseRow& after, const LeaseTerms& terms, std::uint64_t now_ms);
Result<LeaseRow, Error> after_release(const std::optional<LeaseRow>& before,
                                      const ReleaseRequest& request, std::uint64_t now_ms);

LeaseRecord record_of(std::string_view scope, std::string_view layout, const LeaseRow& row,
                      std::uint64_t now_ms);
std::string_view name_of(LeaseRecord::State state) noexcept;  // "held"

// A page begins behind this number of this scope.
struct LeasePosition {
  std::string scope;
  std::uint32_t machine = 0;

  friend auto operator<=>(const LeasePosition&, const LeasePosition&) = default;
};

// Where a page begins; nothing: at the first number. invalid_request, if the request is none, or
// its token is of another list.
Result<std::optional<LeasePosition>, Error> page_start(const LeaseListRequest& request);
// The page of what a store has found from there on: one more than fits says that there is another.
LeasePage page_of(const LeaseListRequest& request, std::vector<LeaseRecord> records);

// The errors that all stores say alike.
Error lease_is_lost(std::string_view scope, std::uint32_t machine, std::int64_t token,
                    const std::optional<LeaseRow>& row, std::uint64_t now_ms);
Error layout_differs(std::string_view scope, std::string_view there, std::string_view wanted);

}  // namespace tessera
