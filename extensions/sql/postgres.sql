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

-- UUID version 7 (RFC 9562): a version 4 with the time over its first six bytes, and 7 made of its 4.
CREATE OR REPLACE FUNCTION tessera_uuid7() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
    substring(int8send(floor(date_part('epoch', clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

-- The 16 bytes of a ULID, for a column of type uuid: the time, and those ten bytes of a version 4 that
-- are random in every bit.
CREATE OR REPLACE FUNCTION tessera_ulid_uuid() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$
  SELECT encode(substring(int8send(floor(date_part('epoch', clock_timestamp()) * 1000)::bigint) FROM 3) ||
    overlay(uuid_send(gen_random_uuid()) PLACING ''::bytea FROM 5 FOR 6), 'hex')::uuid
$$;

-- Eight numbers below 32, one in each byte of `n`, as the characters that stand for them: '0' and up, and a step
-- for each letter that the alphabet leaves out. (n + 22) >> 5 & 1 is 1 in a byte that is 10 or more.
CREATE OR REPLACE FUNCTION tessera_digits(n bigint) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT int8send(n + 3472328296227680304 + 7 * ((n + 1591483802437686806) >> 5 & 72340172838076673) +
    ((n + 1012762419733073422) >> 5 & 72340172838076673) + ((n + 868082074056920076) >> 5 & 72340172838076673) +
    ((n + 723401728380766730) >> 5 & 72340172838076673) + ((n + 361700864190383365) >> 5 & 72340172838076673))
$$;

-- A ULID as text. 26 digits are worked out eight at a time, as the bytes of a bigint.
CREATE OR REPLACE FUNCTION tessera_ulid() RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL SAFE
AS $$
DECLARE
  t CONSTANT bigint := floor(date_part('epoch', clock_timestamp()) * 1000)::bigint;
  r CONSTANT text := encode(uuid_send(gen_random_uuid()), 'hex');
  x bigint;
  y bigint := ('x' || left(r, 16))::bit(64)::bigint;
  z bigint := ('x' || right(r, 16))::bit(64)::bigint;
BEGIN
  -- The lower 40 bits of the time, five in each byte.
  x := ((t & 1099510579200) << 12) | (t & 1048575);
  x := ((x & 4499201581906944) << 6) | (x & 4393751544831);
  x := ((x & 279227437569541088) << 3) | (x & 8725857424048159);
  -- Five random bits in each byte. Of the seventh four are; the fifth is one that the sixth can spare.
  y := (y & 2242545357980376863) | (y >> 11 & 4096);
  z := z & 2242545357980376863;
  RETURN chr((t >> 45)::int + 48) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (t >> 40 & 31)::int + 1, 1) ||
    encode(tessera_digits(x) || tessera_digits(y) || tessera_digits(z), 'escape');
END $$;

-- The text of 16 bytes, padded on the left as a ULID is: two digits, and three times eight.
CREATE OR REPLACE FUNCTION tessera_ulid_text(id uuid) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  h CONSTANT text := encode(uuid_send(id), 'hex');
  first CONSTANT int := ('x' || left(h, 2))::bit(8)::int;
  x bigint := ('x000000' || substr(h, 3, 10))::bit(64)::bigint;
  y bigint := ('x000000' || substr(h, 13, 10))::bit(64)::bigint;
  z bigint := ('x000000' || substr(h, 23, 10))::bit(64)::bigint;
BEGIN
  -- Of 40 bits, five in each byte.
  x := ((x & 1099510579200) << 12) | (x & 1048575);
  x := ((x & 4499201581906944) << 6) | (x & 4393751544831);
  x := ((x & 279227437569541088) << 3) | (x & 8725857424048159);
  y := ((y & 1099510579200) << 12) | (y & 1048575);
  y := ((y & 4499201581906944) << 6) | (y & 4393751544831);
  y := ((y & 279227437569541088) << 3) | (y & 8725857424048159);
  z := ((z & 1099510579200) << 12) | (z & 1048575);
  z := ((z & 4499201581906944) << 6) | (z & 4393751544831);
  z := ((z & 279227437569541088) << 3) | (z & 8725857424048159);
  RETURN chr((first >> 5) + 48) || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (first & 31) + 1, 1) ||
    encode(tessera_digits(x) || tessera_digits(y) || tessera_digits(z), 'escape');
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

-- A new public ID of style ulid: 'ord_01J…'. As tessera_ulid(), written out here once more: a call costs a microsecond.
CREATE OR REPLACE FUNCTION tessera_public_id(prefix text) RETURNS text
LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE
AS $$
DECLARE
  t CONSTANT bigint := floor(date_part('epoch', clock_timestamp()) * 1000)::bigint;
  r CONSTANT text := encode(uuid_send(gen_random_uuid()), 'hex');
  x bigint;
  y bigint := ('x' || left(r, 16))::bit(64)::bigint;
  z bigint := ('x' || right(r, 16))::bit(64)::bigint;
BEGIN
  -- The lower 40 bits of the time, five in each byte.
  x := ((t & 1099510579200) << 12) | (t & 1048575);
  x := ((x & 4499201581906944) << 6) | (x & 4393751544831);
  x := ((x & 279227437569541088) << 3) | (x & 8725857424048159);
  -- Five random bits in each byte. Of the seventh four are; the fifth is one that the sixth can spare.
  y := (y & 2242545357980376863) | (y >> 11 & 4096);
  z := z & 2242545357980376863;
  IF ltrim(prefix, 'abcdefghijklmnopqrstuvwxyz_') <> '' OR prefix = '' OR left(prefix, 1) = '_' OR
     right(prefix, 1) = '_' OR length(prefix) > 63 THEN
    RAISE EXCEPTION 'not a prefix: %', prefix
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Letters a to z, and _ between them.';
  END IF;
  RETURN prefix || '_' || chr((t >> 45)::int + 48) ||
    substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (t >> 40 & 31)::int + 1, 1) ||
    encode(tessera_digits(x) || tessera_digits(y) || tessera_digits(z), 'escape');
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
