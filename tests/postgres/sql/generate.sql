-- New IDs: their form, that they differ, that they increase.
SET timezone = 'UTC';
\set SHOW_CONTEXT never
SELECT proname, provolatile, proparallel, proisstrict FROM pg_proc WHERE proname LIKE 'tessera\_%' ORDER BY 1, pronargs, oid::regprocedure::text COLLATE "C";
SELECT count(DISTINCT tessera_ulid()), count(DISTINCT tessera_uuid4()), count(DISTINCT tessera_uuid7()), count(DISTINCT tessera_objectid()),
  count(DISTINCT tessera_ksuid()), count(DISTINCT tessera_random()), count(DISTINCT tessera_snowflake(7)), count(DISTINCT tessera_public_id('ord'))
FROM generate_series(1, 10000);

CREATE TABLE made AS SELECT i, tessera_ulid() AS a, tessera_ulid_ordered() AS b, tessera_uuid7() AS c, tessera_uuid7_ordered() AS d,
  tessera_snowflake(1023) AS e, tessera_public_id('ord') AS f, tessera_uuid4() AS g
FROM generate_series(1, 10000) AS i;
SELECT bool_and(a > la), bool_and(b > lb), bool_and(c > lc), bool_and(d > ld), bool_and(e > le), bool_and(f > lf)
FROM (SELECT *, lag(a) OVER w AS la, lag(b) OVER w AS lb, lag(c) OVER w AS lc, lag(d) OVER w AS ld, lag(e) OVER w AS le, lag(f) OVER w AS lf
      FROM made WINDOW w AS (ORDER BY i)) AS s;
SELECT substr(c::text, 15, 1) AS version, bool_and(substr(c::text, 20, 1) IN ('8', '9', 'a', 'b')) AS variant,
  bool_and(substr(d::text, 15, 1) = '7' AND substr(d::text, 20, 1) IN ('8', '9', 'a', 'b')) AS ordered,
  bool_and(substr(g::text, 15, 1) = '4' AND substr(g::text, 20, 1) IN ('8', '9', 'a', 'b')) AS random FROM made GROUP BY 1;
SELECT bool_and(x BETWEEN now() - interval '1 minute' AND now() + interval '1 minute') AS now
FROM made, unnest(ARRAY[a::timestamptz, b::timestamptz, f::timestamptz, c::ulid::timestamptz, d::ulid::timestamptz]) AS x;
-- The exact millisecond: not before the call, and not after it.
SELECT bool_and(id::timestamptz BETWEEN date_trunc('milliseconds', before) AND after) AS exact, count(DISTINCT id::timestamptz) > 30 AS goes_on
FROM (SELECT clock_timestamp() AS before, ARRAY[tessera_ulid(), tessera_uuid7()::ulid, tessera_body(tessera_public_id('ord'))] AS ids,
      clock_timestamp() AS after FROM generate_series(1, 200000) OFFSET 0) AS s, unnest(ids) AS id;
-- The tail of ordered IDs is random: no two share it, and each bit is set in about half.
SELECT count(DISTINCT right(d::text, 14)) FROM made;
SELECT min(ones) > 4600 AND max(ones) < 5400 AS even
FROM (SELECT count(*) FILTER (WHERE get_bit(b::bytea, bit) = 1) AS ones FROM made, generate_series(72, 127) AS bit GROUP BY bit) AS s;
SELECT bool_and((e >> 12) & 1023 = 1023) AS machine FROM made;

SELECT length(tessera_random(60)), length(tessera_random(120)), length(tessera_random(512)), length(tessera_objectid()), length(tessera_ksuid());
SELECT tessera_random(0);
SELECT tessera_random(513);
SELECT tessera_random(-5);
SELECT tessera_snowflake(1024);
SELECT tessera_snowflake(-1);
SELECT tessera_snowflake(NULL) IS NULL AS strict;

-- Blocks.
SELECT cardinality(b), cardinality(ARRAY(SELECT DISTINCT unnest(b))) AS distinct, b = ARRAY(SELECT x FROM unnest(b) AS x ORDER BY x) AS ordered, pg_typeof(b)
FROM (SELECT tessera_ulids(1000) AS b) AS s
UNION ALL SELECT cardinality(b), cardinality(ARRAY(SELECT DISTINCT unnest(b))), b = ARRAY(SELECT x FROM unnest(b) AS x ORDER BY x), pg_typeof(b)
FROM (SELECT tessera_ulids_ordered(1000) AS b) AS s;
SELECT b = ARRAY(SELECT x FROM unnest(b) AS x ORDER BY x) AS ordered, b[1] > before AS above FROM (SELECT tessera_uuid7_ordered() AS before, tessera_uuid7s_ordered(300000) AS b) AS s;
SELECT bool_and(a::text < b::text AND b::text < c AND c < d[1]::text AND d[1]::text < d[2]::text AND d[2]::text < e::text AND a::text > before) AS all_ways
FROM (SELECT *, lag(e::text) OVER (ORDER BY n) AS before FROM (SELECT n, tessera_ulid() AS a, tessera_body(tessera_public_id('ord')) AS b,
  tessera_new('ulid') AS c, tessera_ulids(2) AS d, tessera_ulid() AS e FROM generate_series(1, 3000) AS n) AS s) AS t;
SELECT tessera_ulids(0), tessera_ulids_ordered(0);
SELECT tessera_ulids(-1);
SELECT tessera_ulids_ordered(1000001);

-- As defaults, in one statement and over many.
CREATE TABLE d (id ulid DEFAULT tessera_ulid_ordered() PRIMARY KEY, public public_id('ord') DEFAULT tessera_public_id('ord') UNIQUE, n int);
INSERT INTO d (n) SELECT generate_series(1, 5000);
INSERT INTO d (n) SELECT generate_series(5001, 10000);
SELECT bool_and(n = rank) FROM (SELECT n, row_number() OVER (ORDER BY id) AS rank FROM d) AS s;
DROP TABLE made, d;
