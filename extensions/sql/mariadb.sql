-- Tessera in plain SQL, for MariaDB and MySQL servers on which nothing may be installed: MariaDB
-- 10.10 or later, MySQL 8.0 or later. Run it in the database that shall have the functions:
--   mariadb shop <mariadb.sql
-- docs/plain-sql.md has examples, speed and what is missing.
--
-- CONV() writes numbers in base 32 with the digits 0-9A-V. Crockford's alphabet leaves out I, L, O
-- and U, so that letters move up: V becomes Z, U becomes Y and so on, from the top, so that no
-- letter is replaced twice.
--
-- What is made here sorts by the millisecond; within one it is in no order. Random bits are those of
-- RANDOM_BYTES(), which come from OpenSSL. For replication: statements that make IDs are not
-- safe in the format STATEMENT; ROW and MIXED are.

DROP FUNCTION IF EXISTS tessera_uuid7_bytes;
DROP FUNCTION IF EXISTS tessera_uuid7;
DROP FUNCTION IF EXISTS tessera_ulid_bytes;
DROP FUNCTION IF EXISTS tessera_ulid;
DROP FUNCTION IF EXISTS tessera_ulid_text;
DROP FUNCTION IF EXISTS tessera_ulid_to_bytes;
DROP FUNCTION IF EXISTS tessera_uuid_text;
DROP FUNCTION IF EXISTS tessera_uuid_to_bytes;
DROP FUNCTION IF EXISTS tessera_check;
DROP FUNCTION IF EXISTS tessera_valid;
DROP FUNCTION IF EXISTS tessera_public_id;
DROP FUNCTION IF EXISTS tessera_public_id_of;
DROP FUNCTION IF EXISTS tessera_time;

DELIMITER //

-- A ULID, as BINARY(16).
CREATE FUNCTION tessera_ulid_bytes() RETURNS BINARY(16) NOT DETERMINISTIC NO SQL SQL SECURITY INVOKER
RETURN UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(SYSDATE(3)) * 1000)), 12, '0'), HEX(RANDOM_BYTES(10)))) //

-- UUID version 7 (RFC 9562), as BINARY(16) and as text.
CREATE FUNCTION tessera_uuid7_bytes() RETURNS BINARY(16) NOT DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
  DECLARE random CHAR(20) CHARACTER SET ascii DEFAULT HEX(RANDOM_BYTES(10));
  RETURN UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(SYSDATE(3)) * 1000)), 12, '0'), '7', SUBSTR(random, 1, 3),
    HEX(8 + CONV(SUBSTR(random, 4, 1), 16, 10) % 4), SUBSTR(random, 5, 15)));
END //

CREATE FUNCTION tessera_uuid_text(id BINARY(16)) RETURNS CHAR(36) CHARACTER SET ascii DETERMINISTIC NO SQL
SQL SECURITY INVOKER
RETURN LOWER(CONCAT_WS('-', SUBSTR(HEX(id), 1, 8), SUBSTR(HEX(id), 9, 4), SUBSTR(HEX(id), 13, 4),
  SUBSTR(HEX(id), 17, 4), SUBSTR(HEX(id), 21))) //

CREATE FUNCTION tessera_uuid7() RETURNS CHAR(36) CHARACTER SET ascii NOT DETERMINISTIC NO SQL SQL SECURITY INVOKER
RETURN tessera_uuid_text(tessera_uuid7_bytes()) //

-- The text of 16 bytes, padded on the left as a ULID is: 10 digits of time, 8 and 8 random ones.
CREATE FUNCTION tessera_ulid_text(id BINARY(16)) RETURNS CHAR(26) CHARACTER SET ascii DETERMINISTIC NO SQL
SQL SECURITY INVOKER
RETURN REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
  CONCAT(LPAD(CONV(SUBSTR(HEX(id), 1, 12), 16, 32), 10, '0'),
         LPAD(CONV(SUBSTR(HEX(id), 13, 10), 16, 32), 8, '0'),
         LPAD(CONV(SUBSTR(HEX(id), 23, 10), 16, 32), 8, '0')),
  'V', 'Z'), 'U', 'Y'), 'T', 'X'), 'S', 'W'), 'R', 'V'), 'Q', 'T'), 'P', 'S'), 'O', 'R'), 'N', 'Q'), 'M', 'P'),
  'L', 'N'), 'K', 'M'), 'J', 'K'), 'I', 'J') //

CREATE FUNCTION tessera_ulid() RETURNS CHAR(26) CHARACTER SET ascii NOT DETERMINISTIC NO SQL SQL SECURITY INVOKER
RETURN tessera_ulid_text(tessera_ulid_bytes()) //

