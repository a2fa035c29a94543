// Putting together what detect, explain and the forms know.

#include "tessera/inspect.h"

#include <algorithm>
#include <array>
#include <span>

#include "tessera/codec.h"
#include "tessera/form.h"
#include "tessera/json.h"
#include "tessera/public_id.h"
#include "tessera/time_text.h"

namespace tessera {
namespace {

std::string hex_of(std::span<const std::uint8_t> bytes) {
  std::string digits(2 * bytes.size(), '0');
  hex::write(bytes, digits);
  return digits;
}

template <class Id>
Id id_of(const std::vector<std::uint8_t>& bytes) {
  Id id;
  std::ranges::copy(bytes, id.bytes.begin());
  return id;
}

bool is_uuid_kind(std::string_view kind) noexcept { return kind.starts_with("uuid-"); }

// A ULID in its own text, or one that stands as the body of a public ID.
bool is_ulid_kind(std::string_view kind) noexcept { return kind == "ulid" || kind == "public-id"; }

Explanation explain_guess(const Guess& guess) {
  const std::size_t size = guess.bytes.size();
  if (guess.layout != nullptr && size == Snowflake::kSize) {
    const Snowflake id{detail::load_be<8>(guess.bytes.data())};
    return explain(id, *guess.layout);
  }
  if (size == Ulid::kSize && is_ulid_kind(guess.kind)) return explain(id_of<Ulid>(guess.bytes));
  if (size == Uuid::kSize && (is_uuid_kind(guess.kind) || guess.kind == "typeid" ||
                              guess.kind.starts_with("base36-uuid"))) {
    return explain(id_of<Uuid>(guess.bytes));
  }
  if (size == ObjectId::kSize && guess.kind == "objectid") {
    return explain(id_of<ObjectId>(guess.bytes));
  }
  if (size == Ksuid::kSize && guess.kind.starts_with("ksuid")) {
    return explain(id_of<Ksuid>(guess.bytes));
  }
  Explanation other;
  other.bytes = guess.bytes;
  other.time_ms = guess.time_ms;
  return other;
}

// The fields of a random ID: nothing but its bits, and the spare ones in its last byte.
Explanation explain_checked(const RandomId& id) {
  Explanation out;
  const auto bytes = id.bytes();
  out.bytes.assign(bytes.begin(), bytes.end());
  const unsigned spare = out.bits() - id.bits();
  std::string digits = hex_of(bytes);
  if (spare >= 4) digits.pop_back();
  out.fields.push_back({"random", FieldRole::random, 0, id.bits(), std::move(digits)});
  if (spare > 0) out.fields.push_back({"spare", FieldRole::custom, id.bits(), spare, "0"});
  return out;
}

// The text that tessera itself would write for the value.
std::string canonical_text(const Guess& guess, std::string_view input, const ResourceType* type) {
  const std::size_t size = guess.bytes.size();
  const std::string_view kind = guess.kind;
  if (size == Uuid::kSize) {
    const Bytes16 bytes = id_of<Uuid>(guess.bytes).bytes;
    if (type != nullptr) {
      return public_id::write(type->prefix, bytes, type->style, type->separator).to_string();
    }
    if (is_uuid_kind(kind)) return Uuid{bytes}.to_string();
    if (kind == "ulid") return Ulid{bytes}.to_string();
    const auto write = [&](PublicStyle style) {
      return public_id::write(guess.prefix, bytes, style).to_string();
    };
    if (kind == "typeid") return write(PublicStyle::type_id);
    if (kind.starts_with("base36-uuid")) return write(PublicStyle::base36);
    if (kind == "public-id") {
      return write(guess.spelling == "checked" ? PublicStyle::checked : PublicStyle::ulid);
    }
  }
  if (size == ObjectId::kSize && kind == "objectid") {
    return id_of<ObjectId>(guess.bytes).to_string();
  }
  if (size == Ksuid::kSize && kind.starts_with("ksuid")) {
    return id_of<Ksuid>(guess.bytes).to_string();
  }
  if (const auto checked = checked_reading(guess, input)) {
    return checked->id.to_string(checked->check);
  }
  return std::string(input);
}

struct About {
  std::string_view kind;
  std::string_view text;
};

// By the names of detect.h.
constexpr std::array kAbout = {
    About{"uuid-v10", "a UUID of a version that no standard defines"},
    About{"uuid-v11", "a UUID of a version that no standard defines"},
    About{"uuid-v12", "a UUID of a version that no standard defines"},
    About{"uuid-v13", "a UUID of a version that no standard defines"},
    About{"uuid-v14", "a UUID of a version that no standard defines"},
    About{"uuid-v15", "a UUID of a version that no standard defines"},
    About{"uuid-v9", "a UUID of a version that no standard defines"},
    About{"uuid-v0", "a UUID of a version that no standard defines"},
    About{"uuid-v1", "time to 100 ns, clock sequence, node"},
    About{"uuid-v2", "DCE security: a local user or group number, coarse time, node"},
    About{"uuid-v3", "the MD5 digest of a name"},
    About{"uuid-v4", "random bits"},
    About{"uuid-v5", "the SHA-1 digest of a name"},
    About{"uuid-v6", "version 1 in an order that sorts by time"},
    About{"uuid-v7", "unix time in ms, then random bits"},
    About{"uuid-v8", "bits of its maker's own"},
    About{"uuid-nil", "the UUID that names nothing, all bits zero"},
    About{"uuid-max", "the UUID above all others, all bits one"},
    About{"uuid-ncs", "the variant of Apollo NCS, before UUIDs had versions"},
    About{"uuid-microsoft", "the variant of Microsoft's early GUIDs"},
    About{"uuid-future", "the variant that is reserved for the future"},
    About{"ulid", "time in ms, then random bits"},
    About{"typeid", "the name of a type and a UUID"},
    About{"public-id", "the prefix of a type and a ULID"},
    About{"base36-uuid-v7", "a prefix and a UUIDv7 in base36"},
    About{"base36-uuid", "a prefix and a UUID in base36"},
    About{"ksuid-hex", "the 20 bytes of a KSUID in hex: seconds, then random bits"},
    About{"ksuid", "seconds since 2014, then 128 random bits"},
    About{"objectid", "MongoDB: seconds, random bits of a process, counter"},
    About{"snowflake-twitter", "a Twitter (X) number: ms since 2010, machine, sequence"},
    About{"snowflake-discord", "a Discord number: ms since 2015, machine, sequence"},
    About{"snowflake-instagram", "an Instagram number: ms since 2011, shard, sequence"},
    About{"snowflake-mastodon", "a Mastodon number: ms since 1970, sequence"},
    About{"snowflake-sony", "a Sonyflake: 10 ms since 2014, sequence, machine"},
    About{"snowflake-linkedin", "a LinkedIn number: ms since 1970, machine, sequence"},
    About{"snowflake-js53", "a snowflake of 53 bits, safe in JavaScript"},
    About{"snowflake", "time, machine and sequence in one number"},
    About{"crockford-check", "random bits with a check for typing errors"},
    About{"resource-name", "a path of collections and IDs"},
    About{"tsid", "ms since 2020, node, counter, in 64 bits"},
    About{"tid", "AT Protocol: microseconds and a clock's number"},
    About{"xid", "seconds, machine, process, counter, in 96 bits"},
    About{"scru64", "time, node and counter in 62 bits"},
    About{"scru128", "ms, counters and random bits, in base36"},
    About{"timeflake", "time in ms, then random bits, in base62"},
    About{"pushid", "Firebase: time in ms, then random bits"},
    About{"cuid1", "time in ms, counter, fingerprint of a host, random"},
    About{"cuid2", "a letter and a digest; no time in it"},
    About{"nanoid", "random characters"},
    About{"sqids", "small numbers in disguise"},
    About{"stripe", "an object at Stripe; the prefix says which"},
    About{"orderlyid", "prefix, time, tenant, sequence, shard, random"},
    About{"youtube", "a video at YouTube, perhaps: 64 bits in base64"},
    About{"unix-s", "seconds since 1970"},
    About{"unix-ms", "milliseconds since 1970"},
    About{"unix-us", "microseconds since 1970"},
    About{"unix-ns", "nanoseconds since 1970"},
    About{"md5", "a digest, by its 32 hex digits"},
    About{"sha1", "a digest, by its 40 hex digits"},
    About{"sha224", "a digest, by its 56 hex digits"},
    About{"sha256", "a digest, by its 64 hex digits"},
    About{"sha384", "a digest, by its 96 hex digits"},
    About{"sha512", "a digest, by its 128 hex digits"},
};

std::string_view about(std::string_view kind) noexcept {
  const auto found = std::ranges::find(kAbout, kind, &About::kind);
  return found == kAbout.end() ? std::string_view() : found->text;
}

bool matches(std::string_view kind, std::string_view as) noexcept {
  return kind == as || (kind.size() > as.size() && kind.starts_with(as) && kind[as.size()] == '-');
}

void keep_only(Detection& detection, std::string_view as) {
  std::erase_if(detection.guesses, [&](const Guess& guess) { return !matches(guess.kind, as); });
  double sum = 0;
  for (const Guess& guess : detection.guesses) sum += guess.is_family() ? 0 : guess.probability;
  for (Guess& guess : detection.guesses) {
    if (guess.is_family()) {
      guess.probability = 1;  // all that is left are its members
    } else if (sum > 0) {
      guess.probability /= sum;
    }
  }
  detection.other_probability = detection.guesses.empty() ? 1 : 0;
  if (detection.guesses.empty()) {
    detection.verdict = Detection::Verdict::unknown;
  } else {
    const double best = detection.guesses.front().probability;
    detection.verdict = best >= 0.9 ? Detection::Verdict::sure : Detection::Verdict::ambiguous;
  }
}

// A name of detect.h, which lives for ever, that is equal to `name`.
std::string_view lasting_name(std::string_view name) noexcept {
  for (const DetectableKind& kind : detectable_kinds()) {
    if (kind.name == name) return kind.name;
  }
  return {};
}

template <class Id>
std::optional<Guess> guess_of(std::string_view kind, const Result<Id, ParseError>& id) {
  if (!id) return std::nullopt;
  Guess guess{.kind = kind};
  guess.bytes.assign(id->bytes.begin(), id->bytes.end());
  return guess;
}

std::optional<Guess> read_snowflake(std::string_view kind, std::string_view text) {
  constexpr std::string_view kFamily = "snowflake-";
  if (!kind.starts_with(kFamily)) return std::nullopt;
  const std::string_view name = kind.substr(kFamily.size());
  const auto id = Snowflake::parse(text);
  Guess guess{.kind = lasting_name(kind)};
  guess.layout = find_snowflake_layout(name == "sony" ? "sonyflake" : name);
  if (!id || guess.layout == nullptr) return std::nullopt;
  guess.bytes.resize(Snowflake::kSize);
  detail::store_be<8>(guess.bytes.data(), id->value);
  return guess;
}

// The reading that was asked for, if the text can be read so at all, however unlikely that
// is: who asks for a kind knows more than the text says. Only for kinds of our own.
std::optional<Guess> read_as(std::string_view as, std::string_view text) {
  if (as == "ulid") return guess_of("ulid", Ulid::parse(text));
  if (as == "ksuid") return guess_of("ksuid", Ksuid::parse(text));
  if (as == "objectid") return guess_of("objectid", ObjectId::parse(text));
  if (as.starts_with("uuid")) {
    const auto id = Uuid::parse_friendly(text);
    if (!id) return std::nullopt;
    const std::string_view kind = lasting_name(explain(*id).kind);
    if (!matches(kind, as)) return std::nullopt;
    return guess_of(kind, id);
  }
  if (as == "typeid" || as == "public-id") {
    const auto parts =
        public_id::parse(text, as == "typeid" ? PublicStyle::type_id : PublicStyle::ulid);
    if (!parts) return std::nullopt;
    Guess guess{.kind = lasting_name(as)};
    guess.bytes.assign(parts->body.begin(), parts->body.end());
    guess.prefix = parts->prefix;
    return guess;
  }
  if (as == "crockford-check") {
    const auto id = RandomId::parse(text);
    if (!id) return std::nullopt;
    Guess guess{.kind = lasting_name(as)};
    guess.bytes.assign(id->bytes().begin(), id->bytes().end());
    return guess;
  }
  return read_snowflake(as, text);
}

// Where one text may end and another begin, in URLs, logs and lists.
constexpr std::string_view kBreaks = " \t\r\n\"'`<>()[]{}/?&=#,;|@";

// IDs that are parts of a text that is none: of a URL, of a quotation, of a line of a log.
std::vector<Inside> look_inside(std::string_view text, std::uint64_t now_ms,
                                const TypeTable* types) {
  constexpr std::size_t kPartsMax = 32;
  constexpr std::size_t kFoundMax = 4;
  constexpr std::size_t kSizeMin = 10;  // of anything shorter nobody can be sure
  std::vector<Inside> found;
  if (text.size() > kDetectSizeMax || text.find_first_of(kBreaks) == text.npos) return found;
  for (std::size_t part = 0; part < kPartsMax && found.size() < kFoundMax; ++part) {
    const std::size_t begin = text.find_first_not_of(kBreaks);
    if (begin == text.npos) break;
    const std::size_t end = std::min(text.find_first_of(kBreaks, begin), text.size());
    const std::string_view piece = text.substr(begin, end - begin);
    text.remove_prefix(end);
    if (piece.size() < kSizeMin) continue;
    const Detection detection = detect(piece, now_ms, types);
    if (detection.verdict == Detection::Verdict::unknown) continue;
    found.push_back({std::string(piece), detection.guesses.front().kind});
  }
  return found;
}

constexpr std::array kShownForms = {Form::uuid,    Form::ulid,      Form::hex,
                                    Form::integer, Form::base36,    Form::base58,
                                    Form::base62,  Form::base64url, Form::crockford};

}  // namespace

std::string_view detectable_name(std::string_view name) noexcept {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOthers = {{
      {"random", "crockford-check"},
      {"short", "crockford-check"},
      {"public", "public-id"},
      {"name", "resource-name"},
      {"snowflake-sonyflake", "snowflake-sony"},
  }};
  for (const auto& [word, kind] : kOthers) {
    if (name == word) return kind;
  }
  for (const DetectableKind& kind : detectable_kinds()) {
    if (matches(kind.name, name))
      return kind.name == name ? kind.name : kind.name.substr(0, name.size());
    // uuid7 and uuidv7 for uuid-v7.
    constexpr std::string_view kUuid = "uuid-v";
    if (!kind.name.starts_with(kUuid) || !name.starts_with("uuid")) continue;
    const std::string_view version = kind.name.substr(kUuid.size());
    const std::string_view asked = name.substr(4);
    if (asked == version || (asked.starts_with('v') && asked.substr(1) == version))
      return kind.name;
  }
  return {};
}

std::optional<CheckedReading> checked_reading(const Guess& guess, std::string_view text) {
  if (guess.kind != "crockford-check") return std::nullopt;
  for (const CheckCount check : {CheckCount::one, CheckCount::two, CheckCount::three}) {
    if (const auto id = RandomId::parse(text, check);
        id && std::ranges::equal(id->bytes(), guess.bytes)) {
      return CheckedReading{*id, check};
    }
  }
  if (const auto id = RandomId::parse(text, 60);
      id && std::ranges::equal(id->bytes(), guess.bytes)) {
    return CheckedReading{*id, CheckCount::one};
  }
  return std::nullopt;
}

Inspection inspect(std::string_view text, std::uint64_t now_ms, const TypeTable* types,
                   std::string_view as) {
  Inspection out;
  out.input = text;
  out.detection = detect(text, now_ms, types);
  if (!as.empty()) {
    const std::string_view rather =
        out.detection.guesses.empty() ? std::string_view() : out.detection.guesses.front().kind;
    keep_only(out.detection, as);
    if (auto guess = out.known() ? std::nullopt : read_as(as, text)) {
      guess->probability = 1;
      guess->note = "read so because it was asked for; by itself it looks like " +
                    (rather.empty() ? "nothing known" : std::string(rather));
      out.detection = {Detection::Verdict::sure, {*std::move(guess)}, 0, {}};
    }
    if (!out.known() && !rather.empty()) {
      out.warnings.push_back("no " + std::string(as) + "; it looks like " + std::string(rather));
    }
  }
  for (const NearMiss& miss : out.detection.near_misses) {
    if (!miss.correction.empty() && !out.correction) out.correction = miss.correction;
  }
  if (!out.known()) {
    for (const NearMiss& miss : out.detection.near_misses) {
      out.warnings.push_back((miss.kind.empty() ? "" : std::string(miss.kind) + ": ") +
                             miss.reason);
    }
    if (as.empty() && !out.correction) out.inside = look_inside(text, now_ms, types);
    for (const Inside& part : out.inside) {
      out.warnings.push_back("has a " + std::string(part.kind) + " in it: " + part.text);
    }
    return out;
  }

  const Guess& best = out.detection.guesses.front();
  // A family has no layout of its own: its likeliest member lends one.
  const Guess* reading = &best;
  if (best.is_family()) {
    const auto member = std::ranges::find_if(
        out.detection.guesses, [](const Guess& guess) { return guess.layout != nullptr; });
    if (member != out.detection.guesses.end()) reading = &*member;
  }
  const ResourceType* type =
      types == nullptr || best.prefix.empty() ? nullptr : types->find_by_prefix(best.prefix);
  const auto checked = checked_reading(best, text);
  out.explanation = checked ? explain_checked(checked->id) : explain_guess(*reading);
  out.explanation.kind = best.kind;
  if (!out.explanation.time_ms) out.explanation.time_ms = reading->time_ms;
  out.about = about(best.kind);
  out.text = canonical_text(best, text, type);
  out.prefix = best.prefix;
  if (type != nullptr) out.type = type->name;
  if (!best.note.empty()) out.warnings.push_back(best.note);
  if (reading != &best) {
    out.warnings.push_back("time and fields are those of " + std::string(reading->kind));
  }
  for (const std::string& note : out.explanation.notes) out.warnings.push_back(note);
  if (out.detection.verdict == Detection::Verdict::ambiguous && !best.is_family()) {
    out.warnings.emplace_back("ambiguous: the text fits several kinds");
  }
  if (checked && checked->id.bits() % 8 != 0) {
    // No whole bytes: only these two keep the number of bits.
    if (const auto number = checked->id.number()) {
      out.forms.emplace_back(name_of(Form::integer), std::to_string(*number));
    }
    out.forms.emplace_back(name_of(Form::crockford), checked->id.to_string());
    return out;
  }
  for (const Form form : kShownForms) {
    if (auto written = write_form(form, reading->bytes)) {
      out.forms.emplace_back(name_of(form), *std::move(written));
    }
  }
  return out;
}

std::string to_json(const Inspection& inspection) {
  const Explanation& explanation = inspection.explanation;
  const Detection& detection = inspection.detection;
  const auto find_form = [&](std::string_view name) -> const std::string* {
    const auto found =
        std::ranges::find(inspection.forms, name, [](const auto& f) { return f.first; });
    return found == inspection.forms.end() ? nullptr : &found->second;
  };
  JsonWriter json;
  const auto text_or_null = [&](std::string_view key, const std::string* text) {
    json.key(key);
    text != nullptr ? json.value(*text) : json.null();
  };

  json.begin_object();
  json.key("input").value(inspection.input);
  json.key("valid").value(inspection.known());
  json.key("verdict").value(name_of(detection.verdict));
  json.key("kind");
  inspection.known() ? json.value(explanation.kind) : json.null();
  json.key("version");
  explanation.version ? json.value(std::uint64_t{*explanation.version}) : json.null();
  json.key("type");
  inspection.type.empty() ? json.null() : json.value(inspection.type);
  json.key("prefix");
  inspection.prefix.empty() ? json.null() : json.value(inspection.prefix);
  json.key("about");
  inspection.about.empty() ? json.null() : json.value(inspection.about);
  json.key("text");
  inspection.known() ? json.value(inspection.text) : json.null();
  text_or_null("hex", find_form("hex"));
  text_or_null("int", find_form("int"));
  json.key("unix_ms");
  explanation.time_ms ? json.value(*explanation.time_ms) : json.null();
  json.key("time");
  explanation.time_ms ? json.value(time_text(*explanation.time_ms).view()) : json.null();

  json.key("fields").begin_array();
  for (const Field& field : explanation.fields) {
    json.begin_object();
    json.key("name").value(field.name);
    json.key("role").value(name_of(field.role));
    json.key("offset").value(std::uint64_t{field.offset});
    json.key("width").value(std::uint64_t{field.width});
    json.key("value").value(field.value);
    json.end_object();
  }
  json.end_array();

  json.key("forms").begin_object();
  for (const auto& [name, text] : inspection.forms) json.key(name).value(text);
  json.end_object();

  json.key("guesses").begin_array();
  for (const Guess& guess : detection.guesses) {
    json.begin_object();
    json.key("kind").value(guess.kind);
    json.key("about").value(about(guess.kind));
    json.key("spelling").value(guess.spelling);
    json.key("probability").value(guess.probability);
    json.key("unix_ms");
    guess.time_ms ? json.value(*guess.time_ms) : json.null();
    json.key("note").value(guess.note);
    json.end_object();
  }
  json.end_array();

  json.key("near_misses").begin_array();
  for (const NearMiss& miss : detection.near_misses) {
    json.begin_object();
    json.key("kind").value(miss.kind);
    json.key("code");
    miss.code ? json.value(name_of(*miss.code)) : json.null();
    json.key("reason").value(miss.reason);
    json.key("correction");
    miss.correction.empty() ? json.null() : json.value(miss.correction);
    json.end_object();
  }
  json.end_array();

  json.key("inside").begin_array();
  for (const Inside& part : inspection.inside) {
    json.begin_object().key("text").value(part.text).key("kind").value(part.kind).end_object();
  }
  json.end_array();

  json.key("warnings").begin_array();
  for (const std::string& warning : inspection.warnings) json.value(warning);
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace tessera
