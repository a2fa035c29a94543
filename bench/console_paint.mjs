// How soon the console is seen: the browser's own first paint and first contentful paint, cold.
//
//    node bench/console_paint.mjs [--rounds 11]      TESSERA=build/release/bin/tessera
//
// Each round loads every page in a new context, with nothing cached. The floor is the same browser
// with a page of one word from the same service: what it needs without any console. Also printed is
// what a first visit transfers.

import assert from "node:assert/strict";
import { startBrowser, startService } from "../tests/console/world.mjs";

const given = process.argv.indexOf("--rounds");
const rounds = given < 0 ? 11 : Number(process.argv[given + 1]);
const PAGES = ["inspect", "mint", "odds", "segments"];
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

async function load(path, language, isWhole) {
  const view = await browser.open(service, path, { language, until: isWhole ? "h1" : "body" });
  const { page } = view;
  const paints = await page.evaluate(
    () =>
      new Promise((done) => {
        const look = () => {
          const found = performance.getEntriesByType("paint");
          if (found.length < 2) return setTimeout(look, 20);
          done(Object.fromEntries(found.map((entry) => [entry.name, entry.startTime])));
        };
        look();
      }),
  );
  if (isWhole) {
    await page.waitForLoadState("networkidle");
    assert.ok((await page.textContent("main")).length > 50, "the page is empty");
    view.check();
  }
  await view.close();
  const bytes = [...view.sizes.values()].reduce((sum, size) => sum + size, 0);
  return { first: paints["first-paint"], content: paints["first-contentful-paint"], bytes };
}

const service = await startService();
const browser = await startBrowser();
const rows = new Map();
try {
  for (let round = -1; round < rounds; ++round) {
    const visits = [["floor: one word", "healthz", "en"]];
    for (const name of PAGES) visits.push([name, `#/${name}`, "en"]);
    visits.push(["inspect in Chinese", "#/inspect", "zh-CN"]);
    for (const [name, path, language] of visits) {
      const seen = await load(path, language, path !== "healthz");
      if (round < 0) continue; // warms the browser up
      if (!rows.has(name)) rows.set(name, []);
      rows.get(name).push(seen);
    }
  }
} finally {
  await service.close();
  await browser.close();
}
console.log(`${"page".padEnd(20)}  first paint ms  with content ms  to the floor  transfer kB`);
const floor = median(rows.get("floor: one word").map((seen) => seen.content));
for (const [name, seen] of rows) {
  const content = median(seen.map((one) => one.content));
  const cells = [
    median(seen.map((one) => one.first)).toFixed(0).padStart(14),
    content.toFixed(0).padStart(15),
    (content / floor).toFixed(2).padStart(12),
    (median(seen.map((one) => one.bytes)) / 1000).toFixed(1).padStart(11),
  ];
  console.log(`${name.padEnd(20)}  ${cells.join("  ")}`);
}
