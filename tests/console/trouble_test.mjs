// What goes wrong is said, with what to do: no token, a bad one, one that may too little, nobody there.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, startService } from "./world.mjs";

let service;
let browser;
before(async () => {
  [service, browser] = await Promise.all([startService({ tokens: true }), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await service?.close();
});

async function enter(page, token) {
  await page.getByRole("button", { name: "Token", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Use it" }).click();
}

test("a token is asked for, a bad one is told, a good one lasts until the tab is closed", async () => {
  const view = await browser.open(service, "#/registry");
  await view.sees("This needs a token.");
  await enter(view.page, "no-such-token");
  await view.sees("does not know this token");
  await enter(view.page, service.token);
  await view.sees("Enter a tenant");
  await view.page.reload();
  await view.sees("Enter a tenant");
  const kept = await view.page.evaluate(() => [Object.values(localStorage).join(), Object.values(sessionStorage).join()]);
  assert.ok(!kept[0].includes(service.token), "never longer than the tab");
  assert.ok(kept[1].includes(service.token));
  await view.page.getByRole("button", { name: "Token", exact: true }).click();
  await view.page.getByRole("button", { name: "Forget it" }).click();
  await view.sees("This needs a token.");
  view.check({ refusals: true });
  await view.close();
});

test("a token that is not to be kept is gone with the page", async () => {
  const view = await browser.open(service, "#/registry");
  await view.page.getByRole("button", { name: "Token", exact: true }).click();
  await view.page.getByLabel("Keep it until").uncheck();
  await view.page.getByRole("dialog").getByLabel("Token", { exact: true }).fill(service.token);
  await view.page.getByRole("button", { name: "Use it" }).click();
  await view.sees("Enter a tenant");
  await view.page.reload();
  await view.sees("This needs a token.");
  await view.close();
});

test("a token that may too little is told what it may not", async () => {
  const token = service.newToken("look-up");
  const view = await browser.open(service, "#/service");
  await enter(view.page, token);
  await view.sees("This token may not do that.");
  await view.go("#/segments");
  await view.sees("told to tokens with the ability admin");
  await view.go("#/registry/acme/stores");
  await view.page.getByRole("button", { name: "Create", exact: true }).click();
  await view.page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await view.sees("This token may not do that.");
  view.check({ refusals: true });
  await view.close();
});

test("inspect needs no token and no service", async () => {
  const view = await browser.open(service, "#/inspect/01ARZ3NDEKTSV4RRFFQ69G5FAV");
  await view.sees("2016-07-30T23:54:10.259Z");
  view.check();
  await view.close();
});

test("a service that is gone is told, and what needs none goes on", async () => {
  const alone = await startService();
  const view = await browser.open(alone, "#/service");
  await view.sees("Ready");
  await alone.stop();
  await view.sees("The service does not answer.");
  await view.sees("Gone");
  await view.go("#/mint/ulid");
  await view.page.getByRole("button", { name: "Regenerate" }).click();
  await view.go("#/inspect/01ARZ3NDEKTSV4RRFFQ69G5FAV");
  await view.sees("2016-07-30T23:54:10.259Z");
  await view.go("#/registry/acme/stores");
  await view.sees("The service does not answer.");
  view.check({ lost: true });
  await view.close();
  await alone.close();
});
