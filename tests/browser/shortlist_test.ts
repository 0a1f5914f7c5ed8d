/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import { runJob } from "../support/run_job.ts";
import { test } from "./on_page.ts";
import { appears, attached, createSearchPage } from "./rows.ts";

test("the shortlist is kept in the browser, tabs share it, and its link shows it as rows", async ({ page, search, lab, service }) => {
  lab.script("mine.tv", { dns: "delegated", rdap: "registered" });
  await search.open("mine");
  const link = page.getByRole("link", { name: /Shortlist/ });
  assertEquals(await link.count(), 0);
  const starOf = (tld: string) =>
    search.row(tld).getByRole("button", { name: `Shortlist mine.${tld}` });
  await page.locator("#answer").getByRole("button", { name: "Shortlist mine.com" }).click();
  assertEquals(await starOf("com").getAttribute("aria-pressed"), "true");
  const stored = await page.evaluate(() => localStorage.getItem("shortlist"));
  assertEquals(JSON.parse(stored ?? "")[0].last.state, "available", "as it was shown");
  await search.submit("other");
  await link.click();
  await search.settled("mine");
  // A shortlist of one domain is its search.
  assertEquals(search.query(), "q=mine.com");
  for (const tld of ["tv", "eth"]) await starOf(tld).click();
  await attached(page.getByText("mine.eth is in the shortlist."));
  await appears(page.getByRole("link", { name: "Shortlist · 3" }));
  await page.reload();
  await search.settled("mine");
  assertEquals(await starOf("com").getAttribute("aria-pressed"), "true");
  await link.click();
  await page.waitForURL("**/?q=mine.com+mine.tv+mine.eth");
  await search.done();
  const rows = ["mine.com: Available", "mine.tv: Taken", "mine.eth: Available"];
  assertEquals(await search.rows(), rows);
  await starOf("tv").click();
  await appears(page.getByRole("link", { name: "Shortlist · 2" }));
  assertMatch(await link.getAttribute("href") ?? "", /q=mine\.com\+mine\.eth$/);

  const other = await page.context().newPage();
  await other.route("**/v1/ens/check*", (route) => route.abort());
  await other.goto(`${service.url}/?q=undelegated`);
  const inOther = (tld: string) =>
    createSearchPage(other).row(tld).getByRole("button", { name: `Shortlist undelegated.${tld}` })
      .click();
  await inOther("com");
  await appears(page.getByRole("link", { name: "Shortlist · 3" }));
  await link.click();
  // What one tab has removed does not come back in place of what another has added since.
  await page.getByRole("button", { name: "Remove all" }).click();
  await inOther("net");
  await appears(page.getByRole("button", { name: "Remove all" }));
  await page.getByRole("button", { name: "Remove all" }).click();
  assertEquals(await page.evaluate(() => localStorage.getItem("shortlist")), "[]");
});

test("the shortlist says what it costs and what has changed, keeps notes, is copied, emptied and put back", async ({ page, search, lab, service }) => {
  await search.grantClipboard();
  lab.script("mine.tv", { dns: "delegated", rdap: "registered" });
  await runJob(service, "refresh_prices");
  // As an earlier version of the page kept domains, each as it was seen a day ago.
  await page.addInitScript(() => {
    if (localStorage.getItem("shortlist") !== null) return;
    const seen = { state: "available", at: Date.now() - 86_400_000 };
    const domains = ["mine.tv", "mine.com", "mine.eth"];
    const entries = domains.map((domain) => ({ domain, note: "", before: seen, last: seen }));
    localStorage.setItem("shortlist", JSON.stringify(domains));
    localStorage.setItem("shortlist-entries", JSON.stringify(entries));
  });
  await page.goto("/");
  await page.getByRole("link", { name: /Shortlist/ }).click();
  await search.settled("mine");
  const panel = page.locator("#listed");
  await appears(panel.getByText("≈ $48 for 3 years: 2 available"));
  await appears(panel.getByText("1 changed"));
  await appears(search.row("tv").getByText(/^was Available on /));
  assertEquals(await search.row("com").locator(".change").textContent(), "");
  const note = page.getByLabel("Note on mine.com");
  await note.fill("one, two | three");
  await page.reload();
  await search.settled("mine");
  // What was seen today is not compared with itself.
  await appears(search.row("tv").getByText(/^was Available on /));
  await note.press("End");
  await note.press("/");
  assertEquals(await note.inputValue(), "one, two | three/");

  const copied = async (button: string) => {
    await page.getByRole("button", { name: button }).click();
    await attached(page.getByText("Copied the shortlist"));
    return (await search.copied()).split(/\r?\n/).at(-3);
  };
  const csv = 'mine.com,Available,≈ $11.08,,33.24,,"one, two | three/"';
  const markdown = "| mine.com | Available | ≈ $11.08 |  | 33.24 |  | one, two \\| three/ |";
  assertEquals([await copied("Copy as CSV"), await copied("Copy as Markdown")], [csv, markdown]);
  // Another removal in between does not cost the first one its note.
  for (const tld of ["com", "eth", "com", "eth"]) {
    await search.row(tld).locator(".more").click();
    await search.menu.locator(".star").click();
    await page.keyboard.press("Escape");
  }
  assertEquals(await note.inputValue(), "one, two | three/");
  await page.getByRole("button", { name: "Remove all" }).click();
  assertEquals(await page.locator("#shortlist").isVisible(), false);
  assertEquals(await page.evaluate(() => localStorage.getItem("shortlist")), "[]");
  await page.getByRole("button", { name: "Put back" }).click();
  await appears(page.getByRole("link", { name: "Shortlist · 3" }));
  assertEquals(await note.inputValue(), "one, two | three/");
  await search.submit("other");
  await search.settled("other");
  assertEquals([await panel.isVisible(), await page.locator(".own:visible").count()], [false, 0]);
});

test("a shortlist that cannot be read counts as empty, and lasts as long as the page", async ({ page, search }) => {
  for (const stored of ["{", '{"a":1}', undefined]) {
    await page.addInitScript((stored) => {
      if (stored !== undefined) return localStorage.setItem("shortlist", stored);
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
    }, stored);
    await search.open("taken");
    assertEquals(await page.getByRole("link", { name: /Shortlist/ }).count(), 0);
    for (const tld of ["com", "tv"]) {
      await search.row(tld).getByRole("button", { name: `Shortlist taken.${tld}` }).click();
    }
    await appears(page.getByRole("link", { name: "Shortlist · 2" }));
  }
});
