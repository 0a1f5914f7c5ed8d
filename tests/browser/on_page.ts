import { existsSync } from "node:fs";
import { assertEquals } from "@std/assert";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { startChain } from "../lab/chain/chain.ts";
import type { Lab } from "../lab/lab.ts";
import { onLab, type World } from "../support/on_lab.ts";
import { createSearchPage, type SearchPage } from "./rows.ts";

const TIMEOUT_MS = 20_000;

/**
 * The address bar of each window loads two pages of its own: a third of the CPU that a test of a page takes. Chromium reads the last
 * flag of a name only, so this one replaces Playwright's: none of its features reaches a page of one origin.
 */
const ADDRESS_BAR = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup";

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

const PLACES = [
  Deno.env.get("CHROMIUM") ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const executablePath = PLACES.find(existsSync);

/** One Chromium for all tests of a file, as it starts slowly; each gets a context of its own: no storage and no cache is shared. */
let started: Browser;
if (executablePath !== undefined) {
  Deno.test.beforeAll(async () => {
    const args = [`--disable-features=${ADDRESS_BAR}`];
    started = await chromium.launch({ executablePath, args });
  });
  Deno.test.afterAll(() => started.close());
}

/** The errors on a page's console, its exceptions, and its requests to other origins. */
function faultsOf(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(`${error}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`request to ${request.url()}`);
  });
  return faults;
}

/** What registers tests of the page in Chromium, on the service and the lab; without Chromium they are skipped, with a hint. */
export function testsOnPage(
  { browser = {}, env = {}, eth = AVAILABLE_ETH, allowed, timeoutMs }: SceneOptions = {},
) {
  const isSkipped = executablePath === undefined;
  const hint = isSkipped ? " (skipped: no Chromium found; install it, or set CHROMIUM)" : "";
  const test = (name: string, run: (scene: Scene) => Promise<void>) =>
    Deno.test({
      name: `in the browser, ${name}${hint}`,
      ignore: isSkipped,
      ...(timeoutMs !== undefined && { timeout: timeoutMs }),
      async fn() {
        await using chain = eth === "chain" ? await startChain() : undefined;
        await onLab(async (service) => {
          // Drawing transitions takes a tenth of the CPU.
          const options = { baseURL: service.url, reducedMotion: "reduce", ...browser } as const;
          await using context = await started.newContext(options);
          context.setDefaultTimeout(TIMEOUT_MS);
          const page = await context.newPage();
          const faults = faultsOf(page, service.url);
          if (eth !== "chain") await answerEth(page, eth);
          await run({ page, search: createSearchPage(page), lab: service.lab, service });
          assertEquals(faults.filter((fault) => !allowed?.test(fault)), []);
        }, { env: { TLDS, ...chain?.env, ...env } });
      },
    });
  return { test };
}

/** Registers a test of the page as it is usually set up. */
export const { test } = testsOnPage();
