// @ts-check
/// <reference lib="dom" />
/**
 * Variants of a name: what people register when the name itself is taken. Its answer has them, each a link to its search, checked
 * at once if the name was asked for.
 */
import { addressOf } from "./search_scope.js";
import { checkNames, RequestError } from "./api_client.js";
import { createElement } from "./elements.js";
import { domainOf } from "./parse_input.js";
import { wordOf } from "./domain_view.js";

/** @import { Name } from "./parse_input.js" */
/** @import { DomainView, ViewState } from "./domain_view.js" */
/** @import { DomainRow } from "./vocabulary.js" */

const PREFIXES = ["get", "try", "use", "my"];
const SUFFIXES = ["app", "hq", "labs", "hub"];
/** Words that names are compounded of: before them goes the hyphen of "river-stone". */
// deno-fmt-ignore -- a list
const WORDS = [
  "base", "beam", "bird", "board", "book", "box", "bridge", "cloud", "craft", "desk", "field",
  "fish", "flow", "forge", "garden", "gate", "grid", "hive", "house", "labs", "lab", "light",
  "line", "link", "loop", "mark", "mind", "moon", "nest", "pad", "path", "point", "port", "press",
  "room", "row", "ship", "smith", "space", "spark", "spot", "spring", "stack", "star", "stone",
  "storm", "studio", "sun", "tree", "view", "ware", "wave", "way", "wick", "wood", "work", "works",
];
const MIN_PART = 3;
const MAX_LENGTH = 63;

/**
 * The variants of a name, the closest first: endings that complete the word, hyphen, plural, prefixes and suffixes.
 * @param {string} name
 * @param {readonly string[]} tlds those that are checked
 * @param {number} [max]
 * @returns {Name[]}
 */
export function variantsOf(name, tlds, max = 8) {
  // "getriver-stone" is no better than "river-stone", and an encoded label with more letters is unreadable.
  if (name.includes("-")) return [];
  const affixed = PREFIXES.flatMap((prefix, place) => [prefix + name, name + SUFFIXES[place]]);
  const labels = [...hyphenated(name), plural(name), ...affixed].filter((label) =>
    label !== name && label.length <= MAX_LENGTH
  );
  const names = [...new Set(labels)].map((label) => ({ name: label, tld: "" }));
  return [...hacks(name, tlds), ...names].slice(0, max);
}

/**
 * Domain hacks: "riverst.one", the longest ending first.
 * @param {string} name
 * @param {readonly string[]} tlds
 */
function hacks(name, tlds) {
  return tlds.filter((tld) => name.endsWith(tld) && /[a-z0-9]{2}$/.test(name.slice(0, -tld.length)))
    .toSorted((a, b) => b.length - a.length)
    .map((tld) => ({ name: name.slice(0, -tld.length), tld }));
}

/** @param {string} name */
function hyphenated(name) {
  const word = WORDS.find((word) => name.endsWith(word) && name.length >= word.length + MIN_PART);
  return word === undefined ? [] : [`${name.slice(0, -word.length)}-${word}`];
}

/** @param {string} name */
function plural(name) {
  if (/(?:[sxz]|[cs]h)es$/.test(name)) return name.slice(0, -2);
  if (/[^s]s$/.test(name)) return name.slice(0, -1);
  if (/(?:[sxz]|[cs]h)$/.test(name)) return `${name}es`;
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return `${name}s`;
}

/**
 * Creates the list from its section.
 * @param {HTMLElement} section
 * @param {{
 *   tlds: readonly string[],
 *   isCheap: (domains: readonly string[]) => boolean,
 *   recall: (domain: string) => DomainView | undefined,
 *   noteAnswer: (row: DomainRow) => DomainView,
 *   announce: (sentence: string) => void,
 * }} options `tlds` in the order in which they matter; `isCheap` is whether the domains may be checked unasked
 */
export function createVariantList(section, { tlds, isCheap, recall, noteAnswer, announce }) {
  const list = /** @type {HTMLElement} */ (section.querySelector("ul"));
  const button = /** @type {HTMLButtonElement} */ (section.querySelector("button"));
  /** The variants without an answer, and where their states stand. @type {Map<string, HTMLElement>} */
  let items = new Map();
  let checking = new AbortController();
  let shown = "";
  let isSubmitted = false;
  let isTaken = false;

  button.addEventListener("click", async () => announce(await check()));

  function checkIfTaken() {
    if (!button.disabled && isSubmitted && isTaken && isCheap([...items.keys()])) void check();
  }

  /** Checks the variants that have no answer; returns how that ended. */
  async function check() {
    const { signal } = checking;
    button.disabled = true;
    const waiting = new Map(items);
    for (const found of waiting.values()) found.textContent = "…";
    try {
      for await (const event of checkNames({ names: [...waiting.keys()] }, signal)) {
        if (event.kind !== "row") continue;
        const view = noteAnswer(event.row);
        const found = waiting.get(event.row.domain);
        if (found !== undefined) draw(found, view);
      }
      return "The variants were checked.";
    } catch (error) {
      if (signal.aborted) return "";
      if (!(error instanceof RequestError)) throw error;
      for (const found of waiting.values()) if (found.textContent === "…") found.textContent = "";
      button.disabled = false;
      return error.message;
    }
  }

  /**
   * @param {HTMLElement} found
   * @param {DomainView} view
   */
  function draw(found, view) {
    found.dataset.state = view.look ?? view.state;
    found.textContent = wordOf(view);
  }

  return {
    /**
     * Shows the variants of a name, unless it does already; "" shows none.
     * @param {string} name
     * @param {string} tld that of variants which have none of their own
     */
    expect(name, tld) {
      if (name !== "" && `${name}.${tld}` === shown) return;
      shown = `${name}.${tld}`;
      checking.abort();
      checking = new AbortController();
      isSubmitted = isTaken = false;
      const variants = name === "" ? [] : variantsOf(name, tlds);
      const domains = variants.map((variant) => domainOf({ ...variant, tld: variant.tld || tld }));
      items = new Map(domains.map((domain) => [domain, createElement("span")]));
      list.replaceChildren(...[...items].map(([domain, found]) => {
        const known = recall(domain);
        if (known !== undefined) {
          draw(found, known);
          items.delete(domain);
        }
        return createElement(
          "li",
          {},
          createElement("a", { href: addressOf(domain) }, domain, " ", found),
        );
      }));
      button.disabled = items.size === 0;
    },
    /** The user asked for the name, by Enter or a link. */
    onSubmitted() {
      isSubmitted = true;
      checkIfTaken();
    },
    /** The domain that was asked for has its answer. @param {ViewState} state */
    onAnswer(state) {
      isTaken = state === "taken";
      checkIfTaken();
    },
  };
}
