/* Tessera from a program in C99: what a caller of another language sees first. Ends with 0 if
 * everything is as tessera/c.h says; else prints the line that is not. c_test.cpp has the
 * details; here it is that C compiles, links and runs. */

#include <stdio.h>
#include <string.h>
#include <tessera/c.h>

static int failures = 0;

static void expect(int condition, int line) {
  if (!condition) {
    printf("main.c:%d: not so\n", line);
    failures++;
  }
}

#define EXPECT(condition) expect((condition) != 0, __LINE__)

static void check_ulid(void) {
  uint8_t first[16];
  uint8_t second[16];
  uint8_t read[16];
  char text[TESSERA_ULID_TEXT_SIZE];
  uint32_t offset = 0;

  EXPECT(tessera_ulid_new(first) == TESSERA_OK);
  EXPECT(tessera_ulid_new(second) == TESSERA_OK);
  EXPECT(memcmp(first, second, sizeof first) < 0);
  tessera_ulid_text(first, text);
  EXPECT(tessera_ulid_parse(text, sizeof text, read, NULL) == TESSERA_OK);
  EXPECT(memcmp(first, read, sizeof first) == 0);
  EXPECT(tessera_ulid_time_ms(first) > 1700000000000u);

  text[4] = 'U';
  EXPECT(tessera_ulid_parse(text, sizeof text, read, &offset) == TESSERA_INVALID_CHARACTER);
  EXPECT(offset == 4);
  EXPECT(strcmp(tessera_error_name(TESSERA_INVALID_CHARACTER), "invalid_character") == 0);
}

static void check_uuid(void) {
  uint8_t id[16];
  int64_t time_ms = 0;
  EXPECT(tessera_uuid_new(7, id) == TESSERA_OK);
  EXPECT(tessera_uuid_version(id) == 7);
  EXPECT(tessera_uuid_time_ms(id, &time_ms) == TESSERA_OK);
  EXPECT(time_ms > 1700000000000);
  EXPECT(tessera_uuid_new(2, id) == TESSERA_BAD_ARGUMENT);
}

static void check_snowflake(void) {
  tessera_snowflake* generator = NULL;
  uint64_t first = 0;
  uint64_t second = 0;
  EXPECT(tessera_snowflake_create("twitter", 5, &generator) == TESSERA_OK);
  if (generator == NULL) return;
  EXPECT(tessera_snowflake_next(generator, &first) == TESSERA_OK);
  EXPECT(tessera_snowflake_next(generator, &second) == TESSERA_OK);
  EXPECT(first < second);
  tessera_snowflake_free(generator);
}

static void check_public_id(void) {
  char text[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX];
  uint8_t body[16];
  size_t size = 0;
  size_t prefix_size = 0;
  EXPECT(tessera_public_id_new("ord", 3, TESSERA_STYLE_CHECKED, text, 4, &size) ==
         TESSERA_BUFFER_TOO_SMALL);
  EXPECT(size == 32);
  EXPECT(tessera_public_id_new("ord", 3, TESSERA_STYLE_CHECKED, text, sizeof text, &size) ==
         TESSERA_OK);
  EXPECT(size == 32 && memcmp(text, "ord_", 4) == 0);
  EXPECT(tessera_public_id_parse(text, size, TESSERA_STYLE_CHECKED, body, &prefix_size, NULL) ==
         TESSERA_OK);
  EXPECT(prefix_size == 3);
}

static void check_by_name(void) {
  char text[TESSERA_TEXT_SIZE_MAX];
  char largest[TESSERA_TEXT_SIZE_MAX];
  char json[4096];
  char symbols[3];
  uint8_t ids[3][16];
  size_t size = 0;
  int64_t time_ms = 0;
  const char* ulid = "01ARYZ6S41TSV4RRFFQ69G5FAV";

  EXPECT(tessera_new("ord:checked", 11, text, sizeof text, &size) == TESSERA_OK);
  EXPECT(tessera_check("ord:checked", 11, TESSERA_STRICT, text, size, NULL) == TESSERA_OK);
  EXPECT(tessera_check("ulid", 4, 0, ulid, 26, NULL) == TESSERA_OK);
  EXPECT(tessera_check_any(ulid, 26, tessera_now_ms()) == TESSERA_OK);
  EXPECT(tessera_time_ms("", 0, ulid, 26, &time_ms, NULL) == TESSERA_OK);
  EXPECT(time_ms == 1469918176385);
  EXPECT(tessera_range("ulid", 4, 0, 1, text, largest, &size) == TESSERA_OK);
  EXPECT(size == 26 && memcmp(largest, "0000000000ZZZZZZZZZZZZZZZZ", 26) == 0);
  EXPECT(tessera_convert("ulid", 4, "hex", 3, ulid, 26, 0, text, sizeof text, &size, NULL) ==
         TESSERA_OK);
  EXPECT(size == 32 && memcmp(text, "01563df36481d6764c61efb99302bd5b", 32) == 0);
  EXPECT(tessera_checksum("AHM6A83HENMP", 12, 0, 1, symbols, NULL) == TESSERA_OK);
  EXPECT(symbols[0] == 'S');
  EXPECT(tessera_inspect("", 0, ulid, 26, tessera_now_ms(), json, sizeof json, &size) ==
         TESSERA_OK);
  EXPECT(json[0] == '{' && json[size - 1] == '}');
  EXPECT(tessera_ulid_new_many(ids[0], 3) == TESSERA_OK);
  EXPECT(tessera_uuid_new_many(7, ids[0], 3) == TESSERA_OK);
  EXPECT(memcmp(ids[0], ids[1], 16) < 0 && memcmp(ids[1], ids[2], 16) < 0);
}

int main(void) {
  EXPECT(tessera_c_version() == TESSERA_C_VERSION);
  EXPECT(strlen(tessera_version()) > 0);
  check_ulid();
  check_uuid();
  check_snowflake();
  check_public_id();
  check_by_name();
  EXPECT(tessera_resource_name_check("books/1", 7, NULL) == TESSERA_OK);
  return failures == 0 ? 0 : 1;
}
