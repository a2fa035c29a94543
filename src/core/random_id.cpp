// Minting of RandomIds, and guesses at what a mistyped one was.

#include "tessera/random_id.h"

#include <cstdlib>

#include "tessera/system.h"

namespace tessera {
namespace {

constexpr bool is_plain(std::uint8_t mod37_value) noexcept {
  const char symbol = kMod37Symbols[mod37_value];
  return (symbol >= '0' && symbol <= '9') || (symbol >= 'A' && symbol <= 'Z');
}

}  // namespace

Result<RandomId, MintError> RandomId::generate(unsigned bits, Symbols symbols) noexcept {
  SystemEntropy entropy;
  return generate(bits, entropy, symbols);
}

Result<RandomId, MintError> RandomId::generate(unsigned bits, Entropy& entropy,
                                               Symbols symbols) noexcept {
  if (!has_size(bits)) std::abort();
  constexpr int kDrawsMax = 64;
  for (int draw = 0; draw < kDrawsMax; ++draw) {
    RandomId id(bits);
    if (!entropy.fill({id.bytes_.data(), size_of(bits)})) return Failure{MintError::no_entropy};
    id.clear_spare_bits();
    if (symbols == Symbols::any || is_plain(mod37(id.bytes(), bits))) return id;
  }
  return Failure{MintError::no_entropy};
}

std::vector<std::string> RandomId::suggest(std::string_view text, CheckCount check) {
  return suggest_texts(text, kWholeBytes, check);
}

std::vector<std::string> RandomId::suggest(std::string_view text, unsigned bits, CheckCount check) {
  return suggest_texts(text, given(bits), check);
}

std::vector<std::string> RandomId::suggest_texts(std::string_view text, unsigned bits,
                                                 CheckCount check) {
  const auto refused = read(text, bits, check, Reading::friendly);
  if (check == CheckCount::none || refused || text.size() > kParseSizeMax) return {};

  std::string canonical;
  for (const char c : text) {
    if (c == '-') continue;
    const std::uint8_t digit = detail::digit_of(detail::kCrockfordFriendly, c);
    if (digit != detail::kNotADigit) {
      canonical += detail::kCrockford[digit];
    } else {
      canonical += c == 'u' ? 'U' : c;
    }
  }
  const auto is_valid = [&](std::string_view changed) {
    return static_cast<bool>(read(changed, bits, check, Reading::strict));
  };
  // All that was wrong is that I, L or O stood for a check symbol.
  if (is_valid(canonical)) return {canonical};

  std::vector<std::string> texts;
  const Corrections found = likely_corrections(canonical, is_valid);
  for (std::size_t i = 0; i < found.count; ++i) {
    const Correction& correction = found.list[i];
    std::string changed = canonical;
    if (correction.kind == Correction::Kind::swap) {
      std::swap(changed[correction.offset], changed[correction.offset + 1]);
    } else {
      changed[correction.offset] = correction.symbol;
    }
    texts.push_back(std::move(changed));
  }
  return texts;
}

}  // namespace tessera
