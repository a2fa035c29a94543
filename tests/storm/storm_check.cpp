// storm_check: reads the log of a storm, and says whether the promises were kept.
//
//    storm_check [--ids-min N] [--memory-mb N] LOG
//
// Exit 0: no ID twice, every stream in order. 1: a promise is broken. 2: no verdict, because
// the log is no log, is cut short or has fewer IDs than wanted; an empty log proves nothing.

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "check.h"

namespace {

[[noreturn]] void usage() {
  std::fprintf(stderr, "usage: storm_check [--ids-min N] [--memory-mb N] LOG\n");
  std::exit(2);
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) usage();
  return number;
}

using Count = unsigned long long;

}  // namespace

int main(int argc, char** argv) {
  storm::CheckOptions options;
  std::string path;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--ids-min" && i + 1 < argc) {
      options.ids_min = number_of(argv[++i]);
    } else if (argument == "--memory-mb" && i + 1 < argc) {
      options.memory_size = number_of(argv[++i]) << 20;
    } else if (path.empty() && !argument.starts_with("--")) {
      path = argument;
    } else {
      usage();
    }
  }
  if (path.empty()) usage();

  const bool on_terminal = isatty(STDERR_FILENO) == 1;
  if (on_terminal) {
    options.progress = [](const std::string& what) {
      std::fprintf(stderr, "\r\033[K%s", what.c_str());
    };
  }
  const auto began = std::chrono::steady_clock::now();
  const storm::Verdict verdict = storm::check(path, options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (on_terminal) std::fprintf(stderr, "\r\033[K");

  if (!verdict.unusable.empty()) {
    std::fprintf(stderr, "storm_check: %s: %s\n", path.c_str(), verdict.unusable.c_str());
    return 2;
  }
  rusage usage_now{};
  getrusage(RUSAGE_SELF, &usage_now);
  std::printf(
      "%s: %llu IDs in %llu streams, %llu repeated, %llu out of order, %llu below their parent "
      "(%.1f s, %ld MiB)\n",
      verdict.kind.c_str(), static_cast<Count>(verdict.id_count),
      static_cast<Count>(verdict.stream_count), static_cast<Count>(verdict.repeated),
      static_cast<Count>(verdict.disordered), static_cast<Count>(verdict.below_parent),
      took.count(), usage_now.ru_maxrss / 1024);
  for (const auto& finding : verdict.findings) std::printf("  %s\n", finding.c_str());
  return verdict.good() ? 0 : 1;
}
