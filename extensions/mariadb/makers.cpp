// Functions that make IDs. All connections of a server are threads of one process, and the
// generators of tessera/c.h are one for a process: so what a server makes strictly increases,
// whoever asks. tessera_ulid_ordered() promises that by its name; tessera_ulid() keeps it too.

#include <time.h>

#include <mutex>
#include <new>

#include "mariadb/udf.h"

namespace tessera::mariadb {
namespace {

Bool prepare_maker(UDF_INIT* init, const UDF_ARGS* args, char* message, unsigned size) noexcept {
  if (args->arg_count != 0) return refuse(message, "it takes no arguments");
  return prepare(init, size, true);
}

int make_uuid4(std::uint8_t* out) noexcept { return tessera_uuid_new(4, out); }
int make_uuid7(std::uint8_t* out) noexcept { return tessera_uuid_new(7, out); }

int style_of(std::string_view name) noexcept {
  if (name == "ulid") return TESSERA_STYLE_ULID;
  if (name == "typeid") return TESSERA_STYLE_TYPEID;
  if (name == "base36") return TESSERA_STYLE_BASE36;
  return name == "checked" ? TESSERA_STYLE_CHECKED : -1;
}

// The snowflake generators of the server, one for each machine. They stay until it ends: two for
// one machine would make the same numbers.
struct Snowflakes {
  struct Node {
    std::uint64_t machine;
    tesserac_snowflake* generator;
    Node* next;
  };
  std::mutex mutex;
  Node* first = nullptr;

