// @ts-check
/// <reference lib="dom" />
/** The rows of a search in a fixed order, their filters and keys. */
import { isAvailable, isSettled, wordOf } from "./domain_view.js";
import { copyOfTemplate, domainAt, drawDomain } from "./elements.js";
import { domainOf, nameOf } from "./parse_input.js";

/** @import { Name } from "./parse_input.js" */
/** @import { DomainView } from "./domain_view.js" */

/** @typedef {{ note: string, change: string }} Own what the shortlist keeps of a domain */
/**
 * The filters, and whether all answers have arrived.
 * @typedef {{ isDone: boolean, availableOnly: boolean, isShown: (domain: Name) => boolean }} Arrangement
 */

/** As in `style.css`. */
const NARROW = "(max-width: 40rem)";

/**
 * Creates the list.
 * @param {HTMLElement} element
 * @param {{
 *   viewOf: (domain: string) => DomainView,
 *   ownOf: (domain: string) => Own | undefined,
 *   onNote: (domain: string, note: string) => void,
 *   onCopy: (domain: string, row: HTMLElement) => void,
 *   onLeave: () => void,
 * }} options
 */
export function createResultList(element, { viewOf, ownOf, onNote, onCopy, onLeave }) {
  /** @type {Map<string, HTMLElement>} */
  let rows = new Map();

  element.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.closest("button, .own") !== null) return;
    // A narrow row leaves out what its menu has the room for.
    if (matchMedia(NARROW).matches) press(target.closest("li"), ".more:enabled");
  });

  element.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement) onNote(domainAt(target), target.value);
  });

  element.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.isComposing) return;
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      return move(target, step);
    }
    if (!target.matches("li")) return;
    if (key === "Enter") press(target, ".retry:not([hidden]), .more:enabled");
    if (key === "s") press(target, ".star");
    if (key === "c") onCopy(domainAt(target), target);
  });

  /**
   * Does what the first of these buttons of a row does.
   * @param {Element | null} row
   * @param {string} buttons
   */
  function press(row, buttons) {
    /** @type {HTMLElement | null | undefined} */ (row?.querySelector(buttons))?.click();
  }

  /**
   * @param {HTMLElement} from
   * @param {number} step
   */
  function move(from, step) {
    const all = shownRows();
    const next = all[all.findIndex((row) => row.contains(from)) + step];
    if (next !== undefined) next.focus();
    else if (step < 0) onLeave();
  }

  /** A blank row cannot have the focus. */
  const shownRows = () => [...rows.values()].filter((row) => !row.matches("[hidden], .blank"));

  /** @param {string} domain */
  function show(domain) {
    const row = rows.get(domain);
    if (row === undefined) return;
    const { activeElement } = document;
    const view = viewOf(domain);
    drawDomain(row, domain, view);
    row.ariaLabel = `${domain}: ${wordOf(view)}`;
    // If the focused element is gone, the focus would fall back to the top of the page.
    if (row.contains(activeElement) && !activeElement?.checkVisibility()) row.focus();
  }

  /** Shows what the shortlist keeps of each domain. */
  function showOwn() {
    for (const [domain, row] of rows) {
      const { note, change } = ownOf(domain) ?? {};
      const field = /** @type {HTMLInputElement} */ (row.querySelector(".note"));
      field.parentElement?.toggleAttribute("hidden", note === undefined);
      // What is being typed is newer.
      if (field !== document.activeElement) field.value = note ?? "";
      field.nextElementSibling?.replaceChildren(change ?? "");
    }
  }

  return {
    /**
     * Makes the rows those of a search.
     * @param {readonly Name[]} domains
     */
    expect(domains) {
      rows = new Map(
        domains.map(domainOf).map((domain) => [domain, rows.get(domain) ?? copyOfTemplate("row")]),
      );
      element.replaceChildren(...rows.values());
      rows.forEach((_, domain) => show(domain));
      showOwn();
    },
    /**
     * Marks the domain that was asked for.
     * @param {string} domain
     */
    mark(domain) {
      for (const [one, row] of rows) row.classList.toggle("typed", one === domain);
    },
    show,
    /**
     * Shows what the filters leave. While answers arrive no row may move: one that is filtered out leaves its place blank.
     * @param {Arrangement} arrangement
     */
    arrange({ isDone, availableOnly, isShown }) {
      for (const [domain, row] of rows) {
        const { state } = viewOf(domain);
        const isOut = availableOnly && isSettled(state) && !isAvailable(state);
        row.hidden = !isShown(nameOf(domain)) || (isOut && isDone);
        row.classList.toggle("blank", isOut && !isDone);
      }
    },
    showOwn,
    /** @param {FocusOptions} [options] */
    focusFirst: (options) => shownRows()[0]?.focus(options),
    refresh: () => rows.forEach((_, domain) => show(domain)),
    /** The domains that are shown, as they are sorted. */
    shown: () => shownRows().map(domainAt),
  };
}
