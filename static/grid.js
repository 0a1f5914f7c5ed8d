// @ts-check
/// <reference lib="dom" />
/** The grid of a search for several names: a row for each name, a column for each TLD, a button in each cell. */
import { addressOf } from "./search_scope.js";
import { copyOfTemplate, createElement } from "./elements.js";
import { namesInWords } from "./parse_input.js";
import { CHECKING, drawState, isAvailable, isSettled, wordOf } from "./result_row.js";
import { readableBehind } from "./unicode_label.js";

/** @import { Name } from "./parse_input.js" */
/** @import { Arrangement } from "./result_list.js" */
/** @import { DomainView } from "./result_row.js" */
/** @import { PriceText } from "./tld_offers.js" */

/**
 * @typedef {object} Cell
 * @property {string} domain
 * @property {HTMLElement} button
 * @property {DomainView} view
 */

/** Where each key moves the focus: rows down, cells to the right. @type {Record<string, [number, number]>} */
const STEPS = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/**
 * Creates the grid in a table that scrolls in its own area.
 * @param {HTMLTableElement} table
 * @param {{
 *   isListed: (domain: string) => boolean,
 *   priceOf: (tld: string) => PriceText | undefined,
 *   onMore: (button: HTMLElement, shown: { domain: string, view: DomainView }) => void,
 *   onLeave: () => void,
 * }} options
 */
