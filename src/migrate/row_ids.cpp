// Makes the IDs of rows.

#include "migrate/row_ids.h"

#include "tessera/public_id.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera::migrate {

Result<Bytes16, MintError> RowIds::next(std::optional<std::int64_t> time_ms) noexcept {
  constexpr unsigned kCountBits = UlidMint::kCountBits;
  static_assert(kCountBits == Uuidv7Mint::kCountBits);
  const bool known =
      time_ms && *time_ms >= 0 && static_cast<std::uint64_t>(*time_ms) <= Ulid::kTimeMsMax;
  const std::uint64_t time = known ? static_cast<std::uint64_t>(*time_ms) : clock_.now_ms();
  if (time > Ulid::kTimeMsMax) return Failure{MintError::time_out_of_range};
  std::array<std::uint8_t, UlidMint::kRandomSize + UlidMint::kStartSize> random;
  if (!entropy_.fill(random)) return Failure{MintError::no_entropy};
  const std::uint64_t start =
      detail::load_be<UlidMint::kStartSize>(random.data() + UlidMint::kRandomSize);

  // What is made now never steps back, even if the clock does.
  const bool goes_on = state_.tick != 0 && (time >= state_.time_ms || !known) &&
                       (time == state_.time_ms || state_.tick >> kCountBits >= time);
  if (goes_on && state_.tick == ~std::uint64_t{0}) return Failure{MintError::exhausted};
  const std::uint64_t tick =
      goes_on ? state_.tick + 1 : detail::next_tick<kCountBits>(0, time, start);
  state_ = {tick, time};
  const bool ulid = style_ == PublicStyle::ulid || style_ == PublicStyle::checked;
  return ulid ? UlidMint::make(tick, random.data()).bytes
              : Uuidv7Mint::make(tick, random.data()).bytes;
}

db::Value column_value(const Target& target, const Bytes16& body) {
  if (target.form == Form::bytes) {
    return db::Bytes{std::string(reinterpret_cast<const char*>(body.data()), body.size())};
  }
  return public_id::write(target.type.prefix, body, target.type.style, target.type.separator)
      .to_string();
}

}  // namespace tessera::migrate
