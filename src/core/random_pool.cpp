// A pool of random bytes for each thread, by fast key erasure.
//
//    | header | key: 32 bytes | unread bytes                      |
//               \__ keystream(old key) = new key + unread bytes __/
//
// A refill turns the key into a new key and a buffer of output, and forgets the old key;
// bytes that were handed out are wiped. So whoever reads the memory of the process learns
// nothing about the IDs that it made before. The kernel's own seed is mixed in again at every
// refill where that takes no system call, and elsewhere after kRefillsMax refills or kSeedSMax
// seconds, whichever is first.
//
// Who wants much at once gets a keystream of his own, written to where he wants it, by a key that
// is taken from the pool and forgotten.
//
// The pool is a mapping of its own that the kernel wipes in a forked child
// (MADV_WIPEONFORK). All zero means empty: a child finds no key and asks for a seed. That
// costs nothing per call, and needs no process number, which repeats in namespaces. Where
// the kernel cannot do it (before 4.14), a fork handler empties the pool; it sees fork(),
// though not a bare clone(), and so the pool is used there only if somebody asks for it.
//
// Signals: a handler that interrupts fill() finds the pool in use and asks the kernel
// instead. If the handler forks and the child returns into fill(), the pool has been
// wiped under it; the mark is gone, the pool is emptied again, and the kernel is asked.

#include "core/random_pool.h"

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/keystream.h"
#include "core/wipe.h"
#include "tessera/system.h"

namespace tessera::detail {

TESSERA_NEAR thread_local constinit RandomPool* this_thread_pool = nullptr;
constinit std::atomic<ChosenSource> chosen_source{ChosenSource::none_yet};

namespace {

using Pool = RandomPool;

constexpr std::size_t kMappingSize = 8192;
constexpr std::size_t kOutputSize = Pool::kOutputSize;
constexpr std::uint32_t kRefillsMax = 128;  // about a megabyte
constexpr std::int64_t kSeedSMax = 60;
constexpr std::size_t kDirectMin = 1024;    // from here on a key of one's own pays
constexpr std::size_t kDirectMax = 65'536;  // by one key
static_assert((kKeySize + kOutputSize) % kKeystreamBlock == 0);
static_assert(kDirectMin % kKeystreamBlock == 0);
static_assert(sizeof(Pool) <= kMappingSize);
static_assert(offsetof(Pool, output) == offsetof(Pool, key) + kKeySize);

bool kernel_wipes_on_fork() noexcept {
  constexpr std::size_t kPageSize = 4096;
  void* page = mmap(nullptr, kPageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  const bool wipes = madvise(page, kPageSize, MADV_WIPEONFORK) == 0;
  munmap(page, kPageSize);
  return wipes;
}

// What TESSERA_RANDOM says, and else what suits the kernel. A word that is neither of the two was
// meant to be one: the careful one is taken.
ChosenSource choose_source() noexcept {
  const char* word = secure_getenv("TESSERA_RANDOM");
  const bool pool =
      word != nullptr && *word != '\0' ? std::string_view(word) == "pool" : kernel_wipes_on_fork();
  const ChosenSource mine = pool ? ChosenSource::pool : ChosenSource::kernel;
  ChosenSource before = ChosenSource::none_yet;
  return chosen_source.compare_exchange_strong(before, mine) ? mine : before;
}

ChosenSource source_now() noexcept {
  const ChosenSource source = chosen_source.load(std::memory_order_relaxed);
  return source != ChosenSource::none_yet ? source : choose_source();
}

std::int64_t monotonic_s() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec;
}

void empty_this_pool() noexcept {
  if (this_thread_pool != nullptr) wipe(this_thread_pool, sizeof(Pool));
}

// Gives a mapping back when its thread ends. A key and not a thread_local object with a
// destructor: that one would allocate at first use, which a signal handler must not. The key
// is given up when the library is unloaded; threads then keep their mapping.
struct PoolKey {
  pthread_key_t key{};
  bool made = false;

  PoolKey() noexcept : made(pthread_key_create(&key, release) == 0) {}
  PoolKey(const PoolKey&) = delete;
  PoolKey& operator=(const PoolKey&) = delete;
  ~PoolKey() {
    if (made) pthread_key_delete(key);
    made = false;
  }

