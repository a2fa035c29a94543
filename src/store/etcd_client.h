#pragma once

// Client: asks a cluster of etcd, one member after the other until one answers.
//
// A request may reach etcd twice: a member that is silent may still have passed it on. So only such
// transactions are committed here that tell, when they come a second time, whether the first was
// done: they compare what they change, and write something that is their own.
//
//    not connected, no leader              nothing was done: the next member, then a pause
//    sent, no answer, "request timed out"  may have been done: likewise
//    refused (no right, no such user)      is the answer
//
// until the deadline. If an attempt may have been done and none was answered, the error is
// outcome_unknown. Thread-safe; a call waits in its own thread, for no more than its deadline.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/connection.h"
#include "store/etcd_wire.h"
#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera::etcd {

using http::Time;

struct ClientOptions {
  std::vector<Address> members{};
  std::string user{};  // empty: the cluster asks for none
  std::string password{};
  std::unique_ptr<http::Tls> tls{};  // for those with TLS
  std::size_t connections_max = 4;
  bool accept_duplicate_risk = false;  // talks to versions that are known to lose writes
};

// What is wrong with a version of etcd, such as "3.4.23"; nothing, if nothing is.
std::optional<std::string> fault_of_version(std::string_view version);
inline constexpr std::string_view kVersionsWanted = "3.4.21, 3.5.5 or newer";

class Client {
 public:
  explicit Client(ClientOptions options);

  Result<TxnAnswer, Error> commit(const Txn& txn, Time deadline);
  // Any other question, by its path: "/v3/cluster/member/list". `body` is an object.
  Result<Json, Error> ask(std::string_view path, std::string_view body, Time deadline);
  // The version of the member at that place; why not, if it cannot be asked.
  Result<std::string, Error> version_of(std::size_t member, Time deadline);

  const std::vector<Address>& members() const noexcept { return options_.members; }

 private:
  struct Call {
    std::string_view path;
    std::string_view body;
    bool changes = false;
  };
  // Why an attempt gave no answer.
  struct Miss {
    enum class Kind : std::uint8_t { not_done, maybe_done, refused, token };
    Kind kind = Kind::not_done;
    Error error;
  };
  using Connection = http::Connection;
  using Lent = std::unique_ptr<Connection>;

  // A place among connections_max.
  class Place;

  // `doubt` is set when an attempt before the one that was answered may have been done.
  Result<Json, Error> ask(const Call& call, Time deadline, bool& doubt);
  Result<Json, Miss> try_once(std::size_t member, const Call& call, Time deadline);
  Result<Lent, Miss> connect(std::size_t member, Time deadline);
  Result<http::Answer, Miss> exchange(Connection& connection, std::size_t member, const Call& call,
                                      const std::string& token, Time deadline);
  Result<std::string, Miss> token_for(Connection& connection, std::size_t member, Time deadline);
  Result<std::string, Miss> read_version(Connection& connection, std::size_t member, Time deadline);
  Miss miss_of(const http::Answer& answer, std::size_t member) const;

  bool enter(Time deadline);
  void leave() noexcept;
  Lent take_idle(std::size_t member);
  void keep(std::size_t member, Lent connection);
  void forget_token(const std::string& token);
  void prefer_another(std::size_t than);
  std::string url_of(std::size_t member) const;

  const ClientOptions options_;
  std::mutex mutex_;
  std::condition_variable free_;
  std::size_t busy_ = 0;
  std::size_t preferred_ = 0;  // the member that is asked first
  std::string token_;
  std::vector<std::vector<Lent>> idle_;  // by member
};

}  // namespace tessera::etcd
