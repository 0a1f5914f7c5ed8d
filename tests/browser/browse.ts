import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const TIMEOUT_MS = 20_000;

/**
 * The address bar of each window loads two pages of its own: a third of the CPU that a test of a page takes. Chromium reads the last
 * flag of a name only, so this one replaces Playwright's: none of its features reaches a page of one origin.
 */
const ADDRESS_BAR = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup";

/** A page in Chromium. */
export interface Browsing extends AsyncDisposable {
  page: Page;
  /** Errors on the console, exceptions, and requests to other origins. */
  faults: string[];
}

/** Opens a page that may only send requests to `origin`, in a context of its own: no storage and no cache is shared. */
export async function browse(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Browsing> {
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
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** Starts Chromium, which takes longer than most tests of a page. */
export function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("Cannot browse: Chromium not found");
  return chromium.launch({ executablePath, args: [`--disable-features=${ADDRESS_BAR}`] });
}

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of Chromium: `CHROMIUM`, or a usual place; undefined if there is none. */
export function findChromium(): string | undefined {
  const configured = Deno.env.get("CHROMIUM");
  return (configured ? [configured] : PLACES).find((path) => existsSync(path));
}
