/// <reference lib="dom" />
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { appears } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { domainsDone, paste, rowsOn, settled, submit, summaryOn } from "./rows.ts";

/** What was sent to `POST /check`. */
function watchLists(page: Page): { names: string[]; tlds?: string[] }[] {
  const bodies: { names: string[]; tlds?: string[] }[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") bodies.push(request.postDataJSON());
  });
  return bodies;
}

/** The cells row by row, as "domain: state". */
function cellsOn(page: Page): Promise<(string | null)[]> {
  return page.locator("#grid .cell:visible").evaluateAll((cells) =>
    cells.map((cell) => cell.getAttribute("aria-label"))
  );
}

const cell = (page: Page, domain: string) =>
  page.getByRole("button", { name: new RegExp(`^${domain.replaceAll(".", "\\.")}:`) });

onPage(
  "several names fill a grid by one request, and a name that is added by another",
  async ({ page, lab, service }) => {
    lab.script("first.org", { dns: "nxdomain", rdap: "premium" });
    const bodies = watchLists(page);
    await page.goto("/");
    await submit(page, "taken, First");
    await domainsDone(page);
    assertEquals(await cellsOn(page), [
      "taken.com: Taken",
      "taken.net: Taken",
      "taken.org: Taken",
      "first.com: Available, $33 / 3 yr",
      "first.net: Available, $38 / 3 yr",
      "first.org: Premium",
    ]);
    assertEquals(await page.locator("#grid th .total").first().textContent(), "$33");
    assertEquals(await page.title(), "2 names · Is the name available?");
    assertEquals(
      await summaryOn(page),
      "2 available, 1 premium, 3 taken",
    );
    await submit(page, "taken first last");
    await appears(cell(page, "last.org").and(page.getByRole("button", { name: /Available/ })));
    assertEquals(page.url().split("?")[1], "q=taken+first+last");
    const tlds = ["com", "net", "org"];
    assertEquals(bodies, [{ names: ["taken", "first"], tlds }, { names: ["last"], tlds }]);
    const { headers } = await service.get("/tlds");
    assertEquals(headers.get("x-ratelimit-remaining"), "56");
  },
  { env: { RATE_LIMIT: "60" } },
);

