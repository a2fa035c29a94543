#pragma once

// The interface of functions that a MariaDB or MySQL server loads (UDFs), and what all of ours do
// with it. A function `f` has up to two entry points: `f_init`, called once for a statement, may
// refuse with words; `f` is called for each row, and can answer, answer NULL, or fail without
// words. So what can be refused is refused in `f_init`, and a text that is not what it should be
// is NULL.

#include <mysql.h>

// The order matters here.
// clang-format off
#include "mariadb/names_begin.h"
#include <tessera/c.h>
#include "mariadb/names_end.h"
// clang-format on

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace tessera::mariadb {

#ifdef LIBMARIADB
using Bool = my_bool;
#else  // MySQL since 8.0 has no my_bool
using Bool = bool;
#endif

// Words of an error, at most as many as a server takes.
inline Bool refuse(char* message, const char* words) noexcept {
  std::snprintf(message, MYSQL_ERRMSG_SIZE, "%s", words);
  return 1;
}

// Of every function: how long its answer can be, and whether each row has an answer of its own.
// What is not new for each row is worked out once, where the arguments are constants.
inline Bool prepare(UDF_INIT* init, unsigned size_max, bool new_each_time) noexcept {
  init->max_length = size_max;
  init->maybe_null = 1;
  if (new_each_time) init->const_item = 0;
  return 0;
}

inline void want_text(UDF_ARGS* args, unsigned index) noexcept {
  if (index < args->arg_count) args->arg_type[index] = STRING_RESULT;
}

inline void want_number(UDF_ARGS* args, unsigned index) noexcept {
  if (index < args->arg_count) args->arg_type[index] = INT_RESULT;
}

// An argument that is there and not NULL.
inline bool has(const UDF_ARGS* args, unsigned index) noexcept {
  return index < args->arg_count && args->args[index] != nullptr;
}

inline std::string_view text_of(const UDF_ARGS* args, unsigned index) noexcept {
  if (!has(args, index)) return {};
  return {args->args[index], args->lengths[index]};
}

inline long long number_of(const UDF_ARGS* args, unsigned index, long long otherwise) noexcept {
  if (!has(args, index)) return otherwise;
  long long number = 0;
  std::memcpy(&number, args->args[index], sizeof number);
  return number;
}

// In `f_init`, before another type is asked for: an argument that is a constant of that type. One
// of another type is not looked at; it is converted for the rows.
inline bool has_constant(const UDF_ARGS* args, unsigned index, Item_result type) noexcept {
  return has(args, index) && args->arg_type[index] == type;
}

inline bool any_null(const UDF_ARGS* args) noexcept {
  for (unsigned i = 0; i < args->arg_count; ++i) {
    if (args->args[i] == nullptr) return true;
  }
  return false;
}

// The buffer that a server lends for an answer has 255 bytes.
inline constexpr std::size_t kResultSize = 255;

using Flag = char;  // MySQL has unsigned char; the bits are the same

inline char* no_answer(Flag* is_null) noexcept {
  *is_null = 1;
  return nullptr;
}

inline char* failed(Flag* is_null, Flag* error) noexcept {
  *is_null = 1;
  *error = 1;
  return nullptr;
}

}  // namespace tessera::mariadb

// The two entry points of a function, as a server looks them up.
#define TESSERA_UDF_INIT(name)                      \
  extern "C" __attribute__((visibility("default"))) \
  tessera::mariadb::Bool name##_init(UDF_INIT* init, UDF_ARGS* args, char* message)
#define TESSERA_UDF_TEXT(name)                                           \
  extern "C" __attribute__((visibility("default"))) char* name(          \
      UDF_INIT* init, UDF_ARGS* args, char* result, unsigned long* size, \
      tessera::mariadb::Flag* is_null, tessera::mariadb::Flag* error)
#define TESSERA_UDF_NUMBER(name)                                       \
  extern "C" __attribute__((visibility("default"))) long long name(    \
      UDF_INIT* init, UDF_ARGS* args, tessera::mariadb::Flag* is_null, \
      tessera::mariadb::Flag* error)
