#pragma once

// Worker: a thread that serves connections, and what they share. Everything in it is touched by its
// own thread only, but for `context`.

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "service/connection.h"
#include "service/http_writer.h"
#include "tessera/service/service.h"

namespace tessera::service {

struct Worker {
  static constexpr std::chrono::milliseconds kTick{250};

  Worker(const ServiceLimits& limits_given, boost::asio::thread_pool& waiting_given,
         std::atomic<std::size_t>& count_given, std::shared_ptr<const Installation> installation)
      : limits(limits_given),
        waiting(waiting_given),
        connection_count(count_given),
        on(std::move(installation)),
        writer(*on->clock) {}

  // Looks after the connections, again and again.
  void tick() {
    now = std::chrono::steady_clock::now();
    // A connection that ends leaves the set.
    const std::vector<Connection*> all(connections.begin(), connections.end());
    for (Connection* connection : all) {
      if (connections.contains(connection)) connection->check(now);
    }
    timer.expires_after(kTick);
    timer.async_wait([this](const boost::system::error_code& error) {
      if (!error) tick();
    });
  }

  std::unordered_set<Connection*> connections{};  // first: those that the context ends leave it
  boost::asio::io_context context{1};
  boost::asio::steady_timer timer{context};
  const ServiceLimits& limits;
  boost::asio::thread_pool& waiting;           // threads that may wait for a store
  std::atomic<std::size_t>& connection_count;  // of all workers
  std::shared_ptr<const Installation> on;
  HttpWriter writer;
  Connection::Time now = std::chrono::steady_clock::now();  // of the last tick
};

}  // namespace tessera::service
