// What the randomness of a process promises: bytes that look random, on every thread; a stream
// of its own for every child, however it was forked; no copy of what was handed out; the right
// answer in the middle of a signal; and no ID at all where the kernel gives no seed.

#include "core/random_pool.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <vector>

#include "support/child.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera::detail {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes(std::size_t size) {
  Bytes bytes(size);
  EXPECT_TRUE(pool_fill(bytes));
  return bytes;
}

// Sixteen zeros in a row come once in 2^124 bytes; wiped memory is full of them.
bool has_run_of_zeros(std::span<const std::uint8_t> bytes) {
  std::size_t run = 0;
  for (const std::uint8_t byte : bytes) {
    run = byte == 0 ? run + 1 : 0;
    if (run == 16) return true;
  }
  return false;
}

// Whether any 16 bytes stand in more than one place of the two streams.
bool share_bytes(const Bytes& a, const Bytes& b) {
  const auto window = [](const Bytes& bytes, std::size_t at) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()) + at, 16);
  };
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i + 16 <= a.size(); ++i) seen.insert(window(a, i));
  for (std::size_t i = 0; i + 16 <= b.size(); ++i) {
    if (seen.contains(window(b, i))) return true;
  }
  return false;
}

TEST(RandomPool, FillsExactlyWhatItIsGiven) {
  for (std::size_t size = 0; size <= 300; ++size) {
    Bytes buffer(size + 64, std::uint8_t{0xEE});
    ASSERT_TRUE(pool_fill(std::span(buffer).subspan(32, size)));
    for (std::size_t i = 0; i < 32; ++i) {
      ASSERT_EQ(buffer[i], 0xEE) << size;
      ASSERT_EQ(buffer[32 + size + i], 0xEE) << size;
    }
  }
}

TEST(RandomPool, FillsMoreThanItHoldsAndAcrossNewSeeds) {
  // Two megabytes at once: hundreds of refills, and the kernel is asked again in between.
  const Bytes bytes = random_bytes((2 << 20) + 3);
  EXPECT_FALSE(has_run_of_zeros(bytes));
  std::unordered_set<std::string_view> blocks;
  for (std::size_t at = 0; at + 16 <= bytes.size(); at += 16) {
    EXPECT_TRUE(blocks.emplace(reinterpret_cast<const char*>(bytes.data()) + at, 16).second);
  }
}

TEST(RandomPool, LooksRandom) {
  // One fixed amount, with bounds that chance oversteps less than once in a billion runs.
  constexpr std::size_t kSize = 1 << 20;
  for (const std::size_t piece : {10u, 16u, 7648u}) {  // as IDs draw it, and as refills go
    SCOPED_TRACE(piece);
    Bytes bytes(kSize);
    for (std::size_t at = 0; at < kSize; at += piece) {
      ASSERT_TRUE(pool_fill(std::span(bytes).subspan(at, std::min(piece, kSize - at))));
    }
    std::size_t ones = 0;
    std::array<std::size_t, 256> by_value{};
    std::array<std::size_t, 16> by_nibble{};
    std::array<std::size_t, 256> by_difference{};
    std::array<std::size_t, 8> by_bit{};
    for (std::size_t i = 0; i < kSize; ++i) {
      const std::uint8_t byte = bytes[i];
      ++by_value[byte];
      ++by_nibble[byte >> 4];
      ++by_nibble[byte & 15];
      ++by_difference[static_cast<std::uint8_t>(byte - bytes[(i + 1) % kSize])];
      for (std::size_t bit = 0; bit < 8; ++bit) {
        const std::size_t one = byte >> bit & 1u;
        by_bit[bit] += one;
        ones += one;
      }
    }
    const auto chi_square = [](const auto& counts, double total) {
      const double expected = total / static_cast<double>(counts.size());
      return std::accumulate(counts.begin(), counts.end(), 0.0, [&](double sum, std::size_t count) {
        const double difference = static_cast<double>(count) - expected;
        return sum + difference * difference / expected;
      });
    };
    constexpr auto kBits = static_cast<double>(8 * kSize);
    // Monobit: the deviation of n fair bits is sqrt(n) / 2.
    EXPECT_LT(std::abs(static_cast<double>(ones) - kBits / 2), 7 * std::sqrt(kBits) / 2);
    for (const std::size_t count : by_bit) {
      EXPECT_LT(std::abs(static_cast<double>(count) - kSize / 2.0), 7 * std::sqrt(kSize) / 2);
    }
    // Bytes and differences of neighbours: 255 degrees of freedom, 255 +- 23. Too even is as
    // suspicious as too uneven.
    EXPECT_LT(chi_square(by_value, kSize), 420);
    EXPECT_GT(chi_square(by_value, kSize), 135);
    EXPECT_LT(chi_square(by_difference, kSize), 420);
    EXPECT_GT(chi_square(by_difference, kSize), 135);
    // Poker on four bits: 15 degrees of freedom.
    EXPECT_LT(chi_square(by_nibble, 2 * kSize), 75);
  }
}