onPage(
  "a cell waits for its registry, and its menu has the links of an available name",
  async ({ page, lab }) => {
    lab.script("slowly.org", { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    await page.goto("/?q=slowly+taken");
    await appears(page.getByRole("button", { name: "slowly.org: Not in DNS" }));
    await domainsDone(page);
    await cell(page, "slowly.com").click();
    const menu = page.locator("#menu");
    assertEquals(await menu.getByRole("link").allTextContents(), [
      "Porkbun",
      "Namecheap",
      "GoDaddy",
    ]);
    await menu.getByRole("button", { name: "Shortlist slowly.com" }).click();
    await page.keyboard.press("Escape");
    assertEquals(await menu.isVisible(), false);
    await appears(
      page.getByRole("button", { name: "slowly.com: Available, $33 / 3 yr, in the shortlist" }),
    );
    await page.getByRole("link", { name: "slowly", exact: true }).click();
    await settled(page, "slowly");
    assertEquals(await page.getByLabel("Name", { exact: true }).inputValue(), "slowly");
  },
);

onPage("lines that are pasted become names", async ({ page }) => {
  await page.goto("/");
  await paste(page, "taken\r\ntaken2.com\n\nundelegated\n");
  await domainsDone(page);
  assertEquals(
    await page.getByLabel("Name", { exact: true }).inputValue(),
    "taken\ntaken2.com\nundelegated",
  );
  const cells = await cellsOn(page);
  assertEquals(cells.map((text) => text?.split(":")[0]), [
    "taken.com",
    "taken.net",
    "taken.org",
    "taken2.com",
    "undelegated.com",
    "undelegated.net",
    "undelegated.org",
  ]);
});

onPage(
  "the grid is as long as its list, and scrolls sideways in its own area, where the names stay",
  async ({ page }) => {
    const names = Array.from({ length: 30 }, (_, place) => `taken-name-${place}`);
    await page.goto(`/?q=${names.join("+")}&tlds=all`);
    await domainsDone(page);
    const area = page.locator("#grid-area");
    const placeOf = (text: string) =>
      page.locator("#grid th", { hasText: text }).evaluate((header) => {
        const { x, y } = header.getBoundingClientRect();
        return { x, y };
      });
    const [column, row] = [await placeOf(".com"), await placeOf("taken-name-29")];
    await area.evaluate((area) => area.scrollTo(150, 400));
    assert((await placeOf(".com")).x < column.x, "the columns have moved");
    assertEquals(await placeOf("taken-name-29"), row);
    assertEquals(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      0,
    );
  },
  { browser: { viewport: { width: 390, height: 844 } } },
);

onPage("arrow keys move through the cells, and Tab leaves them", async ({ page }) => {
  await page.goto("/?q=taken+undelegated");
  await domainsDone(page);
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel?.split(":")[0]);
  const walk = [];
  for (const key of ["Down", "Right", "Right", "Down", "Left", "Left", "Left", "Up"]) {
    await page.keyboard.press(`Arrow${key}`);
    walk.push(await focused());
  }
  assertEquals(walk, [
    "taken.com",
    "taken.net",
    "taken.org",
    "undelegated.org",
    "undelegated.net",
    "undelegated.com",
    "undelegated.com",
    "taken.com",
  ]);
  await page.keyboard.press("Enter");
  await appears(page.locator("#menu").getByRole("link", { name: "Visit taken.com" }));
  await page.keyboard.press("Escape");
  assertEquals(await focused(), "taken.com");
  await page.keyboard.press("ArrowUp");
  assertEquals(await page.evaluate(() => document.activeElement?.id), "name");
});

onPage(
  "domains are shown as rows in their order, and filters choose the columns of a grid",
  async ({ page }) => {
    await page.goto("/?q=taken.tv+undelegated.com+taken.eth+taken.museum");
    await settled(page, "taken");
    assertEquals(await rowsOn(page), [
      "taken.tv: Taken",
      "undelegated.com: Taken",
      "taken.eth: Available",
      "taken.museum: Unknown",
    ]);
    await appears(page.getByText("Unsupported TLD: send one of cc, com,"));
    await submit(page, "taken undelegated");
    await domainsDone(page);
    await page.getByLabel("Which TLDs").selectOption("All TLDs");
    await appears(cell(page, "taken.tv"));
    await domainsDone(page);
    assertEquals(
      (await cellsOn(page)).map((text) => text?.split(":")[0]),
      ["taken", "undelegated"].flatMap((name) =>
        ["com", "net", "org", "cc", "site", "tech", "tv"].map((tld) => `${name}.${tld}`)
      ),
    );
    await page.getByLabel("Available only").check();
    await appears(page.getByText("Nothing matches the filter."));
  },
);

let ahead = 0;

onPage(
  "names that exceed the rate limit wait for their turn, which is told, and no request is rejected",
  async ({ page }) => {
    const bodies = watchLists(page);
    await page.clock.install();
    await page.goto("/?q=taken+undelegated+first");
    await appears(page.getByRole("button", { name: "undelegated.com: Taken" }));
    await cell(page, "first.com").hover();
    assertMatch(
      await cell(page, "first.com").getAttribute("aria-label") ?? "",
      /^first\.com: Waiting, sent in about 6[05] s: the limit of requests is used up$/,
    );
    await appears(page.getByText(/^3 to go, about 6[05] s$/));
    assertEquals(await page.locator("#grid th .count").allTextContents(), ["2/3", "2/3", "2/3"]);
    ahead += 60_000;
    await page.clock.runFor(61_000);
    await appears(page.getByRole("button", { name: "first.com: Available" }));
    await domainsDone(page);
    assertEquals(await page.locator("#end").textContent(), "");
    assertEquals(bodies.map(({ names }) => names), [["taken", "undelegated"], ["first"]]);
  },
  { env: { RATE_LIMIT: "2" }, now: () => Date.now() + ahead },
);

onPage(
  "a list waits in the queue of a slow registry without an unknown cell, while quick registries answer",
  async ({ page, lab }) => {
    const names = Array.from({ length: 10 }, (_, place) => `held-back-${place}`);
    for (const name of names) {
      lab.script(`${name}.app`, { dns: "nxdomain", rdap: "free", delayMs: 1_500 });
    }
    await page.goto(`/?q=${names.join("+")}`);
    await appears(page.getByText(/^\d+ to go, /));
    await appears(
      cell(page, "held-back-9.com").and(page.getByRole("button", { name: /Available/ })),
    );
    await domainsDone(page);
    const cells = await cellsOn(page);
    assertEquals(cells.filter((label) => label?.includes("Unknown")), []);
  },
  { env: { TLDS: "com,dev,app", RATE_LIMIT: "60" } },
);
