-- A shop as many are: the tables and keys of the well-known Northwind sample, written down from
-- facts, and beside them newer ones (bc_) that keep the contract, or break it in one point each.
CREATE TABLE categories (category_id INTEGER PRIMARY KEY AUTOINCREMENT, category_name TEXT NOT NULL);
CREATE TABLE customers (customer_id CHAR(5) PRIMARY KEY, company_name TEXT NOT NULL);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id CHAR(5) REFERENCES customers,
  order_date TEXT);
CREATE TABLE products (
  product_id INTEGER PRIMARY KEY,
  product_name TEXT NOT NULL,
  category_id INTEGER REFERENCES categories);
CREATE TABLE order_details (
  order_id INTEGER REFERENCES orders,
  product_id INTEGER REFERENCES products,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (order_id, product_id));

CREATE TABLE bc_store (
  id BIGINT NOT NULL PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (public_id, tenant_id));
-- INTEGER PRIMARY KEY is the rowid: worth a note.
CREATE TABLE bc_product (
  id INTEGER PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL,
  product_ulid BLOB,
  UNIQUE (tenant_id, public_id));
-- The database makes its keys, and one tenant can learn what another has.
CREATE TABLE bc_order (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL UNIQUE);
-- Half-way through a migration: filled, not yet sealed.
CREATE TABLE bc_payment (
  id TEXT NOT NULL PRIMARY KEY,
  tenant_id BIGINT,
  public_id VARCHAR(26));
CREATE UNIQUE INDEX bc_payment_public ON bc_payment (tenant_id, public_id) WHERE public_id IS NOT NULL;
CREATE TABLE bc_coupon (
  public_id VARCHAR(64) PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  UNIQUE (tenant_id, public_id));
CREATE TABLE bc_invoice (
  id CHAR(26) PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id BLOB NOT NULL,
  request_ulid VARCHAR(20),
  UNIQUE (tenant_id, public_id));

CREATE TABLE bc_id_segment (
  scope VARCHAR(64) NOT NULL PRIMARY KEY,
  max_id BIGINT NOT NULL,
  step INT NOT NULL DEFAULT 1000,
  updated_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
INSERT INTO bc_id_segment (scope, max_id, step) VALUES ('STORE', 1000, 1000), ('PRODUCT', 2000, 0);
INSERT INTO bc_store VALUES (5000, 1, 'sto_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'first');
INSERT INTO bc_product VALUES (2000, 1, 'prd_01ARZ3NDEKTSV4RRFFQ69G5FAV', NULL);
