#pragma once

// What each command does; one file each.

#include "args.h"
#include "exit.h"

namespace tessera::cli {

Exit run_new(const Args& args);
Exit new_short(const Args& args);  // a part of it
Exit run_inspect(const Args& args);
Exit run_convert(const Args& args);
Exit run_check(const Args& args);
Exit run_range(const Args& args);
Exit run_odds(const Args& args);
Exit run_name(const Args& args);
Exit run_segment(const Args& args);
Exit run_store(const Args& args);
Exit run_registry(const Args& args);
Exit run_serve(const Args& args);
Exit run_token(const Args& args);
Exit run_doctor(const Args& args);
Exit run_config(const Args& args);
Exit run_tour(const Args& args);
Exit run_completions(const Args& args);
Exit run_manual(const Args& args);
Exit run_help(const Args& args);

}  // namespace tessera::cli
