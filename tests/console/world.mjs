// The real program with its console, in a folder of its own, and a real browser to look at it.
//
//    const service = await startService();
//    const view = await browser.open(service, "#/mint/ulid");
//
// A view keeps what the browser says: every console message, every violation of the page's policy,
// and every request to somebody else. view.check() fails if there was any.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const source = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
export const require = createRequire(join(source, "apps/console/package.json"));
const { chromium } = require("playwright-core");

const START_MS = 60000; // on a busy machine
export const WAIT_MS = 30000;
const program = resolve(process.env.TESSERA ?? join(source, "build/release/bin/tessera"));
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

const CONFIG = `\
listen: {public: "127.0.0.1:0", internal: "127.0.0.1:0", redis: "off"}
store: sqlite:tessera.db
types:
  store: {prefix: sto, scope: STORE, undelete-days: 7}
  product: {prefix: prd, scope: PRODUCT, parent: store}
  order: {prefix: ord, scope: ORDER, style: checked}
  user: {prefix: usr}
scopes:
  STORE: {}
  PRODUCT: {}
  ORDER: {js-safe: true}
  VOUCHER: {max: 2000000, step: 500}
`;

export function tessera(folder, ...args) {
  return execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

// With `tokens` nobody may ask without one.
export async function startService({ tokens = false } = {}) {
  assert.ok(existsSync(program), `there is no program ${program}`);
  const folder = mkdtempSync(join(tmpdir(), "tessera-console."));
  writeFileSync(join(folder, "tessera.yaml"), CONFIG + (tokens ? "tokens: tokens.yaml\n" : ""));
  const newToken = (...abilities) => {
    const flags = abilities.flatMap((ability) => ["--ability", ability]);
    return tessera(folder, "token", "create", "--tenant", "*", ...flags).trim().split(/\s+/)[0];
  };
  const token = tokens ? newToken("all") : "";
  const child = spawn(program, ["serve"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let log = "";
  const url = await new Promise((done, refuse) => {
    const timer = setTimeout(() => refuse(new Error(`the service did not start:\n${log}`)), START_MS);
    child.stdout.on("data", (data) => {
      said += data;
    });
    child.stderr.on("data", (data) => {
      log += data;
      const found = /console: (http:\S+?)\/?\s/.exec(said);
      if (!log.includes('"event":"started"') || !found) return;
      clearTimeout(timer);
      done(found[1]);
    });
    child.on("exit", (code) => refuse(new Error(`the service ended with ${code}:\n${log}`)));
  });
  const ask = async (method, path, body) => {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
    return answer.json();
  };
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
  };
  return {
    url,
    token,
    newToken,
    get: (path) => ask("GET", path),
    post: (path, body = {}) => ask("POST", path, body),
    remove: (path) => ask("DELETE", path),
    stop,
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Told by the browser itself when an answer is no good one; tests that ask for one expect it.
const BROWSER_SAYS = /^Failed to load resource: the server responded with a status of 4\d\d/;
const BROWSER_LOST = /^Failed to load resource: net::ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE)/;

class View {
  constructor(page, context, url) {
    this.page = page;
    this.context = context;
    this.said = [];
    this.sizes = new Map();
    const host = new URL(url).host;
    page.on("console", (message) => this.said.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.said.push(`error: ${error.stack}`));
    page.on("request", (request) => {
      const asked = new URL(request.url());
      if (asked.protocol !== "data:" && asked.host !== host) this.said.push(`request: ${asked}`);
    });
    page.on("requestfinished", async (request) => {
      const path = new URL(request.url()).pathname;
      if (path !== "/" && !path.startsWith("/assets/")) return;
      this.sizes.set(path, Math.max(0, (await request.sizes()).responseBodySize));
    });
  }

  // Fails if the browser had anything to say. `refusals`: the page was to show what is refused.
  check({ refusals = false, lost = false } = {}) {
    const plain = (text) => text.replace(/^\w+: /, "");
    const rest = this.said.filter(
      (text) => !(refusals && BROWSER_SAYS.test(plain(text))) && !(lost && BROWSER_LOST.test(plain(text))),
    );
    assert.deepEqual(rest, []);
  }

  async go(hash) {
    await this.page.evaluate((next) => {
      location.hash = next;
    }, hash);
  }

  // Waits until the page shows the text.
  async sees(text) {
    await this.page.getByText(text).first().waitFor({ timeout: WAIT_MS });
  }

  async close() {
    await this.context.close();
  }
}

export async function startBrowser() {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  return {
    async open(service, hash, { theme = "light", width = 1280, height = 900, language = "en-GB", tenant = "", until = "h1" } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        locale: language,
        timezoneId: "Europe/Berlin",
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS);
      const view = new View(page, context, service.url);
      await page.addInitScript((whose) => {
        document.addEventListener("securitypolicyviolation", (event) => {
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
        });
        if (whose) sessionStorage.setItem("tessera.tenant", whose);
      }, tenant);
      await page.goto(`${service.url}/${hash}`);
      await page.locator(until).waitFor();
      return view;
    },
    close: () => browser.close(),
  };
}

export const PAGES = ["inspect", "mint", "range", "odds", "names", "registry", "segments", "service", "api"];
