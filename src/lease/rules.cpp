// The rules of leases, in one place for all stores.

#include "tessera/lease/rules.h"

#include <algorithm>

#include "tessera/parse_error.h"
#include "tessera/scope_name.h"

namespace tessera {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLayoutSizeMax = 64;
constexpr std::size_t kHolderSizeMax = 128;

Error invalid(std::string message, std::string hint) {
  return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
}

std::optional<Error> fault_of_text(std::string_view what, std::string_view text,
                                   std::size_t size_max) {
  if (text.size() > size_max) {
    return invalid("the " + std::string(what) + " has " + std::to_string(text.size()) + " bytes",
                   "At most " + std::to_string(size_max) + " are allowed.");
  }
  if (!std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; })) {
    return invalid("the " + std::string(what) + " is not printable ASCII: " + quoted(text),
                   "Use letters, digits and marks.");
  }
  return std::nullopt;
}

std::optional<Error> fault_of_span(std::string_view what, milliseconds value, milliseconds min,
                                   milliseconds max) {
  if (value >= min && value <= max) return std::nullopt;
  return invalid(
      "the " + std::string(what) + " is " + std::to_string(value.count()) + " ms",
      "Let it be " + std::to_string(min.count()) + " to " + std::to_string(max.count()) + " ms.");
}

std::optional<Error> fault_of(const LeaseTerms& terms) {
  if (auto fault =
          fault_of_span("time to live", terms.ttl, LeaseTerms::kTtlMin, LeaseTerms::kTtlMax)) {
    return fault;
  }
  if (auto fault = fault_of_span("reserve", terms.reserve, LeaseTerms::kReserveMin,
                                 LeaseTerms::kReserveMax)) {
    return fault;
  }
  return fault_of_span("quarantine", terms.quarantine, milliseconds(0), LeaseTerms::kQuarantineMax);
}

std::optional<Error> fault_of_token(std::int64_t token) {
  if (token > 0) return std::nullopt;
  return invalid("no token: " + std::to_string(token), "A claim gives one; it is positive.");
}

std::uint64_t ms_of(milliseconds span) noexcept { return static_cast<std::uint64_t>(span.count()); }

bool is_held(const LeaseRow& row, std::int64_t token, std::uint64_t now_ms) noexcept {
  return row.token == token && now_ms < row.expires_ms;
}

}  // namespace

std::optional<Error> fault_of_lease_scope(std::string_view scope) {
  const auto offset = scope_name_fault(scope);
  if (!offset) return std::nullopt;
  if (scope.empty()) return invalid("a scope without a name", "Give it one, such as ORDER.");
  return invalid(
      "not a name for a scope: " + quoted(scope) + ", at offset " + std::to_string(*offset),
      "A name is 1 to 64 letters, digits, '.', '_' and '-', with a letter or digit at both ends.");
}

std::optional<Error> fault_of(const ClaimRequest& request) {
  if (auto fault = fault_of_lease_scope(request.scope)) return fault;
  if (request.layout.empty())
    return invalid("a claim without a layout", "Say how IDs are laid out.");
  if (auto fault = fault_of_text("layout", request.layout, kLayoutSizeMax)) return fault;
  if (request.machine_min > request.machine_max) {
    return invalid("no machine number is at least " + std::to_string(request.machine_min) +
                       " and at most " + std::to_string(request.machine_max),
                   "Let the least be the smaller one.");
  }
  if (auto fault = fault_of_text("holder", request.holder, kHolderSizeMax)) return fault;
  return fault_of(request.terms);
}

std::optional<Error> fault_of(const RaiseRequest& request) {
  if (auto fault = fault_of_lease_scope(request.scope)) return fault;
  if (auto fault = fault_of_token(request.token)) return fault;
  return fault_of(request.terms);
}

std::optional<Error> fault_of(const ReleaseRequest& request) {
  if (auto fault = fault_of_lease_scope(request.scope)) return fault;
  return fault_of_token(request.token);
}

std::uint64_t free_from_ms(const LeaseRow& row) noexcept {
  return std::max(row.expires_ms + row.quarantine_ms, row.ts_limit_ms);
}

Result<std::uint32_t, Error> choose_machine(std::span<const LeaseRow> rows,
                                            const ClaimRequest& request, std::uint64_t now_ms) {
  std::uint64_t next = request.machine_min;  // the lowest that no row has spoken against
  std::uint64_t free_ms = ~std::uint64_t{0};
  for (const LeaseRow& row : rows) {
    if (row.machine < next) continue;
    if (row.machine > next || next > request.machine_max) break;  // `next` has no row
    if (free_from_ms(row) <= now_ms) return row.machine;
    free_ms = std::min(free_ms, free_from_ms(row));
    ++next;
  }
  if (next <= request.machine_max) return static_cast<std::uint32_t>(next);
  const std::string which = request.machine_min == request.machine_max
                                ? "machine number " + std::to_string(request.machine_min)
                                : "every machine number from " +
                                      std::to_string(request.machine_min) + " to " +
                                      std::to_string(request.machine_max);
  return Failure{Error{Error::Code::none_free,
                       which + " of " + quoted(request.scope) + " is held, or rests",
                       "The next is free in " + std::to_string((free_ms - now_ms + 999) / 1000) +
                           " s, if it is not held any longer; ask again."}};
}