TEST(RandomPool, GivesEveryForkedChildAStreamOfItsOwn) {
  for (const ForkBy how : {ForkBy::fork, ForkBy::bare_clone}) {
    static_cast<void>(random_bytes(100));  // there is a pool, and it is half read
    std::vector<Bytes> streams;
    for (int child = 0; child < 8; ++child) {
      streams.push_back(in_child([](Pipe& out) { out.write(random_bytes(6000)); }, how));
      ASSERT_EQ(streams.back().size(), 6000u);
      EXPECT_FALSE(has_run_of_zeros(streams.back()));
    }
    streams.push_back(random_bytes(6000));
    for (std::size_t i = 0; i < streams.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(share_bytes(streams[i], streams[j]));
    }
  }
}

// Its own bytes, then those of its child, and so on down.
void write_streams(Pipe& out, int depth, ForkBy how) {
  out.write(random_bytes(512));
  if (depth > 1) {
    out.write(in_child([&](Pipe& inner) { write_streams(inner, depth - 1, how); }, how));
  }
  out.write(random_bytes(512));
}

TEST(RandomPool, GivesChildrenOfChildrenAStreamOfTheirOwn) {
  for (const ForkBy how : {ForkBy::fork, ForkBy::bare_clone}) {
    const Bytes before = random_bytes(512);
    Bytes told = in_child([&](Pipe& out) { write_streams(out, 4, how); }, how);
    ASSERT_EQ(told.size(), 4 * 1024u);
    EXPECT_FALSE(has_run_of_zeros(told));
    const Bytes after = random_bytes(512);
    told.insert(told.end(), before.begin(), before.end());
    told.insert(told.end(), after.begin(), after.end());
    std::unordered_set<std::string_view> windows;
    for (std::size_t i = 0; i + 16 <= told.size(); ++i) {
      ASSERT_TRUE(windows.emplace(reinterpret_cast<const char*>(told.data()) + i, 16).second) << i;
    }
  }
}

TEST(RandomPool, GivesEveryThreadAStreamOfItsOwnAlsoAfterOthersEnded) {
  Bytes all;
  std::mutex mutex;
  const auto work = [&] {
    const Bytes bytes = random_bytes(256);
    const std::lock_guard lock(mutex);
    all.insert(all.end(), bytes.begin(), bytes.end());
  };
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
    for (auto& thread : threads) thread.join();
  }
  EXPECT_FALSE(has_run_of_zeros(all));
  std::unordered_set<std::string_view> windows;
  for (std::size_t i = 0; i + 16 <= all.size(); ++i) {
    ASSERT_TRUE(windows.emplace(reinterpret_cast<const char*>(all.data()) + i, 16).second) << i;
  }
}

// The kernel's list of mappings, with the flags of each.
struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::string flags;

  bool has(std::string_view flag) const {
    return (" " + flags + " ").find(" " + std::string(flag) + " ") != std::string::npos;
  }
};

std::vector<Mapping> mappings_wiped_on_fork() {
  std::vector<Mapping> wiped;
  Mapping mapping;
  std::ifstream file("/proc/self/smaps");
  for (std::string line; std::getline(file, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      mapping = {begin, end, ""};
    } else if (line.starts_with("VmFlags: ")) {
      mapping.flags = line.substr(9);
      if (mapping.has("wf")) wiped.push_back(mapping);
    }
  }
  return wiped;
}

bool mapped_somewhere(const std::vector<Mapping>& mappings, std::span<const std::uint8_t> bytes) {
  for (const auto& mapping : mappings) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(mapping.begin);
    const auto* end = reinterpret_cast<const std::uint8_t*>(mapping.end);
    if (std::search(begin, end, bytes.begin(), bytes.end()) != end) return true;
  }
  return false;
}

