// Builds the console to one page and a few hashed files, all served from the program's own memory.
//
//    npm run build -- --outDir DIR      what the CMake side asks for
//    npm run dev                        a live page; TESSERA_URL is the running service

import { defineConfig } from "vite";

const service = process.env.TESSERA_URL ?? "http://127.0.0.1:8420";
const ours = ["/v1", "/healthz", "/readyz", "/metrics", "/openapi.json", "/errors"];

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0, // nothing is inlined: the policy of the page forbids most of it
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    proxy: Object.fromEntries(ours.map((path) => [path, { target: service }])),
  },
});
