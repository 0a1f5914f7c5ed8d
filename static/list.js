// @ts-check
/// <reference lib="dom" />
/** The rows of all endings in one order that never changes, which of them are shown, and the keys that walk them. */
import { CHECKING, createRow } from "./row.js";
import { countsOf } from "./words.js";

/** @import { View } from "./row.js" */
/** @import { State } from "./words.js" */

/** @typedef {"retry" | "open" | "offers" | "copy"} Act what a button of a row is for, and its class */

/** What most people look for first; the others follow in alphabetical order. */
const FIRST = ["com", "net", "org", "io", "ai", "dev", "app"];

/**
 * Makes the list.
 * @param {HTMLElement} element
 * @param {{
 *   endings: readonly { tld: string, type: string }[],
 *   onAct: (act: Act, row: ReturnType<typeof createRow>, button: HTMLElement) => void,
 *   onLeave: () => void,
 * }} options
 */
export function createList(element, { endings, onAct, onLeave }) {
  const rank = (/** @type {{ tld: string }} */ { tld }) =>
    FIRST.includes(tld) ? FIRST.indexOf(tld) : FIRST.length;
  const sorted = endings.toSorted((a, b) => rank(a) - rank(b));
  const rows = [...sorted, { tld: "eth", type: "eth" }].map(({ tld, type }) =>
    createRow(tld, type)
  );
  const byTld = new Map(rows.map((row) => [row.tld, row]));
  const wish = { kind: "", freeOnly: false };
  let label = "";
  element.replaceChildren(...rows.map((row) => row.element));

  const settled = () => rows.filter((row) => row.state() !== "checking");
  const free = () => rows.filter((row) => ["free", "premium"].includes(row.state()));

  /** While answers arrive nothing that is shown may move: what is not wanted only leaves its place empty. */
  function arrange() {
    const isDone = settled().length === rows.length;
    const wanted = new Set(wish.freeOnly ? free() : rows);
    for (const row of rows) {
      const isUnwanted = !wanted.has(row) && row.state() !== "checking";
      row.element.hidden = (wish.kind !== "" && row.type !== wish.kind) || (isUnwanted && isDone);
      row.element.classList.toggle("blank", isUnwanted && !isDone);
    }
  }

  element.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const row = rows.find(({ element }) => button !== null && element.contains(button));
    if (button === null || row === undefined) return;
    const act = /** @type {const} */ (["retry", "open", "offers", "copy"]).find((name) =>
      button.classList.contains(name)
    );
    if (act !== undefined) onAct(act, row, button);
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
    endings: rows.map(({ tld }) => `.${tld}`),
    /**
     * Starts over for a name.
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
     * Marks the ending that was typed with the name.
     * @param {string} ending
     */
    mark(ending) {
      for (const row of rows) row.element.classList.toggle("asked", row.tld === ending);
    },
    /**
     * Whether an ending that was typed is among the rows; none is.
     * @param {string} ending
     */
    has: (ending) => ending === "" || byTld.has(ending),
    /**
     * @param {string} tld
     * @param {View} view
     */
    show(tld, view) {
      byTld.get(tld)?.show(view);
      arrange();
    },
    /** @param {Partial<typeof wish>} changed */
    filter(changed) {
      Object.assign(wish, changed);
      arrange();
    },
    focusFirst: () => rows.find(isShown)?.focus(),
    refresh: () => rows.forEach((row) => row.refresh()),
    settledCount: () => settled().length,
    isEmpty: () => rows.every(({ element }) => element.hidden),
    counts: () => countsOf(settled().map((row) => /** @type {State} */ (row.state()))),
    freeNames: () => free().map(({ tld }) => `${label}.${tld}`),
  };
}

/**
 * Whether a row can be seen, and so have the focus: an empty place cannot.
 * @param {ReturnType<typeof createRow>} row
 */
function isShown({ element }) {
  return !element.hidden && !element.classList.contains("blank");
}
