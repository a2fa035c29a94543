-- What an ID is: the answers of the program, as SQL. All of them on the command line: vectors_test.py.
SET timezone = 'UTC';
SELECT tessera_check('01ARZ3NDEKTSV4RRFFQ69G5FAV'), tessera_check('AHM6A83HENMP$'), tessera_check('AHM6A83HENMP~');
SELECT id, what, tessera_check(id, what), tessera_valid(id, what)
FROM (VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ulid'), ('01ARZ3NDEKTSV4RRFFQ69G5FAU', 'ulid'), ('0IARZ3ND-EKTSV4RRFFQ69G5FAV', 'ulid'),
  ('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ord'), ('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'usr'), ('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X', 'ord:checked'),
  ('ord_01ARZ3NDEKTSV4RRFFQ69G5FVA0X', 'ord:checked'), ('user_01h455vb4pex5vsknk084sn02q', 'typeid'),
  ('507f1f77bcf86cd799439011', 'objectid'), ('0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'ksuid'), ('175928847299117063', 'snowflake-discord'),
  ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', 'uuidv7'), ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', 'uuidv4'), ('', 'ulid')) AS t (id, what);
SELECT tessera_valid('0IARZ3ND-EKTSV4RRFFQ69G5FAV', 'ulid', strict => true) AS strict;
SELECT told($$SELECT tessera_check('x', 'No Such Kind')$$);
SELECT told($$SELECT tessera_valid('x', '')$$);

SELECT i #>> '{guesses,0,kind}' AS kind, i ->> 'input' AS input FROM tessera_inspect('01ARZ3NDEKTSV4RRFFQ69G5FAV') AS i;
SELECT pg_typeof(tessera_inspect('nonsense'));
SELECT told($$SELECT tessera_inspect(repeat('x', 70000))$$);
SELECT told($$SELECT tessera_inspect('x', 'nothing')$$);

SELECT tessera_time('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid), tessera_time('01ARZ3NDEKTSV4RRFFQ69G5FAV');
SELECT tessera_time('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid), tessera_time('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'), tessera_time(gen_random_uuid()) IS NULL AS none;
SELECT tessera_time('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV'::public_id), tessera_time('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV');
SELECT tessera_time('507f1f77bcf86cd799439011'), tessera_time('0ujtsYcgvSTl8PAuAdqWYSMnLOv'), tessera_time('175928847299117063', 'snowflake-discord');
SELECT told($$SELECT tessera_time('01ARZ3NDEKTSV4RRFFQ69G5FAU')$$);

SELECT kind, (tessera_range(kind, '2026-01-01Z', '2027-01-01Z')).*
FROM unnest(ARRAY['ulid', 'uuidv7', 'objectid', 'ksuid', 'snowflake', 'ord', 'ord:typeid', 'ord:base36']) AS kind;
SELECT told($$SELECT tessera_range('ord:checked', '2026-01-01Z', '2027-01-01Z')$$);
SELECT told($$SELECT tessera_range('uuidv4', '2026-01-01Z', '2027-01-01Z')$$);
SELECT told($$SELECT tessera_range('ulid', '2027-01-01Z', '2026-01-01Z')$$);
SELECT told($$SELECT tessera_range('ulid', '-infinity', 'infinity')$$);

SELECT tessera_checksum('AHM6A83HENMP'), tessera_checksum('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV'), tessera_checksum('AHM6A83HENMP', 60, 2);
SELECT told($$SELECT tessera_checksum('AHM6A83HENMP', 60, 4)$$);
SELECT told($$SELECT tessera_checksum('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV', 0, 3)$$);
SELECT told($$SELECT tessera_checksum('a b')$$);

SELECT form, tessera_convert('01ARZ3NDEKTSV4RRFFQ69G5FAV', form, 'ulid')
FROM unnest(ARRAY['ulid', 'uuid', 'hex', 'base32', 'base36', 'base62', 'base58', 'base64url', 'int', 'crockford', 'typeid']) AS form;
SELECT tessera_convert('01563e3a-b5d3-d676-4c61-efb99302bd5b', 'ulid');
SELECT told($$SELECT tessera_convert('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'bytes')$$);
SELECT told($$SELECT tessera_convert('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nothing')$$);
SELECT told($$SELECT tessera_convert('507f1f77bcf86cd799439011', 'ulid', 'objectid')$$);
SELECT told($$SELECT tessera_convert('not an ID', 'uuid')$$);

SELECT kind, tessera_check(tessera_new(kind), kind)
FROM unnest(ARRAY['ulid', 'uuidv4', 'uuidv7', 'objectid', 'ksuid', 'random', 'typeid', 'ord', 'ord:checked']) AS kind;
SELECT told($$SELECT tessera_new('snowflake')$$);
SELECT tessera_valid(tessera_random(120), 'random'), tessera_valid(tessera_objectid(), 'objectid'), tessera_valid(tessera_ksuid(), 'ksuid'),
  tessera_valid(tessera_snowflake(3)::text, 'snowflake'), tessera_time(tessera_snowflake(3)::text, 'snowflake') BETWEEN now() - interval '1 minute' AND now() + interval '1 minute' AS now;

-- Immutable where they can be: in a generated column, a check, an index.
CREATE TABLE readings (id text CHECK (tessera_valid(id, 'ord')), at timestamptz GENERATED ALWAYS AS (tessera_time(id)) STORED);
CREATE INDEX ON readings (tessera_convert(substr(id, 5), 'uuid', 'ulid'));
INSERT INTO readings VALUES ('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV') RETURNING *;
INSERT INTO readings VALUES ('usr_01ARZ3NDEKTSV4RRFFQ69G5FAV');
DROP TABLE readings;
