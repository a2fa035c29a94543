-- Three layers: `id` is the key, from a segment, and stays in here; `public_id` is what the API shows;
-- and every row is some tenant's. Whatever refers to a row of another table names the tenant as well, so that
-- nothing can point across.
CREATE TABLE products (
  id BIGINT NOT NULL PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL,
  name VARCHAR(200) NOT NULL,
  price_cents BIGINT NOT NULL CHECK (price_cents >= 0),
  request_key VARCHAR(200) NOT NULL,
  UNIQUE (public_id, tenant_id),
  UNIQUE (tenant_id, request_key),
  UNIQUE (tenant_id, id)
);

CREATE TABLE orders (
  id BIGINT NOT NULL PRIMARY KEY,
  tenant_id BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL,
  product_id BIGINT NOT NULL,
  quantity INT NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
  request_key VARCHAR(200) NOT NULL,
  deleted_at TIMESTAMPTZ,
  UNIQUE (public_id, tenant_id),
  UNIQUE (tenant_id, request_key),
  FOREIGN KEY (tenant_id, product_id) REFERENCES products (tenant_id, id)
);
