// What was acknowledged must hold, in every answer that was asked for afterwards.

#include "check.h"

#include <algorithm>
#include <map>
#include <set>

namespace registry_storm {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

struct Known {
  std::uint64_t created_ns = kNever;  // the first acknowledgement
  std::uint64_t retired_ns = kNever;
  std::set<std::string> pks, parents, tenants;
  std::string state;  // in the end
};

}  // namespace

Verdict check(const std::vector<Event>& events) {
  Verdict verdict;
  std::map<std::string, Known> ids;
  std::map<std::string, std::set<std::string>> by_key, by_pk;
  std::map<std::string, int> kinds;
  const auto broken = [&](const std::string& kind, const std::string& evidence) {
    if (++kinds[kind] <= 5) verdict.broken.push_back(kind + ": " + evidence);
  };
  for (const auto& event : events) {
    Known& known = ids[event.id];
    if (event.what == "create") {
      ++verdict.creations;
      known.created_ns = std::min(known.created_ns, event.returned_ns);
      known.pks.insert(event.pk);
      known.parents.insert(event.parent);
      known.tenants.insert(event.tenant);
      by_pk[event.type + " " + event.pk].insert(event.id);
      if (event.key != "-") {
        auto& given = by_key[event.tenant + " " + event.type + " " + event.key];
        verdict.repeats += given.empty() ? 0U : 1U;
        given.insert(event.id);
      }
    } else if (event.what == "retire") {
      ++verdict.retirements;
      known.retired_ns = std::min(known.retired_ns, event.returned_ns);
    } else if (event.what == "final") {
      known.state = event.state;
    }
  }
  for (const auto& [key, given] : by_key) {
    if (given.size() > 1) broken("a key gave two IDs", key + ": " + *given.begin() + ", ...");
  }
  for (const auto& [pk, owners] : by_pk) {
    if (owners.size() > 1) broken("two IDs have one internal key", pk);
  }
  // When an ID has ended: by itself, or with one above it.
  const auto ended_ns = [&](const std::string& id) {
    std::uint64_t ns = kNever;
    for (std::string at = id; at != "-" && ids.contains(at);) {
      const Known& known = ids[at];
      ns = std::min(ns, known.retired_ns);
      if (known.parents.empty()) break;
      at = *known.parents.begin();
    }
    return ns;
  };
  for (const auto& [id, known] : ids) {
    if (known.created_ns == kNever) continue;
    if (known.pks.size() != 1 || known.tenants.size() != 1) {
      broken("one ID was issued twice", id);
    }
    if (known.state != "live" && known.state != "deleted") {
      broken("an acknowledged creation is lost", id + " is " + known.state);
    }
    if (ended_ns(id) != kNever && known.state != "deleted") {
      broken("a retired ID came back", id + " is " + known.state);
    }
  }
  for (const auto& event : events) {
    if (event.what != "look") continue;
    ++verdict.looks;
    const Known& known = ids[event.id];
    const bool mine = known.tenants.contains(event.tenant);
    if (!mine && event.state != "never_issued") {
      broken("an answer crossed a tenant", event.line());
    }
    if (!mine) continue;
    if (event.state == "never_issued" && known.created_ns < event.invoked_ns) {
      broken("an issued ID was called never issued", event.line());
    }
    if (event.state == "live" && ended_ns(event.id) < event.invoked_ns) {
      broken("an ended ID was called live", event.line());
    }
  }
  return verdict;
}

}  // namespace registry_storm
