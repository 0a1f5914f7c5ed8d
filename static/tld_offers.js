// @ts-check
/** What the page knows of the TLDs: their prices, their order, and which of them a choice shows. Pure. */

import { toALabel } from "./unicode_label.js";

/**
 * Estimated prices in USD, for names without a premium: the first `years` years together cost `register`, each year after
 * them `renew`.
 * @typedef {{ register: number, years?: number | undefined, renew?: number | undefined }} TldPrices
 *
 * @typedef {{ tld: string, isQuick?: boolean, prices?: TldPrices }} TldOffer `isQuick`: whether its registry answers a few names
 *   at once; prices only where they are known
 *
 * @typedef {object} TldOffers what the page loads once, before any search
 * @property {readonly TldOffer[]} tlds
 * @property {readonly { name: string, url: string }[]} registrars their links contain `placeholder`, which stands for the
 *   domain
 * @property {string} placeholder
 *
 * @typedef {{ text: string, url: string, label: string }} Offer a link; `label` is its text out of context
 *
 * @typedef {object} PriceText each "" if it is not known, or says nothing
 * @property {string} first what is paid first
 * @property {string} then what is paid later
 * @property {string} trap how many times as much a year costs after the first
 * @property {string} total what three years cost
 */

/** From here on a renewal is called out: it costs so many times as much as a year of the first term. */
const TRAP = 2.5;

/**
 * The price in words, such as "≈ $1.85", "then $27.29/yr", "15× after year 1" and "$56 / 3 yr"; undefined if it is not known.
 * @param {TldPrices} [prices]
 * @returns {PriceText | undefined}
 */
export function priceText(prices) {
  const { register, years = 1, renew } = prices ?? {};
  if (register === undefined) return undefined;
  const term = years === 1 ? [] : [`for ${years} years`];
  const isSame = Math.abs(years * (renew ?? 0) - register) < 0.01;
  const later = renew === undefined || isSame ? [] : [`then ${dollars(renew)}/yr`];
  const times = (renew ?? 0) * years / register;
  return {
    first: `≈ ${dollars(register)}`,
    then: [...term, ...later].join(", "),
    trap: times < TRAP ? "" : `${Math.round(times)}× after year ${years}`,
    total: `$${Math.round(threeYears(prices))} / 3 yr`,
  };
}

/**
 * What three years cost, or the first term if that is longer; infinite if no price is known, so that it sorts last.
 * Where the renewal is not known, a year counts as much as one of the first term.
 * @param {TldPrices} [prices]
 */
export function threeYears(prices) {
  const { register = Infinity, years = 1, renew = register / years } = prices ?? {};
  return register + Math.max(3 - years, 0) * renew;
}

/** The most popular TLDs; the others follow in alphabetical order. */
const POPULAR = ["com", "io", "ai", "dev", "app", "net", "org"];

/** The TLDs of a choice: one of the words, or those that the user named, such as "com,io,de". @typedef {string} TldChoice */
const WORDS = ["popular", "all"];
/** More columns than a window shows; `/search` asks for all of them at once. */
const MAX_OWN = 20;
const SUFFIX = /^[a-z0-9-]{2,63}(?:\.[a-z0-9-]{2,63}){0,3}$/;

/**
 * Reads a choice from a link, or TLDs as they are typed: ".com, io de". What is no TLD is left out; "" if nothing is left.
 * @param {string} text
 * @returns {TldChoice | ""}
 */
export function readChoice(text) {
  if (WORDS.includes(text)) return text;
  const tlds = text.slice(0, 1_000).toLowerCase().split(/[\s,;]+/).map((word) =>
    word.replace(/^\./, "").split(".").map((label) => toALabel(label) ?? label).join(".")
  );
  return [...new Set(tlds.filter((tld) => SUFFIX.test(tld)))].slice(0, MAX_OWN).join(",");
}

/**
 * The TLDs that the user named; none for a word.
 * @param {TldChoice | ""} choice
 */
export function namedTlds(choice) {
  return choice === "" || WORDS.includes(choice) ? [] : choice.split(",");
}

/**
 * Popular TLDs first.
 * @template {{ tld: string }} Item
 * @param {readonly Item[]} items
 */
export function popularFirst(items) {
  const rankOf = (/** @type {Item} */ { tld }) =>
    POPULAR.includes(tld) ? POPULAR.indexOf(tld) : POPULAR.length;
  return items.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Those that cost least over three years first, those without a price last: a low first year may renew at fifteen times.
 * @template {{ tld: string }} Domain
 * @param {readonly Domain[]} domains
 * @param {readonly TldOffer[]} offers
 */
export function cheapFirst(domains, offers) {
  const costOf = (/** @type {Domain} */ { tld }) =>
    threeYears(offers.find((one) => one.tld === tld)?.prices);
  // The difference of two unknown prices is NaN, which must count as equal.
  return domains.toSorted((a, b) => costOf(a) - costOf(b) || 0);
}

/**
 * Which domains a choice shows: of TLDs that are not listed, all.
 * @param {readonly { tld: string }[]} tlds
 * @param {TldChoice} choice
 * @returns {(domain: { tld: string }) => boolean}
 */
export function shownBy(tlds, choice) {
  const chosen = choice === "popular" ? POPULAR : namedTlds(choice);
  return ({ tld }) =>
    choice === "all" || chosen.includes(tld) || !tlds.some((one) => one.tld === tld);
}

/** @param {number} usd */
function dollars(usd) {
  return `$${usd.toFixed(2)}`;
}
