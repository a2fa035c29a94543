// Every statement of the shop: those of ../shop/queries.h, on the same tables. $1 is always the tenant.

export const addProduct = `
  INSERT INTO products (tenant_id, request_key, id, public_id, name, price_cents)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant_id, request_key) DO NOTHING`;

export const productOfRequest = `
  SELECT public_id, name, price_cents FROM products WHERE tenant_id = $1 AND request_key = $2`;

export const product = `
  SELECT public_id, name, price_cents FROM products WHERE tenant_id = $1 AND public_id = $2`;

export const products = `
  SELECT public_id, name, price_cents FROM products WHERE tenant_id = $1 ORDER BY public_id LIMIT 100`;

export const addOrder = `
  INSERT INTO orders (tenant_id, request_key, id, public_id, product_id, quantity)
  SELECT $1, $2, $3, $4, p.id, $6 FROM products p WHERE p.tenant_id = $1 AND p.public_id = $5
  ON CONFLICT (tenant_id, request_key) DO NOTHING`;

export const orderOfRequest = `
  SELECT o.public_id, p.public_id AS product, o.quantity, o.deleted_at
  FROM orders o JOIN products p ON p.tenant_id = o.tenant_id AND p.id = o.product_id
  WHERE o.tenant_id = $1 AND o.request_key = $2`;

export const order = `
  SELECT o.public_id, p.public_id AS product, o.quantity, o.deleted_at
  FROM orders o JOIN products p ON p.tenant_id = o.tenant_id AND p.id = o.product_id
  WHERE o.tenant_id = $1 AND o.public_id = $2`;

export const deleteOrder = `
  UPDATE orders SET deleted_at = now() WHERE tenant_id = $1 AND public_id = $2 AND deleted_at IS NULL`;
