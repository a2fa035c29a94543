// tessera registry stats, verify: how many there are, and whether all is as it should be.

#include <string>

#include "output.h"
#include "progress.h"
#include "registry_open.h"
#include "settings.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"
#include "tessera/registry/verify.h"

namespace tessera::cli {
namespace {

class StoreRangeLog final : public RangeLog {
 public:
  explicit StoreRangeLog(ScopeCatalogue& scopes) : scopes_(scopes) {}

  Result<std::optional<KeyRange>, Error> range_of(std::string_view scope,
                                                  std::int64_t key) override {
    if (key < 0) return std::optional<KeyRange>();
    const auto found = scopes_.range_of(scope, key);
    if (!found && found.error().code == Error::Code::not_found) return std::optional<KeyRange>();
    if (!found) return Failure{found.error()};
    if (!*found) return std::optional<KeyRange>();
    const Segment& segment = (*found)->segment;
    return std::optional(KeyRange{static_cast<std::int64_t>(segment.first),
                                  static_cast<std::int64_t>(segment.end - 1)});
  }

 private:
  ScopeCatalogue& scopes_;
};

// The ID as it would be shown, or what stands there instead.
std::string id_of(const RegistryFault& fault) {
  if (const auto body = body_of(*fault.type, fault.row)) return fault.type->text_of(*body);
  if (fault.type->declared.storage == RegistryType::Storage::integer) {
    return std::to_string(fault.row.number);
  }
  return fault.row.id;
}

void print_fault(const Args& args, const RegistryFault& fault) {
  Output& out = Output::standard();
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("code").value(name_of(fault.code));
    json.key("type").value(fault.type->name()).key("key").value(fault.row.key);
    json.key("tenant").value(fault.row.tenant).key("id").value(id_of(fault));
    json.key("message").value(phrase_of(fault.code)).key("detail").value(fault.detail);
    out.line(json.end_object().text());
    return;
  }
  out.line(std::string(name_of(fault.code)) + "\t" + fault.type->name() + "\tkey " +
           std::to_string(fault.row.key) + "\t" + printable(fault.row.tenant, 64) + "\t" +
           printable(id_of(fault)) + "\t" + std::string(phrase_of(fault.code)) +
           (fault.detail.empty() ? "" : ": " + fault.detail));
}

void print_summary(const Args& args, const VerifyReport& report) {
  Output& out = Output::standard();
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("valid").value(report.fault_count == 0);
    json.key("rows").value(report.rows).key("ranges").value(report.ranges);
    json.key("tombstones").value(report.tombstones).key("faults").value(report.fault_count);
    out.line(json.end_object().text());
    return;
  }
  out.line("rows\t" + std::to_string(report.rows));
  out.line("ranges\t" + std::to_string(report.ranges));
  out.line("tombstones\t" + std::to_string(report.tombstones));
  out.line("faults\t" + std::to_string(report.fault_count));
}

}  // namespace

Exit registry_stats(const Args& args, OpenRegistry& open, const Rest& words) {
  const RegisteredType* only = nullptr;
  if (!words.empty()) {
    const auto type = open.type(words[0]);
    if (!type) return type.error();
    only = *type;
  }
  Output& out = Output::standard();
  const bool json_lines = args.has("json");
  if (!json_lines) out.line("type\tlive\tdeleted\tended\terased\tkeys\twork");
  for (const auto& type : open.types.all()) {
    if (only != nullptr && type.get() != only) continue;
    const auto stats = open.rows->stats(*type);
    if (!stats) {
      out.flush();
      return complain_of(stats.error());
    }
    const std::pair<std::string_view, std::uint64_t> counts[] = {
        {"live", stats->live},     {"deleted", stats->deleted}, {"ended", stats->ended},
        {"erased", stats->erased}, {"keys", stats->keys},       {"work", stats->work}};
    JsonWriter json;
    json.begin_object().key("type").value(type->name());
    std::string line = type->name();
    for (const auto& [name, count] : counts) {
      json.key(name).value(count);
      line += "\t" + std::to_string(count);
    }
    out.line(json_lines ? json.end_object().text() : line);
  }
  return Exit::good;
}

Exit registry_verify(const Args& args, OpenRegistry& open) {
  StoreRangeLog log(open.store->scopes());
  VerifyOptions options;
  std::optional<Progress> bar;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    if (!bar) bar.emplace("verifying", total, Progress::Answers::come_at_the_end);
    bar->update(done);
  };
  const auto report = verify_registry(open.types, *open.rows, log, options);
  bar.reset();
  if (!report) return complain_of(report.error());
  for (const RegistryFault& fault : report->faults) print_fault(args, fault);
  print_summary(args, *report);
  if (report->fault_count == 0) return Exit::good;
  Output::standard().flush();
  complain("the registry is not as it should be",
           report->fault_count > report->faults.size()
               ? "The first " + std::to_string(report->faults.size()) + " are shown."
               : "");
  return Exit::invalid;
}

}  // namespace tessera::cli
