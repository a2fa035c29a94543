// Functions that make IDs: tessera_ulid() and its kin, as text and as bytes.
//
// Each is one call of tessera/c.h, so all of a process strictly increase. What is made in order
// for several processes is in marks.cpp.

#include <time.h>

#include <cstring>
#include <mutex>
#include <new>

#include "sqlite/answer.h"
#include "sqlite/units.h"

namespace tessera::sqlite {
namespace {

using Make = int (*)(std::uint8_t*);
using Write = void (*)(const std::uint8_t*, char*);

int make_uuid4(std::uint8_t* out) noexcept { return tessera_uuid_new(4, out); }
int make_uuid7(std::uint8_t* out) noexcept { return tessera_uuid_new(7, out); }

// A kind without arguments. The name is that of the function with text; that with bytes has
// "_bytes" behind it.
struct Maker {
  const char* name;
  const char* bytes_name;
  Make make;
  Write write;
  int size;
  int text_size;
};

constexpr Maker kMakers[] = {
    {"tessera_ulid", "tessera_ulid_bytes", tessera_ulid_new, tessera_ulid_text, 16,
     TESSERA_ULID_TEXT_SIZE},
    {"tessera_uuid4", "tessera_uuid4_bytes", make_uuid4, tessera_uuid_text, 16,
     TESSERA_UUID_TEXT_SIZE},
    {"tessera_uuid7", "tessera_uuid7_bytes", make_uuid7, tessera_uuid_text, 16,
     TESSERA_UUID_TEXT_SIZE},
    {"tessera_objectid", "tessera_objectid_bytes", tessera_objectid_new, tessera_objectid_text, 12,
     TESSERA_OBJECTID_TEXT_SIZE},
    {"tessera_ksuid", "tessera_ksuid_bytes", tessera_ksuid_new, tessera_ksuid_text, 20,
     TESSERA_KSUID_TEXT_SIZE},
};
constexpr std::size_t kSizeMax = 20;
constexpr std::size_t kTextSizeMax = TESSERA_UUID_TEXT_SIZE;

void make_text(sqlite3_context* context, int, sqlite3_value**) {
  const auto& maker = *static_cast<const Maker*>(sqlite3_user_data(context));
  std::uint8_t id[kSizeMax];
  char text[kTextSizeMax];
  if (const int code = maker.make(id); code != TESSERA_OK) return fail(context, maker.name, code);
  maker.write(id, text);
  sqlite3_result_text(context, text, maker.text_size, SQLITE_TRANSIENT);
}

void make_bytes(sqlite3_context* context, int, sqlite3_value**) {
  const auto& maker = *static_cast<const Maker*>(sqlite3_user_data(context));
  std::uint8_t id[kSizeMax];
  if (const int code = maker.make(id); code != TESSERA_OK) {
    return fail(context, maker.bytes_name, code);
  }
  sqlite3_result_blob(context, id, maker.size, SQLITE_TRANSIENT);
}

// tessera_random(bits[, check]): check is the number of check symbols, 1 unless told.
void make_random(sqlite3_context* context, int count, sqlite3_value** values) {
  const sqlite3_int64 bits = count > 0 ? sqlite3_value_int64(values[0]) : 120;
  const sqlite3_int64 check = count > 1 ? sqlite3_value_int64(values[1]) : 1;
  if (bits < 1 || bits > 512) return fail_with(context, "tessera_random", "bits are 1 to 512");
  if (check < 1 || check > 3) {
    return fail_with(context, "tessera_random", "there are 1 to 3 check symbols");
  }
  char text[256];
  std::size_t size = 0;
  const int code = tessera_random_new(static_cast<unsigned>(bits), static_cast<unsigned>(check),
                                      text, sizeof text, &size);
  if (code != TESSERA_OK) return fail(context, "tessera_random", code);
  give_text(context, {text, size});
}

int style_of(std::string_view name) noexcept {
  if (name == "ulid") return TESSERA_STYLE_ULID;
  if (name == "typeid") return TESSERA_STYLE_TYPEID;
  if (name == "base36") return TESSERA_STYLE_BASE36;
  return name == "checked" ? TESSERA_STYLE_CHECKED : -1;
}

// tessera_public_id(prefix[, style])
void make_public(sqlite3_context* context, int count, sqlite3_value** values) {
  const std::string_view prefix = text_of(values[0]);
  const int style = count > 1 ? style_of(text_of(values[1])) : TESSERA_STYLE_ULID;
  if (style < 0) {
    return fail_with(context, "tessera_public_id",
                     "no such style; there are ulid, typeid, base36 and checked");
  }
  char text[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX];
  std::size_t size = 0;
  const int code =
      tessera_public_id_new(prefix.data(), prefix.size(), style, text, sizeof text, &size);
  if (code != TESSERA_OK) return fail(context, "tessera_public_id", code);
  give_text(context, {text, size});
}

// The snowflake generators of the process, one for each layout and machine. They stay until it
// ends: two for one machine would make the same numbers.
struct Snowflakes {
  struct Node {
    char layout[16];
    std::uint64_t machine;
    tessera_snowflake* generator;
    Node* next;
  };
  std::mutex mutex;
  Node* first = nullptr;

