// Starts and ends database servers.

#include "support/servers.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

namespace tessera::servers {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "servers: %s\n", why.c_str());
  std::fflush(stderr);
  _exit(1);
}

// In single quotes, for the shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string contents(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
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

// From below the ports that the kernel gives to clients (32768 and up): one of those could take
// the port while its server is down for a moment, and the server could not come back. Another
// server may still take it before we do; then ours does not start, and we say so.
std::uint16_t free_port() {
  std::random_device random;
  for (int tries = 0; tries < 1000; ++tries) {
    const auto port = static_cast<std::uint16_t>(10'000 + random() % 22'000);
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool free =
        bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(descriptor);
    if (free) return port;
  }
  give_up("no free port");
}

// 'R', 'S', 'T' and so on; 0 of one that is not there.
char state_of(const std::string& process) {
  const std::string stat = contents(process + "/stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && name_end + 2 < stat.size() ? stat[name_end + 2] : '\0';
}

// A child that has ended stays in the table until its keeper asks for it.
bool is_running(pid_t pid) {
  const char state = state_of("/proc/" + std::to_string(pid));
  return state != '\0' && state != 'Z';
}

// A signal to stop reaches the threads one after another.
bool is_stopped(pid_t pid) {
  std::error_code gone;
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
    const char state = state_of(task.path().string());
    if (state != 'T' && state != 'Z' && state != '\0') return false;
  }
  return true;
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

Server::Server(Kind kind, std::vector<std::string> settings)
    : kind_(kind), settings_(std::move(settings)) {
  const char* top = std::getenv("TMPDIR");
  folder_ = std::string(top != nullptr ? top : "/tmp") + "/tessera-server-XXXXXX";
  if (mkdtemp(folder_.data()) == nullptr || chmod(folder_.c_str(), 0755) != 0) {
    give_up("no temporary folder");
  }
  give_to_account(kind_, folder_);
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

Server::~Server() {
  if (keeper_input_ >= 0) close(keeper_input_);  // the keeper ends the server
  if (keeper_ > 0) {
    if (pid_ > 0) ::kill(pid_, SIGCONT);
    int status = 0;
    while (waitpid(keeper_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Server::start() {
  const std::string data = folder_ + "/data";
  std::string server = as_account(kind_);
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
  // The keeper reads until we close our end, which the kernel does for us if we crash. It then
  // ends the server at once: nobody needs its data any more. PostgreSQL has children to end.
  const std::string stop = kind_ == Kind::postgres ? "QUIT" : "KILL";
  const std::string pid_file = folder_ + "/keeper.pid";
  const std::string script = "cd /; " + server + " >>" + folder_ +
                             "/server.log 2>&1 </dev/null & p=$!; echo $p >" + pid_file +
                             ".new; mv " + pid_file + ".new " + pid_file +
                             "; read x; if [ \"$x\" != done ]; then kill -CONT $p; kill -" + stop +
                             " $p; wait $p; rm -rf " + folder_ + "; fi";
  unlink(pid_file.c_str());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) give_up("no pipe");
  const pid_t keeper = fork();
  if (keeper < 0) give_up("no process");
  if (keeper == 0) {
    dup2(ends[0], 0);
    const int log = open((folder_ + "/keeper.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(log, 1);  // not ours: ctest waits for all who hold it
    dup2(log, 2);
    setsid();
    execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
    _exit(127);
  }
  close(ends[0]);
  keeper_ = keeper;
  keeper_input_ = ends[1];
  for (int tries = 0; tries < 3000; ++tries) {
    if (pid_t pid = 0; std::ifstream(pid_file) >> pid) {
      pid_ = pid;
      if (answers()) return;
      if (!is_running(pid_)) break;
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  give_up("a server does not start:\n" + contents(folder_ + "/server.log"));
}

std::string Server::client(const std::string& database) const {
  if (kind_ == Kind::postgres) {
    return postgres_program("psql") + " -X -q -v ON_ERROR_STOP=1 -h " + folder_ + " -p " +
           std::to_string(port_) + " -U root -d " + (database.empty() ? "postgres" : database) +
           " -c ";
  }
  return mariadb_program("mariadb") + " --no-defaults -S " + folder_ + "/socket -u root " +
         database + " -e ";
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

void Server::kill() {
  // Stopped first: children of a parent that is gone already are not found, and one that outlives
  // it holds the shared memory that the next server wants.
  ::kill(pid_, SIGSTOP);
  const std::vector<pid_t> children = children_of(pid_);
  ::kill(pid_, SIGKILL);
  for (const pid_t child : children) ::kill(child, SIGKILL);
  const auto runs = [](pid_t pid) { return is_running(pid); };
  while (is_running(pid_) || std::ranges::any_of(children, runs)) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}

void Server::stop() {
  ::kill(pid_, kind_ == Kind::postgres ? SIGINT : SIGTERM);
  while (is_running(pid_)) std::this_thread::sleep_for(milliseconds(5));
}

void Server::restart() {
  if (is_running(pid_)) stop();
  // This keeper has done its work; the next one stands by.
  if (write(keeper_input_, "done\n", 5) != 5) give_up("the keeper is gone");
  close(keeper_input_);
  int status = 0;
  while (waitpid(keeper_, &status, 0) < 0 && errno == EINTR) {
  }
  start();
}

void Server::mend() {
  if (!settings_.empty() || !is_running(pid_)) restart_with({});
}

void Server::restart_with(std::vector<std::string> settings) {
  settings_ = std::move(settings);
  restart();
}

void Server::signal_all(int signal) {
  ::kill(pid_, signal);
  for (const pid_t child : children_of(pid_)) ::kill(child, signal);
}

void Server::freeze() {
  signal_all(SIGSTOP);
  const auto stopped = [](pid_t pid) { return is_stopped(pid); };
  while (!is_stopped(pid_) || !std::ranges::all_of(children_of(pid_), stopped)) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}
void Server::thaw() { signal_all(SIGCONT); }

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
