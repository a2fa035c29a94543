#pragma once

// Snowflakes: of every series that is asked for, each with a machine number leased for it.
//
//   Snowflakes snowflakes(store.leases(), clock, {.holder = "shop-1/4711"},
//                         {{"TICKET", *parse_snowflake_layout("1700000000000/10/t40.s8.m8")}});
//   const auto series = snowflakes.find("TICKET");
//   if (series) snowflakes.next(**series, ids, wait);
//
// There is a series for each layout that has a name, and those that were declared; no others, since
// each that is asked for claims a machine number and keeps it. The first call claims a number of
// the scope that is called like the series, and so do other programs on the same store: no two IDs
// of a scope are equal. A number that cannot be renewed is not used any more; close() releases all.
//
// Thread-safe. Store and clock must outlive it; see LeasedSnowflakes.

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/error.h"
#include "tessera/lease/leased_snowflakes.h"
#include "tessera/lease/store.h"
#include "tessera/result.h"
#include "tessera/snowflake.h"
#include "tessera/source.h"

namespace tessera::service {

struct DeclaredSnowflakes {
  std::string name;  // of its scope, too
  SnowflakeLayout layout;
};

class Snowflakes {
 public:
  struct Series;  // one of them; lives as long as this

  // Scope and machine numbers are those of each series. A name that a layout has is passed over.
  Snowflakes(LeaseStore& store, MonotonicClock& clock, SnowflakeLeaseOptions options,
             const std::vector<DeclaredSnowflakes>& declared = {});
  ~Snowflakes();
  Snowflakes(const Snowflakes&) = delete;
  Snowflakes& operator=(const Snowflakes&) = delete;

  // By its name, or by its layout in full, if only one has it: not_found, or ambiguous as
  // invalid_request.
  Result<Series*, Error> find(std::string_view text);

  // Fills all of `out`, in order. Errors as of LeasedSnowflakes; without a wait, whatever is not
  // there at once is one.
  Result<std::size_t, Error> next(Series& series, std::span<Snowflake> out,
                                  std::chrono::milliseconds wait);

  // Of the series that were asked for, by name.
  std::vector<std::pair<std::string_view, SnowflakeLeaseStatus>> statuses() const;

  // Makes no ID any more, and releases what it holds.
  void close();

 private:
  LeasedSnowflakes* of(Series& series);

  LeaseStore& store_;
  MonotonicClock& clock_;
  const SnowflakeLeaseOptions options_;
  mutable std::mutex mutex_;  // of making one
  bool closed_ = false;
  // The layouts that have a name, then what was declared.
  std::vector<std::unique_ptr<Series>> all_;
};

}  // namespace tessera::service
