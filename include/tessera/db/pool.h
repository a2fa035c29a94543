#pragma once

// A few connections, lent to one caller each.
//
//    auto connection = pool.lend(std::chrono::steady_clock::now() + 5s);
//    if (connection) (*connection)->query(...);      goes back when the handle ends
//
// Thread-safe. Connections are made when needed, never more than `count_max`; those that are of no
// more use, or that were made before a fork, are dropped when they come back or are next wanted.
// The pool must outlive its handles.

#include <atomic>
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
    Handle(Pool& pool, std::unique_ptr<Connection> connection, bool at_once) noexcept
        : pool_(&pool), connection_(std::move(connection)), at_once_(at_once) {}
    Handle(Handle&& other) noexcept = default;
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
      if (connection_) pool_->take_back(std::move(connection_));
    }
    Connection& operator*() const noexcept { return *connection_; }
    Connection* operator->() const noexcept { return connection_.get(); }
    // It was there: no time has gone by, and nobody need look at a clock.
    bool at_once() const noexcept { return at_once_; }

   private:
    Pool* pool_;
    std::unique_ptr<Connection> connection_;
    bool at_once_;
  };

  Pool(std::size_t count_max, Make make);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  // Waits for a connection, until `deadline`: then the error is timed_out. What `make` says when
  // it fails is passed on.
  Result<Handle, Error> lend(std::chrono::steady_clock::time_point deadline);

 private:
  struct Waiting {
    explicit Waiting(std::atomic<std::size_t>& count) noexcept : count_(count) { ++count_; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() { --count_; }
    std::atomic<std::size_t>& count_;
  };

  std::unique_ptr<Connection> take_spare() noexcept;
  void take_back(std::unique_ptr<Connection> connection) noexcept;
  void leave_place() noexcept;

  const std::size_t count_max_;
  const Make make_;
  std::mutex mutex_;
  std::condition_variable free_;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t count_ = 0;  // idle, spare and lent
  std::atomic<Connection*> spare_{nullptr};
  std::atomic<std::size_t> waiting_{0};
};

}  // namespace tessera::db
