// @ts-check
/// <reference lib="dom" />
/** One row of the list: an element that stays where it is and only changes what it says. */
import { now } from "./ask.js";
import { evidenceOf, priceOf, stateOf, WORDS } from "./words.js";

/** @import { Row, State } from "./words.js" */

/**
 * @typedef {{ text: string, url: string, label: string, price?: string }} Link
 * @typedef {object} View
 * @property {State | "checking"} state
 * @property {string} [word] in place of the state's own
 * @property {(now: number) => readonly string[]} [evidence] grows older while it is shown
 * @property {readonly Link[]} [links]
 * @property {boolean} [hasProfile]
 *
 * @typedef {object} Endings what the page is told once, before any search
 * @property {readonly { tld: string, type: string, price?: number }[]} endings
 * @property {readonly { name: string, url: string }[]} registrars links with `placeholder` in them
 * @property {string} placeholder
 * @property {string} pricedAt the registrar whose prices they are
 */

/** What is said while nothing is known yet. @type {View} */
export const CHECKING = { state: "checking" };

/**
 * Makes the row of an ending.
 * @param {string} tld
 * @param {string} type
 */
export function createRow(tld, type) {
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
  find(".ending").textContent = `.${tld}`;

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

  /** @type {NonNullable<View["evidence"]>} */
  let evidence = () => [];

  function refresh() {
    const [found = "", ...when] = evidence(now());
    find(".found").textContent = found;
    find(".when").textContent = when.join(" · ");
  }

  /** @param {View} view */
  function show({ state, word, evidence: told = () => [], links = [], hasProfile }) {
    const held = element.contains(document.activeElement) ? document.activeElement : null;
    evidence = told;
    element.dataset.state = state;
    icon.setAttribute("href", `#icon-${state}`);
    find(".state").textContent = word ?? (state === "checking" ? "Checking" : WORDS[state]);
    find(".links").replaceChildren(...links.map(linkOf));
    find(".retry").hidden = state !== "unknown";
    find(".open").hidden = !hasProfile;
    find(".offers").hidden = links.length === 0;
    for (const name of [".open", ".offers"]) find(name).setAttribute("aria-expanded", "false");
    panel.replaceChildren();
    refresh();
    // What had the focus may be gone by now: it must not fall back to the top of the page.
    if (held instanceof HTMLElement && (held.hidden || !held.isConnected)) focus();
  }

  /** The first thing in the row that can be used. */
  function focus() {
    /** @type {HTMLElement | null} */ (element.querySelector("a, button:not([hidden])"))?.focus();
  }

  return { tld, type, element, panel, name, show, refresh, focus, state };
}

/**
 * What a row of `/check` looks like.
 * @param {Row} row
 * @param {Endings} endings
 * @returns {View}
 */
export function viewOf(row, { endings, registrars, placeholder, pricedAt }) {
  const state = stateOf(row);
  const view = { state, evidence: (/** @type {number} */ now) => evidenceOf(row, now) };
  if (!row.available) return view;
  // An ordinary price would be a wrong one for a name that the registry sells for more.
  const usd = state === "premium" ? undefined : endings.find(({ tld }) => tld === row.tld)?.price;
  const links = registrars.map(({ name, url }) => ({
    text: name,
    url: url.replaceAll(placeholder, row.domain),
    label: `Register ${row.domain} at ${name}`,
    ...(name === pricedAt && usd !== undefined && { price: priceOf(usd, row.tld) }),
  }));
  return { ...view, links };
}

/**
 * A link to somewhere else, which learns nothing of this page and gets no recommendation from it.
 * @param {Link} link
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
