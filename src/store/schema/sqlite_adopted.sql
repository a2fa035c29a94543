-- The rows of the table that made room.
INSERT INTO "{table}" (scope, max_id, step, updated_at)
  SELECT scope, max_id, step, CAST(updated_at AS TEXT) FROM "{table}_adopted";
DROP TABLE "{table}_adopted";
