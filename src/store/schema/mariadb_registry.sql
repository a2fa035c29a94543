-- MariaDB 10.5, MySQL 8.0.16, or newer. {table} is what the names of all tables of the registry
-- begin with, tessera_registry if nothing else is said. One row for each type: its gate, which
-- every creation locks for its time, and its form.
CREATE TABLE IF NOT EXISTS `{table}_types` (
  name    VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,  -- its prefix
  version INT NOT NULL,
  storage VARCHAR(16) NOT NULL,
  parent  VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  epoch   BIGINT NOT NULL DEFAULT 1
) ENGINE=InnoDB;

-- Idempotency keys, written by the commit of their creation. They are bytes: no collation takes
-- two of them for one.
CREATE TABLE IF NOT EXISTS `{table}_keys` (
  tenant_id   VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  type        VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  request_key VARBINARY(128) NOT NULL,
  digest      BINARY(16) NOT NULL,
  answer      MEDIUMBLOB NOT NULL,
  expires_ms  BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, type, request_key),
  KEY (expires_ms)
) ENGINE=InnoDB;

-- What was retired and has children, or is to be erased.
CREATE TABLE IF NOT EXISTS `{table}_work` (
  type   VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  id     BIGINT NOT NULL,
  due_ms BIGINT NOT NULL,
  PRIMARY KEY (type, id),
  KEY (due_ms)
) ENGINE=InnoDB;
