import { assertEquals, assertMatch } from "@std/assert";
import { appears } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { enter, rowOn, rowsOn, settled, streamed, type } from "./rows.ts";

/** A clock that a test can advance. */
function clock() {
  let ahead = 0;
  return { now: () => Date.now() + ahead, skip: (ms: number) => void (ahead += ms) };
}

const limited = clock();

onPage(
  "a rate limit shows a countdown, after which the search continues",
  async ({ page, service }) => {
    await page.clock.install();
    await page.goto("/");
    await service.get("/tlds");
    limited.skip(10_000);
    await enter(page, "taken");
    await appears(page.getByText(/Rate limit reached\. Continuing in \d+ s\./));
    assertEquals(
      new Set((await rowsOn(page)).map((row) => row.split(": ")[1])),
      new Set(["Waiting"]),
    );
    assertEquals(await page.locator("#quota").textContent(), "0 requests left this minute");
    limited.skip(60_000);
    await page.clock.fastForward(51_000);
    await settled(page, "taken");
    assertEquals(await page.locator("#error").isVisible(), false);
    assertMatch(await rowOn(page, "com").locator(".state").textContent() ?? "", /Taken/);
  },
  { env: { RATE_LIMIT: "1" }, now: limited.now, allowed: /429/ },
);

const stepwise = clock();

onPage(
  "after a rate limit only the missing answers are requested",
  async ({ page, service }) => {
    const sent: string[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith("/check")) sent.push(`${pathname} ${response.status()}`);
    });
    const pass = async (seconds: number) => {
      stepwise.skip(seconds * 1_000);
      await page.clock.fastForward((seconds + 1) * 1_000);
    };
    const waiting = (tld: string) => appears(rowOn(page, tld).getByText("Waiting"));
    await page.clock.install();
    // Requests 40 s apart expire 40 s apart, and a search needs two: each time only one is sent.
    await service.get("/tlds");
    stepwise.skip(40_000);
    await service.get("/tlds");
    await page.goto("/");
    await enter(page, "taken");
    await waiting("eth");
    await pass(20);
    await appears(rowOn(page, "com").getByText("Taken", { exact: true }));
    await waiting("eth");
    await pass(40);
    await settled(page, "taken");
    assertEquals(await page.locator("#error").isVisible(), false);
    assertEquals(sent, ["/check 429", "/check 200", "/v1/ens/check 429", "/v1/ens/check 200"]);
  },
  { env: { RATE_LIMIT: "2" }, now: stepwise.now, allowed: /429/, eth: "chain" },
);

onPage(
  "being offline is reported, and the search continues once the browser is online",
  async ({ page }) => {
    await page.goto("/");
    await page.context().setOffline(true);
    await enter(page, "taken");
    await appears(page.locator("#error", { hasText: "You are offline." }));
    await page.context().setOffline(false);
    await settled(page, "taken");
    assertEquals(await page.locator("#error").isVisible(), false);
  },
  { allowed: /ERR_INTERNET_DISCONNECTED/ },
);

onPage(
  "a service that cannot be reached is reported, with a button to try again",
  async ({ page }) => {
    await page.goto("/");
    await page.route("**/check?**", (route) => route.abort("connectionrefused"));
    await enter(page, "taken");
    await appears(page.locator("#error", { hasText: "Cannot reach the service." }));
    await page.unroute("**/check?**");
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await settled(page, "taken");
    assertEquals(await page.locator("#error").isVisible(), false);
  },
  { allowed: /ERR_CONNECTION_REFUSED/ },
);

onPage(
  "a captive portal's response is reported, with a button to try again",
  async ({ page }) => {
    for (const body of ["<!doctype html>\n<p>Log in first.</p>\n", "null\n", '{"login":"/"}\n']) {
      await page.goto("/");
      await page.route("**/check?**", (route) => route.fulfill({ body }));
      await enter(page, "taken");
      const again = page.getByRole("button", { name: "Try again", exact: true });
      await appears(again);
      assertEquals((await rowsOn(page)).filter((row) => row.endsWith("Checking")), [], body);
      await page.unroute("**/check?**");
      await again.click();
      await settled(page, "taken");
      assertEquals(await page.locator("#error").isVisible(), false);
    }
  },
);

onPage("a service that is down when the page opens is reported", async ({ page }) => {
  await page.route("**/tld-offers.json", (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto("/?q=taken");
  await appears(page.locator("#error", { hasText: "The service answered 503." }));
  await page.unroute("**/tld-offers.json");
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await settled(page, "taken");
}, { allowed: /503/ });

onPage(
  "a stream that is cut twice leaves the other rows unknown, each with a retry button",
  async ({ page, service }) => {
    const row = await service.check("taken.com");
    const cut = /\/check\?(?:name=taken&)?evidence=1$/;
    await page.route(
      cut,
      (route) => route.fulfill(streamed("taken", [row], 'event: result\ndata: {"dom')),
    );
    await page.goto("/?q=taken");
    await appears(page.getByText("The connection was lost").first());
    const rows = await rowsOn(page);
    assertEquals(rows.slice(0, 2), ["taken.com: Taken", "taken.net: Unknown"]);
    await page.unroute(cut);
    await rowOn(page, "net").getByRole("button", { name: "Try again for taken.net" }).click();
    await appears(rowOn(page, "net").getByText("Taken", { exact: true }));
  },
);

onPage("an invalid name is reported at the field", async ({ page }) => {
  await page.goto("/");
  await type(page, ".com");
  await appears(page.getByText("Type the name before the dot."));
  assertEquals(await page.locator("#name").getAttribute("aria-invalid"), "true");
  assertEquals(await page.locator("#results").isVisible(), false);
  await type(page, "name");
  await settled(page, "name");
  assertEquals(await page.locator("#name").getAttribute("aria-invalid"), "false");
});

onPage("a single letter is checked on Enter only", async ({ page, lab }) => {
  await page.goto("/");
  await enter(page, "t");
  await enter(page, "taken");
  await settled(page, "taken");
  assertEquals(lab.dnsQueries.some(({ name }) => name === "t.com"), false);
  await enter(page, "t");
  await page.keyboard.press("Enter");
  await settled(page, "t");
  assertEquals(lab.dnsQueries.some(({ name }) => name === "t.com"), true);
});
