// Every allocation of the functions that go by name fails once, each in its turn: the answer is
// TESSERA_NO_MEMORY, nothing was written, and the next call works. Ends with 0 if that is so.

#include <tessera/c.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

long allocations_left = -1;  // negative: as many as you like

void* allocate(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Calls `work` with room for 0, 1, 2, … allocations until it succeeds; how often it had none, or
// -1 if it answered anything else.
template <class Work>
int failures_before_success(Work work) {
  for (int room = 0; room < 10'000; ++room) {
    allocations_left = room;
    const int code = work();
    allocations_left = -1;
    if (code == TESSERA_OK) return room;
    if (code != TESSERA_NO_MEMORY) {
      std::printf("after %d allocations: %s\n", room, tessera_error_name(code));
      return -1;
    }
  }
  return -1;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
  const char* text = "01ARYZ6S41TSV4RRFFQ69G5FAV";
  const char* checked = "ord_01ARYZ6S41TSV4RRFFQ69G5FAV";
  char out[8192];
  std::size_t size = 0;
  const int inspect = failures_before_success([&] {
    std::memset(out, 'x', sizeof out);
    const int code = tessera_inspect("", 0, text, 26, 0, out, sizeof out, &size);
    return code == TESSERA_NO_MEMORY && out[0] != 'x' ? -1 : code;
  });
  const int convert = failures_before_success([&] {
    return tessera_convert("", 0, "uuid", 4, text, 26, 0, out, sizeof out, &size, nullptr);
  });
  const int check =
      failures_before_success([&] { return tessera_check("ord", 3, 0, checked, 30, nullptr); });
  const int any = failures_before_success([&] { return tessera_check_any(text, 26, 0); });
  std::printf("failed and told so: inspect %d, convert %d, check %d, check_any %d\n", inspect,
              convert, check, any);
  return inspect > 0 && convert > 0 && check > 0 && any > 0 ? 0 : 1;
}
