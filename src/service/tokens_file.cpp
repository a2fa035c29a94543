// The file of tokens: read strictly, written so that it is read back the same.

#include <algorithm>
#include <charconv>
#include <utility>

#include "tessera/detail/alphabet.h"
#include "tessera/parse_error.h"
#include "tessera/service/tokens.h"
#include "tessera/time_text.h"

namespace tessera::service {
namespace {

constexpr std::string_view kFirstLine = "# tessera tokens 1";
constexpr std::string_view kColumns =
    "# id\tdigest\ttenants\tabilities\tcreated\texpires\trate\tnote";
constexpr std::size_t kFieldCount = 8;
constexpr std::string_view kNone = "-";

// What is wrong with a line; the line is known further up.
using Fault = std::string;

bool is_plain(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != 0x7F && c != '\\';
}

std::string escaped(std::string_view note) {
  if (note.empty()) return std::string(kNone);
  std::string out;
  for (const char c : note) {
    // A note that is "-" must not look like none.
    if (is_plain(c) && note != kNone) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += detail::kHex[byte >> 4];
    out += detail::kHex[byte & 15];
  }
  return out;
}

std::optional<unsigned> hex_digit(char c) noexcept {
  const std::size_t at = std::string_view("0123456789abcdef").find(c);
  return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<unsigned>(at));
}

Result<std::uint8_t, Fault> parse_byte(std::string_view two) {
  const auto high = two.size() == 2 ? hex_digit(two[0]) : std::nullopt;
  const auto low = two.size() == 2 ? hex_digit(two[1]) : std::nullopt;
  if (!high || !low) return Failure{Fault("'" + printable(two) + "' is no byte in hex")};
  return static_cast<std::uint8_t>(*high << 4 | *low);
}

Result<std::string, Fault> unescaped(std::string_view field) {
  std::string note;
  if (field == kNone) return note;
  if (field.empty()) return Failure{Fault("the note is empty; write -")};
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (is_plain(field[i])) {
      note += field[i];
      continue;
    }
    if (!field.substr(i).starts_with("\\x")) {
      return Failure{Fault("the note has a character that must be written as \\xNN")};
    }
    const auto byte = parse_byte(field.substr(i + 2, 2));
    if (!byte) return Failure{byte.error()};
    note += static_cast<char>(*byte);
    i += 3;
  }
  return note;
}

Result<Token::Digest, Fault> parse_digest(std::string_view field) {
  Token::Digest digest{};
  if (field.size() != 2 * digest.size()) {
    return Failure{Fault("a digest has 64 hex digits, in lower case")};
  }
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const auto byte = parse_byte(field.substr(2 * i, 2));
    if (!byte) return Failure{byte.error()};
    digest[i] = *byte;
  }
  return digest;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

Result<std::uint64_t, Fault> parse_moment(std::string_view field) {
  if (field == kNone) return std::uint64_t{0};
  const auto time_ms = parse_time(field);
  // One text for each moment, so that what is written is what was read.
  if (!time_ms || *time_ms <= 0 || time_text(*time_ms).view() != field) {
    return Failure{
        Fault("'" + printable(field) + "' is no time such as 2027-01-01T00:00:00.000Z, nor -")};
  }
  return static_cast<std::uint64_t>(*time_ms);
}

Result<std::uint64_t, Fault> parse_rate(std::string_view field) {
  if (field == kNone) return std::uint64_t{0};
  std::uint64_t rate = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), rate);
  if (error != std::errc{} || end != field.data() + field.size() || field.starts_with('0')) {
    return Failure{Fault("'" + printable(field) + "' is no rate: a whole number, or -")};
  }
  return rate;
}

Result<Abilities, Fault> parse_abilities(std::string_view field) {
  Abilities abilities;
  if (field == kNone) return abilities;
  for (const std::string_view name : split(field, ',')) {
    const auto ability = ability_named(name);
    if (!ability) return Failure{Fault("there is no ability '" + printable(name) + "'")};
    if (abilities.has(*ability)) return Failure{Fault("'" + printable(name) + "' stands twice")};
    abilities.add(*ability);
  }
  return abilities;
}

