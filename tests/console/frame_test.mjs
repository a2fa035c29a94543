// What holds on every page: accessible in both themes, by keyboard, in both languages, within the
// policy and the size that were promised.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { PAGES, require, startBrowser, startService, WAIT_MS } from "./world.mjs";

const TRANSFER_MAX = 200 * 1000;
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = {
  inspect: "#/inspect/ord_01KG9MFMM0D7S65XGYYP0Y0E5Y",
  mint: "#/mint/uuidv7",
  registry: "#/registry/acme/stores",
};

let service;
let browser;
before(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  await service.post("/v1/tenants/acme/stores", { count: 3 });
});
after(async () => {
  await browser?.close();
  await service?.close();
});

const settled = (page) => page.waitForLoadState("networkidle", { timeout: 1500 }).catch(() => {});

for (const theme of ["light", "dark"]) {
  for (const name of PAGES) {
    test(`${name} is accessible in ${theme}`, async () => {
      const view = await browser.open(service, VIEWS[name] ?? `#/${name}`, { theme, tenant: "acme" });
      await settled(view.page);
      await view.page.evaluate(axe);
      const found = await view.page.evaluate(() => globalThis.axe.run(document));
      const faults = found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
      assert.deepEqual(faults, []);
      await view.close();
    });
  }
}

test("the whole console is less than was promised, and comes from one host", async () => {
  const view = await browser.open(service, "");
  for (const name of PAGES) {
    await view.go(VIEWS[name] ?? `#/${name}`);
    await settled(view.page);
  }
  await view.page.locator("h1").waitFor();
  view.check({ refusals: true });
  const total = [...view.sizes.values()].reduce((sum, size) => sum + size, 0);
  console.log(`transfer: ${total} bytes in ${view.sizes.size} files`, Object.fromEntries(view.sizes));
  assert.ok(view.sizes.has("/assets/tessera.wasm"), "the core came with it");
  assert.ok(total < TRANSFER_MAX, `${total} bytes`);
  await view.close();
});

test("the policy of the page lets nothing in from elsewhere", async () => {
  const answer = await fetch(`${service.url}/`);
  const policy = answer.headers.get("Content-Security-Policy");
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/);
  const html = await answer.text();
  assert.match(policy, /style-src 'self' 'sha256-[\w+/]{43}='/);
  assert.doesNotMatch(html, / style=| on\w+=|<script(?![^>]* src=)/);
});

test("the language is the browser's, and can be chosen", async () => {
  const view = await browser.open(service, "#/inspect/6ba7b810-9dad-41d1-80b4-00c04fd430c8", { language: "zh-CN" });
  await view.sees("这个 ID 中没有时间。");
  assert.equal(await view.page.locator("html").getAttribute("lang"), "zh-Hans");
  for (const name of PAGES) {
    await view.go(`#/${name}`);
    await settled(view.page);
    const title = await view.page.locator("h1").textContent();
    assert.ok(name === "api" || /\p{Script=Han}/u.test(title), title);
  }
  await view.page.getByRole("button", { name: "English" }).click();
  await view.page.reload();
  await view.page.getByRole("link", { name: "Inspect", exact: true }).waitFor();
  view.check();
  await view.close();
});

test("the theme is the system's, and can be chosen", async () => {
  const view = await browser.open(service, "", { theme: "dark" });
  const theme = () => view.page.locator("html").getAttribute("data-theme");
  assert.equal(await theme(), "dark");
  await view.page.getByRole("button", { name: /^Theme/ }).click();
  assert.equal(await theme(), "light");
  await view.page.reload();
  await view.page.locator("h1").waitFor(); // the frame is there before the page is
  assert.equal(await theme(), "light");
  await view.close();
});

test("a keyboard is enough", async () => {
  const view = await browser.open(service, "#/mint/ulid");
  const { page } = view;
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent || "");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Skip to the page");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "main");
  await page.keyboard.press("Control+k");
  await page.waitForFunction(() => document.activeElement?.id === "paste");
  await page.keyboard.type("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  await page.locator('[role="gridcell"]').first().waitFor();
  // One cell is in the tab order; arrows go on from it.
  assert.equal(await page.locator('[role="gridcell"][tabindex="0"]').count(), 1);
  await page.locator('[role="gridcell"][tabindex="0"]').focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  const label = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  assert.equal(label, "Bit 65: 1, field b random");
  assert.match(await page.locator(".field-list .lit").textContent(), /random/);
  // Every part that can be reached shows that it was.
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, "solid");
  view.check();
  await view.close();
});

test("a phone shows every page without scrolling sideways", async () => {
  const view = await browser.open(service, "", { width: 390, height: 844, tenant: "acme" });
  for (const name of PAGES) {
    await view.go(VIEWS[name] ?? `#/${name}`);
    await settled(view.page);
    const [inner, outer] = await view.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(inner <= outer, `${name}: ${inner} > ${outer}`);
  }
  await view.close();
});

test("what somebody wrote is text, never markup", async () => {
  const nasty = '<img src=x onerror="console.error(1)"><script>console.error(2)</script>';
  const view = await browser.open(service, `#/inspect/${encodeURIComponent(nasty)}`);
  await view.page.locator(".panel").first().waitFor({ timeout: WAIT_MS });
  await view.go(`#/names/${encodeURIComponent(nasty)}`);
  await view.go(`#/registry/${encodeURIComponent(nasty)}/stores?find=${encodeURIComponent(nasty)}`);
  await settled(view.page);
  assert.equal(await view.page.locator("main img, main script").count(), 0);
  view.check({ refusals: true });
  await view.close();
});
