// Lends connections.

#include "tessera/db/pool.h"

#include <algorithm>

namespace tessera::db {

Pool::Pool(std::size_t count_max, Make make)
    : count_max_(std::max<std::size_t>(1, count_max)), make_(std::move(make)) {
  idle_.reserve(count_max_);  // take_back() must not need memory
}

Pool::~Pool() { delete spare_.load(); }

std::unique_ptr<Connection> Pool::take_spare() noexcept {
  return std::unique_ptr<Connection>(spare_.exchange(nullptr));
}

Result<Pool::Handle, Error> Pool::lend(std::chrono::steady_clock::time_point deadline) {
  if (auto connection = take_spare()) {
    if (connection->usable()) return Handle(*this, std::move(connection), true);
    connection.reset();
    leave_place();
  }
  {
    std::unique_lock lock(mutex_);
    const Waiting waiting(waiting_);  // from here on whoever puts a spare there tells us
    bool at_once = true;
    while (true) {
      if (auto connection = take_spare()) idle_.push_back(std::move(connection));
      while (!idle_.empty()) {
        auto connection = std::move(idle_.back());
        idle_.pop_back();
        if (connection->usable()) return Handle(*this, std::move(connection), at_once);
        --count_;
      }
      if (count_ < count_max_) break;
      at_once = false;
      if (free_.wait_until(lock, deadline) == std::cv_status::timeout && idle_.empty() &&
          spare_.load() == nullptr && count_ >= count_max_) {
        return Failure{
            Error{Error::Code::timed_out,
                  "all " + std::to_string(count_max_) + " connections to the store are busy",
                  "Ask again, or allow more connections."}};
      }
    }
    ++count_;
  }
  // Made outside the lock: it may take long, and others may get theirs meanwhile.
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  auto made = make_(std::max(left, std::chrono::milliseconds(1)));
  if (!made) {
    leave_place();
    return Failure{made.error()};
  }
  return Handle(*this, std::move(*made), false);
}

void Pool::take_back(std::unique_ptr<Connection> connection) noexcept {
  if (!connection->usable()) {
    connection.reset();
    leave_place();
    return;
  }
  // One lies ready without a lock. Who waits has said so before he looked for it, and we look for
  // him behind it: one of us sees the other.
  Connection* nothing = nullptr;
  if (spare_.compare_exchange_strong(nothing, connection.get())) {
    static_cast<void>(connection.release());
    if (waiting_.load() == 0) return;
    const std::lock_guard lock(mutex_);  // he is asleep by then
  } else {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(connection));
  }
  free_.notify_one();
}

void Pool::leave_place() noexcept {
  {
    const std::lock_guard lock(mutex_);
    --count_;
  }
  free_.notify_one();
}

}  // namespace tessera::db
