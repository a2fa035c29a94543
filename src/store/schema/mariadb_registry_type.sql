-- The table of one type. {type} is its prefix, {form} the form of its IDs; {children} is a key
-- where they belong to a parent.
CREATE TABLE IF NOT EXISTS `{table}_of_{type}` (
  id         BIGINT NOT NULL PRIMARY KEY,           -- never shown
  tenant_id  VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  public_id  {form} NOT NULL,                       -- without check symbols
  state      SMALLINT NOT NULL DEFAULT 0,           -- live, deleted, ended
  created_ms BIGINT NOT NULL,
  deleted_ms BIGINT NULL,
  parent_id  BIGINT NULL,
  UNIQUE KEY (tenant_id, public_id),
  KEY (created_ms, id),
  {children}
  CHECK (state IN (0, 1, 2))
) ENGINE=InnoDB;

-- What stays of those that were erased: 16 bytes.
CREATE TABLE IF NOT EXISTS `{table}_gone_{type}` (
  tombstone BINARY(16) NOT NULL PRIMARY KEY
) ENGINE=InnoDB;
