-- PostgreSQL 13 or newer. {table} is the name of the table, bc_id_segment if nothing else is said.
-- Half of each page stays free, so that an update stays on its page and touches no index.
CREATE TABLE IF NOT EXISTS "{table}" (
  scope      VARCHAR(64) COLLATE "C" NOT NULL,
  max_id     BIGINT      NOT NULL,                           -- the largest that was reserved
  step       INTEGER     NOT NULL DEFAULT 1000,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  min_id     BIGINT      NOT NULL DEFAULT 1,
  hard_max   BIGINT      NOT NULL DEFAULT 9223372036854775807,
  epoch      BIGINT      NOT NULL DEFAULT 1,
  draws      BIGINT      NOT NULL DEFAULT 0,
  ordering   SMALLINT    NOT NULL DEFAULT 0 CHECK (ordering IN (0, 1)),  -- 0 process, 1 strict
  js_safe    SMALLINT    NOT NULL DEFAULT 0 CHECK (js_safe IN (0, 1)),
  PRIMARY KEY (scope),
  CONSTRAINT "{table}_range" CHECK (min_id >= 0 AND max_id >= min_id - 1 AND max_id <= hard_max),
  CONSTRAINT "{table}_step" CHECK (step BETWEEN 1 AND 1000000)
) WITH (fillfactor = 50);

-- One line for each range, written by the commit that reserved it.
CREATE TABLE IF NOT EXISTS "{table}_log" (
  scope       VARCHAR(64) COLLATE "C" NOT NULL,
  number      BIGINT NOT NULL,
  epoch       BIGINT NOT NULL,
  first_id    BIGINT NOT NULL,
  last_id     BIGINT NOT NULL,
  holder      VARCHAR(128) NOT NULL,
  request_key VARCHAR(128) COLLATE "C",
  drawn_ms    BIGINT NOT NULL,
  PRIMARY KEY (scope, number),
  CHECK (first_id <= last_id)
);
CREATE UNIQUE INDEX IF NOT EXISTS "{table}_log_first" ON "{table}_log" (scope, first_id);
CREATE UNIQUE INDEX IF NOT EXISTS "{table}_log_key" ON "{table}_log" (scope, request_key)
  WHERE request_key IS NOT NULL;

-- By what the key of a scope of short IDs is known again. Since version 2.
CREATE TABLE IF NOT EXISTS "{table}_cipher" (
  scope       VARCHAR(64) COLLATE "C" NOT NULL PRIMARY KEY,
  fingerprint VARCHAR(64) NOT NULL
);

-- Scopes of machine numbers, and how their IDs are laid out. Since version 3.
CREATE TABLE IF NOT EXISTS "{table}_lease_scope" (
  scope  VARCHAR(64) COLLATE "C" NOT NULL PRIMARY KEY,
  layout VARCHAR(64) COLLATE "C" NOT NULL
);

-- Machine numbers that were ever claimed. A row is never deleted: ts_limit_ms is where the next
-- holder begins. Since version 3.
CREATE TABLE IF NOT EXISTS "{table}_lease" (
  scope         VARCHAR(64) COLLATE "C" NOT NULL,
  machine       BIGINT NOT NULL CHECK (machine BETWEEN 0 AND 4294967295),
  token         BIGINT NOT NULL CHECK (token > 0),
  holder        VARCHAR(128) NOT NULL,
  claimed_ms    BIGINT NOT NULL,
  expires_ms    BIGINT NOT NULL,
  quarantine_ms BIGINT NOT NULL CHECK (quarantine_ms >= 0),
  ts_limit_ms   BIGINT NOT NULL CHECK (ts_limit_ms >= 0),
  PRIMARY KEY (scope, machine)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS "{table}_schema" (
  id      SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
  version INTEGER  NOT NULL
);
