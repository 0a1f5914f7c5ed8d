// @ts-check
/// <reference lib="dom" />
/** The .eth row and its profile. Records are untrusted: they are only ever shown as text. */
import { getJson, RequestError } from "./api_client.js";
import { detailRows } from "./detail_rows.js";
import { detailsOf, termsOf } from "./details.js";
import { createElement } from "./elements.js";
import { linkOf } from "./result_row.js";
import { ETH_NOT_FOR_SALE, ethEvidenceOf, ethOfferOf, ethStateOf } from "./vocabulary.js";

/** @import { DomainView } from "./result_row.js" */
/** @import { EthAnswer } from "./vocabulary.js" */

/**
 * Checks a .eth name for its row. Throws the `RequestError`s that pause the whole search.
 * @param {string} name
 * @param {AbortSignal} signal
 * @returns {Promise<DomainView>}
 */
export async function ethView(name, signal) {
  if (name.length < 3) return notForSale(".eth names have at least 3 characters");
  try {
    const query = new URLSearchParams({ name });
    return viewOf(await getJson(`/v1/ens/check?${query}`, signal));
  } catch (error) {
    if (!(error instanceof RequestError) || ["limited", "offline"].includes(error.kind)) {
      throw error;
    }
    const { kind, message } = error;
    if (kind === "invalid") return notForSale(message);
    return { state: "unknown", evidence: () => [message] };
  }
}

/** @param {EthAnswer} answer @returns {DomainView} */
function viewOf(answer) {
  const evidence = (/** @type {number} */ now) => ethEvidenceOf(answer, now);
  const state = ethStateOf(answer);
  // What is usual needs no words in a row.
  const view = { state, evidence, ...(state === "available" && { note: "" }) };
  if (!answer.available) return { ...view, hasProfile: true };
  const offer = ethOfferOf(answer);
  const [first = "", then = ""] = (offer.price ?? "").split(/ (?=≈|for )/);
  // The estimate is that of a year without the premium, which falls daily.
  const cost = view.state === "premium"
    ? Infinity
    : 3 * (answer.registrationPrice?.usdEstimate ?? Infinity);
  return { ...view, links: [offer], cost, price: { first, then, trap: "", total: "" } };
}

/** @param {string} reason @returns {DomainView} */
function notForSale(reason) {
  return { state: "reserved", word: ETH_NOT_FOR_SALE, evidence: () => [reason] };
}

/** The records that are shown, their titles, and those that become links. */
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
  // If the panel is emptied meanwhile, this node is removed with it, and replacing it shows nothing.
  const loading = document.createTextNode("Loading …");
  panel.replaceChildren(loading);
  try {
    loading.replaceWith(await profileOf(name));
  } catch (error) {
    loading.replaceWith(error instanceof RequestError ? error.message : `${error}`);
  }
}

/** @param {string} name */
async function profileOf(name) {
  const query = new URLSearchParams({ name });
  const [profile, details] = await Promise.all([
    getJson(`/v1/ens/metadata?${query}`),
    detailsOf(`${name}.eth`).catch(() => ({})),
  ]);
  const { owner, address, resolver, records, error } = profile;
  /** @type {readonly (readonly [title: string, text: unknown, url?: string | undefined])[]} */
  const rows = [
    ...RECORDS.map((
      [key, title, toUrl],
    ) => /** @type {const} */ ([title, records[key], toUrl?.(`${records[key]}`)])),
    ...detailRows({ ...details, error: undefined }),
    ["Owner", owner],
    ["Points to", address],
    ["Resolver", resolver],
    ["Records", error],
  ];
  const terms = rows.flatMap(([title, text, url]) => {
    if (typeof text !== "string" || text === "") return [];
    const label = `${title}: ${text}`;
    return termsOf([[title, url === undefined ? text : linkOf({ text, url, label })]]);
  });
  return createElement("dl", { className: "profile" }, ...terms);
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
