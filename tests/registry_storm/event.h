#pragma once

// One line of a log: what a worker asked, and what it was told. All that registry_storm and
// registry_storm_check have in common.
//
//   create  tenant type id pk key parent     an acknowledged creation; key and parent may be -
//   retire  tenant type id                   an acknowledged retirement
//   look    tenant type id state             an answer
//   final   tenant type id state             what the store says when the storm is over
//
// In front of all of these are two times of CLOCK_MONOTONIC, which all processes share: when the
// call was made, and when it returned. A line is one write(2): a process that is killed leaves
// whole lines, but perhaps for the last.

#include <cstdint>
#include <sstream>
#include <string>

namespace registry_storm {

struct Event {
  std::uint64_t invoked_ns = 0;
  std::uint64_t returned_ns = 0;
  std::string what, tenant, type, id;
  std::string pk = "-", key = "-", parent = "-", state = "-";

  std::string line() const {
    return std::to_string(invoked_ns) + ' ' + std::to_string(returned_ns) + ' ' + what + ' ' +
           tenant + ' ' + type + ' ' + id + ' ' + pk + ' ' + key + ' ' + parent + ' ' + state +
           " .\n";
  }
  // False if the line is not whole.
  bool read(const std::string& line) {
    std::istringstream in(line);
    std::string end;
    in >> invoked_ns >> returned_ns >> what >> tenant >> type >> id >> pk >> key >> parent >>
        state >> end;
    return static_cast<bool>(in) && end == ".";
  }
};

}  // namespace registry_storm
