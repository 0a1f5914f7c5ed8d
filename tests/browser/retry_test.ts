/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import type { RunningService } from "../support/service.ts";
import { appears } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { busyRow, rowOn, rowsOn, settled, streamed } from "./rows.ts";

/** The URL of the search for domains, not that of the .eth name. */
const BUSY = /\d\/check\?name=busy&evidence=1$/;

/** The URL of requests for several domains. */
const LIST = /\d\/check\?evidence=1$/;

/** The paths of the requests for domains. */
function watchChecks(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/check") paths.push(`${pathname}${search}`);
  });
  return paths;
}

/** The service's rows for a name, some of which are replaced. */
async function rowsWith(
  service: RunningService,
  name: string,
  replaced: readonly ReturnType<typeof busyRow>[],
) {
  const { body } = await service.get(`/check?name=${name}`);
  return body.results.map((row: { domain: string }) =>
    replaced.find(({ domain }) => domain === row.domain) ?? row
  );
}

/** Where the rows are. */
const topsOn = (page: Page) =>
  page.locator("#rows > li").evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().y)
  );

onPage(
  "rows of a busy registry count down, and share one request when it is over",
  async ({ page, service }) => {
    const busy = [busyRow("busy.net", 26), busyRow("busy.tv", 25), busyRow("busy.cc", 3_600)];
    const rows = await rowsWith(service, "busy", busy);
    const paths = watchChecks(page);
    await page.clock.install();
    await page.route(BUSY, (route) => route.fulfill(streamed("busy", rows)));
    await page.goto("/?q=busy");
    await page.clock.runFor(1_000);
    await appears(rowOn(page, "net").getByText(/asked again in/));
    const shown = () => rowOn(page, "net").locator(".known").textContent();
    assertMatch(await shown() ?? "", /Waiting.*registry busy, asked again in 2[56] s/);
    assertMatch(await rowOn(page, "cc").locator(".known").textContent() ?? "", /rate-limiting us/);
    const tops = await topsOn(page);
    await page.clock.runFor(10_000);
    assertMatch(await shown() ?? "", /asked again in 1[56] s/);
    assertEquals(await topsOn(page), tops);
    await page.unroute(BUSY);
    await page.clock.runFor(16_000);
    for (const tld of ["net", "tv"]) await appears(rowOn(page, tld).getByText("Available"));
    assertEquals(await topsOn(page), tops);
    await page.clock.runFor(600_000);
    assertEquals(paths, ["/check?name=busy&evidence=1", "/check?evidence=1"]);
    assertEquals((await rowsOn(page)).filter((row) => row.endsWith("Unknown")), [
      "busy.cc: Unknown",
    ]);
  },
);

onPage(
  "a row waits while its registry is busy, and is unknown after four times, until a click",
  async ({ page, service }) => {
    const rows = await rowsWith(service, "busy", [busyRow("busy.net", 5)]);
    const paths = watchChecks(page);
    await page.clock.install();
    await page.route(BUSY, (route) => route.fulfill(streamed("busy", rows)));
    await page.route(LIST, (route) => route.fulfill(streamed("busy", [busyRow("busy.net", 5)])));
    await page.goto("/?q=busy");
    await page.clock.runFor(1_000);
    for (const times of [2, 3, 4]) {
      await appears(rowOn(page, "net").getByText("Waiting"));
      const asked = page.waitForRequest(LIST);
      await page.clock.runFor(6_000);
      await asked;
      assertEquals(paths.length, times);
    }
    await appears(rowOn(page, "net").getByText("rdap.example is rate-limiting us"));
    await settled(page, "busy");
    await page.clock.runFor(600_000);
    assertEquals(paths.length, 4);
    await rowOn(page, "net").getByRole("button", { name: "Try again for busy.net" }).click();
    await appears(rowOn(page, "net").getByText("rdap.example is rate-limiting us"));
    assertEquals(paths.length, 5);
  },
);

onPage(
  "a button retries all unknown rows with one request, and moves no row",
  async ({ page, service }) => {
    const busy = [busyRow("busy.net"), busyRow("busy.tv")];
    const rows = await rowsWith(service, "busy", busy);
    const paths = watchChecks(page);
    await page.route(BUSY, (route) => route.fulfill(streamed("busy", rows)));
    await page.goto("/?q=free");
    await settled(page, "free");
    const all = page.getByRole("button", { name: "Retry all" });
    assertEquals(await all.count(), 0);
    const tops = await topsOn(page);
    await page.goto("/?q=busy");
    await settled(page, "busy");
    assertEquals(await topsOn(page), tops);
    await page.unroute(BUSY);
    await all.click();
    await appears(rowOn(page, "tv").getByText("Available"));
    await appears(rowOn(page, "net").getByText("Available"));
    assertEquals(await all.count(), 0);
    assertEquals(await topsOn(page), tops);
    assertEquals(
      await rowOn(page, "net").evaluate((row) => row.contains(document.activeElement)),
      true,
    );
    assertEquals(paths, [
      "/check?name=free&evidence=1",
      "/check?name=busy&evidence=1",
      "/check?evidence=1",
    ]);
  },
);
