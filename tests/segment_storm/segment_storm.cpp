// segment_storm: workers take numbers of one store while workers and server are killed, and write
// all of them to logs. It judges nothing: segment_storm_check reads the logs.
//
// Exit 0: there was a storm. 1: a worker refused, hung or ended. 2: usage. 4: too weak a storm.

#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "counters.h"
#include "nemesis.h"
#include "worker.h"

namespace segment_storm {
namespace {

using Count = unsigned long long;

[[noreturn]] void usage() {
  std::fprintf(
      stderr,
      "usage: segment_storm --store STORE --folder EMPTY_FOLDER [--seconds N] [--workers N]\n"
      "         [--of segments|leases] [--seed N] [--bug BUG]\n"
      "  STORE: sqlite postgres postgres-standby mariadb etcd etcd-network\n"
      "  BUG: early-answer reuse-unknown read-then-write tells-unflushed go-on-alone\n"
      "       async-standby; of leases: ignore-limit\n");
  std::exit(2);
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) usage();
  return number;
}

Bug bug_of(std::string_view name) {
  const auto bug = find_bug(name);
  if (!bug) usage();
  return *bug;
}

StoreChoice store_of(std::string_view name) {
  if (name == "sqlite") return StoreChoice::sqlite;
  if (name == "postgres") return StoreChoice::postgres;
  if (name == "mariadb") return StoreChoice::mariadb;
  if (name == "etcd") return StoreChoice::etcd;
  if (name == "etcd-network") return StoreChoice::etcd_network;
  if (name == "postgres-standby") return StoreChoice::postgres_standby;
  usage();
}

Wares wares_of(std::string_view name) {
  if (name == "segments") return Wares::segments;
  if (name == "leases") return Wares::leases;
  usage();
}

StormOptions read_options(int argc, char** argv) {
  StormOptions options;
  options.seed = static_cast<std::uint64_t>(time(nullptr)) * 1000 +
                 static_cast<std::uint64_t>(getpid()) % 1000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string_view value = argv[i + 1];
    if (name == "--store") {
      options.store_name = value;
      options.store = store_of(value);
    } else if (name == "--folder") {
      options.folder = std::filesystem::absolute(value).string();
    } else if (name == "--seconds") {
      options.time = std::chrono::seconds(number_of(value));
    } else if (name == "--workers") {
      options.workers = static_cast<unsigned>(number_of(value));
    } else if (name == "--of") {
      options.wares = wares_of(value);
    } else if (name == "--seed") {
      options.seed = number_of(value);
    } else if (name == "--bug") {
      options.bug_name = value;
      options.bug = bug_of(value);
    } else {
      usage();
    }
  }
  if (options.folder.empty() || argc % 2 == 0 || options.workers < 1 || options.workers > 12) {
    usage();
  }
  return options;
}

// segment_storm --worker URL FOLDER SLOT INCARNATION SEED BUG WARES: how it starts itself.
int run_worker(char** argv) {
  WorkerOptions options;
  options.url = argv[2];
  options.folder = argv[3];
  options.slot = static_cast<unsigned>(number_of(argv[4]));
  options.incarnation = static_cast<unsigned>(number_of(argv[5]));
  options.seed = number_of(argv[6]);
  options.bug = bug_of(argv[7]);
  return wares_of(argv[8]) == Wares::leases ? work_with_lease(options) : work(options);
}

int run(const StormOptions& options) {
  std::printf("%s: seed %llu\n", options.store_name.c_str(), static_cast<Count>(options.seed));
  std::fflush(stdout);
  const StormReport report =
      rage(options, std::filesystem::read_symlink("/proc/self/exe").string());
  const Counters& counters = map_counters(options.folder + "/counters");
  std::printf(
      "%s: %llu IDs, %llu draws, %llu lost answers, %llu failed draws, %llu calls without a "
      "number\n"
      "  workers: %llu started, %llu killed, %llu stopped and continued\n"
      "  server: %llu killed, %llu shut down, %llu stopped and continued, %llu cut off, "
      "%llu standbys promoted\n",
      options.store_name.c_str(), static_cast<Count>(counters.ids),
      static_cast<Count>(counters.draws), static_cast<Count>(counters.draws_unknown),
      static_cast<Count>(counters.draws_failed), static_cast<Count>(counters.refusals),
      static_cast<Count>(report.worker_starts), static_cast<Count>(report.worker_kills),
      static_cast<Count>(report.worker_stops), static_cast<Count>(report.server_kills),
      static_cast<Count>(report.server_shutdowns), static_cast<Count>(report.server_stops),
      static_cast<Count>(report.server_cuts), static_cast<Count>(report.promotions));
  if (options.wares == Wares::leases) {
    std::printf("  leases: %llu numbers taken over, %llu raises refused, %llu jumps of clocks\n",
                static_cast<Count>(counters.leases_taken_over),
                static_cast<Count>(counters.leases_lost), static_cast<Count>(report.clock_jumps));
  }
  if (report.failure.empty() && report.weakness.empty()) return 0;
  const bool weak = report.failure.empty();
  std::fprintf(stderr, "segment_storm: %s: %s\n  seed %llu\n", options.store_name.c_str(),
               (weak ? report.weakness : report.failure).c_str(), static_cast<Count>(options.seed));
  return weak ? 4 : 1;
}

}  // namespace
}  // namespace segment_storm

int main(int argc, char** argv) {
  using namespace segment_storm;
  if (argc == 9 && std::string_view(argv[1]) == "--worker") return run_worker(argv);
  return run(read_options(argc, argv));
}
