// segment_scale: thousands of servers and one store in virtual time, with the rules that a server
// has (ScopeCache, Handout). Says what the store has to do, what is wasted, and how far the order
// of numbers is from the order of time.
//
//    segment_scale [--servers N] [--rate IDS_A_SECOND] [--minutes N] [--commit-us N] [--seed N]
//
// Every server hands out its share, in a batch each 100 ms. The store has one row for the scope: a
// commit waits for the one before it. In the second half of the time the store is away for 20
// seconds, and after that all servers are restarted, one after another.
//
// Exit 0: no server was ever out of numbers after its first second, no number was given twice. 1:
// one was.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <queue>
#include <string_view>
#include <vector>

#include "segment/scope_cache.h"

namespace {

using namespace std::chrono_literals;
using namespace tessera;
using Count = unsigned long long;

struct Options {
  std::uint64_t servers = 1000;
  std::uint64_t rate = 10'000'000;
  std::uint64_t minutes = 20;
  std::uint64_t commit_us = 1000;
  std::uint64_t seed = 1;
};

constexpr MonotonicTime kTick = 100ms;
constexpr MonotonicTime kTrip = 1ms;  // to the store and back
constexpr MonotonicTime kOutage = 20s;
constexpr MonotonicTime kTimeout = 5s;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t end) {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return (z ^ z >> 31) % end;
  }

 private:
  std::uint64_t state_;
};

struct Server {
  std::unique_ptr<Handout> handout;
  std::unique_ptr<ScopeCache> cache;
  std::vector<std::pair<Segment, MonotonicTime>> ranges;  // and when each was committed
  std::size_t life = 0;
  MonotonicTime started{};
  bool asking = false;
  std::uint64_t owed = 0;  // callers who wait
};

struct Event {
  MonotonicTime time{};
  std::uint64_t number = 0;
  enum class Kind : std::uint8_t { tick, found, drawn, restart } kind = Kind::tick;
  std::size_t server = 0;
  std::size_t life = 0;
  ScopeCache::Asked asked{};
  std::uint64_t first = 0;  // of a draw; 0: the store was away
  std::int64_t high_water = 0;

  bool operator>(const Event& other) const {
    return time != other.time ? time > other.time : number > other.number;
  }
};

// How many fell into which size, by powers of two with four steps each: good for two digits.
class Histogram {
 public:
  void add(double value, std::uint64_t count) {
    std::size_t at = 0;
    for (double top = 1; top < value && at + 1 < counts_.size(); top *= kStep) ++at;
    counts_[at] += count;
    all_ += count;
    most_ = std::max(most_, value);
  }
  double quantile(double share) const {
    std::uint64_t sum = 0;
    double top = 1;
    for (const std::uint64_t count : counts_) {
      sum += count;
      if (static_cast<double>(sum) >= share * static_cast<double>(all_)) break;
      top *= kStep;
    }
    return std::min(top, most_);
  }
  double most() const { return most_; }

 private:
  static constexpr double kStep = 1.1892;
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(200);
  std::uint64_t all_ = 0;
  double most_ = 0;
};

