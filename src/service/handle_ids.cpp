// POST /v1/ids: IDs that nobody keeps, and numbers.

#include <algorithm>
#include <array>

#include "service/handlers.h"
#include "service/id_source.h"
#include "service/json_body.h"
#include "tessera/mint_error.h"
#include "tessera/parse_error.h"
#include "tessera/snowflake.h"
#include "tessera/spelling.h"

namespace tessera::service {
namespace {

constexpr std::uint64_t kCountMax = 1'000'000;
constexpr std::uint64_t kHeldCountMax = 10'000;  // short IDs and snowflakes are held in memory
constexpr std::uint64_t kWholeMax = 1000;        // longer answers are streamed

constexpr std::array<std::string_view, 9> kKeys = {"kind", "count", "type",  "prefix", "style",
                                                   "bits", "check", "scope", "layout"};
constexpr std::string_view kLong = "long";

struct Restricted {
  std::string_view key;
  std::string_view kinds;
};
constexpr std::array kRestricted = {
    Restricted{"type", "public"},      Restricted{"prefix", "public"},
    Restricted{"style", "public"},     Restricted{"bits", "random"},
    Restricted{"check", "random"},     Restricted{"scope", "short long"},
    Restricted{"layout", "snowflake"},
};

void refuse_kind(JsonBody& body, std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {"ulid",   "uuidv1",    "uuidv4",   "uuidv6",
                                                       "uuidv7", "ksuid",     "objectid", "random",
                                                       "public", "snowflake", "short",    "long"};
  std::string detail = "there is no kind '" + printable(name) + "'";
  std::string hint;
  const auto kind = kind_of(name);
  if (kind) {
    detail = "a " + std::string(name_of(*kind)) + " is made of something that only you have";
    hint = "Make it yourself: the library and the command line do.";
  } else if (const auto near = nearest(name, kNames); !near.empty()) {
    hint = "Did you mean '" + std::string(near) + "'?";
  }
  body.refuse(Fault::unsupported_kind, "kind", std::move(detail), std::move(hint));
}

// The kind as it is named: lower case, one name each.
void read_kind(JsonBody& body, std::string_view name, WantedIds& wanted) {
  const auto kind = kind_of(name);
  if (!kind || name_of(*kind) != name || *kind == Kind::uuidv3 || *kind == Kind::uuidv5 ||
      *kind == Kind::uuidv8) {
    refuse_kind(body, name);
    return;
  }
  wanted.kind = *kind;
}

void read_type(JsonBody& body, const TypeTable& types, WantedIds& wanted) {
  const auto name = body.text("type");
  const auto prefix = body.text("prefix");
  const auto style = body.text("style");
  if (name) {
    const ResourceType* type = types.find_by_name(*name);
    if (prefix || style) {
      body.refuse(Fault::unknown_field, prefix ? "prefix" : "style", "'type' says it all");
    } else if (type == nullptr) {
      body.refuse(Fault::out_of_range, "type", "there is no type '" + printable(*name) + "'",
                  "GET /v1/types lists them.");
    } else {
      wanted.type = *type;
    }
    return;
  }
  if (!prefix) {
    body.refuse(Fault::missing_field, "type", "a public ID needs a type or a prefix");
    return;
  }
  if (prefix_fault(*prefix)) {
    body.refuse(Fault::out_of_range, "prefix", "bad prefix '" + printable(*prefix) + "'",
                std::string(error_text(ParseError::Code::invalid_prefix).hint));
    return;
  }
  wanted.type.prefix = *prefix;
  if (!style) return;
  const auto known = public_style_of(*style);
  if (known) {
    wanted.type.style = *known;
  } else {
    body.refuse(Fault::out_of_range, "style", "there is no style '" + printable(*style) + "'",
                "There are ulid, typeid, base36 and checked.");
  }
}

// Which of them, if the service makes any.
void read_layout(JsonBody& body, Snowflakes* snowflakes, WantedIds& wanted) {
  const std::string_view name = body.text("layout").value_or("twitter");
  if (snowflakes == nullptr) return;
  const auto found = snowflakes->find(name);
  if (found) {
    wanted.series = *found;
  } else {
    body.refuse(Fault::out_of_range, "layout", found.error().message, found.error().hint);
  }
}

// What was asked for; `scope` is set for kinds that are drawn from one.
void read(JsonBody& body, const Installation& on, WantedIds& wanted, std::string_view& scope,
          std::string_view& kind) {
  kind = body.has("type") || body.has("prefix") ? "public" : "ulid";
  if (const auto named = body.text("kind")) kind = *named;
  if (kind != kLong) read_kind(body, kind, wanted);
  for (const auto& [key, kinds] : kRestricted) {
    if (body.has(key) && kinds.find(kind) == kinds.npos) {
      body.refuse(Fault::unknown_field, key,
                  "'" + std::string(key) + "' is for " + std::string(kinds) + ", not for " +
                      printable(kind));
    }
  }
  const bool held = wanted.kind == Kind::short_id || wanted.kind == Kind::snowflake;
  const std::uint64_t count_max = held ? kHeldCountMax : kCountMax;
  wanted.count = body.number("count", 1, count_max).value_or(1);
  if (wanted.kind == Kind::public_id) read_type(body, on.ids->types(), wanted);
  if (wanted.kind == Kind::snowflake) read_layout(body, on.snowflakes, wanted);
  wanted.bits = static_cast<unsigned>(body.number("bits", 1, RandomId::kBitsMax).value_or(120));
  wanted.check = static_cast<CheckCount>(body.number("check", 1, 3).value_or(1));
  if (kind == kLong || wanted.kind == Kind::short_id) {
    body.require("scope");
    scope = body.text("scope").value_or("");
  }
}

// Draws what is drawn from a scope. Null: the answer is set, or must wait.
std::unique_ptr<IdSource> draw(Call& call, const WantedIds& wanted, std::string_view scope,
                               bool is_long, Outcome& outcome) {
  IdService& ids = *call.on.ids;
  const SegmentAllocator* allocator = ids.allocator(scope);
  const bool strict = allocator != nullptr && allocator->order() == Scope::Order::strict;
  const bool may_wait = call.request.may_wait;
  // More than one may be left over where the first segment ends: that is for who may wait.
  if (!may_wait && (strict || wanted.count > 1)) {
    outcome = Outcome::must_wait;
    return nullptr;
  }
  const auto wait = may_wait ? IdService::kWait : std::chrono::milliseconds(0);
  const auto failed = [&](const Error& error) -> std::unique_ptr<IdSource> {
    if (!may_wait && error.code == Error::Code::timed_out) {
      outcome = Outcome::must_wait;
    } else {
      set_problem(call.answer, error);
    }
    return nullptr;
  };
  if (is_long) {
    auto numbers = ids.next_longs(scope, wanted.count, wait);
    if (!numbers) return failed(numbers.error());
    return make_source(*std::move(numbers), call.media);
  }
  auto shorts = ids.next_shorts(scope, wanted.count, wait);
  if (!shorts) return failed(shorts.error());
  return make_source(*std::move(shorts), call.media);
}

// Makes what is made with a machine number. Null: the answer is set, or must wait.
std::unique_ptr<IdSource> lease(Call& call, const WantedIds& wanted, Outcome& outcome) {
  if (call.on.snowflakes == nullptr) {
    set_problem(call.answer, Fault::unsupported_kind,
                "a snowflake needs a machine number, and this service has no store to lease one",
                "Ask for a ulid.");
    return nullptr;
  }
  const bool may_wait = call.request.may_wait;
  std::vector<Snowflake> ids(static_cast<std::size_t>(wanted.count));
  const auto wait = may_wait ? LeasedSnowflakes::kWait : std::chrono::milliseconds(0);
  const auto made = call.on.snowflakes->next(*wanted.series, ids, wait);
  if (made) return make_source(std::move(ids), call.media);
  if (may_wait) {
    set_problem(call.answer, made.error());
  } else {
    outcome = Outcome::must_wait;
  }
  return nullptr;
}

}  // namespace

Outcome mint_ids(Call& call) {
  WantedIds wanted;
  std::string_view scope;
  std::string_view kind = "ulid";
  std::optional<JsonBody> body;  // the views above are into it
  if (!call.request.body.empty()) {
    body.emplace(call.request.body, kKeys);
    read(*body, call.on, wanted, scope, kind);
    if (body->fault() != nullptr) return answer_problem(call, *body->fault());
  }
  if (!call.on.ids->enabled()) {
    return answer_problem(call, Error{Error::Code::closed, "this service is switched off", ""});
  }

  const bool is_long = kind == kLong;
  const bool is_snowflake = wanted.kind == Kind::snowflake;
  std::unique_ptr<IdSource> source;
  if (is_long || is_snowflake || wanted.kind == Kind::short_id) {
    if (call.media == Media::bytes) {
      return answer_problem(call, Fault::not_acceptable,
                            "a " + std::string(kind) + " has no bytes of its own");
    }
    if (is_long && (!call.request.internal || !call.may(Ability::segments))) {
      return answer_problem(call, Fault::forbidden, "numbers are for our own services",
                            "Ask the internal listener, with a token that may take segments.");
    }
    if (is_snowflake && !call.request.internal) {
      return answer_problem(call, Fault::forbidden, "snowflakes are for our own services",
                            "Ask the internal listener.");
    }
    Outcome outcome = Outcome::done;
    source =
        is_snowflake ? lease(call, wanted, outcome) : draw(call, wanted, scope, is_long, outcome);
    if (source == nullptr) return outcome;
  } else {
    source = make_source(wanted, call.media);
    if (source == nullptr) {
      return answer_problem(call, Fault::not_acceptable,
                            std::to_string(wanted.bits) + " bits are no whole bytes");
    }
  }

  Answer& answer = call.answer;
  answer.media = call.media;
  if (wanted.count > kWholeMax) {
    answer.stream = std::make_unique<IdStream>(std::move(source), wanted.count);
    return Outcome::done;
  }
  source->begin(answer.body);
  if (const auto error = source->append(answer.body, static_cast<std::size_t>(wanted.count))) {
    return answer_problem(call, IdService::not_made(*error));
  }
  source->end(answer.body);
  return Outcome::done;
}

}  // namespace tessera::service
