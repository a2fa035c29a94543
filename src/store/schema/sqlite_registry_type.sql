-- The table of one type. {type} is its prefix, {form} the form of its IDs.
CREATE TABLE IF NOT EXISTS "{table}_of_{type}" (
  id         INTEGER NOT NULL PRIMARY KEY,          -- never shown
  tenant_id  TEXT    NOT NULL,
  public_id  {form}  NOT NULL,                      -- without check symbols
  state      INTEGER NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2)),  -- live, deleted, ended
  created_ms INTEGER NOT NULL,
  deleted_ms INTEGER,
  parent_id  INTEGER,
  UNIQUE (tenant_id, public_id)
) STRICT;
CREATE INDEX IF NOT EXISTS "{table}_of_{type}_new" ON "{table}_of_{type}" (created_ms, id);
CREATE INDEX IF NOT EXISTS "{table}_of_{type}_sub" ON "{table}_of_{type}" (parent_id, state, public_id)
  WHERE parent_id IS NOT NULL;

-- What stays of those that were erased: 16 bytes.
CREATE TABLE IF NOT EXISTS "{table}_gone_{type}" (
  tombstone BLOB NOT NULL PRIMARY KEY CHECK (length(tombstone) = 16)
) STRICT, WITHOUT ROWID;
