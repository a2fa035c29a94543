#include "kinds.h"

#include <array>
#include <atomic>
#include <cstring>
#include <new>

#include "tessera/detail/bytes.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/snowflake.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace storm {
namespace {

using tessera::MintError;

template <class Id, tessera::Result<Id, MintError> (*Generate)() noexcept>
std::optional<MintError> mint(std::uint8_t* out) noexcept {
  const auto id = Generate();
  if (!id) return id.error();
  std::memcpy(out, id->bytes.data(), id->bytes.size());
  return std::nullopt;
}

template <class Id, tessera::Result<std::size_t, MintError> (*Generate)(std::span<Id>) noexcept>
std::optional<MintError> mint_many(std::uint8_t* out, std::size_t count) noexcept {
  static_assert(sizeof(Id) == Id::kSize);
  std::array<Id, kBatchMax> ids;
  const auto done = Generate(std::span(ids).first(count));
  if (!done) return done.error();
  std::memcpy(out, ids.data(), count * sizeof(Id));
  return std::nullopt;
}

// Twelve bits of machine number, so that many children can have one of their own.
constexpr tessera::SnowflakeLayout kLayout{"storm", 1'704'067'200'000, 1, 41, 12, 10, false};

tessera::SystemClock clock;
constinit std::atomic<tessera::SnowflakeGenerator*> snowflakes{nullptr};

// One for each process down the line of forks, and no allocation, which a child may not do.
constexpr std::size_t kGenerationsMax = 8;
alignas(tessera::SnowflakeGenerator) constinit std::array<
    std::byte, kGenerationsMax * sizeof(tessera::SnowflakeGenerator)> generators{};
constinit std::atomic<std::size_t> generation{0};

void take_machine(std::uint64_t machine) noexcept {
  std::byte* place = generators.data() + generation++ * sizeof(tessera::SnowflakeGenerator);
  snowflakes.store(new (place) tessera::SnowflakeGenerator(kLayout, machine, clock));
}

std::optional<MintError> mint_snowflake(std::uint8_t* out) noexcept {
  const auto id = snowflakes.load(std::memory_order_relaxed)->next();
  if (!id) return id.error();
  tessera::detail::store_be<8>(out, id->value);
  return std::nullopt;
}

constexpr std::array kKinds = {
    Kind{"ulid", 16, true, true, mint<tessera::Ulid, tessera::Ulid::generate>,
         mint_many<tessera::Ulid, tessera::Ulid::generate>},
    Kind{"uuidv7", 16, true, true, mint<tessera::Uuid, tessera::Uuid::generate_v7>,
         mint_many<tessera::Uuid, tessera::Uuid::generate_v7>},
    Kind{"uuidv6", 16, true, true, mint<tessera::Uuid, tessera::Uuid::generate_v6>,
         mint_many<tessera::Uuid, tessera::Uuid::generate_v6>},
    Kind{"uuidv4", 16, false, false, mint<tessera::Uuid, tessera::Uuid::generate_v4>,
         mint_many<tessera::Uuid, tessera::Uuid::generate_v4>},
    Kind{"ksuid", 20, true, true, mint<tessera::Ksuid, tessera::Ksuid::generate>,
         mint_many<tessera::Ksuid, tessera::Ksuid::generate>},
    // The random part, new in a child, stands above the counter.
    Kind{"objectid", 12, true, false, mint<tessera::ObjectId, tessera::ObjectId::generate>},
    Kind{"snowflake", 8, true, false, mint_snowflake, nullptr, take_machine},
};

}  // namespace

std::span<const Kind> all_kinds() noexcept { return kKinds; }

const Kind* find_kind(std::span<const Kind> kinds, std::string_view name) noexcept {
  for (const auto& kind : kinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace storm
