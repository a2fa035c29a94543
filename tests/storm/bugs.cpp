// Generators with a bug each. Most are right in one process, and wrong in a copy of it that
// they do not notice.

#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>

#include "kinds.h"
#include "tessera/system.h"
#include "tessera/ulid.h"

namespace storm {
namespace {

using tessera::MintError;

struct Pool {
  std::array<std::uint8_t, 4096> bytes{};
  std::size_t unread = 0;
  pid_t owner = 0;
};
thread_local constinit Pool pool;

bool take(std::span<std::uint8_t> out) noexcept {
  if (pool.unread < out.size()) {
    for (std::size_t at = 0; at < pool.bytes.size(); at += 256) {  // 256 bytes come at once or not
      if (getrandom(pool.bytes.data() + at, 256, 0) != 256) return false;
    }
    pool.unread = pool.bytes.size();
  }
  pool.unread -= out.size();
  std::memcpy(out.data(), pool.bytes.data() + pool.unread, out.size());
  return true;
}

struct SharedPool final : tessera::Entropy {
  [[nodiscard]] bool fill(std::span<std::uint8_t> out) noexcept override { return take(out); }
};

constinit std::atomic<bool> forget_on_fork{false};
const int registered = pthread_atfork(nullptr, nullptr, [] {
  if (forget_on_fork.load(std::memory_order_relaxed)) pool.unread = 0;
});

struct ForkHandlerPool final : tessera::Entropy {
  [[nodiscard]] bool fill(std::span<std::uint8_t> out) noexcept override {
    forget_on_fork.store(true, std::memory_order_relaxed);
    return registered == 0 && take(out);
  }
};

struct PidCheckPool final : tessera::Entropy {
  [[nodiscard]] bool fill(std::span<std::uint8_t> out) noexcept override {
    if (pool.owner != getpid()) {
      pool.unread = 0;
      pool.owner = getpid();
    }
    return take(out);
  }
};

template <class Entropy>
std::optional<MintError> mint_from(std::uint8_t* out) noexcept {
  static constinit std::atomic<std::uint64_t> last_tick{0};
  tessera::SystemClock clock;
  Entropy entropy;
  const auto id = tessera::detail::mint<tessera::UlidMint>(last_tick, clock, entropy);
  if (!id) return id.error();
  std::memcpy(out, id->bytes.data(), id->bytes.size());
  return std::nullopt;
}

std::optional<MintError> mint_in_thread_order(std::uint8_t* out) noexcept {
  thread_local constinit std::atomic<std::uint64_t> last_tick{0};
  tessera::SystemClock clock;
  tessera::SystemEntropy entropy;
  const auto id = tessera::detail::mint<tessera::UlidMint>(last_tick, clock, entropy);
  if (!id) return id.error();
  std::memcpy(out, id->bytes.data(), id->bytes.size());
  return std::nullopt;
}

// A fork in the middle of the setup leaves the child a guard that nobody will ever open.
std::optional<MintError> mint_after_guarded_setup(std::uint8_t* out) noexcept {
  static const int ready = usleep(5000);  // wide enough to be met every time
  return ready == 0 ? mint_from<tessera::SystemEntropy>(out) : MintError::no_entropy;
}

constexpr std::array kBugs = {
    Kind{"share-pool", 16, true, true, mint_from<SharedPool>},
    Kind{"fork-handler", 16, true, true, mint_from<ForkHandlerPool>},
    Kind{"pid-check", 16, true, true, mint_from<PidCheckPool>},
    Kind{"thread-tick", 16, true, true, mint_in_thread_order},
    Kind{"guarded-setup", 16, true, true, mint_after_guarded_setup},
};

}  // namespace

std::span<const Kind> all_bugs() noexcept { return kBugs; }

}  // namespace storm
