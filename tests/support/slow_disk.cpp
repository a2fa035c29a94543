// A disk that takes its time: preloaded into MariaDB, it lets every write to its log wait, for
// TESSERA_SLOW_DISK_MS.
//
// What the server shows before it is on disk is then to be seen for long enough that a kill falls
// into it.

#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {

bool is_log(int descriptor) {
  char name[512];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = readlink(link.c_str(), name, sizeof name);
  return size > 0 &&
         std::string(name, static_cast<std::size_t>(size)).find("ib_logfile") != std::string::npos;
}

void wait_for_disk(int descriptor) {
  const char* time_ms = std::getenv("TESSERA_SLOW_DISK_MS");
  if (time_ms != nullptr && is_log(descriptor)) {
    usleep(static_cast<useconds_t>(std::atoi(time_ms)) * 1000);
  }
}

using Write = ssize_t (*)(int, const void*, std::size_t, off64_t);

}  // namespace

extern "C" ssize_t pwrite64(int descriptor, const void* data, std::size_t size, off64_t offset) {
  static const Write real = reinterpret_cast<Write>(dlsym(RTLD_NEXT, "pwrite64"));
  wait_for_disk(descriptor);
  return real(descriptor, data, size, offset);
}

extern "C" ssize_t pwrite(int descriptor, const void* data, std::size_t size, off_t offset) {
  return pwrite64(descriptor, data, size, offset);
}
