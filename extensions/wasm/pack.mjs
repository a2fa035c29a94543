// Lays out the package for npm.
//
//    node pack.mjs VERSION TESSERA.WASM OUT
//
// The compiler is the one of the console, so that there is one list of packages to keep.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [version, wasm, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const console_ = join(root, "apps", "console");
const tsc = createRequire(join(console_, "package.json")).resolve("typescript/bin/tsc");

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "dist"), { recursive: true });
// The copy of package.json says that these are modules.
const about = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
writeFileSync(join(out, "package.json"), `${JSON.stringify({ ...about, version }, null, 2)}\n`);
const types = join(console_, "node_modules", "@types");
execFileSync(
  process.execPath,
  [tsc, "-p", here, "--outDir", join(out, "dist"), "--typeRoots", types],
  { stdio: "inherit" },
);
copyFileSync(wasm, join(out, "dist", "tessera.wasm"));
copyFileSync(join(here, "README.md"), join(out, "README.md"));
copyFileSync(join(root, "LICENSE"), join(out, "LICENSE"));
