#pragma once

// Findings for people, for programs, and for code hosts.

#include <span>
#include <string>
#include <string_view>

#include "tessera/contract/finding.h"

namespace tessera::contract {

// Three lines: "place: level: what [TC103 name]", why, how to mend it. Printable.
std::string text_of(const Finding& finding);

// One line, an object, without a line end.
std::string json_of(const Finding& finding);
std::string json_of(const Rule& rule);

// A whole SARIF 2.1.0 log, with every rule, and waived findings as suppressed results.
std::string sarif_of(std::span<const Finding> findings, std::string_view version);

}  // namespace tessera::contract
