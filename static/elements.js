// @ts-check
/// <reference lib="dom" />
/** Elements of the page: created, copied from a template, and those that show a domain. */
import { serverNow } from "./api_client.js";
import { isAvailable, isSettled, wordOf } from "./domain_view.js";
import { nameOf } from "./parse_input.js";
import { readableBehind } from "./unicode_label.js";

/** @import { DomainView, ViewState } from "./domain_view.js" */
/** @import { Offer } from "./tld_offers.js" */

/**
 * Creates an element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {readonly (Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function createElement(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A copy of what a template holds. @param {string} id */
export function copyOfTemplate(id) {
  const { content } = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  return /** @type {HTMLElement} */ (content.firstElementChild?.cloneNode(true));
}

/** What follows the domain in its sentence, if it is not the word of its state. @type {Partial<Record<ViewState, string>>} */
const SENTENCES = {
  premium: "is available at a premium",
  unknown: "could not be checked",
  checking: "is being checked",
  waiting: "waits for its turn",
  pending: "is not in DNS",
};

/**
 * Shows a domain in an element, in those of its parts that the element has: a row, the answer or the menu.
 * @param {HTMLElement} element
 * @param {string} domain
 * @param {DomainView} view
 */
export function drawDomain(element, domain, view) {
  const { state, word, note, links = [], price } = view;
  const { name, tld } = nameOf(domain);
  const evidence = view.evidence?.(serverNow()) ?? [];
  const isForSale = isAvailable(state) && links.length > 0;
  const texts = {
    label: name,
    tld: `.${tld}`,
    readable: readableBehind(domain),
    state: wordOf(view),
    sentence: word ? `· ${word}` : SENTENCES[state] ?? `is ${wordOf(view).toLowerCase()}`,
    evidence: evidence.join(" · "),
    // Times stand in the menu.
    explanation: note ?? (isSettled(state) ? evidence[0] ?? "" : evidence.join(", ")),
    ...{ first: "", then: "", trap: "", total: "", ...price },
    action: isForSale ? "Register" : "Details",
  };
  for (const [part, text] of Object.entries(texts)) {
    const found = element.querySelector(`.${part}`);
    // What is the same stays: it may be selected.
    if (found !== null && found.textContent !== text) found.textContent = text;
  }
  // A translated label would be another domain.
  element.querySelector(".domain")?.setAttribute("translate", "no");
  element.dataset.domain = domain;
  drawState(element, view);
  const more = /** @type {HTMLButtonElement | null} */ (element.querySelector(".more"));
  if (more !== null) {
    more.disabled = !isSettled(state);
    more.dataset.for = isForSale ? "Register" : "Details of";
  }
  element.querySelector(".retry")?.toggleAttribute("hidden", state !== "unknown");
  for (const control of element.querySelectorAll("[data-for]")) {
    control.ariaLabel = `${control.getAttribute("data-for")} ${domain}`;
  }
}

/**
 * Gives an element the colours of what is shown, and its icon if it has one.
 * @param {HTMLElement} element
 * @param {DomainView} view
 */
export function drawState(element, { state, look = state }) {
  element.dataset.state = look;
  element.querySelector(":scope > .icon > use")?.setAttribute("href", `#icon-${look}`);
}

/** The domain of the row, cell, answer or menu that an element is in; "" if it is in none. @param {Element} element */
export function domainAt(element) {
  return element.closest("[data-domain]")?.getAttribute("data-domain") ?? "";
}

/**
 * An external link: it opens a new tab without access to this one, and is not recommended to search engines.
 * @param {Offer} offer
 */
export function linkOf({ text, url, label }) {
  const ariaLabel = `${label}, opens a new tab`;
  return createElement(
    "a",
    { href: url, rel: "noopener nofollow", target: "_blank", ariaLabel },
    text,
  );
}
