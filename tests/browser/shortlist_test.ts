/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { runJob } from "../support/run_job.ts";
import { appears, attached } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { domainsDone, rowOn, rowsOn, settled, submit, summaryOn } from "./rows.ts";

onPage(
  "the shortlist is kept in the browser, and its link shows it as rows",
  async ({ page, lab }) => {
    lab.script("mine.tv", { dns: "delegated", rdap: "registered" });
    await page.goto("/?q=mine");
    await settled(page, "mine");
    const link = page.getByRole("link", { name: /Shortlist/ });
    assertEquals(await link.count(), 0);
    for (const tld of ["tv", "com", "eth"]) {
      await rowOn(page, tld).getByRole("button", { name: `Shortlist mine.${tld}` }).click();
    }
    await attached(page.getByText("mine.eth is in the shortlist."));
    await appears(page.getByRole("link", { name: "Shortlist · 3" }));
    await page.reload();
    await settled(page, "mine");
    const star = rowOn(page, "com").getByRole("button", { name: "Shortlist mine.com" });
    assertEquals(await star.getAttribute("aria-pressed"), "true");
    await link.click();
    await page.waitForURL("**/?q=mine.tv+mine.com+mine.eth");
    await settled(page, "mine");
    assertEquals(await rowsOn(page), [
      "mine.tv: Taken",
      "mine.com: Available",
      "mine.eth: Available",
    ]);
    await rowOn(page, "tv").getByRole("button", { name: "Shortlist mine.tv" }).click();
    await appears(page.getByRole("link", { name: "Shortlist · 2" }));
    assertMatch(await link.getAttribute("href") ?? "", /q=mine\.com\+mine\.eth$/);
  },
);

onPage("a shortlist of one domain is its search", async ({ page }) => {
  await page.goto("/?q=taken.tv");
  await settled(page, "taken");
  const answer = page.locator("#answer");
  await answer.getByRole("button", { name: "Shortlist taken.tv" }).click();
  assertEquals(
    await rowOn(page, "tv").getByRole("button", { name: /^Shortlist/ }).getAttribute(
      "aria-pressed",
    ),
    "true",
  );
  await submit(page, "other");
  await page.getByRole("link", { name: /Shortlist/ }).click();
  await settled(page, "taken");
  assertEquals(page.url().split("?")[1], "q=taken.tv");
});

onPage("tabs share the shortlist", async ({ page, service }) => {
  await page.goto("/?q=taken");
  await settled(page, "taken");
  const other = await page.context().newPage();
  await other.route("**/v1/ens/check*", (route) => route.abort());
  await other.goto(`${service.url}/?q=undelegated`);
  await rowOn(other, "com").getByRole("button", { name: "Shortlist undelegated.com" }).click();
  await appears(page.getByRole("link", { name: "Shortlist · 1" }));
  await rowOn(page, "com").getByRole("button", { name: "Shortlist taken.com" }).click();
  await appears(other.getByRole("link", { name: "Shortlist · 2" }));
  // What one tab has removed does not come back in place of what another has added since.
  await page.getByRole("link", { name: "Shortlist · 2" }).click();
  await page.getByRole("button", { name: "Remove all" }).click();
  await rowOn(other, "net").getByRole("button", { name: "Shortlist undelegated.net" }).click();
  await appears(page.getByRole("button", { name: "Remove all" }));
  await page.getByRole("button", { name: "Remove all" }).click();
  assertEquals(await page.evaluate(() => localStorage.getItem("shortlist")), "[]");
});

/** Opens the page as a browser does that keeps domains, each as it was seen a day ago. */
async function keepShortlist(page: Page, states: Readonly<Record<string, string>>): Promise<void> {
  await page.addInitScript((states) => {
    if (localStorage.getItem("shortlist") !== null) return;
    const entries = Object.entries(states).map(([domain, state]) => {
      const seen = { state, at: Date.now() - 86_400_000 };
      return { domain, note: "", before: seen, last: seen };
    });
    localStorage.setItem("shortlist", JSON.stringify(Object.keys(states)));
    localStorage.setItem("shortlist-entries", JSON.stringify(entries));
  }, states);
  await page.goto("/");
}

onPage(
  "the shortlist says what it costs, what has changed since the day before, and keeps notes",
  async ({ page, lab, service }) => {
    lab.script("mine.tv", { dns: "delegated", rdap: "registered" });
    await runJob(service, "refresh_prices");
    await keepShortlist(page, { "mine.tv": "available", "mine.com": "available" });
    await page.getByRole("link", { name: /Shortlist/ }).click();
    await settled(page, "mine");
    const panel = page.locator("#listed");
    await appears(panel.getByText("≈ $33 for 3 years: 1 available"));
    await appears(panel.getByText("1 changed"));
    await appears(rowOn(page, "tv").getByText(/^was Available on /));
    assertEquals(await rowOn(page, "com").locator(".change").textContent(), "");
    const note = page.getByLabel("Note on mine.com");
    await note.fill("favourite / c");
    await page.reload();
    await settled(page, "mine");
    assertEquals(await note.inputValue(), "favourite / c");
    // What was seen today is not compared with itself.
    await appears(rowOn(page, "tv").getByText(/^was Available on /));
    await note.press("End");
    await note.press("/");
    assertEquals(await note.inputValue(), "favourite / c/");
    await submit(page, "other");
    await settled(page, "other");
    assertEquals(await panel.isVisible(), false);
    assertEquals(await page.locator(".own:visible").count(), 0);
  },
);

