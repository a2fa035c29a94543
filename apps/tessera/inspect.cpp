// tessera inspect: what is it? A card on a terminal, plain lines in a pipe.

#include "tessera/inspect.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "help.h"
#include "input.h"
#include "moment.h"
#include "output.h"
#include "terminal.h"
#include "tessera/time_text.h"
#include "types.h"

namespace tessera::cli {
namespace {

constexpr std::size_t kLabelWidth = 10;
constexpr std::size_t kBitsPerRow = 32;

Colour colour_of(FieldRole role) noexcept {
  switch (role) {
    case FieldRole::time: return Colour::cyan;
    case FieldRole::random: return Colour::green;
    case FieldRole::version: return Colour::yellow;
    case FieldRole::variant: return Colour::red;
    case FieldRole::machine: return Colour::magenta;
    case FieldRole::sequence: return Colour::blue;
    default: return Colour::none;
  }
}

std::string percent(double probability) {
  if (probability > 0.995 && probability < 1) return ">99%";
  if (probability < 0.005) return "<1%";
  return std::to_string(std::lround(probability * 100)) + "%";
}

// The width that lines may have: that of the terminal, or the usual one.
std::size_t width_of(int fd) noexcept {
  constexpr std::size_t kWidthMin = 20;
  constexpr std::size_t kWidthMax = 100;
  return is_terminal(fd) ? std::clamp(terminal_width(fd), kWidthMin, kWidthMax) : kWidthMax;
}

// A row of the card: its name, and text that is wrapped beside it.
std::string row(const Painter& paint, std::string_view name, std::string_view text,
                std::size_t width, Colour colour = Colour::none) {
  const std::string indent(kLabelWidth, ' ');
  const std::string lines = wrapped(text, indent, width);
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    const std::string_view line = std::string_view(lines).substr(at, end - at);
    const std::string_view words = line.substr(std::min(line.size(), kLabelWidth));
    out += at == 0
               ? paint(Colour::dim, name) + indent.substr(std::min(name.size(), kLabelWidth - 1))
               : indent;
    out += paint(colour, words) + "\n";
    at = end + 1;
  }
  return out;
}

// The bits by rows, each in the colour of its field, and below each row the field's letter:
// colour alone would not reach everybody.
void print_bits(Output& out, const Painter& paint, const Explanation& explanation,
                std::size_t width) {
  const auto& fields = explanation.fields;
  const std::size_t per_row = width < kBitsPerRow + 5 ? kBitsPerRow / 2 : kBitsPerRow;
  for (std::size_t row = 0; row < explanation.bits(); row += per_row) {
    const std::size_t end = std::min<std::size_t>(row + per_row, explanation.bits());
    std::string bits;
    std::string letters;
    std::size_t at = row;
    while (at < end) {
      const auto field = std::ranges::find_if(
          fields, [&](const Field& f) { return at >= f.offset && at < f.offset + f.width; });
      if (field == fields.end()) return;
      const std::size_t stop = std::min<std::size_t>(end, field->offset + field->width);
      std::string run;
      std::string marks;
      for (; at < stop; ++at) {
        run += (explanation.bytes[at / 8] >> (7 - at % 8) & 1) != 0 ? '1' : '0';
        marks += static_cast<char>('a' + (field - fields.begin()));
        if (at % 8 == 7 && at + 1 < end) {
          run += ' ';
          marks += ' ';
        }
      }
      bits += paint(colour_of(field->role), run);
      letters += marks;
    }
    out.line("  " + bits);
    out.line("  " + paint(Colour::dim, letters));
  }
}

void print_fields(Output& out, const Painter& paint, const Explanation& explanation) {
  for (std::size_t i = 0; i < explanation.fields.size(); ++i) {
    const Field& field = explanation.fields[i];
    const auto pad = [](std::size_t size, std::size_t width) {
      return std::string(width - std::min(size, width - 1), ' ');
    };
    const std::string bits = std::to_string(field.width) + (field.width == 1 ? " bit" : " bits");
    out.line("  " + paint(Colour::dim, std::string(1, static_cast<char>('a' + i))) + " " +
             paint(colour_of(field.role), field.name) + pad(field.name.size(), 14) + bits +
             pad(bits.size(), 10) + field.value);
  }
}

void print_unknown(Output& out, const Painter& paint, const Inspection& seen, std::size_t width) {
  out.write(row(paint, "kind", "unknown", width, Colour::yellow));
  for (const auto& warning : seen.warnings) {
    out.write(row(paint, "but", printable(warning, 300), width));
  }
  if (seen.warnings.empty()) {
    out.write(row(paint, "so", "no kind of ID is known that looks like this", width));
  }
  if (seen.correction) {
    out.write(row(paint, "perhaps", printable(*seen.correction, 200), width, Colour::green));
  }
}

void print_card(Output& out, const Painter& paint, const Inspection& seen, std::int64_t now_ms,
                std::size_t width) {
  const Detection& detection = seen.detection;
  out.line(paint(Colour::bold, seen.input.empty() ? "(nothing)" : printable(seen.input, 200)));
  if (!seen.known()) return print_unknown(out, paint, seen, width);

  const auto show = [&](std::string_view name, std::string_view text,
                        Colour colour = Colour::none) {
    out.write(row(paint, name, text, width, colour));
  };
  const Guess& best = detection.guesses.front();
  const bool ambiguous = detection.verdict == Detection::Verdict::ambiguous;
  show("kind", std::string(best.kind) + " (" + percent(best.probability) +
                   (ambiguous ? ", ambiguous)" : ")"));
  std::string also;
  for (const Guess& guess : detection.guesses) {
    if (&guess == &best || guess.probability < 0.005) continue;
    also += (also.empty() ? "" : ", ") + std::string(guess.kind) + " " + percent(guess.probability);
    if (guess.time_ms) also += " (" + time_text(*guess.time_ms).to_string().substr(0, 10) + ")";
  }
  if (!also.empty()) show("or", also);
  if (!seen.about.empty()) show("about", seen.about);
  const Explanation& explanation = seen.explanation;
  if (explanation.version) show("version", std::to_string(*explanation.version));
  if (!seen.type.empty()) show("type", seen.type);
  if (!seen.prefix.empty()) show("prefix", seen.prefix);
  // In another letter case it is no other spelling.
  if (best.spelling != "canonical" && best.spelling != "hyphenated") {
    show("written", best.spelling);
  }
  if (seen.text != seen.input) show("text", printable(seen.text, 200));
  if (explanation.time_ms) {
    show("time",
         time_text(*explanation.time_ms).to_string() + " (" +
             relative_time(*explanation.time_ms, now_ms) + ")",
         Colour::cyan);
    const std::string local = local_time(*explanation.time_ms);
    if (!local.empty() && !local.ends_with(" UTC")) show("local", local);
  } else {
    show("time", "none in it");
  }
  for (const auto& warning : seen.warnings) show("note", printable(warning, 300), Colour::yellow);
  if (!explanation.fields.empty()) {
    out.line("");
    print_fields(out, paint, explanation);
    out.line("");
    print_bits(out, paint, explanation, width);
  }
  bool first = true;
  for (const auto& [name, text] : seen.forms) {
    if (text == seen.input || text == seen.text) continue;
    if (std::exchange(first, false)) out.line("");
    show(name, text);
  }
}

// One `key<TAB>value` a line, for pipes; stable enough to cut by.
void print_lines(Output& out, const Inspection& seen, std::int64_t now_ms) {
  const auto line = [&](std::string_view key, std::string_view value) {
    out.line(std::string(key) + "\t" + std::string(value));
  };
  line("input", printable(seen.input, 512));
  line("kind", seen.known() ? seen.explanation.kind : "unknown");
  line("verdict", name_of(seen.detection.verdict));
  if (seen.known()) line("text", printable(seen.text, 512));
  if (seen.explanation.time_ms) {
    line("time", time_text(*seen.explanation.time_ms).view());
    line("unix_ms", std::to_string(*seen.explanation.time_ms));
    line("relative", relative_time(*seen.explanation.time_ms, now_ms));
  }
  if (!seen.about.empty()) line("about", seen.about);
  if (seen.explanation.version) line("version", std::to_string(*seen.explanation.version));
  if (!seen.type.empty()) line("type", seen.type);
  if (!seen.prefix.empty()) line("prefix", seen.prefix);
  if (seen.known()) line("spelling", seen.detection.guesses.front().spelling);
  for (const Field& field : seen.explanation.fields) {
    line("field." + std::string(field.name), field.value);
  }
  for (const auto& [name, text] : seen.forms) line(name, text);
  for (const Guess& guess : seen.detection.guesses) {
    if (guess.probability < 0.005) continue;
    line("guess", std::string(guess.kind) + "\t" + std::to_string(guess.probability).substr(0, 5));
  }
  for (const auto& warning : seen.warnings) line("warning", printable(warning, 300));
  if (seen.correction) line("perhaps", printable(*seen.correction, 200));
}

// What can be said of an item that has no text.
Inspection inspect_fault(const Item& item) {
  Inspection out;
  out.warnings.emplace_back(item.fault_words());
  return out;
}

std::optional<std::string_view> kind_asked_for(const Args& args) {
  const auto as = args.value("as");
  if (!as) return std::string_view();
  if (const std::string_view name = detectable_name(*as); !name.empty()) return name;
  std::vector<std::string_view> names{"uuid", "unix", "random", "public", "name"};
  for (const DetectableKind& kind : detectable_kinds()) names.push_back(kind.name);
  const std::string_view near = nearest(*as, names);
  usage_error("--as: unknown kind '" + printable(*as) + "'",
              near.empty() ? "A kind, as inspect calls it, or a family: uuid, snowflake, unix."
                           : "Did you mean " + std::string(near) + "?");
  return std::nullopt;
}

}  // namespace

