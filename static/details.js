// @ts-check
/// <reference lib="dom" />
/** What the registry has on a taken name, fetched when it is asked for. It is only ever shown as text. */
import { getJson, RequestError } from "./api_client.js";
import { detailRows } from "./detail_rows.js";
import { createElement } from "./elements.js";

/** @import { Details } from "./detail_rows.js" */

/** What is known, so that a menu that is opened again costs no request. @type {Map<string, Details>} */
const remembered = new Map();

/**
 * What `/details` knows of a domain. Throws `RequestError`.
 * @param {string} domain
 * @returns {Promise<Details>}
 */
export async function detailsOf(domain) {
  const query = new URLSearchParams({ domain });
  const details = remembered.get(domain) ?? await getJson(`/details?${query}`);
  // A registry that was busy is asked again when the menu is opened again.
  if (details.error === undefined) remembered.set(domain, details);
  return details;
}

/**
 * Fills a list with the details of a domain, or with why there are none.
 * @param {HTMLElement} list
 * @param {string} domain
 */
export async function fillDetails(list, domain) {
  list.hidden = false;
  list.dataset.domain = domain;
  list.replaceChildren(...termsOf([["Registry", "asking …"]]));
  /** @type {[string, string][]} */
  let rows;
  try {
    rows = detailRows(await detailsOf(domain));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    rows = [["Not known", error.message]];
  }
  // The menu may be that of another domain by now.
  if (list.dataset.domain === domain) list.replaceChildren(...termsOf(rows));
}

/**
 * The terms of a definition list.
 * @param {readonly (readonly [title: string, value: string | Node])[]} rows
 */
export function termsOf(rows) {
  return rows.flatMap(([title, value]) => [
    createElement("dt", {}, title),
    createElement("dd", {}, value),
  ]);
}
