// tessera migrate: public IDs for a table that is in use.

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>

#include "commands.h"
#include "output.h"
#include "progress.h"
#include "settings.h"
#include "tessera/client/http_client.h"
#include "tessera/db/connection.h"
#include "tessera/json.h"
#include "tessera/migrate/migration.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"
#include "tessera/time_text.h"
#include "types.h"

namespace tessera::cli {
namespace {

using migrate::Plan;
using migrate::Report;
using migrate::Status;
using migrate::StepName;
using migrate::Target;

constexpr std::array<std::string_view, 7> kActions = {"plan",  "run",    "status", "verify",
                                                      "pause", "resume", "abort"};

std::string seconds_text(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), seconds < 10 ? "%.2f s" : "%.0f s", seconds);
  return text.data();
}

Result<Target, Exit> target_of(const Args& args) {
  Target target;
  target.table = args.value_or("table", "");
  if (target.table.empty())
    return Failure{usage_error("migrate needs --table", "As in --table store.")};
  target.column = args.value_or("column", target.column);
  target.key = args.value_or("key", target.key);
  target.tenant_column = args.value_or("tenant-column", "");
  target.created_at = args.value_or("created-at", "");
  target.from = args.value_or("from", "");
  target.form = args.value("form") == "bytes" ? migrate::Form::bytes : migrate::Form::text;
  auto type = public_type(args, false);
  if (!type) return Failure{type.error()};
  target.type = *std::move(type);
  return target;
}

Result<migrate::RunOptions, UsageError> run_options(const Args& args) {
  migrate::RunOptions options;
  constexpr std::uint64_t kMax = 1'000'000;  // a sample is held in memory, too
  const auto set = [&](std::string_view flag, std::uint64_t min,
                       auto assign) -> std::optional<UsageError> {
    const auto number = args.number(flag, min, kMax);
    if (!number) return number.error();
    if (*number) assign(static_cast<std::int64_t>(**number));
    return std::nullopt;
  };
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  for (const auto& error : {
           set("batch", 1, [&](std::int64_t n) { options.pace.batch_rows = n; }),
           set("target", 1, [&](std::int64_t n) { options.pace.target = milliseconds(n); }),
           set("max-lag", 0, [&](std::int64_t n) { options.pace.lag_max = milliseconds(n); }),
           set("max-load", 1, [&](std::int64_t n) { options.pace.load_max = n; }),
           set("rate", 1, [&](std::int64_t n) { options.pace.rows_per_second_max = n; }),
           set("patience", 0, [&](std::int64_t n) { options.patience = seconds(n); }),
           set("sample", 1, [&](std::int64_t n) { options.sample = n; }),
       }) {
    if (error) return Failure{*error};
  }
  options.pace.fast = args.has("fast");
  return options;
}

