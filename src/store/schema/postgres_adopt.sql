-- A table of four columns becomes ours; its rows stay as they are.
ALTER TABLE "{table}"
  ALTER COLUMN scope TYPE VARCHAR(64) COLLATE "C",
  ALTER COLUMN max_id TYPE BIGINT,
  ALTER COLUMN step SET DEFAULT 1000,
  ALTER COLUMN updated_at SET DEFAULT now(),
  ADD COLUMN min_id BIGINT NOT NULL DEFAULT 1,
  ADD COLUMN hard_max BIGINT NOT NULL DEFAULT 9223372036854775807,
  ADD COLUMN epoch BIGINT NOT NULL DEFAULT 1,
  ADD COLUMN draws BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN ordering SMALLINT NOT NULL DEFAULT 0 CHECK (ordering IN (0, 1)),
  ADD COLUMN js_safe SMALLINT NOT NULL DEFAULT 0 CHECK (js_safe IN (0, 1)),
  ADD CONSTRAINT "{table}_range" CHECK (min_id >= 0 AND max_id >= min_id - 1 AND max_id <= hard_max),
  ADD CONSTRAINT "{table}_step" CHECK (step BETWEEN 1 AND 1000000),
  SET (fillfactor = 50);