class World {
 public:
  explicit World(const Options& options)
      : options_(options), dice_(options.seed), servers_(options.servers) {
    scope_.name = "ORDER";
    end_ = std::chrono::minutes(options.minutes);
    outage_from_ = end_ / 2;
    restart_from_ = end_ * 3 / 4;
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      start(s, MonotonicTime(static_cast<std::int64_t>(dice_.below(1'000'000'000))));
      const auto share = static_cast<std::int64_t>(s) * ((end_ - restart_from_) / 2).count() /
                         static_cast<std::int64_t>(servers_.size());
      send({.kind = Event::Kind::restart, .server = s}, restart_from_ + MonotonicTime(share));
    }
    draws_in_.resize(static_cast<std::size_t>(end_ / 1s) + 2);
  }

  int run() {
    while (!queue_.empty() && queue_.top().time < end_) {
      const Event event = queue_.top();
      queue_.pop();
      now_ = event.time;
      handle(event);
    }
    return report();
  }

 private:
  void send(Event event, MonotonicTime at) {
    event.time = at;
    event.number = ++event_count_;
    queue_.push(event);
  }

  void start(std::size_t s, MonotonicTime at) {
    Server& server = servers_[s];
    if (server.cache) abandoned_by_restarts_ += server.cache->cached();
    server.cache.reset();
    server.handout = std::make_unique<Handout>();
    ScopeCachePolicy policy;
    policy.jitter_seed = dice_.below(UINT64_MAX);
    server.cache = std::make_unique<ScopeCache>(scope_, *server.handout, policy);
    server.cache->wake_up();
    server.ranges.clear();
    server.asking = false;
    server.owed = 0;
    server.started = at;
    ++server.life;
    send({.kind = Event::Kind::tick, .server = s, .life = server.life}, at);
  }

  void handle(const Event& event) {
    Server& server = servers_[event.server];
    if (event.kind == Event::Kind::restart) return start(event.server, now_);
    if (event.life != server.life) return;
    switch (event.kind) {
      case Event::Kind::tick: {
        if (server.owed > 0) ++(now_ < 1min ? early_stalls_ : stalls_);  // since the last one
        const std::uint64_t share = options_.rate / options_.servers / 10;
        server.owed += share - share / 4 + dice_.below(share / 2 + 1);
        serve(server);
        send({.kind = Event::Kind::tick, .server = event.server, .life = server.life},
             now_ + kTick);
        break;
      }
      case Event::Kind::found:
        server.asking = false;
        server.cache->found(event.asked, ScopeState{scope_, event.high_water, 1, 0, 0}, now_);
        break;
      case Event::Kind::drawn: drawn(server, event); break;
      case Event::Kind::restart: break;
    }
    poll(event.server);
  }

  void drawn(Server& server, const Event& event) {
    server.asking = false;
    Result<Draw, Error> answer =
        Failure{Error{Error::Code::store_unavailable, "the store is away", ""}};
    if (event.first > 0) {
      const Segment range{event.first, event.first + event.asked.count};
      answer = Draw{range, 1, 0, false};
      server.ranges.emplace_back(range, now_ - kTrip / 2);
    }
    if (server.cache->drawn(event.asked, answer, now_)) {
      server.cache->published(std::nullopt, now_);
    }
    serve(server);
  }

  void serve(Server& server) {
    std::vector<Segment> taken;
    const std::uint64_t count = server.cache->take(server.owed, taken);
    server.owed -= count;
    issued_ += count;
    for (const Segment& range : taken) {
      // It may span several draws that followed each other.
      for (std::uint64_t first = range.first; first < range.end;) {
        const auto of = std::ranges::find_if(server.ranges, [&](const auto& known) {
          return known.first.first <= first && first < known.first.end;
        });
        if (of == server.ranges.end()) {
          ++strange_;
          break;
        }
        const std::uint64_t end = std::min(range.end, of->first.end);
        top_ = std::max(top_, end - 1);
        const std::chrono::duration<double, std::milli> age = now_ - of->second;
        age_ms_.add(age.count(), end - first);
        behind_.add(static_cast<double>(top_ - first), end - first);
        of->first.first = end;  // what was given is given
        if (end == of->first.end) server.ranges.erase(of);
        first = end;
      }
    }
  }

  void poll(std::size_t s) {
    Server& server = servers_[s];
    if (server.asking) return;
    if (server.owed > 0) server.cache->wait(server.owed);
    const auto action = server.cache->poll(now_);
    if (server.owed > 0) server.cache->wait_no_longer(server.owed);
    if (action.kind == ScopeCache::Action::Kind::nothing) return;
    server.asking = true;
    Event event{.server = s, .life = server.life};
    event.asked = server.cache->ask(action.count, now_);
    if (action.kind == ScopeCache::Action::Kind::find) {
      event.kind = Event::Kind::found;
      event.high_water = high_water_;
      ++finds_;
      return send(event, now_ + kTrip);
    }
    event.kind = Event::Kind::drawn;
    if (now_ >= outage_from_ && now_ < outage_from_ + kOutage) {
      return send(event, now_ + kTimeout);
    }
    // One row: a commit begins when the one before it is over.
    const MonotonicTime commit = std::chrono::microseconds(options_.commit_us);
    store_free_ = std::max(store_free_, now_ + kTrip / 2) + commit;
    busy_ += commit;
    ++draws_;
    drawn_ += action.count;
    ++draws_in_[static_cast<std::size_t>(now_ / 1s)];
    draw_size_.add(static_cast<double>(action.count), 1);
    event.first = static_cast<std::uint64_t>(high_water_) + 1;
    high_water_ += static_cast<std::int64_t>(action.count);
    const MonotonicTime waited = store_free_ + kTrip / 2 - now_;
    wait_ms_.add(std::chrono::duration<double, std::milli>(waited).count(), 1);
    send(event, now_ + waited);
  }

  std::uint64_t draws_between(MonotonicTime from, MonotonicTime to) const {
    std::uint64_t sum = 0;
    for (auto s = from / 1s; s < to / 1s; ++s) sum += draws_in_[static_cast<std::size_t>(s)];
    return sum;
  }
  std::uint64_t most_between(MonotonicTime from, MonotonicTime to) const {
    return *std::max_element(draws_in_.begin() + from / 1s, draws_in_.begin() + to / 1s);
  }

  int report() {
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
      return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    };
    const MonotonicTime quiet_from = std::min<MonotonicTime>(2min, outage_from_ / 2);
    const double quiet_s = std::chrono::duration<double>(outage_from_ - quiet_from).count();
    const double all_s = std::chrono::duration<double>(end_).count();
    std::uint64_t cached = 0;
    for (const Server& server : servers_) cached += server.cache->cached();
    std::printf("%llu servers, %.3g IDs a second, %llu minutes, a commit of %llu us, seed %llu\n",
                static_cast<Count>(options_.servers), static_cast<double>(options_.rate),
                static_cast<Count>(options_.minutes), static_cast<Count>(options_.commit_us),
                static_cast<Count>(options_.seed));
    std::printf("IDs handed out           %.4g\n", static_cast<double>(issued_));
    std::printf("draws a second, at rest  %.1f, at most %llu in one\n",
                static_cast<double>(draws_between(quiet_from, outage_from_)) / quiet_s,
                static_cast<Count>(most_between(quiet_from, outage_from_)));
    std::printf("  in the first minute    at most %llu in a second\n",
                static_cast<Count>(most_between(0s, 1min)));
    std::printf(
        "  after the outage       at most %llu in a second\n",
        static_cast<Count>(most_between(outage_from_ + kOutage, outage_from_ + kOutage + 60s)));
    std::printf("  while all restart      at most %llu in a second\n",
                static_cast<Count>(most_between(restart_from_, end_)));
    std::printf("numbers in a draw        median %.0f, at most %.0f\n", draw_size_.quantile(0.5),
                draw_size_.most());
    std::printf("a draw takes             median %.1f ms, 99 %% %.1f ms, at most %.0f ms\n",
                wait_ms_.quantile(0.5), wait_ms_.quantile(0.99), wait_ms_.most());
    std::printf("the row is locked        %.2f %% of the time\n",
                100 * std::chrono::duration<double>(busy_).count() / all_s);
    std::printf("cached, at the end       %.3g numbers, %.0f s of demand\n",
                static_cast<double>(cached),
                static_cast<double>(cached) / static_cast<double>(options_.rate));
    std::printf("wasted by the restart    %.3g numbers of %.3g drawn, %.2f %%\n",
                static_cast<double>(abandoned_by_restarts_), static_cast<double>(drawn_),
                share(abandoned_by_restarts_, drawn_));
    std::printf(
        "a number is handed out   median %.1f s, 99 %% %.1f s, at most %.1f s after it was drawn\n",
        age_ms_.quantile(0.5) / 1000, age_ms_.quantile(0.99) / 1000, age_ms_.most() / 1000);
    std::printf("  behind the highest by  median %.2g, 99 %% %.2g, at most %.2g numbers\n",
                behind_.quantile(0.5), behind_.quantile(0.99), behind_.most());
    std::printf("waits of 100 ms          %llu in the first minute, %llu later\n",
                static_cast<Count>(early_stalls_), static_cast<Count>(stalls_));
    std::printf("events                   %llu\n", static_cast<Count>(event_count_));
    return stalls_ == 0 && strange_ == 0 && issued_ > 0 ? 0 : 1;
  }

  const Options options_;
  Dice dice_;
  Scope scope_;
  std::vector<Server> servers_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  MonotonicTime now_{}, end_{}, outage_from_{}, restart_from_{};
  MonotonicTime store_free_{}, busy_{};
  std::int64_t high_water_ = 0;
  std::uint64_t event_count_ = 0, issued_ = 0, draws_ = 0, drawn_ = 0, finds_ = 0;
  std::uint64_t early_stalls_ = 0, stalls_ = 0, strange_ = 0, abandoned_by_restarts_ = 0, top_ = 0;
  std::vector<std::uint64_t> draws_in_;  // each second
  Histogram age_ms_, behind_, draw_size_, wait_ms_;
};

[[noreturn]] void usage() {
  std::fprintf(stderr,
               "usage: segment_scale [--servers N] [--rate N] [--minutes N] [--commit-us N] "
               "[--seed N]\n");
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string_view text = i + 1 < argc ? argv[i + 1] : "";
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0) usage();
    if (name == "--servers") {
      options.servers = number;
    } else if (name == "--rate") {
      options.rate = number;
    } else if (name == "--minutes") {
      options.minutes = number;
    } else if (name == "--commit-us") {
      options.commit_us = number;
    } else if (name == "--seed") {
      options.seed = number;
    } else {
      usage();
    }
  }
  if (options.minutes < 4 || options.rate < 10 * options.servers) usage();
  return World(options).run();
}
