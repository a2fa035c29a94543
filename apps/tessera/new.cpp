// tessera new: makes IDs, one a line, as fast as they can be written.

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
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
constexpr std::size_t kBatch = 1024;

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
  std::string kind;  // for --json
};

Exit mint_failed(MintError error) {
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
  std::string converted;
  if (style.form) {
    converted = write_form(*style.form, bytes).value_or("");
    text = converted;
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

// `count` IDs by `fill`, which fills a span or says why not.
template <class Id>
Exit stream(std::uint64_t count, const Style& style,
            const std::function<Result<std::size_t, MintError>(std::span<Id>)>& fill) {
  Output& out = Output::standard();
  Progress progress("making", count);
  std::vector<Id> ids(static_cast<std::size_t>(std::min<std::uint64_t>(count, kBatch)));
  for (std::uint64_t done = 0; done < count;) {
    const auto batch = std::span(ids).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(count - done, ids.size())));
    const auto filled = fill(batch);
    if (!filled) return mint_failed(filled.error());
    print_batch<Id>(out, style, batch);
    done += batch.size();
    progress.update(done);
  }
  return Exit::good;
}

// The process-wide generator, or with --at one whose clock stands there.
template <class Mint>
Exit stream_timed(std::uint64_t count, const Style& style, std::optional<std::uint64_t> at_ms,
                  Result<std::size_t, MintError> (*generate)(std::span<typename Mint::Id>) noexcept) {
  using Id = typename Mint::Id;
  if (!at_ms) return stream<Id>(count, style, generate);
  FixedClock clock(*at_ms);
  SystemEntropy entropy;
  Generator<Mint> generator(clock, entropy);
  return stream<Id>(count, style, [&](std::span<Id> out) { return generator.next(out); });
}

// Kinds without a batch call, one at a time.
template <class Id, class Next>
Exit stream_single(std::uint64_t count, const Style& style, Next next) {
  return stream<Id>(count, style, [&](std::span<Id> out) -> Result<std::size_t, MintError> {
    for (Id& id : out) {
      const auto made = next();
      if (!made) return Failure{made.error()};
      id = *made;
    }
    return out.size();
  });
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
  const Uuid id = kind == Kind::uuidv3 ? Uuid::name_v3(name_space, *name)
                                       : Uuid::name_v5(name_space, *name);
  print(Output::standard(), style, id.bytes, id.text().view());
  return Exit::good;
}

Exit new_custom(const Args& args, std::uint64_t count, const Style& style) {
  if (const auto data = args.value("data")) {
    const auto bytes = hex::parse(*data);
    if (!bytes) return usage_error("--data: " + describe(bytes.error(), *data), "It is 32 hex digits.");
    const Uuid id = Uuid::custom_v8(*bytes);
    print(Output::standard(), style, id.bytes, id.text().view());
    return Exit::good;
  }
  return stream<Uuid>(count, style, [](std::span<Uuid> out) {
    auto filled = Uuid::generate_v4(out);
    for (Uuid& id : out) id = Uuid::custom_v8(id.bytes);
    return filled;
  });
}

Exit new_snowflake(const Args& args, std::uint64_t count, Style style,
                   std::optional<std::uint64_t> at_ms) {
  const SnowflakeLayout* layout = find_snowflake_layout(args.value_or("layout", "twitter"));
  const auto machine = args.number("machine", 0, layout->machine_max());
  if (!machine) return usage_error(machine.error().message, machine.error().hint);
  if (!*machine && layout->machine_bits > 0) {
    return usage_error("a snowflake needs the number of this machine: --machine N",
                       "No two machines, and no two processes, may use one number at a time.");
  }
  SystemClock system_clock;
  FixedClock fixed_clock(at_ms.value_or(0));
  Clock& clock = at_ms ? static_cast<Clock&>(fixed_clock) : system_clock;
  SnowflakeGenerator generator(*layout, machine->value_or(0), clock,
                               at_ms ? 0 : SnowflakeGenerator::kLeadMsMax);
  Output& out = Output::standard();
  Progress progress("making", count);
  for (std::uint64_t done = 0; done < count;) {
    const auto id = generator.next();
    if (!id && id.error() == MintError::too_far_ahead && !at_ms) continue;  // the clock runs
    if (!id) return mint_failed(id.error());
    std::array<std::uint8_t, Snowflake::kSize> bytes{};
    detail::store_be<8>(bytes.data(), id->value);
    print(out, style, bytes, id->text().view());
    progress.update(++done);
  }
  return Exit::good;
}

Exit new_random(const Args& args, std::uint64_t count, const Style& style) {
  const auto bits = args.number("bits", 1, RandomId::kBitsMax);
  if (!bits) return usage_error(bits.error().message, bits.error().hint);
  const auto group = args.number("group", 1, 64);
  if (!group) return usage_error(group.error().message, group.error().hint);
  const auto size = static_cast<unsigned>(bits->value_or(120));
  const std::string_view check_name = args.value_or("check", "1");
  const CheckCount check = check_name == "auto" ? check_count_for(size)
                                                : static_cast<CheckCount>(check_name[0] - '0');
  const auto symbols = args.has("plain") ? RandomId::Symbols::plain : RandomId::Symbols::any;
  Output& out = Output::standard();
  Progress progress("making", count);
  for (std::uint64_t done = 0; done < count;) {
    const auto id = RandomId::generate(size, symbols);
    if (!id) return mint_failed(id.error());
    const auto text = id->text(check, static_cast<std::size_t>(group->value_or(0)));
    print(out, style, id->bytes(), text.view());
    progress.update(++done);
  }
  return Exit::good;
}

