// Random bytes straight from the kernel: by its function in user space where it has one (Linux
// 6.11), which takes some 50 ns, and by the system call elsewhere, which takes ten times that.
//
// That function wants memory of its own for each thread. The kernel says how much and of what
// kind: it is never written to swap or a core dump, is wiped in a forked child, and may vanish at
// any time, which reads as "ask me again". It holds a key that the kernel invalidates whenever it
// has a new one of its own, which is what happens in each clone of a virtual machine that is told
// so. We only give it room, one page for each thread.

#include <elf.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/random_pool.h"
#include "core/wipe.h"

namespace tessera::detail {
namespace {

using KernelFunction = ssize_t (*)(void* out, std::size_t size, unsigned flags, void* state,
                                   std::size_t state_size);

// As the kernel fills it in (linux/random.h, struct vgetrandom_opaque_params).
struct StateShape {
  std::uint32_t size = 0;
  std::uint32_t protection = 0;
  std::uint32_t flags = 0;
  std::uint32_t reserved[13] = {};
};

// Finds a function by name in the library that the kernel maps into every process. Its tables are
// the kernel's own, and read as such.
void* find_in_vdso(std::string_view name) noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel tells where as a number
  auto* base = reinterpret_cast<char*>(getauxval(AT_SYSINFO_EHDR));
  if (base == nullptr) return nullptr;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64) {
    return nullptr;
  }
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
  const Elf64_Phdr* loaded = nullptr;
  const Elf64_Dyn* dynamic = nullptr;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD && loaded == nullptr) loaded = &segments[i];
    if (segments[i].p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const Elf64_Dyn*>(base + segments[i].p_offset);
    }
  }
  if (loaded == nullptr || dynamic == nullptr) return nullptr;
  const auto at = [&](Elf64_Addr address) {
    return base + loaded->p_offset + (address - loaded->p_vaddr);
  };
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* hash = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    char* table = at(dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const Elf64_Sym*>(table);
    if (dynamic->d_tag == DT_STRTAB) names = table;
    if (dynamic->d_tag == DT_HASH) hash = reinterpret_cast<const std::uint32_t*>(table);
    if (dynamic->d_tag == DT_GNU_HASH) gnu_hash = reinterpret_cast<const std::uint32_t*>(table);
  }
  if (symbols == nullptr || names == nullptr) return nullptr;

  // How many symbols there are is said by one table or by the end of the last chain of the other.
  std::uint32_t count = 0;
  if (hash != nullptr) {
    count = hash[1];
  } else if (gnu_hash != nullptr) {
    const std::uint32_t bucket_count = gnu_hash[0];
    const std::uint32_t first = gnu_hash[1];
    const std::uint32_t* buckets = gnu_hash + 4 + std::size_t{2} * gnu_hash[2];
    const std::uint32_t* chains = buckets + bucket_count;
    for (std::uint32_t i = 0; i < bucket_count; ++i) {
      if (buckets[i] > count) count = buckets[i];
    }
    if (count >= first) {
      while ((chains[count - first] & 1) == 0) ++count;
      ++count;
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
        name == names + symbol.st_name) {
      return at(symbol.st_value);
    }
  }
  return nullptr;
}

// What was found out, once; see system.cpp for why these are no statics with a guard. Threads that
// meet here find the same.
enum class Known : int { nothing, absent, present };
constinit std::atomic<Known> known{Known::nothing};
constinit std::atomic<KernelFunction> kernel_function{nullptr};
constinit std::atomic<std::uint32_t> state_size{0};
constinit std::atomic<std::uint32_t> state_protection{0};
constinit std::atomic<std::uint32_t> state_flags{0};

constexpr std::size_t kPageSize = 4096;

Known look() noexcept {
  Known found = Known::absent;
#if defined(__x86_64__)
  constexpr std::string_view kName = "__vdso_getrandom";
#else
  constexpr std::string_view kName = "__kernel_getrandom";
#endif
  StateShape shape;
  const auto function = reinterpret_cast<KernelFunction>(find_in_vdso(kName));
  if (function != nullptr && function(nullptr, 0, 0, &shape, ~std::size_t{0}) == 0 &&
      shape.size > 0 && shape.size <= kPageSize) {
    state_size.store(shape.size, std::memory_order_relaxed);
    state_protection.store(shape.protection, std::memory_order_relaxed);
    state_flags.store(shape.flags, std::memory_order_relaxed);
    kernel_function.store(function, std::memory_order_relaxed);
    found = Known::present;
  }
  known.store(found, std::memory_order_release);
  return found;
}

TESSERA_NEAR thread_local constinit void* this_thread_state = nullptr;

// Gives the page back when its thread ends, as the pool does.
struct StateKey {
  pthread_key_t key{};
  bool made = false;

  StateKey() noexcept : made(pthread_key_create(&key, release) == 0) {}
  StateKey(const StateKey&) = delete;
  StateKey& operator=(const StateKey&) = delete;
  ~StateKey() {
    if (made) pthread_key_delete(key);
    made = false;
  }

  static void release(void* state) noexcept {
    this_thread_state = nullptr;
    munmap(state, kPageSize);
  }
};

StateKey state_key;

void* state_of_this_thread() noexcept {
  if (this_thread_state == nullptr) [[unlikely]] {
    const int saved = errno;
    void* page =
        mmap(nullptr, kPageSize, static_cast<int>(state_protection.load(std::memory_order_relaxed)),
             static_cast<int>(state_flags.load(std::memory_order_relaxed)), -1, 0);
    errno = saved;
    if (page == MAP_FAILED) return nullptr;
    if (this_thread_state != nullptr) {  // a signal handler was here
      munmap(page, kPageSize);
    } else {
      this_thread_state = page;
      if (state_key.made) pthread_setspecific(state_key.key, page);
    }
  }
  return this_thread_state;
}

// How many bytes it got, or what errno says as a negative number.
ssize_t ask(std::span<std::uint8_t> out) noexcept {
  if (kernel_random_is_near()) {
    if (void* state = state_of_this_thread(); state != nullptr) {
      return kernel_function.load(std::memory_order_relaxed)(
          out.data(), out.size(), 0, state, state_size.load(std::memory_order_relaxed));
    }
  }
  const ssize_t got = getrandom(out.data(), out.size(), 0);
  return got < 0 ? -errno : got;
}

}  // namespace

bool kernel_random_is_near() noexcept {
  Known seen = known.load(std::memory_order_acquire);
  if (seen == Known::nothing) [[unlikely]] {
    seen = look();
  }
  return seen == Known::present;
}

bool kernel_fill(std::span<std::uint8_t> out) noexcept {
  while (!out.empty()) {
    const ssize_t got = ask(out);
    if (got == -EINTR) continue;
    if (got <= 0) return false;
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

void kernel_random_forget() noexcept {
  if (this_thread_state != nullptr) wipe(this_thread_state, kPageSize);
}

}  // namespace tessera::detail
