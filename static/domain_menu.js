// @ts-check
/// <reference lib="dom" />
/** The menu of a domain: what is known of it, where to register it or to read on, and what can be done with it. */
import { serverNow } from "./api_client.js";
import { fillDetails } from "./details.js";
import { isAvailable } from "./domain_view.js";
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
  /** @type {HTMLElement | undefined} */
  let opener;
  /** The same if the pointer went down on it, which closes the menu: the click that follows must not open it again. */
  /** @type {HTMLElement | undefined} */
  let closedAt;

  const isOpen = () => menu.matches(":popover-open");
  const items = () => /** @type {HTMLElement[]} */ ([
    ...menu.querySelectorAll("a, button, :not([hidden]) > summary"),
  ]);
  const close = () => isOpen() && menu.hidePopover();

  // Styles place the menu at the button that is expanded.
  menu.addEventListener("beforetoggle", ({ newState }) => {
    opener?.setAttribute("aria-expanded", `${newState === "open"}`);
  });
  menu.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const place = items().findIndex((item) => item === document.activeElement);
    items().at((place + step) % items().length)?.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) close();
  });

  document.addEventListener("pointerdown", ({ target }) => {
    const isOnOpener = isOpen() && target instanceof Node && opener?.contains(target);
    closedAt = isOnOpener ? opener : undefined;
  }, true);

  /** Opens the menu of the domain that a button stands beside, or closes it there. @param {HTMLElement} button */
  function toggle(button) {
    const isClosing = isOpen() && opener === button || closedAt === button;
    closedAt = undefined;
    close();
    if (isClosing) return;
    opener = button;
    const domain = domainAt(button);
    const { state } = viewOf(domain);
    const list = find(".profile");
    fill(domain);
    list.hidden = state !== "taken";
    list.dataset.domain = "";
    if (state === "taken") void fillDetails(list, domain);
    // Beside links to registrars it would push them away.
    details.open = !isAvailable(state) && state !== "taken";
    // Of its source, the browser knows what comes behind the last item.
    menu.showPopover({ source: button });
    items()[0]?.focus();
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

  return { toggle, show, close, isOpen };
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
