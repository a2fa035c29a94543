#pragma once

// Tokens: who may ask, for which tenants, and for what.
//
//    tsr_4ZQK…J7          256 random bits and three check symbols; shown once, kept by nobody
//    tok_01M0…  4b1f…9a  acme  mint,create  …      what is kept: its SHA-256 and its rights
//
// The file is text: a first line "# tessera tokens 1", then a line for each token, of eight fields
// with tabs between them; "-" is none. Lines that begin with # are comments.
//
//    id  digest  tenants  abilities  created  expires  rate  note
//
// A token is found by its digest: how long that takes says nothing about the token. Prefix and
// check symbols are for those who look for secrets in logs and sources: they tell it from noise.
//
// A TokenTable is a value that does not change; any number of threads may read it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/source.h"

namespace tessera::service {

enum class Ability : std::uint8_t {
  mint,      // make IDs that nobody keeps
  look_up,   // ask what became of an ID
  create,    // make IDs that are kept
  retire,    // end them
  segments,  // take numbers
  leases,    // take machine numbers
  resolve,   // learn the 64-bit key of a public ID
  admin,     // see and change how the service is run
};
inline constexpr std::size_t kAbilityCount = 8;

std::string_view name_of(Ability ability) noexcept;  // "look-up", as in the file
std::optional<Ability> ability_named(std::string_view name) noexcept;

class Abilities {
 public:
  constexpr Abilities() = default;
  static constexpr Abilities all() noexcept { return Abilities((1U << kAbilityCount) - 1); }

  constexpr bool has(Ability ability) const noexcept { return (bits_ & bit(ability)) != 0; }
  constexpr void add(Ability ability) noexcept { bits_ |= bit(ability); }
  friend constexpr bool operator==(Abilities, Abilities) = default;

 private:
  constexpr explicit Abilities(unsigned bits) noexcept : bits_(bits) {}
  static constexpr unsigned bit(Ability ability) noexcept {
    return 1U << static_cast<unsigned>(ability);
  }

  unsigned bits_ = 0;
};

struct Token {
  using Digest = std::array<std::uint8_t, 32>;

  std::string id{};    // public: how people and logs name it, "tok_01M0…"
  std::string note{};  // what it is for, in the words of who made it
  Digest digest{};
  std::vector<std::string> tenants{};  // "*" is all of them
  Abilities abilities{};
  std::uint64_t created_ms = 0;
  std::uint64_t expires_ms = 0;  // 0: never
  std::uint64_t rate = 0;        // requests a second; 0: the default of the service

  bool may_ask_for(std::string_view tenant) const noexcept;
  bool is_over(std::uint64_t now_ms) const noexcept {
    return expires_ms != 0 && now_ms >= expires_ms;
  }

  friend bool operator==(const Token&, const Token&) = default;
};

// A new token and its text, which is nowhere else. ID, digest and time of creation are made; the
// rest is as wanted.
struct NewToken {
  Token token;
  std::string text;
};
Result<NewToken, Error> make_token(Token wanted, Clock& clock, Entropy& entropy);

class TokenTable {
 public:
  static constexpr std::size_t kSizeMax = 4 << 20;  // of the file
  static constexpr std::size_t kTextSizeMax = 128;  // of what a caller sends; longer is refused
  static constexpr std::size_t kNoteSizeMax = 256;
  static constexpr std::size_t kTenantsMax = 1000;  // of one token
  static constexpr std::uint64_t kRateMax = 1'000'000;

  // The text of the file; what is wrong is told with its line. No digest or ID twice.
  static Result<TokenTable, Error> parse(std::string_view text);
  static Result<TokenTable, Error> make(std::vector<Token> tokens);
  std::string render() const;

  // Null: there is no such token, or its text is none. Whether it is over is for the caller.
  const Token* find(std::string_view text) const noexcept;
  const Token* find_id(std::string_view id) const noexcept;
  const std::vector<Token>& tokens() const noexcept { return tokens_; }

 private:
  struct DigestHash {
    std::size_t operator()(const Token::Digest& digest) const noexcept;
  };

  std::vector<Token> tokens_;
  std::unordered_map<Token::Digest, std::size_t, DigestHash> by_digest_;
  std::map<std::string, std::size_t, std::less<>> by_id_;
};

}  // namespace tessera::service