export function createGrid(table, { isListed, priceOf, onMore, onLeave }) {
  /** @type {{ element: HTMLTableRowElement, cells: (Cell | undefined)[] }[]} */
  let rows = [];
  /** @type {Map<string, Cell>} */
  let byDomain = new Map();
  /** The one cell that Tab reaches: the arrow keys move it. @type {Cell | undefined} */
  let reachable;
  /** Where the columns show how many of their cells have answers. @type {HTMLElement[]} */
  let counts = [];

  for (const type of ["pointerover", "focusin"]) {
    table.addEventListener(type, ({ target }) => {
      const cell = target instanceof Element ? cellOf(target) : undefined;
      // Its place in the queue is another one now.
      if (cell?.view.state === "waiting") draw(cell);
    });
  }

  /** @param {Element} target */
  function cellOf(target) {
    const button = target.closest("button");
    return button === null ? undefined : byDomain.get(button.dataset.domain ?? "");
  }

  table.addEventListener("click", ({ target }) => {
    const cell = target instanceof Element ? cellOf(target) : undefined;
    if (cell === undefined || !isSettled(cell.view.state)) return;
    reach(cell);
    onMore(cell.button, cell);
  });

  table.addEventListener("keydown", (event) => {
    const [down, right] = STEPS[event.key] ?? [0, 0];
    if (down === 0 && right === 0) return;
    event.preventDefault();
    const from = rows.findIndex(({ cells }) => cells.includes(reachable));
    const { cells = [] } = rows[from] ?? {};
    const column = cells.indexOf(reachable);
    const [before, behind] = down === 0
      ? [cells.slice(0, column), cells.slice(column + 1)]
      : [rows.slice(0, from), rows.slice(from + 1)].map((some) =>
        some.filter(({ element }) => !element.hidden).map(({ cells }) => cells[column])
      );
    const isCell = (/** @type {Cell | undefined} */ cell) => cell !== undefined;
    const next = down + right > 0 ? behind?.find(isCell) : before?.findLast(isCell);
    if (next !== undefined) focusCell(next);
    else if (down < 0) onLeave();
  });

  /** @param {Cell} cell */
  function reach(cell) {
    if (reachable !== undefined) reachable.button.tabIndex = -1;
    reachable = cell;
    cell.button.tabIndex = 0;
  }

  /** @param {Cell} cell */
  function focusCell(cell) {
    reach(cell);
    cell.button.focus();
  }

  /** @param {Cell} cell */
  function draw({ domain, button, view }) {
    drawState(button, view);
    const isStarred = isListed(domain);
    const cost = view.price?.total ?? "";
    const turn = view.state === "waiting" ? view.evidence?.(0) ?? [] : [];
    const label = [`${domain}: ${wordOf(view)}`, ...turn, cost, isStarred ? "in the shortlist" : ""]
      .filter((part) => part !== "").join(", ");
    button.classList.toggle("starred", isStarred);
    button.ariaLabel = label;
    button.title = label;
  }

  /**
   * A column has no room for more; the menu says the same in words.
   * @param {string} tld
   * @param {number} column
   */
  function columnHeaderOf(tld, column) {
    const { total = "", trap = "" } = priceOf(tld) ?? {};
    const [cost = "", warning = ""] = [total, trap].map((text) => text.split(" ")[0]);
    const trapSpan = createElement("span", { className: "trap", title: trap }, warning);
    return headerOf("col", `.${tld}`, spanOf("total", cost), trapSpan, counts[column] ?? "");
  }

  /** @param {string} domain @returns {Cell} */
  function createCell(domain) {
    const button = copyOfTemplate("cell");
    button.dataset.domain = domain;
    return { domain, button, view: CHECKING };
  }

  return {
    /**
     * Makes the rows and columns those of a search.
     * @param {readonly Name[]} domains row by row
     */
    expect(domains) {
      const names = [...new Set(domains.map(({ name }) => name))];
      const tlds = [...new Set(domains.map(({ tld }) => tld))];
      byDomain = new Map(domains.map(({ name, tld }) => {
        const domain = `${name}.${tld}`;
        return [domain, byDomain.get(domain) ?? createCell(domain)];
      }));
      counts = tlds.map(() => spanOf("count", ""));
      const count = headerOf("col", namesInWords(names.length), spanOf("quiet", "3-year cost"));
      table.tHead?.replaceChildren(createElement("tr", {}, count, ...tlds.map(columnHeaderOf)));
      rows = names.map((name) => {
        const cells = tlds.map((tld) => byDomain.get(`${name}.${tld}`));
        // A name leads to its rows under all TLDs.
        const link = createElement("a", { href: addressOf(name) }, name);
        const header = headerOf("row", link, createElement("span", {}, readableBehind(name)));
        const data = cells.map((cell) => createElement("td", {}, ...(cell ? [cell.button] : [])));
        return { element: createElement("tr", {}, header, ...data), cells };
      });
      table.tBodies[0]?.replaceChildren(...rows.map(({ element }) => element));
      const [first] = byDomain.values();
      reachable = undefined;
      for (const cell of byDomain.values()) {
        cell.view = CHECKING;
        cell.button.tabIndex = -1;
        draw(cell);
      }
      if (first !== undefined) reach(first);
    },
    /**
     * @param {string} domain
     * @param {DomainView} view
     */
    show(domain, view) {
      const cell = byDomain.get(domain);
      if (cell === undefined) return;
      cell.view = view;
      draw(cell);
    },
    /** Shows how far each column is, and what the filter leaves: no row is hidden while answers arrive. @param {Arrangement} arrangement */
    arrange({ isDone, availableOnly }) {
      for (const { element, cells } of rows) {
        element.hidden = availableOnly && isDone &&
          !cells.some((cell) => cell !== undefined && isAvailable(cell.view.state));
      }
      for (const [column, count] of counts.entries()) {
        const cells = rows.flatMap(({ cells }) => cells[column] ?? []);
        const done = cells.filter(({ view }) => isSettled(view.state)).length;
        count.textContent = done === cells.length ? "" : `${done}/${cells.length}`;
      }
    },
    star: () => byDomain.forEach(draw),
    focusFirst: () => reachable?.button.focus(),
    /** @param {string} domain */
    focus(domain) {
      const cell = byDomain.get(domain);
      if (cell !== undefined) focusCell(cell);
    },
    shown: () =>
      rows.filter(({ element }) => !element.hidden)
        .flatMap(({ cells }) => cells.filter((cell) => cell !== undefined)),
  };
}

/**
 * @param {string} className
 * @param {string} textContent
 */
function spanOf(className, textContent) {
  return createElement("span", { className, textContent });
}

/**
 * @param {string} scope
 * @param {readonly (Node | string)[]} children
 */
function headerOf(scope, ...children) {
  return createElement("th", { scope }, ...children);
}
