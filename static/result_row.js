// @ts-check
/// <reference lib="dom" />
/** One row of the results: an element that keeps its place and changes its content. */
import { serverNow } from "./api_client.js";
import { copyOfTemplate, createElement, finderIn } from "./elements.js";
import { priceText, threeYears } from "./tld_offers.js";
import {
  evidenceOf,
  explain,
  likelyEntryOf,
  offerOf,
  readState,
  registrarPriceOf,
  STATE_ENTRIES,
} from "./vocabulary.js";

/** @import { State } from "../src/rules/verdict.ts" */
/** @import { Name } from "./parse_input.js" */
/** @import { PriceText, TldOffers } from "./tld_offers.js" */
/** @import { DomainRow, Offer, ShownEntry } from "./vocabulary.js" */

/**
 * A domain without an answer is being checked, waits for its turn, or is not in DNS while its registry is asked.
 * @typedef {State | "checking" | "waiting" | "pending"} ViewState
 *
 * @typedef {object} DomainView what is shown of a domain
 * @property {ViewState} state
 * @property {string | undefined} [word] instead of the state's own
 * @property {string | undefined} [look] the same for icon and colours
 * @property {(now: number) => readonly string[]} [evidence] its age grows while it is shown
 * @property {readonly ShownEntry[] | undefined} [entries] what each witness said
 * @property {readonly Offer[]} [links]
 * @property {PriceText | undefined} [price]
 * @property {number} [cost] of three years in US dollars; infinite if it is not known
 * @property {string} [note] what a row says of it, if less than its evidence
 * @property {boolean} [hasProfile]
 */

/** What a row shows before its answer. @type {DomainView} */
export const CHECKING = { state: "checking" };

/** The words for what is no answer yet. */
const UNSETTLED_WORDS = { checking: "Checking", waiting: "Waiting", pending: "Not in DNS" };

/**
 * Whether a view is an answer.
 * @param {ViewState} state
 * @returns {state is State}
 */
export function isSettled(state) {
  return !Object.hasOwn(UNSETTLED_WORDS, state);
}

/**
 * Whether a view is of a domain that can be registered.
 * @param {ViewState} state
 */
export function isAvailable(state) {
  return isSettled(state) && STATE_ENTRIES[state].isAvailable;
}

/**
 * The word for what is shown.
 * @param {DomainView} view
 */
export function wordOf({ state, word }) {
  return word ?? (isSettled(state) ? STATE_ENTRIES[state].word : UNSETTLED_WORDS[state]);
}

/**
 * Gives an element the colours of what is shown, and its first icon.
 * @param {HTMLElement} element
 * @param {DomainView} view
 */
export function drawState(element, { state, look = state }) {
  element.dataset.state = look;
  element.querySelector("use")?.setAttribute("href", `#icon-${look}`);
}

/**
 * Shows a price in the parts of an element that it has.
 * @param {HTMLElement} element
 * @param {PriceText | undefined} price
 */
export function drawPrice(element, price) {
  const parts = { first: "", then: "", trap: "", total: "", ...price };
  for (const [name, text] of Object.entries(parts)) {
    const part = element.querySelector(`.${name}`);
    if (part !== null) part.textContent = text;
  }
}

/**
 * Creates the row of a domain.
 * @param {Name} domain
 */
