// A script of what clock and entropy do, two bytes a step, between calls to every generator:
// whatever they do, IDs strictly increase, and a call that fails changes nothing.

#include <limits>
#include <type_traits>
#include <utility>

#include "support/fuzz.h"
#include "tessera/generator.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/snowflake.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

constexpr std::uint64_t kStartMs = 1'794'700'800'000;  // 2026-11-15

struct ScriptedClock final : Clock {
  std::uint64_t time_ms = kStartMs;
  std::uint64_t now_ms() noexcept override { return time_ms; }
};

// The same byte again and again: the worst that is still let through.
struct ScriptedEntropy final : Entropy {
  std::uint8_t byte = 0;
  bool works = true;
  [[nodiscard]] bool fill(std::span<std::uint8_t> out) noexcept override {
    std::ranges::fill(out, byte);
    return works;
  }
};

// Edges of the kinds' times: the last second of each, and what lies around it.
constexpr std::array<std::uint64_t, 10> kEdgesMs = {
    0,
    1,
    Ksuid::kEpochS * 1000,
    Ksuid::kEpochS * 1000 - 1,
    Ksuid::kTimeSMax * 1000,
    ObjectId::kTimeSMax * 1000,
    Ulid::kTimeMsMax,
    Ulid::kTimeMsMax + 1,
    snowflake_layouts::kJs53.time_ms_max(),
    std::numeric_limits<std::uint64_t>::max(),
};

template <class Generator>
class Watched {
  using Id = std::remove_cvref_t<decltype(*std::declval<Generator&>().next())>;

 public:
  template <class... Arguments>
  explicit Watched(Arguments&&... arguments) : generator_(std::forward<Arguments>(arguments)...) {}

  void mint() {
    if (const auto id = generator_.next()) above_last(*id);
  }

  // In one call, where there is such a call.
  void mint_many(std::size_t count) {
    if constexpr (requires(std::span<Id> out) { generator_.next(out); }) {
      std::vector<Id> ids(count);
      if (!generator_.next(std::span(ids))) return;
      for (const Id& id : ids) above_last(id);
    } else {
      for (; count > 0; --count) mint();
    }
  }

 private:
  void above_last(const Id& id) {
    require(!last_ || *last_ < id);
    last_ = id;
  }

  Generator generator_;
  std::optional<Id> last_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ScriptedClock clock;
  ScriptedEntropy entropy;
  Watched<UlidGenerator> ulids(clock, entropy);
  Watched<Uuidv6Generator> uuidv6s(clock, entropy);
  Watched<Uuidv7Generator> uuidv7s(clock, entropy);
  Watched<KsuidGenerator> ksuids(clock, entropy);
  Watched<ObjectIdGenerator> objectids(clock, entropy);
  Watched<SnowflakeGenerator> snowflakes(snowflake_layouts::kJs53, 7u, clock);
  Watched<SnowflakeGenerator> sonyflakes(snowflake_layouts::kSonyflake, 7u, clock, 20u);

  for (std::size_t i = 0; i + 1 < size && i < 512; i += 2) {
    const std::uint8_t how_much = data[i + 1];
    std::size_t count = 1;
    switch (data[i] % 7) {
      case 0: break;  // the clock stands still
      case 1: clock.time_ms += how_much; break;
      case 2: clock.time_ms -= std::uint64_t{1} << how_much % 42; break;
      case 3: clock.time_ms = kEdgesMs[how_much % kEdgesMs.size()]; break;
      case 4: entropy.works = how_much % 2 != 0; break;
      case 5: count = 2 * how_much; break;
      case 6: entropy.byte = how_much; break;
    }
    const auto mint = [count](auto&... watched) {
      count == 1 ? (watched.mint(), ...) : (watched.mint_many(count), ...);
    };
    mint(ulids, uuidv6s, uuidv7s, ksuids, objectids, snowflakes, sonyflakes);
  }
  return 0;
}
