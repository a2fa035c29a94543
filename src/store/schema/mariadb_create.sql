-- MariaDB 10.5, MySQL 8.0.16, or newer. {table} is the name of the table, bc_id_segment if nothing
-- else is said.
CREATE TABLE IF NOT EXISTS `{table}` (
  scope      VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  max_id     BIGINT   NOT NULL,                              -- the largest that was reserved
  step       INT      NOT NULL DEFAULT 1000,
  updated_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  min_id     BIGINT   NOT NULL DEFAULT 1,
  hard_max   BIGINT   NOT NULL DEFAULT 9223372036854775807,
  epoch      BIGINT   NOT NULL DEFAULT 1,
  draws      BIGINT   NOT NULL DEFAULT 0,
  ordering   SMALLINT NOT NULL DEFAULT 0,                    -- 0 process, 1 strict
  js_safe    SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY (scope),
  CONSTRAINT `{table}_range` CHECK (min_id >= 0 AND max_id >= min_id - 1 AND max_id <= hard_max),
  CONSTRAINT `{table}_step` CHECK (step BETWEEN 1 AND 1000000)
) ENGINE=InnoDB;

-- One line for each range, written by the commit that reserved it. Keys are bytes: no collation
-- takes two of them for one.
CREATE TABLE IF NOT EXISTS `{table}_log` (
  scope       VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  number      BIGINT NOT NULL,
  epoch       BIGINT NOT NULL,
  first_id    BIGINT NOT NULL,
  last_id     BIGINT NOT NULL,
  holder      VARBINARY(128) NOT NULL,
  request_key VARBINARY(128) NULL,
  drawn_ms    BIGINT NOT NULL,
  PRIMARY KEY (scope, number),
  UNIQUE KEY (scope, first_id),
  UNIQUE KEY (scope, request_key),
  CHECK (first_id <= last_id)
) ENGINE=InnoDB;

-- By what the key of a scope of short IDs is known again. Since version 2.
CREATE TABLE IF NOT EXISTS `{table}_cipher` (
  scope       VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
  fingerprint VARBINARY(64) NOT NULL
) ENGINE=InnoDB;

-- Scopes of machine numbers, and how their IDs are laid out. Since version 3.
CREATE TABLE IF NOT EXISTS `{table}_lease_scope` (
  scope  VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
  layout VARBINARY(64) NOT NULL
) ENGINE=InnoDB;

-- Machine numbers that were ever claimed. A row is never deleted: ts_limit_ms is where the next
-- holder begins. Since version 3.
CREATE TABLE IF NOT EXISTS `{table}_lease` (
  scope         VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  machine       BIGINT NOT NULL CHECK (machine BETWEEN 0 AND 4294967295),
  token         BIGINT NOT NULL CHECK (token > 0),
  holder        VARBINARY(128) NOT NULL,
  claimed_ms    BIGINT NOT NULL,
  expires_ms    BIGINT NOT NULL,
  quarantine_ms BIGINT NOT NULL CHECK (quarantine_ms >= 0),
  ts_limit_ms   BIGINT NOT NULL CHECK (ts_limit_ms >= 0),
  PRIMARY KEY (scope, machine)
) ENGINE=InnoDB;

CREATE TABLE IF NOT EXISTS `{table}_schema` (
  id      SMALLINT NOT NULL PRIMARY KEY,
  version INT      NOT NULL
) ENGINE=InnoDB;
