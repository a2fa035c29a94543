// What a new identifier costs a JavaScript program, as a string: npm's packages, node itself, and Tessera in two ways.
//
//    node node.mjs --csv FILE [--rounds 5] [--ms 100]      TESSERA and TESSERA_WASM say where the two are
//
//    tessera_wasm        the console's module, in this process: a command line for 10,000 IDs, cut into strings
//    tessera_wasm_one    the same for a single ID: a fresh instance of the module each time, as the console does it
//    tessera_program     `tessera new -n 100000` started, read through a pipe, and cut into strings
//
// The console starts anew for every command line: that is what tessera_wasm_one shows, as a loss. One ID at a time is what the package
// tessera-id is for (extensions/wasm), which keeps its instance, and is not measured here.
// All take turns; a round before the first warms the compiler up. What is made is looked at before it is timed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID, webcrypto } from "node:crypto";
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

globalThis.crypto ??= webcrypto; // node 18 has it under this name only
const { monotonicFactory, ulid } = await import("ulid");
const { v4, v7 } = await import("uuid");
const { nanoid } = await import("nanoid");
const { typeidUnboxed } = await import("typeid-js");

const { values: flags } = parseArgs({
  options: { csv: { type: "string" }, rounds: { type: "string", default: "5" }, ms: { type: "string", default: "100" } },
});
const rounds = Number(flags.rounds);
const BATCH = 10_000;
const PIPED = 100_000;

const { TESSERA: program, TESSERA_WASM: wasm } = process.env;
const console_ = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "apps", "console");
const esbuild = createRequire(join(console_, "package.json"))("esbuild");
const loader = readFileSync(join(console_, "src/core/tessera.ts"), "utf8");
const { code } = esbuild.transformSync(loader, { loader: "ts" });
const { coreOf } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
const core = coreOf(await WebAssembly.compile(readFileSync(wasm)));

const lines = (text) => text.slice(0, -1).split("\n");

function byWasm(args, count) {
  const { status, out } = core.run(["new", ...args, "-n", String(count)]);
  assert.equal(status, 0);
  return lines(out);
}

function byProgram(args) {
  const done = spawnSync(program, ["new", ...args, "-n", String(PIPED)], { encoding: "latin1", maxBuffer: 1 << 26 });
  assert.equal(done.status, 0, done.stderr);
  return lines(done.stdout);
}

const each = (make) => () => {
  const made = new Array(BATCH);
  for (let i = 0; i < BATCH; ++i) made[i] = make();
  return made;
};

const monotonic = monotonicFactory();
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([47])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// case: the words for Tessera, what a good one looks like, and [peer, role, how] each. All but random ones increase.
const CASES = {
  ulid: [["ulid"], ULID, [["npm_ulid", "lacks order", each(ulid)],
    ["npm_ulid_monotonic", "lacks a step nobody can guess", each(() => monotonic())]]],
  uuidv4: [["uuidv4"], UUID, [["npm_uuid_v4", "peer", each(v4)], ["node_randomUUID", "peer", each(randomUUID)]]],
  uuidv7: [["uuidv7"], UUID, [["npm_uuid_v7", "peer", each(v7)]]],
  random: [["random", "--bits", "128"], /^[\w*~$=-]{21,28}$/, [["npm_nanoid", "lacks a check symbol", each(nanoid)]]],
  typeid: [["public", "--prefix", "ord", "--style", "typeid"], /^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
    [["npm_typeid-js", "peer", each(() => typeidUnboxed("ord"))]]],
};

function contenders(words, peers) {
  return [
    ["tessera_wasm", "ours", () => byWasm(words, BATCH)],
    ["tessera_wasm_one", "ours", () => byWasm(words, 1)],
    ["tessera_program", "ours", () => byProgram(words)],
    ...peers,
  ];
}

function check(name, who, role, looks, made) {
  assert.ok(made.every((id) => looks.test(id)), `${name}: ${who} made ${made.find((id) => !looks.test(id))}`);
  assert.equal(new Set(made).size, made.length, `${name}: ${who} made one twice`);
  const ordered = !["uuidv4", "random"].includes(name) && (role === "ours" || role === "peer" || role.includes("guess"));
  if (ordered) assert.deepEqual(made, made.toSorted?.() ?? [...made].sort(), `${name}: ${who} is not in order`);
}

// Nanoseconds for each ID.
function time(make) {
  const start = process.hrtime.bigint();
  const end = start + BigInt(Number(flags.ms)) * 1_000_000n;
  let count = 0;
  let now = start;
  do {
    count += make().length;
    now = process.hrtime.bigint();
  } while (now < end);
  return Number(now - start) / count;
}

for (const [name, [words, looks, peers]] of Object.entries(CASES)) {
  const all = contenders(words, peers);
  const times = new Map(all.map(([who]) => [who, []]));
  for (const [who, role, make] of all) check(name, who, role, looks, make());
  for (let round = rounds > 1 ? -1 : 0; round < rounds; ++round) {
    const first = Math.max(0, round) % all.length;
    for (const [who, , make] of [...all.slice(first), ...all.slice(0, first)]) {
      const ns = time(make);
      if (round >= 0) times.get(who).push(ns);
    }
  }
  for (const [who, role] of all) {
    const sorted = times.get(who).toSorted?.((a, b) => a - b) ?? [...times.get(who)].sort((a, b) => a - b);
    console.log(`${name.padEnd(8)} ${who.padEnd(20)} ${sorted[sorted.length >> 1].toFixed(0).padStart(9)} ns`);
    if (!flags.csv) continue;
    const head = statSync(flags.csv, { throwIfNoEntry: false })?.size ? "" : "suite,case,who,role,axis,at,unit,round,value\n";
    const rows = times.get(who).map((ns, round) => `node,${name},${who},${role},,,ns,${round},${ns.toPrecision(6)}\n`);
    appendFileSync(flags.csv, head + rows.join(""));
  }
}
