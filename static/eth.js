// @ts-check
/// <reference lib="dom" />
/** The row of .eth and its profile. What is written on the chain is a stranger's text: it is only ever shown as text. */
import { getJson, Trouble } from "./ask.js";
import { linkOf } from "./row.js";
import { known } from "./words.js";

/** @import { View } from "./row.js" */

/** @param {string} why @returns {View} */
function notSold(why) {
  return { state: "reserved", word: "Not for sale", evidence: () => why };
}

/**
 * What the .eth row of a name looks like. Throws only what ended the question.
 * @param {string} name
 * @param {AbortSignal} signal
 * @returns {Promise<View>}
 */
export async function ethView(name, signal) {
  if (name.length < 3) return notSold("a .eth name has three characters at least");
  try {
    const query = new URLSearchParams({ name });
    return viewOf(await getJson(`/v1/ens/check?${query}`, signal));
  } catch (error) {
    if (!(error instanceof Trouble) || error.kind === "limited") throw error;
    const { kind, message } = error;
    return kind === "refused" ? notSold(message) : { state: "unknown", evidence: () => message };
  }
}

/**
 * An answer of `/v1/ens/check`.
 * @typedef {object} Answer
 * @property {string} name
 * @property {boolean} available
 * @property {string} [owner]
 * @property {{ eth: string, usdEstimate: number, premiumWei?: string }} [registrationPrice]
 * @property {string} source
 * @property {number} responseMs
 * @property {string} checkedAt
 */

/** @param {Answer} answer @returns {View} */
function viewOf(answer) {
  const { name, available, owner = "", registrationPrice: price } = answer;
  if (!available) {
    return {
      state: "taken",
      evidence: (now) => known(`held by ${shorten(owner)}`, answer, now),
      hasProfile: true,
    };
  }
  const isPremium = Number(price?.premiumWei ?? 0) > 0;
  const found = isPremium ? "nobody holds it; its price falls day by day" : "nobody holds it";
  return {
    state: isPremium ? "premium" : "free",
    evidence: (now) => known(found, answer, now),
    links: [{
      text: "ENS",
      url: `https://app.ens.domains/${encodeURIComponent(name)}`,
      label: `Register ${name} at ENS`,
      ...(price !== undefined && { price: priceOf(price, isPremium) }),
    }],
  };
}

/**
 * @param {{ eth: string, usdEstimate: number }} price
 * @param {boolean} isPremium
 */
function priceOf({ eth, usdEstimate }, isPremium) {
  const amount = Number(eth).toLocaleString("en", { maximumSignificantDigits: 3 });
  return isPremium ? `${amount} ETH` : `${amount} ETH ≈ $${usdEstimate} a year`;
}

/** @param {string} address */
function shorten(address) {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}

/** What the records are called, and which links they make; all other text stays text. */
// deno-fmt-ignore -- a table
/** @type {readonly [string, string, ((text: string) => string | undefined)?][]} */
const RECORDS = [
  ["description", "About"],
  ["url", "Website", webLink],
  ["twitter", "Twitter", (text) => handleLink("https://x.com/", /^@?(\w{1,15})$/, text)],
  ["github", "GitHub", (text) => handleLink("https://github.com/", /^@?([\w-]{1,39})$/, text)],
  ["email", "Email"],
  ["avatar", "Avatar", webLink],
  ["contenthash", "Content"],
];

/**
 * Opens or closes the profile of a taken name in its row.
 * @param {string} name
 * @param {{ panel: HTMLElement, button: HTMLElement }} parts
 */
export async function toggleProfile(name, { panel, button }) {
  const isOpen = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", `${!isOpen}`);
  if (isOpen) return panel.replaceChildren();
  panel.replaceChildren("Reading the chain …");
  try {
    panel.replaceChildren(await profileOf(name));
  } catch (error) {
    panel.replaceChildren(error instanceof Trouble ? error.message : `${error}`);
  }
}

/** @param {string} name */
async function profileOf(name) {
  const query = new URLSearchParams({ name });
  const { owner, address, resolver, records = {} } = await getJson(`/v1/ens/metadata?${query}`);
  const list = document.createElement("dl");
  list.className = "profile";
  for (const [key, title, toUrl] of RECORDS) {
    add(list, { title, text: records[key], toUrl });
  }
  add(list, { title: "Owner", text: owner });
  add(list, { title: "Points to", text: address });
  add(list, { title: "Resolver", text: resolver });
  return list;
}

/**
 * @param {HTMLElement} list
 * @param {{ title: string, text: unknown, toUrl?: ((text: string) => string | undefined) | undefined }} entry
 */
function add(list, { title, text, toUrl }) {
  if (typeof text !== "string" || text === "") return;
  const url = toUrl?.(text);
  const term = document.createElement("dt");
  term.textContent = title;
  const value = document.createElement("dd");
  if (url === undefined) value.textContent = text;
  else value.append(linkOf({ text, url, label: `${title}: ${text}` }));
  list.append(term, value);
}

/** @param {string} text */
function webLink(text) {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined;
}

/**
 * @param {string} base
 * @param {RegExp} pattern
 * @param {string} text
 */
function handleLink(base, pattern, text) {
  const handle = pattern.exec(text)?.[1];
  return handle === undefined ? undefined : base + handle;
}
