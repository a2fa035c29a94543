#pragma once

// What all workers of a storm count together: a small file that each of them maps.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace segment_storm {

struct Counters {
  std::atomic<std::uint64_t> ids{0};
  std::atomic<std::uint64_t> draws{0};          // answered with a range, or a lease
  std::atomic<std::uint64_t> draws_unknown{0};  // the answer was lost
  std::atomic<std::uint64_t> draws_failed{0};
  std::atomic<std::uint64_t> refusals{0};           // calls that got no number
  std::atomic<std::uint64_t> leases_taken_over{0};  // claims of numbers that others had before
  std::atomic<std::uint64_t> leases_lost{0};        // raises that were told so
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
};

// Zero at first. Stays mapped until the process ends.
inline Counters& map_counters(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  void* memory = MAP_FAILED;
  if (file >= 0 && ftruncate(file, sizeof(Counters)) == 0) {
    memory = mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (memory == MAP_FAILED) {
    std::perror(path.c_str());
    std::exit(2);
  }
  close(file);
  return *static_cast<Counters*>(memory);
}

}  // namespace segment_storm
