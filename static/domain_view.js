// @ts-check
/**
 * What is shown of a domain: before its answer, and of a row of `/check` or an answer for a .eth name. The page and its table
 * without scripts share it.
 */
import { priceText, threeYears } from "./tld_offers.js";
import {
  ethEvidenceOf,
  ethPriceOf,
  ethStateOf,
  evidenceOf,
  explain,
  likelyEntryOf,
  readState,
  registrarPriceOf,
  STATE_ENTRIES,
} from "./vocabulary.js";

/** @import { State } from "../src/rules/verdict.ts" */
/** @import { Offer, PriceText, TldOffers } from "./tld_offers.js" */
/** @import { DomainRow, EthAnswer, ShownEntry } from "./vocabulary.js" */

/**
 * A domain without an answer is being checked, waits for its turn, or is not in DNS while its registry is asked.
 * @typedef {State | "checking" | "waiting" | "pending"} ViewState
 *
 * @typedef {object} DomainView what is shown of a domain
 * @property {ViewState} state
 * @property {string | undefined} [word] instead of the state's own
 * @property {string | undefined} [look] the same for icon and colours
 * @property {(now: number) => readonly string[]} [evidence] its age grows while it is shown
 * @property {readonly ShownEntry[] | undefined} [entries] what each witness said
 * @property {readonly Offer[]} [links]
 * @property {PriceText | undefined} [price]
 * @property {number} [cost] of three years in US dollars; infinite if it is not known
 * @property {string} [note] what a row says of it, if less than its evidence
 */

/** What a row shows before its answer. @type {DomainView} */
export const CHECKING = { state: "checking" };

/** The words for what is no answer yet. */
const UNSETTLED_WORDS = { checking: "Checking", waiting: "Waiting", pending: "Not in DNS" };

/**
 * Whether a view is an answer.
 * @param {ViewState} state
 * @returns {state is State}
 */
export function isSettled(state) {
  return !Object.hasOwn(UNSETTLED_WORDS, state);
}

/**
 * Whether a view is of a domain that can be registered.
 * @param {ViewState} state
 */
export function isAvailable(state) {
  return isSettled(state) && STATE_ENTRIES[state].isAvailable;
}

/**
 * The word for what is shown.
 * @param {DomainView} view
 */
export function wordOf({ state, word }) {
  return word ?? (isSettled(state) ? STATE_ENTRIES[state].word : UNSETTLED_WORDS[state]);
}

/** Where to read on about a taken domain: a text, what stands in its label before the domain, and its address before that. */
const READ_ON = [
  ["Visit", " ", "http://"],
  ["Registration data at ICANN", " for ", "https://lookup.icann.org/en/lookup?name="],
  ["Feed of its changes", ": ", "/watch.atom?domains="],
  ["Calendar of its dates", ": ", "/watch.ics?domains="],
];

/**
 * What a row of `/check` looks like.
 * @param {DomainRow} row
 * @param {Pick<TldOffers, "tlds" | "registrars" | "placeholder">} offers
 * @returns {DomainView}
 */
export function domainView(row, { tlds, registrars, placeholder }) {
  const state = readState(row);
  const evidence = (/** @type {number} */ now) => evidenceOf(row, now);
  const { word, look } = likelyEntryOf(row) ?? {};
  // What is usual needs no words in a row.
  const isUsual = STATE_ENTRIES[state].isAvailable ||
    (state === "taken" && row.source.startsWith("dns"));
  const note = isUsual ? row.offer === undefined ? "" : registrarPriceOf(row.offer) : explain(row);
  const known = { state, word, look, evidence, entries: row.evidence, note };
  if (state === "taken") {
    const links = READ_ON.map(([text = "", before = "", url = ""]) => ({
      text,
      label: `${text}${before}${row.domain}`,
      url: `${url}${row.domain}`,
    }));
    return { ...known, links };
  }
  if (!STATE_ENTRIES[state].isAvailable) return known;
  const links = registrars.map(({ name, url }) =>
    offerOf(name, row.domain, url.replaceAll(placeholder, row.domain))
  );
  // The estimate is for names without a premium.
  const estimate = state === "premium"
    ? undefined
    : tlds.find(({ tld }) => tld === row.tld)?.prices;
  const asked = row.offer &&
    { register: row.offer.price, years: row.offer.years, renew: row.offer.renewal };
  return {
    ...known,
    links,
    cost: threeYears(asked ?? estimate),
    price: priceText(asked ?? estimate),
  };
}

/**
 * What an answer for a .eth name looks like.
 * @param {EthAnswer} answer
 * @returns {DomainView}
 */
export function ethView(answer) {
  const evidence = (/** @type {number} */ now) => ethEvidenceOf(answer, now);
  const state = ethStateOf(answer);
  // What is usual needs no words in a row.
  const view = { state, evidence, ...(state === "available" && { note: "" }) };
  if (!answer.available) return view;
  const { name, registrationPrice } = answer;
  const price = registrationPrice && ethPriceOf(registrationPrice);
  const [first = "", then = ""] = price?.split(/ (?=≈)/) ?? [];
  // The estimate is that of a year without the premium, which falls daily.
  const cost = state === "premium" ? Infinity : 3 * (registrationPrice?.usdEstimate ?? Infinity);
  const link = offerOf("ENS", name, `https://app.ens.domains/${encodeURIComponent(name)}`);
  return { ...view, links: [link], cost, price: { first, then, trap: "", total: "" } };
}

/**
 * Where an available name can be registered.
 * @param {string} text
 * @param {string} domain
 * @param {string} url
 * @returns {Offer}
 */
function offerOf(text, domain, url) {
  return { text, url, label: `Register ${domain} at ${text}` };
}

/**
 * What a .eth name looks like that the contracts do not sell, such as a short one.
 * @param {string} reason
 * @returns {DomainView}
 */
export function notForSale(reason) {
  return { state: "reserved", word: "Not for sale", evidence: () => [reason] };
}

/**
 * What a domain looks like that could not be checked.
 * @param {string} reason
 * @returns {DomainView}
 */
export function unknownView(reason) {
  return { state: "unknown", evidence: () => [reason] };
}