export function createResultRow({ name, tld }) {
  const element = copyOfTemplate("row");
  const find = finderIn(element);
  const panel = find(".panel");
  /** @type {DomainView} */
  let view = CHECKING;
  const row = {
    tld,
    element,
    panel,
    domain: "",
    view: () => view,
    rename,
    show,
    refresh,
    focus: () => element.focus(),
    /** Does what Enter does: opens the menu or the profile, or asks again. */
    open: () =>
      /** @type {HTMLElement | null} */ (element.querySelector(".main:not([hidden])"))?.click(),
    star: () => find(".star").click(),
    own,
  };
  find(".tld").textContent = `.${tld}`;
  rename(name);

  /**
   * Makes it the row of another name with the same TLD.
   * @param {string} next
   */
  function rename(next) {
    row.domain = `${next}.${tld}`;
    element.dataset.domain = row.domain;
    find(".label").textContent = next;
    find(".retry").setAttribute("aria-label", `Try again for ${row.domain}`);
    find(".open").setAttribute("aria-label", `Profile of ${row.domain}`);
    find(".star").setAttribute("aria-label", `Shortlist ${row.domain}`);
    find(".note").setAttribute("aria-label", `Note on ${row.domain}`);
  }

  /**
   * Shows what the shortlist keeps of the domain, while that is open.
   * @param {{ note: string, change: string } | undefined} kept
   */
  function own(kept) {
    find(".own").hidden = kept === undefined;
    if (kept === undefined) return;
    const note = /** @type {HTMLInputElement} */ (find(".note"));
    // What is being typed is newer.
    if (note !== document.activeElement) note.value = kept.note;
    find(".change").textContent = kept.change;
  }

  function refresh() {
    const [first = "", ...rest] = view.evidence?.(serverNow()) ?? [];
    // Times stand in the menu.
    const explanation = view.note ?? (isSettled(view.state) ? first : [first, ...rest].join(", "));
    find(".explanation").textContent = explanation;
    // A long reason is cut where it is shown.
    find(".known").title = explanation;
  }

  /** @param {DomainView} next */
  function show(next) {
    const { activeElement } = document;
    view = next;
    const { state, entries = [], links = [], price, hasProfile = false } = view;
    drawState(element, view);
    find(".state").textContent = wordOf(view);
    element.ariaLabel = `${row.domain}: ${wordOf(view)}`;
    drawPrice(element, price);
    find(".retry").hidden = state !== "unknown";
    find(".open").hidden = !hasProfile;
    const more = find(".more");
    const isUnknown = state === "unknown";
    more.hidden = !isSettled(state) || (isUnknown && entries.length === 0) || hasProfile;
    const word = links.length > 0 && isAvailable(state) ? "Register" : "Details";
    // "Try again" takes the room.
    find(".more-word").textContent = isUnknown ? "" : word;
    more.setAttribute("aria-label", `${word === "Register" ? word : "Details of"} ${row.domain}`);
    find(".open").setAttribute("aria-expanded", "false");
    panel.replaceChildren();
    refresh();
    // If the focused element is gone, the focus would fall back to the top of the page.
    if (activeElement instanceof HTMLElement && element.contains(activeElement)) {
      if (activeElement.hidden || !activeElement.isConnected) element.focus();
    }
  }

  return row;
}

/** @typedef {ReturnType<typeof createResultRow>} ResultRow */

/** Where to read on about a taken domain: a text, what stands in its label before the domain, and its address before that. */
const READ_ON = [
  ["Visit", " ", "http://"],
  ["Registration data at ICANN", " for ", "https://lookup.icann.org/en/lookup?name="],
  ["Feed of its changes", ": ", "/watch.atom?domains="],
  ["Calendar of its dates", ": ", "/watch.ics?domains="],
];

/**
 * What a row of `/check` looks like.
 * @param {DomainRow} row
 * @param {TldOffers} offers
 * @returns {DomainView}
 */
export function domainView(row, { tlds, registrars, placeholder }) {
  const state = readState(row);
  const evidence = (/** @type {number} */ now) => evidenceOf(row, now);
  const { word, look } = likelyEntryOf(row) ?? {};
  // What is usual needs no words in a row.
  const isUsual = STATE_ENTRIES[state].isAvailable ||
    (state === "taken" && row.source.startsWith("dns"));
  const note = isUsual ? row.offer === undefined ? "" : registrarPriceOf(row.offer) : explain(row);
  const known = { state, word, look, evidence, entries: row.evidence, note };
  const { domain } = row;
  if (state === "taken") {
    const links = READ_ON.map(([text = "", before = "", url = ""]) => ({
      text,
      label: `${text}${before}${domain}`,
      url: `${url}${domain}`,
    }));
    return { ...known, links };
  }
  if (!STATE_ENTRIES[state].isAvailable) return known;
  const links = registrars.map(({ name, url }) =>
    offerOf({ name, url: url.replaceAll(placeholder, domain) }, row)
  );
  // The estimate is for names without a premium.
  const estimate = state === "premium"
    ? undefined
    : tlds.find(({ tld }) => tld === row.tld)?.prices;
  const asked = row.offer &&
    { register: row.offer.price, years: row.offer.years, renew: row.offer.renewal };
  return { ...known, links, cost: threeYears(asked ?? estimate), price: priceText(estimate) };
}

/**
 * An external link: it opens a new tab without access to this one, and is not recommended to search engines.
 * @param {Offer} offer
 */
export function linkOf({ text, url, label, price }) {
  const ariaLabel = `${label} ${price ?? ""}, opens a new tab`.replace(" ,", ",");
  const properties = { href: url, rel: "noopener nofollow", target: "_blank", ariaLabel };
  const link = createElement("a", properties, text);
  if (price !== undefined) {
    link.append(" ", createElement("span", { className: "price", textContent: price }));
  }
  return link;
}
