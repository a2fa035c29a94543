// Every page does what it is for: its main actions, in a browser, against the real service.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PAGES, startBrowser, startService, WAIT_MS } from "./world.mjs";

let service;
let browser;
before(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await service?.close();
});

// Opens a page, lets `look` at it, and asks whether the browser had anything to say.
async function on(hash, look, { expect = {}, ...options } = {}) {
  const view = await browser.open(service, hash, options);
  try {
    await look(view.page, view);
    view.check(expect);
  } finally {
    await view.close();
  }
}

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

test("every page opens by its address and has its title", async () => {
  await on("", async (page, view) => {
    for (const name of PAGES) {
      await view.go(`#/${name}`);
      await page.locator(`nav a[href="#/${name}"][aria-current="page"]`).waitFor();
      const title = await page.locator("h1").textContent();
      await page.waitForFunction((text) => document.title === `${text} · Tessera`, title);
    }
  });
});

test("inspect explains an ID: kind, time, bits, forms, and copies", async () => {
  await on("#/inspect/01ARZ3NDEKTSV4RRFFQ69G5FAV", async (page, view) => {
    await view.sees("2016-07-30T23:54:10.259Z");
    assert.equal(await page.locator(".headline h2").textContent(), "ULID");
    await view.sees("31 Jul 2016, 01:54:10 CEST");
    assert.equal(await page.locator('[role="gridcell"]').count(), 128);
    await view.sees("01563e3a-b5d3-d676-4c61-efb99302bd5b");
    await page.getByRole("button", { name: "Copy uuid" }).click();
    assert.equal(await clipboard(page), "01563e3a-b5d3-d676-4c61-efb99302bd5b");
    await page.getByRole("button", { name: "Copy link to this view" }).click();
    assert.equal(await clipboard(page), page.url());
    await page.locator('[role="gridcell"]').nth(50).hover();
    assert.match(await page.locator(".field-list .lit").textContent(), /random/);
  });
});

