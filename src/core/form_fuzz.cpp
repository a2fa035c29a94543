// The first byte chooses a form; the rest is text in it, and bytes to write in it. What is read
// is written back as it was but for case, and what is written is read back as it was.

#include "support/fuzz.h"
#include "tessera/form.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

bool case_matters(Form form) {
  return form == Form::base62 || form == Form::base58 || form == Form::base64url ||
         form == Form::bytes || form == Form::type_id;
}

bool same_text(Form form, std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [&](char x, char y) { return case_matters(form) ? x == y : lower(x) == lower(y); });
}

// Sizes that the text of this form leads back to.
bool says_its_size(Form form, std::size_t size) {
  switch (form) {
    case Form::integer: return size == 16;
    case Form::base32:
    case Form::base36:
    case Form::base62:
    case Form::base58: return size == 8 || size == 12 || size == 16 || size == 20;
    default: return true;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Form form = all_forms()[data[0] % all_forms().size()];
  const std::string_view text = as_text(data + 1, size - 1);

  const auto read = parse_form(form, text);
  if (read) {
    require(!read->empty() && read->size() <= kFormBytesMax);
    std::string_view body = text;  // a prefix is read, but is no part of the bytes
    if (form == Form::type_id) body.remove_prefix(text.rfind('_') + 1);
    const auto again = write_form(form, *read);
    require(again && same_text(form, *again, body));
  } else {
    require_sound(read.error(), text);
  }

  const std::span bytes(data + 1, size - 1);
  const auto written = write_form(form, bytes);
  const auto in_place = form_text(form, bytes);
  require(written.has_value() == in_place.has_value());
  if (!written) return 0;
  require(in_place->view() == *written);
  if (says_its_size(form, bytes.size())) {
    const auto back = parse_form(form, *written);
    require(back && std::ranges::equal(*back, bytes));
  }
  return 0;
}
