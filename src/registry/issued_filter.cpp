// Keeps the filter up with the store.

#include "tessera/registry/issued_filter.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <utility>
#include <vector>

#include "registry/blake2s.h"

namespace tessera {
namespace {

// | magic 8 | moment 8 | epoch 8 | digest 16 of these, the type and the filter | filter |
constexpr std::array<std::uint8_t, 8> kMagic = {'t', 's', 'r', 'i', 's', 's', '0', '1'};
constexpr std::size_t kHeadSize = 40;

IdBody digest_of(const RegisteredType& type, std::span<const std::uint8_t> head,
                 std::span<const std::uint8_t> filter) {
  return Blake2s().add_text(type.id.prefix).add(head).add(filter).finish_16();
}

}  // namespace

IssuedFilter::IssuedFilter(const RegisteredType& type, RegistryStore& store,
                           MonotonicClock& monotonic, const IssuedFilterOptions& options)
    : type_(type), store_(store), monotonic_(monotonic), options_(options) {}

bool IssuedFilter::never_issued(std::string_view tenant, const IdBody& body) const {
  if (!type_.has_time()) return false;
  const auto time_ms = static_cast<std::int64_t>(RegisteredType::time_ms(body));
  if (time_ms >= answers_below_ms_.load(std::memory_order_relaxed)) return false;
  const Hash128 key = type_.filter_key_of(tenant, body);
  const auto now = monotonic_.now();
  const std::shared_lock lock(mutex_);
  return answered_.now_ms > 0 && now < good_until_ &&
         time_ms < answered_.now_ms - options_.window.count() && !filter_->may_contain(key);
}

std::optional<Error> IssuedFilter::sync() {
  const std::lock_guard one(sync_mutex_);
  const auto start = monotonic_.now();
  const auto barrier = store_.barrier(type_);
  if (!barrier) return barrier.error();

  if (!last_ || last_->epoch != barrier->epoch || filter_->overfull()) {
    if (auto error = rebuild()) return error;
  } else {
    // A clock that was set back may have given new rows old times.
    const std::int64_t from_ms = std::min(last_->now_ms, barrier->now_ms) - options_.window.count();
    if (auto error = read_issued(*filter_, from_ms)) return error;
    // What was created, ended and erased since the last time is in no row any more.
    const bool missed =
        last_start_.count() == 0 || monotonic_.now() - last_start_ >= type_.declared.erase_after;
    if (type_.is_exact() && missed) {
      if (auto error = read_erased(*filter_)) return error;
    }
  }
  last_ = *barrier;
  last_start_ = start;
  const std::unique_lock lock(mutex_);
  answered_ = *barrier;
  answers_below_ms_.store(answered_.now_ms - options_.window.count(), std::memory_order_relaxed);
  good_until_ = start + options_.lease;
  return std::nullopt;
}

std::optional<Error> IssuedFilter::rebuild() {
  std::uint64_t capacity = type_.declared.capacity;
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
    const std::unique_lock lock(mutex_);
    filter_ = std::move(*made);
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
  std::array<std::uint8_t, kHeadSize> head{};
  std::vector<std::uint8_t> filter;
  {
    const std::shared_lock lock(mutex_);
    if (answered_.now_ms == 0) return false;
    std::ranges::copy(kMagic, head.begin());
    detail::store_be<8>(head.data() + 8, static_cast<std::uint64_t>(answered_.now_ms));
    detail::store_be<8>(head.data() + 16, static_cast<std::uint64_t>(answered_.epoch));
    filter = filter_->serialize();
  }
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
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
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
  const std::unique_lock lock(mutex_);
  filter_ = std::move(*filter);
  return true;
}

IssuedFilter::Status IssuedFilter::status() const {
  const std::shared_lock lock(mutex_);
  if (!filter_) return {};
  return {filter_->count(), filter_->capacity(), rebuilds_, answered_.now_ms};
}

}  // namespace tessera
