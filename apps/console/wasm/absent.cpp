// What a web page has not: stores, files, a terminal. Commands that need them say so.

#include <string>

#include "commands.h"
#include "output.h"
#include "terminal.h"

namespace tessera::cli {
namespace {

Exit needs_a_machine(std::string_view command) {
  return usage_error("tessera " + std::string(command) + " does not run in a web page",
                     "Type it on a command line.");
}

}  // namespace

Exit new_short(const Args&) { return needs_a_machine("new short"); }
Exit new_long(const Args&) { return needs_a_machine("new long"); }
Exit new_leased(const Args&, const SnowflakeLayout&, std::uint64_t,
                const std::function<void(std::span<const Snowflake>)>&) {
  return needs_a_machine("new snowflake --store");
}
Exit run_lease(const Args&) { return needs_a_machine("lease"); }
Exit run_segment(const Args&) { return needs_a_machine("segment"); }
Exit run_store(const Args&) { return needs_a_machine("store"); }
Exit run_registry(const Args&) { return needs_a_machine("registry"); }
Exit run_migrate(const Args&) { return needs_a_machine("migrate"); }
Exit run_contract(const Args&) { return needs_a_machine("contract"); }
Exit run_serve(const Args&) { return needs_a_machine("serve"); }
Exit run_token(const Args&) { return needs_a_machine("token"); }
Exit run_doctor(const Args&) { return needs_a_machine("doctor"); }
Exit run_config(const Args&) { return needs_a_machine("config"); }
Exit run_tour(const Args&) { return needs_a_machine("tour"); }
Exit run_completions(const Args&) { return needs_a_machine("completions"); }
Exit run_manual(const Args&) { return needs_a_machine("manual"); }

std::size_t terminal_width(int) noexcept { return 80; }

}  // namespace tessera::cli
