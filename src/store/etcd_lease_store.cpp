// Machine numbers on etcd. The header says how.

#include "store/etcd_lease_store.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "segment/backoff.h"
#include "store/etcd_records.h"
#include "tessera/parse_error.h"

namespace tessera {
namespace {

using etcd::Entry;
using etcd::Grant;
using etcd::KeptLease;
using etcd::LeaseName;
using etcd::LeaseNames;
using etcd::odd_value;
using etcd::Time;
using etcd::Txn;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Code = Error::Code;

constexpr std::int64_t kPage = 500;  // numbers that are read at once
// After others were faster.
constexpr milliseconds kPauseMin{1};
constexpr milliseconds kPauseMax{50};

std::int64_t whole_seconds(milliseconds span) {
  return std::chrono::ceil<std::chrono::seconds>(span).count();
}
milliseconds quarantine_of(const LeaseRow& row) {
  return milliseconds(static_cast<std::int64_t>(row.quarantine_ms));
}

Error busy(std::string_view scope) {
  return {Code::timed_out, "the machine numbers of " + quoted(scope) + " were busy",
          "Nothing was done; ask again."};
}

// The client speaks of ranges.
Error of_a_lease(Error error) {
  if (error.code == Code::outcome_unknown) {
    error.hint = "The lease, if one was taken or raised, ends by itself; ask again.";
  }
  return error;
}

}  // namespace

class EtcdLeaseStore::Attempts {
 public:
  Attempts(std::string_view scope, milliseconds timeout)
      : scope_(scope),
        deadline_(SteadyClock::now() + timeout),
        mark_(etcd::new_change()),
        pauses_(kPauseMin, kPauseMax, std::hash<std::string>()(mark_)) {}

  Time deadline() const noexcept { return deadline_; }
  // Of what this call writes, and no other.
  const std::string& mark() const noexcept { return mark_; }

  std::optional<Error> fault() const {
    if (!mark_.empty()) return std::nullopt;
    return Error{Code::store_unavailable, "there is no entropy to mark a change with", ""};
  }
  // Waits, for others were faster. An error, if there is no time left.
  std::optional<Error> pause() {
    const auto span = std::chrono::duration_cast<SteadyClock::duration>(pauses_.fail());
    if (SteadyClock::now() + span >= deadline_) return busy(scope_);
    std::this_thread::sleep_for(span);
    return std::nullopt;
  }

