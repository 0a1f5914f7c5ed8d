// @ts-check
/// <reference lib="dom" />
/** Lists that this browser keeps between visits. */

/** What the browser has; undefined if it has nothing, or lets the page have nothing. @param {string} key @returns {unknown[] | undefined} */
export function readKept(key) {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "");
    return Array.isArray(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps a list if the browser lets the page: without storage it lasts as long as the page.
 * @param {string} key
 * @param {readonly unknown[]} list
 */
export function keep(key, list) {
  try {
    localStorage.setItem(key, JSON.stringify(list));
  } catch {
    // The caller has the list in memory.
  }
}
