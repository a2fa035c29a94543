-- SQLite 3.37 or newer. {table} is the name of the table, bc_id_segment if nothing else is said.
CREATE TABLE IF NOT EXISTS "{table}" (
  scope      TEXT    NOT NULL COLLATE BINARY PRIMARY KEY CHECK (length(scope) <= 64),
  max_id     INTEGER NOT NULL,                               -- the largest that was reserved
  step       INTEGER NOT NULL DEFAULT 1000,
  updated_at TEXT    NOT NULL DEFAULT CURRENT_TIMESTAMP,     -- UTC
  min_id     INTEGER NOT NULL DEFAULT 1,
  hard_max   INTEGER NOT NULL DEFAULT 9223372036854775807,
  epoch      INTEGER NOT NULL DEFAULT 1,
  draws      INTEGER NOT NULL DEFAULT 0,
  ordering   INTEGER NOT NULL DEFAULT 0 CHECK (ordering IN (0, 1)),  -- 0 process, 1 strict
  js_safe    INTEGER NOT NULL DEFAULT 0 CHECK (js_safe IN (0, 1)),
  CHECK (min_id >= 0 AND max_id >= min_id - 1 AND max_id <= hard_max),
  CHECK (step BETWEEN 1 AND 1000000)
) STRICT, WITHOUT ROWID;

-- One line for each range, written by the commit that reserved it.
CREATE TABLE IF NOT EXISTS "{table}_log" (
  scope       TEXT    NOT NULL,
  number      INTEGER NOT NULL,
  epoch       INTEGER NOT NULL,
  first_id    INTEGER NOT NULL,
  last_id     INTEGER NOT NULL,
  holder      TEXT    NOT NULL,
  request_key TEXT,
  drawn_ms    INTEGER NOT NULL,
  PRIMARY KEY (scope, number),
  CHECK (first_id <= last_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS "{table}_log_first" ON "{table}_log" (scope, first_id);
CREATE UNIQUE INDEX IF NOT EXISTS "{table}_log_key" ON "{table}_log" (scope, request_key)
  WHERE request_key IS NOT NULL;

-- By what the key of a scope of short IDs is known again. Since version 2.
CREATE TABLE IF NOT EXISTS "{table}_cipher" (
  scope       TEXT NOT NULL PRIMARY KEY,
  fingerprint TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Scopes of machine numbers, and how their IDs are laid out. Since version 3.
CREATE TABLE IF NOT EXISTS "{table}_lease_scope" (
  scope  TEXT NOT NULL COLLATE BINARY PRIMARY KEY,
  layout TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Machine numbers that were ever claimed. A row is never deleted: ts_limit_ms is where the next
-- holder begins. Since version 3.
CREATE TABLE IF NOT EXISTS "{table}_lease" (
  scope         TEXT    NOT NULL COLLATE BINARY,
  machine       INTEGER NOT NULL CHECK (machine BETWEEN 0 AND 4294967295),
  token         INTEGER NOT NULL CHECK (token > 0),
  holder        TEXT    NOT NULL,
  claimed_ms    INTEGER NOT NULL,
  expires_ms    INTEGER NOT NULL,
  quarantine_ms INTEGER NOT NULL CHECK (quarantine_ms >= 0),
  ts_limit_ms   INTEGER NOT NULL CHECK (ts_limit_ms >= 0),
  PRIMARY KEY (scope, machine)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS "{table}_schema" (
  id      INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