Exit print_plan(const Args& args, const Plan& plan) {
  Output& out = Output::standard();
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("table").value(plan.table).key("rows").value(plan.rows);
    json.key("size")
        .value(plan.size)
        .key("next")
        .value(name_of(plan.next))
        .key("steps")
        .begin_array();
    for (const migrate::Step& step : plan.steps) {
      json.begin_object().key("step").value(name_of(step.name)).key("lock").value(step.lock);
      json.key("seconds").value(step.seconds).key("statements").begin_array();
      for (const std::string& statement : step.statements) json.value(statement);
      json.end_array().end_object();
    }
    out.line(json.end_array().end_object().text());
    return Exit::good;
  }
  out.line("table\t" + printable(plan.table, 200));
  out.line("rows\tabout " + std::to_string(plan.rows));
  out.line("next\t" + std::string(name_of(plan.next)));
  for (const migrate::Step& step : plan.steps) {
    out.line("");
    out.line(std::string(name_of(step.name)) + ": about " + seconds_text(step.seconds) +
             "; lock: " + step.lock);
    for (const std::string& statement : step.statements) {
      std::string_view rest = statement;
      while (!rest.empty()) {  // a function has lines of its own
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        out.line("  " + printable(rest.substr(0, end), 100'000) + (end == rest.size() ? ";" : ""));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  }
  return Exit::good;
}

Exit print_report(const Args& args, const Report& report) {
  Output& out = Output::standard();
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("rows").value(report.rows).key("sampled").value(report.sampled);
    json.key("good").value(report.good()).key("checks").begin_array();
    for (const migrate::Check& check : report.checks) {
      json.begin_object().key("check").value(check.name).key("count").value(check.count);
      json.key("good").value(check.good).key("meaning").value(check.meaning).end_object();
    }
    out.line(json.end_array().end_object().text());
  } else {
    out.line("rows\t" + std::to_string(report.rows));
    out.line("read\t" + std::to_string(report.sampled));
    for (const migrate::Check& check : report.checks) {
      out.line(std::string(check.good ? "good" : "WRONG") + "\t" + check.name + "\t" +
               std::to_string(check.count) + "\t" + check.meaning);
    }
  }
  return report.good() ? Exit::good : Exit::invalid;
}

void print_status(const Args& args, const Status& status) {
  Output& out = Output::standard();
  const auto time = [](std::uint64_t ms) {
    return time_text(static_cast<std::int64_t>(ms)).to_string();
  };
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("table").value(status.table).key("column").value(status.target.column);
    json.key("prefix")
        .value(status.target.type.prefix)
        .key("style")
        .value(name_of(status.target.type.style));
    json.key("form").value(name_of(status.target.form)).key("key").value(status.target.key);
    json.key("tenant_column").value(status.target.tenant_column);
    json.key("from").value(status.target.from);
    json.key("created_at").value(status.target.created_at).key("step").value(name_of(status.step));
    json.key("rows_done")
        .value(status.rows_done)
        .key("rows")
        .value(status.rows)
        .key("pass")
        .value(status.pass);
    json.key("batch").value(status.batch_rows).key("paused").value(status.paused);
    json.key("started")
        .value(time(status.started_ms))
        .key("updated")
        .value(time(status.updated_ms));
    out.line(json.end_object().text());
    return;
  }
  out.line("table\t" + printable(status.table, 200));
  out.line("column\t" + printable(status.target.column, 100) + " " +
           std::string(name_of(status.target.form)) + " " + status.target.type.prefix + " " +
           std::string(name_of(status.target.type.style)));
  out.line("step\t" + std::string(name_of(status.step)) + (status.paused ? ", paused" : ""));
  out.line("filled\t" + std::to_string(status.rows_done) + " of about " +
           std::to_string(status.rows) + ", pass " + std::to_string(status.pass));
  out.line("started\t" + time(status.started_ms));
  out.line("updated\t" + time(status.updated_ms));
}

// A bar on a terminal; elsewhere a line for each step, and none for what is quick.
class Teller final : public migrate::Observer {
 public:
  void step_begins(StepName step) override {
    end_bar();
    if (step == step_) return;  // tried again
    step_ = step;
    say("step " + std::string(name_of(step)));
  }
  void rows_done(std::int64_t done, std::int64_t rows) override {
    if (!bar_)
      bar_.emplace("backfill", static_cast<std::uint64_t>(rows),
                   Progress::Answers::come_at_the_end);
    bar_->update(static_cast<std::uint64_t>(done));
  }
  void rests(std::string_view why) override {
    if (why == why_ || why == "rate" || why == "clients") return;  // it is at work
    why_ = why;
    end_bar();
    say("resting: " + std::string(why));
  }
  void end_bar() { bar_.reset(); }

 private:
  static void say(const std::string& text) { std::fputs((text + "\n").c_str(), stderr); }

  std::optional<Progress> bar_;
  std::optional<StepName> step_;
  std::string why_;
};

Exit run_it(const Args& args, const std::string& url) {
  const auto target = target_of(args);
  if (!target) return target.error();
  const auto options = run_options(args);
  if (!options) return usage_error(options.error().message, options.error().hint);
  SystemClock clock;
  SystemMonotonicClock monotonic;
  SystemEntropy entropy;
  Teller teller;
  const migrate::Connect connect = [&] {
    return db::connect(url, {.timeout = std::chrono::seconds(5), .create = false});
  };
  const auto report = migrate::run(
      connect, *target, *options,
      {clock, monotonic, entropy, [](auto time) { std::this_thread::sleep_for(time); }, teller});
  teller.end_bar();
  if (!report) return complain_of(report.error());
  return print_report(args, *report);
}

Exit look_or_change(const Args& args, std::string_view action, db::Connection& connection) {
  const std::string_view table = args.value_or("table", "");
  if (action == "status") {
    const auto all = migrate::status(connection, table, args.value_or("column", ""));
    if (!all) return complain_of(all.error());
    for (std::size_t i = 0; i < all->size(); ++i) {
      if (i > 0 && !args.has("json")) Output::standard().line("");
      print_status(args, (*all)[i]);
    }
    if (!all->empty() || table.empty()) return Exit::good;
    complain("no migration of '" + printable(table) + "' is on record");
    return Exit::invalid;
  }
  if (action == "plan") {
    const auto target = target_of(args);
    if (!target) return target.error();
    const auto plan = migrate::make_plan(connection, *target);
    return plan ? print_plan(args, *plan) : complain_of(plan.error());
  }
  if (table.empty()) return usage_error("migrate needs --table", "As in --table store.");
  const std::string_view column = args.value_or("column", "public_id");
  if (action == "verify") {
    const auto options = run_options(args);
    if (!options) return usage_error(options.error().message, options.error().hint);
    const auto report = migrate::verify(connection, table, column, options->sample);
    return report ? print_report(args, *report) : complain_of(report.error());
  }
  const auto done = action == "abort"
                        ? migrate::abort(connection, table, column, args.has("force"))
                        : migrate::set_paused(connection, table, column, action == "pause");
  return done ? Exit::good : complain_of(done.error());
}

}  // namespace

Exit run_migrate(const Args& args) {
  constexpr std::string_view kHint =
      "It is one of plan, run, status, verify, pause, resume, abort.";
  if (args.positionals().empty()) return usage_error("migrate takes what to do", kHint);
  const std::string_view action = args.positionals()[0];
  if (std::ranges::find(kActions, action) == kActions.end()) {
    return usage_error("migrate cannot '" + printable(action) + "'", kHint);
  }
  const auto config = load_settings(args);
  if (!config) return config.error();
  if (is_http_url(config->store)) {
    return usage_error("migrate needs the database itself, not a Tessera",
                       "Give its URL with --store.");
  }
  if (action == "run") return run_it(args, config->store);
  const auto connection =
      db::connect(config->store, {.timeout = std::chrono::seconds(5), .create = false});
  if (!connection) {
    return complain_of(Error{Error::Code::store_unavailable, connection.error().message,
                             "Look whether the server is up, and at the URL."});
  }
  return look_or_change(args, action, **connection);
}

}  // namespace tessera::cli
