// registry_storm_check FOLDER [CREATIONS_MIN]: reads the logs of a storm. Exit 0: all promises
// held. 1: one was broken. 2: usage, or too little happened.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "check.h"

int main(int argc, char** argv) {
  using namespace registry_storm;
  if (argc < 2) return 2;
  std::vector<Event> events;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.path().extension() != ".log") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      Event event;
      if (event.read(line)) events.push_back(event);
    }
  }
  const Verdict verdict = check(events);
  std::printf(
      "%zu creations acknowledged, %zu of them repeats of a key; %zu retirements; %zu "
      "look-ups\n",
      verdict.creations, verdict.repeats, verdict.retirements, verdict.looks);
  for (const auto& broken : verdict.broken) std::printf("BROKEN: %s\n", broken.c_str());
  if (!verdict.broken.empty()) return 1;
  const std::size_t least = argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 1;
  const bool enough = verdict.creations >= least && verdict.repeats > 0 &&
                      verdict.retirements > 0 && verdict.looks > 0;
  if (!enough) std::printf("too little happened\n");
  return enough ? 0 : 2;
}
