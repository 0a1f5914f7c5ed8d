// @ts-check
/// <reference lib="dom" />
/** The page's URL: it holds what was typed and the filters, for sharing and for the browser's history. */

import { readChoice } from "./tld_offers.js";

/** @import { TldChoice } from "./tld_offers.js" */

/**
 * @typedef {object} Filters
 * @property {boolean} availableOnly
 * @property {TldChoice | ""} tlds "" where nothing was chosen
 * @property {"" | "price"} sort
 */

/** Whether the next name adds an entry to the history: one per search, not per pause in typing. */
let isSearchDone = true;

/** Makes the next name a search of its own, not the same one typed further. */
export function endSearch() {
  isSearchDone = true;
}

/**
 * What the URL holds. It may have been edited by hand.
 * @returns {{ typed: string, filters: Filters }}
 */
export function readAddress() {
  const query = new URLSearchParams(location.search);
  return { typed: query.get("q") ?? "", filters: readFilters(query) };
}

/**
 * The filters of a URL; the server reads them, too.
 * @param {URLSearchParams} query
 * @returns {Filters}
 */
export function readFilters(query) {
  return {
    availableOnly: query.get("available") === "1",
    tlds: readChoice(query.get("tlds") ?? ""),
    sort: query.get("sort") === "price" ? "price" : "",
  };
}

/**
 * The address of a search; "" is the page itself.
 * @param {string} typed
 * @param {Filters} [filters]
 */
export function addressOf(typed, filters) {
  if (typed === "") return "/";
  const query = new URLSearchParams({ q: typed });
  if (filters?.availableOnly) query.set("available", "1");
  if (filters?.tlds) query.set("tlds", filters.tlds);
  if (filters?.sort) query.set("sort", filters.sort);
  // Commas may stand in a query as they are, and a link is read by people.
  return `/?${`${query}`.replaceAll("%2C", ",")}`;
}

/**
 * Puts a search and its filters into the URL.
 * @param {string} typed
 * @param {Filters} filters
 */
export function writeAddress(typed, filters) {
  const path = addressOf(typed, filters);
  if (path === location.pathname + location.search) return;
  const isSameSearch = typed === readAddress().typed;
  history[isSearchDone && !isSameSearch ? "pushState" : "replaceState"](null, "", path);
  if (!isSameSearch) isSearchDone = false;
}
