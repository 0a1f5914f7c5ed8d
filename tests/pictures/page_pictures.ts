/** `deno task picture:page`: the pictures of the page in README, on the lab so that they are reproducible. */
import { hostPolicy } from "../../src/rules/tables/hosts.ts";
import { browse, launch } from "../browser/browse.ts";
import { settled, type } from "../browser/rows.ts";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import type { NameRow } from "../lab/names.ts";
import { runJob } from "../support/run_job.ts";
import { startService } from "../support/service.ts";

const FOLDER = new URL("../../.github/pictures/", import.meta.url);
const DESKTOP = { viewport: { width: 1180, height: 900 } };
const NAME = "river-stone";
/** Each state once in the visible part; every other TLD is available. */
const ROWS: readonly NameRow[] = [
  { name: `${NAME}.com`, dns: "delegated", rdap: "registered" },
  { name: `${NAME}.org`, dns: "nxdomain", rdap: "registeredUndelegated" },
  { name: `${NAME}.io`, dns: "nxdomain", rdap: "premium" },
  { name: `${NAME}.dev`, dns: "delegated", rdap: "registered" },
  { name: `${NAME}.biz`, dns: "nxdomain", rdap: "unavailable503" },
  { name: `${NAME}.bot`, dns: "nxdomain", rdap: "reserved" },
];

await using lab = await startLab({ dnsDelayMs: 20, latency: "real", names: ROWS });
await using chain = await startChain({ names: [] });
await using browser = await launch();
for (const colorScheme of ["light", "dark"] as const) {
  await using service = await startService(lab, {
    env: { ...chain.env, RATE_LIMIT: "60" },
    paceOf: hostPolicy,
  });
  // Tests the registries and reads the prices first, as a running service has done.
  await service.services.renewCanaries();
  await runJob(service, "refresh_prices");
  const options = { deviceScaleFactor: 1.5, ...DESKTOP, colorScheme };
  await using browsing = await browse(browser, service.url, options);
  const { page } = browsing;
  await page.goto("/");
  await type(page, `${NAME}.xyz`);
  await settled(page, NAME);
  // The progress bar fades out once it is full.
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: new URL(`page-${colorScheme}.png`, FOLDER).pathname });
}
