/* Tessera for C, and for every language that can call C.
 *
 * No exception leaves these functions, they call nobody back, and nothing they return has to
 * be freed but a tessera_snowflake. They may be called from code that is left by longjmp.
 * Names and numbers here stay as they are within one TESSERA_C_VERSION.
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

  /* The text is good, or may be, and yet there is no answer. */
  TESSERA_UNKNOWN = 97,   /* no kind of ID is known that looks like it */
  TESSERA_AMBIGUOUS = 98, /* it fits kinds that read different bits in it */
  TESSERA_LOSSY = 99,     /* the form would add bits, or lose some */
  TESSERA_NO_TIME = 100,  /* the kind has no time in it, or does not sort by it */

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

/* Flags of tessera_check(). */
enum {
  TESSERA_STRICT = 1 /* no variation but letter case: no hyphens, no I L O */
};

#define TESSERA_ULID_TEXT_SIZE 26
#define TESSERA_UUID_TEXT_SIZE 36
#define TESSERA_OBJECTID_TEXT_SIZE 24
#define TESSERA_KSUID_TEXT_SIZE 27
#define TESSERA_SNOWFLAKE_TEXT_SIZE_MAX 19
#define TESSERA_PUBLIC_ID_TEXT_SIZE_MAX 92
#define TESSERA_TEXT_SIZE_MAX 160 /* whatever the kind, whatever the form */

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

/* Many at a time, `count` of them one behind the other, 16 bytes each, increasing as if they had
 * been made one by one. `version` is 1, 4, 6 or 7. If it fails, nothing in `out` may be used. */
int tessera_ulid_new_many(uint8_t* out, size_t count);
int tessera_uuid_new_many(int version, uint8_t* out, size_t count);

/* By name. The answers are those of the program `tessera`; these functions may need memory
 * for a while, and answer TESSERA_NO_MEMORY when there is none.
 *
 * `what` is a kind, as `tessera help kinds` has them ("ulid", "uuidv7" and also "uuid7", "uuid"
 * for any version, "snowflake" and also "snowflake-discord", "objectid", "ksuid", "random",
 * "public", "typeid"); or else the prefix of public IDs, with their style behind it unless that
 * is ulid: "ord", "ord:checked". (A prefix that is spelt like a kind has its style, too:
 * "ulid:ulid".) What is neither is TESSERA_BAD_ARGUMENT. */

/* A new ID, as its text: of every kind but those that need more than a name (uuidv3, uuidv5,
 * snowflake, short, long, public), which are TESSERA_BAD_ARGUMENT. "random" has 120 bits. */
int tessera_new(const char* what, size_t what_size, char* out, size_t capacity, size_t* size);

/* TESSERA_OK if `text` is what it should be, as `tessera check --as` and `--prefix` say, but that
 * no time is too late: the same question has the same answer for ever. */
int tessera_check(const char* what, size_t what_size, int flags, const char* text, size_t size,
                  uint32_t* offset);
/* The same, of a text that may be anything, as it looks at `now_ms`. */
int tessera_check_any(const char* text, size_t size, uint64_t now_ms);

/* When it was made, in ms since 1970. `what` may be empty: then the form decides, 26 characters
 * being a ULID, 36 a UUID, 24 an ObjectId, 27 a KSUID, and anything with a '_' a public ID. */
int tessera_time_ms(const char* what, size_t what_size, const char* text, size_t size,
                    int64_t* time_ms, uint32_t* offset);

/* The smallest and the largest text of all IDs from `from_ms` to before `to_ms`, each in a buffer
 * of TESSERA_TEXT_SIZE_MAX bytes; both have `*size` characters, but those of snowflakes, which
 * are compared as numbers: there `*size` is that of the largest, and zeros fill the smallest. */
int tessera_range(const char* what, size_t what_size, uint64_t from_ms, uint64_t to_ms,
                  char smallest[TESSERA_TEXT_SIZE_MAX], char largest[TESSERA_TEXT_SIZE_MAX],
                  size_t* size);

/* The same bits in the form `to`, as `tessera convert --from --to` has them: "ulid", "uuid", "hex",
 * "base32", "base36", "base62", "base58", "base64url", "int", "bytes", "crockford", "typeid".
 * `from` is a form too, or "objectid", "ksuid", "snowflake", "public"; or it is empty, and the text
 * is taken for what it looks like at `now_ms`. */
int tessera_convert(const char* from, size_t from_size, const char* to, size_t to_size,
                    const char* text, size_t text_size, uint64_t now_ms, char* out, size_t capacity,
                    size_t* size, uint32_t* offset);

/* The check symbols of a text that has none: 1 to 3 behind the digits of a random ID, of `bits`
 * bits (0: 60 if there are 12 digits, else the whole bytes they hold); or, of a public ID of style
 * ulid, the 2 that style checked puts behind it, where `check_count` is 0 or 2. */
int tessera_checksum(const char* text, size_t size, unsigned bits, unsigned check_count,
                     char out[3], uint32_t* offset);

/* Everything that can be said of a text at `now_ms`: the very JSON of `tessera inspect --json`,
 * one object without line breaks. `as` is what --as takes, or empty. A text that is unknown
 * has its JSON, too; one of more than TESSERA_INSPECT_SIZE_MAX bytes is
 * TESSERA_INVALID_LENGTH. */
#define TESSERA_INSPECT_SIZE_MAX 65536
int tessera_inspect(const char* as, size_t as_size, const char* text, size_t text_size,
                    uint64_t now_ms, char* out, size_t capacity, size_t* size);

/* The odds that two of many random IDs are equal, as `tessera odds --json` has them: of `*bits` (up
 * to 1000), `*count` (from 1) and `*probability` (above 0, up to 1) the one that is negative is
 * asked for, and afterwards all three are as they are; `out` says the last in words. */
int tessera_odds(double* bits, double* count, double* probability, char* out, size_t capacity,
                 size_t* size);

/* The clock that these functions take as `now_ms`, in ms since 1970. */
uint64_t tessera_now_ms(void);

#ifdef __cplusplus
}
#endif

#endif
