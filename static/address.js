// @ts-check
/// <reference lib="dom" />
/** The page's URL: it holds the name, for sharing and for the browser's history. */

/** Whether the next name adds an entry to the history: one per search, not per pause in typing. */
let isSearchDone = true;

/** Makes the next name a search of its own, not the same one typed further. */
export function endSearch() {
  isSearchDone = true;
}

/** The name in the URL; null if there is none. */
export function readAddress() {
  return new URLSearchParams(location.search).get("q");
}

/**
 * Puts a name into the URL, or removes it.
 * @param {string} name
 */
export function writeAddress(name) {
  const path = name === "" ? "/" : `/?${new URLSearchParams({ q: name })}`;
  if (path === location.pathname + location.search) return;
  history[isSearchDone ? "pushState" : "replaceState"](null, "", path);
  isSearchDone = false;
}
