// The same answers from a page: serves FOLDER, in which tessera-id is installed, to a real browser.
//
//    node page.mjs FOLDER < questions
//
// The page has a strict policy, and whatever the browser complains about ends the test.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";

const require = createRequire(new URL("../../apps/console/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const folder = process.argv[2];

const PAGE = `<!doctype html><title>tessera-id</title><link rel="icon" href="data:,">
<script type="importmap">{"imports": {"tessera-id": "/node_modules/tessera-id/dist/web.js"}}</script>
<script type="module">
import * as tessera from "tessera-id";
import { answers } from "/answers.mjs";
window.ask = (questions) => answers(tessera, questions);
</script>`;
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  if (path === "/") {
    response
      .writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": POLICY })
      .end(PAGE);
    return;
  }
  try {
    const bytes = readFileSync(join(folder, path));
    response
      .writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" })
      .end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

let input = "";
for await (const piece of process.stdin) input += piece;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.setDefaultTimeout(60000);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page
    .waitForFunction(() => "ask" in window)
    .catch((error) => {
      throw new Error(`${error}\n${said.join("\n")}`);
    });
  // As one text each way: the page need not know of anything else.
  const told = await page.evaluate(
    (questions) => JSON.stringify(window.ask(JSON.parse(questions))),
    input,
  );
  if (said.length) throw new Error(said.join("\n"));
  process.stdout.write(told);
} finally {
  await browser.close();
  server.close();
}
