-- The type public_id: styles, modifiers, order.
SET timezone = 'UTC';
\set SHOW_CONTEXT never
CREATE TABLE sample (style text, id public_id);
INSERT INTO sample SELECT style, tessera_to_public_id('ord', '01ARZ3NDEKTSV4RRFFQ69G5FAV', style)
FROM unnest(ARRAY['ulid', 'typeid', 'base36', 'checked']) AS style;
SELECT id, tessera_prefix(id), tessera_style(id), tessera_body(id), id::timestamptz, pg_column_size(id) AS size FROM sample;
SELECT bool_and(id::text::public_id = id) AS back FROM sample;

-- What is refused. The check symbols see what no other style sees.
SELECT told($$SELECT 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAU'::public_id$$);
SELECT told($$SELECT 'Ord_01ARZ3NDEKTSV4RRFFQ69G5FAV'::public_id$$);
SELECT told($$SELECT '_01ARZ3NDEKTSV4RRFFQ69G5FAV'::public_id$$);
SELECT told($$SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV'::public_id$$);
SELECT told($$SELECT 'ord_'::public_id$$);
SELECT told($$SELECT ''::public_id$$);
SELECT told($$SELECT translate(id::text, 'A', 'B')::public_id FROM sample WHERE style = 'checked'$$);
SELECT told($$SELECT replace(id::text, 'ord_', 'odr_')::public_id FROM sample WHERE style = 'checked'$$);
SELECT told($$SELECT tessera_public_id('Ord')$$);
SELECT told($$SELECT tessera_public_id('ord', 'fancy')$$);
SELECT told($$SELECT tessera_public_id('')$$);
SELECT told($$SELECT tessera_public_id(repeat('a', 64))$$);
SELECT length(tessera_public_id(repeat('a', 63), 'checked')::text);
SELECT '01arz3ndektsv4rrffq69g5fav'::public_id AS bare, tessera_style('01arz3ndektsv4rrffq69g5fav');

-- Modifiers.
CREATE TABLE orders (id public_id('ord', 'checked') DEFAULT tessera_public_id('ord', 'checked') PRIMARY KEY, customer public_id(cus), any_id public_id);
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attnum > 0;
INSERT INTO orders (customer) VALUES (tessera_public_id('cus'));
INSERT INTO orders (customer) VALUES ('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV');
INSERT INTO orders (customer) VALUES ('cus_01arz3ndektsv4rrffq69g5fav') RETURNING customer;
INSERT INTO orders (id) VALUES (tessera_to_public_id('ord', '01ARZ3NDEKTSV4RRFFQ69G5FAV'));
INSERT INTO orders (id) VALUES ('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV');
INSERT INTO orders (any_id) VALUES (tessera_public_id('anything', 'typeid'));
SELECT count(*) FROM orders;
SELECT 'a_b_cd_01ARZ3NDEKTSV4RRFFQ69G5FAV'::public_id('a_b_cd');
SELECT NULL::public_id('customer');
SELECT NULL::public_id('_a');
SELECT NULL::public_id('');
SELECT NULL::public_id('ord', 'fancy');
SELECT NULL::public_id('ord', 'ulid', 'x');
SELECT told($$SELECT format_type('public_id'::regtype, 2147483647)$$);
SELECT told($$SELECT format_type('public_id'::regtype, 28)$$);
SELECT told($$SELECT public_id('ord_01ARZ3NDEKTSV4RRFFQ69G5FAV', 2147483647, true)$$);
CREATE DOMAIN customer_id AS public_id CHECK (tessera_prefix(VALUE) = 'customer');
SELECT tessera_public_id('customer')::customer_id IS NOT NULL AS domain;
SELECT tessera_public_id('ord')::customer_id;

-- Order is that of the texts; one text is one value.
CREATE TABLE p AS
  SELECT tessera_to_public_id(prefix, (lpad(to_hex(i * 7919 % 10007), 8, '0') || repeat(to_hex(i % 16), 24))::uuid::ulid, style) AS id
  FROM unnest(ARRAY['a', 'a_b', 'ab', 'b', 'a_z_z', 'az']) AS prefix, unnest(ARRAY['ulid', 'typeid', 'base36', 'checked']) AS style,
    generate_series(1, 200) AS i;
INSERT INTO p SELECT tessera_to_public_id(prefix, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid::ulid, style)
  FROM unnest(ARRAY['a', 'a_b', 'a_g']) AS prefix, unnest(ARRAY['ulid', 'typeid', 'base36', 'checked']) AS style;
SELECT count(*), count(DISTINCT id) = count(DISTINCT id::text) AS one_each FROM p;
SELECT array_agg(id::text ORDER BY id) = array_agg(id::text ORDER BY id::text COLLATE "C") AS as_text FROM p;
SELECT min(id), max(id) FROM p;
SELECT bool_and((x.id < y.id) = (x.id::text COLLATE "C" < y.id::text COLLATE "C") AND (x.id = y.id) = (x.id::text = y.id::text)
  AND (x.id >= y.id) = (x.id::text COLLATE "C" >= y.id::text COLLATE "C")) AS agree
FROM (SELECT id FROM p ORDER BY public_id_hash(id) LIMIT 300) AS x, (SELECT id FROM p ORDER BY public_id_hash(id) LIMIT 300) AS y;
SELECT 'a_00000000000000000000000000'::public_id = tessera_to_public_id('a', '00000000000000000000000000', 'typeid') AS digits_only,
  'a_00000000000000000000000000'::public_id('a', 'typeid') AS as_typeid;
CREATE INDEX p_btree ON p (id);
CREATE INDEX p_hash ON p USING hash (id);
CREATE INDEX p_brin ON p USING brin (id);
CREATE INDEX p_bloom ON p USING brin (id public_id_bloom_ops);
SET enable_seqscan = off;
DO $$
DECLARE index text; found bigint; plan text;
BEGIN
  FOREACH index IN ARRAY ARRAY['p_btree', 'p_hash', 'p_brin', 'p_bloom'] LOOP
    UPDATE pg_index SET indisvalid = indexrelid::regclass::text = index WHERE indrelid = 'p'::regclass;
    SELECT count(*) INTO found FROM p WHERE id = 'a_7ZZZZZZZZZZZZZZZZZZZZZZZZZ';
    FOR plan IN EXPLAIN (COSTS OFF) SELECT count(*) FROM p WHERE id = 'a_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' LOOP
      IF plan LIKE '%Index%' THEN RAISE NOTICE '% %', found, trim(plan, ' ->'); END IF;
    END LOOP;
  END LOOP;
END
$$;
RESET enable_seqscan;
CREATE TABLE hashed (id public_id NOT NULL) PARTITION BY HASH (id);
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO hashed SELECT id FROM p;
SELECT count(*) BETWEEN 2000 AND 2800 FROM hashed_0;
DROP TABLE sample, orders, p, hashed;
DROP DOMAIN customer_id;
