#pragma once

// A few connections, lent to one caller each.
//
//    auto connection = pool.lend(std::chrono::steady_clock::now() + 5s);
//    if (connection) (*connection)->query(...);      goes back when the handle ends
//
// Thread-safe. Connections are made when needed, never more than `count_max`; those that are of no
// more use, or that were made before a fork, are dropped when they come back or are next wanted.
// The pool must outlive its handles.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tessera/db/connection.h"
#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera::db {

class Pool {
 public:
  // Makes a connection, ready for use, before the given time is over.
  using Make = std::function<Result<std::unique_ptr<Connection>, Error>(std::chrono::milliseconds)>;

  class Handle {
   public:
    Handle(Pool& pool, std::unique_ptr<Connection> connection) noexcept
        : pool_(&pool), connection_(std::move(connection)) {}
    Handle(Handle&& other) noexcept = default;
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
      if (connection_) pool_->take_back(std::move(connection_));
    }
    Connection& operator*() const noexcept { return *connection_; }
    Connection* operator->() const noexcept { return connection_.get(); }

   private:
    Pool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  Pool(std::size_t count_max, Make make);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Waits for a connection, until `deadline`: then the error is timed_out. What `make` says when
  // it fails is passed on.
  Result<Handle, Error> lend(std::chrono::steady_clock::time_point deadline);

 private:
  void take_back(std::unique_ptr<Connection> connection) noexcept;
  void leave_place() noexcept;

  const std::size_t count_max_;
  const Make make_;
  std::mutex mutex_;
  std::condition_variable free_;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t count_ = 0;  // idle and lent
};

}  // namespace tessera::db
