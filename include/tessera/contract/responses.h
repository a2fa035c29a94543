#pragma once

// What an API answered: JSON, many JSON values one after the other (NDJSON), or a HAR file, as
// browsers and proxies record it. Read as it comes in; memory does not grow with it.
//
//    ResponsesCheck check("answers.ndjson", declared);
//    check.feed(bytes);  ...  check.end();
//    for (const Finding& finding : check.findings()) ...
//
// A fault that is seen again at the same place is counted, not told again: places differ by the
// names on the way, not by the numbers in lists.
//
// Of a HAR file are read: the texts of response.content and of request.postData that are JSON, as
// they are or in base64, and the paths of request.url.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tessera/contract/declared.h"
#include "tessera/contract/finding.h"

namespace tessera::contract {

class ResponsesCheck {
 public:
  // More faults than this are counted, not kept.
  static constexpr std::size_t kFindingsMax = 1000;

  // `declared` must outlive it.
  ResponsesCheck(std::string file, const Declared& declared);
  ~ResponsesCheck();
  ResponsesCheck(const ResponsesCheck&) = delete;
  ResponsesCheck& operator=(const ResponsesCheck&) = delete;

  void feed(std::string_view bytes);
  void end();

  const Findings& findings() const noexcept;
  std::uint64_t left_off() const noexcept;  // faults past kFindingsMax
  std::uint64_t values() const noexcept;    // whole documents that were read; a HAR is one
  std::uint64_t bodies() const noexcept;    // of a HAR: those that are JSON

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tessera::contract
