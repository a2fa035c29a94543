-- CREATE EXTENSION tessera, version 1.0. What came later is in the upgrade scripts.
--
-- Everything here works for every user, and nothing in it depends on search_path: the schema may be
-- changed by ALTER EXTENSION tessera SET SCHEMA.
\echo Use "CREATE EXTENSION tessera" to load this file. \quit

-- ulid: 16 bytes, most significant first. On disk it is what a uuid is, so that all that compares and
-- sorts bytes is PostgreSQL's own, under other names.
CREATE TYPE ulid;
CREATE FUNCTION ulid_in(cstring) RETURNS ulid AS 'MODULE_PATHNAME', 'pg_ulid_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_out(ulid) RETURNS cstring AS 'MODULE_PATHNAME', 'pg_ulid_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_recv(internal) RETURNS ulid AS 'uuid_recv' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_send(ulid) RETURNS bytea AS 'uuid_send' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE ulid (
  INPUT = ulid_in, OUTPUT = ulid_out, RECEIVE = ulid_recv, SEND = ulid_send,
  INTERNALLENGTH = 16, ALIGNMENT = char, STORAGE = plain, CATEGORY = 'U');
COMMENT ON TYPE ulid IS 'identifier of 128 bits that sorts by the moment it was made';

CREATE FUNCTION ulid_lt(ulid, ulid) RETURNS boolean AS 'uuid_lt' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_le(ulid, ulid) RETURNS boolean AS 'uuid_le' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_eq(ulid, ulid) RETURNS boolean AS 'uuid_eq' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_ne(ulid, ulid) RETURNS boolean AS 'uuid_ne' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_ge(ulid, ulid) RETURNS boolean AS 'uuid_ge' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_gt(ulid, ulid) RETURNS boolean AS 'uuid_gt' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_cmp(ulid, ulid) RETURNS integer AS 'uuid_cmp' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_hash(ulid) RETURNS integer AS 'uuid_hash' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_hash_extended(ulid, bigint) RETURNS bigint AS 'uuid_hash_extended' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION ulid_sortsupport(internal) RETURNS void AS 'uuid_sortsupport' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_smaller(ulid, ulid) RETURNS ulid AS 'MODULE_PATHNAME', 'pg_ulid_smaller' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid_larger(ulid, ulid) RETURNS ulid AS 'MODULE_PATHNAME', 'pg_ulid_larger' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR < (
  FUNCTION = ulid_lt, LEFTARG = ulid, RIGHTARG = ulid, COMMUTATOR = >, NEGATOR = >=,
  RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR <= (
  FUNCTION = ulid_le, LEFTARG = ulid, RIGHTARG = ulid, COMMUTATOR = >=, NEGATOR = >,
  RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR = (
  FUNCTION = ulid_eq, LEFTARG = ulid, RIGHTARG = ulid, COMMUTATOR = =, NEGATOR = <>,
  HASHES, MERGES, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR <> (
  FUNCTION = ulid_ne, LEFTARG = ulid, RIGHTARG = ulid, COMMUTATOR = <>, NEGATOR = =,
  RESTRICT = neqsel, JOIN = neqjoinsel);
CREATE OPERATOR >= (
  FUNCTION = ulid_ge, LEFTARG = ulid, RIGHTARG = ulid, COMMUTATOR = <=, NEGATOR = <,
  RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR > (
  FUNCTION = ulid_gt, LEFTARG = ulid, RIGHTARG = ulid, COMMUTATOR = <, NEGATOR = <=,
  RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
  FUNCTION 1 ulid_cmp(ulid, ulid),
  FUNCTION 2 ulid_sortsupport(internal),
  FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS ulid_ops DEFAULT FOR TYPE ulid USING hash AS
  OPERATOR 1 =,
  FUNCTION 1 ulid_hash(ulid),
  FUNCTION 2 ulid_hash_extended(ulid, bigint);
CREATE OPERATOR CLASS ulid_minmax_ops DEFAULT FOR TYPE ulid USING brin AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
  FUNCTION 1 brin_minmax_opcinfo(internal),
  FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
  FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
  FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS ulid_bloom_ops FOR TYPE ulid USING brin AS
  OPERATOR 1 =,
  FUNCTION 1 brin_bloom_opcinfo(internal),
  FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
  FUNCTION 3 brin_bloom_consistent(internal, internal, internal, integer),
  FUNCTION 4 brin_bloom_union(internal, internal, internal),
  FUNCTION 5 brin_bloom_options(internal),
  FUNCTION 11 ulid_hash(ulid);
CREATE FUNCTION ulid_distance(internal, internal) RETURNS double precision
  AS 'brin_minmax_multi_distance_uuid' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE OPERATOR CLASS ulid_minmax_multi_ops FOR TYPE ulid USING brin AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
  FUNCTION 1 brin_minmax_multi_opcinfo(internal),
  FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
  FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, integer),
  FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
  FUNCTION 5 brin_minmax_multi_options(internal),
  FUNCTION 11 ulid_distance(internal, internal);

-- From 18 on PostgreSQL can skip through a leading column.
DO $$
BEGIN
  IF current_setting('server_version_num')::integer >= 180000 THEN
    CREATE FUNCTION ulid_skipsupport(internal) RETURNS void
      AS 'uuid_skipsupport' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
    ALTER OPERATOR FAMILY ulid_ops USING btree ADD FUNCTION 6 (ulid, ulid) ulid_skipsupport(internal);
  END IF;
END
$$;

CREATE AGGREGATE min(ulid) (
  SFUNC = ulid_smaller, STYPE = ulid, SORTOP = <, COMBINEFUNC = ulid_smaller, PARALLEL = SAFE);
CREATE AGGREGATE max(ulid) (
  SFUNC = ulid_larger, STYPE = ulid, SORTOP = >, COMBINEFUNC = ulid_larger, PARALLEL = SAFE);

-- Casts. To and from text go those that every type has: to it in assignments, from it when asked.
CREATE CAST (uuid AS ulid) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (ulid AS uuid) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE FUNCTION ulid(bytea) RETURNS ulid AS 'MODULE_PATHNAME', 'pg_ulid_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bytea(ulid) RETURNS bytea AS 'MODULE_PATHNAME', 'pg_ulid_to_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION ulid(timestamptz) RETURNS ulid AS 'MODULE_PATHNAME', 'pg_ulid_from_timestamptz' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION timestamptz(ulid) RETURNS timestamptz AS 'MODULE_PATHNAME', 'pg_ulid_to_timestamptz' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE CAST (bytea AS ulid) WITH FUNCTION ulid(bytea);
CREATE CAST (ulid AS bytea) WITH FUNCTION bytea(ulid);
CREATE CAST (timestamptz AS ulid) WITH FUNCTION ulid(timestamptz);
CREATE CAST (ulid AS timestamptz) WITH FUNCTION timestamptz(ulid);

-- public_id: a prefix and 16 bytes. public_id('ord') and public_id('ord', 'checked') name what a column
-- may hold.
CREATE TYPE public_id;
CREATE FUNCTION public_id_in(cstring, oid, integer) RETURNS public_id AS 'MODULE_PATHNAME', 'pg_public_id_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_out(public_id) RETURNS cstring AS 'MODULE_PATHNAME', 'pg_public_id_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_recv(internal, oid, integer) RETURNS public_id AS 'MODULE_PATHNAME', 'pg_public_id_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_send(public_id) RETURNS bytea AS 'MODULE_PATHNAME', 'pg_public_id_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_typmod_in(cstring[]) RETURNS integer AS 'MODULE_PATHNAME', 'pg_public_id_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_typmod_out(integer) RETURNS cstring AS 'MODULE_PATHNAME', 'pg_public_id_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE public_id (
  INPUT = public_id_in, OUTPUT = public_id_out, RECEIVE = public_id_recv, SEND = public_id_send,
  TYPMOD_IN = public_id_typmod_in, TYPMOD_OUT = public_id_typmod_out,
  INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = main, CATEGORY = 'U');
COMMENT ON TYPE public_id IS 'identifier with a prefix that says what it is of';

CREATE FUNCTION public_id(public_id, integer, boolean) RETURNS public_id AS 'MODULE_PATHNAME', 'pg_public_id_enforce' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE CAST (public_id AS public_id) WITH FUNCTION public_id(public_id, integer, boolean) AS IMPLICIT;

CREATE FUNCTION public_id_lt(public_id, public_id) RETURNS boolean AS 'MODULE_PATHNAME', 'pg_public_id_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_le(public_id, public_id) RETURNS boolean AS 'MODULE_PATHNAME', 'pg_public_id_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_eq(public_id, public_id) RETURNS boolean AS 'MODULE_PATHNAME', 'pg_public_id_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_ne(public_id, public_id) RETURNS boolean AS 'MODULE_PATHNAME', 'pg_public_id_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_ge(public_id, public_id) RETURNS boolean AS 'MODULE_PATHNAME', 'pg_public_id_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_gt(public_id, public_id) RETURNS boolean AS 'MODULE_PATHNAME', 'pg_public_id_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_cmp(public_id, public_id) RETURNS integer AS 'MODULE_PATHNAME', 'pg_public_id_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_hash(public_id) RETURNS integer AS 'MODULE_PATHNAME', 'pg_public_id_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_hash_extended(public_id, bigint) RETURNS bigint AS 'MODULE_PATHNAME', 'pg_public_id_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_sortsupport(internal) RETURNS void AS 'MODULE_PATHNAME', 'pg_public_id_sortsupport' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_smaller(public_id, public_id) RETURNS public_id AS 'MODULE_PATHNAME', 'pg_public_id_smaller' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION public_id_larger(public_id, public_id) RETURNS public_id AS 'MODULE_PATHNAME', 'pg_public_id_larger' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR < (
  FUNCTION = public_id_lt, LEFTARG = public_id, RIGHTARG = public_id, COMMUTATOR = >, NEGATOR = >=,
  RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR <= (
  FUNCTION = public_id_le, LEFTARG = public_id, RIGHTARG = public_id, COMMUTATOR = >=, NEGATOR = >,
  RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR = (
  FUNCTION = public_id_eq, LEFTARG = public_id, RIGHTARG = public_id, COMMUTATOR = =, NEGATOR = <>,
  HASHES, MERGES, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR <> (
  FUNCTION = public_id_ne, LEFTARG = public_id, RIGHTARG = public_id, COMMUTATOR = <>, NEGATOR = =,
  RESTRICT = neqsel, JOIN = neqjoinsel);
CREATE OPERATOR >= (
  FUNCTION = public_id_ge, LEFTARG = public_id, RIGHTARG = public_id, COMMUTATOR = <=, NEGATOR = <,
  RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR > (
  FUNCTION = public_id_gt, LEFTARG = public_id, RIGHTARG = public_id, COMMUTATOR = <, NEGATOR = <=,
  RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

CREATE OPERATOR CLASS public_id_ops DEFAULT FOR TYPE public_id USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
  FUNCTION 1 public_id_cmp(public_id, public_id),
  FUNCTION 2 public_id_sortsupport(internal),
  FUNCTION 4 btequalimage(oid);
CREATE OPERATOR CLASS public_id_ops DEFAULT FOR TYPE public_id USING hash AS
  OPERATOR 1 =,
  FUNCTION 1 public_id_hash(public_id),
  FUNCTION 2 public_id_hash_extended(public_id, bigint);
CREATE OPERATOR CLASS public_id_minmax_ops DEFAULT FOR TYPE public_id USING brin AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
  FUNCTION 1 brin_minmax_opcinfo(internal),
  FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
  FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
  FUNCTION 4 brin_minmax_union(internal, internal, internal);
CREATE OPERATOR CLASS public_id_bloom_ops FOR TYPE public_id USING brin AS
  OPERATOR 1 =,
  FUNCTION 1 brin_bloom_opcinfo(internal),
  FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
  FUNCTION 3 brin_bloom_consistent(internal, internal, internal, integer),
  FUNCTION 4 brin_bloom_union(internal, internal, internal),
  FUNCTION 5 brin_bloom_options(internal),
  FUNCTION 11 public_id_hash(public_id);

CREATE AGGREGATE min(public_id) (
  SFUNC = public_id_smaller, STYPE = public_id, SORTOP = <, COMBINEFUNC = public_id_smaller, PARALLEL = SAFE);
CREATE AGGREGATE max(public_id) (
  SFUNC = public_id_larger, STYPE = public_id, SORTOP = >, COMBINEFUNC = public_id_larger, PARALLEL = SAFE);

CREATE FUNCTION tessera_prefix(public_id) RETURNS text AS 'MODULE_PATHNAME', 'pg_public_id_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_style(public_id) RETURNS text AS 'MODULE_PATHNAME', 'pg_public_id_style' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_body(public_id) RETURNS ulid AS 'MODULE_PATHNAME', 'pg_public_id_body' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION timestamptz(public_id) RETURNS timestamptz AS 'MODULE_PATHNAME', 'pg_public_id_to_timestamptz' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE CAST (public_id AS ulid) WITH FUNCTION tessera_body(public_id);
CREATE CAST (public_id AS timestamptz) WITH FUNCTION timestamptz(public_id);

-- The order of all connections is kept over crashes, restarts and promotions by this number: the
-- millisecond before which IDs may have been given out.
CREATE SEQUENCE tessera_ordered_mark AS bigint MINVALUE 0 START 0;
SELECT pg_extension_config_dump('tessera_ordered_mark', '');
GRANT SELECT ON SEQUENCE tessera_ordered_mark TO PUBLIC;            -- who dumps must read it,
GRANT UPDATE ON SEQUENCE tessera_ordered_mark TO @extowner@;        -- who restores must set it

-- New IDs.
CREATE FUNCTION tessera_ulid() RETURNS ulid AS 'MODULE_PATHNAME', 'pg_new_ulid' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_ulid_ordered() RETURNS ulid AS 'MODULE_PATHNAME', 'pg_new_ulid_ordered' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_uuid4() RETURNS uuid AS 'MODULE_PATHNAME', 'pg_new_uuid4' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_uuid7() RETURNS uuid AS 'MODULE_PATHNAME', 'pg_new_uuid7' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_uuid7_ordered() RETURNS uuid AS 'MODULE_PATHNAME', 'pg_new_uuid7_ordered' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_objectid() RETURNS text AS 'MODULE_PATHNAME', 'pg_new_objectid' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_ksuid() RETURNS text AS 'MODULE_PATHNAME', 'pg_new_ksuid' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_snowflake(machine integer) RETURNS bigint AS 'MODULE_PATHNAME', 'pg_new_snowflake' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_random(bits integer DEFAULT 120) RETURNS text AS 'MODULE_PATHNAME', 'pg_new_random' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_public_id(prefix text, style text DEFAULT 'ulid') RETURNS public_id AS 'MODULE_PATHNAME', 'pg_public_id_new' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_to_public_id(prefix text, body ulid, style text DEFAULT 'ulid') RETURNS public_id AS 'MODULE_PATHNAME', 'pg_public_id_from_body' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_ulid_friendly(typed text) RETURNS ulid AS 'MODULE_PATHNAME', 'pg_ulid_friendly' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- Numbers. A scope is a sequence of that name, which belongs to whoever declares it: GRANT USAGE lets others
-- draw, and it outlives this extension.
CREATE FUNCTION tessera_next_long(scope text) RETURNS bigint AS 'MODULE_PATHNAME', 'pg_next_long' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_create_scope(
  scope text, first bigint DEFAULT 1, last bigint DEFAULT 9223372036854775807, step bigint DEFAULT 1000)
RETURNS void LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE AS $$
DECLARE
  home name := (SELECT nspname FROM pg_catalog.pg_extension JOIN pg_catalog.pg_namespace n ON n.oid = extnamespace
                WHERE extname = 'tessera');
BEGIN
  IF pg_catalog.octet_length(scope) NOT BETWEEN 1 AND 49 THEN
    RAISE invalid_parameter_value USING MESSAGE = 'the name of a scope has 1 to 49 bytes';
  END IF;
  EXECUTE pg_catalog.format('CREATE SEQUENCE %I.%I MINVALUE %s MAXVALUE %s START %s CACHE %s',
                            home, 'tessera_scope_' || scope, first, last, first, step);
END
$$;
CREATE VIEW tessera_scopes AS
  SELECT pg_catalog.substr(c.relname, 15) AS scope, s.seqstart AS first, s.seqmax AS last, s.seqcache AS step,
    pg_catalog.pg_sequence_last_value(c.oid::pg_catalog.regclass) AS drawn
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_sequence s ON s.seqrelid = c.oid
  JOIN pg_catalog.pg_extension e ON e.extname = 'tessera' AND e.extnamespace = c.relnamespace
  WHERE pg_catalog.starts_with(c.relname, 'tessera_scope_')
    AND CASE c.relkind WHEN 'S' THEN pg_catalog.has_sequence_privilege(c.oid, 'USAGE') END;
GRANT SELECT ON tessera_scopes TO PUBLIC;

-- What an ID is. Without a kind the clock decides between guesses, so these are STABLE.
CREATE FUNCTION tessera_check(id text) RETURNS text AS 'MODULE_PATHNAME', 'pg_check_any' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION tessera_check(id text, what text, strict boolean DEFAULT false) RETURNS text AS 'MODULE_PATHNAME', 'pg_check' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
CREATE FUNCTION tessera_valid(id text, what text, strict boolean DEFAULT false) RETURNS boolean AS 'MODULE_PATHNAME', 'pg_valid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
CREATE FUNCTION tessera_inspect(id text) RETURNS jsonb AS 'MODULE_PATHNAME', 'pg_inspect' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION tessera_inspect(id text, "as" text) RETURNS jsonb AS 'MODULE_PATHNAME', 'pg_inspect' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION tessera_time(id ulid) RETURNS timestamptz AS 'MODULE_PATHNAME', 'pg_ulid_to_timestamptz' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_time(id uuid) RETURNS timestamptz AS 'MODULE_PATHNAME', 'pg_time_of_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_time(id public_id) RETURNS timestamptz AS 'MODULE_PATHNAME', 'pg_public_id_to_timestamptz' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tessera_time(id text) RETURNS timestamptz AS 'MODULE_PATHNAME', 'pg_time' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
CREATE FUNCTION tessera_time(id text, what text) RETURNS timestamptz AS 'MODULE_PATHNAME', 'pg_time' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
CREATE FUNCTION tessera_range(kind text, "from" timestamptz, "to" timestamptz, OUT smallest text, OUT largest text) AS 'MODULE_PATHNAME', 'pg_range' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
CREATE FUNCTION tessera_checksum(id text, bits integer DEFAULT 0, symbols integer DEFAULT 0) RETURNS text AS 'MODULE_PATHNAME', 'pg_checksum' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
CREATE FUNCTION tessera_convert(id text, "to" text) RETURNS text AS 'MODULE_PATHNAME', 'pg_convert' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION tessera_convert(id text, "to" text, "from" text) RETURNS text AS 'MODULE_PATHNAME', 'pg_convert' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
CREATE FUNCTION tessera_new(what text) RETURNS text AS 'MODULE_PATHNAME', 'pg_new_by_name' LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 5;
CREATE FUNCTION tessera_version() RETURNS text AS 'MODULE_PATHNAME', 'pg_version' LANGUAGE C IMMUTABLE PARALLEL SAFE;
