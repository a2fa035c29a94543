// "tessera-id" in browsers, and wherever there is fetch(): the module is fetched from beside this file.
// Bundlers know the form `new URL("…", import.meta.url)`, and take the module along.

import { load } from "./core.js";

export * from "./core.js";

const answer = await fetch(new URL("./tessera.wasm", import.meta.url));
if (!answer.ok) throw new Error(`could not load ${answer.url}: ${answer.status}`);
// By the bytes, since not every server knows the type application/wasm.
const tessera = await load(await WebAssembly.compile(await answer.arrayBuffer()));

export const {
  version,
  ulid,
  uuidv4,
  uuidv7,
  newId,
  newIds,
  check,
  inspect,
  inspectJson,
  convert,
  toBytes,
  time,
  range,
  odds,
  checkSymbols,
} = tessera;
