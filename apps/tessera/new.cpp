// tessera new: makes IDs, one a line, as fast as they can be written.

#include <time.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "commands.h"
#include "moment.h"
#include "output.h"
#include "progress.h"
#include "tessera/form.h"
#include "tessera/kind.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/snowflake.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"
#include "types.h"

namespace tessera::cli {
namespace {

constexpr std::uint64_t kCountMax = std::uint64_t{1} << 62;
constexpr std::size_t kBatch = 256;  // with their text they stay in the fastest cache

// A clock that stands still, for --at.
class FixedClock final : public Clock {
 public:
  explicit FixedClock(std::uint64_t time_ms) noexcept : time_ms_(time_ms) {}
  std::uint64_t now_ms() noexcept override { return time_ms_; }

 private:
  std::uint64_t time_ms_;
};

// How an ID is to be printed.
struct Style {
  std::optional<Form> form;
  bool raw = false;
  bool json = false;
  char separator = '\n';
  std::string_view kind;    // for --json
  std::string_view prefix;  // for a typeid
};

// A time that the kind has no bits for was asked for by --at, or is the fault of the clock.
Exit mint_failed(MintError error, bool at_given) {
  if (at_given && error == MintError::time_out_of_range) {
    return usage_error("--at: the kind has no bits for that time");
  }
  if (at_given && (error == MintError::too_far_ahead || error == MintError::exhausted)) {
    return usage_error("--at: there are no more IDs for that time",
                       "Without --at the clock runs on, and there are.");
  }
  complain("could not make an ID: " + std::string(describe(error)));
  return Exit::io;
}

// The usual ways to print `bytes` whose own text is `text`.
void print(Output& out, const Style& style, std::span<const std::uint8_t> bytes,
           std::string_view text) {
  if (style.raw) {
    out.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return;
  }
  std::optional<Text<kFormTextSizeMax>> converted;
  if (style.form) {
    converted = form_text(*style.form, bytes, style.prefix);
    if (converted) text = converted->view();
  }
  if (style.json) {
    out.write("{\"kind\":\"");
    out.write(style.kind);
    out.write("\",\"text\":\"");
    out.write(text);  // no text of ours has a character that JSON escapes
    out.write("\"}");
  } else {
    out.write(text);
  }
  out.write({&style.separator, 1});
}

template <class Id>
void print_batch(Output& out, const Style& style, std::span<const Id> ids) {
  constexpr std::size_t kLine = Id::kTextSize + 1;
  const bool plain = !style.raw && !style.json && !style.form;
  if (!plain) {
    for (const Id& id : ids) print(out, style, id.bytes, id.text().view());
    return;
  }
  // Straight into the buffer, without a copy.
  const std::size_t size = ids.size() * kLine;
  const auto space = out.space(size);
  if constexpr (std::is_same_v<Id, Ulid>) {
    write_texts(ids, style.separator, space);
  } else {
    char* at = space.data();
    for (const Id& id : ids) {
      id.write_text(std::span<char, Id::kTextSize>(at, Id::kTextSize));
      at[Id::kTextSize] = style.separator;
      at += kLine;
    }
  }
  out.commit(size);
}

// `count` IDs by `fill`, which fills a span or says why not, printed by `print_ids`.
template <class Id, class Fill, class Print>
Exit stream(std::uint64_t count, bool at_given, Fill fill, Print print_ids) {
  Progress progress("making", count, Progress::Answers::are_streamed);
  std::vector<Id> ids(static_cast<std::size_t>(std::min<std::uint64_t>(count, kBatch)));
  for (std::uint64_t done = 0; done < count;) {
    const auto batch = std::span(ids).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(count - done, ids.size())));
    const Result<std::size_t, MintError> filled = fill(batch);
    if (!filled) return mint_failed(filled.error(), at_given);
    print_ids(std::span<const Id>(batch));
    done += batch.size();
    progress.update(done);
  }
  return Exit::good;
}

