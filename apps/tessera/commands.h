#pragma once

// What each command does; one file each.

#include <cstdint>
#include <functional>
#include <span>

#include "args.h"
#include "exit.h"
#include "tessera/snowflake.h"

namespace tessera::cli {

Exit run_new(const Args& args);
Exit new_short(const Args& args);  // parts of it: these need a store
Exit new_long(const Args& args);
Exit new_leased(const Args& args, const SnowflakeLayout& layout, std::uint64_t count,
                const std::function<void(std::span<const Snowflake>)>& show);
Exit run_inspect(const Args& args);
Exit run_convert(const Args& args);
Exit run_check(const Args& args);
Exit run_range(const Args& args);
Exit run_odds(const Args& args);
Exit run_name(const Args& args);
Exit run_segment(const Args& args);
Exit run_lease(const Args& args);
Exit run_store(const Args& args);
Exit run_registry(const Args& args);
Exit run_migrate(const Args& args);
Exit run_contract(const Args& args);
Exit run_serve(const Args& args);
Exit run_token(const Args& args);
Exit run_doctor(const Args& args);
Exit run_config(const Args& args);
Exit run_tour(const Args& args);
Exit run_completions(const Args& args);
Exit run_manual(const Args& args);
Exit run_help(const Args& args);

}  // namespace tessera::cli
