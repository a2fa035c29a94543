// IDs and keys, from a Tessera that any client of Redis can ask; read and checked by tessera-id.
//
//    INCR ORDER            the next key: a number of 64 bits, never twice, for tables only
//    TESSERA.NEW ulid      what a public ID is made of

import Redis from "ioredis";
import { check, checkSymbols, unwrap } from "tessera-id";

const TYPES = {
  product: { prefix: "prd", scope: "PRODUCT" },
  order: { prefix: "ord", scope: "ORDER" },
};

export class Ids {
  // Keys past 2^53 are no number of JavaScript: they stay text.
  constructor(port) {
    this.redis = new Redis(port, "127.0.0.1", { stringNumbers: true, maxRetriesPerRequest: 1 });
    this.redis.on("error", (error) => console.error(`shop: ${error.message}`)); // it goes on trying
  }

  // A key and a public ID for a new row. Both are asked for at once, in one packet.
  async next(type) {
    const { prefix, scope } = TYPES[type];
    const [key, ulid] = await Promise.all([
      this.redis.incr(scope),
      this.redis.call("TESSERA.NEW", "ulid"),
    ]);
    const id = `${prefix}_${ulid}`;
    return { key, id: id + unwrap(checkSymbols(id)) };
  }
}

// What is wrong with a text that should be the ID of this type; null if nothing is.
export function faultOf(type, text) {
  const told = check(text, `${TYPES[type].prefix}:checked`, { strict: true });
  return told.ok ? null : told.error;
}
