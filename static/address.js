// @ts-check
/// <reference lib="dom" />
/** The page's address: it says which name is shown, so that it can be shared and gone back to. */

/** Whether the next name is a new entry of the history: there is one for each wish, not for each pause in typing. */
let isWishDone = true;

/** The next name that is shown is another wish, and not the same one typed further. */
export function endWish() {
  isWishDone = true;
}

/** What the address says; null where it names nothing. */
export function readAddress() {
  return new URLSearchParams(location.search).get("q");
}

/**
 * Has the address say a name, or nothing.
 * @param {string} typed
 */
export function writeAddress(typed) {
  const path = typed === "" ? "/" : `/?${new URLSearchParams({ q: typed })}`;
  if (path === location.pathname + location.search) return;
  history[isWishDone ? "pushState" : "replaceState"](null, "", path);
  isWishDone = false;
}