TEST(RandomPool, KeepsNoCopyOfWhatItHandedOut) {
  static_cast<void>(random_bytes(32));
  const auto pools = mappings_wiped_on_fork();
  ASSERT_FALSE(pools.empty()) << "no pool in memory that the kernel wipes on fork";
  for (int i = 0; i < 50; ++i) {
    const Bytes bytes = random_bytes(100);
    EXPECT_FALSE(mapped_somewhere(pools, std::span(bytes).first(16)));
    EXPECT_FALSE(mapped_somewhere(pools, std::span(bytes).last(16)));
  }
}

TEST(RandomPool, StaysOutOfCoreDumps) {
  static_cast<void>(random_bytes(32));
  // The witness of forks holds no secret and may be dumped; at least one mapping, the pool, not.
  const auto pools = mappings_wiped_on_fork();
  EXPECT_TRUE(std::ranges::any_of(pools, [](const Mapping& pool) { return pool.has("dd"); }));
}

TEST(RandomPool, GivesItsMemoryBackWhenAThreadEnds) {
  std::thread([] { static_cast<void>(random_bytes(32)); }).join();
  const std::size_t before = mappings_wiped_on_fork().size();
  for (int i = 0; i < 100; ++i) {
    std::thread([] { static_cast<void>(random_bytes(32)); }).join();
  }
  EXPECT_LE(mappings_wiped_on_fork().size(), before + 2);
}

// Draws when its thread ends, after the pool of the thread is gone: it was made before the pool.
struct DrawsAtTheEnd {
  Bytes* out = nullptr;
  DrawsAtTheEnd() = default;
  DrawsAtTheEnd(const DrawsAtTheEnd&) = delete;
  DrawsAtTheEnd& operator=(const DrawsAtTheEnd&) = delete;
  ~DrawsAtTheEnd() {
    if (out == nullptr) return;
    for (int i = 0; i < 3; ++i) {
      const Bytes bytes = random_bytes(64);
      out->insert(out->end(), bytes.begin(), bytes.end());
    }
  }
};

TEST(RandomPool, WorksInTheLastDestructorOfAThread) {
  Bytes drawn;
  for (int i = 0; i < 3; ++i) {
    std::thread([&] {
      thread_local DrawsAtTheEnd late;
      late.out = &drawn;
      const Bytes bytes = random_bytes(64);
      drawn.insert(drawn.end(), bytes.begin(), bytes.end());
    }).join();
  }
  ASSERT_EQ(drawn.size(), 3 * 4 * 64u);
  std::set<Bytes> blocks;
  for (auto at = drawn.begin(); at != drawn.end(); at += 64) blocks.emplace(at, at + 64);
  EXPECT_EQ(blocks.size(), 12u);
  EXPECT_FALSE(has_run_of_zeros(drawn));
}

