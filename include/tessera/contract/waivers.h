#pragma once

// What somebody has accepted, and why.
//
//    waivers:
//      - rule: TC105                 a number or a name
//        place: country.*            with * and ?; a file, file:line, table.column or path
//        reason: the same list for all tenants
//        until: 2027-06-30           may be left out; from the next day on it does not hold

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/contract/finding.h"
#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera::contract {

struct Waiver {
  RuleId rule = RuleId::unreadable;
  std::string place;
  std::string reason;
  std::string until;       // "2027-06-30"; empty: for ever
  std::uint64_t line = 0;  // in its file
};

// A waiver without reason is an error, and so is a rule that there is not.
Result<std::vector<Waiver>, Error> read_waivers(std::string_view yaml, std::string_view file);

// Marks what is waived, and adds a finding for each waiver that waives nothing or is over.
// `today` is as in `until`.
void apply_waivers(const std::vector<Waiver>& waivers, std::string_view file,
                   std::string_view today, Findings& findings);

}  // namespace tessera::contract
