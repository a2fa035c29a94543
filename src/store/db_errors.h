#pragma once

// What an error of a database means for the caller of a store.

#include <cstdint>
#include <string>

#include "tessera/db/connection.h"
#include "tessera/error.h"

namespace tessera {

// When it happened decides what may have been done.
enum class At : std::uint8_t {
  reading,        // nothing can have been done
  before_commit,  // what was done is undone
  commit,         // who knows
};

Error error_of(const db::DbError& error, db::Engine engine, At at);

std::int64_t number_of(const db::Value& value) noexcept;  // 0 if it is none
std::string text_of(const db::Value& value);              // of text, bytes and numbers

}  // namespace tessera
