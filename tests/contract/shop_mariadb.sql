-- A shop as many are: the tables and keys of the well-known Northwind sample, written down from
-- facts, and beside them newer ones (bc_) that keep the contract, or break it in one point each.
CREATE TABLE categories (category_id INT AUTO_INCREMENT PRIMARY KEY, category_name VARCHAR(15) NOT NULL);
CREATE TABLE customers (customer_id CHAR(5) PRIMARY KEY, company_name VARCHAR(40) NOT NULL);
CREATE TABLE orders (
  order_id INT AUTO_INCREMENT PRIMARY KEY,
  customer_id CHAR(5) REFERENCES customers,
  order_date DATE);
CREATE TABLE products (
  product_id INT AUTO_INCREMENT PRIMARY KEY,
  product_name VARCHAR(40) NOT NULL,
  category_id INT REFERENCES categories);
CREATE TABLE order_details (
  order_id INT REFERENCES orders,
  product_id INT REFERENCES products,
  quantity SMALLINT NOT NULL,
  PRIMARY KEY (order_id, product_id));

CREATE TABLE bc_store (
  id BIGINT NOT NULL PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL,
  name VARCHAR(100) NOT NULL,
  UNIQUE (public_id, tenant_id));
CREATE TABLE bc_product (
  id BIGINT NOT NULL PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL,
  product_ulid BINARY(16),
  UNIQUE uk_tenant_public_id (tenant_id, public_id));
-- The database makes its keys, and one tenant can learn what another has.
CREATE TABLE bc_order (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL UNIQUE);
-- Half-way through a migration: filled, not yet sealed; the index is over a part of the ID.
CREATE TABLE bc_payment (
  id INT NOT NULL PRIMARY KEY,
  tenant_id BIGINT,
  public_id VARCHAR(26),
  UNIQUE (tenant_id, public_id(10)));
CREATE TABLE bc_coupon (
  public_id VARCHAR(64) PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  UNIQUE (tenant_id, public_id));
CREATE TABLE bc_invoice (
  id BINARY(16) PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id BINARY(16) NOT NULL,
  request_ulid VARCHAR(20),
  UNIQUE (tenant_id, public_id));

CREATE TABLE bc_id_segment (
  scope VARCHAR(64) NOT NULL PRIMARY KEY,
  max_id BIGINT NOT NULL,
  step INT NOT NULL DEFAULT 1000,
  updated_at DATETIME NOT NULL DEFAULT now());
INSERT INTO bc_id_segment (scope, max_id, step) VALUES ('STORE', 1000, 1000), ('PRODUCT', 2000, 0);
INSERT INTO bc_store VALUES (5000, 1, 'sto_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'first');
INSERT INTO bc_product VALUES (2000, 1, 'prd_01ARZ3NDEKTSV4RRFFQ69G5FAV', NULL);
