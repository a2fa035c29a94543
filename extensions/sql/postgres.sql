-- Tessera in plain SQL, for PostgreSQL servers on which nothing may be installed. PostgreSQL 13 or
-- later; no extension, no superuser. docs/plain-sql.md has examples, speed and what is missing.
--
-- tessera_uuid7() and tessera_ulid_uuid() are single expressions, which the planner puts in the place
-- of the call. What makes text is PL/pgSQL: in SQL its argument would be worked out once for each
-- use, or the call not be replaced at all, which costs ten times as much.
--
-- What is made here sorts by the millisecond; within one it is in no order. Its random bits are
-- those of gen_random_uuid(), which come from a CSPRNG.

-- Milliseconds since 1970, rounded down: an ID is never of the future.
CREATE OR REPLACE FUNCTION tessera_now_ms() RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$ SELECT floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$;

-- UUID version 7 (RFC 9562): the time, then what a version 4 has behind its own version.
CREATE OR REPLACE FUNCTION tessera_uuid7() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
  SELECT (lpad(to_hex(floor(date_part('epoch', clock_timestamp()) * 1000)::bigint), 12, '0') || '7' ||
          substr(gen_random_uuid()::text, 16))::uuid
$$;

-- The 16 bytes of a ULID, for a column of type uuid. Of a version 4 only those 80 bits are taken
-- that are random.
CREATE OR REPLACE FUNCTION tessera_ulid_uuid() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
  SELECT (lpad(to_hex(floor(date_part('epoch', clock_timestamp()) * 1000)::bigint), 12, '0') ||
          overlay(gen_random_uuid()::text PLACING '' FROM 9 FOR 16))::uuid
$$;

-- A ULID as text. The 16 characters behind the time are random symbols of base64, each of which
-- stands for 6 random bits, 5 of which are kept; the three that hold fixed bits are left out.
CREATE OR REPLACE FUNCTION tessera_ulid() RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL SAFE
AS $$
DECLARE
  a CONSTANT text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  t CONSTANT bigint := floor(date_part('epoch', clock_timestamp()) * 1000)::bigint;
BEGIN
  RETURN substr(a, (t >> 45)::int + 1, 1) || substr(a, (t >> 40 & 31)::int + 1, 1) ||
    substr(a, (t >> 35 & 31)::int + 1, 1) || substr(a, (t >> 30 & 31)::int + 1, 1) ||
    substr(a, (t >> 25 & 31)::int + 1, 1) || substr(a, (t >> 20 & 31)::int + 1, 1) ||
    substr(a, (t >> 15 & 31)::int + 1, 1) || substr(a, (t >> 10 & 31)::int + 1, 1) ||
    substr(a, (t >> 5 & 31)::int + 1, 1) || substr(a, (t & 31)::int + 1, 1) ||
    translate(
      substr(overlay(encode(uuid_send(gen_random_uuid()), 'base64') PLACING '' FROM 9 FOR 3), 1, 16),
      'abcdefghijklmnopqrstuvwxyz+/ILOU',
      '0123456789ABCDEFGHJKMNPQRSTVWXYZ');
END $$;

-- The text of 16 bytes, padded on the left as a ULID is.
CREATE OR REPLACE FUNCTION tessera_ulid_text(id uuid) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  a CONSTANT text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  b CONSTANT bit(128) := ('x' || encode(uuid_send(id), 'hex'))::bit(128);
BEGIN
  RETURN substr(a, substring(b FROM 1 FOR 3)::int + 1, 1) || substr(a, substring(b FROM 4 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 9 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 14 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 19 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 24 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 29 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 34 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 39 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 44 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 49 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 54 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 59 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 64 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 69 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 74 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 79 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 84 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 89 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 94 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 99 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 104 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 109 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 114 FOR 5)::int + 1, 1) ||
    substr(a, substring(b FROM 119 FOR 5)::int + 1, 1) || substr(a, substring(b FROM 124 FOR 5)::int + 1, 1);
END $$;

