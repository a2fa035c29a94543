-- The table of one type. {type} is its prefix, {form} the form of its IDs.
CREATE TABLE IF NOT EXISTS "{table}_of_{type}" (
  id         BIGINT NOT NULL PRIMARY KEY,           -- never shown
  tenant_id  VARCHAR(64) COLLATE "C" NOT NULL,
  public_id  {form} NOT NULL,                       -- without check symbols
  state      SMALLINT NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2)),  -- live, deleted, ended
  created_ms BIGINT NOT NULL,
  deleted_ms BIGINT,
  parent_id  BIGINT,
  CONSTRAINT "{table}_of_{type}_public" UNIQUE (tenant_id, public_id)
);
CREATE INDEX IF NOT EXISTS "{table}_of_{type}_new" ON "{table}_of_{type}" (created_ms, id);
CREATE INDEX IF NOT EXISTS "{table}_of_{type}_sub" ON "{table}_of_{type}" (parent_id, state, public_id)
  WHERE parent_id IS NOT NULL;

-- What stays of those that were erased: 16 bytes.
CREATE TABLE IF NOT EXISTS "{table}_gone_{type}" (
  tombstone BYTEA NOT NULL PRIMARY KEY CHECK (octet_length(tombstone) = 16)
);
