// Sizes batches by the time they took, and rests by what clients feel.

#include "tessera/migrate/pace.h"

#include <algorithm>
#include <utility>

namespace tessera::migrate {

using std::chrono::microseconds;
using std::chrono::milliseconds;

std::string_view name_of(Brake brake) noexcept {
  switch (brake) {
    case Brake::none: return "none";
    case Brake::lag: return "replication lag";
    case Brake::load: return "load";
    case Brake::rate: return "rate";
    case Brake::clients: return "clients";
  }
  return "";
}

Pace::Pace(const PaceLimits& limits) noexcept
    : limits_(limits),
      batch_rows_(
          std::clamp(limits.batch_rows, PaceLimits::kBatchRowsMin, PaceLimits::kBatchRowsMax)) {}

void Pace::begin(std::int64_t table_rows, microseconds usual_probe) noexcept {
  if (limits_.fast) return;
  usual_probe_ = std::max(usual_probe, microseconds(0));
  rest_ = usual_probe_.count() > 0 ? PaceLimits::kRestAtFirst : PaceLimits::kRestUnprobed;
  batch_rows_max_ = std::clamp(table_rows / PaceLimits::kShare, PaceLimits::kShareRowsMin,
                               PaceLimits::kBatchRowsMax);
  batch_rows_ = std::min(batch_rows_, batch_rows_max_);
}

void Pace::used_to(microseconds usual_probe) noexcept {
  if (usual_probe_.count() > 0 && usual_probe.count() > 0) usual_probe_ = usual_probe;
}

microseconds Pace::target() const noexcept {
  const microseconds given = std::max<microseconds>(limits_.target, milliseconds(1));
  if (limits_.fast) return given;
  if (usual_probe_.count() == 0) return std::min<microseconds>(given, PaceLimits::kUnnoticed);
  const microseconds some(
      static_cast<std::int64_t>(probes_ * static_cast<double>(usual_probe_.count())));
  return std::min(given,
                  std::clamp<microseconds>(some, PaceLimits::kTargetMin, PaceLimits::kUnnoticed));
}

void Pace::probed(microseconds took) noexcept {
  if (limits_.fast || usual_probe_.count() == 0) return;
  // One step back undoes a hundred steps on. Until the first one, larger steps find the place.
  constexpr double kBack = 1.5;
  constexpr double kOn = 0.996;
  constexpr double kOnAtFirst = 0.95;
  const double on = was_late_ ? kOn : kOnAtFirst;
  if (took > 2 * usual_probe_) {
    was_late_ = true;
    if (probes_ > PaceLimits::kProbesMin) {
      probes_ /= kBack;
    } else {
      rest_ *= kBack;
    }
  } else if (rest_ > PaceLimits::kRestMin) {
    rest_ *= on;
  } else {
    probes_ /= on;
  }
  probes_ = std::clamp(probes_, PaceLimits::kProbesMin, PaceLimits::kProbesMax);
  rest_ = std::clamp(rest_, PaceLimits::kRestMin, PaceLimits::kRestMax);
}

void Pace::batch_done(std::int64_t rows, microseconds took, std::int64_t waiting) noexcept {
  if (rows <= 0) return;
  took = std::clamp<microseconds>(took, microseconds(1), std::chrono::hours(1));
  if (waiting > 0) {
    if (took > PaceLimits::kUnnoticed) batch_rows_ /= 2;
  } else if (2 * rows >= batch_rows_ || took > target()) {  // the last of a pass says little
    batch_rows_ =
        std::clamp(rows * target().count() / took.count(), batch_rows_ / 2, batch_rows_ * 2);
  }
  batch_rows_ = std::clamp(batch_rows_, PaceLimits::kBatchRowsMin, batch_rows_max_);
  if (!limits_.fast) {
    owed_to_clients_ +=
        microseconds(static_cast<std::int64_t>(rest_ * static_cast<double>(took.count())));
  }
  if (limits_.rows_per_second_max > 0) {
    owed_to_rate_ += std::max(microseconds(rows * 1'000'000 / limits_.rows_per_second_max) - took,
                              microseconds(0));
  }
}

// In whole milliseconds; what is less is owed on.
Rest Pace::rest(const Signals& signals) noexcept {
  constexpr milliseconds kAskAgain{250};
  if (signals.lag > limits_.lag_max) return {kAskAgain, Brake::lag};
  if (limits_.load_max > 0 && signals.load > limits_.load_max) return {kAskAgain, Brake::load};
  const bool by_rate = owed_to_rate_ > owed_to_clients_;
  const auto time = std::chrono::floor<milliseconds>(std::max(owed_to_rate_, owed_to_clients_));
  if (time.count() == 0) return {};
  owed_to_rate_ = std::max<microseconds>(owed_to_rate_ - time, microseconds(0));
  owed_to_clients_ = std::max<microseconds>(owed_to_clients_ - time, microseconds(0));
  return {time, by_rate ? Brake::rate : Brake::clients};
}

}  // namespace tessera::migrate
