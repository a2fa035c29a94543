#pragma once

// Nemesis: starts the store and the workers, and then kills, stops and restarts all of them, as its
// seed says, until the time is over.

#include <chrono>
#include <cstdint>
#include <string>

#include "bugs.h"

namespace segment_storm {

enum class StoreChoice : std::uint8_t {
  sqlite,
  postgres,
  postgres_standby,  // two: the one is a synchronous standby of the other
  mariadb,
  etcd,
  etcd_network,  // each member on a host of its own, which can be cut off
};

// What the workers take of it.
enum class Wares : std::uint8_t { segments, leases };

struct StormOptions {
  Wares wares = Wares::segments;
  StoreChoice store = StoreChoice::sqlite;
  std::string store_name = "sqlite";
  std::string folder;  // for logs; should be empty
  std::chrono::milliseconds time{15'000};
  unsigned workers = 8;
  std::uint64_t seed = 0;
  std::string bug_name = "none";
  Bug bug = Bug::none;
};

struct StormReport {
  std::string failure;   // why the storm is none; empty: it was one
  std::string weakness;  // why it should be played again, and longer
  std::uint64_t worker_kills = 0;
  std::uint64_t worker_starts = 0;
  std::uint64_t worker_stops = 0;  // and continued
  std::uint64_t server_kills = 0;
  std::uint64_t server_shutdowns = 0;
  std::uint64_t server_stops = 0;  // and continued
  std::uint64_t server_cuts = 0;   // of its line
  std::uint64_t promotions = 0;    // of a standby
  std::uint64_t clock_jumps = 0;   // of workers, by an hour
};

// `program` is this one, for its workers.
StormReport rage(const StormOptions& options, const std::string& program);

}  // namespace segment_storm
