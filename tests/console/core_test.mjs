// The commands in the page are those of the command line: the same words, the same answer, byte for
// byte. And no input, however large, can make the page run out of memory or time.
//
//    node --test core_test.mjs      TESSERA and TESSERA_WASM say where the two are

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto; // node 18 has it under this name only

const { TESSERA: program, TESSERA_WASM: wasm } = process.env;
const here = dirname(fileURLToPath(import.meta.url));
const vectors = join(here, "..", "vectors");
const source = join(here, "..", "..", "apps", "console");
const NOW = "2026-11-16T09:00:00Z"; // guesses depend on it

// The loader as the page has it: esbuild is what Vite compiles it with.
const esbuild = createRequire(join(source, "package.json"))("esbuild");
const { code } = esbuild.transformSync(readFileSync(join(source, "src/core/tessera.ts"), "utf8"), { loader: "ts" });
const { coreOf } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
const core = coreOf(await WebAssembly.compile(readFileSync(wasm)));

function native(args, input = "") {
  const done = spawnSync(program, args, {
    input, encoding: "utf8", maxBuffer: 1 << 28, cwd: "/", env: { TZ: "UTC" },
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

function same(args, input = "") {
  assert.deepEqual(core.run(args, input), native(args, input), args.join(" "));
}

function unescape(text) {
  return text
    .replace(/\\R\{(\d+)\}\{((?:[^}\\]|\\.)*)\}/g, (_, count, part) => part.repeat(Number(count)))
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\t/g, "\t").replace(/\\n/g, " ").replace(/\\r/g, "\r").replace(/\\\\/g, "\\");
}

const fields = (file) =>
  readFileSync(join(vectors, file), "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));

// Every text of every table of vectors.
function allTexts() {
  const folders = ["", ...readdirSync(vectors, { withFileTypes: true }).filter((file) => file.isDirectory())
    .map((folder) => folder.name)];
  const tables = folders.flatMap((folder) => readdirSync(join(vectors, folder))
    .filter((name) => name.endsWith(".tsv")).map((name) => join(vectors, folder, name)));
  assert.ok(tables.length > 20);
  const texts = new Set();
  for (const table of tables) {
    for (const row of readFileSync(table, "utf8").split("\n")) {
      for (const field of row.split("\t")) if (field !== "" && field.length < 200) texts.add(unescape(field));
    }
  }
  return [...texts].filter((text) => text.length < 2000 && !/[\n\0]/.test(text));
}

test("every text of the vectors is read alike", () => {
  const texts = allTexts();
  assert.ok(texts.length > 5000, `${texts.length} of them`);
  for (let i = 0; i < texts.length; i += 1000) {
    const lines = `${texts.slice(i, i + 1000).join("\n")}\n`;
    same(["inspect", "--json", "--now", NOW, "-"], lines);
    same(["inspect", "--output", "lines", "--now", NOW, "-"], lines);
    same(["check", "--json", "--now", NOW, "-"], lines);
    for (const to of ["uuid", "ulid", "hex", "base62", "crockford", "int"]) {
      same(["convert", "--to", to, "--now", NOW, "-"], lines);
    }
    same(["name", "parse", "--json", "-"], lines);
  }
});

test("a card of each detected kind looks alike", () => {
  for (const [text] of fields("detect.tsv")) {
    same(["inspect", "--output", "card", "--now", NOW, unescape(text)]);
  }
});

test("bad inputs are told the same mistakes", () => {
  let count = 0;
  for (const [kind, text] of fields("bad-inputs.tsv")) {
    const input = unescape(text ?? "");
    if (!["ulid", "uuid", "ksuid", "objectid", "typeid", "snowflake", "random", "name"].includes(kind)) continue;
    if (input === "" || input.includes("\0") || input.startsWith("-") || input.length > 4000) continue;
    ++count;
    same(["check", "--as", kind, "--json", "--now", NOW, "--", input]);
  }
  assert.ok(count > 50, `${count} of them`);
});

test("all other commands answer alike", () => {
  for (const line of [
    "", "--version", "--help", "help", "help kinds", "help ulid", "help uuidv7", "help snowflake", "help new",
    "help inspect", "help nothing", "inspct", "new", "new nothing", "new ulid --at 1960-01-01", "new ulid -n 0",
    "new uuidv5 --namespace dns --name www.example.com", "new uuidv3 --namespace url --name x --form base62",
    "new uuidv8 --data 00112233445566778899aabbccddeeff --json", "new public", "new public --prefix Bad",
    "new snowflake", "range ulid 2026-01-01 2026-02-01", "range uuidv7 2026-01-01 2026-02-01 --sql id",
    "range snowflake 2026-01-01 2026-02-01 --layout discord --json", "range uuidv4 2026-01-01 2026-02-01",
    "range public 2026-01-01 2026-02-01 --prefix ord", "odds --bits 122 --count 1e9", "odds --bits 64 -p 1e-6",
    "odds --count 1e12 --probability 1e-9 --json", "odds --bits 60 --count 2^40 --json", "odds --bits x --count 1",
    "odds --bits 23.5 --count 1_000 --json", "odds --bits 80 --count 1e999", "odds --bits 0x10 --count 7",
    "odds --bits 122 --probability 50% --json", "name check books/../users/1", "name parse books/1/pages/2 --json",
    "convert --to uuid 01ARZ3NDEKTSV4RRFFQ69G5FAV", "convert 1 --to nothing", "check --strict o1ARZ3NDEKTSV4RRFFQ69G5FAV",
    "check --summary 1 2 3", "inspect --as snowflake-discord 175928847299117063 --now 2026-11-16",
  ]) {
    same(line === "" ? [] : line.split(" "));
  }
});

test("numbers with a fraction have the same digits", () => {
  for (let exponent = -30; exponent <= 3; ++exponent) {
    for (const digits of ["1", "3.3333333333333333", "9.99999", "7.1e0", "1.25"]) {
      same(["odds", "--bits", "200", "--probability", `${Number(digits) * 10 ** exponent}`, "--json"]);
      same(["odds", "--bits", `${Math.abs(exponent) * 3 + Number(digits)}`, "--count", "12345"]);
    }
  }
});

test("what is minted is good, different, and of now", () => {
  for (const kind of ["ulid", "uuidv1", "uuidv4", "uuidv6", "uuidv7", "ksuid", "objectid", "random"]) {
    const made = core.run(["new", kind, "-n", "200"]);
    assert.equal(made.status, 0, made.err);
    const ids = made.out.trim().split("\n");
    assert.equal(new Set(ids).size, 200);
    assert.equal(native(["check", "--quiet", "--as", kind, "-"], made.out).status, 0, kind);
    assert.notEqual(core.run(["new", kind]).out, core.run(["new", kind]).out);
  }
  const time = JSON.parse(core.run(["inspect", "--json", core.run(["new", "ulid"]).out.trim()]).out).time;
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time);
  assert.equal(core.run(["new", "snowflake", "--machine", "1", "-n", "9000"]).out.trim().split("\n").length, 9000);
});

test("declared types come from the page", () => {
  const other = coreOf(new WebAssembly.Module(readFileSync(wasm)));
  assert.match(other.run(["new", "public", "--type", "order"]).err, /no type 'order'/);
  other.declare([{ name: "order", prefix: "ord", style: "ulid", separator: "_" },
    { name: "item", prefix: "itm", style: "checked", separator: "-" }]);
  assert.match(other.run(["new", "public", "--type", "order"]).out, /^ord_[0-9A-Z]{26}\n$/);
  assert.equal(other.run(["check", "--type", "item", other.run(["new", "public", "--type", "item"]).out.trim()]).status, 0);
  other.declare([{ name: "two words", prefix: "ord", style: "ulid", separator: "_" }]);
  assert.equal(other.run(["new", "public", "--type", "two"]).status, 2);
});

test("what needs a machine says so", () => {
  for (const command of ["serve", "segment list", "store init", "registry list", "token list", "doctor", "new long"]) {
    const answer = core.run(command.split(" "));
    assert.equal(answer.status, 2);
    assert.match(answer.err, /does not run in a web page/);
  }
});

test("there are no files", () => {
  const answer = core.run(["inspect", "-f", "/etc/passwd"]);
  assert.deepEqual([answer.status, answer.out], [3, ""]);
  assert.match(answer.err, /could not read/);
});

test("neither input nor output can grow without end", () => {
  const endless = core.run(["new", "ulid", "-n", "1000000000000"]);
  assert.equal(endless.status, 3);
  assert.ok(endless.out.length <= 8 << 20);
  assert.equal(core.run(["check", "-"], "x".repeat((8 << 20) + 1)).status, 3);
  same(["inspect", "--json", "--now", NOW, "7".repeat(100_000)]);
  same(["check", "-"], "x".repeat(3 << 20));
  assert.equal(core.run(["check", "a\0b"]).status, 1);
});
