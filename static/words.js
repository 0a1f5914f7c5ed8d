// @ts-check
/** What a result is called and how it is known, in words: the live page and the server's table say the same. */

/**
 * A row of `/check`.
 * @typedef {object} Row
 * @property {string} domain
 * @property {string} tld
 * @property {boolean} available
 * @property {readonly string[]} status
 * @property {boolean} premium
 * @property {string} source
 * @property {string} checkedAt
 * @property {number} responseMs
 * @property {string | undefined} [reason]
 * @property {string | undefined} [error]
 */

/** @typedef {"free" | "premium" | "taken" | "reserved" | "unknown"} State */

/** @type {Readonly<Record<State, string>>} */
export const WORDS = {
  free: "Free",
  premium: "Premium",
  taken: "Taken",
  reserved: "Reserved",
  unknown: "Could not tell",
};

/** @type {Readonly<Record<State, string>>} */
const COUNTED = {
  free: "free",
  premium: "premium",
  taken: "taken",
  reserved: "reserved",
  unknown: "unclear",
};

/** What somebody who sees the price has to know besides. @type {Readonly<Record<string, string>>} */
const TERMS = { ai: "× 2 years" };

/**
 * The state of a row.
 * @param {Pick<Row, "available" | "premium" | "status">} row
 * @returns {State}
 */
export function stateOf({ available, premium, status }) {
  if (available) return premium ? "premium" : "free";
  if (status.includes("unknown")) return "unknown";
  return status.includes("active") ? "taken" : "reserved";
}

/**
 * How the state of a row is known, how long that took and how old it is, part by part.
 * @param {Row} row
 * @param {number} now
 */
export function evidenceOf(row, now) {
  const state = stateOf(row);
  if (state === "unknown") return [row.error ?? "nothing is known"];
  return known(foundIn(state, row), row, now);
}

/**
 * The same of any answer that tells its source and time.
 * @param {string} found
 * @param {Pick<Row, "source" | "responseMs" | "checkedAt">} answer
 * @param {number} now
 */
export function known(found, { source, responseMs, checkedAt }, now) {
  const took = source.endsWith("+cache") ? [] : [timeOf(responseMs)];
  return [found, ...took, ageOf(checkedAt, now)];
}

/** @param {number} ms */
function timeOf(ms) {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * @param {Exclude<State, "unknown">} state
 * @param {Row} row
 */
function foundIn(state, { source, reason }) {
  if (state === "free") return "registry says not found";
  if (state === "premium") return "registry says not found, and premium";
  if (state === "reserved") return reason ?? "registry keeps it back";
  return source.startsWith("dns") ? "found in DNS" : "registered, not in DNS";
}

/**
 * How long ago something was found out.
 * @param {string} checkedAt
 * @param {number} now
 */
export function ageOf(checkedAt, now) {
  const seconds = Math.round((now - Date.parse(checkedAt)) / 1_000);
  if (!(seconds >= 10)) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3_600)} h ago`;
}

/**
 * An estimated price of the first year.
 * @param {number} usd
 * @param {string} tld
 */
export function priceOf(usd, tld) {
  return `≈ $${usd.toFixed(2)} ${TERMS[tld] ?? ""}`.trimEnd();
}

/**
 * How many of each state there are, such as "7 free, 11 taken".
 * @param {readonly State[]} states
 */
export function countsOf(states) {
  const order = /** @type {State[]} */ (Object.keys(COUNTED));
  return order
    .map((state) => ({ state, count: states.filter((one) => one === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${COUNTED[state]}`)
    .join(", ");
}