template <class Id, class Fill>
Exit stream(std::uint64_t count, const Style& style, bool at_given, Fill fill) {
  return stream<Id>(count, at_given, fill, [&](std::span<const Id> ids) {
    print_batch<Id>(Output::standard(), style, ids);
  });
}

// Calls `use` with a function that fills a span: of the process-wide generator, or with --at
// of one whose clock stands there.
template <class Mint, class Use>
Exit with_generator(
    std::optional<std::uint64_t> at_ms,
    Result<std::size_t, MintError> (*generate)(std::span<typename Mint::Id>) noexcept, Use use) {
  if (!at_ms) return use(generate);
  FixedClock clock(*at_ms);
  SystemEntropy entropy;
  Generator<Mint> generator(clock, entropy);
  return use([&](std::span<typename Mint::Id> out) { return generator.next(out); });
}

template <class Mint>
Exit stream_timed(
    std::uint64_t count, const Style& style, std::optional<std::uint64_t> at_ms,
    Result<std::size_t, MintError> (*generate)(std::span<typename Mint::Id>) noexcept) {
  return with_generator<Mint>(at_ms, generate, [&](auto fill) {
    return stream<typename Mint::Id>(count, style, at_ms.has_value(), fill);
  });
}

// A fill for kinds without a batch call, by one call for each.
template <class Next>
auto one_by_one(Next next) {
  return [next]<class Id>(std::span<Id> out) mutable -> Result<std::size_t, MintError> {
    for (Id& id : out) {
      const auto made = next();
      if (!made) return Failure{made.error()};
      id = *made;
    }
    return out.size();
  };
}

Exit new_named(const Args& args, Kind kind, const Style& style) {
  const auto name = args.value("name");
  const auto space = args.value("namespace");
  if (!name || !space) {
    return usage_error(std::string(name_of(kind)) + " is made from --namespace and --name",
                       "As in: tessera new uuidv5 --namespace dns --name www.example.com");
  }
  constexpr std::array<std::pair<std::string_view, Uuid>, 4> kSpaces = {{
      {"dns", uuid_namespace::kDns},
      {"url", uuid_namespace::kUrl},
      {"oid", uuid_namespace::kOid},
      {"x500", uuid_namespace::kX500},
  }};
  Uuid name_space;
  const auto known = std::ranges::find(kSpaces, *space, [](const auto& s) { return s.first; });
  if (known != kSpaces.end()) {
    name_space = known->second;
  } else {
    const auto parsed = Uuid::parse(*space);
    if (!parsed) {
      return usage_error("--namespace: " + describe(parsed.error(), *space),
                         "It is dns, url, oid, x500 or a UUID.");
    }
    name_space = *parsed;
  }
  const Uuid id =
      kind == Kind::uuidv3 ? Uuid::name_v3(name_space, *name) : Uuid::name_v5(name_space, *name);
  print(Output::standard(), style, id.bytes, id.text().view());
  return Exit::good;
}

Exit new_custom(const Args& args, std::uint64_t count, const Style& style) {
  if (const auto data = args.value("data")) {
    const auto bytes = hex::parse(*data);
    if (!bytes) {
      return usage_error("--data: " + describe(bytes.error(), *data), "It is 32 hex digits.");
    }
    const Uuid id = Uuid::custom_v8(*bytes);
    print(Output::standard(), style, id.bytes, id.text().view());
    return Exit::good;
  }
  return stream<Uuid>(count, style, false, [](std::span<Uuid> out) {
    auto filled = Uuid::generate_v4(out);
    for (Uuid& id : out) id = Uuid::custom_v8(id.bytes);
    return filled;
  });
}

