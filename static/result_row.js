// @ts-check
/// <reference lib="dom" />
/** One row of the results: an element that keeps its place and changes its content. */
import { serverNow } from "./api_client.js";
import { evidenceOf, offerOf, readState, STATE_ENTRIES } from "./vocabulary.js";

/** @import { State } from "../src/rules/verdict.ts" */
/** @import { DomainRow, Offer, RegistrarOffer } from "./vocabulary.js" */

/**
 * @typedef {object} RowView
 * @property {State | "checking"} state
 * @property {string} [word] instead of the state's own
 * @property {(now: number) => readonly string[]} [evidence] its age grows while it is shown
 * @property {readonly Offer[]} [links]
 * @property {boolean} [hasProfile]
 *
 * @typedef {object} TldOffers what the page loads once, before any search
 * @property {readonly { tld: string, type: string, price?: number }[]} tlds
 * @property {readonly RegistrarOffer[]} registrars their links contain `placeholder`
 * @property {string} placeholder
 * @property {string} pricedAt the registrar that the prices are from
 */

/** What a row shows before its answer. @type {RowView} */
export const CHECKING = { state: "checking" };

/**
 * Creates the row of a TLD.
 * @param {string} tld
 * @param {string} type
 */
export function createResultRow(tld, type) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("row"));
  const fragment = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const element = /** @type {HTMLLIElement} */ (fragment.firstElementChild);
  const find = (
    /** @type {string} */ selector,
  ) => /** @type {HTMLElement} */ (element.querySelector(selector));
  const icon = find("use");
  const panel = find(".panel");
  const state = () => element.dataset.state ?? "";
  element.dataset.type = type;
  find(".tld").textContent = `.${tld}`;

  /**
   * @param {string} label
   */
  function name(label) {
    find(".label").textContent = label;
    find(".copy").setAttribute("aria-label", `Copy ${label}.${tld}`);
    find(".retry").setAttribute("aria-label", `Try again for ${label}.${tld}`);
    find(".open").setAttribute("aria-label", `Profile of ${label}.${tld}`);
    find(".offers").setAttribute("aria-label", `Register ${label}.${tld}`);
  }

  /** @type {NonNullable<RowView["evidence"]>} */
  let evidence = () => [];

  function refresh() {
    const [explanation = "", ...when] = evidence(serverNow());
    find(".explanation").textContent = explanation;
    find(".when").textContent = when.join(" · ");
  }

  /** @param {RowView} view */
  function show({ state, word, evidence: shown = () => [], links = [], hasProfile }) {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    evidence = shown;
    element.dataset.state = state;
    icon.setAttribute("href", `#icon-${state}`);
    find(".state").textContent = word ??
      (state === "checking" ? "Checking" : STATE_ENTRIES[state].word);
    find(".links").replaceChildren(...links.map(linkOf));
    find(".retry").hidden = state !== "unknown";
    find(".open").hidden = !hasProfile;
    find(".offers").hidden = links.length === 0;
    for (const name of [".open", ".offers"]) find(name).setAttribute("aria-expanded", "false");
    panel.replaceChildren();
    refresh();
    // If the focused element is gone, the focus would fall back to the top of the page.
    if (focused instanceof HTMLElement && (focused.hidden || !focused.isConnected)) focus();
  }

  /** Focuses the first link or button of the row. */
  function focus() {
    /** @type {HTMLElement | null} */ (element.querySelector("a, button:not([hidden])"))?.focus();
  }

  return { tld, type, element, panel, name, show, refresh, focus, state };
}

/**
 * What a row of `/check` looks like.
 * @param {DomainRow} row
 * @param {TldOffers} offers
 * @returns {RowView}
 */
export function domainView(row, { tlds, registrars, placeholder, pricedAt }) {
  const state = readState(row);
  const evidence = (/** @type {number} */ now) => evidenceOf(row, now);
  if (!STATE_ENTRIES[state].isAvailable) return { state, evidence };
  const estimatedPrice = tlds.find(({ tld }) => tld === row.tld)?.price;
  const links = registrars.map(({ name, url }) =>
    offerOf({
      name,
      url: url.replaceAll(placeholder, row.domain),
      ...(name === pricedAt && { estimatedPrice }),
    }, row)
  );
  return { state, evidence, links };
}

/**
 * An external link: it opens a new tab without access to this one, and is not recommended to search engines.
 * @param {Offer} offer
 */
export function linkOf({ text, url, label, price }) {
  const link = document.createElement("a");
  link.textContent = text;
  link.href = url;
  link.rel = "noopener nofollow";
  link.target = "_blank";
  link.setAttribute("aria-label", `${label} ${price ?? ""}, opens a new tab`.replace(" ,", ","));
  if (price === undefined) return link;
  const shown = document.createElement("span");
  shown.className = "price";
  shown.textContent = price;
  link.append(" ", shown);
  return link;
}
