#pragma once

// Where machine numbers come from: the port of those who make Snowflakes, and of the operator.
//
// A lease is a right to one machine number of one scope, and a stretch of ID time: the times that
// may stand in the IDs of its holder.
//
//    number 7   |--- A: floor 0 .......... limit 5000 ---|--- B: floor 5000 .... limit 9000 ---> ID
//    time
//
// Every holder begins where the limit of the one before it was, and stays below its own. The limit
// is kept for ever, and never sinks. So IDs of two holders of one number are never equal, whatever
// any clock does, and whether or not the first one knows that it has lost its lease. That a lease
// ends, and that a number then rests, keeps them apart in time as well; safety does not depend on
// it.
//
// Thread-safe. A store implements it; nothing here knows which.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera {

// How long things last. All three are counted by the clock of the store, from the moment of the
// call.
struct LeaseTerms {
  static constexpr std::chrono::milliseconds kTtlMin{1000};
  static constexpr std::chrono::milliseconds kTtlMax{24 * 3600 * 1000};
  static constexpr std::chrono::milliseconds kReserveMin{1};
  static constexpr std::chrono::milliseconds kReserveMax{3600 * 1000};
  static constexpr std::chrono::milliseconds kQuarantineMax{24 * 3600 * 1000};

  std::chrono::milliseconds ttl{15'000};        // until it ends, unless it is raised before
  std::chrono::milliseconds reserve{15'000};    // how far ID time may run ahead of the clock
  std::chrono::milliseconds quarantine{5'000};  // how long the number rests when it has ended

  friend bool operator==(const LeaseTerms&, const LeaseTerms&) = default;
};

struct ClaimRequest {
  static constexpr std::uint32_t kMachineMax = 0xFFFF'FFFF;

  std::string_view scope;  // where IDs must differ; named as the scopes of segments are
  // How IDs are laid out, as snowflake_layout_text() writes it: 1 to 64 bytes of printable ASCII.
  // Two layouts in one scope would make equal IDs, so that of its first claim is that of the scope.
  std::string_view layout;
  std::uint32_t machine_min = 0;  // one of these; the same twice asks for this one and no other
  std::uint32_t machine_max = 0;
  std::string_view holder = {};  // who asks, for people: "host/pid/start"; at most 128 bytes
  LeaseTerms terms{};
  // How long to wait for the store. What is not answered by then has an unknown outcome.
  std::chrono::milliseconds timeout{5000};
};

struct RaiseRequest {
  std::string_view scope;
  std::uint32_t machine = 0;
  std::int64_t token = 0;
  LeaseTerms terms{};
  std::chrono::milliseconds timeout{5000};
};

struct ReleaseRequest {
  std::string_view scope;
  std::uint32_t machine = 0;
  std::int64_t token = 0;
  std::chrono::milliseconds timeout{5000};
};

// What a claim or a raise has made durable. Times are milliseconds since 1970.
struct Reservation {
  // IDs may hold times below it. Never less than what an earlier answer for this number said.
  std::uint64_t ts_limit_ms = 0;
  // What the clock of the store read. A store that has none that can be asked (etcd) reads that of
  // the machine where its client is.
  std::uint64_t now_ms = 0;
  // The lease ends no sooner than this after the request was SENT; it may live longer. Who counts
  // from the answer counts wrong by the time that the answer took.
  std::chrono::milliseconds ttl{0};

  friend bool operator==(const Reservation&, const Reservation&) = default;
};

struct Lease {
  std::uint32_t machine = 0;
  // Of this claim alone: positive, and above every earlier one of the number.
  std::int64_t token = 0;
  // IDs may hold times from here on: the limit of the holder before; 0, if there was none.
  std::uint64_t floor_ms = 0;
  Reservation reservation;

  friend bool operator==(const Lease&, const Lease&) = default;
};

// A number that was claimed at least once, as the operator sees it.
struct LeaseRecord {
  enum class State : std::uint8_t {
    held,     // somebody's
    resting,  // ended, but in quarantine, or its reserved time has not passed
    free,     // the next claim may have it
  };

  std::string scope;
  std::string layout;
  std::uint32_t machine = 0;
  State state = State::free;
  std::int64_t token = 0;  // of the last claim
  std::string holder;      // of the last claim
  std::uint64_t claimed_ms = 0;
  std::uint64_t expires_ms = 0;  // when the lease ends, or has ended
  std::uint64_t free_ms = 0;     // from then on it may be claimed, if nothing is done before
  std::uint64_t ts_limit_ms = 0;

  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

struct LeaseListRequest {
  static constexpr std::size_t kPageSizeMax = 1000;

  std::string_view scope = {};       // of this one; empty: of all
  std::string_view page_token = {};  // of the page before; empty: from the beginning
  std::size_t page_size = 100;       // at most kPageSizeMax
};

struct LeasePage {
  std::vector<LeaseRecord> items;
  std::string next_token;  // empty: that was all

  friend bool operator==(const LeasePage&, const LeasePage&) = default;
};

class LeaseStore {
 public:
  virtual ~LeaseStore() = default;

  // Takes the lowest number from machine_min to machine_max that is free, and reserves ID time for
  // it: the new limit is the old one, or the clock plus `reserve`, whichever is later.
  //
  // A number is free if it was never claimed; else when its lease has ended, `quarantine` (that of
  // its last claim or raise) has passed since, and the clock has reached its limit. All three are
  // judged by the clock of the store, in the same step that takes the number: of any number of
  // callers one gets it. If none is free, nothing is done and the error is none_free. If the scope
  // has another layout it is already_exists.
  //
  // Durable before it returns. If the answer is lost we cannot know, so the error is
  // outcome_unknown: the number, if one was taken, is nobody's until it ends by itself. Nothing of
  // it may be used, and a second call takes another.
  virtual Result<Lease, Error> claim(const ClaimRequest& request) = 0;

  // Lets the lease live for another `ttl` from now on, and lifts its limit to the clock plus
  // `reserve`, in one step; the limit never sinks, and neither does the end.
  //
  // Refused as lease_lost, with nothing done, if the token is not that of the last claim of this
  // number, or if the lease has ended, be it that nobody has claimed it since: what has ended does
  // not come back, and its holder must claim anew. An unknown number, or scope, is lease_lost too.
  //
  // Durable before it returns. On outcome_unknown, store_unavailable and timed_out the holder keeps
  // what earlier answers gave it, and no more: the limit may have been lifted, but it cannot know.
  // It may ask again.
  virtual Result<Reservation, Error> raise(const RaiseRequest& request) = 0;

  // Ends the lease now; the number rests, and is free after that. Its limit stays: ID time is never
  // given back. The holder must have stopped before it calls. lease_lost as above; for one who
  // wants to be rid of it that is as good. On outcome_unknown it ends by itself.
  virtual Result<LeaseRecord, Error> release(const ReleaseRequest& request) = 0;

  // A page of one scope, or of all: by scope, byte by byte, then by number. A scope that nobody has
  // claimed from has none. What is claimed between two pages is in the second if it comes behind
  // the first. A token of another list is invalid_request.
  virtual Result<LeasePage, Error> list(const LeaseListRequest& request) = 0;

  // All pages, one after the other.
  Result<std::vector<LeaseRecord>, Error> list_all(std::string_view scope);
};

}  // namespace tessera
