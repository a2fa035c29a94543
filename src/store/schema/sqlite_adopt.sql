-- A table of four columns makes room for ours; SQLite cannot add a CHECK to a table.
ALTER TABLE "{table}" RENAME TO "{table}_adopted";
