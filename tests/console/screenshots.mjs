// Pictures of every page for docs/console/, in both themes and as on a phone.
//
//    TESSERA=build/release/bin/tessera node tests/console/screenshots.mjs [FOLDER] [NAME...]
//
// As they are in the documents if the fonts Inter, JetBrains Mono and WenQuanYi Micro Hei are there;
// pngquant, where it is installed, makes them a third of the size.

import { spawnSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { startBrowser, startService } from "./world.mjs";

const [folder = "docs/console", ...only] = process.argv.slice(2);
const WIDE = { width: 1200, height: 900 };
const PHONE = { width: 390, height: 844 };
const LIVE_MS = 12000; // until a live chart has something to show

const log =
  "2026-01-31T09:00:01Z WARN pay_01KG9MFMM0D7S65XGYYP0Y0E5Y declined for 550e8400-e29b-41d4-a716-446655440000";

// Things to look at: names, tombstones, numbers that move.
async function fill(service) {
  const stores = await service.post("/v1/tenants/acme/stores", { count: 9 });
  for (const store of stores.items.slice(0, 3)) await service.post(`/v1/${store.name}/products`, { count: 4 });
  await service.post("/v1/tenants/acme/orders", { count: 2400 });
  for (const store of stores.items.slice(5, 8)) await service.remove(`/v1/${store.name}`);
  return stores.items;
}

const service = await startService();
const browser = await startBrowser();
const stores = await fill(service);
const views = [
  ["inspect", "#/inspect/017F22E2-79B0-7CC3-98C4-DC0C0C07398F"],
  ["inspect-live", `#/inspect/${stores[0].id}`],
  ["inspect-mistyped", "#/inspect/KFV1-B65P-8Q3D-MC"],
  ["inspect-log", `#/inspect/${encodeURIComponent(log)}`],
  ["mint", "#/mint/ulid"],
  ["range", "#/range?kind=uuidv7&from=2026-01-01&to=2026-02-01&column=order_id"],
  ["odds", "#/odds"],
  ["names", `#/names/${stores[0].name}`],
  ["registry", "#/registry/acme/stores"],
  ["registry-deleted", "#/registry/acme/stores?state=deleted"],
  ["segments", "#/segments/ORDER", LIVE_MS],
  ["service", "#/service", LIVE_MS],
  ["api", "#/api/createResource"],
];

let busy = true;
const traffic = (async () => {
  while (busy) {
    for (let i = 0; i < 5 + Math.random() * 20; ++i) await service.post("/v1/ids");
    await service.post("/v1/tenants/acme/orders", { count: 1 + Math.floor(Math.random() * 40) });
    await new Promise((done) => setTimeout(done, 120));
  }
})();

async function shoot(name, hash, options, waitMs = 1200) {
  if (only.length && !only.some((wanted) => name.startsWith(wanted))) return;
  const view = await browser.open(service, hash, { tenant: "acme", ...options });
  await view.page.waitForTimeout(waitMs);
  const path = `${folder}/${name}.png`;
  const tall = await view.page.evaluate(() => document.documentElement.scrollHeight);
  const height = Math.min(tall, options.width < 500 ? 1500 : 1400);
  await view.page.setViewportSize({ width: options.width, height });
  await view.page.waitForTimeout(150);
  await view.page.screenshot({ path });
  spawnSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "--quality", "70-95", "--strip", path]);
  console.log(`${path}  ${Math.round(statSync(path).size / 1024)} KiB`);
  await view.close();
}

mkdirSync(folder, { recursive: true });
for (const [name, hash, waitMs] of views) {
  await shoot(name, hash, WIDE, waitMs);
  await shoot(`${name}-dark`, hash, { ...WIDE, theme: "dark" }, waitMs);
  await shoot(`${name}-phone`, hash, PHONE, waitMs);
}
await shoot("mint-chinese", "#/mint/uuidv7", { ...WIDE, language: "zh-CN" });
busy = false;
await traffic;
await browser.close();
await service.close();
