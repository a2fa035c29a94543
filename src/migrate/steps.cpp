// The machine: do, record, next.

#include "tessera/migrate/steps.h"

#include <algorithm>
#include <array>

namespace tessera::migrate {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, 9> kNames = {
    "column", "trigger", "backfill", "index", "check", "validate", "not_null", "verify", "done"};

// Rests of 50 ms, 100 ms ... 2 s: who wants a lock for an instant lets others pass first.
template <class Try>
auto with_patience(Work& work, milliseconds patience, Try attempt) {
  constexpr milliseconds kFirst{50};
  constexpr milliseconds kMax{2000};
  milliseconds next = kFirst;
  milliseconds spent{0};
  while (true) {
    auto answer = attempt();
    if (answer || !may_retry(answer.error().code) || spent >= patience) return answer;
    work.rest(next);
    spent += next;
    next = std::min(next * 2, kMax);
  }
}

}  // namespace

std::string_view name_of(StepName step) noexcept { return kNames[static_cast<std::size_t>(step)]; }

std::optional<StepName> step_of(std::string_view name) noexcept {
  const auto* found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<StepName>(found - kNames.begin());
}

Result<bool, Error> perform_steps(const std::vector<Step>& steps, Work& work,
                                  milliseconds patience) {
  const auto recorded = with_patience(work, patience, [&] { return work.recorded(); });
  if (!recorded) return Failure{recorded.error()};
  if (*recorded == StepName::done) return true;
  auto step = std::ranges::find(steps, *recorded, &Step::name);
  if (step == steps.end()) {
    return Failure{
        Error{Error::Code::store_schema,
              "the step '" + std::string(name_of(*recorded)) + "' is not part of the plan",
              "Another version of tessera began this migration; go on with that."}};
  }
  for (; step != steps.end(); ++step) {
    auto done = with_patience(work, patience, [&] { return work.perform(*step); });
    if (!done) return done;
    const StepName next = step + 1 == steps.end() ? StepName::done : (step + 1)->name;
    auto kept = with_patience(work, patience, [&] { return work.record(next); });
    if (!kept) return kept;
  }
  return true;
}

}  // namespace tessera::migrate
