#pragma once

// inspect: everything that can be said of a text, in one value. What the command line
// prints, the service answers and the databases return.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/detect.h"
#include "tessera/explain.h"
#include "tessera/random_id.h"
#include "tessera/type_table.h"

namespace tessera {

// A text inside of another: the ID in a URL, or behind a quote.
struct Inside {
  std::string text;
  std::string_view kind;
};

struct Inspection {
  std::string input;       // as it came
  Detection detection;     // all readings; the rest is about the first
  std::string_view about;  // the kind in a few words: "unix time in ms, then random bits"
  std::string type;        // of a public ID whose prefix is declared: "order"
  std::string prefix;      // "ord" of ord_01J…
  std::string text;        // the canonical text of the value; empty if the kind is unknown
  std::optional<std::string> correction;  // what may have been meant, if it is mistyped
  std::vector<Inside> inside;             // of an unknown text: IDs that are parts of it
  Explanation explanation;                // fields, time, bytes; no fields where none are known
  std::vector<std::pair<std::string_view, std::string>> forms;  // the value in other forms
  std::vector<std::string> warnings;

  bool known() const noexcept { return detection.verdict != Detection::Verdict::unknown; }
};

// `as` asks for one kind or family ("uuid", "snowflake-discord"): only such readings count.
Inspection inspect(std::string_view text, std::uint64_t now_ms, const TypeTable* types = nullptr,
                   std::string_view as = {});

// The names that detect() has for what `name` asks for: "uuid7" and "uuidv7" are "uuid-v7",
// "random" is "crockford-check", "name" is "resource-name". Empty if there is no such kind.
std::string_view detectable_name(std::string_view name) noexcept;

// A guess that is a random ID with its check, as the value that it was read as: its bits may
// be no whole bytes, which Guess::bytes does not say.
struct CheckedReading {
  RandomId id;
  CheckCount check;
};
std::optional<CheckedReading> checked_reading(const Guess& guess, std::string_view text);

// One object, without line breaks. The keys are stable: input kind version text hex int
// unix_ms time fields guesses warnings valid, and others that may be added.
std::string to_json(const Inspection& inspection);

}  // namespace tessera
