// tessera check: is it what it should be, and if not, what is wrong with it?

#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "change.h"
#include "commands.h"
#include "input.h"
#include "moment.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"
#include "tessera/json.h"
#include "tessera/random_id.h"
#include "tessera/short_id.h"
#include "tessera/verdict.h"
#include "types.h"

namespace tessera::cli {
namespace {

// What could not be read at all is told like what was read and is wrong.
Verdict judge_item(const Question& question, const Item& item) {
  if (!item.fault.empty()) {
    Verdict unread;
    unread.code = item.fault;
    unread.message = item.fault_words();
    return unread;
  }
  Verdict verdict = judge(question, item.text);
  if (question.as.empty() && !verdict.valid() && verdict.hint.empty()) {
    verdict.hint = "Say what it should be with --as KIND.";
  }
  return verdict;
}

std::string json_line(const Item& item, const Verdict& verdict) {
  JsonWriter json;
  write_fields(json, item.text, verdict);
  return with_place(json.end_object().take(), item);
}

std::string text_line(const Item& item, const Verdict& verdict, const Painter& paint) {
  constexpr std::size_t kSuggestionsShown = 3;
  std::string line = paint(verdict.valid() ? Colour::green : Colour::red, verdict.code) + "\t" +
                     (item.fault.empty() ? printable(item.text, 200) : item.place());
  if (verdict.valid()) return line + "\t" + verdict.kind;
  line += "\t" + verdict.message;
  for (std::size_t i = 0; i < std::min(verdict.suggestions.size(), kSuggestionsShown); ++i) {
    line += (i == 0 ? "; perhaps " : ", or ") + printable(verdict.suggestions[i], 200);
    if (const auto change = change_in(item.text, verdict.suggestions[i]); !change.empty()) {
      line += " (" + change + ")";
    }
  }
  if (!item.is_argument() && item.fault.empty()) line += "\t" + item.place();
  return line;
}

// How many of each code, and where the first ones are.
class Summary {
 public:
  void add(const Item& item, const Verdict& verdict) {
    Row& row = rows_[verdict.code];
    ++row.count;
    if (!verdict.valid() && row.places.size() < kPlacesMax) row.places.push_back(item.place());
  }
  std::string json() const {
    JsonWriter json;
    std::uint64_t total = 0;
    for (const auto& [code, row] : rows_) total += row.count;
    json.begin_object().key("total").value(total).key("counts").begin_array();
    for (const auto& [code, row] : rows_) {
      json.begin_object().key("code").value(code).key("count").value(row.count);
      json.key("first").begin_array();
      for (const auto& place : row.places) json.value(place);
      json.end_array().end_object();
    }
    return json.end_array().end_object().take();
  }
  void print(Output& out) const {
    std::uint64_t total = 0;
    for (const auto& [code, row] : rows_) {
      total += row.count;
      std::string line = code + "\t" + std::to_string(row.count);
      for (std::size_t i = 0; i < row.places.size(); ++i) {
        line += (i == 0 ? "\t" : ", ") + row.places[i];
      }
      out.line(line);
    }
    out.line("total\t" + std::to_string(total));
  }

 private:
  static constexpr std::size_t kPlacesMax = 5;
  struct Row {
    std::uint64_t count = 0;
    std::vector<std::string> places;
  };
  std::map<std::string, Row> rows_;
};

}  // namespace

Exit run_check(const Args& args) {
  const auto now_ms = present_ms(args);
  if (!now_ms) return Exit::usage;
  const auto types = load_types(args);
  if (!types) return types.error();
  Question question;
  if (const auto kind = args.value("as")) question.ask_for(*kind);
  question.strict = args.has("strict");
  question.now_ms = static_cast<std::uint64_t>(*now_ms);
  question.types = &types->table;
  const auto style = args.value("style");
  if (style && question.as == "typeid" && *style != "typeid") {
    return usage_error("a typeid has style typeid");
  }
  if (style) question.style = public_style_of(*style);
  if (const auto check = args.value("check")) {
    question.check = static_cast<CheckCount>((*check)[0] - '0');
  }
  const auto bits = args.number("bits", 1, RandomId::kBitsMax);
  if (!bits) return usage_error(bits.error().message, bits.error().hint);
  question.bits = static_cast<unsigned>(bits->value_or(0));
  if (question.as == "short" && *bits && !ShortId::has_size(question.bits)) {
    return usage_error("--bits: a short ID has 16 to 63");
  }
  if (question.as == "short" && question.check != CheckCount::one) {
    return usage_error("--check: a short ID has one check symbol");
  }

  ResourceType loose;  // --prefix without a configuration
  if (const auto name = args.value("type")) {
    if (args.has("prefix") || style) {
      return usage_error("--type says it all: no --prefix and no --style beside it");
    }
    const auto type = find_type(types->table, *name);
    if (!type) return type.error();
    question.type = *type;
  } else if (const auto prefix = args.value("prefix")) {
    loose.prefix = *prefix;
    loose.style = question.style.value_or(PublicStyle::ulid);
    if (const auto refused = refuse_prefix(*prefix)) return *refused;
    question.type = &loose;
  }
  if ((question.type != nullptr || style) && question.as.empty()) question.as = "public";
  const bool is_public = question.as == "public" || question.as == "typeid";
  if (!is_public && (question.type != nullptr || style)) {
    return usage_error("--type, --prefix and --style are for public IDs");
  }
  if (!question.is_random() && (args.has("bits") || args.has("check"))) {
    return usage_error("--bits and --check are for random IDs", "As in: --as random --bits 60");
  }
  if (question.strict && question.as.empty()) {
    return usage_error("--strict needs to know what it should be: --as KIND");
  }

  Output& out = Output::standard();
  out.end_broken_pipe_with(Exit::io);  // not all were checked
  const Painter paint = painter_for(args, STDOUT_FILENO);
  const bool quiet = args.has("quiet");
  const bool summary = args.has("summary");
  const bool json = args.has("json");
  const bool terminal = is_terminal(STDOUT_FILENO);
  Summary counts;
  Progress progress(
      "checking", 0,
      quiet || summary ? Progress::Answers::come_at_the_end : Progress::Answers::are_streamed);
  std::uint64_t done = 0;
  bool all_good = true;
  const Exit read = for_each_item(args, args.positionals(), {}, [&](const Item& item) {
    const Verdict verdict = judge_item(question, item);
    all_good = all_good && verdict.valid();
    if (summary) {
      counts.add(item, verdict);
    } else if (!quiet) {
      out.line(json ? json_line(item, verdict) : text_line(item, verdict, paint));
      if (terminal) out.flush();
    }
    progress.update(++done);
  });
  progress.clear();
  if (summary && !quiet) {
    json ? out.line(counts.json()) : counts.print(out);
  }
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
