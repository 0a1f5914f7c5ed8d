/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { appears } from "./appears.ts";

/** The visible rows from top to bottom, as "domain: state". */
export async function rowsOn(page: Page): Promise<string[]> {
  return await page.locator("#rows > li:visible").evaluateAll((rows) =>
    rows.map((row) =>
      `${row.querySelector(".domain")?.textContent}: ${row.querySelector(".state")?.textContent}`
    )
  );
}

/** The row of a TLD. */
export function rowOn(page: Page, tld: string) {
  return page.locator("#rows > li").filter({
    has: page.locator(".tld", { hasText: new RegExp(`^\\.${tld}$`) }),
  });
}

/** How many rows there are of each state. */
export async function summaryOn(page: Page): Promise<string> {
  return (await page.locator("#summary").textContent() ?? "").replaceAll("\u00a0", " ");
}

/** Types a name key by key. */
export async function type(page: Page, name: string): Promise<void> {
  const input = page.getByLabel("Name", { exact: true });
  await input.fill("");
  await input.pressSequentially(name, { delay: 20 });
}

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

/** A row of `/check` for a domain whose registry is busy. */
export function busyRow(domain: string, retryAfter?: number) {
  const error = "rdap.example is rate-limiting us";
  const times = { source: "rdap", checkedAt: "2026-01-01T00:00:00.000Z", responseMs: 5 };
  return { domain, tld: domain.split(".")[1], state: "unknown", error, retryAfter, ...times };
}

/** The response for a name that `/check` streams: its rows, or parts of such a response as they are. */
export function streamed(name: string, rows: readonly unknown[], end?: string) {
  const events = rows.map((row) => sentEvent("result", row));
  const summary = end ?? sentEvent("summary", { name, count: rows.length });
  return { contentType: "text/event-stream", body: [...events, summary].join("") };
}

function sentEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