// A snowflake generator may have to wait for its clock.
Result<Snowflake, MintError> next_snowflake(SnowflakeGenerator& generator, bool may_wait) {
  while (true) {
    const auto id = generator.next();
    if (id || id.error() != MintError::too_far_ahead || !may_wait) return id;
    const timespec pause{.tv_sec = 0, .tv_nsec = 100'000};
    ::nanosleep(&pause, nullptr);
  }
}

Exit new_snowflake(const Args& args, std::uint64_t count, const Style& style,
                   std::optional<std::uint64_t> at_ms) {
  const auto given = layout_of(args);
  if (!given) return given.error();
  const SnowflakeLayout& layout = *given;
  const auto show = [&](std::span<const Snowflake> ids) {
    for (const Snowflake& id : ids) {
      std::array<std::uint8_t, Snowflake::kSize> bytes{};
      detail::store_be<8>(bytes.data(), id.value);
      print(Output::standard(), style, bytes, id.text().view());
    }
  };
  if (args.has("store") || args.has("scope")) {
    for (const std::string_view flag : {"machine", "at"}) {
      if (args.has(flag)) {
        return usage_error("--" + std::string(flag) + ": the store says it, with the lease");
      }
    }
    return new_leased(args, layout, count, show);
  }
  const auto machine = args.number("machine", 0, layout.machine_max());
  if (!machine) return usage_error(machine.error().message, machine.error().hint);
  if (!*machine && layout.machine_bits > 0) {
    return usage_error("a snowflake needs the number of this machine: --machine N",
                       "No two machines, and no two processes, may use one number at a time; with "
                       "--store URL a store sees to it.");
  }
  SystemClock system_clock;
  FixedClock fixed_clock(at_ms.value_or(0));
  Clock& clock = at_ms ? static_cast<Clock&>(fixed_clock) : system_clock;
  SnowflakeGenerator generator(layout, machine->value_or(0), clock,
                               at_ms ? 0 : SnowflakeGenerator::kLeadMsMax);
  return stream<Snowflake>(count, at_ms.has_value(),
                           one_by_one([&] { return next_snowflake(generator, !at_ms); }), show);
}

Exit new_random(const Args& args, std::uint64_t count, const Style& style) {
  const auto bits = args.number("bits", 1, RandomId::kBitsMax);
  if (!bits) return usage_error(bits.error().message, bits.error().hint);
  const auto group = args.number("group", 1, 64);
  if (!group) return usage_error(group.error().message, group.error().hint);
  const auto size = static_cast<unsigned>(bits->value_or(120));
  const auto group_size = static_cast<std::size_t>(group->value_or(0));
  const std::string_view check_name = args.value_or("check", "1");
  const CheckCount check =
      check_name == "auto" ? check_count_for(size) : static_cast<CheckCount>(check_name[0] - '0');
  const auto symbols = args.has("plain") ? RandomId::Symbols::plain : RandomId::Symbols::any;
  const bool whole_bytes = size % 8 == 0;
  if ((style.form || style.raw) && !whole_bytes && style.form != Form::integer &&
      style.form != Form::crockford) {
    return usage_error("--form: " + std::to_string(size) + " bits are no whole bytes",
                       "Only int and crockford write them without adding some.");
  }
  if (style.form == Form::integer && !whole_bytes && size > 64) {
    return usage_error("--form: an int of " + std::to_string(size) +
                       " bits needs whole bytes, or at most 64 bits");
  }
  Style as_text = style;
  if (!whole_bytes) as_text.form.reset();  // the text is made here
  Output& out = Output::standard();
  Progress progress("making", count, Progress::Answers::are_streamed);
  for (std::uint64_t done = 0; done < count;) {
    const auto id = RandomId::generate(size, symbols);
    if (!id) return mint_failed(id.error(), false);
    if (style.form == Form::integer && !whole_bytes) {
      print(out, as_text, id->bytes(), Snowflake{*id->number()}.text().view());
    } else {
      print(out, as_text, id->bytes(),
            style.form == Form::crockford ? id->text().view() : id->text(check, group_size).view());
    }
    progress.update(++done);
  }
  return Exit::good;
}

Exit new_public(const Args& args, std::uint64_t count, Style style, bool as_typeid,
                std::optional<std::uint64_t> at_ms) {
  const auto type = public_type(args, as_typeid);
  if (!type) return type.error();
  style.prefix = type->prefix;
  const auto show = [&](const auto& ids) {
    for (const auto& id : ids) {
      const auto text = public_id::write(type->prefix, id.bytes, type->style, type->separator);
      print(Output::standard(), style, id.bytes, text.view());
    }
  };
  const bool at_given = at_ms.has_value();
  if (type->style == PublicStyle::ulid || type->style == PublicStyle::checked) {
    return with_generator<UlidMint>(at_ms, Ulid::generate, [&](auto fill) {
      return stream<Ulid>(count, at_given, fill, show);
    });
  }
  return with_generator<Uuidv7Mint>(at_ms, Uuid::generate_v7, [&](auto fill) {
    return stream<Uuid>(count, at_given, fill, show);
  });
}

// Flags that are for some kinds only. What would be passed over is refused.
struct Restricted {
  std::string_view flag;
  std::string_view kinds;
};
constexpr std::array kRestricted = {
    Restricted{"prefix", "public"},      Restricted{"type", "public"},
    Restricted{"style", "public"},       Restricted{"bits", "random short"},
    Restricted{"check", "random"},       Restricted{"group", "random short"},
    Restricted{"plain", "random"},       Restricted{"machine", "snowflake"},
    Restricted{"layout", "snowflake"},   Restricted{"namespace", "uuidv3 uuidv5"},
    Restricted{"name", "uuidv3 uuidv5"}, Restricted{"data", "uuidv8"},
    Restricted{"key-file", "short"},
};

std::optional<UsageError> check_flags(const Args& args, Kind kind) {
  const std::string name(name_of(kind));
  for (const auto& [flag, kinds] : kRestricted) {
    const auto allowed = split_words(kinds);
    if (args.has(flag) && std::ranges::find(allowed, name) == allowed.end()) {
      std::string words(kinds);
      if (const auto blank = words.find(' '); blank != words.npos) words.replace(blank, 1, " and ");
      return UsageError{"--" + std::string(flag) + " is for " + words + ", not for " + name, ""};
    }
  }
  const bool one_only = args.has("data") || args.has("name");
  if (one_only && args.has("count")) {
    return UsageError{"--count: the same " + name + " again and again is no use", ""};
  }
  if (args.has("raw") && (args.has("json") || args.has("form") || args.has("null"))) {
    return UsageError{"--raw writes bytes and nothing else, so no --json, --form or --null", ""};
  }
  if (args.value("form") == "bytes" && args.has("json")) {
    return UsageError{"--form bytes has no JSON", ""};
  }
  if (args.has("at") && !info_of(kind).has_time) {
    return UsageError{"--at: a " + name + " has no time in it", ""};
  }
  return std::nullopt;
}

// What would be passed over by new_long() is refused.
std::optional<UsageError> check_flags_of_long(const Args& args) {
  const auto refused = [](std::string_view flag) {
    return UsageError{"--" + std::string(flag) + " is not for long", ""};
  };
  for (const auto& [flag, kinds] : kRestricted) {
    if (args.has(flag)) return refused(flag);
  }
  for (const std::string_view flag : {"at", "form", "raw"}) {
    if (args.has(flag)) return refused(flag);
  }
  return std::nullopt;
}

Exit unknown_kind(std::string_view word) {
  if (word == "uuidv2") {
    return usage_error("nobody makes UUIDs of version 2 any more", "tessera inspect reads them.");
  }
  std::vector<std::string_view> names;
  for (const KindInfo& info : all_kinds()) names.push_back(info.name);
  const std::string_view near = nearest(word, names);
  return usage_error(
      "unknown kind '" + printable(word) + "'",
      near.empty() ? "tessera help kinds lists them." : "Did you mean " + std::string(near) + "?");
}

}  // namespace