 private:
  const std::string_view scope_;
  const Time deadline_;
  const std::string mark_;
  Backoff pauses_;
};

// What a claim takes, if it is still so.
struct EtcdLeaseStore::Choice {
  LeaseName name;
  std::optional<Entry> layout;
  std::optional<Entry> entry;
  std::optional<LeaseRow> before;
};

EtcdLeaseStore::EtcdLeaseStore(etcd::Client& client, etcd::LeaseKeys keys, milliseconds timeout)
    : client_(client), keys_(std::move(keys)), timeout_(timeout) {}

LeaseRow EtcdLeaseStore::Seen::row(std::uint64_t now_ms) const {
  LeaseRow row = kept.row;
  if (held) {
    row.expires_ms = std::max(row.expires_ms, now_ms + 1);
    return row;
  }
  row.expires_ms = std::min(row.expires_ms, now_ms);
  const std::uint64_t since_ms = now_ms - row.expires_ms;
  row.quarantine_ms =
      rests ? std::max(row.quarantine_ms, since_ms + 1) : std::min(row.quarantine_ms, since_ms);
  return row;
}

// The first of them, `count_max` at most, as they were at one moment.
Result<std::vector<EtcdLeaseStore::Seen>, Error> EtcdLeaseStore::read_page(const LeaseNames& names,
                                                                           std::int64_t count_max,
                                                                           Time deadline) {
  const auto answer = client_.commit(Txn()
                                         .get(keys_.rows(names), count_max)
                                         .get(keys_.all_held(names), count_max)
                                         .get(keys_.all_resting(names), count_max),
                                     deadline);
  if (!answer) return Failure{answer.error()};
  std::vector<Seen> page;
  // All three come in the order of their names, and there is nothing without a row.
  auto held = answer->found[1].begin();
  auto rest = answer->found[2].begin();
  for (const Entry& entry : answer->found[0]) {
    const std::string_view text = keys_.in_row(entry.key);
    auto name = LeaseName::parse(text);
    auto kept = name ? etcd::read_lease(name->machine, entry.value) : std::nullopt;
    if (!kept) return Failure{odd_value(entry.key)};
    Seen seen{*std::move(name), entry, *std::move(kept), std::nullopt, false};
    while (held != answer->found[1].end() && keys_.in_held(held->key) < text) ++held;
    if (held != answer->found[1].end() && keys_.in_held(held->key) == text) seen.held = *held;
    while (rest != answer->found[2].end() && keys_.in_rest(rest->key) < text) ++rest;
    seen.rests = rest != answer->found[2].end() && keys_.in_rest(rest->key) == text;
    page.push_back(std::move(seen));
  }
  return page;
}

Result<std::optional<EtcdLeaseStore::Seen>, Error> EtcdLeaseStore::read_one(const LeaseName& name,
                                                                            Time deadline) {
  auto page = read_page(LeaseNames::of(name.scope, name.machine, name.machine), 1, deadline);
  if (!page) return Failure{page.error()};
  if (page->empty()) return std::optional<Seen>();
  return std::optional(std::move(page->front()));
}

Result<Grant, Error> EtcdLeaseStore::grant(std::int64_t ttl_s, Time deadline) {
  // One whose answer was lost, and that was asked for again, ends by itself.
  const auto answer =
      client_.ask("/v3/lease/grant", R"({"TTL":")" + std::to_string(ttl_s) + R"("})", deadline);
  if (!answer) return Failure{answer.error()};
  const auto grant = etcd::read_grant(*answer);
  if (grant && grant->ttl_s >= ttl_s) return *grant;
  return Failure{Error{Code::store_failed, "etcd grants no lease that lasts as long", ""}};
}

Result<Grant, Error> EtcdLeaseStore::renew(const Grant& grant, std::int64_t ttl_s, Time deadline) {
  if (grant.id == 0 || grant.ttl_s < ttl_s) return this->grant(ttl_s, deadline);
  const auto answer = client_.ask("/v3/lease/keepalive",
                                  R"({"ID":")" + std::to_string(grant.id) + R"("})", deadline);
  if (!answer) return Failure{answer.error()};
  const auto renewed = etcd::read_keepalive(*answer);
  if (!renewed || renewed->id != grant.id) {
    return Failure{Error{Code::store_unavailable, "etcd does not say whether a lease lives on",
                         "Look whether a majority of its members is up."}};
  }
  if (renewed->ttl_s < ttl_s) return this->grant(ttl_s, deadline);
  return Grant{grant.id, grant.ttl_s};
}

void EtcdLeaseStore::revoke(const Grant& grant, Time deadline) {
  if (grant.id == 0) return;
  static_cast<void>(
      client_.ask("/v3/lease/revoke", R"({"ID":")" + std::to_string(grant.id) + R"("})", deadline));
}

// The lowest number that is free, and what is there of it.
Result<EtcdLeaseStore::Choice, Error> EtcdLeaseStore::choose(const ClaimRequest& request,
                                                             Time deadline) {
  const auto layout = client_.commit(Txn().get({keys_.layout(request.scope)}), deadline);
  if (!layout) return Failure{layout.error()};
  Choice choice;
  choice.name.scope = request.scope;
  if (const Entry* entry = layout->one(0)) {
    if (entry->value != request.layout) {
      return Failure{layout_differs(request.scope, printable(entry->value), request.layout)};
    }
    choice.layout = *entry;
  }
  std::vector<LeaseRow> rows;
  ClaimRequest part = request;  // what is known so far
  // One for all pages: what was held when it was read must not seem to end with the next.
  const std::uint64_t now_ms = clock_.now_ms();
  LeaseNames rest = LeaseNames::of(request.scope, request.machine_min, request.machine_max);
  while (true) {
    const auto page = read_page(rest, kPage, deadline);
    if (!page) return Failure{page.error()};
    for (const Seen& seen : *page) rows.push_back(seen.row(now_ms));
    const bool more = page->size() == kPage && rows.back().machine < request.machine_max;
    part.machine_max = more ? rows.back().machine : request.machine_max;
    const auto machine = choose_machine(rows, part, now_ms);
    if (machine) {
      choice.name.machine = *machine;
      const auto found =
          std::ranges::find(*page, *machine, [](const Seen& seen) { return seen.name.machine; });
      if (found != page->end()) {
        choice.entry = found->entry;
        choice.before = found->kept.row;
      }
      return choice;
    }
    if (!more) return Failure{machine.error()};
    rest.first = page->back().name.text() + '\0';
  }
}

Result<Lease, Error> EtcdLeaseStore::claim(const ClaimRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*fault};
  Attempts attempts(request.scope, request.timeout);
  if (auto fault = attempts.fault()) return Failure{*std::move(fault)};
  const Time deadline = attempts.deadline();
  Grant held;
  Grant rest;
  const auto give_up = [&](Error error) {
    revoke(held, deadline);
    revoke(rest, deadline);
    return Failure{of_a_lease(std::move(error))};
  };
  while (true) {
    const auto choice = choose(request, deadline);
    if (!choice) return give_up(choice.error());
    if (held.id == 0) {
      auto granted = grant(whole_seconds(request.terms.ttl), deadline);
      if (!granted) return give_up(granted.error());
      held = *granted;
    }
    const milliseconds quarantine = request.terms.quarantine;
    if (rest.id == 0 && quarantine > milliseconds(0)) {
      auto granted = grant(held.ttl_s + whole_seconds(quarantine), deadline);
      if (!granted) return give_up(granted.error());
      rest = *granted;
    }
    const std::uint64_t now_ms = clock_.now_ms();
    const LeaseRow after = after_claim(choice->before, choice->name.machine, request, now_ms);
    const std::string token = std::to_string(after.token);
    const std::string layout_key = keys_.layout(request.scope);
    const std::string row_key = keys_.row(choice->name);
    const std::string held_key = keys_.held(choice->name);
    const std::string rest_key = keys_.rest(choice->name);
    Txn txn;
    choice->layout ? txn.if_unchanged(*choice->layout)
                   : txn.if_absent({layout_key}).put(layout_key, request.layout);
    choice->entry ? txn.if_unchanged(*choice->entry) : txn.if_absent({row_key});
    txn.if_absent({held_key}).if_absent({rest_key});
    txn.put(row_key, etcd::written(KeptLease{after, held, rest, attempts.mark()}));
    txn.put(held_key, token, held.id);
    if (rest.id != 0) txn.put(rest_key, token, rest.id);
    txn.otherwise_get({row_key});
    const auto answer = client_.commit(txn, deadline);
    if (!answer && answer.error().code != Code::lease_lost) {
      // What may have been done must not lose its key, or it would be free too soon.
      if (answer.error().code == Code::outcome_unknown) return Failure{of_a_lease(answer.error())};
      return give_up(answer.error());
    }
    if (answer && answer->succeeded) {
      return lease_of(choice->before, after, request.terms, now_ms);
    }
    if (!answer) {  // what etcd had granted ended before it was used
      held = rest = {};
    } else if (const Entry* entry = answer->one(0)) {
      const auto kept = etcd::read_lease(choice->name.machine, entry->value);
      if (kept && kept->change == attempts.mark()) {  // it was done, and the answer was lost
        return lease_of(choice->before, kept->row, request.terms, now_ms);
      }
    }
    if (auto error = attempts.pause()) return give_up(*std::move(error));
  }
}

