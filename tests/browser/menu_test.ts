/// <reference lib="dom" />
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { type Json } from "../support/service.ts";
import { test, testsOnPage } from "./on_page.ts";
import { appears, attached, busyRow, CHECKS, sentEvent } from "./rows.ts";

/** The title of what the registry has, in the open menu. */
const term = (page: Page, title: string) =>
  page.locator("#menu dt", { hasText: new RegExp(`^${title}$`) });

/** What stands under a title in the open menu. */
async function termOn(page: Page, title: string): Promise<string> {
  const text = term(page, title).locator("xpath=following-sibling::dd[1]");
  await appears(text);
  return await text.textContent() ?? "";
}

const narrow = testsOnPage({ browser: { viewport: { width: 390, height: 844 } } });

narrow.test("the menu shows what the registry has on a taken name, inside a narrow window, and asks for it once", async ({ page, search, lab }) => {
  lab.script("taken.net", { dns: "delegated", rdap: "unavailable503" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const countOf = (domain: string) =>
    asked.filter((url) => url.endsWith(`/details?domain=${domain}`)).length;
  await search.open("taken");
  await search.openMenu("Details of taken.tv");
  assertEquals(await termOn(page, "Registrar"), "Lab Registrar Ltd, number 9999 at IANA");
  const feed = search.menu.getByRole("link", { name: "Feed of its changes: taken.tv" });
  assertEquals(await feed.getAttribute("href"), "/watch.atom?domains=taken.tv");
  const box = await search.menu.boundingBox();
  assert(box !== null && box.x >= 0 && box.x + box.width <= 390, `${JSON.stringify(box)}`);
  assertEquals(await search.beyond(), 0);
  await search.openMenu("Details of taken.tv");
  assertEquals([await termOn(page, "Expires"), countOf("taken.tv")], ["4 Mar 2031", 1]);
  await search.row("tv").locator(".more").click();
  assertEquals(await search.menu.isVisible(), false, "closed by its own button");
  // An error is not remembered: the registry is asked again when the menu is opened again.
  for (const times of [1, 2]) {
    await search.openMenu("Details of taken.net");
    assertMatch(await termOn(page, "Not known"), /503/);
    assertEquals([await term(page, "Expires").count(), countOf("taken.net")], [0, times]);
  }
  await search.open("mine");
  const menu = await search.openMenu("Register mine.com");
  assertEquals(await menu.locator(".profile").isVisible(), false);
  assertEquals(countOf("mine.com"), 0);
});

/** What the open menu quotes, entry by entry and part by part. */
function evidenceOn(page: Page): Promise<(string | null)[][]> {
  return page.locator("#menu li:has(b)").evaluateAll((entries) =>
    entries.map((entry) => [...entry.children].map((part) => part.textContent))
  );
}

test("the menu of a row or a cell lists what each witness said, as text, by keys as well", async ({ page, search, lab, service }) => {
  lab.script("mine.net", { dns: "nxdomain", rdap: "unavailable503" });
  await page.goto("/");
  // What was found in DNS during typing has its evidence after the full search.
  await search.enter("mine");
  await attached(page.getByText("mine: 7 available, 1 unknown"));
  const menu = await search.openMenu("Register mine.com");
  const shown = menu.locator("li:has(b)");
  assertEquals(await menu.locator("details").getAttribute("open"), null);
  assertEquals(await shown.first().isVisible(), false);
  assertEquals((await search.walk("Down Down Down")).at(-1), "Evidence");
  await page.keyboard.press("Enter");
  assert(await shown.first().isVisible());
  const [dns = [], rdap = []] = await evidenceOn(page);
  assertEquals(dns.slice(0, 2), ["DNS resolver", "the resolver answered without name servers"]);
  const passed = /^RDAP \S+,no such name,404.*,\d+ ms · just now · test of its .+ passed/;
  assertMatch(rdap.join(), passed);
  await search.openMenu("Details of mine.net");
  assertEquals(await search.focus(), "Evidence");
  assertMatch((await evidenceOn(page)).join(), /,no answer in time, or a server error,.*503/);
  assert(await shown.last().isVisible());

  await search.open("mine+taken");
  await search.openMenu("mine.com: Available");
  assertEquals((await evidenceOn(page)).length, 2);

  const { body } = await service.get("/check?name=late&tld=com&evidence=1");
  const [row] = body.results;
  const said = '<img src=x onerror="alert(1)"> sold';
  const entry = { ...row.evidence[0], witness: "registrar:shop", host: "", means: "refuses" };
  await search.answerChecks([{ ...row, evidence: [...row.evidence, { ...entry, said }] }]);
  await page.goto("/?q=late.com");
  await appears(search.row("com").getByText("Available"));
  await search.openMenu("Register late.com");
  const refuses = "the registrar sells names of this TLD, but not this one";
  assertEquals((await evidenceOn(page)).at(-1)?.slice(0, 3), ["Registrar shop", refuses, said]);
  assertEquals(await menu.locator("img").count(), 0);
});

const lookOf = (row: Locator) =>
  row.locator(".icon").first().evaluate((icon) => {
    const { color, backgroundColor, outlineStyle } = getComputedStyle(icon);
    const href = icon.querySelector("use")?.getAttribute("href");
    return { color, ground: backgroundColor, ring: outlineStyle, href };
  });

/** What looks alike of two rows or cells. */
async function alike(one: Locator, other: Locator): Promise<string[]> {
  const [a, b] = [await lookOf(one), await lookOf(other)];
  return (["color", "ground", "ring", "href"] as const).filter((part) => a[part] === b[part]);
}

test("a name that is likely available is no available one", async ({ page, search, service }) => {
  const { body } = await service.get("/check?name=maybe");
  const likely: Record<string, string> = { net: "available", tv: "taken" };
  const rows = body.results.map((row: Json) =>
    row.tld in likely ? { ...busyRow(row.domain), likely: likely[row.tld] } : row
  );
  await search.answerChecks(rows);
  await search.open("maybe.net");
  const tlds = ["com", "net", "org", "cc", "site", "tech", "tv", "eth"];
  const wordOf = (tld: string) => tld in likely ? `Probably ${likely[tld]}` : "Available";
  assertEquals(await search.rows(), tlds.map((tld) => `maybe.${tld}: ${wordOf(tld)}`));
  const [net, com] = [search.row("net"), search.row("com")];
  assertEquals(await net.getAttribute("aria-label"), "maybe.net: Probably available");
  assertEquals(await search.heading(), "maybe.net · Probably available");
  const again = net.getByRole("button", { name: "Try again for maybe.net" });
  assertEquals(await again.isVisible(), true);
  assertEquals(await net.getByRole("button", { name: /Register/ }).count(), 0);
  assertEquals(await alike(net, com), []);
  assertEquals((await lookOf(net)).href, "#icon-likely-available");
  assertEquals((await lookOf(search.row("tv"))).href, "#icon-likely-taken");
  await page.emulateMedia({ forcedColors: "active" });
  assertEquals([(await lookOf(net)).ring, (await lookOf(com)).ring], ["dashed", "none"]);
  for (const selector of ["form button", "#answer", ".row .more", "#copy-link"]) {
    const border = await page.locator(selector).first()
      .evaluate((element) => getComputedStyle(element).borderTopStyle);
    assertEquals(border, "solid", selector);
  }
  await page.emulateMedia({ forcedColors: "none" });
  assertEquals(await search.summary(), "6 available, 2 unknown");
  assertEquals(await page.locator("#copy-names").textContent(), "Copy 6 available");
  await page.getByLabel("Available only").check();
  assertEquals((await search.rows()).filter((row) => /maybe\.(net|tv)/.test(row)), []);

  await search.answerChecks(rows);
  await page.goto("/?q=maybe+taken");
  const cell = page.getByRole("button", { name: "maybe.net: Probably available", exact: true });
  await appears(cell);
  assertEquals(await alike(cell, page.getByRole("button", { name: /^maybe\.org: A/ })), []);

  // While only a further witness is awaited. The stream that is cut is asked again, which waits for ever.
  await page.route(CHECKS, () => {});
  const pending = { domain: "maybe.net", tld: "net", host: "a.lab", expectedMs: 40_000 };
  await search.answerChecks(rows.filter(({ tld }: Json) => tld !== "net"), {
    end: sentEvent("pending", { ...pending, likely: "available" }),
  });
  await page.goto("/?q=maybe.net");
  await appears(net.getByText("Probably available"));
  assertEquals((await lookOf(net)).href, "#icon-likely-available");
  await appears(net.getByText(/its turn is in \d+ s/));
});
