/* Tessera for C, and for every language that can call C.
 *
 * No exception leaves these functions, no destructor has to run in them, and nothing they
 * return has to be freed but a tessera_snowflake. They may be called from code that is left
 * by longjmp. Names and numbers here stay as they are within one TESSERA_C_VERSION.
 *
 * Conventions
 *   1. A function that can fail returns an int: TESSERA_OK, or what went wrong. What it
 *      should have written is then untouched.
 *   2. Text goes in as pointer and size, and need not end with NUL.
 *   3. Text comes out without a NUL, into a buffer of the fixed size that the function
 *      names; or into `out` of `capacity` bytes with its size in `*size`. A buffer that is
 *      too small is TESSERA_BUFFER_TOO_SMALL, and `*size` says what is needed.
 *   4. `offset` says where in the text it went wrong; it may be NULL.
 *   5. IDs are bytes, most significant first: they sort with memcmp.
 *   6. Every function may be called from any thread.
 */
#ifndef TESSERA_C_H_
#define TESSERA_C_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_C_VERSION 1

enum {
  TESSERA_OK = 0,

  /* The text is not what it should be: one more than ParseError::Code. */
  TESSERA_INVALID_LENGTH = 1,
  TESSERA_INVALID_CHARACTER = 2,
  TESSERA_OVERFLOW = 3,
  TESSERA_NON_CANONICAL = 4,
  TESSERA_BAD_CHECK = 5,
  TESSERA_INVALID_PREFIX = 6,
  TESSERA_PREFIX_MISMATCH = 7,
  TESSERA_UNKNOWN_PREFIX = 8,
  TESSERA_INVALID_VERSION = 9,
  TESSERA_INVALID_VARIANT = 10,
  TESSERA_RESERVED_VALUE = 11,
  TESSERA_OUT_OF_RANGE = 12,
  TESSERA_INVALID_RESOURCE_NAME = 13,

  /* No ID could be made: 65 more than MintError. */
  TESSERA_NO_ENTROPY = 65,
  TESSERA_TIME_OUT_OF_RANGE = 66,
  TESSERA_EXHAUSTED = 67,
  TESSERA_TOO_FAR_AHEAD = 68,
  TESSERA_FORKED = 69,
  TESSERA_INVALID_MACHINE = 70,

  /* The call itself is wrong. */
  TESSERA_BUFFER_TOO_SMALL = 128,
  TESSERA_BAD_ARGUMENT = 129,
  TESSERA_NO_MEMORY = 130
};

/* Styles of public IDs. */
enum {
  TESSERA_STYLE_ULID = 0,
  TESSERA_STYLE_TYPEID = 1,
  TESSERA_STYLE_BASE36 = 2,
  TESSERA_STYLE_CHECKED = 3
};

#define TESSERA_ULID_TEXT_SIZE 26
#define TESSERA_UUID_TEXT_SIZE 36
#define TESSERA_OBJECTID_TEXT_SIZE 24
#define TESSERA_KSUID_TEXT_SIZE 27
#define TESSERA_SNOWFLAKE_TEXT_SIZE_MAX 19
#define TESSERA_PUBLIC_ID_TEXT_SIZE_MAX 92

/* The version of the library, "0.1.0", and of this interface. */
const char* tessera_version(void);
int tessera_c_version(void);

/* "invalid_character", and "bad character": for programs and for people. Never NULL. */
const char* tessera_error_name(int code);
const char* tessera_error_phrase(int code);
const char* tessera_error_hint(int code);

/* ULID: 16 bytes. */
int tessera_ulid_new(uint8_t out[16]);
int tessera_ulid_parse(const char* text, size_t size, uint8_t out[16], uint32_t* offset);
int tessera_ulid_parse_friendly(const char* text, size_t size, uint8_t out[16], uint32_t* offset);
void tessera_ulid_text(const uint8_t id[16], char out[TESSERA_ULID_TEXT_SIZE]);
uint64_t tessera_ulid_time_ms(const uint8_t id[16]);
/* The bounds of all ULIDs from `from_ms` to before `to_ms`. */
int tessera_ulid_range(uint64_t from_ms, uint64_t to_ms, uint8_t smallest[16], uint8_t largest[16]);