Exit run_new(const Args& args) {
  if (args.positionals().empty()) {
    return usage_error("new takes a KIND", "As in: tessera new ulid");
  }
  const std::string_view word = args.positionals()[0];
  if (word == "long") {
    if (const auto error = check_flags_of_long(args)) {
      return usage_error(error->message, error->hint);
    }
    return new_long(args);
  }
  for (const std::string_view flag : {"scope", "store"}) {
    if (args.has(flag) && word != "short" && word != "snowflake")
      return usage_error("--" + std::string(flag) + " is for long, short and snowflake, not for " +
                         printable(word));
  }
  const bool as_typeid = word == "typeid";
  const auto kind = as_typeid ? Kind::public_id : kind_of(word);
  if (!kind) return unknown_kind(word);
  if (const auto error = check_flags(args, *kind)) return usage_error(error->message, error->hint);
  if (*kind == Kind::short_id) return new_short(args);
  const auto count = args.number("count", 1, kCountMax);
  if (!count) return usage_error(count.error().message, count.error().hint);
  const std::uint64_t how_many = count->value_or(1);

  std::optional<std::uint64_t> at_ms;
  if (const auto at = args.value("at")) {
    const auto now_ms = present_ms(args);
    if (!now_ms) return Exit::usage;
    const auto moment = parse_moment(*at, *now_ms);
    if (!moment) return usage_error("--at: '" + printable(*at) + "' is no time", kTimeHint);
    if (*moment < 0) return usage_error("--at: there are no IDs from before 1970");
    at_ms = static_cast<std::uint64_t>(*moment);
  }
  Style style;
  style.raw = args.has("raw");
  style.json = args.has("json");
  style.separator = args.has("null") ? '\0' : '\n';
  style.kind = name_of(*kind);
  if (const auto form = args.value("form")) {
    style.form = form_of(*form);
    const auto random_bits = args.number("bits", 1, RandomId::kBitsMax);
    constexpr std::array<std::uint8_t, RandomId::kSizeMax> kProbe{};
    const std::size_t size = *kind == Kind::ksuid       ? Ksuid::kSize
                             : *kind == Kind::objectid  ? ObjectId::kSize
                             : *kind == Kind::snowflake ? Snowflake::kSize
                             : *kind == Kind::random
                                 ? (random_bits ? (random_bits->value_or(120) + 7) / 8 : 1)
                                 : Uuid::kSize;
    if (!form_text(*style.form, std::span(kProbe).first(size))) {
      return usage_error("--form: a " + std::string(word) + " of " + std::to_string(size) +
                             " bytes has no " + std::string(*form),
                         "ulid, uuid and typeid are of 16 bytes.");
    }
    if (*style.form == Form::bytes) style.raw = true;
  }

  switch (*kind) {
    case Kind::ulid: return stream_timed<UlidMint>(how_many, style, at_ms, Ulid::generate);
    case Kind::uuidv1: return stream_timed<Uuidv1Mint>(how_many, style, at_ms, Uuid::generate_v1);
    case Kind::uuidv6: return stream_timed<Uuidv6Mint>(how_many, style, at_ms, Uuid::generate_v6);
    case Kind::uuidv7: return stream_timed<Uuidv7Mint>(how_many, style, at_ms, Uuid::generate_v7);
    case Kind::ksuid: return stream_timed<KsuidMint>(how_many, style, at_ms, Ksuid::generate);
    case Kind::uuidv4:
      return stream<Uuid>(how_many, style, false,
                          [](std::span<Uuid> out) { return Uuid::generate_v4(out); });
    case Kind::uuidv3:
    case Kind::uuidv5: return new_named(args, *kind, style);
    case Kind::uuidv8: return new_custom(args, how_many, style);
    case Kind::objectid: {
      FixedClock clock(at_ms.value_or(0));
      SystemEntropy entropy;
      ObjectIdGenerator generator(clock, entropy);
      return stream<ObjectId>(how_many, style, at_ms.has_value(), one_by_one([&] {
                                return at_ms ? generator.next() : ObjectId::generate();
                              }));
    }
    case Kind::snowflake: return new_snowflake(args, how_many, style, at_ms);
    case Kind::random: return new_random(args, how_many, style);
    case Kind::short_id: break;  // above
    case Kind::public_id: return new_public(args, how_many, style, as_typeid, at_ms);
  }
  return Exit::usage;
}

}  // namespace tessera::cli