Exit new_public(const Args& args, std::uint64_t count, Style style,
                std::optional<std::uint64_t> at_ms) {
  ResourceType type;
  if (const auto name = args.value("type")) {
    const auto types = load_types(args);
    if (!types) return types.error();
    const ResourceType* declared = types->table.find_by_name(*name);
    if (declared == nullptr) declared = types->table.find_by_prefix(*name);
    if (declared == nullptr) {
      return usage_error("no type '" + printable(*name) + "' is declared",
                         "tessera config check lists the types of the configuration.");
    }
    type = *declared;
  } else if (const auto prefix = args.value("prefix")) {
    type.prefix = *prefix;
    type.style = *public_style_of(args.value_or("style", "ulid"));
    if (const auto fault = prefix_fault(*prefix);
        fault && !(prefix->empty() && type.style == PublicStyle::type_id)) {
      return usage_error("bad prefix '" + printable(*prefix) + "'",
                         error_text(ParseError::Code::invalid_prefix).hint);
    }
  } else {
    return usage_error("a public ID needs --prefix or --type",
                       "As in: tessera new public --prefix ord");
  }
  const bool ulid = type.style == PublicStyle::ulid || type.style == PublicStyle::checked;
  Output& out = Output::standard();
  FixedClock clock(at_ms.value_or(0));
  SystemEntropy entropy;
  UlidGenerator ulids(clock, entropy);
  Uuidv7Generator uuids(clock, entropy);
  Progress progress("making", count);
  const auto show = [&](const Bytes16& body) {
    const auto text = public_id::write(type.prefix, body, type.style, type.separator);
    print(out, style, body, text.view());
  };
  for (std::uint64_t done = 0; done < count;) {
    if (ulid) {
      const auto id = at_ms ? ulids.next() : Ulid::generate();
      if (!id) return mint_failed(id.error());
      show(id->bytes);
    } else {
      const auto id = at_ms ? uuids.next() : Uuid::generate_v7();
      if (!id) return mint_failed(id.error());
      show(id->bytes);
    }
    progress.update(++done);
  }
  return Exit::good;
}

}  // namespace

Exit run_new(const Args& args) {
  if (args.positionals().size() != 1) {
    return usage_error("new takes one KIND", "As in: tessera new ulid");
  }
  const std::string_view word = args.positionals()[0];
  const auto kind = kind_of(word);
  if (!kind) {
    std::vector<std::string_view> names;
    for (const KindInfo& info : all_kinds()) names.push_back(info.name);
    const std::string_view near = nearest(word, names);
    return usage_error("unknown kind '" + printable(word) + "'",
                       near.empty() ? "tessera help kinds lists them."
                                    : "Did you mean " + std::string(near) + "?");
  }
  const auto count = args.number("count", 1, kCountMax);
  if (!count) return usage_error(count.error().message, count.error().hint);
  const std::uint64_t how_many = count->value_or(1);

  std::optional<std::uint64_t> at_ms;
  if (const auto at = args.value("at")) {
    const auto moment = parse_moment(*at, current_ms());
    if (!moment || *moment < 0) {
      return usage_error("--at: '" + printable(*at) + "' is no time",
                         "As in 2026-01-31, 2026-01-31T09:00Z, 1767225600 or -7d.");
    }
    if (!info_of(*kind).has_time) {
      return usage_error("--at: a " + std::string(name_of(*kind)) + " has no time in it");
    }
    at_ms = static_cast<std::uint64_t>(*moment);
  }
  Style style;
  style.raw = args.has("raw");
  style.json = args.has("json");
  style.separator = args.has("null") ? '\0' : '\n';
  style.kind = name_of(*kind);
  if (const auto form = args.value("form")) {
    style.form = form_of(*form);
    constexpr std::array<std::uint8_t, Ksuid::kSize> kProbe{};
    const std::size_t size = *kind == Kind::ksuid      ? Ksuid::kSize
                             : *kind == Kind::objectid ? ObjectId::kSize
                             : *kind == Kind::snowflake ? Snowflake::kSize
                                                        : Uuid::kSize;
    if (!write_form(*style.form, std::span(kProbe).first(size))) {
      return usage_error("--form: a " + std::string(name_of(*kind)) + " does not fit in form " +
                         std::string(*form));
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
      return stream<Uuid>(how_many, style, [](std::span<Uuid> out) { return Uuid::generate_v4(out); });
    case Kind::uuidv3:
    case Kind::uuidv5: return new_named(args, *kind, style);
    case Kind::uuidv8: return new_custom(args, how_many, style);
    case Kind::objectid: {
      FixedClock clock(at_ms.value_or(0));
      SystemEntropy entropy;
      ObjectIdGenerator generator(clock, entropy);
      return stream_single<ObjectId>(how_many, style,
                                     [&] { return at_ms ? generator.next() : ObjectId::generate(); });
    }
    case Kind::snowflake: return new_snowflake(args, how_many, style, at_ms);
    case Kind::random: return new_random(args, how_many, style);
    case Kind::public_id: return new_public(args, how_many, style, at_ms);
  }
  return Exit::usage;
}

}  // namespace tessera::cli
