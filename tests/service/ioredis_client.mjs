// A program in Node that has its numbers and IDs from Tessera, through ioredis as it is.
//
//    node ioredis_client.mjs PORT

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../apps/console/package.json", import.meta.url));
const Redis = require("ioredis");

const rising = (list) => list.every((number, i) => i === 0 || number > list[i - 1]);
const client = new Redis(Number(process.argv[2]), "127.0.0.1", { maxRetriesPerRequest: 1 });

// What ioredis sends at once it also pipelines.
const numbers = await Promise.all(Array.from({ length: 500 }, () => client.incr("PRODUCT")));
assert.ok(rising(numbers), "one after the other");
const block = await client.incrby("PRODUCT", 100);
assert.ok(block >= numbers.at(-1) + 100, `${block} is the last of 100 behind ${numbers.at(-1)}`);

const pipeline = client.pipeline();
for (let i = 0; i < 1000; ++i) pipeline.incr("PRODUCT");
const more = (await pipeline.exec()).map(([error, number]) => error ?? number);
assert.ok(rising([numbers.at(-1), ...more]), "behind those before");
assert.ok(!more.some((number) => number > block - 100 && number <= block), "none of the 100");

const ids = await client.call("TESSERA.NEW", "ulid", 10);
assert.equal(new Set(ids).size, 10);
for (const id of ids) assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
assert.deepEqual(ids, ids.toSorted?.() ?? [...ids].sort());

await assert.rejects(client.incr("NOBODY"), /scope/i);
assert.equal(await client.ping(), "PONG");
await client.quit();
console.log("good");