Result<Reservation, Error> EtcdLeaseStore::raise(const RaiseRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*fault};
  Attempts attempts(request.scope, request.timeout);
  if (auto fault = attempts.fault()) return Failure{*std::move(fault)};
  const Time deadline = attempts.deadline();
  const LeaseName name{std::string(request.scope), request.machine};
  while (true) {
    const auto seen = read_one(name, deadline);
    if (!seen) return Failure{of_a_lease(seen.error())};
    const std::uint64_t now_ms = clock_.now_ms();
    if (*seen && (*seen)->kept.change == attempts.mark()) {  // it was done, and the answer was lost
      return reservation_of((*seen)->kept.row, request.terms, now_ms);
    }
    const auto before = *seen ? std::optional((*seen)->row(now_ms)) : std::nullopt;
    const auto after = after_raise(before, request, now_ms);
    if (!after) return Failure{after.error()};
    const Seen& there = **seen;
    // First this, then the limit: the transaction below finds whether it was in time.
    const auto held = renew(there.kept.held, whole_seconds(request.terms.ttl), deadline);
    if (!held) return Failure{held.error()};
    Grant rest;
    if (request.terms.quarantine > milliseconds(0)) {
      const std::int64_t ttl_s = held->ttl_s + whole_seconds(request.terms.quarantine);
      const Grant old = there.rests && there.kept.rest.ttl_s == ttl_s ? there.kept.rest : Grant{};
      const auto renewed = renew(old, ttl_s, deadline);
      if (!renewed) return Failure{renewed.error()};
      rest = *renewed;
    }
    const std::string token = std::to_string(after->token);
    Txn txn;
    txn.if_unchanged(there.entry).if_unchanged(*there.held);
    txn.put(there.entry.key, etcd::written(KeptLease{*after, *held, rest, attempts.mark()}));
    if (held->id != there.kept.held.id) txn.put(there.held->key, token, held->id);
    if (rest.id == 0) {
      txn.remove(keys_.rest(name));
    } else if (rest.id != there.kept.rest.id) {
      txn.put(keys_.rest(name), token, rest.id);
    }
    const auto answer = client_.commit(txn, deadline);
    if (answer && answer->succeeded) {
      if (held->id != there.kept.held.id) revoke(there.kept.held, deadline);
      if (rest.id != there.kept.rest.id) revoke(there.kept.rest, deadline);
      return reservation_of(*after, request.terms, now_ms);
    }
    if (!answer && answer.error().code != Code::lease_lost) {
      return Failure{of_a_lease(answer.error())};
    }
    if (auto error = attempts.pause()) return Failure{*std::move(error)};
  }
}

