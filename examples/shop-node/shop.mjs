// The shop of ../shop in Node: the same tables, the same API.
//
//    SHOP_DATABASE=postgres://… SHOP_REDIS=8422 SHOP_TOKENS=1:alpha,2:beta node shop.mjs PORT

import { createServer } from "node:http";
import pg from "pg";
import { faultOf, Ids } from "./ids.mjs";
import * as sql from "./queries.mjs";

const BODY_MAX = 16 * 1024;
const KEY_MAX = 200;
const NAME_MAX = 200;
const PRICE_MAX = 1_000_000_000;
const QUANTITY_MAX = 1000;

const database = new pg.Pool({ connectionString: process.env.SHOP_DATABASE, max: 8 });
database.on("error", (error) => console.error(`shop: ${error.message}`)); // a connection that nobody used
const ids = new Ids(Number(process.env.SHOP_REDIS));
const tokens = new Map(
  process.env.SHOP_TOKENS.split(",").map((entry) => entry.split(":").reverse()),
);
const rows = async (statement, ...values) => (await database.query(statement, values)).rows;

// Thrown while a request is read, and answered as it is.
class Refused extends Error {
  constructor(status, code, detail) {
    super(detail);
    Object.assign(this, { status, code });
  }
}

const problem = (status, code, detail) => ({
  status,
  body: { type: `/errors/${code}`, status, code, detail },
});

function readId(type, text) {
  const fault = faultOf(type, text);
  if (fault) throw new Refused(400, fault.code, fault.phrase);
  // Letter case is all that a strict reading lets pass.
  return text.slice(0, 4) + text.slice(4).toUpperCase();
}

// The fields, all of them and no other: so nobody can send an `id` of their own choice.
function readBody(text, names) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refused(400, "invalid_json", "the body is no JSON");
  }
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw new Refused(400, "invalid_json", "the body is no JSON object");
  }
  for (const name of names) {
    if (!Object.hasOwn(body, name)) throw new Refused(400, "missing_field", `'${name}' is missing`);
  }
  if (Object.keys(body).length !== names.length) {
    throw new Refused(
      400,
      "unknown_field",
      "there is a field that is not known; IDs are made here",
    );
  }
  return body;
}

function readText(value, name, max) {
  if (typeof value !== "string" || value === "" || value.length > max || value.includes("\0")) {
    throw new Refused(400, "type_mismatch", `'${name}' is no good text`);
  }
  return value;
}

function readNumber(value, name, min, max) {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Refused(400, "out_of_range", `'${name}' is no number from ${min} to ${max}`);
  }
  return value;
}

const productOf = (row) => ({
  id: row.public_id,
  name: row.name,
  price_cents: Number(row.price_cents),
});
const orderOf = (row) => ({ id: row.public_id, product_id: row.product, quantity: row.quantity });

// What a request made: now, or when it was sent first with this key.
function created(collection, id, body, same) {
  if (!same) return problem(422, "key_reused", "this Idempotency-Key belongs to another request");
  return { status: 201, body, location: `/${collection}/${body.id}`, replayed: body.id !== id };
}

async function addProduct(tenant, text, requestKey) {
  const body = readBody(text, ["name", "price_cents"]);
  const name = readText(body.name, "name", NAME_MAX);
  const price = readNumber(body.price_cents, "price_cents", 0, PRICE_MAX);
  const { key, id } = await ids.next("product");
  await rows(sql.addProduct, tenant, requestKey, key, id, name, price);
  const [row] = await rows(sql.productOfRequest, tenant, requestKey);
  return created(
    "products",
    id,
    productOf(row),
    row.name === name && Number(row.price_cents) === price,
  );
}

async function addOrder(tenant, text, requestKey) {
  const body = readBody(text, ["product_id", "quantity"]);
  const product = readId("product", readText(body.product_id, "product_id", 64));
  const quantity = readNumber(body.quantity, "quantity", 1, QUANTITY_MAX);
  const { key, id } = await ids.next("order");
  await rows(sql.addOrder, tenant, requestKey, key, id, product, quantity);
  const [row] = await rows(sql.orderOfRequest, tenant, requestKey);
  if (!row) return problem(404, "not_found", "there is no such product");
  return created("orders", id, orderOf(row), row.product === product && row.quantity === quantity);
}

async function find(tenant, products, id) {
  const [row] = await rows(products ? sql.product : sql.order, tenant, id);
  if (!row) return problem(404, "not_found", "nothing of that name was ever issued");
  if (row.deleted_at) return problem(410, "deleted", "it was deleted");
  return { status: 200, body: products ? productOf(row) : orderOf(row) };
}

async function route(tenant, method, path, body, requestKey) {
  const [, collection, id, ...rest] = path.split("/");
  if (!["products", "orders"].includes(collection) || rest.length)
    return problem(404, "no_route", "there is no such route");
  const products = collection === "products";
  if (id === undefined && method === "POST") {
    if (!requestKey || requestKey.length > KEY_MAX) {
      return problem(
        400,
        "invalid_idempotency_key",
        "a creation needs an Idempotency-Key of up to 200 characters",
      );
    }
    return products ? addProduct(tenant, body, requestKey) : addOrder(tenant, body, requestKey);
  }
  if (id === undefined && method === "GET" && products) {
    return { status: 200, body: { products: (await rows(sql.products, tenant)).map(productOf) } };
  }
  if (id !== undefined && method === "GET")
    return find(tenant, products, readId(products ? "product" : "order", id));
  if (id !== undefined && method === "DELETE" && !products) {
    const order = readId("order", id);
    const before = await find(tenant, false, order);
    if (before.status !== 200) return before;
    await rows(sql.deleteOrder, tenant, order);
    return { status: 204 };
  }
  return problem(405, "method_not_allowed", "the route does not have this method");
}

async function answerTo(request) {
  const tenant = tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]);
  if (tenant === undefined) return problem(401, "unauthenticated", "a good token is needed");
  let body = "";
  request.setEncoding("utf8");
  for await (const piece of request) {
    body += piece;
    if (body.length > BODY_MAX) return problem(413, "payload_too_large", "the body is too large");
  }
  return route(
    tenant,
    request.method,
    request.url.split("?")[0],
    body,
    request.headers["idempotency-key"],
  );
}

const server = createServer(async (request, response) => {
  const answer = await answerTo(request).catch((error) => {
    if (error instanceof Refused) return problem(error.status, error.code, error.message);
    console.error(`shop: ${error.message}`);
    return problem(503, "unavailable", "repeat the request with the same Idempotency-Key");
  });
  const head = {};
  if (answer.body)
    head["Content-Type"] = answer.status < 400 ? "application/json" : "application/problem+json";
  if (answer.location) head.Location = answer.location;
  if (answer.replayed) head["Idempotent-Replayed"] = "true";
  if (answer.status === 413) head.Connection = "close";
  response.writeHead(answer.status, head).end(answer.body && JSON.stringify(answer.body));
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  console.log(`shop: http://127.0.0.1:${server.address().port}`);
});
process.on("SIGTERM", () => process.exit(0));
