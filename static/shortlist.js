// @ts-check
/// <reference lib="dom" />
/**
 * The shortlist: domains that are kept in this browser, or for this visit only if the browser keeps nothing; how each has
 * changed, what all cost, and the list as text.
 */
import { MAX_NAMES } from "./parse_input.js";
import { isAvailable, isSettled, wordOf } from "./domain_view.js";
import { csvCell, STATE_ENTRIES } from "./vocabulary.js";

/** @import { State } from "../src/rules/verdict.ts" */
/** @import { DomainView } from "./domain_view.js" */

/**
 * @typedef {{ state: State, at: number }} Seen a state, and when it was seen, in ms since 1970
 *
 * @typedef {object} Entry
 * @property {string} domain
 * @property {string} note the user's own
 * @property {Seen} [before] the state on the last earlier day, or the first one seen
 * @property {Seen} [last] the latest state
 *
 * @typedef {{ domain: string, view: DomainView, note: string, change: string }} ListedDomain what is shown of an entry
 */

const KEY = "shortlist";
const EARLIER_KEY = "shortlist-entries";
const MAX_NOTE = 200;
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{2,63})+$/;

/**
 * Creates the shortlist.
 * @param {() => void} onChange called after each change, here or in another tab
 */
export function createShortlist(onChange) {
  let entries = readEntries();
  /** What was removed at last, which can be put back. @type {Map<string, Entry>} */
  let removed = new Map();
  /** What was ever in the list: until the page is left, a domain that comes back has its note. */
  const known = new Map(entries);

  addEventListener("storage", ({ key }) => {
    if (key !== null && key !== KEY) return;
    use(readEntries());
    removed = new Map();
    onChange();
  });

  /** @param {string} domain @returns {Entry} */
  const entryOf = (domain) => known.get(domain) ?? { domain, note: "" };

  /** @param {Map<string, Entry>} next */
  function use(next) {
    entries = next;
    for (const [domain, entry] of next) known.set(domain, entry);
  }

  /** Another tab may have changed the list since. */
  function readAgain() {
    if (readKept(KEY) !== undefined) use(readEntries());
  }

  /** @param {Iterable<[string, Entry]>} next */
  function replace(next) {
    // A link to them is checked at once.
    use(new Map([...next].slice(-MAX_NAMES)));
    keep(KEY, [...entries.values()]);
  }

  return {
    /** @param {string} domain */
    has: (domain) => entries.has(domain),
    all: () => [...entries.keys()],
    entryOf,
    /**
     * Adds a domain or removes it, and returns whether it is in the list now.
     * @param {string} domain
     */
    toggle(domain) {
      readAgain();
      const entry = entryOf(domain);
      const isRemoved = entries.delete(domain);
      removed = new Map(isRemoved ? [[domain, entry]] : []);
      replace(isRemoved ? entries : [...entries, [domain, entry]]);
      onChange();
      return !isRemoved;
    },
    /** Removes all domains, or puts back what was removed if none is left. */
    removeAll() {
      const next = entries.size === 0 ? removed : new Map();
      removed = entries;
      replace(next);
      onChange();
    },
    canPutBack: () => entries.size === 0 && removed.size > 0,
    /**
     * Keeps the user's note on a domain.
     * @param {string} domain
     * @param {string} note
     */
    annotate(domain, note) {
      readAgain();
      replace(entries.set(domain, { ...entryOf(domain), note: note.slice(0, MAX_NOTE) }));
    },
    /**
     * Notes the state of a listed domain.
     * @param {string} domain
     * @param {State} state
     * @param {number} at in ms since 1970
     */
    see(domain, state, at) {
      // An unknown name may be what it was.
      if (!entries.has(domain) || state === "unknown") return;
      readAgain();
      replace(entries.set(domain, withSeen(entryOf(domain), state, at)));
    },
  };
}