Result<LeaseRecord, Error> EtcdLeaseStore::release(const ReleaseRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*fault};
  Attempts attempts(request.scope, request.timeout);
  if (auto fault = attempts.fault()) return Failure{*std::move(fault)};
  const Time deadline = attempts.deadline();
  const LeaseName name{std::string(request.scope), request.machine};
  const auto layout = client_.commit(Txn().get({keys_.layout(request.scope)}), deadline);
  if (!layout) return Failure{layout.error()};
  const std::string layout_text = layout->one(0) == nullptr ? "" : layout->one(0)->value;
  while (true) {
    const auto seen = read_one(name, deadline);
    if (!seen) return Failure{of_a_lease(seen.error())};
    const std::uint64_t now_ms = clock_.now_ms();
    if (*seen && (*seen)->kept.change == attempts.mark()) {  // it was done, and the answer was lost
      return record_of(request.scope, layout_text, (*seen)->row(now_ms), now_ms);
    }
    const auto before = *seen ? std::optional((*seen)->row(now_ms)) : std::nullopt;
    const auto after = after_release(before, request, now_ms);
    if (!after) return Failure{after.error()};
    const Seen& there = **seen;
    Grant rest;
    if (after->quarantine_ms > 0) {
      const auto granted = grant(whole_seconds(quarantine_of(*after)), deadline);
      if (!granted) return Failure{granted.error()};
      rest = *granted;
    }
    const std::string rest_key = keys_.rest(name);
    Txn txn;
    txn.if_unchanged(there.entry).if_unchanged(*there.held);
    txn.put(there.entry.key, etcd::written(KeptLease{*after, {}, rest, attempts.mark()}));
    txn.remove(there.held->key);
    rest.id == 0 ? txn.remove(rest_key) : txn.put(rest_key, std::to_string(after->token), rest.id);
    const auto answer = client_.commit(txn, deadline);
    if (answer && answer->succeeded) {
      revoke(there.kept.held, deadline);
      revoke(there.kept.rest, deadline);
      return record_of(request.scope, layout_text, *after, now_ms);
    }
    if (!answer && answer.error().code != Code::lease_lost) {
      return Failure{of_a_lease(answer.error())};
    }
    if (auto error = attempts.pause()) return Failure{*std::move(error)};
  }
}

// Scope by scope: in etcd a name that another begins with comes behind it, for the sake of the
// slash. A layout is there before the first number of its scope, and stays.
Result<LeasePage, Error> EtcdLeaseStore::list(const LeaseListRequest& request) {
  const auto start = page_start(request);
  if (!start) return Failure{start.error()};
  const Time deadline = SteadyClock::now() + timeout_;
  const std::size_t wanted = request.page_size + 1;
  std::vector<LeaseRecord> records;
  etcd::Span layouts =
      request.scope.empty() ? keys_.layouts() : etcd::Span{keys_.layout(request.scope)};
  if (*start) layouts.first = keys_.layout((*start)->scope);
  while (records.size() < wanted) {
    const auto found = client_.commit(Txn().get(layouts, kPage), deadline);
    if (!found) return Failure{found.error()};
    for (const Entry& layout : found->found[0]) {
      const std::string scope(keys_.in_layout(layout.key));
      LeaseNames names = LeaseNames::of(scope);
      if (*start && (*start)->scope == scope) {
        names.first = LeaseName{scope, (*start)->machine}.text() + '\0';
      }
      for (bool more = true; more && records.size() < wanted;) {
        const auto count_max = std::min(kPage, static_cast<std::int64_t>(wanted - records.size()));
        const auto page = read_page(names, count_max, deadline);
        if (!page) return Failure{page.error()};
        const std::uint64_t now_ms = clock_.now_ms();
        for (const Seen& seen : *page) {
          records.push_back(record_of(scope, layout.value, seen.row(now_ms), now_ms));
        }
        more = std::cmp_equal(page->size(), count_max);
        if (more) names.first = page->back().name.text() + '\0';
      }
      if (records.size() == wanted) break;
    }
    if (found->found[0].size() < kPage) break;
    layouts.first = found->found[0].back().key + '\0';
  }
  return page_of(request, std::move(records));
}

}  // namespace tessera
