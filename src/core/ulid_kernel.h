#pragma once

// Texts of many ULIDs. All write the same; the portable one is the reference.

#include <span>

#include "tessera/ulid.h"

namespace tessera::detail {

using UlidTextsWriter = void (*)(std::span<const Ulid> ids, char separator, char* out) noexcept;

void write_ulid_texts_portable(std::span<const Ulid> ids, char separator, char* out) noexcept;

// Those that this processor can run: the portable one first, the fastest last.
std::span<const UlidTextsWriter> ulid_texts_writers() noexcept;

}  // namespace tessera::detail
