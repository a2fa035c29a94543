// "tessera-id" in Node: the module is read from beside this file.

import { webcrypto } from "node:crypto";
import { readFile } from "node:fs/promises";
import { load, systemOf } from "./core.js";

export * from "./core.js";

const bytes = new Uint8Array(await readFile(new URL("./tessera.wasm", import.meta.url)));
const module = await WebAssembly.compile(bytes);
const tessera = await load(module, systemOf(webcrypto)); // node 18 has it under this name only

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
