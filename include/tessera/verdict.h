#pragma once

// Is it what it should be, and if not, what is wrong with it? What the command line and the
// service answer when they are asked to check.
//
//   Question question{.types = &types};
//   question.ask_for("ulid");
//   judge(question, "01M0MBZ8ZEKMQP3U3V2KM579HW");      invalid_character, offset 15

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/check.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"
#include "tessera/public_id.h"
#include "tessera/result.h"
#include "tessera/type_table.h"

namespace tessera {

struct Verdict {
  std::string code = "valid";  // or that of a ParseError, or "unknown"
  std::string kind{};          // as asked for, or as found
  std::string canonical{};     // of what is valid
  std::optional<std::uint32_t> offset{};
  std::string message{};
  std::string hint{};
  std::vector<std::string> suggestions{};  // texts that are right, and may have been meant

  bool valid() const noexcept { return code == "valid"; }
};

// What is asked for. Built once, used for every text. `type` and `types` must outlive it.
struct Question {
  std::string as{};      // empty: anything that is known
  unsigned version = 0;  // of a UUID; 0: any
  bool strict = false;   // no variation but letter case
  unsigned bits = 0;     // of a random ID; 0: whole bytes
  CheckCount check = CheckCount::one;
  std::optional<PublicStyle> style{};
  const ResourceType* type = nullptr;
  std::uint64_t now_ms = 0;
  const TypeTable* types = nullptr;

  // "ulid", "uuidv7" and also "uuid7", "uuid" for any version, "public", "name" and so on. False
  // if there is no such kind.
  bool ask_for(std::string_view kind);
  bool is_random() const noexcept;
};

Verdict judge(const Question& question, std::string_view text);

// As an object: {"input":…,"valid":…,"kind":…, and "canonical" or what is wrong. It is left open
// for whoever has more to say.
void write_fields(JsonWriter& json, std::string_view text, const Verdict& verdict);

// The canonical text, or what is wrong: judge() without the words, for a question that asks for
// a kind.
Result<std::string, ParseError> check(const Question& question, std::string_view text);

// Of a public ID whose type nobody has said: the style that its length and letters fit.
inline PublicStyle guess_style(std::string_view text) noexcept {
  const std::string_view body = text.substr(text.rfind(kDefaultSeparator) + 1);
  if (body.size() == public_id::body_size(PublicStyle::base36)) return PublicStyle::base36;
  if (body.size() == public_id::body_size(PublicStyle::checked)) return PublicStyle::checked;
  const bool lower = std::ranges::any_of(body, [](char c) { return c >= 'a' && c <= 'z'; });
  return lower ? PublicStyle::type_id : PublicStyle::ulid;
}

}  // namespace tessera
