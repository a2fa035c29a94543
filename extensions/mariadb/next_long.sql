-- tessera_next_long(scope): 1, 2, 3 and so on, for all who use this database. Run it in each
-- database that shall have it:   mariadb shop <next_long.sql
--
-- A number belongs to the transaction that asked for it: until that ends, others who want one
-- of the same scope wait; if it is rolled back, the number is given out again. Where that is too
-- slow, or no number may ever come twice, a sequence is better: see docs/mariadb.md. A server that
-- writes a binary log wants log_bin_trust_function_creators = 1 before it lets anybody make a function
-- that writes.
CREATE TABLE IF NOT EXISTS tessera_scope (
  scope VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
  max_id BIGINT NOT NULL,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
) ENGINE = InnoDB;

DROP FUNCTION IF EXISTS tessera_next_long;
DELIMITER //
CREATE FUNCTION tessera_next_long(scope_name VARCHAR(64)) RETURNS BIGINT
MODIFIES SQL DATA SQL SECURITY INVOKER
BEGIN
  INSERT INTO tessera_scope (scope, max_id) VALUES (scope_name, LAST_INSERT_ID(1))
    ON DUPLICATE KEY UPDATE max_id = LAST_INSERT_ID(max_id + 1);
  RETURN LAST_INSERT_ID();
END //
DELIMITER ;
