// Any bytes as a size, a number and the text of a short ID: reading never fails but by its
// error, what is accepted has one canonical text, and enciphering leads back.

#include "support/fuzz.h"
#include "tessera/short_cipher.h"

namespace {

using tessera::ParseError;
using tessera::ShortId;
using tessera::fuzz::require;

void try_reading(const tessera::Result<ShortId, ParseError>& read, std::string_view text,
                 unsigned bits) {
  if (!read) return tessera::fuzz::require_sound(read.error(), text);
  require(read->bits() == bits);
  const auto canonical = read->text();
  require(canonical.size == ShortId::text_size(bits));
  require(ShortId::parse_strict(canonical, bits) == read);
  require(ShortId::parse(read->text(3), bits) == read);
  require(ShortId::from_number(read->number(), bits) == read);
}

// The first byte is the size, the next eight a number, 32 a key, and the rest a scope.
void try_cipher(std::span<const std::uint8_t> data) {
  if (data.size() < 9 + 32) return;
  const auto number = tessera::detail::load_be<8>(data.data() + 1);
  tessera::ShortSpace space{
      .scope = std::string(data.begin() + 9 + 32, data.end()),
      .bits = data[0] % 80u,
  };
  if (data[0] >= 128) space.size = number >> 1;
  const auto key = tessera::ShortKey::from_bytes(data.subspan(9, data[8] % 2 == 0 ? 16 : 32));
  require(bool(key));
  const auto cipher = tessera::ShortCipher::make(space, *key);
  require(bool(cipher) != fault_of(space).has_value());
  if (!cipher) return;
  const auto id = cipher->encrypt(number);
  require(bool(id) == (number < space.count()));
  if (!id) return;
  require(id->number() < space.count());
  require(*cipher->decrypt(*id) == number);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = tessera::fuzz::as_text(data + 1, size - 1);
  const unsigned bits = data[0] % 80u;
  require(ShortId::has_size(bits) == (bits >= 16 && bits <= 63));
  try_reading(ShortId::parse(text, bits), text, bits);
  try_reading(ShortId::parse_strict(text, bits), text, bits);
  (void)tessera::ShortKey::parse(text);
  try_cipher({data, size});
  return 0;
}
