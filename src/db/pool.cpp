// Lends connections.

#include "tessera/db/pool.h"

#include <algorithm>

namespace tessera::db {

Pool::Pool(std::size_t count_max, Make make)
    : count_max_(std::max<std::size_t>(1, count_max)), make_(std::move(make)) {
  idle_.reserve(count_max_);  // take_back() must not need memory
}

Result<Pool::Handle, Error> Pool::lend(std::chrono::steady_clock::time_point deadline) {
  {
    std::unique_lock lock(mutex_);
    while (true) {
      while (!idle_.empty()) {
        auto connection = std::move(idle_.back());
        idle_.pop_back();
        if (connection->usable()) return Handle(*this, std::move(connection));
        --count_;
      }
      if (count_ < count_max_) break;
      if (free_.wait_until(lock, deadline) == std::cv_status::timeout && idle_.empty() &&
          count_ >= count_max_) {
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
  return Handle(*this, std::move(*made));
}

void Pool::take_back(std::unique_ptr<Connection> connection) noexcept {
  if (!connection->usable()) {
    connection.reset();
    leave_place();
    return;
  }
  {
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
