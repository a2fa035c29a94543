// tessera new snowflake, with a machine number that a store has leased.

#include <algorithm>
#include <string>
#include <vector>

#include "commands.h"
#include "numbers.h"
#include "output.h"
#include "progress.h"
#include "settings.h"
#include "tessera/lease/leased_snowflakes.h"
#include "tessera/system.h"

namespace tessera::cli {

Exit new_leased(const Args& args, const SnowflakeLayout& layout, std::uint64_t count,
                const std::function<void(std::span<const Snowflake>)>& show) {
  const auto config = load_settings(args);
  if (!config) return config.error();
  const auto leases = open_leases(args, *config);
  if (!leases) return leases.error();

  using std::chrono::seconds;
  constexpr seconds kPatience(30);
  constexpr std::size_t kBatch = 4096;
  SnowflakeLeaseOptions options;
  options.scope = args.value_or("scope", "");
  options.holder = holder_name();
  // Short, so that the number of a program that has ended is soon free again.
  options.terms = {.ttl = seconds(10), .reserve = seconds(2), .quarantine = seconds(1)};
  SystemBootClock clock;
  LeasedSnowflakes ids(layout, **leases, clock, options);
  Progress progress("making", count, Progress::Answers::are_streamed);
  std::vector<Snowflake> batch(static_cast<std::size_t>(std::min<std::uint64_t>(count, kBatch)));
  for (std::uint64_t done = 0; done < count;) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(count - done, kBatch));
    const auto made = ids.next(std::span(batch).first(size), kPatience);
    if (!made) {
      Output::standard().flush();
      return complain_of(made.error());
    }
    show(std::span(batch).first(size));
    done += size;
    progress.update(done);
  }
  return Exit::good;
}

}  // namespace tessera::cli
