-- The type ulid: text, binary, casts, order, indexes.
SET timezone = 'UTC';
SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid, '01arz3ndektsv4rrffq69g5fav'::ulid;
SELECT pg_column_size('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid);

-- What is refused, and where.
SELECT told($$SELECT '01ARZ3NDEKTSV4RRFFQ69G5FA'::ulid$$);
SELECT told($$SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAVV'::ulid$$);
SELECT told($$SELECT '81ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid$$);
SELECT told($$SELECT '01ARZ3NDEKTSV4RRUFQ69G5FAV'::ulid$$);
SELECT told($$SELECT '01ARZ3NDEKTSV4RRäFQ69G5FAV'::ulid$$);
SELECT told($$SELECT ''::ulid$$);
SELECT told($$SELECT repeat('ä', 1000)::ulid$$);
SELECT told($$SELECT '01ARZ3ND-EKTSV4RRFF-Q69G5FAV'::ulid$$);
SELECT told($$SELECT '\x00'::bytea::ulid$$);
SELECT told($$SELECT 'infinity'::timestamptz::ulid$$);
SELECT told($$SELECT '1969-12-31 23:59:59.999Z'::timestamptz::ulid$$);
SELECT told($$SELECT '10889-08-02 05:31:50.656Z'::timestamptz::ulid$$);
SELECT tessera_ulid_friendly('oIarz3nd-ektsv4rrff-q69g5fav');

-- Casts. An ULID is a uuid with other letters.
SELECT u, u::uuid, u::uuid::ulid = u AS back, u::bytea, u::bytea::ulid = u AS back, u::text
FROM (VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), ('00000000000000000000000000')) AS t (u);
SELECT u::timestamptz, u::timestamptz::ulid, u::timestamptz::ulid <= u AS below
FROM (VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid), ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), ('00000000000000000000000000')) AS t (u);
SELECT '2026-11-16 12:00:00.0009Z'::timestamptz::ulid = '2026-11-16 12:00Z'::timestamptz::ulid AS rounds_down;
-- None of them happens unasked.
SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid = '01ARZ3NDEKTSV4RRFFQ69G5FAV'::text;
SELECT 'id ' || '01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid;
CREATE TABLE assigned (a text, b uuid, c ulid);
INSERT INTO assigned SELECT u, u, u::uuid FROM (VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV'::ulid)) AS t (u);
TABLE assigned;

-- Order, by every way to it.
CREATE TABLE t AS SELECT (lpad(to_hex(i * 7919 % 10007), 32, '0'))::uuid::ulid AS id, i FROM generate_series(1, 10006) AS i;
SELECT count(*), count(DISTINCT id), min(id), max(id) FROM t;
SELECT bool_and(id > before) FROM (SELECT id, lag(id) OVER (ORDER BY id) AS before FROM t) AS s;
SELECT array_agg(id ORDER BY id) = array_agg(id ORDER BY id::uuid) AS as_uuid, array_agg(id ORDER BY id) = array_agg(id ORDER BY id::text COLLATE "C") AS as_text FROM t;
CREATE UNIQUE INDEX t_btree ON t (id);
CREATE INDEX t_hash ON t USING hash (id);
CREATE INDEX t_brin ON t USING brin (id);
CREATE INDEX t_multi ON t USING brin (id ulid_minmax_multi_ops);
CREATE INDEX t_bloom ON t USING brin (id ulid_bloom_ops);
SELECT opcname, amname, opcdefault FROM pg_opclass JOIN pg_am ON pg_am.oid = opcmethod WHERE opcintype = 'ulid'::regtype ORDER BY 2, 1;
SET enable_seqscan = off;
DO $$
DECLARE index text; found bigint; plan text;
BEGIN
  FOREACH index IN ARRAY ARRAY['t_btree', 't_hash', 't_brin', 't_multi', 't_bloom'] LOOP
    UPDATE pg_index SET indisvalid = indexrelid::regclass::text = index WHERE indrelid = 't'::regclass;
    SELECT count(*) INTO found FROM t WHERE id = '0000000000000000000000092A';
    FOR plan IN EXPLAIN (COSTS OFF) SELECT count(*) FROM t WHERE id = '0000000000000000000000092A' LOOP
      IF plan LIKE '%Index%' THEN RAISE NOTICE '% %', found, trim(plan, ' ->'); END IF;
    END LOOP;
  END LOOP;
  UPDATE pg_index SET indisvalid = true WHERE indrelid = 't'::regclass;
END
$$;
SELECT count(*) FROM t WHERE id BETWEEN '000000000000000000000000A0' AND '000000000000000000000000B0';
RESET enable_seqscan;

-- Joins by hash and by merging; a foreign key; deduplication of equal keys.
CREATE TABLE child (parent ulid REFERENCES t (id), n int);
INSERT INTO child SELECT id, n FROM t, generate_series(1, 20) AS n WHERE i <= 1000;
INSERT INTO child VALUES ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 0);
SET enable_mergejoin = off; SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM child JOIN t ON parent = id;
SELECT count(*) FROM child JOIN t ON parent = id;
SET enable_mergejoin = on; SET enable_hashjoin = off;
SELECT count(*) FROM child JOIN t ON parent = id;
RESET enable_mergejoin; RESET enable_nestloop; RESET enable_hashjoin;
CREATE INDEX child_ulid ON child (parent);
CREATE INDEX child_uuid ON child ((parent::uuid));
SELECT pg_relation_size('child_ulid') = pg_relation_size('child_uuid') AS same_size, pg_relation_size('child_ulid') < 20000 * 12 AS deduplicated;

-- Where a function must be immutable.
CREATE TABLE made (id ulid PRIMARY KEY, at timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED);
CREATE INDEX ON made ((id::timestamptz));
INSERT INTO made VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV') RETURNING *;
CREATE TABLE parted (id ulid NOT NULL) PARTITION BY RANGE (id);
CREATE TABLE parted_2026 PARTITION OF parted FOR VALUES FROM ('2026-01-01Z'::timestamptz::ulid) TO ('2027-01-01Z'::timestamptz::ulid);
INSERT INTO parted VALUES ('2026-11-16Z'::timestamptz::ulid);
INSERT INTO parted VALUES ('2027-01-01Z'::timestamptz::ulid);
CREATE TABLE hashed (id ulid NOT NULL) PARTITION BY HASH (id);
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO hashed SELECT id FROM t;
SELECT count(*) BETWEEN 4000 AND 6000 FROM hashed_0;
DROP TABLE assigned, child, t, made, parted, hashed;
