// @ts-check
/// <reference lib="dom" />
/** The variants of a name that is taken, in its answer: each is a link to its search; checked at once if it was asked for. */
import { addressOf } from "./address.js";
import { checkNames, RequestError } from "./api_client.js";
import { createElement } from "./elements.js";
import { domainOf } from "./parse_input.js";
import { wordOf } from "./result_row.js";
import { variantsOf } from "./variants.js";

/** @import { DomainView, ViewState } from "./result_row.js" */
/** @import { DomainRow } from "./vocabulary.js" */

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
     * Shows the variants of a name; "" shows none.
     * @param {string} name
     * @param {string} tld that of variants which have none of their own
     */
    expect(name, tld) {
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