TEST(RandomPool, ForgetsWhatItHasWhenAskedForANewSeed) {
  SystemEntropy::reseed();
  static_cast<void>(random_bytes(32));  // the rest of a page is left in the pool
  const auto pools = mappings_wiped_on_fork();
  const auto bytes_in_pools = [&] {
    std::ptrdiff_t count = 0;
    for (const auto& pool : pools) {
      const auto* begin = reinterpret_cast<const std::uint8_t*>(pool.begin);
      const auto* end = reinterpret_cast<const std::uint8_t*>(pool.end);
      count += std::count_if(begin, end, [](std::uint8_t byte) { return byte != 0; });
    }
    return count;
  };
  const auto before = bytes_in_pools();
  SystemEntropy::reseed();
  EXPECT_LT(bytes_in_pools(), before - 2000);
  EXPECT_FALSE(has_run_of_zeros(random_bytes(10'000)));
}

// SIGALRM, handled by `handler` while this lives.
class Interruptions {
 public:
  explicit Interruptions(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &before_);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  ~Interruptions() {
    stop();
    sigaction(SIGALRM, &before_, nullptr);
  }

  static void every(suseconds_t us) { set_timer({{0, us}, {0, us}}); }
  static void once_in(suseconds_t us) { set_timer({{0, 0}, {0, us}}); }
  static void stop() { set_timer({}); }

 private:
  static void set_timer(const itimerval& timer) { setitimer(ITIMER_REAL, &timer, nullptr); }

  struct sigaction before_ = {};
};

// What handlers leave behind; they may not allocate.
std::atomic<std::uint32_t> handled{0};
std::array<std::array<std::uint8_t, 32>, 4096> drawn_in_handler;

TEST(RandomPool, GivesTheHandlerOfASignalBytesOfItsOwn) {
  handled = 0;
  Bytes drawn;
  {
    const Interruptions interruptions([](int) {
      const int error = errno;
      const std::uint32_t i = handled.load();
      if (i < drawn_in_handler.size() && pool_fill(drawn_in_handler[i])) handled = i + 1;
      errno = error;
    });
    Interruptions::every(50);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    std::array<std::uint8_t, 4096> bytes;  // so many that most of the time goes there
    while (std::chrono::steady_clock::now() < end) {
      ASSERT_TRUE(pool_fill(bytes));
      ASSERT_FALSE(has_run_of_zeros(bytes));
      drawn.insert(drawn.end(), bytes.begin(), bytes.begin() + 32);
    }
  }
  EXPECT_GT(handled, 50u) << "the timer hardly fired";
  std::set<Bytes> blocks;
  for (std::size_t i = 0; i < handled; ++i) {
    EXPECT_FALSE(has_run_of_zeros(drawn_in_handler[i]));
    EXPECT_TRUE(blocks.emplace(drawn_in_handler[i].begin(), drawn_in_handler[i].end()).second);
  }
  for (auto at = drawn.begin(); at != drawn.end(); at += 32) {
    EXPECT_TRUE(blocks.emplace(at, at + 32).second);
  }
}

// Two tests of a pool that is emptied under a call that is at work on it. Nothing of what that
// call leaves behind may be handed out later. They run in children, which may crash.

TEST(RandomPool, GivesNoWipedBytesAfterAHandlerAskedForANewSeed) {
  const auto told = in_child([](Pipe& out) {
    const Interruptions interruptions([](int) {
      SystemEntropy::reseed();
      ++handled;
    });
    handled = 0;
    Interruptions::every(50);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    std::array<std::uint8_t, 1000> bytes;
    bool good = true;
    while (std::chrono::steady_clock::now() < end) {
      good = good && pool_fill(bytes) && !has_run_of_zeros(bytes);
    }
    Interruptions::stop();
    out.write_byte(good ? 1 : 0);
    out.write_byte(handled > 50 ? 1 : 0);
  });
  EXPECT_EQ(told, (Bytes{1, 1})) << "no zeros, many signals";
}

TEST(RandomPool, GivesNoWipedBytesByShortCallsAfterAHandlerAskedForANewSeed) {
  const auto told = in_child([](Pipe& out) {
    const Interruptions interruptions([](int) {
      SystemEntropy::reseed();
      ++handled;
    });
    handled = 0;
    Interruptions::every(50);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    bool good = true;
    while (std::chrono::steady_clock::now() < end) {
      for (int i = 0; i < 100; ++i) {  // so that most signals come in the middle of a call
        std::array<std::uint8_t, 16> bytes{};
        good = good && pool_take(bytes) && !has_run_of_zeros(bytes);
      }
    }
    Interruptions::stop();
    out.write_byte(good ? 1 : 0);
    out.write_byte(handled > 50 ? 1 : 0);
  });
  EXPECT_EQ(told, (Bytes{1, 1})) << "no zeros, many signals";
}

// The same without chance: a short call has found that the pool was wiped under it.
TEST(RandomPool, IsEmptiedBeforeUseOnceItWasSpoiled) {
  std::array<std::uint8_t, 16> bytes{};
  ASSERT_TRUE(pool_take(bytes));
  RandomPool* pool = this_thread_pool;
  ASSERT_NE(pool, nullptr);
  std::memset(pool->output, 0, sizeof pool->output);
  pool->unread = RandomPool::kOutputSize;
  pool->in_use = RandomPool::kSpoiled;
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(pool_take(bytes));
    ASSERT_FALSE(has_run_of_zeros(bytes)) << i;
  }
  EXPECT_EQ(pool->in_use, RandomPool::kAtRest);
}

std::atomic<std::uint32_t> bad_children{0};

TEST(RandomPool, GivesNoWipedBytesInAChildThatAHandlerForked) {
  constexpr std::uint32_t kChildren = 60;
  handled = 0;
  bad_children = 0;
  const pid_t parent = getpid();
  std::array<std::uint8_t, 4096> bytes;
  const Interruptions interruptions([](int) {
    const int error = errno;
    const auto child =
        static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0));
    if (child == 0) return;  // into the call that was interrupted
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child < 0 || status != 0) ++bad_children;
    ++handled;
    errno = error;
  });
  for (std::uint32_t child = 0; child < kChildren; ++child) {
    Interruptions::once_in(static_cast<suseconds_t>(20 + child * 7 % 200));
    while (handled == child) {
      const bool filled = pool_fill(bytes);
      if (getpid() == parent) continue;
      // In the child: its own call, and all that is in the pool after it.
      bool good = filled && !has_run_of_zeros(bytes);
      for (int i = 0; i < 3; ++i) good = good && pool_fill(bytes) && !has_run_of_zeros(bytes);
      _exit(good ? 0 : 1);
    }
  }
  EXPECT_EQ(bad_children, 0u) << "of " << kChildren << " got zeros, or crashed";
}

