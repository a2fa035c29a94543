// Starts and ends database servers.

#include "support/servers.h"

#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tessera::servers {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

// Before a command that asks a server, which may be stuck.
const std::string kBounded = "timeout 100 ";

// In single quotes, for the shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool shell(const std::string& command) { return std::system(command.c_str()) == 0; }

// Neither server wants to be root; `postgres` and `mysql` come with their packages.
std::string as_account(Server::Kind kind) {
  if (geteuid() != 0) return "";
  const char* name = kind == Server::Kind::postgres ? "postgres" : "mysql";
  if (getpwnam(name) == nullptr) name = "nobody";
  const passwd* account = getpwnam(name);
  if (account == nullptr) give_up("no account to run a server as");
  return "setpriv --reuid=" + std::to_string(account->pw_uid) +
         " --regid=" + std::to_string(account->pw_gid) + " --clear-groups ";
}

void give_to_account(Server::Kind kind, const std::string& folder) {
  if (geteuid() != 0) return;
  const passwd* account = getpwnam(kind == Server::Kind::postgres ? "postgres" : "mysql");
  if (account == nullptr) account = getpwnam("nobody");
  if (account == nullptr || chown(folder.c_str(), account->pw_uid, account->pw_gid) != 0) {
    give_up("could not give away " + folder);
  }
}

// Of the newest version that is installed.
std::string postgres_program(const std::string& name) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const auto path = version.path() / "bin" / name;
    if (fs::exists(path)) found.push_back(path.string());
  }
  if (found.empty()) give_up("no " + name + "; tools/install-deps test installs it");
  return *std::ranges::max_element(found);
}

std::string mariadb_program(const std::string& name) {
  for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/usr/local/bin/"}) {
    if (fs::exists(folder + name)) return folder + name;
  }
  give_up("no " + name + "; tools/install-deps test installs it");
}

// PostgreSQL has a process for each connection.
std::vector<pid_t> children_of(pid_t parent) {
  const std::string id = std::to_string(parent);
  std::ifstream in("/proc/" + id + "/task/" + id + "/children");
  return {std::istream_iterator<pid_t>(in), {}};
}

std::string percent_encoded_path(const std::string& path) {
  std::string out;
  for (const char c : path) out += c == '/' ? std::string("%2F") : std::string(1, c);
  return out;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const char* top = std::getenv("TMPDIR");
  path_ = std::string(top != nullptr ? top : "/tmp") + "/tessera-test-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr || chmod(path_.c_str(), 0755) != 0) {
    give_up("no temporary folder");
  }
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Server::make_folder() {
  const char* top = std::getenv("TMPDIR");
  folder_ = std::string(top != nullptr ? top : "/tmp") + "/tessera-server-XXXXXX";
  if (mkdtemp(folder_.data()) == nullptr || chmod(folder_.c_str(), 0755) != 0) {
    give_up("no temporary folder");
  }
  give_to_account(kind_, folder_);
}

Server::Server(Kind kind, std::vector<std::string> settings)
    : kind_(kind), settings_(std::move(settings)) {
  make_folder();
  const std::string account = as_account(kind_);
  const std::string data = folder_ + "/data";
  const std::string log = folder_ + "/setup.log";
  // Where the servers of two tests share a folder for temporary tables, each removes the other's.
  std::string command = "cd / && TMPDIR=" + folder_ + " ";
  if (kind_ == Kind::postgres) {
    std::ofstream(folder_ + "/password") << kPassword;
    command += account + postgres_program("initdb") + " -D " + data +
               " -U root --auth-local=trust --auth-host=scram-sha-256 --no-sync -E UTF8 "
               "--locale=C --pwfile=" +
               folder_ + "/password";
  } else {
    command += account + mariadb_program("mariadb-install-db") +
               " --no-defaults --datadir=" + data +
               " --auth-root-authentication-method=normal --skip-test-db --skip-name-resolve";
  }
  if (!shell(command + " >" + log + " 2>&1")) {
    give_up("could not make a database: " + command + "\n" + contents(log));
  }
  port_ = free_port();
  start();
  if (kind_ == Kind::postgres) {
    run("CREATE ROLE tester LOGIN CREATEDB PASSWORD '" + std::string(kPassword) + "'");
  } else {
    run("CREATE USER tester@'%' IDENTIFIED BY '" + std::string(kPassword) +
        "'; GRANT ALL ON *.* TO tester@'%' WITH GRANT OPTION");
  }
}

