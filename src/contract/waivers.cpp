// The waiver file, read and applied.

#include "tessera/contract/waivers.h"

#include <algorithm>
#include <optional>

#include "contract/document.h"
#include "tessera/contract/declared.h"
#include "tessera/parse_error.h"

namespace tessera::contract {
namespace {

Failure<Error> wrong(std::string_view file, std::uint64_t line, const std::string& what) {
  return Failure{Error{Error::Code::invalid_request,
                       printable(file, 200) + ":" + std::to_string(line) + ": " + what,
                       "A waiver has rule, place and reason, and may have until."}};
}

// Days that a month does not have are let be: such a waiver ends with the month.
bool is_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool mark = i == 4 || i == 7;
    if (mark ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  const std::string_view month = text.substr(5, 2);
  const std::string_view day = text.substr(8, 2);
  return month >= "01" && month <= "12" && day >= "01" && day <= "31";
}

// What is wrong with a key and its value; empty: nothing.
std::string take_key(Waiver& waiver, const DocumentEntry& entry) {
  const std::string& text = entry.value.text;  // also of a date, which YAML may call a number
  if (entry.key == "rule") {
    const Rule* found = find_rule(text);
    if (found == nullptr) return "there is no rule " + quoted(text);
    waiver.rule = found->id;
  } else if (entry.key == "place") {
    waiver.place = text;
  } else if (entry.key == "reason") {
    waiver.reason = text;
  } else if (entry.key == "until") {
    if (!is_date(text)) return quoted(text) + " is no date such as 2027-06-30";
    waiver.until = text;
  } else {
    return "there is no key " + quoted(entry.key);
  }
  return {};
}

bool covers(const Waiver& waiver, const Finding& finding) {
  if (waiver.rule != finding.rule) return false;
  const auto is = [&](std::string_view text) {
    return !text.empty() && matches_glob(waiver.place, text);
  };
  return is(finding.place.to_string()) || is(finding.place.file) || is(finding.place.path);
}

}  // namespace

Result<std::vector<Waiver>, Error> read_waivers(std::string_view yaml, std::string_view file) {
  const auto root = read_document(yaml);
  if (!root) return wrong(file, root.error().line, printable(root.error().message, 200));
  std::vector<Waiver> waivers;
  const Document* list = root->find("waivers");
  if (list == nullptr ||
      (list->kind != Document::Kind::list && list->kind != Document::Kind::nothing)) {
    return wrong(file, std::max<std::uint64_t>(root->line, 1), "no list under the key 'waivers'");
  }
  for (const Document& item : list->items) {
    Waiver waiver;
    waiver.line = item.line;
    bool has_rule = false;
    for (const DocumentEntry& entry : item.entries) {
      if (const std::string fault = take_key(waiver, entry); !fault.empty()) {
        return wrong(file, entry.line, fault);
      }
      has_rule = has_rule || entry.key == "rule";
    }
    if (!has_rule) return wrong(file, item.line, "a waiver without rule");
    if (waiver.place.empty()) return wrong(file, item.line, "a waiver without place");
    if (waiver.reason.empty()) return wrong(file, item.line, "a waiver without reason");
    waivers.push_back(std::move(waiver));
  }
  return waivers;
}

void apply_waivers(const std::vector<Waiver>& waivers, std::string_view file,
                   std::string_view today, Findings& findings) {
  std::vector<bool> used(waivers.size());
  for (Finding& finding : findings) {
    for (std::size_t i = 0; i < waivers.size() && !finding.waived; ++i) {
      if (!covers(waivers[i], finding)) continue;
      used[i] = true;
      if (waivers[i].until.empty() || today <= waivers[i].until) finding.waived = waivers[i].reason;
    }
  }
  for (std::size_t i = 0; i < waivers.size(); ++i) {
    const Waiver& waiver = waivers[i];
    const bool over = !waiver.until.empty() && today > waiver.until;
    if (used[i] && !over) continue;
    Place place;
    place.file = file;
    place.line = waiver.line;
    const std::string which = std::string(rule(waiver.rule).number) + " at " + quoted(waiver.place);
    findings.push_back(finding_of(RuleId::unused_waiver, std::move(place),
                                  over ? "the waiver of " + which + " is over since " + waiver.until
                                       : "nothing to waive: " + which));
  }
}

}  // namespace tessera::contract
