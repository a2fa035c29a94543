// Tokens: made, found and checked. The file is in tokens_file.cpp.

#include "tessera/service/tokens.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "service/digest.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/registry/type.h"
#include "tessera/ulid.h"

namespace tessera::service {
namespace {

constexpr std::string_view kPrefix = "tsr_";
constexpr unsigned kBits = 256;
constexpr std::size_t kTokenSize = kPrefix.size() + RandomId::text_size(kBits, CheckCount::three);
using TokenId = PublicId<"tok">;

constexpr std::array<std::string_view, kAbilityCount> kAbilityNames = {
    "mint", "look-up", "create", "retire", "segments", "leases", "resolve", "admin"};

Error invalid(std::string message, std::string hint = {}) {
  return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
}

std::optional<Error> fault_of(const Token& token) {
  if (!TokenId::parse(token.id)) {
    return invalid("'" + printable(token.id) + "' is no ID of a token", "As in tok_ and a ULID.");
  }
  if (token.tenants.size() > TokenTable::kTenantsMax) {
    return invalid("a token has at most " + std::to_string(TokenTable::kTenantsMax) + " tenants",
                   "\"*\" is all of them.");
  }
  for (const std::string& tenant : token.tenants) {
    if (tenant == "*") continue;
    // A field of the file that is "-" says that there is none.
    if (tenant == "-") return invalid("'-' is no name of a tenant");
    if (auto fault = fault_of_tenant(tenant)) return fault;
  }
  if (token.note.size() > TokenTable::kNoteSizeMax) {
    return invalid("a note has at most " + std::to_string(TokenTable::kNoteSizeMax) + " bytes");
  }
  if (token.rate > TokenTable::kRateMax) {
    return invalid("a rate is at most " + std::to_string(TokenTable::kRateMax) + " a second");
  }
  // What a date of four digits can say.
  constexpr std::uint64_t kTimeMsMax = 253'402'300'799'999;
  if (token.created_ms > kTimeMsMax || token.expires_ms > kTimeMsMax) {
    return invalid("a token ends before the year 10000");
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Ability ability) noexcept {
  return kAbilityNames[static_cast<std::size_t>(ability)];
}

std::optional<Ability> ability_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(kAbilityNames, name);
  if (found == kAbilityNames.end()) return std::nullopt;
  return static_cast<Ability>(found - kAbilityNames.begin());
}

bool Token::may_ask_for(std::string_view tenant) const noexcept {
  return std::ranges::any_of(tenants,
                             [&](const std::string& own) { return own == "*" || own == tenant; });
}

Result<NewToken, Error> make_token(Token wanted, Clock& clock, Entropy& entropy) {
  const auto failed = [](MintError error) {
    return Failure{Error{Error::Code::store_unavailable,
                         "could not make a token: " + std::string(describe(error)), ""}};
  };
  const auto id = UlidGenerator(clock, entropy).next();
  if (!id) return failed(id.error());
  const auto secret = RandomId::generate(kBits, entropy, RandomId::Symbols::plain);
  if (!secret) return failed(secret.error());
  NewToken made{std::move(wanted), std::string(kPrefix) + secret->to_string(CheckCount::three)};
  made.token.id = TokenId{*id}.to_string();
  made.token.created_ms = clock.now_ms();
  made.token.digest = sha256(made.text);
  if (auto fault = fault_of(made.token)) return Failure{*std::move(fault)};
  return made;
}

std::size_t TokenTable::DigestHash::operator()(const Token::Digest& digest) const noexcept {
  std::size_t hash = 0;  // any bytes of a digest are as good as a hash
  std::memcpy(&hash, digest.data(), sizeof hash);
  return hash;
}

Result<TokenTable, Error> TokenTable::make(std::vector<Token> tokens) {
  TokenTable table;
  table.tokens_ = std::move(tokens);
  for (std::size_t i = 0; i < table.tokens_.size(); ++i) {
    const Token& token = table.tokens_[i];
    if (auto fault = fault_of(token)) return Failure{*std::move(fault)};
    const bool new_id = table.by_id_.emplace(token.id, i).second;
    const bool new_digest = table.by_digest_.emplace(token.digest, i).second;
    if (!new_id || !new_digest) {
      return Failure{
          Error{Error::Code::already_exists,
                "token '" + token.id + "' stands twice" + (new_id ? ", under two IDs" : ""), ""}};
    }
  }
  return table;
}

const Token* TokenTable::find(std::string_view text) const noexcept {
  if (text.size() != kTokenSize || !text.starts_with(kPrefix)) return nullptr;
  const auto found = by_digest_.find(sha256(text));
  return found == by_digest_.end() ? nullptr : &tokens_[found->second];
}

const Token* TokenTable::find_id(std::string_view id) const noexcept {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &tokens_[found->second];
}

}  // namespace tessera::service
