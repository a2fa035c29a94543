// tessera doctor: what should be mended before IDs are made in earnest.

#include <sys/resource.h>
#include <sys/timex.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "settings.h"
#include "tessera/client/http_client.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"
#include "tessera/time_text.h"
#include "tokens_file.h"

namespace tessera::cli {
namespace {

constexpr rlim_t kFilesWanted = 4096;
constexpr std::uint64_t kYear2020Ms = 1'577'836'800'000;

struct Finding {
  enum class Verdict : std::uint8_t { good, note, mend };

  Verdict verdict = Verdict::good;
  std::string what;   // "clock"
  std::string found;  // "in step with others, to 0.2 ms"
  std::string hint;   // what to do
};

std::string_view name_of(Finding::Verdict verdict) noexcept {
  switch (verdict) {
    case Finding::Verdict::good: return "good";
    case Finding::Verdict::note: return "note";
    case Finding::Verdict::mend: break;
  }
  return "MEND";
}

Finding look_at_clock() {
  SystemClock clock;
  if (clock.now_ms() < kYear2020Ms) {
    return {Finding::Verdict::mend, "clock", "it says that it is long ago",
            "IDs with a time would sort before all others: set the clock."};
  }
  timex state{};
  const int status = ::adjtimex(&state);
  if (status < 0 || (state.status & STA_UNSYNC) != 0) {
    return {Finding::Verdict::note, "clock", "nobody keeps it in step",
            "Run chrony or systemd-timesyncd: order across machines is as good as their clocks."};
  }
  return {Finding::Verdict::good, "clock",
          "kept in step, off by " + std::to_string(state.esterror) + " us at most", ""};
}

Finding look_at_entropy() {
  SystemEntropy entropy;
  std::array<std::uint8_t, 64> first{};
  std::array<std::uint8_t, 64> second{};
  if (!entropy.fill(first) || !entropy.fill(second) || first == second) {
    return {Finding::Verdict::mend, "entropy", "the system gives none",
            "Without it nothing is minted. Is getrandom() forbidden here?"};
  }
  return {Finding::Verdict::good, "entropy", "the system gives it", ""};
}

Finding look_at_snapshots() {
  std::ifstream cpu("/proc/cpuinfo");
  bool is_virtual = false;
  for (std::string line; std::getline(cpu, line);) {
    if (line.starts_with("flags") && line.find(" hypervisor") != std::string::npos) {
      is_virtual = true;
      break;
    }
  }
  if (!is_virtual) return {Finding::Verdict::good, "snapshots", "this is no virtual machine", ""};
  if (std::filesystem::exists("/sys/bus/acpi/drivers/vmgenid")) {
    return {Finding::Verdict::good, "snapshots", "the kernel hears of resumed snapshots", ""};
  }
  return {Finding::Verdict::note, "snapshots", "the kernel does not hear of resumed snapshots",
          "Two machines resumed from one memory snapshot may make the same IDs: restart there."};
}

Finding look_at_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < kFilesWanted) {
    return {Finding::Verdict::mend, "open files",
            "at most " + std::to_string(limit.rlim_cur) + " at once",
            "A connection is one: ulimit -n " + std::to_string(kFilesWanted) +
                ", or LimitNOFILE= in the unit."};
  }
  return {Finding::Verdict::good, "open files", "up to " + std::to_string(limit.rlim_cur), ""};
}

Finding look_at_tokens(const Config& config) {
  if (config.tokens.empty()) {
    return {Finding::Verdict::note, "tokens", "there are none: only this machine may ask",
            "tessera token create makes one."};
  }
  const auto table = read_tokens_file(config.tokens);
  if (!table) return {Finding::Verdict::mend, "tokens", table.error().message, table.error().hint};
  return {Finding::Verdict::good, "tokens", std::to_string(table->tokens().size()) + " are there",
          ""};
}

void look_at_store(const Args& args, const Config& config, std::vector<Finding>& findings) {
  if (is_http_url(config.store)) {
    const auto remote = open_segments(args, config);
    if (!remote) {
      findings.push_back({Finding::Verdict::mend, "store", "it cannot be asked", ""});
      return;
    }
    const auto scopes = (*remote)->scopes().list();
    findings.push_back(scopes ? Finding{Finding::Verdict::good, "store",
                                        "another Tessera at " + printable(config.store, 200), ""}
                              : Finding{Finding::Verdict::mend, "store", scopes.error().message,
                                        scopes.error().hint});
    return;
  }
  OpenOptions options = open_options(args);
  options.accept_duplicate_risk = true;  // that is told here
  const auto store = tessera::open_store(config.store, options);
  if (!store) {
    findings.push_back(
        {Finding::Verdict::mend, "store", store.error().message, store.error().hint});
    return;
  }
  const auto status = (*store)->status();
  if (!status) {
    findings.push_back(
        {Finding::Verdict::mend, "store", status.error().message, status.error().hint});
    return;
  }
  findings.push_back({Finding::Verdict::good, "store",
                      printable(status->server, 200) + " at " + printable(status->url, 200), ""});
  for (const StoreSetting& setting : status->settings) {
    findings.push_back({setting.safe ? Finding::Verdict::good : Finding::Verdict::mend,
                        setting.name, printable(setting.value, 200),
                        setting.safe ? "" : "It must be " + setting.required + "."});
  }
}

}  // namespace

Exit run_doctor(const Args& args) {
  const auto config = load_settings(args);
  if (!config) return config.error();
  std::vector<Finding> findings = {look_at_clock(), look_at_entropy(), look_at_snapshots(),
                                   look_at_files(), look_at_tokens(*config)};
  look_at_store(args, *config, findings);
  Exit exit = Exit::good;
  for (const Finding& finding : findings) {
    if (finding.verdict == Finding::Verdict::mend) exit = Exit::invalid;
    if (args.has("json")) {
      JsonWriter json;
      json.begin_object().key("verdict").value(name_of(finding.verdict));
      json.key("what").value(finding.what).key("found").value(finding.found);
      Output::standard().line(json.key("hint").value(finding.hint).end_object().text());
    } else {
      Output::standard().line(std::string(name_of(finding.verdict)) + "\t" + finding.what + "\t" +
                              finding.found + (finding.hint.empty() ? "" : "\t" + finding.hint));
    }
  }
  return exit;
}

}  // namespace tessera::cli
