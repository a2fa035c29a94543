-- ALTER EXTENSION tessera UPDATE TO '1.1': whole blocks of IDs in one call, as arrays.
\echo Use "ALTER EXTENSION tessera UPDATE" to load this file. \quit

CREATE FUNCTION tessera_ulids(count integer) RETURNS ulid[] AS 'MODULE_PATHNAME', 'pg_new_ulids' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_ulids_ordered(count integer) RETURNS ulid[] AS 'MODULE_PATHNAME', 'pg_new_ulids_ordered' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_uuid7s_ordered(count integer) RETURNS uuid[] AS 'MODULE_PATHNAME', 'pg_new_uuid7s_ordered' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
