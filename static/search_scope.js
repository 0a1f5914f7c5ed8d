// @ts-check
/// <reference lib="dom" />
/** What a search covers: its domains in the order in which they are shown, as rows or as a grid; and the URL that holds it. */
import { cheapFirst, namedTlds, readChoice, shownBy } from "./tld_offers.js";

/** @import { Name, ParsedName, ParsedNames } from "./parse_input.js" */
/** @import { TldChoice, TldOffer } from "./tld_offers.js" */

/**
 * @typedef {object} Filters
 * @property {boolean} availableOnly
 * @property {TldChoice | ""} tlds "" where nothing was chosen
 * @property {"" | "price"} sort
 */

/**
 * @typedef {object} Scope
 * @property {boolean} isGrid whether there are several names, at least one of which has no TLD
 * @property {TldChoice} choice the TLDs that are shown
 * @property {readonly string[]} columns the TLDs of the names that have none
 * @property {readonly Name[]} domains
 */

/**
 * The scope of a search.
 * @param {ParsedName | ParsedNames} parsed
 * @param {readonly TldOffer[]} tlds in their usual order
 * @param {Filters} filters
 * @returns {Scope}
 */
export function scopeOf(parsed, tlds, filters) {
  const inOrder = (/** @type {readonly Name[]} */ domains) =>
    filters.sort === "price" ? cheapFirst(domains, tlds) : [...domains];
  const named = namedTlds(filters.tlds);
  if (parsed.kind === "name") {
    const { name, tld } = parsed;
    const listed = tlds.map(({ tld }) => tld);
    const domains = inOrder([...new Set([...named, ...listed])].map((tld) => ({ name, tld })));
    // The domain that was asked for has its row under any TLD.
    if (tld !== "" && !domains.some((one) => one.tld === tld)) domains.unshift({ name, tld });
    const choice = filters.tlds || "all";
    return { isGrid: false, choice, columns: domains.map(({ tld }) => tld), domains };
  }
  const { names } = parsed;
  if (names.every(({ tld }) => tld !== "")) {
    return { isGrid: false, choice: "all", columns: [], domains: inOrder(names) };
  }
  // Each .eth name costs a request of its own.
  const own = named.filter((tld) => tld !== "eth");
  const choice = own.length > 0 || filters.tlds === "all" ? filters.tlds : "popular";
  const possible = tlds.filter(({ tld }) => tld !== "eth");
  const chosen = possible.filter(shownBy(tlds, choice));
  // Few TLDs may be enabled, and none of them popular.
  const usual = (chosen.length > 0 ? chosen : possible).map(({ tld }) => tld);
  const columnTlds = own.length > 0 ? own : usual;
  const columns = inOrder(columnTlds.map((tld) => ({ name: "", tld }))).map(({ tld }) => tld);
  const domains = names.flatMap((one) =>
    one.tld === "" ? columns.map((tld) => ({ name: one.name, tld })) : [one]
  );
  return { isGrid: true, choice, columns, domains };
}

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
