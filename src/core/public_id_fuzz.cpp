// The first byte chooses a style and a separator; the rest is the text of a public ID. What is
// read is written back as it was but for case; friendly reading reads no less; the table of
// types reads nothing as a type whose prefix it does not have; and every value has one text.

#include "support/fuzz.h"
#include "tessera/public_id.h"
#include "tessera/type_table.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

constexpr std::string_view kSeparators = "_-.:~";

bool good_prefix(std::string_view prefix) {
  return !prefix.empty() && prefix.size() <= 63 && prefix.front() != '_' && prefix.back() != '_' &&
         prefix.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == prefix.npos;
}

std::string lower_case(std::string_view text) {
  std::string out;
  for (const char c : text) out += lower(c);
  return out;
}

void try_style(std::string_view text, PublicStyle style, char separator) {
  const auto parts = public_id::parse(text, style, separator);
  const auto mended = public_id::friendly_spelling(text, style, separator);
  require(public_id::friendly_spelling(mended, style, separator) == mended);
  if (!parts) return require_sound(parts.error(), text);

  const auto friendly = public_id::parse(mended, style, separator);
  require(friendly && friendly->prefix == parts->prefix && friendly->body == parts->body);
  require(parts->prefix.empty() ? style == PublicStyle::type_id : good_prefix(parts->prefix));
  require(text.starts_with(parts->prefix));
  const auto canonical = public_id::write(parts->prefix, parts->body, style, separator);
  require(style == PublicStyle::type_id ? canonical.view() == text
                                        : lower_case(canonical) == lower_case(text));
  // The canonical text is read by itself, and by no other style but in its own letters.
  const auto again = public_id::parse(canonical, style, separator);
  require(again && again->body == parts->body);
}

const TypeTable& table() {
  static const TypeTable types = [] {
    TypeTable made;
    const ResourceType all[] = {
        {"order", "ord", PublicStyle::ulid, '_'},
        {"item", "ord_item", PublicStyle::checked, '_'},
        {"user", "user", PublicStyle::type_id, '_'},
        {"account", "acct", PublicStyle::base36, '-'},
        {"key", "acct_key", PublicStyle::ulid, '.'},
        {"one", "a", PublicStyle::ulid, '_'},
    };
    for (const auto& type : all) require(static_cast<bool>(made.add(type)));
    return made;
  }();
  return types;
}

void try_table(std::string_view text) {
  const auto id = table().parse(text);
  if (!id) return require_sound(id.error(), text);
  const ResourceType& type = *id->type;
  require(text.substr(0, text.rfind(type.separator)) == type.prefix);
  require(lower_case(id->to_string()) == lower_case(text));
  require(static_cast<bool>(TypeTable::check(type, text, ~std::uint64_t{0})));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = as_text(data + 1, size - 1);
  const auto style = static_cast<PublicStyle>(data[0] % 4);
  const char separator = kSeparators[data[0] / 4 % kSeparators.size()];
  try_style(text, style, separator);
  try_table(text);

  // The same bytes as a body.
  Bytes16 body{};
  std::copy_n(data, std::min(size, body.size()), body.begin());
  const auto written = public_id::write("ord", body, style, separator);
  const auto read = public_id::parse(written, style, separator);
  require(read && read->prefix == "ord" && read->body == body);
  return 0;
}