-- What is wrong with a text as `what`: 'valid', or the code that `tessera check --strict` has.
-- `what` is ulid, uuid, uuidv4, uuidv7, or the prefix of public IDs of style ulid.
CREATE FUNCTION tessera_check(id TEXT CHARACTER SET utf8mb4, what VARCHAR(63) CHARACTER SET utf8mb4)
RETURNS VARCHAR(32) CHARACTER SET ascii DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
  DECLARE body TEXT CHARACTER SET utf8mb4 DEFAULT id;
  DECLARE prefix TEXT CHARACTER SET utf8mb4 DEFAULT NULL;
  IF id IS NULL OR what IS NULL THEN RETURN NULL; END IF;
  IF what IN ('uuid', 'uuidv4', 'uuidv7') THEN
    IF LENGTH(id) <> 36 THEN RETURN 'invalid_length'; END IF;
    IF BINARY id NOT REGEXP BINARY '\\A[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\z' THEN
      RETURN 'invalid_character';
    END IF;
    IF what = 'uuid' THEN RETURN 'valid'; END IF;
    IF id REGEXP '\\A([0-]*|[fF-]*)\\z' THEN RETURN 'reserved_value'; END IF;
    IF SUBSTR(id, 20, 1) NOT REGEXP '[89abAB]' THEN RETURN 'invalid_variant'; END IF;
    IF SUBSTR(id, 15, 1) <> RIGHT(what, 1) THEN RETURN 'invalid_version'; END IF;
    RETURN 'valid';
  END IF;
  IF what <> 'ulid' THEN
    IF BINARY what NOT REGEXP BINARY '\\A[a-z]([a-z_]{0,61}[a-z])?\\z' THEN
      SIGNAL SQLSTATE '22023' SET MESSAGE_TEXT = 'no such kind or prefix';
    END IF;
    IF LENGTH(id) = 0 THEN RETURN 'invalid_length'; END IF;
    IF INSTR(id, '_') > 0 THEN
      SET body = SUBSTRING_INDEX(id, '_', -1);
      SET prefix = LEFT(id, CHAR_LENGTH(id) - CHAR_LENGTH(body) - 1);
      IF BINARY prefix NOT REGEXP BINARY '\\A[a-z]([a-z_]{0,61}[a-z])?\\z' THEN RETURN 'invalid_prefix'; END IF;
    END IF;
  END IF;
  IF LENGTH(body) <> 26 THEN RETURN 'invalid_length'; END IF;
  -- 26 digits hold 130 bits: the first is at most 7.
  IF BINARY body REGEXP BINARY '\\A[89A-HJKMNP-TV-Za-hjkmnp-tv-z]' THEN RETURN 'overflow'; END IF;
  IF BINARY body REGEXP BINARY '[^0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]' THEN RETURN 'invalid_character'; END IF;
  IF what <> 'ulid' AND prefix IS NULL THEN RETURN 'invalid_prefix'; END IF;
  IF what <> 'ulid' AND BINARY prefix <> BINARY what THEN RETURN 'prefix_mismatch'; END IF;
  RETURN 'valid';
END //

CREATE FUNCTION tessera_valid(id TEXT CHARACTER SET utf8mb4, what VARCHAR(63) CHARACTER SET utf8mb4)
RETURNS BOOLEAN DETERMINISTIC NO SQL SQL SECURITY INVOKER
RETURN tessera_check(id, what) = 'valid' //

-- The 16 bytes of the text of a ULID, or of a UUID; an error if it is none.
CREATE FUNCTION tessera_ulid_to_bytes(id TEXT CHARACTER SET utf8mb4) RETURNS BINARY(16) DETERMINISTIC NO SQL
SQL SECURITY INVOKER
BEGIN
  DECLARE digits CHAR(26) CHARACTER SET ascii;
  IF id IS NULL THEN RETURN NULL; END IF;
  IF tessera_check(id, 'ulid') <> 'valid' THEN
    SIGNAL SQLSTATE '22023' SET MESSAGE_TEXT = 'not a ULID';
  END IF;
  SET digits = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
    REPLACE(UPPER(id),
    'J', 'I'), 'K', 'J'), 'M', 'K'), 'N', 'L'), 'P', 'M'), 'Q', 'N'), 'R', 'O'), 'S', 'P'), 'T', 'Q'), 'V', 'R'),
    'W', 'S'), 'X', 'T'), 'Y', 'U'), 'Z', 'V');
  RETURN UNHEX(CONCAT(LPAD(CONV(SUBSTR(digits, 1, 10), 32, 16), 12, '0'),
                      LPAD(CONV(SUBSTR(digits, 11, 8), 32, 16), 10, '0'),
                      LPAD(CONV(SUBSTR(digits, 19, 8), 32, 16), 10, '0')));
END //

CREATE FUNCTION tessera_uuid_to_bytes(id TEXT CHARACTER SET utf8mb4) RETURNS BINARY(16) DETERMINISTIC NO SQL
SQL SECURITY INVOKER
BEGIN
  IF id IS NULL THEN RETURN NULL; END IF;
  IF tessera_check(id, 'uuid') <> 'valid' THEN
    SIGNAL SQLSTATE '22023' SET MESSAGE_TEXT = 'not a UUID';
  END IF;
  RETURN UNHEX(REPLACE(id, '-', ''));
END //

-- A new public ID of style ulid: 'ord_01J…'; and that of 16 bytes.
CREATE FUNCTION tessera_public_id_of(prefix VARCHAR(63) CHARACTER SET utf8mb4, body BINARY(16))
RETURNS VARCHAR(90) CHARACTER SET ascii DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
  IF BINARY prefix NOT REGEXP BINARY '\\A[a-z]([a-z_]{0,61}[a-z])?\\z' THEN
    SIGNAL SQLSTATE '22023' SET MESSAGE_TEXT = 'not a prefix: letters a to z, and _ between them';
  END IF;
  RETURN CONCAT(prefix, '_', tessera_ulid_text(body));
END //

CREATE FUNCTION tessera_public_id(prefix VARCHAR(63) CHARACTER SET utf8mb4)
RETURNS VARCHAR(90) CHARACTER SET ascii NOT DETERMINISTIC NO SQL SQL SECURITY INVOKER
RETURN tessera_public_id_of(prefix, tessera_ulid_bytes()) //

-- When it was made, in milliseconds since 1970: of the bytes of a ULID, and of a UUIDv7.
CREATE FUNCTION tessera_time(id BINARY(16)) RETURNS BIGINT DETERMINISTIC NO SQL SQL SECURITY INVOKER
RETURN CONV(SUBSTR(HEX(id), 1, 12), 16, 10) //

DELIMITER ;
