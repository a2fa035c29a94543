// tessera inspect: what is it? A card on a terminal, plain lines in a pipe.

#include "tessera/inspect.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "commands.h"
#include "input.h"
#include "moment.h"
#include "output.h"
#include "terminal.h"
#include "tessera/json.h"
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
  if (probability > 0.995 && probability < 1) return "> 99 %";
  if (probability < 0.005) return "< 1 %";
  return std::to_string(static_cast<int>(probability * 100 + 0.5)) + " %";
}

std::string label(const Painter& paint, std::string_view name) {
  return paint(Colour::dim, name) + std::string(kLabelWidth - std::min(name.size(), kLabelWidth - 1), ' ');
}

// The bits by rows, each in the colour of its field, and below each row the field's letter:
// colour alone would not reach everybody.
void print_bits(Output& out, const Painter& paint, const Explanation& explanation) {
  const auto& fields = explanation.fields;
  for (std::size_t row = 0; row < explanation.bits(); row += kBitsPerRow) {
    const std::size_t end = std::min<std::size_t>(row + kBitsPerRow, explanation.bits());
    std::string bits;
    std::string letters;
    std::size_t at = row;
    while (at < end) {
      const auto field = std::ranges::find_if(fields, [&](const Field& f) {
        return at >= f.offset && at < f.offset + f.width;
      });
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

void print_card(Output& out, const Painter& paint, const Inspection& seen, std::int64_t now_ms) {
  const Detection& detection = seen.detection;
  out.line(paint(Colour::bold, printable(seen.input, 200)));
  if (!seen.known()) {
    out.line(label(paint, "kind") + "unknown");
    for (const auto& warning : seen.warnings) out.line(label(paint, "but") + printable(warning, 300));
    if (seen.correction) {
      out.line(label(paint, "perhaps") + paint(Colour::green, printable(*seen.correction, 200)));
    }
    return;
  }
  const Guess& best = detection.guesses.front();
  std::string kind(best.kind);
  if (!seen.type.empty()) kind += ", type " + seen.type;
  kind += "  " + paint(Colour::dim, percent(best.probability));
  if (detection.verdict == Detection::Verdict::ambiguous) kind += "  " + paint(Colour::yellow, "ambiguous");
  out.line(label(paint, "kind") + kind);
  std::string also;
  for (const Guess& guess : detection.guesses) {
    if (&guess == &best || guess.probability < 0.005) continue;
    also += (also.empty() ? "" : ", ") + std::string(guess.kind) + " " + percent(guess.probability);
    if (guess.time_ms) also += " (" + time_text(*guess.time_ms).to_string().substr(0, 10) + ")";
  }
  if (!also.empty()) out.line(label(paint, "or") + also);

  const Explanation& explanation = seen.explanation;
  if (seen.text != seen.input) out.line(label(paint, "text") + printable(seen.text, 200));
  if (explanation.time_ms) {
    out.line(label(paint, "time") + paint(Colour::cyan, time_text(*explanation.time_ms).view()) +
             "  " + paint(Colour::dim, relative_time(*explanation.time_ms, now_ms)));
    const std::string local = local_time(*explanation.time_ms);
    if (!local.empty() && !local.ends_with("UTC")) out.line(label(paint, "local") + local);
  } else {
    out.line(label(paint, "time") + "none in this ID");
  }
  for (const auto& warning : seen.warnings) {
    out.line(label(paint, "note") + paint(Colour::yellow, printable(warning, 300)));
  }
  if (!explanation.fields.empty()) {
    out.line("");
    for (std::size_t i = 0; i < explanation.fields.size(); ++i) {
      const Field& field = explanation.fields[i];
      const std::string name(field.name);
      const std::string width = std::to_string(field.width) + (field.width == 1 ? " bit" : " bits");
      out.line("  " + paint(Colour::dim, std::string(1, static_cast<char>('a' + i))) + " " +
               paint(colour_of(field.role), name) + std::string(14 - std::min<std::size_t>(name.size(), 13), ' ') +
               width + std::string(10 - std::min<std::size_t>(width.size(), 9), ' ') + field.value);
    }
    out.line("");
    print_bits(out, paint, explanation);
  }
  if (!seen.forms.empty()) {
    out.line("");
    for (const auto& [name, text] : seen.forms) {
      if (text != seen.input) out.line(label(paint, name) + text);
    }
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
  if (!seen.type.empty()) line("type", seen.type);
  if (seen.known()) line("text", printable(seen.text, 512));
  if (seen.explanation.version) line("version", std::to_string(*seen.explanation.version));
  if (seen.explanation.time_ms) {
    line("time", time_text(*seen.explanation.time_ms).view());
    line("unix_ms", std::to_string(*seen.explanation.time_ms));
    line("relative", relative_time(*seen.explanation.time_ms, now_ms));
  }
  for (const Field& field : seen.explanation.fields) {
    line("field." + std::string(field.name), field.value);
  }
  for (const auto& [name, text] : seen.forms) line(name, text);
  for (const Guess& guess : seen.detection.guesses) {
    if (guess.probability >= 0.005) line("guess", std::string(guess.kind) + " " + percent(guess.probability));
  }
  for (const auto& warning : seen.warnings) line("warning", printable(warning, 300));
  if (seen.correction) line("perhaps", printable(*seen.correction, 200));
}

std::string refusal_json(const Item& item, std::string_view code) {
  JsonWriter json;
  json.begin_object().key("input").value(item.text).key("valid").value(false);
  json.key("kind").null().key("code").value(code);
  return json.end_object().take();
}

}  // namespace

Exit run_inspect(const Args& args) {
  const auto types = load_types(args);
  if (!types) return types.error();
  const std::int64_t now_ms = current_ms();
  const bool json = args.has("json");
  const std::string_view look = args.value_or("output", is_terminal(STDOUT_FILENO) ? "card" : "lines");
  const Painter paint = painter_for(args, STDOUT_FILENO);
  Output& out = Output::standard();
  bool first = true;
  bool all_good = true;
  const Exit read = for_each_item(args, args.positionals(), [&](const Item& item) {
    if (item.too_long || item.missing_column) {
      all_good = false;
      if (json) {
        out.line(refusal_json(item, item.too_long ? "line_too_long" : "missing_column"));
      } else {
        out.flush();
        complain(item.place() + (item.too_long ? ": the line is longer than a megabyte"
                                               : ": the line has no such column"));
      }
      return true;
    }
    const Inspection seen = inspect(item.text, static_cast<std::uint64_t>(now_ms), &types->table,
                                    args.value_or("as", ""));
    all_good = all_good && seen.known();
    if (json) {
      out.line(to_json(seen));
      return true;
    }
    if (!first) out.line("");
    first = false;
    if (look == "card") {
      print_card(out, paint, seen, now_ms);
    } else {
      print_lines(out, seen, now_ms);
    }
    if (is_terminal(STDOUT_FILENO)) out.flush();
    return true;
  });
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
