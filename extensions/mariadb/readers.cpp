// Functions that read IDs: check, valid, inspect, time, the bounds of a span, check symbols, and
// conversions. NULL in, NULL out; NULL also where a text is not what it should be, since a function
// has no words for a row. tessera_check() has them. A server does not tell a function whether an
// argument is text or bytes, so all but name_text() take text.

#include <cstdlib>
#include <new>

#include "mariadb/udf.h"

namespace tessera::mariadb {
namespace {

// A kind or prefix that is a constant and none that we know is told before the first row.
bool is_known(std::string_view what) noexcept {
  return tesserac_check(what.data(), what.size(), 0, "", 0, nullptr) != TESSERA_BAD_ARGUMENT;
}

Bool prepare_check(UDF_INIT* init, UDF_ARGS* args, char* message, unsigned count_min) noexcept {
  if (args->arg_count < count_min || args->arg_count > 3) {
    return refuse(message, "it takes an ID, a kind or prefix and, perhaps, 'strict'");
  }
  if (has_constant(args, 1, STRING_RESULT) && !is_known(text_of(args, 1))) {
    return refuse(message, "no such kind, and no prefix either");
  }
  if (args->arg_count > 2 &&
      !(has_constant(args, 2, STRING_RESULT) && text_of(args, 2) == "strict")) {
    return refuse(message, "the third argument is 'strict' or none");
  }
  for (unsigned i = 0; i < args->arg_count; ++i) want_text(args, i);
  return prepare(init, 32, args->arg_count == 1);
}

int check_row(const UDF_ARGS* args) noexcept {
  const std::string_view what = text_of(args, 1);
  const int flags = args->arg_count > 2 ? TESSERA_STRICT : 0;
  const std::string_view id = text_of(args, 0);
  return tesserac_check(what.data(), what.size(), flags, id.data(), id.size(), nullptr);
}

char* give(std::string_view text, char* result, unsigned long* size) noexcept {
  std::memcpy(result, text.data(), text.size());
  *size = text.size();
  return result;
}

Bool prepare_bound(UDF_INIT* init, UDF_ARGS* args, char* message) noexcept {
  if (args->arg_count != 3) return refuse(message, "it takes a kind and two times in ms");
  if (has_constant(args, 0, STRING_RESULT) && !is_known(text_of(args, 0))) {
    return refuse(message, "no such kind, and no prefix either");
  }
  want_text(args, 0);
  want_number(args, 1);
  want_number(args, 2);
  return prepare(init, 2 * TESSERA_TEXT_SIZE_MAX, false);
}

struct Bounds {
  char smallest[TESSERA_TEXT_SIZE_MAX];
  char largest[TESSERA_TEXT_SIZE_MAX];
  std::size_t size = 0;

  bool read(const UDF_ARGS* args) noexcept {
    const std::string_view what = text_of(args, 0);
    const long long from_ms = number_of(args, 1, -1);
    const long long to_ms = number_of(args, 2, -1);
    if (any_null(args) || from_ms < 0 || to_ms < 0) return false;
    return tesserac_range(what.data(), what.size(), static_cast<std::uint64_t>(from_ms),
                          static_cast<std::uint64_t>(to_ms), smallest, largest,
                          &size) == TESSERA_OK;
  }
};

Bool prepare_pair(UDF_INIT* init, UDF_ARGS* args, char* message, unsigned size,
                  bool may_make) noexcept {
  if (args->arg_count > 1 || (args->arg_count == 0 && !may_make)) {
    return refuse(message,
                  may_make ? "it takes a text, or nothing for a new ID" : "it takes an ID");
  }
  want_text(args, 0);
  return prepare(init, size, args->arg_count == 0);
}

using Parse = int (*)(const char*, std::size_t, std::uint8_t*, std::uint32_t*);
using Make = int (*)(std::uint8_t*);

// The bytes of a text, or of a new ID if there is none.
char* pair_bytes(const UDF_ARGS* args, Parse parse, Make make, std::size_t id_size, char* result,
                 unsigned long* size, Flag* is_null, Flag* error) noexcept {
  auto* out = reinterpret_cast<std::uint8_t*>(result);
  *size = id_size;
  if (args->arg_count == 0) return make(out) == TESSERA_OK ? result : failed(is_null, error);
  const std::string_view text = text_of(args, 0);
  if (!has(args, 0) || parse(text.data(), text.size(), out, nullptr) != TESSERA_OK) {
    return no_answer(is_null);
  }
  return result;
}

int no_maker(std::uint8_t*) noexcept { return TESSERA_BAD_ARGUMENT; }

// What tessera_inspect() needs for a statement: its answer is longer than the server's buffer.
struct Json {
  char* chars = nullptr;
  std::size_t capacity = 0;
};

constexpr std::size_t kJsonSizeUsual = 16384;

}  // namespace
}  // namespace tessera::mariadb

using namespace tessera::mariadb;

