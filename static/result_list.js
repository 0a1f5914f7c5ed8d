// @ts-check
/// <reference lib="dom" />
/** The rows of a search in a fixed order, their filters and keys. */
import { nameOf } from "./parse_input.js";
import { CHECKING, createResultRow, isAvailable, isSettled } from "./result_row.js";

/** @import { Name } from "./parse_input.js" */
/** @import { DomainView, ResultRow } from "./result_row.js" */

/** @typedef {"retry" | "open" | "more" | "copy"} RowAction what a button or a key does; of a button its class */
/** @typedef {{ note: string, change: string }} Own what the shortlist keeps of a domain */
/**
 * The filters, and whether all answers have arrived.
 * @typedef {{ isDone: boolean, availableOnly: boolean, isShown: (domain: Name) => boolean }} Arrangement
 */

/** @type {readonly RowAction[]} */
const ACTIONS = ["retry", "open", "more"];
/** As in `style.css`. */
const NARROW = "(max-width: 40rem)";

/**
 * Creates the list.
 * @param {HTMLElement} element
 * @param {{
 *   onAction: (action: RowAction, row: ResultRow, button: HTMLElement) => void,
 *   ownOf: (domain: string) => Own | undefined,
 *   onNote: (domain: string, note: string) => void,
 *   onLeave: () => void,
 * }} options
 */
export function createResultList(element, { onAction, ownOf, onNote, onLeave }) {
  /** @type {ResultRow[]} */
  let rows = [];
  /** @type {Map<string, ResultRow>} */
  let byDomain = new Map();

  const rowOf = (/** @type {Element} */ inside) =>
    rows.find(({ element }) => element.contains(inside));

  element.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const row = rowOf(target);
    const button = target.closest("button");
    if (row === undefined) return;
    if (button === null) return onTap(row, target);
    const action = ACTIONS.find((name) => button.classList.contains(name));
    if (action !== undefined) onAction(action, row, button);
  });

  /**
   * A tap on a narrow row opens its menu, which has the room for what the row leaves out.
   * @param {ResultRow} row
   * @param {Element} target
   */
  function onTap(row, target) {
    const button = row.element.querySelector(".more:not([hidden])") ??
      row.element.querySelector("button:not([hidden])");
    const isNarrow = matchMedia(NARROW).matches && isSettled(row.view().state);
    const isOwn = target.closest(".own") !== null || row.panel.contains(target);
    if (!isNarrow || !(button instanceof HTMLElement) || isOwn) return;
    onAction("more", row, button);
  }

  element.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const row = rowOf(target);
    if (row !== undefined) onNote(row.domain, target.value);
  });

  element.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows.find(({ element }) => element === target);
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      return move(target, step);
    }
    if (row === undefined) return;
    if (key === "Enter") row.open();
    if (key === "c") onAction("copy", row, target);
    if (key === "s") row.star();
  });

  /**
   * @param {HTMLElement} from
   * @param {number} step
   */
  function move(from, step) {
    const ahead = step > 0 ? shownRows() : shownRows().toReversed();
    const place = ahead.findIndex(({ element }) => element.contains(from));
    const next = ahead[place + 1];
    if (next !== undefined) next.focus();
    else if (step < 0) onLeave();
  }

  /** A blank row cannot have the focus. */
  const shownRows = () =>
    rows.filter(({ element }) => !element.hidden && !element.classList.contains("blank"));

  return {
    /**
     * Makes the rows those of a search. Rows with the same TLDs stay, so that nothing moves during typing.
     * @param {readonly Name[]} domains
     */
    expect(domains) {
      const isSame = domains.length === rows.length &&
        domains.every(({ tld }, place) => rows[place]?.tld === tld);
      if (!isSame) {
        rows = domains.map(createResultRow);
        element.replaceChildren(...rows.map((row) => row.element));
      } else domains.forEach(({ name }, place) => rows[place]?.rename(name));
      byDomain = new Map(rows.map((row) => [row.domain, row]));
      for (const row of rows) row.show(CHECKING);
      this.showOwn();
    },
    /**
     * Marks the domain that was asked for.
     * @param {string} domain
     */
    mark(domain) {
      for (const row of rows) row.element.classList.toggle("typed", row.domain === domain);
    },
    /**
     * @param {string} domain
     * @param {DomainView} view
     */
    show: (domain, view) => byDomain.get(domain)?.show(view),
    /**
     * Shows what the filters leave. While answers arrive no row may move: one that is filtered out leaves its place blank.
     * @param {Arrangement} arrangement
     */
    arrange({ isDone, availableOnly, isShown }) {
      for (const row of rows) {
        const { state } = row.view();
        const isOut = availableOnly && isSettled(state) && !isAvailable(state);
        row.element.hidden = !isShown(nameOf(row.domain)) || (isOut && isDone);
        row.element.classList.toggle("blank", isOut && !isDone);
      }
    },
    /** Shows what the shortlist keeps of each domain. */
    showOwn: () => rows.forEach((row) => row.own(ownOf(row.domain))),
    focusFirst: () => shownRows()[0]?.focus(),
    /** @param {string} domain */
    focus: (domain) => byDomain.get(domain)?.focus(),
    refresh: () => rows.forEach((row) => row.refresh()),
    /** The domains that are shown, with their views, as they are sorted. */
    shown: () => shownRows().map((row) => ({ domain: row.domain, view: row.view() })),
  };
}
