// @ts-check
/// <reference lib="dom" />
/** The domain that was asked for, first and large, with its own sentence. */
import { serverNow } from "./api_client.js";
import { finderIn } from "./elements.js";
import { nameOf } from "./parse_input.js";
import { CHECKING, drawPrice, drawState, isAvailable, isSettled, wordOf } from "./result_row.js";
import { toULabel } from "./unicode_label.js";

/** @import { DomainView, ViewState } from "./result_row.js" */

/** What follows the domain in its sentence. @type {Record<ViewState, string>} */
const SENTENCES = {
  available: "is available",
  premium: "is available at a premium",
  taken: "is taken",
  reserved: "is reserved",
  unknown: "could not be checked",
  checking: "is being checked",
  waiting: "waits for its turn",
  pending: "is not in DNS",
};

/**
 * Creates the answer from its element.
 * @param {HTMLElement} element
 * @param {{
 *   onMore: (button: HTMLElement, shown: { domain: string, view: DomainView }) => void,
 * }} options
 */
export function createAnswer(element, { onMore }) {
  const find = finderIn(element);
  const more = find(".more");
  let domain = "";
  /** @type {DomainView} */
  let view = CHECKING;

  more.addEventListener("click", () => onMore(more, { domain, view }));

  function refresh() {
    find(".known").textContent = (view.evidence?.(serverNow()) ?? []).join(" · ");
  }

  return {
    /** @param {string} asked */
    expect(asked) {
      domain = asked;
      const { name, tld } = nameOf(domain);
      const readable = toULabel(name);
      find(".label").textContent = name;
      find(".tld").textContent = `.${tld}`;
      find(".readable").textContent = readable === undefined ? "" : `(${readable}.${tld})`;
      element.dataset.domain = domain;
      find(".copy").setAttribute("aria-label", `Copy ${domain}`);
      find(".star").setAttribute("aria-label", `Shortlist ${domain}`);
      this.show(domain, CHECKING);
    },
    /**
     * @param {string} shownDomain
     * @param {DomainView} next
     */
    show(shownDomain, next) {
      if (shownDomain !== domain) return;
      view = next;
      const { state, word, links = [], price } = view;
      drawState(element, view);
      find(".sentence").textContent = word === undefined ? SENTENCES[state] : `· ${wordOf(view)}`;
      drawPrice(element, price);
      const isForSale = isAvailable(state) && links.length > 0;
      more.textContent = isForSale ? "Register ▾" : "Details ▾";
      more.setAttribute("aria-label", `${isForSale ? "Register" : "Details of"} ${domain}`);
      more.toggleAttribute("disabled", !isSettled(state));
      refresh();
    },
    refresh,
  };
}
