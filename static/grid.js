// @ts-check
/// <reference lib="dom" />
/** The grid of a search for several names: a row for each name, a column for each TLD, a button in each cell. */
import { addressOf } from "./search_scope.js";
import { isSettled, wordOf } from "./domain_view.js";
import { copyOfTemplate, createElement, domainAt, drawState } from "./elements.js";
import { domainOf, namesInWords } from "./parse_input.js";
import { readableBehind } from "./unicode_label.js";

/** @import { DomainView } from "./domain_view.js" */
/** @import { Name } from "./parse_input.js" */
/** @import { Arrangement } from "./result_list.js" */
/** @import { PriceText } from "./tld_offers.js" */

/** How far each key moves the focus along the row or the column. @type {Record<string, 1 | -1>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 };

/**
 * Creates the grid in a table that scrolls in its own area.
 * @param {HTMLTableElement} table
 * @param {{
 *   viewOf: (domain: string) => DomainView,
 *   isListed: (domain: string) => boolean,
 *   priceOf: (tld: string) => PriceText | undefined,
 *   onLeave: () => void,
 * }} options
 */
export function createGrid(table, { viewOf, isListed, priceOf, onLeave }) {
  const [body] = table.tBodies;
  /** @type {Map<string, HTMLElement>} */
  let cells = new Map();
  /**
   * The domains of each column, and where it shows how many of them have answers.
   * @type {readonly { tld: string, all: readonly Name[], count: HTMLElement }[]}
   */
  let columns = [];

  table.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) reach(domainAt(target));
  });

  table.addEventListener("keydown", (event) => {
    const { target } = event;
    const step = STEPS[event.key];
    const td = target instanceof Element ? target.closest("td") : null;
    const row = /** @type {HTMLTableRowElement | undefined} */ (td?.parentElement ?? undefined);
    if (step === undefined || td === null || row === undefined) return;
    event.preventDefault();
    const isColumn = event.key === "ArrowDown" || event.key === "ArrowUp";
    const places = isColumn
      ? shownRows().flatMap(({ cells }) => cells[td.cellIndex] ?? [])
      : [...row.cells];
    const buttons = places.flatMap((place) => [...place.querySelectorAll("button")]);
    const next = buttons[buttons.findIndex((button) => button === target) + step];
    if (next !== undefined) next.focus();
    else if (event.key === "ArrowUp") onLeave();
  });

  const shownRows = () => [...body?.rows ?? []].filter(({ hidden }) => !hidden);

  const shown = () =>
    shownRows().flatMap((row) => [...row.querySelectorAll("button")].map(domainAt));

  /** @returns {HTMLElement | null} */
  const reachable = () => table.querySelector(".cell[tabindex='0']");

  /** Makes the cell of a domain the one that Tab reaches. @param {string} domain */
  function reach(domain) {
    const cell = cells.get(domain);
    if (cell === undefined) return;
    reachable()?.setAttribute("tabindex", "-1");
    cell.tabIndex = 0;
  }

  /** @param {string} domain */
  function show(domain) {
    const cell = cells.get(domain);
    if (cell === undefined) return;
    const view = viewOf(domain);
    cell.dataset.domain = domain;
    drawState(cell, view);
    const isStarred = isListed(domain);
    const cost = view.price?.total ?? "";
    const label = [`${domain}: ${wordOf(view)}`, cost, isStarred ? "in the shortlist" : ""]
      .filter((part) => part !== "").join(", ");
    cell.classList.toggle("starred", isStarred);
    cell.ariaLabel = label;
    cell.title = label;
  }

  /**
   * A column has no room for more; the menu says the same in words.
   * @param {string} tld
   * @param {HTMLElement} count
   */
  function columnHeaderOf(tld, count) {
    const { total = "", trap = "" } = priceOf(tld) ?? {};
    const [cost = "", warning = ""] = [total, trap].map((text) => text.split(" ")[0]);
    const trapSpan = createElement("span", { className: "trap", title: trap }, warning);
    return headerOf("col", `.${tld}`, spanOf("total", cost), trapSpan, count);
  }

  return {
    /**
     * Makes the rows and columns those of a search.
     * @param {readonly Name[]} domains row by row
     */
    expect(domains) {
      const names = [...new Set(domains.map(({ name }) => name))];
      const byTld = Map.groupBy(domains, ({ tld }) => tld);
      const all = domains.map(domainOf);
      cells = new Map(all.map((domain) => [domain, cells.get(domain) ?? copyOfTemplate("cell")]));
      columns = [...byTld].map(([tld, all]) => ({ tld, all, count: spanOf("count", "") }));
      const heads = columns.map(({ tld, count }) => columnHeaderOf(tld, count));
      const count = headerOf("col", namesInWords(names.length), spanOf("quiet", "3-year cost"));
      table.tHead?.replaceChildren(createElement("tr", {}, count, ...heads));
      body?.replaceChildren(...names.map((name) => {
        // A name leads to its rows under all TLDs.
        const link = createElement("a", { href: addressOf(name) }, name);
        const header = headerOf("row", link, createElement("span", {}, readableBehind(name)));
        const data = columns.map(({ tld }) =>
          createElement("td", {}, cells.get(`${name}.${tld}`) ?? "")
        );
        return createElement("tr", {}, header, ...data);
      }));
      cells.forEach((_, domain) => show(domain));
      const [first = ""] = cells.keys();
      reach(first);
    },
    show,
    /** Shows how far each column is, and what the filter leaves: no row is hidden while answers arrive. @param {Arrangement} arrangement */
    arrange({ isDone, availableOnly }) {
      for (const row of body?.rows ?? []) {
        const isAvailable = row.querySelector("[data-state=available], [data-state=premium]");
        row.hidden = availableOnly && isDone && isAvailable === null;
      }
      if (reachable()?.closest("tr")?.hidden) reach(shown()[0] ?? "");
      for (const { all, count } of columns) {
        const done = all.filter((domain) => isSettled(viewOf(domainOf(domain)).state)).length;
        count.textContent = done === all.length ? "" : `${done}/${all.length}`;
      }
    },
    star: () => cells.forEach((_, domain) => show(domain)),
    /** @param {FocusOptions} [options] */
    focusFirst: (options) => reachable()?.focus(options),
    shown,
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