  int find(const char* layout, std::uint64_t machine, tessera_snowflake** out) noexcept {
    const std::lock_guard lock(mutex);
    for (Node* node = first; node != nullptr; node = node->next) {
      if (node->machine == machine && std::strcmp(node->layout, layout) == 0) {
        *out = node->generator;
        return TESSERA_OK;
      }
    }
    if (std::strlen(layout) >= sizeof first->layout) return TESSERA_BAD_ARGUMENT;
    auto* node = new (std::nothrow) Node{};
    if (node == nullptr) return TESSERA_NO_MEMORY;
    if (const int code = tessera_snowflake_create(layout, machine, &node->generator);
        code != TESSERA_OK) {
      delete node;
      return code;
    }
    std::strcpy(node->layout, layout);
    node->machine = machine;
    node->next = first;
    first = node;
    *out = node->generator;
    return TESSERA_OK;
  }
};

Snowflakes& snowflakes() noexcept {
  static auto* const all = new Snowflakes;  // never destroyed: threads may outlive main()
  return *all;
}

// tessera_snowflake(machine[, layout]). A generator that is ahead of its clock waits for it.
void make_snowflake(sqlite3_context* context, int count, sqlite3_value** values) {
  constexpr const char* kName = "tessera_snowflake";
  const sqlite3_int64 machine = sqlite3_value_int64(values[0]);
  if (sqlite3_value_type(values[0]) != SQLITE_INTEGER || machine < 0) {
    return fail_with(context, kName, "the number of a machine is an integer from 0");
  }
  const auto* layout =
      count > 1 ? reinterpret_cast<const char*>(sqlite3_value_text(values[1])) : "twitter";
  if (layout == nullptr) return fail(context, kName, TESSERA_BAD_ARGUMENT);
  tessera_snowflake* generator = nullptr;
  int code = snowflakes().find(layout, static_cast<std::uint64_t>(machine), &generator);
  if (code == TESSERA_BAD_ARGUMENT) return fail_with(context, kName, "no such layout");
  std::uint64_t id = 0;
  while (code == TESSERA_OK) {
    code = tessera_snowflake_next(generator, &id);
    if (code != TESSERA_TOO_FAR_AHEAD) break;
    const timespec pause{.tv_sec = 0, .tv_nsec = 100'000};
    ::nanosleep(&pause, nullptr);
    code = TESSERA_OK;
  }
  if (code != TESSERA_OK) return fail(context, kName, code);
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(id));
}

}  // namespace

int add_makers(sqlite3* db) noexcept {
  const auto add = [db](const char* name, int count, const Maker* maker, auto function) {
    return sqlite3_create_function_v2(db, name, count, kMaker, const_cast<Maker*>(maker), function,
                                      nullptr, nullptr, nullptr);
  };
  int code = SQLITE_OK;
  for (const Maker& maker : kMakers) {
    if (code == SQLITE_OK) code = add(maker.name, 0, &maker, make_text);
    if (code == SQLITE_OK) code = add(maker.bytes_name, 0, &maker, make_bytes);
  }
  for (const int count : {0, 1, 2}) {
    if (code == SQLITE_OK) code = add("tessera_random", count, nullptr, make_random);
  }
  for (const int count : {1, 2}) {
    if (code == SQLITE_OK) code = add("tessera_public_id", count, nullptr, make_public);
    if (code == SQLITE_OK) code = add("tessera_snowflake", count, nullptr, make_snowflake);
  }
  return code;
}

}  // namespace tessera::sqlite
