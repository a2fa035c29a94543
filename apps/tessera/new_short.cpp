// tessera new short: numbers of a scope, enciphered.

#include <string>

#include "commands.h"
#include "numbers.h"
#include "output.h"
#include "settings.h"
#include "short_key.h"
#include "tessera/parse_error.h"
#include "tessera/segment/short_ids.h"
#include "tessera/short_cipher.h"

namespace tessera::cli {
namespace {

// What --scope, --bits and the file say between them.
Result<ShortSpace, Exit> space_of(const Args& args, const Config& config) {
  const auto scope = args.value("scope");
  if (!scope) {
    return Failure{usage_error("a short ID is drawn from a scope: --scope SCOPE",
                               "As in: tessera new short --scope VOUCHER --bits 40")};
  }
  const auto bits = args.number("bits", ShortId::kBitsMin, ShortId::kBitsMax);
  if (!bits) return Failure{usage_error(bits.error().message, bits.error().hint)};
  ShortSpace space{.scope = std::string(*scope)};
  const ScopeConfig* declared = config.find_scope(*scope);
  if (declared != nullptr && declared->bits == 0) {
    return Failure{usage_error("scope '" + printable(*scope) + "' is declared without bits",
                               "Only a scope with bits is one of short IDs.")};
  }
  if (declared != nullptr) {
    space.bits = declared->bits;
    space.size = static_cast<std::uint64_t>(declared->max) + 1;
    if (*bits && **bits != space.bits) {
      return Failure{usage_error("--bits: scope '" + printable(*scope) + "' is declared with " +
                                 std::to_string(space.bits))};
    }
  } else if (*bits) {
    space.bits = static_cast<unsigned>(**bits);
  } else {
    return Failure{usage_error("how short is a short ID of scope '" + printable(*scope) + "'?",
                               "Say it with --bits, or declare the scope in tessera.yaml.")};
  }
  return space;
}

Scope scope_for(const Config& config, const ShortSpace& space) {
  if (const ScopeConfig* declared = config.find_scope(space.scope)) {
    return scope_of(config, *declared);
  }
  return ShortIds::scope_of(space);
}

}  // namespace

Exit new_short(const Args& args) {
  for (const std::string_view flag : {"form", "raw"}) {
    if (args.has(flag)) return usage_error("--" + std::string(flag) + " is not for short");
  }
  const auto group = args.number("group", 1, 64);
  if (!group) return usage_error(group.error().message, group.error().hint);
  const auto config = load_settings(args);
  if (!config) return config.error();
  const auto space = space_of(args, *config);
  if (!space) return space.error();
  const auto key = read_short_key(args, *config);
  if (!key) return key.error();
  const auto cipher = ShortCipher::make(*space, *key);
  if (!cipher) return complain_of(cipher.error());
  const auto store = open_segments(args, *config);
  if (!store) return store.error();
  // Makes it, or finds it as it was declared: other bits would be another order.
  const auto scope = (*store)->scopes().create(scope_for(*config, *space));
  if (!scope) return complain_of(scope.error());
  if (const auto other = bind_key((*store)->scopes(), space->scope, *cipher)) {
    return complain_of(*other);
  }

  Output& out = Output::standard();
  const auto group_size = static_cast<std::size_t>(group->value_or(0));
  const char separator = args.has("null") ? '\0' : '\n';
  const bool json = args.has("json");
  return draw_numbers(args, **store, *config, space->scope, [&](const Draw& draw) {
    for (std::uint64_t number = draw.segment.first; number != draw.segment.end; ++number) {
      const auto id = cipher->encrypt(number);
      if (json) out.write("{\"kind\":\"short\",\"text\":\"");
      out.write(id->text(group_size).view());  // the scope ends where the space does
      if (json) out.write("\"}");
      out.write({&separator, 1});
    }
  });
}

}  // namespace tessera::cli
