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

/** What a test sees and does on a page of the search. */
export type SearchPage = ReturnType<typeof createSearchPage>;

/** Creates what a test sees and does on a page of the search. */
export function createSearchPage(page: Page) {
  const field = page.getByLabel("Name", { exact: true });
  /** One menu for all rows and cells. */
  const menu = page.locator("#menu");
  const error = page.locator("#error");

  const search = {
    field,
    menu,
    error,
    /** The visible rows from top to bottom, as "domain: state". */
    rows: (): Promise<string[]> =>
      page.locator("#rows > li:visible").evaluateAll((rows) =>
        rows.map((row) =>
          [".domain", ".state"].map((part) => row.querySelector(part)?.textContent).join(": ")
        )
      ),

    /** Where the rows are. */
    tops: (): Promise<number[]> =>
      page.locator("#rows > li").evaluateAll((rows) =>
        rows.map((row) => row.getBoundingClientRect().y)
      ),

    /** The row of a TLD. */
    row: (tld: string) =>
      page.locator("#rows > li").filter({
        has: page.locator(".tld", { hasText: new RegExp(`^\\.${tld}$`) }),
      }),

    /** The domain that was asked for, in its sentence. */
    heading: () => textOf(page.locator("#answer h2")),

    /** How many rows there are of each state. */
    summary: () => textOf(page.locator("#summary")),

    /** What follows the question mark in the page's address. */
    query: () => new URL(page.url()).search.slice(1),

    /** By how many pixels the page is wider than its window. */
    beyond: () => page.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth),

    /** The domain of the focused row, the text of a focused control, or the id of the field. */
    focus: () =>
      page.evaluate(() => {
        const { activeElement: one } = document;
        if (one?.matches("li")) return one.querySelector(".domain")?.textContent;
        return one?.id || one?.textContent?.trim();
      }),

    /** Presses arrow keys; returns where the focus was after each. */
    async walk(keys: string): Promise<unknown[]> {
      const walk = [];
      for (const key of keys.split(" ")) {
        await page.keyboard.press(`Arrow${key}`);
        walk.push(await search.focus());
      }
      return walk;
    },

    /** What was copied last; the page must be granted the clipboard. */
    copied: () => page.evaluate(() => navigator.clipboard.readText()),

    /** Lets the page read and write the clipboard. */
    grantClipboard: () => page.context().grantPermissions(["clipboard-read", "clipboard-write"]),

    /** Enters a text at once. On a busy machine keys arrive so far apart that the page takes the typist for resting. */
    enter: (text: string): Promise<void> => field.fill(text),

    /** Pastes a text into the field, as the browser does. */
    paste: (text: string): Promise<void> =>
      field.evaluate((field, text) => {
        if (!(field instanceof HTMLTextAreaElement)) throw new TypeError("The field has one line");
        field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
        const pasted = { inputType: "insertFromPaste", bubbles: true };
        field.dispatchEvent(new InputEvent("input", pasted));
      }, text),

    /** Enters a text at once and presses Enter. */
    async submit(text: string): Promise<void> {
      await search.enter(text);
      await page.keyboard.press("Enter");
    },

    /** Resolves once every domain of the search has its answer. */
    done: (): Promise<void> => appears(page.locator("#results.done")),

    /** Resolves once every row of a name has its answer. */
    settled(name: string): Promise<void> {
      const label = page.locator("#rows .label", { hasText: new RegExp(`^${name}$`) });
      return appears(page.locator("#results.done", { has: label }));
    },

    /** Opens the page at a search, and waits for all its answers. */
    async open(query: string): Promise<void> {
      await page.goto(`/?q=${query}`);
      await search.done();
    },

    /** Opens the menu of a button, and closes an open one first. Resolves once it shows an element. */
    async openMenu(button: string, shown = ".domain"): Promise<Locator> {
      if (await menu.isVisible()) await page.keyboard.press("Escape");
      await page.getByRole("button", { name: button }).last().click();
      await appears(menu.locator(shown).first());
      return menu;
    },

    /** What the page asks of `/check`, from now on: the names, and "dns" if no registry is asked. */
    watchChecks(): string[] {
      const asked: string[] = [];
      page.on("request", (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname !== "/check") return;
        asked.push(`${request.postDataJSON().names}${search === "?depth=dns" ? " dns" : ""}`);
      });
      return asked;
    },

    /** Answers the next request for domains with rows, or with parts of such a stream as they are. */
    async answerChecks(
      rows: readonly unknown[],
      { end = sentEvent("summary", { count: rows.length }), times = 1, headers = {} } = {},
    ): Promise<void> {
      const body = rows.map((row) => sentEvent("result", row)).join("") + end;
      const stream = { contentType: "text/event-stream", body, headers };
      await page.route(CHECKS, (route: Route) => route.fulfill(stream), { times });
    },
  };
  return search;
}

/** The requests for domains, but for those that ask DNS alone. */
export const CHECKS = /\d\/check\?evidence=1$/;

/** A row of `/check` for a domain whose registry is busy. */
export function busyRow(domain: string) {
  const error = "rdap.example asks us to pause";
  const times = { source: "rdap", checkedAt: "2026-01-01T00:00:00.000Z", responseMs: 5 };
  return { domain, tld: domain.split(".")[1], state: "unknown", error, ...times };
}

/** An event of a stream. */
export function sentEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
