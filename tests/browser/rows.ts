/// <reference lib="dom" />
import type { Locator, Page, Route } from "playwright-core";
import { until } from "../support/until.ts";

/** Playwright's own `waitFor()` looks every 500 ms in the end. Looking every 10 ms slows a large page down. */
const PAUSE_MS = 40;

/** Resolves once the one element is visible. */
export function appears(locator: Locator): Promise<void> {
  return until(`${locator} appears`, () => locator.isVisible(), PAUSE_MS);
}

/** Resolves once the one element is in the document, visible or not. */
export function attached(locator: Locator): Promise<void> {
  return until(`${locator} is attached`, async () => await locator.count() === 1, PAUSE_MS);
}

/** The text of an element, with one space for each gap. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent() ?? "").replaceAll(/\s+/g, " ").trim();
}

/** The visible rows from top to bottom, as "domain: state". */
export async function rowsOn(page: Page): Promise<string[]> {
  return await page.locator("#rows > li:visible").evaluateAll((rows) =>
    rows.map((row) =>
      `${row.querySelector(".domain")?.textContent}: ${row.querySelector(".state")?.textContent}`
    )
  );
}

/** Where the rows are. */
export async function topsOn(page: Page): Promise<number[]> {
  return await page.locator("#rows > li").evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().y)
  );
}

/** The row of a TLD. */
export function rowOn(page: Page, tld: string) {
  return page.locator("#rows > li").filter({
    has: page.locator(".tld", { hasText: new RegExp(`^\\.${tld}$`) }),
  });
}

/** The domain that was asked for, in its sentence. */
export const headingOn = (page: Page) => textOf(page.locator("#answer h2"));

/** How many rows there are of each state. */
export const summaryOn = (page: Page) => textOf(page.locator("#summary"));

/** What follows the question mark in the page's address. */
export const queryOn = (page: Page) => new URL(page.url()).search.slice(1);

/** By how many pixels the page is wider than its window. */
export const beyondOn = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The domain of the focused row, the text of a focused control, or the id of the field. */
export const focusOn = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement?.matches("li")) return activeElement.querySelector(".domain")?.textContent;
    return activeElement?.id || activeElement?.textContent?.trim();
  });

/** Presses arrow keys; returns where the focus was after each. */
export async function walkOn(page: Page, keys: string): Promise<unknown[]> {
  const walk = [];
  for (const key of keys.split(" ")) {
    await page.keyboard.press(`Arrow${key}`);
    walk.push(await focusOn(page));
  }
  return walk;
}

/** What was copied last; the page must be granted the clipboard. */
export const copiedOn = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Lets the page read and write the clipboard. */
export const grantClipboard = (page: Page) =>
  page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

/** Enters a text at once. On a busy machine keys arrive so far apart that the page takes the typist for resting. */
export async function enter(page: Page, text: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(text);
}

/** Pastes a text into the field, as the browser does. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).evaluate((field, text) => {
    if (!(field instanceof HTMLTextAreaElement)) throw new TypeError("The field has one line");
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }));
  }, text);
}

/** Enters a text at once and presses Enter. */
export async function submit(page: Page, text: string): Promise<void> {
  await enter(page, text);
  await page.keyboard.press("Enter");
}

/** Resolves once every domain of the search has its answer. */
export async function domainsDone(page: Page): Promise<void> {
  await appears(page.locator("#results.done"));
}

/** Resolves once every row of a name has its answer. */
export async function settled(page: Page, name: string): Promise<void> {
  const label = page.locator("#rows .label", { hasText: new RegExp(`^${name}$`) });
  await appears(page.locator("#results.done", { has: label }));
}

/** Opens the page at a search for one name, and waits for its rows. */
export async function open(page: Page, typed: string): Promise<void> {
  await page.goto(`/?q=${typed}`);
  await settled(page, typed.split(/[.&]/)[0] ?? "");
}

/** Opens the menu of a button, and closes an open one first. Resolves once it shows an element. */
export async function openMenu(page: Page, button: string, shown = ".domain"): Promise<Locator> {
  const menu = page.locator("#menu");
  if (await menu.isVisible()) await page.keyboard.press("Escape");
  await page.getByRole("button", { name: button }).last().click();
  await appears(menu.locator(shown).first());
  return menu;
}

/** The requests for domains, but for those that ask DNS alone. */
export const CHECKS = /\d\/check\?evidence=1$/;

/** What the page asks of `/check`, from now on: the names, and "dns" if no registry is asked. */
export function watchChecks(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname !== "/check") return;
    asked.push(`${request.postDataJSON().names}${search === "?depth=dns" ? " dns" : ""}`);
  });
  return asked;
}

/** A row of `/check` for a domain whose registry is busy. */
export function busyRow(domain: string) {
  const error = "rdap.example is rate-limiting us";
  const times = { source: "rdap", checkedAt: "2026-01-01T00:00:00.000Z", responseMs: 5 };
  return { domain, tld: domain.split(".")[1], state: "unknown", error, ...times };
}

/** Answers the next request for domains with rows, or with parts of such a stream as they are. */
export async function answerChecks(
  page: Page,
  rows: readonly unknown[],
  { end = sentEvent("summary", { count: rows.length }), times = 1, headers = {} } = {},
): Promise<void> {
  const body = rows.map((row) => sentEvent("result", row)).join("") + end;
  const stream = { contentType: "text/event-stream", body, headers };
  await page.route(CHECKS, (route: Route) => route.fulfill(stream), { times });
}

/** An event of a stream. */
export function sentEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