test("inspect takes what is typed into the address, and says that there is no time", async () => {
  await on("#/inspect", async (page, view) => {
    await page.getByLabel("Paste an ID").fill("6ba7b810-9dad-41d1-80b4-00c04fd430c8");
    await view.sees("No time in this ID.");
    assert.match(page.url(), /#\/inspect\/6ba7b810-9dad-41d1-80b4-00c04fd430c8$/);
  });
});

test("inspect says why a text is ambiguous, and reads it as asked", async () => {
  await on("#/inspect/1541815603606036480", async (page, view) => {
    await view.sees("several layouts fit");
    await page.locator(".readings").getByRole("link", { name: "Snowflake (Twitter)" }).click();
    await view.sees("Read as Snowflake (Twitter)");
    await view.sees("2022-06-28T16:07:40.105Z");
  });
});

test("inspect marks the symbol that is wrong", async () => {
  await on("#/inspect/KFV1-B65P-8Q3D-MC", async (page, view) => {
    await view.sees("Did you mean");
    const meant = page.locator(".corrections a", { hasText: "KFV1B65P8Q3CMC" });
    assert.equal(await meant.locator("mark").textContent(), "C");
    await meant.click();
    await view.sees("the check fits");
  });
});

test("inspect finds IDs in a URL and in a line of a log", async () => {
  const line = "WARN pay_01KG9MFMM0D7S65XGYYP0Y0E5Y declined for 550e8400-e29b-41d4-a716-446655440000";
  await on(`#/inspect/${encodeURIComponent(line)}`, async (page, view) => {
    await view.sees("2 IDs inside");
    await page.locator(".found").nth(1).click();
    await view.sees("UUID version 4");
  });
});

test("inspect lists many lines", async () => {
  await on("#/inspect", async (page, view) => {
    await page.getByLabel("Paste an ID").fill("01ARZ3NDEKTSV4RRFFQ69G5FAV\nhello\n507f1f77bcf86cd799439011");
    await view.sees("3 lines");
    assert.equal(await page.locator(".lines tbody tr").count(), 3);
    await page.locator(".line-pick").nth(2).click();
    await view.sees("2012-10-17T21:13:27.000Z");
  });
});

test("inspect tells live, deleted, never issued and mistyped apart", async () => {
  const live = await service.post("/v1/tenants/acme/orders");
  const gone = await service.post("/v1/tenants/acme/orders");
  await service.remove(`/v1/${gone.name}`);
  const answers = [
    [live.id, "acme", "Live"],
    [gone.id, "acme", "Deleted"],
    [live.id, "globex", "Never issued"],
  ];
  for (const [id, tenant, answer] of answers) {
    await on(`#/inspect/${id}`, (page, view) => view.sees(new RegExp(`^${answer}$`)), { tenant, expect: { refusals: true } });
  }
  const typo = live.id.slice(0, -6) + (live.id.at(-6) === "A" ? "B" : "A") + live.id.slice(-5);
  await on(`#/inspect/${typo}`, (page, view) => view.sees("Did you mean"), { tenant: "acme", expect: { refusals: true } });
});

test("mint makes other IDs every time, and writes them as text, SQL, JSON and C++", async () => {
  await on("#/mint/uuidv7?n=1", async (page, view) => {
    const shown = page.locator(".the-id .mono");
    await shown.waitFor();
    const first = await shown.textContent();
    await page.getByRole("button", { name: "Regenerate" }).click();
    await page.waitForFunction((old) => document.querySelector(".the-id .mono")?.textContent !== old, first);
    const second = await shown.textContent();
    assert.match(second, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    for (const [name, pattern] of [["SQL", /INSERT INTO/], ["JSON", /"id":/], ["C++", /tessera::Uuid::parse/], ["Text", /^[0-9a-f-]{36}$/]]) {
      await page.getByRole("button", { name, exact: true }).click();
      const text = await page.locator("pre.code").textContent();
      assert.match(text, pattern);
      assert.ok(text.includes(second));
    }
    await view.sees("58 fresh random bits");
  });
});

test("mint shows which bits move within one millisecond", async () => {
  await on("#/mint/snowflake?n=8", async (page, view) => {
    await view.sees("What moves within one millisecond");
    assert.equal(await page.locator(".strip").count(), 8);
    const moved = await page.locator(".strip").nth(1).locator("rect.moved").count();
    assert.ok(moved >= 1 && moved <= 12, `${moved} bits moved`);
    await page.locator("label", { hasText: "Layout" }).locator("select").selectOption("discord");
    assert.match(page.url(), /layout=discord/);
  });
});

test("mint says what is wrong with a question", async () => {
  await on("#/mint/ulid?at=yesteryear", (page, view) => view.sees("'yesteryear' is no time"));
});

test("range gives bounds and a clause of the same moment", async () => {
  await on("#/range?kind=uuidv7&from=2026-01-01&to=2026-02-01&column=order_id", async (page, view) => {
    await view.sees("019b76da-a800-7000-8000-000000000000");
    const clause = await page.locator("pre.code").textContent();
    assert.equal(clause, "WHERE order_id >= '019b76da-a800-7000-8000-000000000000' AND order_id <= '019c167f-cbff-7fff-bfff-ffffffffffff'");
    await page.getByRole("button", { name: "Last 7 days" }).click();
    await view.sees("7 days");
    const smallest = await page.locator(".bounds .mono").first().textContent();
    assert.ok((await page.locator("pre.code").textContent()).includes(smallest));
    await page.getByLabel("From").fill("nonsense");
    await view.sees("'nonsense' is no time");
  });
});

test("odds answers, compares sizes and draws", async () => {
  await on("#/odds?bits=64,122&count=1e9", async (page, view) => {
    await view.sees("one chance in 37.4");
    await page.locator(".chart canvas").waitFor();
    assert.equal(await page.locator(".answers li").count(), 2);
    await page.getByRole("button", { name: "80 bits" }).click();
    await page.locator(".answers li").nth(2).waitFor();
    assert.match(page.url(), /bits=64%2C80%2C122/);
    await page.getByLabel("Count").fill("many");
    await view.sees("A count is a number");
  });
});

test("names are built and checked against the declared types", async () => {
  await on("#/names", async (page, view) => {
    await page.getByLabel("Type").selectOption("product");
    await view.sees("A good name");
    assert.equal(await page.locator(".name-parts li").count(), 3);
    await view.go("#/names/tenants/acme/products/prd_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    await view.sees("it belongs in a store");
    await view.go("#/names/tenants/acme/ordres/x");
    await view.sees("no declared type has the collection ordres");
    await view.go("#/names/a/../b/1");
    await view.sees("not a resource name");
  });
});

test("registry creates once for a key, retires what was confirmed, and shows tombstones", async () => {
  await on("#/registry/initech/stores", async (page, view) => {
    await view.sees("Nothing live here yet.");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create" }).click();
    await view.sees("Created.");
    await dialog.getByRole("button", { name: "Send again" }).click();
    await view.sees("The key was known");
    await dialog.getByRole("button", { name: "Close" }).click();
    const rows = page.locator("tbody tr");
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1);

    const { items } = await service.get("/v1/tenants/initech/stores");
    const child = await service.post(`/v1/${items[0].name}/products`);
    await page.getByRole("button", { name: "Retire" }).click();
    await page.getByRole("dialog").getByText(child.id).waitFor();
    const end = page.getByRole("dialog").getByRole("button", { name: "Retire for ever" });
    assert.ok(await end.isDisabled());
    await page.getByLabel(/Type its last four/).fill(items[0].id.slice(-4));
    await end.click();
    await view.sees("Nothing live here yet.");
    await page.getByRole("button", { name: "deleted", exact: true }).click();
    await page.locator("tr.tombstone").waitFor();
    assert.match(page.url(), /state=deleted/);
    await view.go("#/registry/initech/products?state=deleted");
    await page.locator("tr.tombstone", { hasText: child.id }).waitFor();
    await view.go("#/registry/initech/stores?state=deleted");
    await page.getByRole("button", { name: "Undelete" }).click();
    await view.sees("Nothing was deleted here.");
  });
});

test("registry goes on to the next page, and finds one", async () => {
  await service.post("/v1/tenants/umbrella/orders", { count: 60 });
  await on("#/registry/umbrella/orders", async (page, view) => {
    await page.locator("tbody tr").nth(49).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 50);
    await page.getByRole("button", { name: "More" }).click();
    await page.locator("tbody tr").nth(59).waitFor();
    const id = await page.locator("tbody tr a.mono").first().textContent();
    await page.getByLabel("Find an ID").fill(id);
    await view.sees(/^Live$/);
  });
});

test("segments shows every scope, how far it is, and draws what is issued", async () => {
  await service.post("/v1/tenants/acme/orders", { count: 10 });
  await on("#/segments/ORDER", async (page, view) => {
    await page.locator("tbody tr").nth(3).waitFor();
    const order = page.locator("tbody tr.picked");
    await order.getByText("ORDER").waitFor();
    const { scopes } = await service.get("/v1/scopes");
    const told = scopes.find((scope) => scope.name === "ORDER");
    assert.match(await order.textContent(), new RegExp(Number(told.high_water).toLocaleString("en-GB")));
    await page.locator(".chart canvas").waitFor();
    await view.sees(/last number is drawn in|no end is in sight/);
  });
});

test("service shows that it is ready, its routes and its latency", async () => {
  await on("#/service", async (page, view) => {
    await view.sees("Ready");
    await page.locator(".histogram li").first().waitFor();
    await page.locator("tbody tr", { hasText: "/healthz" }).waitFor();
    await page.locator(".chart canvas").waitFor();
  });
});

test("api tells every operation, and tries it", async () => {
  await on("#/api/mintIds", async (page, view) => {
    await view.sees("Makes IDs that nobody keeps");
    const { paths } = await service.get("/openapi.json");
    const count = Object.values(paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
    assert.equal(await page.locator(".route-list a:not([href='/openapi.json'])").count(), count);
    await page.getByLabel("Body").fill('{"kind":"ulid","count":3}');
    await page.getByRole("button", { name: "Try it" }).click();
    const answer = page.getByRole("region", { name: "Answer", exact: true });
    await answer.waitFor();
    assert.equal(JSON.parse(await answer.textContent()).ids.length, 3);
    await view.go("#/api/getResource");
    await page.getByLabel("tenant").fill("nobody");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator(".badge.bad", { hasText: /4\d\d/ }).waitFor({ timeout: WAIT_MS });
  }, { expect: { refusals: true } });
});
