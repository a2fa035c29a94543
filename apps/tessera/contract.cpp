// tessera contract: do tables, API documents, answers and queries keep the ID contract?

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "commands.h"
#include "moment.h"
#include "output.h"
#include "settings.h"
#include "tessera/client/http_client.h"
#include "tessera/contract/openapi.h"
#include "tessera/contract/report.h"
#include "tessera/contract/responses.h"
#include "tessera/contract/schema.h"
#include "tessera/contract/sql.h"
#include "tessera/contract/waivers.h"
#include "tessera/parse_error.h"
#include "tessera/time_text.h"
#include "tessera/version.h"

namespace tessera::cli {
namespace {

using namespace contract;

constexpr std::string_view kHint = "As in: tessera contract check --store sqlite:shop.db";
constexpr std::size_t kFileSizeMax = std::size_t{64} << 20;  // of what is read as a whole

// "1 table", "2 tables".
std::string count_of(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

// A file, or standard input for "-".
class Input {
 public:
  explicit Input(const std::string& path)
      : fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Input() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  bool good() const noexcept { return fd_ >= 0; }
  // The next bytes; empty at the end; nothing if it failed, with errno.
  std::optional<std::string_view> next() {
    while (true) {
      const ssize_t size = ::read(fd_, buffer_.data(), buffer_.size());
      if (size >= 0) return std::string_view(buffer_.data(), static_cast<std::size_t>(size));
      if (errno != EINTR) return std::nullopt;
    }
  }

 private:
  int fd_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{256} * 1024);
};

Exit complain_of_file(const std::string& path) {
  complain("could not read '" + printable(path, 200) + "': " + std::strerror(errno));
  return Exit::io;
}

Result<std::string, Exit> read_whole(const std::string& path) {
  Input input(path);
  std::string text;
  while (input.good()) {
    const auto bytes = input.next();
    if (!bytes) break;
    if (bytes->empty()) return text;
    text.append(*bytes);
    if (text.size() > kFileSizeMax) {
      complain("'" + printable(path, 200) + "' is larger than 64 MiB",
               "Check it in parts; answers (--responses) may be of any size.");
      return Failure{Exit::io};
    }
  }
  return Failure{complain_of_file(path)};
}

Declared declared_of(const Config& config) {
  std::vector<DeclaredType> types;
  for (const TypeConfig& type : config.types) {
    types.push_back({{type.name, type.prefix, type.style, config.separator_of(type)},
                     Config::collection_of(type),
                     type.scope});
  }
  return Declared(std::move(types));
}

// One run of `check`: what is found, and how it ends.
class Check {
 public:
  Check(const Args& args, const Config& config)
      : args_(args), config_(config), declared_(declared_of(config)) {}

  Exit run() {
    for (const auto step : {&Check::read_options, &Check::check_store, &Check::check_documents,
                            &Check::check_answers, &Check::check_queries, &Check::waive}) {
      if (const Exit exit = (this->*step)(); exit != Exit::good) return exit;
    }
    print();
    return breaks_contract(findings_) ? Exit::invalid : Exit::good;
  }

 private:
  void add(Findings more) {
    findings_.insert(findings_.end(), std::make_move_iterator(more.begin()),
                     std::make_move_iterator(more.end()));
  }

  Exit read_options() {
    schema_options_.tenant_column = args_.value_or("tenant-column", "tenant_id");
    schema_options_.segment_table = args_.value_or("table", "bc_id_segment");
    for (const std::string_view glob : args_.values("only"))
      schema_options_.only.emplace_back(glob);
    for (const std::string_view glob : args_.values("skip"))
      schema_options_.skip.emplace_back(glob);
    for (const std::string_view pair : args_.values("scope")) {
      const std::size_t mark = pair.find('=');
      if (mark == pair.npos || mark == 0 || mark + 1 == pair.size()) {
        return usage_error("--scope takes TABLE=SCOPE, not '" + printable(pair) + "'");
      }
      schema_options_.scopes[std::string(pair.substr(0, mark))] = pair.substr(mark + 1);
    }
    return Exit::good;
  }

  // The store is what is checked when nothing else is named.
  bool wants_store() const {
    return args_.has("store") ||
           !(args_.has("openapi") || args_.has("responses") || args_.has("sql"));
  }

  Exit check_store() {
    if (!wants_store()) return Exit::good;
    if (is_http_url(config_.store) || config_.store.starts_with("memory:")) {
      return usage_error("contract check needs a database, not '" +
                             printable(without_password(config_.store), 200) + "'",
                         kHint);
    }
    db::ConnectOptions options;
    options.create = false;
    options.read_only = true;
    auto connection = db::connect(config_.store, options);
    if (!connection) return complain_of_store(connection.error());
    const auto schema = read_schema(**connection);
    if (!schema) return complain_of_store(schema.error());
    add(contract::check_schema(*schema, schema_options_));
    auto marks = check_marks(**connection, *schema, declared_, schema_options_);
    if (!marks) return complain_of_store(marks.error());
    add(*std::move(marks));
    tenant_tables_.emplace();
    for (const SchemaTable& table : schema->tables) {
      if (table.column(schema_options_.tenant_column) != nullptr)
        tenant_tables_->insert(table.name);
    }
    checked_ += count_of(checked_tables(*schema, schema_options_).size(), "table");
    return Exit::good;
  }