-- What is wrong with a text as `what`: 'valid', or the code that `tessera check --strict` has.
-- `what` is ulid, uuid, uuidv4, uuidv7, or the prefix of public IDs of style ulid.
CREATE OR REPLACE FUNCTION tessera_check(id text, what text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  body text := id;
  split int;
BEGIN
  IF what IN ('uuid', 'uuidv4', 'uuidv7') THEN
    IF octet_length(id) <> 36 THEN RETURN 'invalid_length'; END IF;
    IF id !~ '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$' THEN
      RETURN 'invalid_character';
    END IF;
    IF what = 'uuid' THEN RETURN 'valid'; END IF;
    IF id ~* '^[0-]*$|^[f-]*$' THEN RETURN 'reserved_value'; END IF;
    IF substr(id, 20, 1) !~ '[89abAB]' THEN RETURN 'invalid_variant'; END IF;
    IF substr(id, 15, 1) <> right(what, 1) THEN RETURN 'invalid_version'; END IF;
    RETURN 'valid';
  END IF;
  IF what <> 'ulid' THEN
    IF what !~ '^[a-z]([a-z_]{0,61}[a-z])?$' THEN
      RAISE EXCEPTION 'no such kind or prefix: %', what USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF id = '' THEN RETURN 'invalid_length'; END IF;
    split := length(id) - position('_' IN reverse(id)) + 1;
    IF position('_' IN id) > 0 THEN
      IF left(id, split - 1) !~ '^[a-z]([a-z_]{0,61}[a-z])?$' THEN RETURN 'invalid_prefix'; END IF;
      body := substr(id, split + 1);
    END IF;
  END IF;
  IF octet_length(body) <> 26 THEN RETURN 'invalid_length'; END IF;
  -- 26 digits hold 130 bits: the first is at most 7.
  IF body ~ '^[89A-HJKMNP-TV-Za-hjkmnp-tv-z]' THEN RETURN 'overflow'; END IF;
  IF body ~ '[^0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]' THEN RETURN 'invalid_character'; END IF;
  IF what <> 'ulid' AND split > length(id) THEN RETURN 'invalid_prefix'; END IF;
  IF what <> 'ulid' AND left(id, split - 1) <> what THEN RETURN 'prefix_mismatch'; END IF;
  RETURN 'valid';
END $$;

CREATE OR REPLACE FUNCTION tessera_valid(id text, what text) RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT tessera_check(id, what) = 'valid' $$;

-- The 16 bytes of the text of a ULID, as a uuid. Letter case aside it is read strictly.
CREATE OR REPLACE FUNCTION tessera_ulid_uuid(id text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  -- Five bits for each character; of the first, the two that a ULID does not have are cut off.
  digits CONSTANT text := upper(id);
  bits text := '';
BEGIN
  IF tessera_check(id, 'ulid') <> 'valid' THEN
    RAISE EXCEPTION 'not a ULID: %', tessera_check(id, 'ulid')
      USING ERRCODE = 'invalid_text_representation';
  END IF;
  FOR i IN 1..26 LOOP
    bits := bits || (position(substr(digits, i, 1) IN '0123456789ABCDEFGHJKMNPQRSTVWXYZ') - 1)::bit(5)::text;
  END LOOP;
  RETURN (lpad(to_hex(substr(bits, 3, 64)::bit(64)::bigint), 16, '0') ||
          lpad(to_hex(substr(bits, 67, 64)::bit(64)::bigint), 16, '0'))::uuid;
END $$;

-- A new public ID of style ulid: 'ord_01J…'.
CREATE OR REPLACE FUNCTION tessera_public_id(prefix text) RETURNS text
LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE
AS $$
BEGIN
  IF prefix !~ '^[a-z]([a-z_]{0,61}[a-z])?$' THEN
    RAISE EXCEPTION 'not a prefix: %', prefix
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Letters a to z, and _ between them.';
  END IF;
  RETURN prefix || '_' || tessera_ulid();
END $$;

-- The public ID of 16 bytes, and back.
CREATE OR REPLACE FUNCTION tessera_public_id(prefix text, body uuid) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
BEGIN
  IF prefix !~ '^[a-z]([a-z_]{0,61}[a-z])?$' THEN
    RAISE EXCEPTION 'not a prefix: %', prefix
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Letters a to z, and _ between them.';
  END IF;
  RETURN prefix || '_' || tessera_ulid_text(body);
END $$;

CREATE OR REPLACE FUNCTION tessera_public_id_body(id text, prefix text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
BEGIN
  IF tessera_check(id, prefix) <> 'valid' THEN
    RAISE EXCEPTION 'not a public ID of %: %', prefix, tessera_check(id, prefix)
      USING ERRCODE = 'invalid_text_representation';
  END IF;
  RETURN tessera_ulid_uuid(right(id, 26));
END $$;

-- When it was made, in milliseconds since 1970: of a ULID in a uuid column, and of a UUIDv7.
CREATE OR REPLACE FUNCTION tessera_time(id uuid) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT ('x0000' || left(encode(uuid_send(id), 'hex'), 12))::bit(64)::bigint $$;

-- The smallest and the largest ULID of a millisecond, as a uuid: WHERE id >= … AND id <= …
CREATE OR REPLACE FUNCTION tessera_ulid_smallest(time_ms bigint) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT (lpad(to_hex(time_ms), 12, '0') || repeat('0', 20))::uuid $$;

CREATE OR REPLACE FUNCTION tessera_ulid_largest(time_ms bigint) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT (lpad(to_hex(time_ms), 12, '0') || repeat('f', 20))::uuid $$;
