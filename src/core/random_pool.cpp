// A pool of random bytes for each thread, by fast key erasure.
//
//    | header | key: 32 bytes | unread bytes                      |
//               \__ keystream(old key) = new key + unread bytes __/
//
// A refill turns the key into a new key and a buffer of output, and forgets the old key;
// bytes that were handed out are wiped. So whoever reads the memory of the process learns
// nothing about the IDs that it made before. The kernel's own seed is mixed in again after
// kRefillsMax refills or kSeedSMax seconds, whichever is first.
//
// The pool is a mapping of its own that the kernel wipes in a forked child
// (MADV_WIPEONFORK). All zero means empty: a child finds no key and asks for a seed. That
// costs nothing per call, and needs no process number, which repeats in namespaces. Where
// the kernel cannot do it (before 4.14), a fork handler empties the pool; it sees fork(),
// though not a bare clone().
//
// Signals: a handler that interrupts fill() finds the pool in use and asks the kernel
// instead. If the handler forks and the child returns into fill(), the pool has been
// wiped under it; the mark is gone, the pool is emptied again, and the kernel is asked.

#include "core/random_pool.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "core/keystream.h"
#include "core/wipe.h"

namespace tessera::detail {
namespace {

constexpr std::size_t kMappingSize = 8192;
constexpr std::size_t kOutputSize = 4096 - kKeySize;
constexpr std::uint32_t kRefillsMax = 256;  // about a megabyte
constexpr std::int64_t kSeedSMax = 60;
static_assert((kKeySize + kOutputSize) % kKeystreamBlock == 0);

struct Pool {
  std::uint32_t in_use;
  std::uint32_t unread;   // bytes left at the start of `output`
  std::uint32_t refills;  // since the last seed; with a seed it is never 0
  std::uint32_t reserved;
  std::int64_t seeded_s;  // on the monotonic clock
  alignas(64) std::uint8_t key[kKeySize];
  std::uint8_t output[kOutputSize];  // right behind the key: one keystream fills both
};
static_assert(sizeof(Pool) <= kMappingSize);
static_assert(offsetof(Pool, output) == offsetof(Pool, key) + kKeySize);

std::int64_t monotonic_s() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec;
}

thread_local constinit Pool* this_thread_pool = nullptr;

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
  const std::int64_t now_s = monotonic_s();
  if (pool.refills == 0 || pool.refills >= kRefillsMax || now_s - pool.seeded_s >= kSeedSMax) {
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

}  // namespace

bool kernel_fill(std::span<std::uint8_t> out) noexcept {
  while (!out.empty()) {
    const ssize_t got = getrandom(out.data(), out.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool pool_fill(std::span<std::uint8_t> out) noexcept {
  Pool* pool = pool_of_this_thread();
  if (pool == nullptr) return kernel_fill(out);
  if (pool->in_use != 0) return kernel_fill(out);
  pool->in_use = 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool filled = take(*pool, out);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (pool->in_use != 1) {
    // Wiped while we were at it: what we wrote into it since is not random.
    empty_this_pool();
    return kernel_fill(out);
  }
  pool->in_use = 0;
  return filled;
}

void pool_reseed() noexcept { empty_this_pool(); }

}  // namespace tessera::detail
