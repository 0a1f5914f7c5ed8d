/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import type { RunningService } from "../support/service.ts";
import { appears } from "./appears.ts";
import { onPage } from "./on_page.ts";
import { busyRow, rowOn, rowsOn, settled, streamed } from "./rows.ts";

/** The URL of the search for domains, not that of the .eth name. */
const BUSY = /\d\/check\?name=busy&evidence=1$/;

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
  "a row whose registry pauses for long is unknown, and asked again by a click",
  async ({ page, service }) => {
    const rows = await rowsWith(service, "busy", [busyRow("busy.net", 3_600)]);
    const paths = watchChecks(page);
    await page.route(BUSY, (route) => route.fulfill(streamed("busy", rows)));
    await page.goto("/?q=busy");
    await settled(page, "busy");
    await appears(rowOn(page, "net").getByText("rdap.example is rate-limiting us"));
    await rowOn(page, "net").getByRole("button", { name: "Try again for busy.net" }).click();
    await appears(rowOn(page, "net").getByText("Available"));
    assertEquals(paths, ["/check?name=busy&evidence=1", "/check?evidence=1"]);
  },
);

onPage(
  "a stream that is cut is asked again once for its missing rows",
  async ({ page, service }) => {
    const rows = await rowsWith(service, "busy", []);
    const paths = watchChecks(page);
    await page.route(BUSY, (route) => route.fulfill(streamed("busy", rows.slice(0, 3), "")));
    await page.goto("/?q=busy");
    await settled(page, "busy");
    assertEquals((await rowsOn(page)).filter((row) => row.endsWith("Unknown")), []);
    assertEquals(paths, ["/check?name=busy&evidence=1", "/check?evidence=1"]);
  },
);

onPage(
  "a button retries the one unknown cell of a list, which has no button of its own",
  async ({ page, service }) => {
    const rows = await rowsWith(service, "busy", [busyRow("busy.net", 3_600)]);
    const all = [...rows, ...(await rowsWith(service, "free", []))];
    await page.route("**/check?*", (route) => route.fulfill(streamed("busy", all)));
    await page.goto("/?q=busy+free");
    const retry = page.getByRole("button", { name: "Retry all" });
    await appears(retry);
    assertEquals(await retry.isEnabled(), true);
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
