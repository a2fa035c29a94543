// Kills, stops, cuts off and promotes servers.

#include "server_nemesis.h"

#include <signal.h>

#include <array>
#include <chrono>
#include <utility>

#include "support/etcd_cluster.h"
#include "support/network.h"
#include "support/servers.h"

namespace segment_storm {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using storm::Dice;
using tessera::servers::Server;

void ServerNemesis::begin(std::uint64_t rest_ms) {
  thread_ = std::thread([this, rest_ms] { run(rest_ms); });
}

void ServerNemesis::end() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
}

bool ServerNemesis::rest(std::uint64_t time_ms) {
  const auto end = steady_clock::now() + std::chrono::milliseconds(time_ms);
  while (!over_ && steady_clock::now() < end) std::this_thread::sleep_for(10ms);
  return !over_;
}

ServerNemesis::Blow ServerNemesis::choose(std::uint64_t number, Dice& dice) {
  const std::uint64_t next = number == 0 ? 2 : dice.below(5);
  return next == 0 ? Blow::stop : next == 1 ? Blow::shut_down : Blow::kill;
}

void ServerNemesis::run(std::uint64_t rest_ms) {
  for (std::uint64_t number = 0; rest(rest_ms + dice_.below(1'500)); ++number) {
    const Blow blow = choose(number, dice_);
    switch (blow) {
      case Blow::stop: ++report_.server_stops; break;
      case Blow::shut_down: ++report_.server_shutdowns; break;
      case Blow::kill: ++report_.server_kills; break;
      case Blow::cut: ++report_.server_cuts; break;
      case Blow::promote: ++report_.promotions, ++report_.server_kills; break;
    }
    strike(blow, dice_);
  }
}

namespace {

class DatabaseNemesis final : public ServerNemesis {
 public:
  DatabaseNemesis(Server::Kind kind, std::uint64_t seed, StormReport& report,
                  std::chrono::milliseconds log_time = {})
      : ServerNemesis(seed, report), kind_(kind), server_(kind), log_time_(log_time) {
    server_.set_log_time(log_time_);
    server_.restart();
  }
  ~DatabaseNemesis() override { end(); }

  std::string url() override { return server_.fresh_database(); }

 private:
  void strike(Blow blow, Dice& dice) override {
    switch (blow) {
      case Blow::stop:
        server_.freeze();
        rest(100 + dice.below(900));
        server_.thaw();
        break;
      case Blow::shut_down:
        // PostgreSQL's immediate shutdown: no checkpoint, recovery at the next start.
        if (kind_ == Server::Kind::postgres) kill(server_.pid(), SIGQUIT);
        restart(dice);
        break;
      default:
        server_.kill();
        rest(dice.below(300));
        restart(dice);
    }
  }

  // Its disk is slow most of the time.
  void restart(Dice& dice) {
    server_.set_log_time(dice.one_in(3) ? 0ms : log_time_);
    server_.restart();
  }

  const Server::Kind kind_;
  Server server_;
  const std::chrono::milliseconds log_time_;
};

// A primary and its synchronous standby, which take turns. Each time the one that was the primary
// is killed, forgets everything, and comes back as the standby of the other.
class StandbyNemesis final : public ServerNemesis {
 public:
  StandbyNemesis(bool synchronous, std::uint64_t seed, StormReport& report)
      : ServerNemesis(seed, report), first_(Server::Kind::postgres) {
    database_url_ = first_.fresh_database();  // before it waits for a standby that is not there
    std::vector<std::string> settings = {"cluster_name=twin"};
    if (synchronous) settings.emplace_back("synchronous_standby_names=twin");
    first_.restart_with(settings);
    second_ = std::make_unique<Server>(first_, settings);
    primary_ = &first_;
    standby_ = second_.get();
  }
  ~StandbyNemesis() override { end(); }

  // Both hosts: "...@127.0.0.1:10001,127.0.0.1:10002/..."
  std::string url() override {
    const std::string port = ":" + std::to_string(first_.port());
    std::string both = database_url_;
    both.insert(both.find(port) + port.size(), ",127.0.0.1:" + std::to_string(second_->port()));
    return both;
  }

 private:
  Blow choose(std::uint64_t number, Dice& dice) override {
    if (number == 0) return Blow::promote;
    const std::uint64_t next = dice.below(6);
    return next == 0 ? Blow::stop : next == 1 ? Blow::kill : Blow::promote;
  }

  void strike(Blow blow, Dice& dice) override {
    if (blow == Blow::promote) return promote(dice);
    Server& server = dice.one_in(2) ? *primary_ : *standby_;
    if (blow == Blow::stop) {
      server.freeze();
      rest(100 + dice.below(900));
      server.thaw();
    } else {
      server.kill();
      rest(dice.below(300));
      server.restart();
    }
  }

  void promote(Dice& dice) {
    // A standby that lags: what is committed now reaches it never, and so must reach nobody.
    const bool lags = std::exchange(is_first_, false) || dice.one_in(2);
    if (lags) {
      standby_->freeze();
      rest(200 + dice.below(400));
      // An operator who is tired of waiting. PostgreSQL then confirms what nobody else has.
      if (dice.one_in(2)) {
        primary_->run(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
        rest(50);
      }
    }
    // One that is only thought to be dead goes on beside the new one.
    const bool returns = dice.one_in(2);
    if (returns) {
      primary_->freeze();
    } else {
      primary_->kill();
    }
    if (lags) standby_->thaw();
    standby_->promote();
    if (returns) {
      primary_->thaw();
      rest(300 + dice.below(700));
      primary_->kill();
    }
    std::swap(primary_, standby_);
    standby_->follow(*primary_);
  }

  Server first_;
  std::unique_ptr<Server> second_;
  std::string database_url_;
  Server* primary_ = nullptr;
  Server* standby_ = nullptr;
  bool is_first_ = true;
};

// Three members of etcd, of which one is struck: every other time the one that leads.
class EtcdNemesis final : public ServerNemesis {
 public:
  EtcdNemesis(std::uint64_t seed, StormReport& report) : ServerNemesis(seed, report), cluster_(3) {}
  ~EtcdNemesis() override { end(); }

  std::string url() override { return cluster_.url(); }

 private:
  void strike(Blow blow, Dice& dice) override {
    const std::size_t member = dice.one_in(2) ? cluster_.leader() : dice.below(cluster_.size());
    switch (blow) {
      case Blow::stop:
        cluster_.freeze(member);
        rest(100 + dice.below(2'500));
        cluster_.thaw(member);
        return;
      case Blow::shut_down: cluster_.stop(member); break;
      default: cluster_.kill(member);
    }
    rest(dice.below(1'500));
    cluster_.start(member);
  }

  tessera::servers::EtcdCluster cluster_;
};

// The same on three hosts. The one that leads is killed, stopped, cut off from all, or parted from
// one of the others while both reach the third and us.
class EtcdNetworkNemesis final : public ServerNemesis {
 public:
  EtcdNetworkNemesis(std::uint64_t seed, StormReport& report)
      : ServerNemesis(seed, report), network_(kMembers), cluster_(kMembers, network_) {}
  ~EtcdNetworkNemesis() override { end(); }

  std::string url() override { return cluster_.url(); }

 private:
  static constexpr std::size_t kMembers = 3;

  Blow choose(std::uint64_t number, Dice& dice) override {
    constexpr std::array<Blow, 4> kFirst = {Blow::cut, Blow::kill, Blow::stop, Blow::cut};
    return kFirst[number < kFirst.size() ? number : dice.below(kFirst.size())];
  }

  void strike(Blow blow, Dice& dice) override {
    const std::size_t leader = cluster_.leader();
    switch (blow) {
      case Blow::stop:
        cluster_.freeze(leader);
        rest(500 + dice.below(2'500));
        cluster_.thaw(leader);
        break;
      case Blow::cut:
        if (dice.one_in(3)) {
          network_.part(leader, (leader + 1 + dice.below(kMembers - 1)) % kMembers);
        } else {
          network_.cut(leader);
        }
        rest(500 + dice.below(2'500));
        network_.mend();
        break;
      default:
        cluster_.kill(leader);
        rest(dice.below(2'000));
        cluster_.start(leader);
    }
  }

  tessera::servers::Network network_;
  tessera::servers::EtcdCluster cluster_;
};

}  // namespace

std::unique_ptr<ServerNemesis> make_server_nemesis(const StormOptions& options,
                                                   StormReport& report) {
  switch (options.store) {
    case StoreChoice::sqlite: break;
    case StoreChoice::postgres:
      return std::make_unique<DatabaseNemesis>(Server::Kind::postgres, options.seed, report);
    case StoreChoice::postgres_standby:
      return std::make_unique<StandbyNemesis>(options.bug != Bug::async_standby, options.seed,
                                              report);
    case StoreChoice::mariadb:
      // It shows what is not on disk yet: with a slow disk that is seen.
      return std::make_unique<DatabaseNemesis>(Server::Kind::mariadb, options.seed, report,
                                               options.bug == Bug::tells_unflushed ? 120ms : 30ms);
    case StoreChoice::etcd: return std::make_unique<EtcdNemesis>(options.seed, report);
    case StoreChoice::etcd_network:
      return std::make_unique<EtcdNetworkNemesis>(options.seed, report);
  }
  return nullptr;
}

}  // namespace segment_storm