  static Exit complain_of_store(const db::DbError& error) {
    complain("could not read the store: " + error.message);
    return Exit::unreachable;
  }

  Exit check_documents() {
    for (const std::string_view name : args_.values("openapi")) {
      const std::string file(name);
      const auto text = read_whole(file);
      if (!text) return text.error();
      add(check_openapi(*text, file, declared_));
      tell(file);
    }
    return Exit::good;
  }

  Exit check_answers() {
    for (const std::string_view name : args_.values("responses")) {
      const std::string file(name);
      Input input(file);
      if (!input.good()) return complain_of_file(file);
      ResponsesCheck check(file, declared_);
      while (true) {
        const auto bytes = input.next();
        if (!bytes) return complain_of_file(file);
        if (bytes->empty()) break;
        check.feed(*bytes);
      }
      check.end();
      add(check.findings());
      if (check.left_off() > 0) {
        complain(std::to_string(check.left_off()) + " more findings in '" + printable(file, 200) +
                 "' are left off");
      }
      std::string read = count_of(check.values(), "value");
      if (check.bodies() > 0) {
        read +=
            check.bodies() == 1 ? ", 1 body" : ", " + std::to_string(check.bodies()) + " bodies";
      }
      tell(file + " (" + read + ")");
    }
    return Exit::good;
  }

  Exit check_queries() {
    SqlOptions options;
    options.tenant_column = schema_options_.tenant_column;
    options.only = schema_options_.only;
    options.skip = schema_options_.skip;
    options.tenant_tables = tenant_tables_;
    for (const std::string_view name : args_.values("sql")) {
      const std::string file(name);
      const auto text = read_whole(file);
      if (!text) return text.error();
      add(check_sql(*text, file, options));
      tell(file);
    }
    return Exit::good;
  }

  Exit waive() {
    const auto file = args_.value("waivers");
    if (!file) return Exit::good;
    const std::string path(*file);
    const auto text = read_whole(path);
    if (!text) return text.error();
    const auto waivers = read_waivers(*text, path);
    if (!waivers) return complain_of(waivers.error());
    const auto now = present_ms(args_);
    if (!now) return Exit::usage;
    apply_waivers(*waivers, path, time_text(*now).view().substr(0, 10), findings_);
    return Exit::good;
  }

  void tell(const std::string& what) {
    checked_ += (checked_.empty() ? "" : ", ") + printable(what, 200);
  }

  void print() const {
    Output& out = Output::standard();
    out.end_broken_pipe_with(breaks_contract(findings_) ? Exit::invalid : Exit::good);
    if (args_.has("sarif")) {
      out.line(sarif_of(findings_, TESSERA_VERSION));
    } else {
      for (const Finding& finding : findings_) {
        args_.has("json") ? out.line(json_of(finding)) : out.write(text_of(finding));
      }
    }
    out.flush();
    std::array<std::size_t, 4> counts{};
    for (const Finding& finding : findings_) {
      ++counts[finding.waived ? 3 : static_cast<std::size_t>(finding.level)];
    }
    complain("checked " + checked_ + ": " + count_of(counts[2], "error") + ", " +
             count_of(counts[1], "warning") + ", " + count_of(counts[0], "note") + ", " +
             std::to_string(counts[3]) + " waived");
  }

  const Args& args_;
  const Config& config_;
  Declared declared_;
  SchemaOptions schema_options_;
  std::optional<std::set<std::string, std::less<>>> tenant_tables_;
  Findings findings_;
  std::string checked_;
};

Exit list_rules(const Args& args, std::optional<std::string_view> wanted) {
  Output& out = Output::standard();
  const Rule* only = wanted ? find_rule(*wanted) : nullptr;
  if (wanted && only == nullptr) {
    complain("there is no rule " + quoted(*wanted), "tessera contract rules lists them.");
    return Exit::usage;
  }
  for (const Rule& rule : rules()) {
    if (only != nullptr && only != &rule) continue;
    if (args.has("json")) {
      out.line(json_of(rule));
      continue;
    }
    out.line(std::string(rule.number) + "\t" + std::string(name_of(rule.level)) + "\t" +
             std::string(rule.name) + ": " + std::string(rule.what));
    if (only == nullptr) continue;
    out.line("  why: " + std::string(rule.why));
    out.line("  mend: " + std::string(rule.mend));
  }
  return Exit::good;
}

}  // namespace

Exit run_contract(const Args& args) {
  const auto& words = args.positionals();
  if (words.empty()) return usage_error("contract takes check or rules", kHint);
  if (words[0] == "rules") {
    return list_rules(args, words.size() > 1 ? std::optional(words[1]) : std::nullopt);
  }
  if (words[0] != "check" || words.size() > 1) {
    return usage_error("contract takes check or rules, not '" + printable(words.back()) + "'",
                       kHint);
  }
  if (args.has("json") && args.has("sarif")) return usage_error("--json or --sarif, not both");
  const auto config = load_settings(args);
  if (!config) return config.error();
  return Check(args, *config).run();
}

}  // namespace tessera::cli
