// Packs the built page into a source file, from which the program has it in its memory.
//
//    node pack.mjs PAGE WASM OUT      OUT/assets.cpp, and what it includes in OUT/packed/
//
// Every file is there twice, as it is and compressed, so that no request waits for either. A name
// with a digest in it, as Vite writes them, is a promise that its bytes never change.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};
const DIGEST_IN_NAME = /-[\w-]{8}\.\w+$/;
const SAVING_MIN = 0.9; // of the size; what does not get smaller is sent as it is

const [page, wasm, out] = process.argv.slice(2);
const packed = join(out, "packed");

function filesOf(folder) {
  const files = [{ path: "/", file: join(folder, "index.html") }];
  for (const name of readdirSync(join(folder, "assets")).sort()) {
    files.push({ path: `/assets/${name}`, file: join(folder, "assets", name) });
  }
  return [...files, { path: "/assets/tessera.wasm", file: wasm }];
}

// What the page's policy must name, so that a browser heeds the style in the page and no other.
function styleOf(bytes, type) {
  const style = type.startsWith("text/html") && /<style>([^]*?)<\/style>/.exec(bytes.toString())?.[1];
  return style ? `sha256-${createHash("sha256").update(style).digest("base64")}` : "";
}

function assetOf({ path, file }, number) {
  const bytes = readFileSync(file);
  const type = TYPES[extname(file)];
  if (type === undefined) throw new Error(`${file}: no type is known for it`);
  // A twentieth smaller than gzip -9 makes it, in a second that is spent once.
  const compressed = execFileSync("zopfli", ["-c", file], { maxBuffer: 1 << 26 });
  const gzip = compressed.length < bytes.length * SAVING_MIN ? compressed : Buffer.alloc(0);
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  writeFileSync(join(packed, `${number}`), bytes);
  writeFileSync(join(packed, `${number}.gz`), gzip);
  return { path, type, number, digest, size: bytes.length, gzipSize: gzip.length, style: styleOf(bytes, type) };
}

const include = ({ number }) => `
TESSERA_PACKED(asset_${number}, "${join(packed, `${number}`)}")
TESSERA_PACKED(asset_${number}_gz, "${join(packed, `${number}.gz`)}")`;

const row = ({ path, type, number, digest, size, gzipSize, style }) => `
    service::Asset{.path = "${path}",
                   .type = "${type}",
                   .bytes = {asset_${number}, ${size}},
                   .gzip = {asset_${number}_gz, ${gzipSize}},
                   .etag = "\\"${digest}\\"",
                   .gzip_etag = "\\"${digest}-gzip\\"",
                   .immutable = ${DIGEST_IN_NAME.test(path)},
                   .style_digest = "${style}"},`;

const source = (assets) => `// The web console, packed by apps/console/pack.mjs.

#include <array>

#include "console.h"

#define TESSERA_PACKED(name, file)                                            \\
  extern "C" const char name[];                                               \\
  __asm__(".section .rodata\\n.balign 16\\n.global " #name "\\n" #name ":\\n"      \\
          ".incbin \\"" file "\\"\\n.byte 0\\n.previous\\n");
${assets.map(include).join("")}

namespace tessera::cli {

std::span<const service::Asset> console_assets() noexcept {
  static const std::array kAssets = {${assets.map(row).join("")}
  };
  return kAssets;
}

}  // namespace tessera::cli
`;

rmSync(packed, { recursive: true, force: true });
mkdirSync(packed, { recursive: true });
const assets = filesOf(page).map(assetOf);
writeFileSync(join(out, "assets.cpp"), source(assets));
for (const { path, size, gzipSize } of assets) console.log(`${path}  ${size}  gzip ${gzipSize}`);
