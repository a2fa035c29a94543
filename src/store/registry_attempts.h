#pragma once

// How a call of the registry is tried until it is answered. For the files of SqlRegistryStore.

#include <time.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "store/registry_store.h"

namespace tessera {

// Tenant and ID of the parent, then the IDs of those above it.
void add_chain(std::vector<db::Value>& parameters, const RegisteredType& type,
               std::string_view tenant, std::span<const IdBody> ancestors);
Error no_parent(const RegisteredType& type);
// What is kept with an idempotency key.
db::Value answer_of(std::span<const NewEntry> entries);
// Whether one of the IDs may have a tombstone. Where the time in them is younger than in any that
// was erased, there is nothing to look for.
bool may_be_erased(const CreateRequest& request);

// The steady clock, as of the last tick of the kernel.
inline std::chrono::steady_clock::time_point rough_now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(now.tv_sec) +
                                               std::chrono::nanoseconds(now.tv_nsec));
}

template <class T, class Work>
Result<T, Error> SqlRegistryStore::in_attempts(std::chrono::milliseconds timeout, bool unique_too,
                                               Work&& work) {
  using Kind = db::DbError::Kind;
  using SteadyClock = std::chrono::steady_clock;
  constexpr int kAttempts = 16;
  // Of a long wait a few milliseconds may be missing: the clock that counts them costs a fifth.
  constexpr std::chrono::milliseconds kLong{100};
  const auto deadline = (timeout > kLong ? rough_now() : SteadyClock::now()) + timeout;
  for (int attempt = 1;; ++attempt) {
    auto connection = pool_.lend(deadline);
    if (!connection) return Failure{connection.error()};
    auto left = timeout;
    if (attempt > 1 || !connection->at_once()) {
      left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    }
    (*connection)->set_timeout(std::max(left, std::chrono::milliseconds(1)));
    Attempt<T> done = work(**connection);
    if (done) return std::move(*done);
    const Stop& stop = done.error();
    if (stop.refusal) return Failure{*stop.refusal};
    const auto& [error, at] = stop.broken;
    const bool again = error.kind == Kind::conflict || (unique_too && error.kind == Kind::unique);
    const bool over = SteadyClock::now() >= deadline;
    if (again && attempt < kAttempts && !over) continue;
    if (again && over) {
      return Failure{Error{Error::Code::timed_out, "others were busy there: " + error.message,
                           "Nothing was done; ask again."}};
    }
    if (error.kind == Kind::unique) {
      return Failure{Error{Error::Code::store_rewound,
                           "the store has this key or ID already: " + error.message,
                           "The scope of its keys was set back; lift its mark."}};
    }
    Error said = error_of(error, names_.engine, at);
    if (said.code == Error::Code::outcome_unknown) {
      said.hint = "It may have been done; ask with the same idempotency key, or look it up.";
    }
    return Failure{said};
  }
}

}  // namespace tessera
