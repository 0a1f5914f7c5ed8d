// @ts-check
/** .eth names: their check and their profile. Records are untrusted: they are only ever shown as text. */
import { getJson, RequestError } from "./api_client.js";
import { ethView, notForSale, unknownView } from "./domain_view.js";

/** @import { Term } from "./detail_rows.js" */
/** @import { DomainView } from "./domain_view.js" */

/** Why a name in Unicode is not checked. */
export const OTHER_LETTERS = "ENS names with other letters than a–z are not checked here";

/**
 * Checks a .eth name for its row. Throws the `RequestError`s that hold the whole search up.
 * @param {string} name
 * @param {AbortSignal} signal
 * @returns {Promise<DomainView>}
 */
export async function checkEth(name, signal) {
  // ENS sells "café" as it is, and no A-label.
  if (name.startsWith("xn--")) return unknownView(OTHER_LETTERS);
  if (name.length < 3) return notForSale(".eth names have at least 3 characters");
  try {
    return ethView(await getJson(`/v1/ens/check?${new URLSearchParams({ name })}`, signal));
  } catch (error) {
    if (!(error instanceof RequestError) || ["limited", "offline"].includes(error.kind)) {
      throw error;
    }
    const { kind, message } = error;
    return kind === "invalid" ? notForSale(message) : unknownView(message);
  }
}

/** What is shown of a profile and its records, their titles, and what becomes a link. */
// deno-fmt-ignore -- a table
/** @type {readonly [string, string, ((text: string) => string | undefined)?][]} */
const TERMS = [
  ["description", "About"],
  ["url", "Website", webLink],
  ["twitter", "Twitter", (text) => handleLink("https://x.com/", /^@?(\w{1,15})$/, text)],
  ["github", "GitHub", (text) => handleLink("https://github.com/", /^@?([\w-]{1,39})$/, text)],
  ["email", "Email"],
  ["avatar", "Avatar", webLink],
  ["contenthash", "Content"],
  ["owner", "Owner"],
  ["address", "Points to"],
  ["resolver", "Resolver"],
  ["error", "Records"],
];

/**
 * The records and the owner of a taken name, by an answer of `/v1/ens/metadata`, or why there are none.
 * @param {Record<string, any>} profile
 * @returns {Term[]}
 */
export function profileRows({ records, ...profile }) {
  return TERMS.flatMap(([key, title, toUrl]) => {
    const text = { ...records, ...profile }[key];
    return typeof text === "string" && text !== "" ? [[title, text, toUrl?.(text)]] : [];
  });
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