onPage(
  "the shortlist is copied as CSV and Markdown, and emptied and put back with its notes",
  async ({ page, service }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await runJob(service, "refresh_prices");
    await keepShortlist(page, { "mine.com": "available", "mine.eth": "available" });
    await page.getByRole("link", { name: /Shortlist/ }).click();
    await settled(page, "mine");
    await page.getByLabel("Note on mine.com").fill("one, two | three");
    const copied = async (button: string) => {
      await page.getByRole("button", { name: button }).click();
      await attached(page.getByText("Copied the shortlist"));
      return (await page.evaluate(() => navigator.clipboard.readText())).split(/\r?\n/).slice(-3);
    };
    assertEquals(await copied("Copy as CSV"), [
      'mine.com,Available,≈ $11.08,,33.24,,"one, two | three"',
      "mine.eth,Available,0.002 ETH,≈ $5 a year,15.00,,",
      "",
    ]);
    assertEquals(await copied("Copy as Markdown"), [
      "| mine.com | Available | ≈ $11.08 |  | 33.24 |  | one, two \\| three |",
      "| mine.eth | Available | 0.002 ETH | ≈ $5 a year | 15.00 |  |  |",
      "",
    ]);
    await page.getByRole("button", { name: "Remove all" }).click();
    assertEquals(await page.locator("#shortlist").isVisible(), false);
    assertEquals(await page.evaluate(() => localStorage.getItem("shortlist-entries")), "[]");
    await page.getByRole("button", { name: "Put back" }).click();
    await appears(page.getByRole("link", { name: "Shortlist · 2" }));
    assertEquals(await page.getByLabel("Note on mine.com").inputValue(), "one, two | three");
  },
);

onPage("a list is pasted by a button, or a hint says how", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/");
  const paste = page.getByRole("button", { name: "Paste a list" });
  await page.evaluate(() => navigator.clipboard.writeText("taken.com\r\nundelegated.com\r\n"));
  await paste.click();
  await domainsDone(page);
  assertEquals(new URL(page.url()).search, "?q=taken.com+undelegated.com");
  await page.context().clearPermissions();
  await page.goto("/");
  await page.evaluate(() =>
    navigator.clipboard.readText = () => Promise.reject(new Error("denied"))
  );
  await paste.click();
  await appears(page.getByText(/does not let the page paste/));
});

for (const [what, value] of [["broken", "{"], ["of another kind", '{"a":1}']] as const) {
  onPage(`a shortlist that is ${what} counts as empty`, async ({ page }) => {
    await page.addInitScript((value) => localStorage.setItem("shortlist", value), value);
    await page.goto("/?q=taken");
    await settled(page, "taken");
    assertEquals(await page.getByRole("link", { name: /Shortlist/ }).count(), 0);
    await rowOn(page, "com").getByRole("button", { name: "Shortlist taken.com" }).click();
    await appears(page.getByRole("link", { name: "Shortlist · 1" }));
  });
}

onPage("without storage the shortlist lasts as long as the page", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.goto("/?q=taken");
  await settled(page, "taken");
  for (const tld of ["com", "tv"]) {
    await rowOn(page, tld).getByRole("button", { name: `Shortlist taken.${tld}` }).click();
  }
  await appears(page.getByRole("link", { name: "Shortlist · 2" }));
});

onPage(
  "filters are in the URL, and are left out where they are the usual ones",
  async ({ page, lab }) => {
    lab.script("picky", { dns: "delegated", rdap: "registered" });
    lab.script("picky.org", { dns: "nxdomain", rdap: "free" });
    await page.goto("/?q=picky");
    await settled(page, "picky");
    await page.getByLabel("Available only").check();
    await page.getByLabel("Which TLDs").selectOption("Popular");
    await page.getByLabel("Order").selectOption("3-year cost");
    const { search } = new URL(page.url());
    assertEquals(search, "?q=picky&available=1&tlds=popular&sort=price");
    await page.goto("about:blank");
    await page.goBack();
    await settled(page, "picky");
    assertEquals(await rowsOn(page), ["picky.org: Available"]);
    assertEquals(await page.getByLabel("Order").inputValue(), "price");
    assertMatch(await summaryOn(page), /, 1 shown$/);
    await page.getByLabel("Available only").uncheck();
    await page.getByLabel("Which TLDs").selectOption("All TLDs");
    await page.getByLabel("Order").selectOption("Popular first");
    assertEquals(new URL(page.url()).search, "?q=picky&tlds=all");
    await page.goto("/?q=picky&available=2&tlds=%2F&sort=random");
    await settled(page, "picky");
    assertEquals((await rowsOn(page)).length, 8);
  },
);

onPage("what is copied is what is shown", async ({ page, lab }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  lab.script("mine.org", { dns: "nxdomain", rdap: "premium" });
  await page.goto("/?q=mine");
  await settled(page, "mine");
  await page.getByLabel("Which TLDs").selectOption("Popular");
  // Not mine.org: it is at a premium.
  await page.getByRole("button", { name: "Copy 2 available" }).click();
  await attached(page.getByText("Copied mine.com, mine.net"));
  assertEquals(await page.evaluate(() => navigator.clipboard.readText()), "mine.com\nmine.net");
  await page.getByLabel("Which TLDs").selectOption("All TLDs");
  await page.getByRole("button", { name: "Copy 7 available" }).click();
});
