-- PostgreSQL 13 or newer. {table} is what the names of all tables of the registry begin with,
-- tessera_registry if nothing else is said. One row for each type: its form, and its epoch.
CREATE TABLE IF NOT EXISTS "{table}_types" (
  name    VARCHAR(64) COLLATE "C" NOT NULL PRIMARY KEY,  -- its prefix
  version INTEGER NOT NULL,
  storage VARCHAR(16) NOT NULL,
  parent  VARCHAR(64) COLLATE "C" NOT NULL,
  epoch   BIGINT NOT NULL DEFAULT 1
);

-- Idempotency keys, written by the commit of their creation.
CREATE TABLE IF NOT EXISTS "{table}_keys" (
  tenant_id   VARCHAR(64)  COLLATE "C" NOT NULL,
  type        VARCHAR(64)  COLLATE "C" NOT NULL,
  request_key VARCHAR(128) COLLATE "C" NOT NULL,
  digest      BYTEA  NOT NULL,
  answer      BYTEA  NOT NULL,
  expires_ms  BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, type, request_key)
);
CREATE INDEX IF NOT EXISTS "{table}_keys_end" ON "{table}_keys" (expires_ms);

-- What was retired and has children, or is to be erased.
CREATE TABLE IF NOT EXISTS "{table}_work" (
  type   VARCHAR(64) COLLATE "C" NOT NULL,
  id     BIGINT NOT NULL,
  due_ms BIGINT NOT NULL,
  PRIMARY KEY (type, id)
);
CREATE INDEX IF NOT EXISTS "{table}_work_due" ON "{table}_work" (due_ms);