TEST(RandomPool, WorksInAHandlerThatIsTheFirstToAskInItsThread) {
  // The thread is in malloc() when the signal comes, so the handler must do without it. Runs in
  // a child that is ended when it hangs.
  const auto told = in_child([](Pipe& out) {
    alarm(20);
    struct sigaction action = {};
    action.sa_handler = [](int) {
      std::array<std::uint8_t, 16> bytes;
      if (pool_fill(bytes)) ++handled;
    };
    sigaction(SIGUSR1, &action, nullptr);
    handled = 0;
    for (std::uint32_t i = 0; i < 50; ++i) {
      std::atomic<bool> ready{false};
      std::thread thread([&] {
        std::vector<std::vector<char>> blocks;
        for (std::size_t size = 1; handled == i; size = size * 7 % 60'013) {
          blocks.emplace_back(2000 + size);
          if (blocks.size() == 64) blocks.clear();
          ready = true;
        }
      });
      while (!ready) std::this_thread::yield();
      pthread_kill(thread.native_handle(), SIGUSR1);
      thread.join();
    }
    out.write_byte(static_cast<std::uint8_t>(handled));
  });
  EXPECT_EQ(told, Bytes{50});
}

// From here on the system call getrandom answers "no such call" in this process.
bool forbid_getrandom() {
  sock_filter rules[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_getrandom},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog program = {static_cast<unsigned short>(std::size(rules)), rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(RandomPool, MakesNoIdWithoutASeedFromTheKernel) {
  static_cast<void>(random_bytes(32));  // the parent's pool is of no use to the child
  static_cast<void>(ObjectId::generate());
  const auto told = in_child([](Pipe& out) {
    if (!forbid_getrandom()) _exit(2);
    // By turns, since each may leave something behind that the next could use.
    for (int round = 0; round < 3; ++round) {
      const auto tell = [&](const auto& made) {
        out.write_byte(made ? 0xFF : static_cast<std::uint8_t>(made.error()));
      };
      tell(Ulid::generate());
      tell(Uuid::generate_v1());
      tell(Uuid::generate_v4());
      tell(Uuid::generate_v6());
      tell(Uuid::generate_v7());
      tell(Ksuid::generate());
      tell(ObjectId::generate());
      std::array<Ulid, 3> ulids;
      std::array<Uuid, 3> uuids;
      tell(Ulid::generate(ulids));
      tell(Uuid::generate_v4(uuids));
      std::array<std::uint8_t, 8> bytes;
      out.write_byte(pool_fill(bytes) || kernel_fill(bytes) || SystemEntropy().fill(bytes) ? 0xFF
                                                                                           : 0);
      SystemEntropy::reseed();
    }
  });
  static_assert(static_cast<std::uint8_t>(MintError::no_entropy) == 0);
  EXPECT_EQ(told, Bytes(30, std::uint8_t{0}));
}

TEST(RandomPool, MakesNoIdOnceTheKernelStopsGivingSeeds) {
  // The child has a sound pool when the kernel stops. Asked to forget it, it has nothing.
  const auto told = in_child([](Pipe& out) {
    out.write_byte(Ulid::generate() ? 1 : 0);
    if (!forbid_getrandom()) _exit(2);
    out.write_byte(Ulid::generate() ? 1 : 0);
    SystemEntropy::reseed();
    out.write_byte(Ulid::generate() ? 1 : 0);
    std::thread([&] { out.write_byte(Ulid::generate() ? 1 : 0); }).join();
  });
  EXPECT_EQ(told, (Bytes{1, 1, 0, 0}));
}

}  // namespace
}  // namespace tessera::detail