// tessera_check(id), (id, what), (id, what, 'strict'): 'valid', or the code of what is wrong.
TESSERA_UDF_INIT(tessera_check) { return prepare_check(init, args, message, 1); }
TESSERA_UDF_TEXT(tessera_check) {
  (void)init;
  if (any_null(args)) return no_answer(is_null);
  int code = TESSERA_OK;
  if (args->arg_count == 1) {
    const std::string_view id = text_of(args, 0);
    code = tessera_check_any(id.data(), id.size(), tessera_now_ms());
  } else {
    code = check_row(args);
  }
  if (code == TESSERA_BAD_ARGUMENT || code == TESSERA_NO_MEMORY) return failed(is_null, error);
  return give(code == TESSERA_OK ? "valid" : tessera_error_name(code), result, size);
}

// tessera_valid(id, what), (id, what, 'strict'): 1 or 0.
TESSERA_UDF_INIT(tessera_valid) { return prepare_check(init, args, message, 2); }
TESSERA_UDF_NUMBER(tessera_valid) {
  (void)init;
  if (any_null(args)) {
    *is_null = 1;
    return 0;
  }
  const int code = check_row(args);
  if (code == TESSERA_BAD_ARGUMENT || code == TESSERA_NO_MEMORY) failed(is_null, error);
  return code == TESSERA_OK ? 1 : 0;
}

// tessera_inspect(id), (id, as): the JSON of `tessera inspect --json`.
TESSERA_UDF_INIT(tessera_inspect) {
  if (args->arg_count < 1 || args->arg_count > 2) {
    return refuse(message, "it takes a text and, perhaps, a kind");
  }
  want_text(args, 0);
  want_text(args, 1);
  auto* json = new (std::nothrow) Json;
  if (json != nullptr) json->chars = static_cast<char*>(std::malloc(kJsonSizeUsual));
  if (json == nullptr || json->chars == nullptr) {
    delete json;
    return refuse(message, "out of memory");
  }
  json->capacity = kJsonSizeUsual;
  init->ptr = reinterpret_cast<char*>(json);
  return prepare(init, 1 << 20, true);
}
extern "C" __attribute__((visibility("default"))) void tessera_inspect_deinit(UDF_INIT* init) {
  auto* json = reinterpret_cast<Json*>(init->ptr);
  if (json == nullptr) return;
  std::free(json->chars);
  delete json;
}
TESSERA_UDF_TEXT(tessera_inspect) {
  (void)result;
  if (any_null(args)) return no_answer(is_null);
  auto& json = *reinterpret_cast<Json*>(init->ptr);
  const std::string_view as = text_of(args, 1);
  const std::string_view id = text_of(args, 0);
  const std::uint64_t now_ms = tessera_now_ms();
  while (true) {
    std::size_t length = 0;
    const int code = tesserac_inspect(as.data(), as.size(), id.data(), id.size(), now_ms,
                                      json.chars, json.capacity, &length);
    if (code == TESSERA_OK) {
      *size = length;
      return json.chars;
    }
    if (code != TESSERA_BUFFER_TOO_SMALL) return no_answer(is_null);
    auto* larger = static_cast<char*>(std::realloc(json.chars, length));
    if (larger == nullptr) return failed(is_null, error);
    json.chars = larger;
    json.capacity = length;
  }
}

// tessera_time(id), (id, what): milliseconds since 1970.
TESSERA_UDF_INIT(tessera_time) {
  if (args->arg_count < 1 || args->arg_count > 2) {
    return refuse(message, "it takes an ID and, perhaps, a kind or prefix");
  }
  if (has_constant(args, 1, STRING_RESULT) && !is_known(text_of(args, 1))) {
    return refuse(message, "no such kind, and no prefix either");
  }
  want_text(args, 0);
  want_text(args, 1);
  return prepare(init, 20, false);
}
TESSERA_UDF_NUMBER(tessera_time) {
  (void)init, (void)error;
  std::int64_t time_ms = 0;
  const std::string_view what = text_of(args, 1);
  const std::string_view id = text_of(args, 0);
  if (any_null(args) || tessera_time_ms(what.data(), what.size(), id.data(), id.size(), &time_ms,
                                        nullptr) != TESSERA_OK) {
    *is_null = 1;
  }
  return time_ms;
}

// tessera_range(what, from_ms, to_ms): both bounds as JSON; tessera_range_min, _max: one of them.
TESSERA_UDF_INIT(tessera_range) { return prepare_bound(init, args, message); }
TESSERA_UDF_TEXT(tessera_range) {
  (void)init, (void)error;
  Bounds bounds;
  if (!bounds.read(args)) return no_answer(is_null);
  // No text of ours has a character that JSON escapes.
  const int length = std::snprintf(result, kResultSize, R"({"smallest":"%.*s","largest":"%.*s"})",
                                   static_cast<int>(bounds.size), bounds.smallest,
                                   static_cast<int>(bounds.size), bounds.largest);
  *size = static_cast<unsigned long>(length);
  return result;
}
TESSERA_UDF_INIT(tessera_range_min) { return prepare_bound(init, args, message); }
TESSERA_UDF_TEXT(tessera_range_min) {
  (void)init, (void)error;
  Bounds bounds;
  if (!bounds.read(args)) return no_answer(is_null);
  return give({bounds.smallest, bounds.size}, result, size);
}
TESSERA_UDF_INIT(tessera_range_max) { return prepare_bound(init, args, message); }
TESSERA_UDF_TEXT(tessera_range_max) {
  (void)init, (void)error;
  Bounds bounds;
  if (!bounds.read(args)) return no_answer(is_null);
  return give({bounds.largest, bounds.size}, result, size);
}

