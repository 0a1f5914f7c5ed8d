/** `deno task picture:page`: the pictures of the page in README and `.github/docs/api.md`, on the lab so that they are reproducible. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { hostPolicy } from "../../src/rules/tables/host_policies.ts";
import { browse } from "../browser/browse.ts";
import { domainsDone, rowOn, settled, submit, type } from "../browser/rows.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import type { NameRow } from "../lab/names.ts";
import { runJob } from "../support/run_job.ts";
import { startService } from "../support/service.ts";
import { launch } from "../browser/browse.ts";

const FOLDER = new URL("../../.github/pictures/", import.meta.url);
const DESKTOP = { viewport: { width: 1180, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const NAME = "river-stone";
const NAMES = [NAME, "northbeam", "lanternwick", "quietfjord", "café"];
/** Each state once in the visible part; every other TLD is available. */
const ROWS: readonly NameRow[] = [
  { name: `${NAME}.com`, dns: "delegated", rdap: "registered" },
  { name: `${NAME}.org`, dns: "nxdomain", rdap: "registeredUndelegated" },
  { name: `${NAME}.io`, dns: "nxdomain", rdap: "premium" },
  { name: `${NAME}.dev`, dns: "delegated", rdap: "registered" },
  { name: `${NAME}.biz`, dns: "nxdomain", rdap: "unavailable503" },
  { name: `${NAME}.bot`, dns: "nxdomain", rdap: "reserved" },
  { name: "northbeam.com", dns: "delegated", rdap: "registered" },
  { name: "northbeam.io", dns: "delegated", rdap: "registered" },
  { name: "northbeam.app", dns: "delegated", rdap: "registered" },
  { name: "riverstone", dns: "delegated", rdap: "registered" },
  { name: "getriver-stone.com", dns: "delegated", rdap: "registered" },
];

/** A picture: how the browser and the service are set up, and what is done on the page. */
interface Picture {
  name: string;
  options: BrowserContextOptions;
  prepare: (page: Page) => Promise<unknown>;
}

async function showName(page: Page): Promise<void> {
  await page.goto("/");
  await type(page, `${NAME}.xyz`);
  await settled(page, NAME);
}

const PICTURES: readonly Picture[] = [
  { name: "page-light", options: { ...DESKTOP, colorScheme: "light" }, prepare: showName },
  { name: "page-dark", options: { ...DESKTOP, colorScheme: "dark" }, prepare: showName },
  { name: "page-phone", options: PHONE, prepare: showName },
  {
    name: "page-grid",
    options: { viewport: { width: 1180, height: 420 } },
    async prepare(page) {
      await page.goto(`/?q=${NAMES.join("+")}`);
      await domainsDone(page);
    },
  },
  {
    name: "page-shortlist",
    options: { viewport: { width: 1180, height: 460 } },
    async prepare(page) {
      await page.goto("/");
      // As if it had been opened on the day before.
      const seen = { state: "taken", at: Date.now() - 86_400_000 };
      const entries = [{ domain: "quietfjord.dev", note: "", before: seen, last: seen }];
      await page.evaluate((entries) => {
        localStorage.setItem("shortlist-entries", JSON.stringify(entries));
      }, entries);
      await page.reload();
      for (const domain of ["lanternwick.com", `${NAME}.io`, "quietfjord.dev", "northbeam.com"]) {
        const [name = "", tld = ""] = domain.split(".");
        await submit(page, domain);
        await settled(page, name);
        await rowOn(page, tld).getByRole("button", { name: `Shortlist ${domain}` }).click();
      }
      await page.getByRole("link", { name: /Shortlist/ }).click();
      await domainsDone(page);
      await page.getByLabel("Note on lanternwick.com").fill("Ada’s favourite");
      await page.getByLabel("Note on lanternwick.com").blur();
    },
  },
  {
    name: "page-variants",
    options: { viewport: { width: 1180, height: 420 } },
    async prepare(page) {
      await page.goto(`/?q=${NAME}`);
      await settled(page, NAME);
      await page.getByRole("link", { name: `${NAME}labs.com Available` }).waitFor();
      await page.locator("#variants").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "page-first",
    options: { viewport: { width: 1180, height: 560 } },
    prepare: (page) => page.goto("/"),
  },
  {
    name: "page-waiting",
    options: { viewport: { width: 1180, height: 640 } },
    async prepare(page) {
      const more = Array.from({ length: 40 }, (_, place) => `idea-${place + 1}`);
      await page.goto(`/?q=${[...NAMES, ...more].join("+")}`);
      await page.getByRole("button", { name: "idea-6.com: Available" }).waitFor();
    },
  },
  {
    name: "page-no-javascript",
    options: { ...DESKTOP, javaScriptEnabled: false },
    prepare: (page) => page.goto(`/search?q=${NAME}`),
  },
];

await using lab = await startLab({ dnsDelayMs: 20, latency: "real", names: ROWS });
await using chain = await startChain({ names: [] });
await using browser = await launch();
for (const { name, options, prepare } of PICTURES) {
  await using service = await startService(lab, {
    env: { ...chain.env, RATE_LIMIT: "60" },
    paceOf: hostPolicy,
  });
  // Tests the registries and reads the prices first, as a running service has done.
  await service.services.renewCanaries();
  await runJob(service, "refresh_prices");
  await using browsing = await browse(browser, service.url, { deviceScaleFactor: 1.5, ...options });
  const { page } = browsing;
  await prepare(page);
  // The progress bar fades out once it is full.
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: new URL(`${name}.png`, FOLDER).pathname });
}
