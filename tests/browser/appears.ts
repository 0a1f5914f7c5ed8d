import type { Locator } from "playwright-core";
import { until } from "../support/until.ts";

/** Playwright's own `waitFor()` comes to look every 500 ms only. A shorter pause than this would slow the page down. */
const PAUSE_MS = 40;

/** Resolves once the one element is visible. */
export function appears(locator: Locator): Promise<void> {
  return until(`${locator} appears`, () => locator.isVisible(), PAUSE_MS);
}

/** Resolves once the one element is in the document, visible or not. */
export function attached(locator: Locator): Promise<void> {
  return until(`${locator} is attached`, async () => await locator.count() === 1, PAUSE_MS);
}

/** Resolves once no such element is in the document. */
export function detached(locator: Locator): Promise<void> {
  return until(`${locator} is detached`, async () => await locator.count() === 0, PAUSE_MS);
}
