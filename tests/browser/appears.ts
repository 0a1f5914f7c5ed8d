import type { Locator } from "playwright-core";
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

/** Resolves once no such element is in the document. */
export function detached(locator: Locator): Promise<void> {
  return until(`${locator} is detached`, async () => await locator.count() === 0, PAUSE_MS);
}
