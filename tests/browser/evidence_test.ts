/// <reference lib="dom" />
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { attached } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { domainsDone, rowOn, settled, type } from "./rows.ts";

/** What the open menu quotes, entry by entry and part by part. */
function evidenceOn(page: Page): Promise<(string | null)[][]> {
  return page.locator("#menu li:has(b)").evaluateAll((entries) =>
    entries.map((entry) => [...entry.children].map((part) => part.textContent))
  );
}

const summary = (page: Page) => page.locator("#menu summary");

onPage(
  "the menu of a row lists what each witness said, by keys as well",
  async ({ page, lab }) => {
    lab.script("mine.net", { dns: "nxdomain", rdap: "unavailable503" });
    await page.goto("/?q=mine");
    await settled(page, "mine");
    await rowOn(page, "com").getByRole("button", { name: "Register mine.com" }).click();
    assertEquals(await page.locator("#menu details").getAttribute("open"), null);
    assertEquals(await page.locator("#menu li:has(b)").first().isVisible(), false);
    for (let links = 0; links < 3; links++) await page.keyboard.press("ArrowDown");
    assertEquals(await page.evaluate(() => document.activeElement?.textContent), "Evidence");
    await page.keyboard.press("Enter");
    assert(await page.locator("#menu li:has(b)").first().isVisible());
    const [dns = [], rdap = []] = await evidenceOn(page);
    assertEquals(dns.slice(0, 2), ["DNS resolver", "the resolver answered without name servers"]);
    assertMatch(dns[2] ?? "", /^\d+ ms · just now$/);
    assertMatch(rdap[0] ?? "", /^RDAP \S+$/);
    assertEquals(rdap[1], "no such name");
    assertMatch(rdap[2] ?? "", /^404/);
    assertMatch(
      rdap[3] ?? "",
      /^\d+ ms · just now · test of its “not found”: passed, just now$/,
    );
    await page.keyboard.press("Escape");
    await rowOn(page, "net").getByRole("button", { name: "Details of mine.net" }).click();
    assertEquals(await page.evaluate(() => document.activeElement?.textContent), "Evidence");
    const [, failed = []] = await evidenceOn(page);
    assertEquals(failed[1], "no answer in time, or a server error");
    assertMatch(failed[2] ?? "", /503/);
    assert(await page.locator("#menu li:has(b)").last().isVisible());
  },
);

onPage(
  "what was found in DNS during typing has its evidence after the full search",
  async ({ page }) => {
    await page.goto("/");
    await type(page, "taken");
    await attached(page.getByText("taken: 1 available, 7 taken"));
    await rowOn(page, "net").getByRole("button", { name: "Details of taken.net" }).click();
    const [[who, meaning] = []] = await evidenceOn(page);
    assertEquals([who, meaning], ["DNS resolver", "DNS has name servers for the name"]);
  },
);

onPage("the menu of a cell has the evidence, too", async ({ page }) => {
  await page.goto("/?q=taken+free-for-you");
  await domainsDone(page);
  await page.getByRole("button", { name: "free-for-you.com: Available" }).click();
  await summary(page).click();
  assertEquals((await evidenceOn(page)).map(([, meaning]) => meaning), [
    "the resolver answered without name servers",
    "no such name",
  ]);
});

/** Makes the answer to the search for `late` a stream that stays open; the page sends its events by `send()`. */
async function holdStream(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const headers = { "content-type": "text/event-stream" };
    const { fetch } = globalThis;
    globalThis.fetch = (url, init) => {
      if (!`${url}`.endsWith("/check?name=late&evidence=1")) return fetch(url, init);
      const start = (stream: ReadableStreamDefaultController) => {
        const send = (name: string, row: object) =>
          stream.enqueue(
            new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(row)}\n\n`),
          );
        Object.assign(globalThis, { send });
      };
      return Promise.resolve(new Response(new ReadableStream({ start }), { headers }));
    };
  });
}

function send(page: Page, name: string, row: object): Promise<void> {
  return page.evaluate(
    ([name, row]) =>
      (globalThis as unknown as { send: (name: string, row: object) => void }).send(name, row),
    [name, row] as const,
  );
}

onPage("evidence is shown as text, whatever a witness said", async ({ page, service }) => {
  const { body } = await service.get("/check?name=late&tld=com&evidence=1");
  const [row] = body.results;
  await holdStream(page);
  await page.goto("/?q=late.com");
  await page.waitForFunction(() => "send" in globalThis);
  const said = '<img src=x onerror="alert(1)"> sold';
  const refusal = { ...row.evidence[0], witness: "registrar:shop", host: "", means: "refuses" };
  await send(page, "result", { ...row, evidence: [...row.evidence, { ...refusal, said }] });
  await rowOn(page, "com").getByRole("button", { name: "Register late.com" }).click();
  assertEquals((await evidenceOn(page)).at(-1)?.slice(0, 3), [
    "Registrar shop",
    "the registrar sells names of this TLD, but not this one",
    said,
  ]);
  assertEquals(await page.locator("#menu").locator("img").count(), 0);
});
