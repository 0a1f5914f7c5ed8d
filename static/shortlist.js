// @ts-check
/// <reference lib="dom" />
/** The shortlist: domains that are kept in this browser, or for this visit only if the browser keeps nothing. */
import { keep, readKept } from "./kept.js";
import { withSeen } from "./shortlist_entries.js";
import { STATE_ENTRIES } from "./vocabulary.js";

/** @import { State } from "../src/rules/verdict.ts" */
/** @import { Entry, Seen } from "./shortlist_entries.js" */

const KEY = "shortlist";
/** What is kept of each domain of the list. */
const ENTRIES_KEY = "shortlist-entries";
/** A link to them is checked at once, and `POST /check` takes so many. */
const MAX = 200;
const MAX_NOTE = 200;
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{2,63})+$/;

/**
 * Creates the shortlist.
 * @param {() => void} onChange called after each change, here or in another tab
 */
export function createShortlist(onChange) {
  let domains = readDomains() ?? [];
  /** Also of domains that were removed: until the page is left they can be put back. */
  let entries = new Map(readEntries());
  /** @type {readonly string[]} */
  let removed = [];

  addEventListener("storage", ({ key }) => {
    if (key !== null && !key.startsWith(KEY)) return;
    domains = readDomains() ?? [];
    removed = [];
    entries = new Map([...entries, ...readEntries()]);
    onChange();
  });

  /** @param {string} domain @returns {Entry} */
  const entryOf = (domain) => entries.get(domain) ?? { domain, note: "" };

  /** @param {Entry} entry */
  function put(entry) {
    entries.set(entry.domain, entry);
    keepEntries();
  }

  function keepEntries() {
    keep(ENTRIES_KEY, domains.map(entryOf));
  }

  /** @param {readonly string[]} next */
  function replace(next) {
    domains = next.slice(-MAX);
    keep(KEY, domains);
    keepEntries();
    onChange();
  }

  return {
    /** @param {string} domain */
    has: (domain) => domains.includes(domain),
    all: () => domains,
    entryOf,
    /**
     * Adds a domain or removes it, and returns whether it is in the list now.
     * @param {string} domain
     */
    toggle(domain) {
      // Another tab may have changed it since.
      const before = readDomains() ?? domains;
      removed = [];
      replace(
        before.includes(domain) ? before.filter((one) => one !== domain) : [...before, domain],
      );
      return domains.includes(domain);
    },
    /** Removes all domains, or puts them back if that was the last thing done. */
    removeAll() {
      const next = removed;
      removed = domains;
      replace(next);
    },
    canPutBack: () => domains.length === 0 && removed.length > 0,
    /**
     * Keeps the user's note on a domain.
     * @param {string} domain
     * @param {string} note
     */
    annotate: (domain, note) => put({ ...entryOf(domain), note: note.slice(0, MAX_NOTE) }),
    /**
     * Notes the state of a listed domain.
     * @param {string} domain
     * @param {State} state
     * @param {number} at in ms since 1970
     */
    see(domain, state, at) {
      // An unknown name may be what it was.
      if (domains.includes(domain) && state !== "unknown") {
        put(withSeen(entryOf(domain), state, at));
      }
    },
  };
}

function readDomains() {
  return readKept(KEY)?.filter((one) => typeof one === "string").filter((one) => DOMAIN.test(one))
    .slice(-MAX);
}

/** What the browser keeps may be of another version of the page, or edited by hand. @returns {[string, Entry][]} */
function readEntries() {
  return (readKept(ENTRIES_KEY) ?? []).map(Object).filter(({ domain }) => DOMAIN.test(domain)).map(
    ({ domain, note, before, last }) => [domain, {
      domain,
      note: typeof note === "string" ? note.slice(0, MAX_NOTE) : "",
      ...(isSeen(before) && isSeen(last) && { before, last }),
    }],
  );
}

/** @param {unknown} value @returns {value is Seen} */
function isSeen(value) {
  const { state, at } = Object(value);
  return Object.hasOwn(STATE_ENTRIES, state) && Number.isFinite(at);
}
