// @ts-check
/// <reference lib="dom" />
/** What the registry, or ENS, has on a taken name, fetched when it is asked for. It is only ever shown as text. */
import { getJson, RequestError } from "./api_client.js";
import { detailRows } from "./detail_rows.js";
import { createElement, linkOf } from "./elements.js";
import { profileRows } from "./eth.js";
import { nameOf } from "./parse_input.js";

/** @import { Term } from "./detail_rows.js" */
/** @import { DomainView } from "./domain_view.js" */

/** What is known beside an answer, so that a menu that is opened again costs no request. @type {WeakMap<DomainView, readonly Term[]>} */
const remembered = new WeakMap();

/**
 * What is known of a domain, or why nothing is.
 * @param {string} domain
 * @param {DomainView} view
 */
async function termsOf(domain, view) {
  const known = remembered.get(view);
  if (known !== undefined) return known;
  const { name, tld } = nameOf(domain);
  const [profile, details] = await Promise.all([
    tld === "eth" ? answerOf(`/v1/ens/metadata?${new URLSearchParams({ name })}`) : undefined,
    answerOf(`/details?${new URLSearchParams({ domain })}`),
  ]);
  const terms = [...profileRows(profile ?? {}), ...detailRows(details)];
  // A registry that was busy is asked again when the menu is opened again.
  if ((profile?.error ?? details.error) === undefined) remembered.set(view, terms);
  return terms;
}

/**
 * The answer, or the error of its request.
 * @param {string} path
 * @returns {Promise<Record<string, any>>}
 */
function answerOf(path) {
  return getJson(path).catch((error) => {
    if (!(error instanceof RequestError)) throw error;
    return { error: error.message };
  });
}

/**
 * Fills a list with the details of a domain, or with why there are none.
 * @param {HTMLElement} list
 * @param {string} domain
 * @param {DomainView} view its answer
 */
export async function fillDetails(list, domain, view) {
  list.dataset.domain = domain;
  draw(list, [["Registry", "asking …"]]);
  const terms = await termsOf(domain, view);
  // The menu may be that of another domain by now.
  if (list.dataset.domain === domain) draw(list, terms);
}

/**
 * @param {HTMLElement} list
 * @param {readonly Term[]} terms
 */
function draw(list, terms) {
  list.replaceChildren(...terms.flatMap(([title, text, url]) => {
    const shown = url === undefined ? text : linkOf({ text, url, label: `${title}: ${text}` });
    return [createElement("dt", {}, title), createElement("dd", {}, shown)];
  }));
}
