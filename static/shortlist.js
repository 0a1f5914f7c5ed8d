// @ts-check
/// <reference lib="dom" />
/** The shortlist: domains that are kept in this browser, or for this visit only if the browser keeps nothing. */
import { keep, readKept } from "./kept.js";

const KEY = "shortlist";
/** A link to them is checked at once, and `POST /check` takes so many. */
const MAX = 200;
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{2,63})+$/;

/**
 * Creates the shortlist.
 * @param {() => void} onChange called after each change, here or in another tab
 */
export function createShortlist(onChange) {
  let domains = read() ?? [];

  addEventListener("storage", ({ key }) => {
    if (key !== KEY && key !== null) return;
    domains = read() ?? [];
    onChange();
  });

  return {
    /** @param {string} domain */
    has: (domain) => domains.includes(domain),
    all: () => domains,
    /**
     * Adds a domain or removes it, and returns whether it is in the list now.
     * @param {string} domain
     */
    toggle(domain) {
      // Another tab may have changed it since.
      const before = read() ?? domains;
      domains = before.includes(domain)
        ? before.filter((one) => one !== domain)
        : [...before, domain].slice(-MAX);
      keep(KEY, domains);
      onChange();
      return domains.includes(domain);
    },
  };
}

function read() {
  return readKept(KEY)?.filter((one) => DOMAIN.test(one)).slice(-MAX);
}
