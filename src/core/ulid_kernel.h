#pragma once

// Texts of many ULIDs. Both write the same; `portable` is the reference.

#include <span>

#include "tessera/ulid.h"

namespace tessera::detail {

void write_ulid_texts_portable(std::span<const Ulid> ids, char separator, char* out) noexcept;

// Only where avx2_available().
void write_ulid_texts_avx2(std::span<const Ulid> ids, char separator, char* out) noexcept;
bool avx2_available() noexcept;

}  // namespace tessera::detail
