-- Version 1.0, the way to 1.1, another schema, and away.
CREATE EXTENSION tessera VERSION '1.0';
SELECT extversion FROM pg_extension WHERE extname = 'tessera';
CREATE TABLE kept (id ulid DEFAULT tessera_ulid_ordered());
INSERT INTO kept SELECT FROM generate_series(1, 100);
SELECT cardinality(tessera_ulids(3));
ALTER EXTENSION tessera UPDATE;
SELECT extversion FROM pg_extension WHERE extname = 'tessera';
SELECT cardinality(tessera_ulids(3));
SELECT tessera_ulid_ordered() > max(id) AS goes_on FROM kept;
CREATE TEMP TABLE updated AS SELECT pg_describe_object(classid, objid, objsubid) AS what FROM pg_depend
  WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'tessera');
CREATE SCHEMA elsewhere;
ALTER EXTENSION tessera SET SCHEMA elsewhere;
INSERT INTO kept SELECT FROM generate_series(1, 100);
SELECT elsewhere.tessera_ulid_ordered() OPERATOR(elsewhere.>) elsewhere.max(id) AS goes_on FROM kept;
SELECT elsewhere.tessera_create_scope('ORDER'), elsewhere.tessera_next_long('ORDER');
ALTER EXTENSION tessera SET SCHEMA public;
DROP SEQUENCE elsewhere."tessera_scope_ORDER";
CREATE TABLE before AS SELECT max(id)::text AS id FROM kept;
DROP EXTENSION tessera CASCADE;
CREATE EXTENSION tessera;
SELECT extversion FROM pg_extension WHERE extname = 'tessera';
-- What is there after an update is what is there after a fresh start.
SELECT count(*) FROM ((SELECT what FROM updated EXCEPT SELECT pg_describe_object(classid, objid, objsubid) FROM pg_depend
  WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'tessera'))) AS s;
-- Made again, it goes on where it was.
SELECT tessera_ulid_ordered() > id::ulid AS goes_on FROM before;
DROP TABLE kept, before;
DROP SCHEMA elsewhere;

-- For the suites that follow: how a statement is refused, without the line of our source.
CREATE FUNCTION told(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE message text; detail text; hint text;
BEGIN
  EXECUTE statement;
  RETURN 'not refused';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
  RETURN concat_ws(' | ', SQLSTATE, message, nullif(detail, ''), nullif(hint, ''));
END
$$;