  int find(std::uint64_t machine, tesserac_snowflake** out) noexcept {
    const std::lock_guard lock(mutex);
    for (const Node* node = first; node != nullptr; node = node->next) {
      if (node->machine == machine) {
        *out = node->generator;
        return TESSERA_OK;
      }
    }
    auto* node = new (std::nothrow) Node{machine, nullptr, first};
    if (node == nullptr) return TESSERA_NO_MEMORY;
    const int code = tessera_snowflake_create("twitter", machine, &node->generator);
    if (code != TESSERA_OK) {
      delete node;
      return code;
    }
    first = node;
    *out = node->generator;
    return TESSERA_OK;
  }
};

Snowflakes& snowflakes() noexcept {
  static auto* const all = new Snowflakes;  // never destroyed: threads may outlive main()
  return *all;
}

// A generator that is ahead of its clock waits for it.
int next_snowflake(std::uint64_t machine, std::uint64_t* id) noexcept {
  tesserac_snowflake* generator = nullptr;
  if (const int code = snowflakes().find(machine, &generator); code != TESSERA_OK) return code;
  while (true) {
    const int code = tessera_snowflake_next(generator, id);
    if (code != TESSERA_TOO_FAR_AHEAD) return code;
    const timespec pause{.tv_sec = 0, .tv_nsec = 100'000};
    ::nanosleep(&pause, nullptr);
  }
}

}  // namespace
}  // namespace tessera::mariadb

using namespace tessera::mariadb;

// name(): one ID of `id_size` bytes by `make`, as the text that `write` makes of it.
#define TESSERA_TEXT_MAKER(name, make, write, id_size, text_size)                  \
  TESSERA_UDF_INIT(name) { return prepare_maker(init, args, message, text_size); } \
  TESSERA_UDF_TEXT(name) {                                                         \
    (void)init, (void)args;                                                        \
    std::uint8_t id[id_size];                                                      \
    if (make(id) != TESSERA_OK) return failed(is_null, error);                     \
    write(id, result);                                                             \
    *size = text_size;                                                             \
    return result;                                                                 \
  }

// name(): the same as bytes.
#define TESSERA_BYTES_MAKER(name, make, id_size)                                 \
  TESSERA_UDF_INIT(name) { return prepare_maker(init, args, message, id_size); } \
  TESSERA_UDF_TEXT(name) {                                                       \
    (void)init, (void)args;                                                      \
    if (make(reinterpret_cast<std::uint8_t*>(result)) != TESSERA_OK)             \
      return failed(is_null, error);                                             \
    *size = id_size;                                                             \
    return result;                                                               \
  }

TESSERA_TEXT_MAKER(tessera_ulid, tessera_ulid_new, tesserac_ulid_text, 16, 26)
TESSERA_TEXT_MAKER(tessera_ulid_ordered, tessera_ulid_new, tesserac_ulid_text, 16, 26)
TESSERA_TEXT_MAKER(tessera_uuid4, make_uuid4, tesserac_uuid_text, 16, 36)
TESSERA_TEXT_MAKER(tessera_uuid7, make_uuid7, tesserac_uuid_text, 16, 36)
TESSERA_TEXT_MAKER(tessera_uuid7_ordered, make_uuid7, tesserac_uuid_text, 16, 36)
TESSERA_TEXT_MAKER(tessera_objectid, tessera_objectid_new, tesserac_objectid_text, 12, 24)
TESSERA_TEXT_MAKER(tessera_ksuid, tessera_ksuid_new, tesserac_ksuid_text, 20, 27)

// tessera_ulid_bytes, tessera_objectid_bytes and tessera_ksuid_bytes take a text, too: readers.cpp.
TESSERA_BYTES_MAKER(tessera_ulid_ordered_bytes, tessera_ulid_new, 16)
TESSERA_BYTES_MAKER(tessera_uuid4_bytes, make_uuid4, 16)
TESSERA_BYTES_MAKER(tessera_uuid7_bytes, make_uuid7, 16)
TESSERA_BYTES_MAKER(tessera_uuid7_ordered_bytes, make_uuid7, 16)

// tessera_random([bits[, check]])
TESSERA_UDF_INIT(tessera_random) {
  if (args->arg_count > 2) return refuse(message, "it takes bits and the number of check symbols");
  want_number(args, 0);
  want_number(args, 1);
  return prepare(init, kResultSize, true);
}
TESSERA_UDF_TEXT(tessera_random) {
  (void)init;
  if (any_null(args)) return no_answer(is_null);
  const long long bits = number_of(args, 0, 120);
  const long long check = number_of(args, 1, 1);
  if (bits < 1 || bits > 512 || check < 1 || check > 3) return failed(is_null, error);
  std::size_t length = 0;
  if (tessera_random_new(static_cast<unsigned>(bits), static_cast<unsigned>(check), result,
                         kResultSize, &length) != TESSERA_OK) {
    return failed(is_null, error);
  }
  *size = length;
  return result;
}

// tessera_public_id(prefix[, style])
TESSERA_UDF_INIT(tessera_public_id) {
  if (args->arg_count < 1 || args->arg_count > 2) {
    return refuse(message, "it takes a prefix and, perhaps, a style");
  }
  if (has_constant(args, 1, STRING_RESULT) && style_of(text_of(args, 1)) < 0) {
    return refuse(message, "no such style; there are ulid, typeid, base36 and checked");
  }
  want_text(args, 0);
  want_text(args, 1);
  return prepare(init, TESSERA_PUBLIC_ID_TEXT_SIZE_MAX, true);
}
TESSERA_UDF_TEXT(tessera_public_id) {
  (void)init;
  if (any_null(args)) return no_answer(is_null);
  const std::string_view prefix = text_of(args, 0);
  const int style = args->arg_count > 1 ? style_of(text_of(args, 1)) : TESSERA_STYLE_ULID;
  std::size_t length = 0;
  if (tessera_public_id_new(prefix.data(), prefix.size(), style, result, kResultSize, &length) !=
      TESSERA_OK) {
    return failed(is_null, error);
  }
  *size = length;
  return result;
}

// tessera_snowflake(machine)
TESSERA_UDF_INIT(tessera_snowflake) {
  if (args->arg_count != 1) return refuse(message, "it takes the number of this machine");
  const long long machine = has_constant(args, 0, INT_RESULT) ? number_of(args, 0, 0) : 0;
  if (machine < 0 || machine > 1023) return refuse(message, "machines are numbered 0 to 1023");
  want_number(args, 0);
  return prepare(init, 20, true);
}
TESSERA_UDF_NUMBER(tessera_snowflake) {
  (void)init;
  std::uint64_t id = 0;
  const long long machine = number_of(args, 0, -1);
  if (machine < 0 || next_snowflake(static_cast<std::uint64_t>(machine), &id) != TESSERA_OK) {
    failed(is_null, error);
    return 0;
  }
  return static_cast<long long>(id);
}
