-- Numbers of a scope: in order within a connection, never given back.
\set SHOW_CONTEXT never
SELECT tessera_next_long('ORDER');
SELECT tessera_create_scope('ORDER', step => 10);
SELECT tessera_create_scope('ORDER');
SELECT tessera_create_scope('');
SELECT tessera_create_scope(repeat('x', 50));
SELECT array_agg(tessera_next_long('ORDER')) FROM generate_series(1, 25);
SELECT * FROM tessera_scopes;
BEGIN; SELECT array_agg(tessera_next_long('ORDER')) FROM generate_series(1, 10); ROLLBACK;
SELECT tessera_next_long('ORDER') AS not_given_back;
BEGIN READ ONLY; SELECT array_agg(tessera_next_long('ORDER')) FROM generate_series(1, 10); COMMIT;
-- Another connection has its own range.
\c
SELECT tessera_next_long('ORDER');
-- The last number, and none after it.
SELECT tessera_create_scope('few "quoted"', first => 9223372036854775805, step => 2);
SELECT tessera_next_long('few "quoted"') FROM generate_series(1, 3);
SELECT told($$SELECT tessera_next_long('few "quoted"')$$);
SELECT * FROM tessera_scopes ORDER BY scope;
-- Two scopes in one call site.
SELECT tessera_create_scope('A', first => 100), tessera_create_scope('B', first => -5);
SELECT tessera_next_long(scope) FROM unnest(ARRAY['A', 'B', 'A', 'A', 'B']) AS scope;
-- Whoever declares a scope owns it.
CREATE ROLE tessera_clerk;
SET ROLE tessera_clerk;
SELECT tessera_next_long('A');
SELECT count(*) FROM tessera_scopes;
RESET ROLE;
GRANT USAGE ON SEQUENCE "tessera_scope_A" TO tessera_clerk;
SET ROLE tessera_clerk;
SELECT tessera_next_long('A');
RESET ROLE;
ALTER SEQUENCE "tessera_scope_A" CYCLE;
\c
SELECT tessera_next_long('A');
DROP SEQUENCE "tessera_scope_A", "tessera_scope_B", "tessera_scope_ORDER", "tessera_scope_few ""quoted""";
DROP ROLE tessera_clerk;
