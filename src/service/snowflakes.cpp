// A leased machine number for each series that somebody wants.

#include "tessera/service/snowflakes.h"

#include <atomic>

#include "tessera/parse_error.h"

namespace tessera::service {

struct Snowflakes::Series {
  explicit Series(DeclaredSnowflakes of) : name(std::move(of.name)), layout(of.layout) {}

  const std::string name;
  const SnowflakeLayout layout;
  std::atomic<LeasedSnowflakes*> ids{nullptr};  // read without the lock
  std::unique_ptr<LeasedSnowflakes> owned;
};

Snowflakes::Snowflakes(LeaseStore& store, MonotonicClock& clock, SnowflakeLeaseOptions options,
                       const std::vector<DeclaredSnowflakes>& declared)
    : store_(store), clock_(clock), options_(std::move(options)) {
  for (const SnowflakeLayout& layout : all_snowflake_layouts()) {
    all_.push_back(std::make_unique<Series>(DeclaredSnowflakes{std::string(layout.name), layout}));
  }
  for (const DeclaredSnowflakes& one : declared) {
    if (!parse_snowflake_layout(one.name)) all_.push_back(std::make_unique<Series>(one));
  }
}

Snowflakes::~Snowflakes() = default;

Result<Snowflakes::Series*, Error> Snowflakes::find(std::string_view text) {
  Series* found = nullptr;
  for (const auto& one : all_) {
    if (one->name == text) return one.get();
  }
  if (const auto layout = parse_snowflake_layout(text)) {  // "sony" is sonyflake
    const std::string full = snowflake_layout_text(*layout);
    const std::size_t named = all_snowflake_layouts().size();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (snowflake_layout_text(all_[i]->layout) != full) continue;
      // Of a declared one that is laid out like a well-known one only the name tells.
      if (i < named) return all_[i].get();
      if (found != nullptr) {
        return Failure{
            Error{Error::Code::invalid_request,
                  quoted(found->name) + " and " + quoted(all_[i]->name) + " are both laid out so",
                  "Ask by name."}};
      }
      found = all_[i].get();
    }
  }
  if (found != nullptr) return found;
  std::string names;
  for (const auto& one : all_) names += (names.empty() ? "" : ", ") + one->name;
  return Failure{Error{Error::Code::not_found, "there is no layout " + quoted(text) + " here",
                       "There are " + names +
                           ". Others are declared in tessera.yaml, under "
                           "'snowflakes'."}};
}

// Null, if it is closed.
LeasedSnowflakes* Snowflakes::of(Series& series) {
  if (auto* ids = series.ids.load(std::memory_order_acquire)) return ids;
  const std::scoped_lock lock(mutex_);
  if (auto* ids = series.ids.load(std::memory_order_relaxed)) return ids;
  if (closed_) return nullptr;
  SnowflakeLeaseOptions options = options_;
  options.scope = series.name;
  series.owned =
      std::make_unique<LeasedSnowflakes>(series.layout, store_, clock_, std::move(options));
  series.ids.store(series.owned.get(), std::memory_order_release);
  return series.owned.get();
}

Result<std::size_t, Error> Snowflakes::next(Series& series, std::span<Snowflake> out,
                                            std::chrono::milliseconds wait) {
  LeasedSnowflakes* ids = of(series);
  if (ids == nullptr) {
    return Failure{Error{Error::Code::closed, "no snowflake is made here any more", ""}};
  }
  return ids->next(out, wait);
}

std::vector<std::pair<std::string_view, SnowflakeLeaseStatus>> Snowflakes::statuses() const {
  std::vector<std::pair<std::string_view, SnowflakeLeaseStatus>> all;
  for (const auto& one : all_) {
    const auto* ids = one->ids.load(std::memory_order_acquire);
    if (ids != nullptr) all.emplace_back(one->name, ids->status());
  }
  return all;
}

void Snowflakes::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  for (const auto& one : all_) {
    if (auto* ids = one->ids.load(std::memory_order_acquire)) ids->close();
  }
}

}  // namespace tessera::service
