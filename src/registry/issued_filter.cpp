// Keeps the filter up with the store.

#include "tessera/registry/issued_filter.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "registry/blake2s.h"

namespace tessera {
namespace {

// | magic 8 | moment 8 | epoch 8 | digest 16 of these, the type and the filter | filter |
constexpr std::array<std::uint8_t, 8> kMagic = {'t', 's', 'r', 'i', 's', 's', '0', '2'};
constexpr std::size_t kHeadSize = 40;

IdBody digest_of(const RegisteredType& type, std::span<const std::uint8_t> head,
                 std::span<const std::uint8_t> filter) {
  // A type that was soft and is exact, or the other way round, has other keys in its filter.
  return Blake2s()
      .add_text(type.id.prefix)
      .add_number(type.is_exact() ? 1 : 0)
      .add(head)
      .add(filter)
      .finish_16();
}

}  // namespace

IssuedFilter::IssuedFilter(const RegisteredType& type, RegistryStore& store,
                           MonotonicClock& monotonic, const IssuedFilterOptions& options)
    : type_(type), store_(store), monotonic_(monotonic), options_(options) {}

bool IssuedFilter::never_issued(std::string_view tenant, const IdBody& body) const {
  constexpr std::chrono::milliseconds kLag(100);  // more than a recent time is behind
  if (!type_.has_time()) return false;
  const std::chrono::nanoseconds good_until(good_until_ns_.load(std::memory_order_acquire));
  const auto time_ms = static_cast<std::int64_t>(RegisteredType::time_ms(body));
  if (time_ms >= answers_below_ms_.load(std::memory_order_acquire)) return false;
  if (monotonic_.recent() + kLag >= good_until) return false;
  return !filter()->may_contain(type_.filter_key_of(tenant, body));
}

std::optional<Error> IssuedFilter::sync() {
  const std::lock_guard one(sync_mutex_);
  const auto start = monotonic_.now();
  const auto barrier = store_.barrier(type_);
  if (!barrier) return barrier.error();

  if (!last_ || last_->epoch != barrier->epoch || filter()->overfull()) {
    if (auto error = read_everything()) return error;
  } else {
    // A clock that was set back may have given new rows old times.
    const std::int64_t from_ms = std::min(last_->now_ms, barrier->now_ms) - options_.window.count();
    if (auto error = read_issued(*filter(), from_ms)) return error;
    // What was created, ended and erased since the last time is in no row any more. It was erased
    // by the clock of the store, which may have run ahead of ours, also while we were reading.
    bool missed = last_start_.count() == 0;
    if (type_.is_exact() && !missed) {
      const auto after = store_.barrier(type_);
      if (!after) return after.error();
      const std::chrono::milliseconds passed(after->now_ms - last_->now_ms);
      missed = passed + options_.window >= type_.declared.erase_after ||
               monotonic_.now() - last_start_ >= type_.declared.erase_after;
    }
    if (type_.is_exact() && missed) {
      if (auto error = read_erased(*filter())) return error;
    }
    // Much may have come at once; a filter that is too full knows few strangers.
    if (filter()->overfull()) {
      if (auto error = read_everything()) return error;
    }
  }
  last_ = *barrier;
  last_start_ = start;
  answers_below_ms_.store(barrier->now_ms - options_.window.count(), std::memory_order_release);
  const std::chrono::nanoseconds good_until = start + options_.lease;
  good_until_ns_.store(good_until.count(), std::memory_order_release);
  const std::lock_guard lock(mutex_);
  answered_ = *barrier;
  return std::nullopt;
}

std::optional<Error> IssuedFilter::read_everything() {
  // One of a file may be of another store.
  const bool fresh = filters_.empty() || last_start_.count() == 0;
  if (fresh) return rebuild(type_.declared.capacity);
  if (filter()->overfull()) return rebuild(2 * filter()->count());
  // No ID is ever taken out of a filter: what was brought in from elsewhere is added.
  if (auto error = read_issued(*filter(), -1)) return error;
  if (type_.is_exact()) {
    if (auto error = read_erased(*filter())) return error;
  }
  const std::lock_guard lock(mutex_);
  ++rebuilds_;
  return std::nullopt;
}

std::optional<Error> IssuedFilter::rebuild(std::uint64_t capacity) {
  while (true) {
    auto made = MembershipFilter::make(std::min(capacity, MembershipFilter::kCapacityMax),
                                       type_.declared.false_positives);
    if (!made) return made.error();
    std::uint64_t count = 0;
    if (auto error = read_issued(**made, -1, &count)) return error;
    // After the rows: what was erased meanwhile is in one of both.
    if (type_.is_exact()) {
      if (auto error = read_erased(**made, &count)) return error;
    }
    // A full filter takes others for one it has, and so counts too few itself.
    if (count > capacity && capacity < MembershipFilter::kCapacityMax) {
      capacity = 2 * count;
      continue;
    }
    filters_.push_back(std::move(*made));
    filter_.store(filters_.back().get(), std::memory_order_release);
    const std::lock_guard lock(mutex_);
    ++rebuilds_;
    return std::nullopt;
  }
}

std::optional<Error> IssuedFilter::read_issued(MembershipFilter& filter, std::int64_t from_ms,
                                               std::uint64_t* count) const {
  std::int64_t key = -1;
  while (true) {
    const auto page = store_.issued(type_, from_ms, key, options_.page_size);
    if (!page) return page.error();
    for (const auto& hash : page->filter_keys) filter.insert(hash);
    if (count != nullptr) *count += page->filter_keys.size();
    if (!page->more) return std::nullopt;
    from_ms = page->created_ms;
    key = page->key;
  }
}

std::optional<Error> IssuedFilter::read_erased(MembershipFilter& filter,
                                               std::uint64_t* count) const {
  IdBody after{};
  while (true) {
    const auto page = store_.erased(type_, after, options_.page_size);
    if (!page) return page.error();
    for (const auto& tombstone : *page) filter.insert(RegisteredType::filter_key_of(tombstone));
    if (count != nullptr) *count += page->size();
    if (page->size() < options_.page_size) return std::nullopt;
    after = page->back();
  }
}

bool IssuedFilter::save(const std::string& path) const {
  Barrier answered;
  {
    const std::lock_guard lock(mutex_);
    answered = answered_;
  }
  if (answered.now_ms == 0) return false;
  std::array<std::uint8_t, kHeadSize> head{};
  std::ranges::copy(kMagic, head.begin());
  detail::store_be<8>(head.data() + 8, static_cast<std::uint64_t>(answered.now_ms));
  detail::store_be<8>(head.data() + 16, static_cast<std::uint64_t>(answered.epoch));
  const std::vector<std::uint8_t> filter = this->filter()->serialize();
  std::ranges::copy(digest_of(type_, std::span(head).first(24), filter), head.begin() + 24);
  // Beside it first: who reads meanwhile has the old one.
  const std::string draft = path + ".new";
  std::ofstream out(draft, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(head.data()), kHeadSize);
  out.write(reinterpret_cast<const char*>(filter.data()),
            static_cast<std::streamsize>(filter.size()));
  out.close();
  return out.good() && std::rename(draft.c_str(), path.c_str()) == 0;
}

bool IssuedFilter::load(const std::string& path) {
  std::ostringstream read;
  read << std::ifstream(path, std::ios::binary).rdbuf();  // an iterator would throw at a folder
  const std::string text = std::move(read).str();
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  if (bytes.size() < kHeadSize || !std::ranges::equal(bytes.first(8), kMagic)) return false;
  const auto digest = digest_of(type_, bytes.first(24), bytes.subspan(kHeadSize));
  if (!std::ranges::equal(bytes.subspan(24, 16), digest)) return false;
  auto filter = MembershipFilter::deserialize(bytes.subspan(kHeadSize));
  if (!filter) return false;
  const std::lock_guard one(sync_mutex_);
  if (last_) return false;
  last_ = Barrier{static_cast<std::int64_t>(detail::load_be<8>(bytes.data() + 8)),
                  static_cast<std::int64_t>(detail::load_be<8>(bytes.data() + 16))};
  filters_.push_back(std::move(*filter));
  filter_.store(filters_.back().get(), std::memory_order_release);
  return true;
}

IssuedFilter::Status IssuedFilter::status() const {
  const MembershipFilter* filter = this->filter();
  if (filter == nullptr) return {};
  const std::lock_guard lock(mutex_);
  return {filter->count(), filter->capacity(), rebuilds_, answered_.now_ms};
}

}  // namespace tessera
