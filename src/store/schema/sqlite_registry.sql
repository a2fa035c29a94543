-- SQLite 3.37 or newer. {table} is what the names of all tables of the registry begin with,
-- tessera_registry if nothing else is said. One row for each type: its gate, and its form.
CREATE TABLE IF NOT EXISTS "{table}_types" (
  name    TEXT    NOT NULL PRIMARY KEY,  -- its prefix
  version INTEGER NOT NULL,
  storage TEXT    NOT NULL,
  parent  TEXT    NOT NULL,
  epoch   INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

-- Idempotency keys, written by the commit of their creation.
CREATE TABLE IF NOT EXISTS "{table}_keys" (
  tenant_id   TEXT    NOT NULL,
  type        TEXT    NOT NULL,
  request_key TEXT    NOT NULL,
  digest      BLOB    NOT NULL,
  answer      BLOB    NOT NULL,
  expires_ms  INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, type, request_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS "{table}_keys_end" ON "{table}_keys" (expires_ms);

-- What was retired and has children, or is to be erased.
CREATE TABLE IF NOT EXISTS "{table}_work" (
  type   TEXT    NOT NULL,
  id     INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  PRIMARY KEY (type, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS "{table}_work_due" ON "{table}_work" (due_ms);
