// @ts-check
/** What an answer about a .eth name is called and how it is known; the live page and the server's table say the same. */
import { known } from "./words.js";

/** @import { State } from "./words.js" */

/**
 * An answer of `/v1/ens/check`.
 * @typedef {object} EthAnswer
 * @property {string} name
 * @property {boolean} available
 * @property {string | undefined} [owner]
 * @property {EthPrice | undefined} [registrationPrice]
 * @property {string} source
 * @property {number} responseMs
 * @property {string} checkedAt
 *
 * @typedef {{ eth: string, usdEstimate: number, premiumWei?: string | undefined }} EthPrice
 */

/** What is said of a name that the chain sells to nobody, such as one that is too short. */
export const NOT_FOR_SALE = "Not for sale";

/**
 * The state of the name.
 * @param {EthAnswer} answer
 * @returns {State}
 */
export function ethStateOf({ available, registrationPrice }) {
  if (!available) return "taken";
  return isPremium(registrationPrice) ? "premium" : "free";
}

/**
 * How that is known.
 * @param {EthAnswer} answer
 * @param {number} now
 */
export function ethEvidenceOf(answer, now) {
  const { available, owner, registrationPrice } = answer;
  if (!available) {
    return known(owner === undefined ? "held" : `held by ${shorten(owner)}`, answer, now);
  }
  const found = isPremium(registrationPrice)
    ? "nobody holds it; its price falls daily"
    : "nobody holds it";
  return known(found, answer, now);
}

/**
 * Where a free name can be registered, and the price of a year.
 * @param {EthAnswer} answer
 */
export function ethOfferOf({ name, registrationPrice }) {
  return {
    text: "ENS",
    url: `https://app.ens.domains/${encodeURIComponent(name)}`,
    label: `Register ${name} at ENS`,
    ...(registrationPrice !== undefined && { price: priceOf(registrationPrice) }),
  };
}

/** @param {EthPrice} price */
function priceOf(price) {
  const amount = Number(price.eth).toLocaleString("en", { maximumSignificantDigits: 3 });
  // The tier's dollars leave the temporary premium out: beside it they would be a lie.
  return isPremium(price) ? `${amount} ETH` : `${amount} ETH ≈ $${price.usdEstimate}`;
}

/** @param {EthPrice | undefined} price */
function isPremium(price) {
  return Number(price?.premiumWei ?? 0) > 0;
}

/** @param {string} address */
function shorten(address) {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