Server::Server(Server& primary, std::vector<std::string> settings)
    : kind_(Kind::postgres), settings_(std::move(settings)) {
  make_folder();
  port_ = free_port();
  follow(primary);
}

Server::~Server() {
  process_.end();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

// Preloaded from the server's folder: its account may not be let into ours.
std::string Server::slow_disk() const {
#ifdef TESSERA_SLOW_DISK
  const std::string copy = folder_ + "/slow_disk.so";
  std::error_code error;
  fs::copy_file(TESSERA_SLOW_DISK, copy, fs::copy_options::overwrite_existing, error);
  if (error) give_up("no slow disk: " + error.message());
  return "env TESSERA_SLOW_DISK_MS=" + std::to_string(log_time_.count()) + " LD_PRELOAD=" + copy +
         " ";
#else
  give_up("no slow disk under a sanitizer");
#endif
}

void Server::start() {
  const std::string data = folder_ + "/data";
  std::string server = as_account(kind_);
  if (log_time_.count() > 0) server += slow_disk();
  if (kind_ == Kind::postgres) {
    server += postgres_program("postgres") + " -D " + data + " -p " + std::to_string(port_) +
              " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + folder_ +
              " -c shared_buffers=32MB -c max_connections=60 -c autovacuum=off";
    for (const auto& setting : settings_) server += " -c " + quoted(setting);
  } else {
    // A folder of its own for temporary tables, too: at its start it removes all that it finds.
    server += mariadb_program("mariadbd") + " --no-defaults --datadir=" + data +
              " --port=" + std::to_string(port_) + " --bind-address=127.0.0.1 --socket=" + folder_ +
              "/socket --pid-file=" + folder_ + "/pid --tmpdir=" + folder_ +
              " --skip-name-resolve --innodb-buffer-pool-size=32M --innodb-log-file-size=16M";
    for (const auto& setting : settings_) server += " --" + quoted(setting);
  }
  // PostgreSQL has children to end.
  const char* last = kind_ == Kind::postgres ? "QUIT" : "KILL";
  process_.start(server, {.folder = folder_, .removed = folder_, .last = last});
  const auto answers_or_ended = [this] { return answers() || !is_running(pid()); };
  if (!comes_true(answers_or_ended, milliseconds(10)) || !is_running(pid())) {
    give_up("a server does not start:\n" + contents(log_file()));
  }
}

std::string Server::client(const std::string& database) const {
  if (kind_ == Kind::postgres) {
    return kBounded + postgres_program("psql") + " -X -q -v ON_ERROR_STOP=1 -h " + folder_ +
           " -p " + std::to_string(port_) + " -U root -d " +
           (database.empty() ? "postgres" : database) + " -c ";
  }
  return kBounded + mariadb_program("mariadb") + " --no-defaults -S " + folder_ +
         "/socket -u root " + database + " -e ";
}

bool Server::answers() const { return shell(client("") + "'SELECT 1' >/dev/null 2>&1 </dev/null"); }

void Server::run(const std::string& sql, const std::string& database) {
  const std::string log = folder_ + "/run.log";
  if (!shell(client(database) + quoted(sql) + " >" + log + " 2>&1 </dev/null")) {
    give_up(sql + "\n" + contents(log));
  }
}

std::string Server::url(const std::string& database) const {
  const char* scheme = kind_ == Kind::postgres ? "postgres" : "mariadb";
  return std::string(scheme) + "://tester:s3cret%2Fword@127.0.0.1:" + std::to_string(port_) + "/" +
         database;
}
std::string Server::superuser_url(const std::string& database) const {
  if (kind_ == Kind::mariadb)
    return "mariadb://root@localhost/" + database + "?socket=" + folder_ + "/socket";
  return "postgres://root:s3cret%2Fword@127.0.0.1:" + std::to_string(port_) + "/" + database;
}
std::string Server::socket_url(const std::string& database) const {
  if (kind_ == Kind::mariadb) {
    return "mariadb://tester:s3cret%2Fword@localhost/" + database + "?socket=" + folder_ +
           "/socket";
  }
  return "postgres://tester:s3cret%2Fword@" + percent_encoded_path(folder_) + ":" +
         std::to_string(port_) + "/" + database;
}

std::string Server::fresh_database() {
  static std::atomic<int> number{0};
  const std::string name = "test" + std::to_string(++number);
  run("CREATE DATABASE " + name + (kind_ == Kind::postgres ? " OWNER tester" : ""));
  return url(name);
}

// From now on it starts nobody and buries nobody, so that the list of its children is whole: one
// that it started while we read the list would go on, and one that ended could hide another.
void Server::halt() {
  ::kill(pid(), SIGSTOP);
  if (!comes_true([this] { return is_stopped(pid()); })) give_up("a server does not stand still");
}

void Server::kill() {
  // One that outlives its parent holds the shared memory that the next server wants.
  halt();
  const std::vector<pid_t> children = children_of(pid());
  ::kill(pid(), SIGKILL);
  for (const pid_t child : children) ::kill(child, SIGKILL);
  const auto runs = [](pid_t pid) { return is_running(pid); };
  if (!comes_true([&] { return !is_running(pid()) && !std::ranges::any_of(children, runs); }))
    give_up("a server does not die");
}

void Server::stop() {
  ::kill(pid(), kind_ == Kind::postgres ? SIGINT : SIGTERM);
  if (!comes_true([this] { return !is_running(pid()); })) give_up("a server does not stop");
}

void Server::restart() {
  if (is_running(pid())) stop();
  process_.dismiss();
  start();
}

void Server::follow(Server& primary) {
  process_.dismiss();
  std::error_code ignored;
  fs::remove_all(folder_ + "/data", ignored);
  const std::string log = folder_ + "/setup.log";
  if (!shell("cd / && " + kBounded + as_account(kind_) + postgres_program("pg_basebackup") +
             " -h " + primary.folder_ + " -p " + std::to_string(primary.port_) + " -U root -D " +
             folder_ + "/data -R -c fast --no-sync >" + log + " 2>&1 </dev/null")) {
    give_up("no copy of the primary:\n" + contents(log));
  }
  // Before its first start it would sync every file of the copy, which takes seconds.
  const std::string conf = folder_ + "/data/postgresql.auto.conf";
  std::ofstream(conf, std::ios::app) << "fsync = off\n";
  start();
  std::ofstream(conf, std::ios::app) << "fsync = on\n";  // the last line counts
  ::kill(pid(), SIGHUP);
  const std::string is_on =
      "[ \"$(" + client("") + "'SHOW fsync' -At 2>/dev/null </dev/null)\" = on ]";
  if (!comes_true([&is_on] { return shell(is_on); }, milliseconds(10))) {
    give_up("a standby does not read its settings:\n" + contents(log_file()));
  }
}

void Server::promote() {
  run("SELECT pg_promote(true, 60)");
  const std::string writes = client("") + "'BEGIN READ WRITE; ROLLBACK' >/dev/null 2>&1 </dev/null";
  if (!comes_true([&writes] { return shell(writes); }, milliseconds(10))) {
    give_up("a standby is not promoted:\n" + contents(log_file()));
  }
}

void Server::mend() {
  if (!settings_.empty() || !is_running(pid())) restart_with({});
}

void Server::restart_with(std::vector<std::string> settings) {
  settings_ = std::move(settings);
  restart();
}

void Server::freeze() {
  halt();
  const std::vector<pid_t> children = children_of(pid());
  for (const pid_t child : children) ::kill(child, SIGSTOP);
  const auto stopped = [](pid_t pid) { return is_stopped(pid); };
  if (!comes_true([&] { return std::ranges::all_of(children, stopped); }))
    give_up("a server does not freeze");
}
void Server::thaw() {
  for (const pid_t child : children_of(pid())) ::kill(child, SIGCONT);
  ::kill(pid(), SIGCONT);
}

Server& postgres() {
  static Server server(Server::Kind::postgres);
  return server;
}
Server& mariadb() {
  static Server server(Server::Kind::mariadb);
  return server;
}

Server& breakable(Server::Kind kind) {
  const auto ready = [](Server& server) -> Server& {
    server.mend();
    return server;
  };
  if (kind == Server::Kind::postgres) {
    static Server server(kind);
    return ready(server);
  }
  static Server server(kind);
  return ready(server);
}

}  // namespace tessera::servers
