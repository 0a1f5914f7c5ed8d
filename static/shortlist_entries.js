// @ts-check
/** What the shortlist keeps of a domain, how that has changed, what all cost, and the list as text. Pure. */
import { csvCell } from "./csv_cell.js";
import { isAvailable, isSettled, wordOf } from "./result_row.js";

/** @import { State } from "../src/rules/verdict.ts" */
/** @import { DomainView } from "./result_row.js" */

/**
 * @typedef {{ state: State, at: number }} Seen a state, and when it was seen, in ms since 1970
 *
 * @typedef {object} Entry
 * @property {string} domain
 * @property {string} note the user's own
 * @property {Seen} [before] the state on the last earlier day, or the first one seen
 * @property {Seen} [last] the latest state
 *
 * @typedef {{ domain: string, view: DomainView, note: string, change: string }} ListedDomain what is shown of an entry
 */

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/**
 * The entry after a state was seen. What was seen today is compared with the last earlier day, not with itself.
 * @param {Entry} entry
 * @param {State} state
 * @param {number} at
 * @returns {Entry}
 */
export function withSeen(entry, state, at) {
  const seen = { state, at };
  const { before = seen, last = seen } = entry;
  return { ...entry, before: isSameDay(last.at, at) ? before : last, last: seen };
}

/**
 * What a domain was before, such as "was Available on 23 Nov"; "" if it is what it was.
 * @param {Entry} entry
 * @param {DomainView} view
 * @param {number} now
 */
export function changeOf({ before }, { state }, now) {
  if (before === undefined || !isSettled(state) || state === "unknown" || before.state === state) {
    return "";
  }
  const when = isSameDay(before.at, now) ? "earlier today" : `on ${DAY.format(before.at)}`;
  return `was ${wordOf({ state: before.state })} ${when}`;
}

/**
 * What the domains that can be registered cost over three years, such as "≈ $94 for 3 years: 3 available".
 * @param {readonly DomainView[]} views
 */
export function costInWords(views) {
  const free = views.filter(({ state }) => isAvailable(state));
  const costs = free.flatMap(({ cost = Infinity }) => Number.isFinite(cost) ? [cost] : []);
  const sum = Math.round(costs.reduce((total, cost) => total + cost, 0));
  const rest = free.length - costs.length;
  return [
    ...(costs.length > 0 ? [`≈ $${sum} for 3 years: ${costs.length} available`] : []),
    ...(rest > 0 ? [`${rest} without a known price`] : []),
    ...(free.length === 0 ? ["none available"] : []),
  ].join(", ");
}

const HEADS = ["Domain", "State", "First term", "Then", "3 years (USD)", "Change", "Note"];

/** @param {ListedDomain} listed */
function cellsOf({ domain, view, note, change }) {
  const { first = "", then = "" } = view.price ?? {};
  const { cost = Infinity } = view;
  const threeYears = Number.isFinite(cost) ? cost.toFixed(2) : "";
  return [domain, wordOf(view), first, then, threeYears, change, note];
}

/** The list as CSV, for spreadsheets. @param {readonly ListedDomain[]} list */
export function csvOf(list) {
  return [HEADS, ...list.map(cellsOf)].map((cells) => `${cells.map(csvCell).join(",")}\r\n`)
    .join("");
}

/** The list as a Markdown table. @param {readonly ListedDomain[]} list */
export function markdownOf(list) {
  const lineOf = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll(/[\\`*_[\]<>|~]/g, "\\$&")).join(" | ")} |\n`;
  const rule = `|${" --- |".repeat(HEADS.length)}\n`;
  return lineOf(HEADS) + rule + list.map((listed) => lineOf(cellsOf(listed))).join("");
}

/**
 * @param {number} a
 * @param {number} b
 */
function isSameDay(a, b) {
  return new Date(a).toDateString() === new Date(b).toDateString();
}
