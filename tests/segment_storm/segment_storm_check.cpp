// segment_storm_check: reads the logs of a segment storm, and says whether the promises were kept.
//
//    segment_storm_check [--ids-min N] FOLDER
//
// Exit 0: no number twice, all in order, one range for a key. 1: a promise is broken. 2: no
// verdict, because a log is no log, is cut short or has fewer numbers than wanted; nothing proves
// nothing.

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "check.h"

namespace {

using Count = unsigned long long;

[[noreturn]] void usage() {
  std::fprintf(stderr, "usage: segment_storm_check [--ids-min N] FOLDER\n");
  std::exit(2);
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) usage();
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t ids_min = 1;
  std::string folder;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--ids-min" && i + 1 < argc) {
      ids_min = number_of(argv[++i]);
    } else if (folder.empty() && !argument.starts_with("--")) {
      folder = argument;
    } else {
      usage();
    }
  }
  if (folder.empty()) usage();
  const segment_storm::Verdict verdict = segment_storm::check(folder, ids_min);
  if (!verdict.unusable.empty()) {
    std::fprintf(stderr, "segment_storm_check: %s\n", verdict.unusable.c_str());
    return 2;
  }
  std::printf(
      "%llu IDs in %llu ranges of %llu workers, %llu keys asked for again: "
      "%llu repeated, %llu out of order, %llu keys with two ranges\n",
      static_cast<Count>(verdict.id_count), static_cast<Count>(verdict.record_count),
      static_cast<Count>(verdict.log_count), static_cast<Count>(verdict.shared_keys),
      static_cast<Count>(verdict.repeated), static_cast<Count>(verdict.disordered),
      static_cast<Count>(verdict.keys_broken));
  for (const auto& finding : verdict.findings) std::printf("  %s\n", finding.c_str());
  return verdict.good() ? 0 : 1;
}
