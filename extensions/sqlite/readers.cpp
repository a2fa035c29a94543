// Functions that read IDs: check, valid, inspect, time, the bounds of a span, check symbols, and
// conversions. NULL in, NULL out. What does not ask a clock is deterministic, and may stand in an
// index, a generated column or a CHECK.

#include "sqlite/answer.h"
#include "sqlite/units.h"

namespace tessera::sqlite {
namespace {

bool any_null(int count, sqlite3_value** values) noexcept {
  for (int i = 0; i < count; ++i) {
    if (is_null(values[i])) return true;
  }
  return false;
}

// The third argument of tessera_check and tessera_valid: 'strict', and nothing else.
bool read_flags(int count, sqlite3_value** values, int* flags) noexcept {
  *flags = 0;
  if (count < 3) return true;
  *flags = TESSERA_STRICT;
  return text_of(values[2]) == "strict";
}

// Of a text or bytes as a kind: TESSERA_OK, or what is wrong. TESSERA_BAD_ARGUMENT is the caller's
// mistake and no answer.
int check_value(int count, sqlite3_value** values) noexcept {
  int flags = 0;
  if (!read_flags(count, values, &flags)) return TESSERA_BAD_ARGUMENT;
  const std::string_view what = text_of(values[1]);
  IdText id;
  const bool readable = id.read(values[0], what);
  const std::string_view text = readable ? id.view() : std::string_view();
  const int code =
      tessera_check(what.data(), what.size(), flags, text.data(), text.size(), nullptr);
  return readable || code == TESSERA_BAD_ARGUMENT ? code : id.code();
}

constexpr const char* kNoSuchKind =
    "no such kind or prefix, or a third argument that is not 'strict'";

// tessera_check(id), (id, what), (id, what, 'strict'): 'valid', or the code of what is wrong.
void check(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return;
  int code = TESSERA_OK;
  if (count == 1) {
    IdText id;
    code = id.read(values[0], {})
               ? tessera_check_any(id.view().data(), id.view().size(), tessera_now_ms())
               : id.code();
  } else {
    code = check_value(count, values);
  }
  if (code == TESSERA_BAD_ARGUMENT) return fail_with(context, "tessera_check", kNoSuchKind);
  if (code == TESSERA_NO_MEMORY) return fail(context, "tessera_check", code);
  give_text(context, code == TESSERA_OK ? "valid" : tessera_error_name(code));
}

// tessera_valid(id, what), (id, what, 'strict'): 1 or 0.
void valid(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return;
  const int code = check_value(count, values);
  if (code == TESSERA_BAD_ARGUMENT) return fail_with(context, "tessera_valid", kNoSuchKind);
  if (code == TESSERA_NO_MEMORY) return fail(context, "tessera_valid", code);
  sqlite3_result_int(context, code == TESSERA_OK ? 1 : 0);
}

// tessera_inspect(id), (id, as): the JSON of `tessera inspect --json`.
void inspect(sqlite3_context* context, int count, sqlite3_value** values) {
  constexpr const char* kName = "tessera_inspect";
  if (any_null(count, values)) return;
  const std::string_view as = count > 1 ? text_of(values[1]) : std::string_view();
  IdText id;
  if (!id.read(values[0], as)) return fail(context, kName, id.code());
  const std::uint64_t now_ms = tessera_now_ms();
  char here[8192];
  std::size_t size = 0;
  const auto look = [&](char* out, std::size_t capacity) {
    return tessera_inspect(as.data(), as.size(), id.view().data(), id.view().size(), now_ms, out,
                           capacity, &size);
  };
  int code = look(here, sizeof here);
  if (code == TESSERA_OK) return give_text(context, {here, size});
  if (code != TESSERA_BUFFER_TOO_SMALL) return fail(context, kName, code);
  auto* json = static_cast<char*>(sqlite3_malloc64(size));
  if (json == nullptr) return sqlite3_result_error_nomem(context);
  code = look(json, size);
  if (code == TESSERA_OK) {
    sqlite3_result_text(context, json, static_cast<int>(size), sqlite3_free);
    return;
  }
  sqlite3_free(json);
  fail(context, kName, code);
}

// tessera_time(id), (id, what): milliseconds since 1970. NULL where the kind has no time.
void time_ms(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return;
  const std::string_view what = count > 1 ? text_of(values[1]) : std::string_view();
  IdText id;
  std::int64_t time = 0;
  std::uint32_t offset = 0;
  if (!id.read(values[0], what)) return fail(context, "tessera_time", id.code());
  const int code =
      tessera_time_ms(what.data(), what.size(), id.view().data(), id.view().size(), &time, &offset);
  if (code == TESSERA_NO_TIME) return;
  if (code != TESSERA_OK) return fail(context, "tessera_time", code, &offset);
  sqlite3_result_int64(context, time);
}

// tessera_range_min(what, from_ms, to_ms) and tessera_range_max: which, says the user data.
void bound(sqlite3_context* context, int count, sqlite3_value** values) {
  const bool smallest = sqlite3_user_data(context) == nullptr;
  const char* name = smallest ? "tessera_range_min" : "tessera_range_max";
  if (any_null(count, values)) return;
  const std::string_view what = text_of(values[0]);
  const sqlite3_int64 from_ms = sqlite3_value_int64(values[1]);
  const sqlite3_int64 to_ms = sqlite3_value_int64(values[2]);
  if (from_ms < 0 || to_ms < 0) return fail(context, name, TESSERA_OUT_OF_RANGE);
  char low[TESSERA_TEXT_SIZE_MAX];
  char high[TESSERA_TEXT_SIZE_MAX];
  std::size_t size = 0;
  const int code = tessera_range(what.data(), what.size(), static_cast<std::uint64_t>(from_ms),
                                 static_cast<std::uint64_t>(to_ms), low, high, &size);
  if (code != TESSERA_OK) return fail(context, name, code);
  give_text(context, {smallest ? low : high, size});
}

// tessera_checksum(text), (text, bits), (text, bits, count): the check symbols that belong behind
// it. Those of a public ID are two, and have no bits.
void checksum(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return;
  const std::string_view text = text_of(values[0]);
  const bool is_public = text.find('_') != text.npos;
  const sqlite3_int64 bits = count > 1 ? sqlite3_value_int64(values[1]) : 0;
  const sqlite3_int64 symbols = count > 2 ? sqlite3_value_int64(values[2]) : is_public ? 2 : 1;
  if (bits < 0 || bits > 512 || symbols < 1 || symbols > 3) {
    return fail(context, "tessera_checksum", TESSERA_BAD_ARGUMENT);
  }
  char out[3];
  std::uint32_t offset = 0;
  const int code = tessera_checksum(text.data(), text.size(), static_cast<unsigned>(bits),
                                    static_cast<unsigned>(symbols), out, &offset);
  if (code != TESSERA_OK) return fail(context, "tessera_checksum", code, &offset);
  give_text(context, {out, static_cast<std::size_t>(symbols)});
}

// tessera_convert(id, to), (id, to, from): bytes come as a blob, all else as text.
void convert(sqlite3_context* context, int count, sqlite3_value** values) {
  constexpr const char* kName = "tessera_convert";
  if (any_null(count, values)) return;
  const std::string_view to = text_of(values[1]);
  std::string_view from = count > 2 ? text_of(values[2]) : std::string_view();
  std::string_view text;
  if (is_blob(values[0])) {
    if (from.empty()) from = "bytes";
    text = {static_cast<const char*>(sqlite3_value_blob(values[0])),
            static_cast<std::size_t>(sqlite3_value_bytes(values[0]))};
  } else {
    text = text_of(values[0]);
  }
  char out[TESSERA_TEXT_SIZE_MAX];
  std::size_t size = 0;
  std::uint32_t offset = 0;
  const int code =
      tessera_convert(from.data(), from.size(), to.data(), to.size(), text.data(), text.size(),
                      from.empty() ? tessera_now_ms() : 0, out, sizeof out, &size, &offset);
  if (code != TESSERA_OK) return fail(context, kName, code, &offset);
  to == "bytes" ? give_blob(context, out, size) : give_text(context, {out, size});
}

using Parse = int (*)(const char*, std::size_t, std::uint8_t*, std::uint32_t*);
using Write = void (*)(const std::uint8_t*, char*);

// The two conversions of a kind that tables need for each row: fast, and by name.
struct Pair {
  const char* text_name;
  const char* bytes_name;
  Parse parse;
  Write write;
  int size;
  int text_size;
};

constexpr Pair kPairs[] = {
    {"tessera_ulid_text", "tessera_ulid_bytes", tessera_ulid_parse_friendly, tessera_ulid_text, 16,
     TESSERA_ULID_TEXT_SIZE},
    {"tessera_uuid_text", "tessera_uuid_bytes", tessera_uuid_parse_friendly, tessera_uuid_text, 16,
     TESSERA_UUID_TEXT_SIZE},
    {"tessera_objectid_text", "tessera_objectid_bytes", tessera_objectid_parse,
     tessera_objectid_text, 12, TESSERA_OBJECTID_TEXT_SIZE},
    {"tessera_ksuid_text", "tessera_ksuid_bytes", tessera_ksuid_parse, tessera_ksuid_text, 20,
     TESSERA_KSUID_TEXT_SIZE},
};

void pair_text(sqlite3_context* context, int, sqlite3_value** values) {
  const auto& pair = *static_cast<const Pair*>(sqlite3_user_data(context));
  if (is_null(values[0])) return;
  if (!is_blob(values[0]) || sqlite3_value_bytes(values[0]) != pair.size) {
    return fail_with(context, pair.text_name, "not a blob of as many bytes as the kind has");
  }
  char text[TESSERA_UUID_TEXT_SIZE];
  pair.write(static_cast<const std::uint8_t*>(sqlite3_value_blob(values[0])), text);
  sqlite3_result_text(context, text, pair.text_size, SQLITE_TRANSIENT);
}

void pair_bytes(sqlite3_context* context, int, sqlite3_value** values) {
  const auto& pair = *static_cast<const Pair*>(sqlite3_user_data(context));
  if (is_null(values[0])) return;
  if (is_blob(values[0])) return fail_with(context, pair.bytes_name, "these are bytes already");
  const std::string_view text = text_of(values[0]);
  std::uint8_t bytes[20];
  std::uint32_t offset = 0;
  const int code = pair.parse(text.data(), text.size(), bytes, &offset);
  if (code != TESSERA_OK) return fail(context, pair.bytes_name, code, &offset);
  sqlite3_result_blob(context, bytes, pair.size, SQLITE_TRANSIENT);
}

void version(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_text(context, tessera_version(), -1, SQLITE_STATIC);
}

struct Row {
  const char* name;
  int count;
  int flags;
  void (*function)(sqlite3_context*, int, sqlite3_value**);
  const void* data = nullptr;
};

constexpr Row kRows[] = {
    {"tessera_check", 1, kReaderByClock, check},
    {"tessera_check", 2, kReader, check},
    {"tessera_check", 3, kReader, check},
    {"tessera_valid", 2, kReader, valid},
    {"tessera_valid", 3, kReader, valid},
    {"tessera_inspect", 1, kReaderByClock, inspect},
    {"tessera_inspect", 2, kReaderByClock, inspect},
    {"tessera_time", 1, kReader, time_ms},
    {"tessera_time", 2, kReader, time_ms},
    {"tessera_range_min", 3, kReader, bound},
    {"tessera_range_max", 3, kReader, bound, &kPairs},
    {"tessera_checksum", 1, kReader, checksum},
    {"tessera_checksum", 2, kReader, checksum},
    {"tessera_checksum", 3, kReader, checksum},
    {"tessera_convert", 2, kReaderByClock, convert},
    {"tessera_convert", 3, kReader, convert},
    {"tessera_version", 0, kReader, version},
};

int add(sqlite3* db, const Row& row) noexcept {
  return sqlite3_create_function_v2(db, row.name, row.count, row.flags, const_cast<void*>(row.data),
                                    row.function, nullptr, nullptr, nullptr);
}

}  // namespace

int add_readers(sqlite3* db) noexcept {
  for (const Row& row : kRows) {
    if (const int code = add(db, row); code != SQLITE_OK) return code;
  }
  for (const Pair& pair : kPairs) {
    int code = add(db, {pair.text_name, 1, kReader, pair_text, &pair});
    if (code == SQLITE_OK) code = add(db, {pair.bytes_name, 1, kReader, pair_bytes, &pair});
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

}  // namespace tessera::sqlite
