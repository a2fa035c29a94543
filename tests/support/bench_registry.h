#pragma once

// What benchmarks of registries share: where they are, and where their numbers come from.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "support/servers.h"
#include "tessera/registry/registry.h"

namespace tessera::bench {

// Numbers that cost nothing.
struct Counter final : NumberSource {
  std::atomic<std::int64_t> last{0};

  Result<std::vector<std::int64_t>, Error> keys(std::string_view, std::size_t count) override {
    std::vector<std::int64_t> keys(count);
    for (auto& key : keys) key = ++last;
    return keys;
  }
  Result<std::uint64_t, Error> short_number(const RegisteredType&) override {
    return static_cast<std::uint64_t>(++last);
  }
};

// Of an empty database; a file lies in `folder`.
inline std::string url_of(const std::string& engine, const servers::TemporaryFolder& folder) {
  if (engine == "postgres") return servers::postgres().fresh_database();
  if (engine == "mariadb") return servers::mariadb().fresh_database();
  return "sqlite:" + folder / "registry.db";
}

// tools/run_bench sets it: tables of real sizes.
inline bool is_large() {
  const char* large = std::getenv("TESSERA_BENCH_LARGE");
  return large != nullptr && *large == '1';
}

}  // namespace tessera::bench
