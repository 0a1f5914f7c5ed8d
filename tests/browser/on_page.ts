import { assertEquals } from "@std/assert";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startChain } from "../lab/chain/chain.ts";
import type { Lab } from "../lab/lab.ts";
import { onLab, type World } from "../support/on_lab.ts";
import { browse, findChromium, launch } from "./browse.ts";
import { createSearchPage, type SearchPage } from "./rows.ts";

/** What a browser test uses. */
export interface Scene {
  page: Page;
  search: SearchPage;
  lab: Lab;
  service: World;
}

/** Options of a scene. */
export interface SceneOptions {
  /** How the browser is set up; by default it prefers reduced motion. */
  browser?: BrowserContextOptions;
  /** The service's environment. */
  env?: Record<string, string>;
  /** The response for any .eth name; with `chain` the service asks a test chain. */
  eth?: "chain" | Record<string, unknown>;
  /** Errors that the test expects. */
  allowed?: RegExp;
  /** The test's time limit, if not the usual one. */
  timeoutMs?: number;
}

/** TLDs of both types, whose registries need no pause between queries. */
const TLDS = "cc,com,net,org,site,tech,tv";

/** The answer for a .eth name that is available. */
export const AVAILABLE_ETH = {
  name: "any.eth",
  available: true,
  registrationPrice: { wei: "2000000000002233", eth: "0.002000000000002233", usdEstimate: 5 },
  responseMs: 45,
  source: "rpc",
  checkedAt: "2026-01-01T00:00:00.000Z",
};

/**
 * Answers the page's requests for any .eth name, from its next document on. A route would have every request of the
 * page pass through the test, and switch the browser's cache off.
 */
export async function answerEth(page: Page, answer: Record<string, unknown>): Promise<void> {
  await page.addInitScript((answer) => {
    const { fetch } = globalThis;
    globalThis.fetch = (url, init) =>
      `${url}`.startsWith("/v1/ens/check?")
        ? Promise.resolve(Response.json(answer))
        : fetch(url, init);
  }, answer);
}

const isSkipped = findChromium() === undefined;
/** One Chromium for all tests of a file; each gets a context of its own. */
let chromium: Browser;
if (!isSkipped) {
  Deno.test.beforeAll(async () => {
    chromium = await launch();
  });
  Deno.test.afterAll(() => chromium.close());
}

/** Registers a test of the page in Chromium, on the service and the lab; without Chromium it is skipped, with a hint. */
export function onPage(
  name: string,
  run: (scene: Scene) => Promise<void>,
  { browser = {}, env = {}, eth = AVAILABLE_ETH, allowed, timeoutMs }: SceneOptions = {},
): void {
  const hint = isSkipped ? " (skipped: no Chromium found; install it, or set CHROMIUM)" : "";
  Deno.test({
    name: `in the browser, ${name}${hint}`,
    ignore: isSkipped,
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    async fn() {
      await using chain = eth === "chain" ? await startChain() : undefined;
      await onLab(async (service) => {
        // Drawing transitions takes a tenth of the CPU.
        const context = { reducedMotion: "reduce", ...browser } as const;
        await using opened = await browse(chromium, service.url, context);
        const { page, faults } = opened;
        if (eth !== "chain") await answerEth(page, eth);
        await run({ page, search: createSearchPage(page), lab: service.lab, service });
        assertEquals(faults.filter((fault) => !allowed?.test(fault)), []);
      }, { env: { TLDS, ...chain?.env, ...env } });
    },
  });
}