/** What the browser keeps may be of another version of the page, or edited by hand. */
function readEntries() {
  // Earlier the domains stood here, and what is kept of each under another key.
  const earlier = (readKept(EARLIER_KEY) ?? []).map(Object);
  const entryOf = (/** @type {unknown} */ one) =>
    typeof one === "string" ? earlier.find(({ domain }) => domain === one) ?? { domain: one } : one;
  const kept = (readKept(KEY) ?? []).map(entryOf)
    .map(Object).filter(({ domain }) => DOMAIN.test(domain)).slice(-MAX_NAMES);
  return new Map(kept.map(({ domain, note, before, last }) => [
    `${domain}`,
    /** @type {Entry} */ ({
      domain,
      note: typeof note === "string" ? note.slice(0, MAX_NOTE) : "",
      ...(isSeen(before) && isSeen(last) && { before, last }),
    }),
  ]));
}

/** @param {unknown} value @returns {value is Seen} */
function isSeen(value) {
  const { state, at } = Object(value);
  return Object.hasOwn(STATE_ENTRIES, state) && !Number.isNaN(new Date(at).getTime());
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/**
 * The entry after a state was seen. What was seen today is compared with the last earlier day, not with itself.
 * @param {Entry} entry
 * @param {State} state
 * @param {number} at
 * @returns {Entry}
 */
export function withSeen(entry, state, at) {
  const seen = { state, at };
  const { before = seen, last = seen } = entry;
  return { ...entry, before: isSameDay(last.at, at) ? before : last, last: seen };
}

/**
 * What a domain was before, such as "was Available on 23 Nov"; "" if it is what it was.
 * @param {Entry} entry
 * @param {DomainView} view
 * @param {number} now
 */
export function changeOf({ before }, { state }, now) {
  if (before === undefined || !isSettled(state) || state === "unknown" || before.state === state) {
    return "";
  }
  const when = isSameDay(before.at, now) ? "earlier today" : `on ${DAY.format(before.at)}`;
  return `was ${wordOf({ state: before.state })} ${when}`;
}

/**
 * What the domains that can be registered cost over three years, such as "≈ $94 for 3 years: 3 available".
 * @param {readonly DomainView[]} views
 */
export function costInWords(views) {
  const free = views.filter(({ state }) => isAvailable(state));
  const costs = free.flatMap(({ cost = Infinity }) => Number.isFinite(cost) ? [cost] : []);
  const sum = Math.round(costs.reduce((total, cost) => total + cost, 0));
  const rest = free.length - costs.length;
  return [
    ...(costs.length > 0 ? [`≈ $${sum} for 3 years: ${costs.length} available`] : []),
    ...(rest > 0 ? [`${rest} without a known price`] : []),
    ...(free.length === 0 ? ["none available"] : []),
  ].join(", ");
}

const HEADS = ["Domain", "State", "First term", "Then", "3 years (USD)", "Change", "Note"];

/** @param {ListedDomain} listed */
function cellsOf({ domain, view, note, change }) {
  const { first = "", then = "" } = view.price ?? {};
  const { cost = Infinity } = view;
  const threeYears = Number.isFinite(cost) ? cost.toFixed(2) : "";
  return [domain, wordOf(view), first, then, threeYears, change, note];
}

/** The list as CSV, for spreadsheets. @param {readonly ListedDomain[]} list */
export function csvOf(list) {
  return [HEADS, ...list.map(cellsOf)].map((cells) => `${cells.map(csvCell).join(",")}\r\n`)
    .join("");
}

/** The list as a Markdown table. @param {readonly ListedDomain[]} list */
export function markdownOf(list) {
  const lineOf = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll(/[\\`*_[\]<>|~]/g, "\\$&")).join(" | ")} |\n`;
  const rule = `|${" --- |".repeat(HEADS.length)}\n`;
  return lineOf(HEADS) + rule + list.map((listed) => lineOf(cellsOf(listed))).join("");
}

/**
 * @param {number} a
 * @param {number} b
 */
function isSameDay(a, b) {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

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