// Takes the value out of `read`, or keeps its fault.
template <class T>
bool take(Result<T, Fault> read, T& into, Fault& fault) {
  if (!read) {
    fault = read.error();
    return false;
  }
  into = *std::move(read);
  return true;
}

Result<Token, Fault> parse_line(std::string_view line) {
  const auto fields = split(line, '\t');
  if (fields.size() != kFieldCount) {
    return Failure{Fault("a token has 8 fields with tabs between them, here are " +
                         std::to_string(fields.size()))};
  }
  Token token;
  token.id = fields[0];
  if (fields[2] != kNone) {
    for (const std::string_view tenant : split(fields[2], ',')) token.tenants.emplace_back(tenant);
  }
  Fault fault;
  const bool good = take(parse_digest(fields[1]), token.digest, fault) &&
                    take(parse_abilities(fields[3]), token.abilities, fault) &&
                    take(parse_moment(fields[4]), token.created_ms, fault) &&
                    take(parse_moment(fields[5]), token.expires_ms, fault) &&
                    take(parse_rate(fields[6]), token.rate, fault) &&
                    take(unescaped(fields[7]), token.note, fault);
  if (!good) return Failure{std::move(fault)};
  return token;
}

Error at_line(std::size_t number, std::string_view what, std::string_view hint = {}) {
  return Error{Error::Code::invalid_request,
               "line " + std::to_string(number) + ": " + std::string(what), std::string(hint)};
}

std::string moment_text(std::uint64_t time_ms) {
  if (time_ms == 0) return std::string(kNone);
  return time_text(static_cast<std::int64_t>(time_ms)).to_string();
}

}  // namespace

Result<TokenTable, Error> TokenTable::parse(std::string_view text) {
  if (text.size() > kSizeMax) {
    return Failure{Error{Error::Code::invalid_request,
                         "a file of tokens has at most " + std::to_string(kSizeMax) + " bytes",
                         ""}};
  }
  std::vector<Token> tokens;
  std::size_t number = 0;
  while (!text.empty() || number == 0) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (number == 1 && line != kFirstLine) {
      return Failure{at_line(1, "this is no file of tokens that is understood here",
                             "Its first line is: # tessera tokens 1")};
    }
    if (line.empty() || line.starts_with('#')) continue;
    auto token = parse_line(line);
    if (!token) return Failure{at_line(number, token.error())};
    // Alone first: what is wrong with one is told with its line.
    if (const auto alone = make({*token}); !alone) {
      return Failure{at_line(number, alone.error().message, alone.error().hint)};
    }
    tokens.push_back(*std::move(token));
  }
  return make(std::move(tokens));
}

std::string TokenTable::render() const {
  std::string text = std::string(kFirstLine) + '\n' + std::string(kColumns) + '\n';
  for (const Token& token : tokens_) {
    text += token.id + '\t';
    for (const std::uint8_t byte : token.digest) {
      text += detail::kHex[byte >> 4];
      text += detail::kHex[byte & 15];
    }
    std::string tenants;
    for (const std::string& tenant : token.tenants) {
      tenants += (tenants.empty() ? "" : ",") + tenant;
    }
    std::string abilities;
    for (std::size_t i = 0; i < kAbilityCount; ++i) {
      const auto ability = static_cast<Ability>(i);
      if (!token.abilities.has(ability)) continue;
      abilities += (abilities.empty() ? "" : ",") + std::string(name_of(ability));
    }
    text += '\t' + (tenants.empty() ? std::string(kNone) : tenants);
    text += '\t' + (abilities.empty() ? std::string(kNone) : abilities);
    text += '\t' + moment_text(token.created_ms) + '\t' + moment_text(token.expires_ms);
    text += '\t' + (token.rate == 0 ? std::string(kNone) : std::to_string(token.rate));
    text += '\t' + escaped(token.note) + '\n';
  }
  return text;
}

}  // namespace tessera::service