LeaseRow after_claim(const std::optional<LeaseRow>& before, std::uint32_t machine,
                     const ClaimRequest& request, std::uint64_t now_ms) {
  LeaseRow row;
  row.machine = machine;
  row.token = before ? before->token + 1 : 1;
  row.holder = request.holder;
  row.claimed_ms = now_ms;
  row.expires_ms = now_ms + ms_of(request.terms.ttl);
  row.quarantine_ms = ms_of(request.terms.quarantine);
  row.ts_limit_ms =
      std::max(before ? before->ts_limit_ms : 0, now_ms + ms_of(request.terms.reserve));
  return row;
}

Lease lease_of(const std::optional<LeaseRow>& before, const LeaseRow& after,
               const LeaseTerms& terms, std::uint64_t now_ms) {
  return {after.machine, after.token, before ? before->ts_limit_ms : 0,
          reservation_of(after, terms, now_ms)};
}

Result<LeaseRow, Error> after_raise(const std::optional<LeaseRow>& before,
                                    const RaiseRequest& request, std::uint64_t now_ms) {
  if (!before || !is_held(*before, request.token, now_ms)) {
    return Failure{lease_is_lost(request.scope, request.machine, request.token, before, now_ms)};
  }
  LeaseRow row = *before;
  row.expires_ms = std::max(row.expires_ms, now_ms + ms_of(request.terms.ttl));
  row.quarantine_ms = ms_of(request.terms.quarantine);
  row.ts_limit_ms = std::max(row.ts_limit_ms, now_ms + ms_of(request.terms.reserve));
  return row;
}

Reservation reservation_of(const LeaseRow& after, const LeaseTerms& terms, std::uint64_t now_ms) {
  return {after.ts_limit_ms, now_ms, terms.ttl};
}

Result<LeaseRow, Error> after_release(const std::optional<LeaseRow>& before,
                                      const ReleaseRequest& request, std::uint64_t now_ms) {
  if (!before || !is_held(*before, request.token, now_ms)) {
    return Failure{lease_is_lost(request.scope, request.machine, request.token, before, now_ms)};
  }
  LeaseRow row = *before;
  row.expires_ms = now_ms;
  return row;
}

LeaseRecord record_of(std::string_view scope, std::string_view layout, const LeaseRow& row,
                      std::uint64_t now_ms) {
  using State = LeaseRecord::State;
  LeaseRecord record;
  record.scope = scope;
  record.layout = layout;
  record.machine = row.machine;
  record.state = now_ms < row.expires_ms      ? State::held
                 : now_ms < free_from_ms(row) ? State::resting
                                              : State::free;
  record.token = row.token;
  record.holder = row.holder;
  record.claimed_ms = row.claimed_ms;
  record.expires_ms = row.expires_ms;
  record.free_ms = free_from_ms(row);
  record.ts_limit_ms = row.ts_limit_ms;
  return record;
}

std::string_view name_of(LeaseRecord::State state) noexcept {
  switch (state) {
    case LeaseRecord::State::held: return "held";
    case LeaseRecord::State::resting: return "resting";
    case LeaseRecord::State::free: break;
  }
  return "free";
}

Error lease_is_lost(std::string_view scope, std::uint32_t machine, std::int64_t token,
                    const std::optional<LeaseRow>& row, std::uint64_t now_ms) {
  const std::string which = "machine number " + std::to_string(machine) + " of " + quoted(scope);
  const std::string ours = ", token " + std::to_string(token) + ",";
  std::string message;
  if (!row) {
    message = which + " was never claimed";
  } else if (row->token != token) {
    message = which + ": the lease" + ours + " has ended; the last claim has token " +
              std::to_string(row->token);
  } else {
    message = which + ": the lease" + ours + " ended " +
              std::to_string((now_ms - row->expires_ms) / 1000) + " s ago";
  }
  return Error{Error::Code::lease_lost, std::move(message), "Stop using it, and claim anew."};
}

Error layout_differs(std::string_view scope, std::string_view there, std::string_view wanted) {
  return Error{
      Error::Code::already_exists,
      "scope " + quoted(scope) + " has IDs of layout " + quoted(there) + ", not " + quoted(wanted),
      "Two layouts in one scope make equal IDs; use that layout, or another scope."};
}

}  // namespace tessera