/* UUID: 16 bytes. `version` is 1, 4, 6 or 7 for a new one, 3 or 5 for one from a name. */
int tessera_uuid_new(int version, uint8_t out[16]);
int tessera_uuid_from_name(int version, const uint8_t name_space[16], const char* name, size_t size,
                           uint8_t out[16]);
int tessera_uuid_parse(const char* text, size_t size, uint8_t out[16], uint32_t* offset);
int tessera_uuid_parse_friendly(const char* text, size_t size, uint8_t out[16], uint32_t* offset);
void tessera_uuid_text(const uint8_t id[16], char out[TESSERA_UUID_TEXT_SIZE]);
/* 0 to 15, or -1 for a UUID of another variant than RFC 9562's. */
int tessera_uuid_version(const uint8_t id[16]);
/* TESSERA_INVALID_VERSION if it has no time in it. */
int tessera_uuid_time_ms(const uint8_t id[16], int64_t* time_ms);
int tessera_uuid7_range(uint64_t from_ms, uint64_t to_ms, uint8_t smallest[16],
                        uint8_t largest[16]);

/* ObjectId: 12 bytes. KSUID: 20 bytes. */
int tessera_objectid_new(uint8_t out[12]);
int tessera_objectid_parse(const char* text, size_t size, uint8_t out[12], uint32_t* offset);
void tessera_objectid_text(const uint8_t id[12], char out[TESSERA_OBJECTID_TEXT_SIZE]);
int tessera_ksuid_new(uint8_t out[20]);
int tessera_ksuid_parse(const char* text, size_t size, uint8_t out[20], uint32_t* offset);
void tessera_ksuid_text(const uint8_t id[20], char out[TESSERA_KSUID_TEXT_SIZE]);

/* Snowflake: a positive number. `layout` is a name: "twitter", "sonyflake", … A generator
 * belongs to one process: in a forked child it answers TESSERA_FORKED. */
typedef struct tessera_snowflake tessera_snowflake;
int tessera_snowflake_create(const char* layout, uint64_t machine, tessera_snowflake** out);
int tessera_snowflake_next(tessera_snowflake* generator, uint64_t* out);
void tessera_snowflake_free(tessera_snowflake* generator);
int tessera_snowflake_parse(const char* text, size_t size, uint64_t* out, uint32_t* offset);
int tessera_snowflake_time_ms(const char* layout, uint64_t id, uint64_t* time_ms);

/* Random IDs with check symbols: `bits` from 1 to 512, `check_count` 1, 2 or 3. */
int tessera_random_new(unsigned bits, unsigned check_count, char* out, size_t capacity,
                       size_t* size);
/* `bits` 0: a whole number of bytes, by the length of the text. The canonical text comes out. */
int tessera_random_check(const char* text, size_t text_size, unsigned bits, unsigned check_count,
                         char* out, size_t capacity, size_t* size, uint32_t* offset);
/* 16 bytes as right-padded base32 with a check symbol: 27 characters. */
void tessera_crockford_text(const uint8_t id[16], char out[27]);
int tessera_crockford_parse(const char* text, size_t size, uint8_t out[16], uint32_t* offset);

/* Public IDs. */
int tessera_public_id_new(const char* prefix, size_t prefix_size, int style, char* out,
                          size_t capacity, size_t* size);
int tessera_public_id_text(const char* prefix, size_t prefix_size, int style,
                           const uint8_t body[16], char* out, size_t capacity, size_t* size);
/* The prefix is the first `*prefix_size` characters of the text. */
int tessera_public_id_parse(const char* text, size_t size, int style, uint8_t body[16],
                            size_t* prefix_size, uint32_t* offset);

/* Resource names: TESSERA_OK if `text` is one. */
int tessera_resource_name_check(const char* text, size_t size, uint32_t* offset);

/* Random bytes as the generators use them. */
int tessera_random_bytes(uint8_t* out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
