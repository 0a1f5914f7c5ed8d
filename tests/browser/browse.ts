import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findChromium } from "./chromium.ts";

const TIMEOUT_MS = 20_000;

/** Chromium with one page. */
export interface Browsing extends AsyncDisposable {
  page: Page;
  /** Errors on the console, exceptions, and requests to other origins. */
  faults: string[];
}

/** Opens a page in Chromium that may only send requests to `origin`. */
export async function browse(
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Browsing> {
  const browser = await launch();
  const context = await browser.newContext({ baseURL: origin, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(`${error}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`request to ${request.url()}`);
  });
  return { page, faults, [Symbol.asyncDispose]: () => browser.close() };
}

function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("Cannot browse: Chromium not found");
  return chromium.launch({ executablePath });
}
