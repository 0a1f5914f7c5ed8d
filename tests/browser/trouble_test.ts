import { assertEquals, assertMatch } from "@std/assert";
import { onPage } from "./on_page.ts";
import { rowOn, rowsOn, settled, type } from "./rows.ts";

/** A clock that a test can set forward. */
function clock() {
  let ahead = 0;
  return { now: () => Date.now() + ahead, skip: (ms: number) => void (ahead += ms) };
}

const limited = clock();

onPage(
  "the limit is told with a countdown, and the search goes on by itself when it is over",
  async ({ page, service }) => {
    await page.clock.install();
    await page.goto("/");
    await service.get("/tlds");
    limited.skip(10_000);
    await type(page, "taken");
    await page.getByText(/No request is left for the moment\. This goes on by itself in \d+ s\./)
      .waitFor();
    assertEquals(
      new Set((await rowsOn(page)).map((row) => row.split(": ")[1])),
      new Set(["Waiting"]),
    );
    assertEquals(await page.locator("#allowance").textContent(), "0 of 1 requests left");
    limited.skip(60_000);
    await page.clock.fastForward(51_000);
    await settled(page, "taken");
    assertEquals(await page.locator("#trouble").isVisible(), false);
    assertMatch(await rowOn(page, "com").locator(".state").textContent() ?? "", /Taken/);
  },
  { env: { RATE_LIMIT: "1" }, now: limited.now, allowed: /429/ },
);

const stepwise = clock();

onPage(
  "after the limit only what is still missing is asked for, however few requests come free",
  async ({ page, service }) => {
    const asked: string[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith("/check")) asked.push(`${pathname} ${response.status()}`);
    });
    const pass = async (seconds: number) => {
      stepwise.skip(seconds * 1_000);
      await page.clock.fastForward((seconds + 1) * 1_000);
    };
    const waiting = (tld: string) => rowOn(page, tld).getByText("Waiting").waitFor();
    await page.clock.install();
    // What was asked 40 s apart comes free 40 s apart: one request each time, where a search takes two.
    await service.get("/tlds");
    stepwise.skip(40_000);
    await service.get("/tlds");
    await page.goto("/");
    await type(page, "taken");
    await waiting("eth");
    await pass(20);
    await rowOn(page, "com").getByText("Taken", { exact: true }).waitFor();
    await waiting("eth");
    await pass(40);
    await settled(page, "taken");
    assertEquals(await page.locator("#trouble").isVisible(), false);
    assertEquals(asked, ["/check 429", "/check 200", "/v1/ens/check 429", "/v1/ens/check 200"]);
  },
  { env: { RATE_LIMIT: "2" }, now: stepwise.now, allowed: /429/, eth: "chain" },
);

onPage(
  "being offline is told, and the search goes on by itself once that is over",
  async ({ page }) => {
    await page.goto("/");
    await page.context().setOffline(true);
    await type(page, "taken");
    await page.locator("#trouble", { hasText: "You are offline." }).waitFor();
    await page.context().setOffline(false);
    await settled(page, "taken");
    assertEquals(await page.locator("#trouble").isVisible(), false);
  },
  { allowed: /ERR_INTERNET_DISCONNECTED/ },
);

onPage("a service that cannot be reached is told, with a button to try again", async ({ page }) => {
  await page.goto("/");
  await page.route("**/check?**", (route) => route.abort("connectionrefused"));
  await type(page, "taken");
  await page.locator("#trouble", { hasText: "The service cannot be reached." }).waitFor();
  await page.unroute("**/check?**");
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await settled(page, "taken");
  assertEquals(await page.locator("#trouble").isVisible(), false);
}, { allowed: /ERR_CONNECTION_REFUSED/ });

onPage(
  "what a network answers in the service's place is told, with a button to try again",
  async ({ page }) => {
    for (const body of ["<!doctype html>\n<p>Log in first.</p>\n", "null\n", '{"login":"/"}\n']) {
      await page.goto("/");
      await page.route("**/check?**", (route) => route.fulfill({ body }));
      await type(page, "taken");
      const again = page.getByRole("button", { name: "Try again", exact: true });
      await again.waitFor();
      assertEquals((await rowsOn(page)).filter((row) => row.endsWith("Checking")), [], body);
      await page.unroute("**/check?**");
      await again.click();
      await settled(page, "taken");
      assertEquals(await page.locator("#trouble").isVisible(), false);
    }
  },
);

onPage("a service that is down when the page opens is told too", async ({ page }) => {
  await page.route("**/endings.json", (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto("/?q=taken");
  await page.locator("#trouble", { hasText: "The service answered 503." }).waitFor();
  await page.unroute("**/endings.json");
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await settled(page, "taken");
}, { allowed: /503/ });

onPage(
  "a stream that breaks off leaves the rest untold, each row with a try of its own",
  async ({ page, service }) => {
    const row = await service.check("taken.com");
    await page.route("**/check?name=taken", (route) =>
      route.fulfill({
        contentType: "application/x-ndjson",
        body: `${JSON.stringify(row)}\n{"dom`,
      }));
    await page.goto("/?q=taken");
    await page.getByText("the answer broke off").first().waitFor();
    const rows = await rowsOn(page);
    assertEquals(rows.slice(0, 2), ["taken.com: Taken", "taken.net: Could not tell"]);
    await rowOn(page, "net").getByRole("button", { name: "Try again for taken.net" }).click();
    await rowOn(page, "net").getByText("Taken", { exact: true }).waitFor();
  },
);

onPage(
  "a name that cannot be is told at the field, by the page or by the service",
  async ({ page }) => {
    await page.goto("/");
    const hint = page.locator("#hint");
    await type(page, "bücher");
    await page.getByText("Use letters a–z, digits and hyphens only.").waitFor();
    assertEquals(await page.locator("#name").getAttribute("aria-invalid"), "true");
    await type(page, "-name");
    await page.locator("#hint", { hasText: "Remove the hyphen" }).waitFor();
    assertEquals(await page.locator("#outcome").isVisible(), false);
    await type(page, "name");
    await settled(page, "name");
    assertEquals(
      await hint.textContent(),
      "Letters a–z, digits and hyphens. The ending is added for you.",
    );
    assertEquals(await page.locator("#name").getAttribute("aria-invalid"), "false");
  },
  { allowed: /400/ },
);

onPage("a single letter is asked for on Enter only", async ({ page, lab }) => {
  await page.goto("/");
  await type(page, "t");
  await type(page, "taken");
  await settled(page, "taken");
  assertEquals(lab.dnsQueries.some(({ name }) => name === "t.com"), false);
  await type(page, "t");
  await page.keyboard.press("Enter");
  await settled(page, "t");
  assertEquals(lab.dnsQueries.some(({ name }) => name === "t.com"), true);
});
