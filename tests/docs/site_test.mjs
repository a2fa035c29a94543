// The site of the documents, as a reader has it: in a real browser, from a server that knows nothing but
// files. It asks nobody else, its search finds, and no page is wider than a phone.
//
//    node --test site_test.mjs      build/site must be there; SITE_SHOTS=FOLDER takes pictures besides

import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = join(root, "build/site");
const require = createRequire(join(root, "apps/console/package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const WAIT_MS = 60000; // on a busy machine
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png" };
const shots = process.env.SITE_SHOTS;

let server;
let browser;
let address;

before(async () => {
  assert.ok(existsSync(join(site, "index.html")), "tools/site makes the site");
  server = createServer((request, answer) => {
    let file = join(site, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    if (!existsSync(file)) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: WAIT_MS,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

// A page, and what went wrong in it: messages, missing files, requests to somebody else.
async function open(path, { width = 1280, height = 900, dark = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("data:")) faults.push(`asks ${request.url()}`);
  });
  page.on("response", (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(address + path, { waitUntil: "load", timeout: WAIT_MS });
  await page.waitForFunction(() => document.querySelector("#app")?.__vue_app__ !== undefined);
  return { page, faults, close: () => context.close() };
}

const shot = async (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });

async function search(view, words) {
  await view.page.keyboard.press("Control+k");
  await view.page.locator("#localsearch-input").fill(words);
  await view.page.locator(".results .result").first().waitFor();
  return view.page.locator(".results .result").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
}

test("pages ask nobody else and complain of nothing, in light and in dark", async () => {
  for (const dark of [false, true]) {
    for (const [path, name] of [["/", "front"], ["/phone.html", "how-to"], ["/reference/http.html", "reference"],
      ["/layouts.html", "pictures"], ["/reference/cpp/ulid.html", "header"], ["/zh/", "chinese"]]) {
      const view = await open(path, { dark });
      assert.equal(await view.page.evaluate(() => document.documentElement.classList.contains("dark")), dark);
      await shot(view.page, dark ? `${name}-dark` : name);
      assert.deepEqual(view.faults, [], path);
      await view.close();
    }
  }
});

test("nobody is shut out: contrast, names, order of headings, in light and in dark", async () => {
  const said = [];
  for (const dark of [false, true]) {
    for (const path of ["/", "/check-symbols.html", "/reference/errors.html", "/reference/cpp/registry/port.html"]) {
      const view = await open(path, { dark });
      await view.page.evaluate(axe);
      const { violations } = await view.page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] }));
      for (const { id, nodes } of violations) {
        said.push(`${path} ${dark ? "dark" : "light"} ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
      }
      await view.close();
    }
  }
  assert.deepEqual(said, []);
});

test("the search finds a word, and leads to it", async () => {
  const view = await open("/");
  const found = await search(view, "tombstone");
  assert.ok(found.some((link) => link.startsWith("/registry.html#")), found.join(" "));
  await shot(view.page, "search");
  await view.page.locator(".results .result").first().click();
  await view.page.waitForURL((url) => url.pathname !== "/");
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("the search knows codes of errors, functions and Chinese", async () => {
  let view = await open("/kinds.html");
  assert.ok((await search(view, "outcome_unknown")).some((link) => link.startsWith("/reference/errors.html")));
  await view.page.locator("#localsearch-input").fill("tessera_ulid_ordered");
  await view.page.waitForFunction(() => document.querySelector('.results .result[href^="/reference/sql.html"]'));
  await view.page.locator("#localsearch-input").fill("parse_friendly");  // of a header
  await view.page.waitForFunction(() => document.querySelector('.results .result[href^="/reference/cpp/ulid.html#"]'));
  await view.close();
  view = await open("/zh/tutorial.html");
  assert.ok((await search(view, "幂等")).some((link) => link.startsWith("/zh/")));
  await view.close();
});

test("no page is wider than a phone", async () => {
  const navigation = JSON.parse(readFileSync(join(root, "build/site-work/.vitepress/navigation.json"), "utf8"));
  const links = navigation.flatMap((group) => group.items.map((item) => item.link));
  assert.ok(links.length > 30);
  const view = await open("/", { width: 390, height: 844 });
  await shot(view.page, "front-phone");
  for (const link of [...links, "/zh/", "/zh/tutorial"]) {
    await view.page.goto(address + (link.endsWith("/") ? link : `${link}.html`), { waitUntil: "load" });
    const wide = await view.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${link} is ${wide} wide`);
    if (link === "/check-symbols") await shot(view.page, "table-phone");
  }
  assert.deepEqual(view.faults, []);
  await view.close();
});
