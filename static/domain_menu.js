// @ts-check
/// <reference lib="dom" />
/** The menu of a domain: what is known of it, where to register it or to read on, and what can be done with it. */
import { serverNow } from "./api_client.js";
import { fillDetails } from "./details.js";
import { isAvailable, isSettled } from "./domain_view.js";
import { createElement, domainAt, drawDomain, linkOf } from "./elements.js";
import { wordsOfEntry } from "./vocabulary.js";

/** @import { DomainView } from "./domain_view.js" */
/** @import { ShownEntry } from "./vocabulary.js" */

/**
 * Creates the one menu of the page.
 * @param {HTMLElement} menu
 * @param {(domain: string) => DomainView} viewOf
 */
export function createDomainMenu(menu, viewOf) {
  const find = (
    /** @type {string} */ selector,
  ) => /** @type {HTMLElement} */ (menu.querySelector(selector));
  const details = /** @type {HTMLDetailsElement} */ (find("details"));
  /** @type {HTMLButtonElement | undefined} */
  let opener;

  const isOpen = () => menu.matches(":popover-open");
  const items = () => /** @type {HTMLElement[]} */ ([
    ...menu.querySelectorAll("a, button, :not([hidden]) > summary"),
  ]);
  const close = () => isOpen() && menu.hidePopover();

  menu.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const place = items().findIndex((item) => item === document.activeElement);
    items().at((place + step) % items().length)?.focus();
  });
  document.addEventListener("focusout", ({ relatedTarget }) => {
    // The click that gives its button the focus closes it.
    if (!(relatedTarget instanceof Node) || relatedTarget === opener) return;
    if (!menu.contains(relatedTarget)) close();
  });

  /**
   * Prepares the menu of the domain that a button stands beside: the browser opens it there, or closes it, once the click on the
   * button has been handled.
   * @param {HTMLButtonElement} button
   */
  function prepare(button) {
    const domain = domainAt(button);
    const view = viewOf(domain);
    const { state } = view;
    button.popoverTargetElement = isSettled(state) ? menu : null;
    if (isOpen() && opener === button) return;
    close();
    opener = button;
    const list = find(".profile");
    fill(domain);
    list.hidden = state !== "taken";
    list.dataset.domain = "";
    if (state === "taken") void fillDetails(list, domain, view);
    // Beside links to registrars it would push them away.
    details.open = !isAvailable(state) && state !== "taken";
    items()[0]?.toggleAttribute("autofocus", true);
  }

  /** @param {string} domain */
  function fill(domain) {
    const view = viewOf(domain);
    const { entries = [], links = [] } = view;
    drawDomain(menu, domain, view);
    menu.ariaLabel = domain;
    find("ul").replaceChildren(...links.map((link) => createElement("li", {}, linkOf(link))));
    details.hidden = entries.length === 0;
    find("ol").replaceChildren(...entries.map(itemOf));
  }

  /** Shows a later answer if the menu is that of its domain: it may offer what the answer takes back. @param {string} domain */
  function show(domain) {
    if (!isOpen() || domain !== menu.dataset.domain) return;
    const hadFocus = menu.contains(document.activeElement);
    fill(domain);
    if (hadFocus && !menu.contains(document.activeElement)) items()[0]?.focus();
  }

  return { prepare, show, close, isOpen };
}

/** What a witness said; its own words are only ever set as text. @param {ShownEntry} entry */
function itemOf(entry) {
  const { who, meaning, about } = wordsOfEntry(entry, serverNow());
  const parts = /** @type {const} */ ([
    ["b", who],
    ["span", meaning],
    ["q", entry.said],
    ["p", about],
  ]);
  const shown = parts.filter(([, text]) => text !== "");
  return createElement(
    "li",
    {},
    ...shown.flatMap(([tag, text]) => [createElement(tag, {}, text), " "]),
  );
}