// tessera_checksum(text[, bits[, count]]): the check symbols that belong behind it.
TESSERA_UDF_INIT(tessera_checksum) {
  if (args->arg_count < 1 || args->arg_count > 3) {
    return refuse(message, "it takes a text and, perhaps, bits and the number of symbols");
  }
  want_text(args, 0);
  want_number(args, 1);
  want_number(args, 2);
  return prepare(init, 3, false);
}
TESSERA_UDF_TEXT(tessera_checksum) {
  (void)init, (void)error;
  const std::string_view text = text_of(args, 0);
  const bool is_public = text.find('_') != text.npos;
  const long long bits = number_of(args, 1, 0);
  const long long count = number_of(args, 2, is_public ? 2 : 1);
  if (any_null(args) || bits < 0 || bits > 512 || count < 1 || count > 3) return no_answer(is_null);
  if (tesserac_checksum(text.data(), text.size(), static_cast<unsigned>(bits),
                        static_cast<unsigned>(count), result, nullptr) != TESSERA_OK) {
    return no_answer(is_null);
  }
  *size = static_cast<unsigned long>(count);
  return result;
}

// tessera_convert(id, to[, from])
TESSERA_UDF_INIT(tessera_convert) {
  if (args->arg_count < 2 || args->arg_count > 3) {
    return refuse(message, "it takes an ID, a form and, perhaps, the form it has");
  }
  for (unsigned i = 0; i < args->arg_count; ++i) want_text(args, i);
  return prepare(init, TESSERA_TEXT_SIZE_MAX, args->arg_count == 2);
}
TESSERA_UDF_TEXT(tessera_convert) {
  (void)init, (void)error;
  if (any_null(args)) return no_answer(is_null);
  const std::string_view text = text_of(args, 0);
  const std::string_view to = text_of(args, 1);
  const std::string_view from = text_of(args, 2);
  std::size_t length = 0;
  if (tesserac_convert(from.data(), from.size(), to.data(), to.size(), text.data(), text.size(),
                       from.empty() ? tessera_now_ms() : 0, result, kResultSize, &length,
                       nullptr) != TESSERA_OK) {
    return no_answer(is_null);
  }
  *size = length;
  return result;
}

// name_bytes(text) and name_text(bytes): what tables need for each row.
#define TESSERA_PAIR(text_name, bytes_name, parse, write, make, id_size, text_size)           \
  TESSERA_UDF_INIT(bytes_name) {                                                              \
    return prepare_pair(init, args, message, id_size, make != no_maker);                      \
  }                                                                                           \
  TESSERA_UDF_TEXT(bytes_name) {                                                              \
    (void)init;                                                                               \
    return pair_bytes(args, parse, make, id_size, result, size, is_null, error);              \
  }                                                                                           \
  TESSERA_UDF_INIT(text_name) { return prepare_pair(init, args, message, text_size, false); } \
  TESSERA_UDF_TEXT(text_name) {                                                               \
    (void)init, (void)error;                                                                  \
    if (text_of(args, 0).size() != id_size) return no_answer(is_null);                        \
    write(reinterpret_cast<const std::uint8_t*>(args->args[0]), result);                      \
    *size = text_size;                                                                        \
    return result;                                                                            \
  }

TESSERA_PAIR(tessera_ulid_text, tessera_ulid_bytes, tessera_ulid_parse_friendly, tesserac_ulid_text,
             tessera_ulid_new, 16, 26)
TESSERA_PAIR(tessera_uuid_text, tessera_uuid_bytes, tessera_uuid_parse_friendly, tesserac_uuid_text,
             no_maker, 16, 36)
TESSERA_PAIR(tessera_objectid_text, tessera_objectid_bytes, tessera_objectid_parse,
             tesserac_objectid_text, tessera_objectid_new, 12, 24)
TESSERA_PAIR(tessera_ksuid_text, tessera_ksuid_bytes, tessera_ksuid_parse, tesserac_ksuid_text,
             tessera_ksuid_new, 20, 27)

TESSERA_UDF_INIT(tessera_version) {
  if (args->arg_count != 0) return refuse(message, "it takes no arguments");
  return prepare(init, 32, false);
}
TESSERA_UDF_TEXT(tessera_version) {
  (void)init, (void)args, (void)is_null, (void)error;
  return give(tesserac_version(), result, size);
}
