// @ts-check
/// <reference lib="dom" />
/** The rows of all TLDs in a fixed order, the filters, and the arrow keys. */
import { CHECKING, createResultRow } from "./result_row.js";
import { countsInWords, STATE_ENTRIES } from "./vocabulary.js";

/** @import { State } from "../src/rules/verdict.ts" */
/** @import { RowView } from "./result_row.js" */

/** @typedef {"retry" | "open" | "offers" | "copy"} RowAction what a button of a row does, and its class */

/** The most popular TLDs; the others follow in alphabetical order. */
const FIRST = ["com", "net", "org", "io", "ai", "dev", "app"];

/**
 * Creates the list.
 * @param {HTMLElement} element
 * @param {{
 *   tlds: readonly { tld: string, type: string }[],
 *   onAction: (action: RowAction, row: ReturnType<typeof createResultRow>, button: HTMLElement) => void,
 *   onLeave: () => void,
 * }} options
 */
export function createResultList(element, { tlds, onAction, onLeave }) {
  const rank = (/** @type {{ tld: string }} */ { tld }) =>
    FIRST.includes(tld) ? FIRST.indexOf(tld) : FIRST.length;
  const sorted = tlds.toSorted((a, b) => rank(a) - rank(b));
  const rows = [...sorted, { tld: "eth", type: "eth" }].map(({ tld, type }) =>
    createResultRow(tld, type)
  );
  const byTld = new Map(rows.map((row) => [row.tld, row]));
  const filters = { type: "", availableOnly: false };
  let label = "";
  element.replaceChildren(...rows.map((row) => row.element));

  const settled = () => rows.filter((row) => row.state() !== "checking");
  const available = () => settled().filter((row) => STATE_ENTRIES[stateOf(row)].isAvailable);

  /** While answers arrive no row may move: a row that is filtered out leaves its place blank until the end. */
  function arrange() {
    const isDone = settled().length === rows.length;
    const matching = new Set(filters.availableOnly ? available() : rows);
    for (const row of rows) {
      const isOut = !matching.has(row) && row.state() !== "checking";
      row.element.hidden = (filters.type !== "" && row.type !== filters.type) || (isOut && isDone);
      row.element.classList.toggle("blank", isOut && !isDone);
    }
  }

  element.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const row = rows.find(({ element }) => button !== null && element.contains(button));
    if (button === null || row === undefined) return;
    const action = /** @type {const} */ (["retry", "open", "offers", "copy"]).find((name) =>
      button.classList.contains(name)
    );
    if (action !== undefined) onAction(action, row, button);
  });

  element.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || !(event.target instanceof Node)) return;
    event.preventDefault();
    const { target } = event;
    const ahead = step > 0 ? rows : rows.toReversed();
    const place = ahead.findIndex(({ element }) => element.contains(target));
    const next = ahead.slice(place + 1).find(isShown);
    if (next !== undefined) next.focus();
    else if (step < 0) onLeave();
  });

  return {
    size: rows.length,
    tlds: rows.map(({ tld }) => `.${tld}`),
    /**
     * Shows all rows of a name as being checked.
     * @param {string} name
     */
    expect(name) {
      label = name;
      for (const row of rows) {
        row.name(name);
        row.show(CHECKING);
      }
      arrange();
    },
    /**
     * Marks the TLD that was typed with the name.
     * @param {string} tld
     */
    mark(tld) {
      for (const row of rows) row.element.classList.toggle("typed", row.tld === tld);
    },
    /**
     * Whether a TLD is checked.
     * @param {string} tld
     */
    has: (tld) => byTld.has(tld),
    /**
     * @param {string} tld
     * @param {RowView} view
     */
    show(tld, view) {
      byTld.get(tld)?.show(view);
      arrange();
    },
    /** @param {typeof filters} chosen */
    filter(chosen) {
      Object.assign(filters, chosen);
      arrange();
    },
    focusFirst: () => rows.find(isShown)?.focus(),
    refresh: () => rows.forEach((row) => row.refresh()),
    settledCount: () => settled().length,
    isEmpty: () => rows.every(({ element }) => element.hidden),
    counts() {
      const states = settled().map(stateOf);
      return countsInWords((state) => states.filter((one) => one === state).length);
    },
    /** The TLDs of the rows that are unknown. */
    unknown: () => rows.filter((row) => row.state() === "unknown").map(({ tld }) => tld),
    /** @param {string} tld */
    focus: (tld) => byTld.get(tld)?.focus(),
    availableNames: () => available().map(({ tld }) => `${label}.${tld}`),
  };
}

/**
 * The state of a row that has its answer.
 * @param {ReturnType<typeof createResultRow>} row
 */
function stateOf(row) {
  return /** @type {State} */ (row.state());
}

/**
 * Whether a row is visible and can have the focus; a blank one cannot.
 * @param {ReturnType<typeof createResultRow>} row
 */
function isShown({ element }) {
  return !element.hidden && !element.classList.contains("blank");
}
