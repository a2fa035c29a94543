// tessera convert: the same bits in another spelling.

#include <string>

#include "commands.h"
#include "input.h"
#include "moment.h"
#include "output.h"
#include "tessera/convert.h"
#include "tessera/form.h"
#include "tessera/json.h"
#include "tessera/random_id.h"
#include "tessera/uuid.h"
#include "types.h"

namespace tessera::cli {
namespace {

std::string json_line(const Item& item, std::string_view to,
                      const Result<std::string, Refusal>& text) {
  JsonWriter json;
  json.begin_object().key("input").value(item.text).key("valid").value(bool(text));
  json.key("form").value(to);
  if (text) {
    json.key("text").value(*text);
  } else {
    json.key("text").null().key("code").value(text.error().code);
    json.key("message").value(text.error().reason);
  }
  return with_place(json.end_object().take(), item);
}

Result<std::string, Refusal> convert_item(const Conversion& wish, const Item& item) {
  if (!item.fault.empty()) {
    return Failure{Refusal{std::string(item.fault), std::string(item.fault_words())}};
  }
  return convert(wish, item.text);
}

}  // namespace

Exit run_convert(const Args& args) {
  const auto to = args.value("to");
  if (!to) return usage_error("convert needs --to FORM", "As in: tessera convert --to uuid 01J...");
  Conversion wish;
  wish.to = *form_of(*to);
  wish.from = args.value("from");
  wish.prefix = args.value("prefix");
  if (wish.prefix && wish.to != Form::type_id) {
    return usage_error("--prefix is for --to typeid, not for " + std::string(*to));
  }
  if (wish.prefix && !wish.prefix->empty()) {
    if (const auto refused = refuse_prefix(*wish.prefix)) return *refused;
  }
  const bool json = args.has("json");
  const bool to_bytes = wish.to == Form::bytes;
  if (to_bytes && json) return usage_error("bytes have no JSON", "As in: --to hex");
  const auto bits = args.number("bits", 1, wish.from == "int" ? 64 : RandomId::kBitsMax);
  if (!bits) return usage_error(bits.error().message, bits.error().hint);
  if (*bits && wish.from != "int" && wish.from != "crockford") {
    return usage_error("--bits is for --from int and --from crockford");
  }
  wish.bits = static_cast<unsigned>(bits->value_or(0));
  const auto size = args.number("size", 1, kFormBytesMax);
  if (!size) return usage_error(size.error().message, size.error().hint);
  if (*size && wish.from != "bytes") return usage_error("--size is for --from bytes");
  Reading reading;
  if (wish.from == "bytes") {
    if (args.has("null") || args.has("column")) {
      return usage_error("bytes have neither lines nor columns: no --null, no --column");
    }
    reading.record_size = static_cast<std::size_t>(size->value_or(Uuid::kSize));
  }
  const auto now_ms = present_ms(args);
  if (!now_ms) return Exit::usage;
  const auto types = load_types(args);
  if (!types) return types.error();
  wish.now_ms = static_cast<std::uint64_t>(*now_ms);
  wish.types = &types->table;

  const char separator = args.has("null") ? '\0' : '\n';
  Output& out = Output::standard();
  bool all_good = true;
  const Exit read = for_each_item(args, args.positionals(), reading, [&](const Item& item) {
    const bool blank = item.text.empty() && item.fault.empty() && !item.is_argument();
    if (blank && !json && !args.has("column")) {
      if (!to_bytes) out.write({&separator, 1});  // nothing for nothing
      return;
    }
    const auto text = convert_item(wish, item);
    all_good = all_good && text;
    if (json) {
      out.line(json_line(item, *to, text));
      return;
    }
    // An empty line where there is no answer: the answers stay beside the questions.
    if (text) out.write(*text);
    if (!to_bytes) out.write({&separator, 1});
    if (!text) {
      out.flush();
      complain(item.place() + ": cannot convert '" + printable(item.text) +
               "': " + text.error().reason);
    }
  });
  if (read != Exit::good) return read;
  return all_good ? Exit::good : Exit::invalid;
}

}  // namespace tessera::cli