Exit run_inspect(const Args& args) {
  const auto as = kind_asked_for(args);
  if (!as) return Exit::usage;
  const auto now_ms = present_ms(args);
  if (!now_ms) return Exit::usage;
  const auto types = load_types(args);
  if (!types) return types.error();
  const bool json = args.has("json");
  const bool terminal = is_terminal(STDOUT_FILENO);
  const bool card = args.value_or("output", terminal ? "card" : "lines") == "card";
  if (json && args.has("output")) return usage_error("--json and --output exclude each other");
  const Painter paint = painter_for(args, STDOUT_FILENO);
  const std::size_t width = width_of(STDOUT_FILENO);
  Output& out = Output::standard();
  bool first = true;
  bool all_good = true;
  const Exit read = for_each_item(args, args.positionals(), {}, [&](const Item& item) {
    const bool blank = item.text.empty() && item.fault.empty() && !item.is_argument();
    if (blank && !args.has("column")) return;  // nothing was asked
    const Inspection seen =
        item.fault.empty()
            ? inspect(item.text, static_cast<std::uint64_t>(*now_ms), &types->table, *as)
            : inspect_fault(item);
    all_good = all_good && seen.known();
    if (json) {
      out.line(with_place(to_json(seen), item));
      return;
    }
    if (!std::exchange(first, false)) out.line("");
    if (!item.fault.empty()) {
      out.flush();
      complain(item.place() + ": " + std::string(item.fault_words()));
    } else if (card) {
      print_card(out, paint, seen, *now_ms, width);
    } else {
      print_lines(out, seen, *now_ms);
    }
    if (terminal) out.flush();
  });
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
