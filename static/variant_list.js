// @ts-check
/// <reference lib="dom" />
/** The variants of the name under its rows: each is a link to its search, and DNS says where it is not delegated. */
import { checkName, RequestError } from "./api_client.js";
import { domainOf } from "./parse_input.js";
import { isAvailable } from "./result_row.js";
import { isUndelegated } from "./search.js";
import { variantsOf } from "./variants.js";
import { readState } from "./vocabulary.js";

/** @import { Name } from "./parse_input.js" */

/** How many TLDs a variant names; the others are counted. */
const SHOWN_TLDS = 2;

/**
 * Creates the list from its section.
 * @param {HTMLElement} section
 * @param {{ tlds: readonly string[], hasQuota: (requests: number) => boolean, announce: (sentence: string) => void }} options
 *   `tlds` in the order in which they matter; `hasQuota` is whether so many requests leave enough for searches
 */
export function createVariantList(section, { tlds, hasQuota, announce }) {
  const list = /** @type {HTMLElement} */ (section.querySelector("ul"));
  const button = /** @type {HTMLButtonElement} */ (section.querySelector("button"));
  /** @type {readonly { variant: Name, found: HTMLElement }[]} */
  let items = [];
  let looking = new AbortController();
  /** Set by the button: from then on the variants of each submitted name are looked up. */
  let isWanted = false;

  button.addEventListener("click", () => {
    isWanted = true;
    void lookUp();
  });

  async function lookUp() {
    const { signal } = looking;
    button.disabled = true;
    try {
      for (const { variant, found } of items) {
        found.textContent = "…";
        found.textContent = await undelegated(variant, signal);
      }
      if (items.length > 0) announce("The variants were looked up in DNS.");
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RequestError)) throw error;
      for (const { found } of items) if (found.textContent === "…") found.textContent = "";
      button.disabled = false;
      announce(error.message);
    }
  }

  /**
   * Under which TLDs a variant is not delegated, such as "com io +14 not in DNS".
   * @param {Name} variant
   * @param {AbortSignal} signal
   */
  async function undelegated({ name, tld }, signal) {
    /** @type {Set<string>} */
    const found = new Set();
    const states = new Set();
    const query = { name, depth: /** @type {const} */ ("dns"), ...(tld !== "" && { tld }) };
    for await (const event of checkName(query, signal)) {
      if (event.kind !== "row") continue;
      const { row } = event;
      const state = readState(row);
      states.add(state);
      // What is not in DNS may have an answer all the same: a cached one.
      if (isAvailable(state) || (state === "unknown" && isUndelegated(row.status))) {
        found.add(row.tld);
      }
    }
    if (found.size === 0) return states.has("unknown") ? "unknown" : "taken";
    if (tld !== "") return "not in DNS";
    const some = tlds.filter((one) => found.has(one));
    const more = some.length - SHOWN_TLDS;
    const names = some.slice(0, SHOWN_TLDS).map((one) => `.${one}`).join(" ");
    return `${names}${more > 0 ? ` +${more}` : ""} not in DNS`;
  }

  return {
    /**
     * Shows the variants of a name; "" shows none.
     * @param {string} name
     */
    expect(name) {
      looking.abort();
      looking = new AbortController();
      const variants = name === "" ? [] : variantsOf(name, tlds);
      section.hidden = variants.length === 0;
      button.disabled = false;
      items = variants.map((variant) => ({ variant, found: document.createElement("span") }));
      list.replaceChildren(...items.map(({ variant, found }) => {
        const link = document.createElement("a");
        link.href = `/?${new URLSearchParams({ q: domainOf(variant) })}`;
        link.append(domainOf(variant), " ", found);
        const item = document.createElement("li");
        item.append(link);
        return item;
      }));
    },
    /** Looks the variants of a submitted name up, if they are wanted and cheap. */
    onSubmitted() {
      if (isWanted && !button.disabled && hasQuota(items.length)) void lookUp();
    },
  };
}