  static void release(void* pool) noexcept {
    empty_this_pool();
    this_thread_pool = nullptr;
    munmap(pool, kMappingSize);
  }
};

PoolKey pool_key;

Pool* map_pool() noexcept {
  void* memory =
      mmap(nullptr, kMappingSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, kMappingSize, MADV_DONTDUMP);
  if (madvise(memory, kMappingSize, MADV_WIPEONFORK) != 0) {
    // Once will do, and twice does no harm.
    static constinit std::atomic<bool> registered{false};
    if (!registered.load() && pthread_atfork(nullptr, nullptr, empty_this_pool) != 0) {
      munmap(memory, kMappingSize);
      return nullptr;
    }
    registered.store(true);
  }
  return static_cast<Pool*>(memory);
}

Pool* pool_of_this_thread() noexcept {
  if (this_thread_pool == nullptr) [[unlikely]] {
    Pool* pool = map_pool();
    if (this_thread_pool != nullptr) {  // a signal handler was here
      if (pool != nullptr) munmap(pool, kMappingSize);
    } else {
      this_thread_pool = pool;
      if (pool != nullptr && pool_key.made) pthread_setspecific(pool_key.key, pool);
    }
  }
  return this_thread_pool;
}

// New key and new output. The pool must be marked as in use.
[[nodiscard]] bool refill(Pool& pool) noexcept {
  const Keystream keystream = best_keystream();
  const bool near = kernel_random_is_near();
  const std::int64_t now_s = near ? 0 : monotonic_s();
  if (near || pool.refills == 0 || pool.refills >= kRefillsMax ||
      now_s - pool.seeded_s >= kSeedSMax) {
    std::array<std::uint8_t, kKeySize> seed{};
    if (!kernel_fill(seed)) return false;
    for (std::size_t i = 0; i < kKeySize; ++i) pool.key[i] ^= seed[i];
    wipe(seed.data(), seed.size());
    pool.refills = 0;
    pool.seeded_s = now_s;
  }
  std::array<std::uint8_t, kKeySize> key;
  std::memcpy(key.data(), pool.key, kKeySize);
  keystream(key.data(), pool.key, kKeySize + kOutputSize);
  wipe(key.data(), key.size());
  ++pool.refills;
  pool.unread = kOutputSize;
  return true;
}

[[nodiscard]] bool take(Pool& pool, std::span<std::uint8_t> out) noexcept {
  while (!out.empty()) {
    if (pool.unread == 0 && !refill(pool)) return false;
    // Read once: the pool may be wiped under us, and then a second look would see less.
    const std::uint32_t unread = pool.unread;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const std::size_t size = out.size() < unread ? out.size() : unread;
    const std::size_t left = unread - size;
    pool.unread = static_cast<std::uint32_t>(left);
    std::memcpy(out.data(), pool.output + left, size);
    std::memset(pool.output + left, 0, size);
    out = out.subspan(size);
  }
  return true;
}

[[nodiscard]] bool take_much(Pool& pool, std::span<std::uint8_t> out) noexcept {
  const Keystream keystream = best_keystream();
  while (out.size() >= kDirectMin) {
    const std::size_t whole = out.size() / kKeystreamBlock * kKeystreamBlock;
    const std::size_t size = whole < kDirectMax ? whole : kDirectMax;
    std::array<std::uint8_t, kKeySize> key;
    if (!take(pool, key)) return false;
    keystream(key.data(), out.data(), size);
    wipe(key.data(), key.size());
    pool.refills += static_cast<std::uint32_t>(size / kOutputSize);
    out = out.subspan(size);
  }
  return take(pool, out);
}

}  // namespace

bool pool_fill(std::span<std::uint8_t> out) noexcept {
  if (source_now() == ChosenSource::kernel) {
    if (this_thread_pool != nullptr && this_thread_pool->refills != 0) empty_this_pool();
    return kernel_fill(out);
  }
  Pool* pool = pool_of_this_thread();
  if (pool == nullptr) return kernel_fill(out);
  if (pool->in_use == Pool::kSpoiled) empty_this_pool();
  if (pool->in_use != Pool::kAtRest) return kernel_fill(out);
  pool->in_use = Pool::kAtWork;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool filled = out.size() < kDirectMin ? take(*pool, out) : take_much(*pool, out);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (pool->in_use != Pool::kAtWork) {
    empty_this_pool();
    return kernel_fill(out);
  }
  pool->in_use = Pool::kAtRest;
  return filled;
}

void pool_reseed() noexcept {
  empty_this_pool();
  kernel_random_forget();
}

}  // namespace tessera::detail

namespace tessera {

void set_random_source(RandomSource source) noexcept {
  using detail::ChosenSource;
  detail::chosen_source.store(
      source == RandomSource::pool ? ChosenSource::pool : ChosenSource::kernel,
      std::memory_order_relaxed);
}

RandomSource random_source() noexcept {
  return detail::source_now() == detail::ChosenSource::pool ? RandomSource::pool
                                                            : RandomSource::kernel;
}

}  // namespace tessera
