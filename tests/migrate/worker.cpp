// Migrates the table store of a database, until it is done or killed.
//
//    migrate_worker URL

#include <cstdio>
#include <thread>

#include "tessera/migrate/migration.h"
#include "tessera/system.h"

int main(int argc, char** argv) {
  using namespace tessera;
  if (argc != 2) return 2;
  const std::string url = argv[1];
  migrate::Target target;
  target.table = "store";
  target.tenant_column = "tenant_id";
  target.created_at = "made";
  target.type = {"store", "sto", PublicStyle::ulid, '_'};
  migrate::RunOptions options;
  options.patience =
      std::chrono::seconds(120);  // whom we follow may still be at work in the server
  SystemClock clock;
  SystemMonotonicClock monotonic;
  SystemEntropy entropy;
  migrate::Observer observer;
  const migrate::Connect connect = [&] { return db::connect(url); };
  const auto report = migrate::run(
      connect, target, options,
      {clock, monotonic, entropy, [](auto time) { std::this_thread::sleep_for(time); }, observer});
  if (!report) {
    std::fprintf(stderr, "migrate_worker: %s\n", report.error().message.c_str());
    return 1;
  }
  return report->good() ? 0 : 1;
}
