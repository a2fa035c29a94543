// tessera new long: numbers of a scope, drawn from a store.

#include "commands.h"
#include "numbers.h"
#include "output.h"
#include "settings.h"

namespace tessera::cli {

Exit new_long(const Args& args) {
  const auto scope = args.value("scope");
  if (!scope) {
    return usage_error("a long is drawn from a scope: --scope SCOPE",
                       "tessera segment list shows them.");
  }
  const auto config = load_settings(args);
  if (!config) return config.error();
  const auto store = open_segments(args, *config);
  if (!store) return store.error();
  return print_numbers(args, **store, *config, *scope, Numbers::each);
}

}  // namespace tessera::cli
