import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findChromium } from "./chromium.ts";

const PATIENCE_MS = 20_000;

/** Chromium with one page, and what went wrong in it. */
export interface Browsing extends AsyncDisposable {
  page: Page;
  /** Errors on the console and exceptions, and requests to anybody but `origin`. */
  faults: string[];
}

/** Opens a page in Chromium. `origin` is where the page comes from, and the only place that it may ask. */
export async function browse(
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Browsing> {
  const browser = await launch();
  const context = await browser.newContext({ baseURL: origin, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(`${error}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`asked ${request.url()}`);
  });
  return { page, faults, [Symbol.asyncDispose]: () => browser.close() };
}

function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("Cannot browse: there is no Chromium");
  return chromium.launch({ executablePath });
}
