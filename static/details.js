// @ts-check
/// <reference lib="dom" />
/** What the registry has on a taken name, fetched when it is asked for. It is only ever shown as text. */
import { getJson, RequestError } from "./api_client.js";

/** What is read of an answer of `/details`. @typedef {Record<string, any>} Details */

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
/** How many answers are remembered, so that a menu that is opened again costs no request. */
const MAX_REMEMBERED = 50;
/** @type {Map<string, Promise<Details>>} */
const remembered = new Map();

/** @type {Readonly<Record<string, string>>} */
const PHASES = {
  registered: "",
  auto_renew: "expired, the registrar can still renew it; ",
  redemption: "deleted, its holder can restore it; ",
  pending_delete: "about to be deleted; ",
  purged: "deleted; ",
};

/**
 * What `/details` knows of a domain. Throws `RequestError`.
 * @param {string} domain
 * @returns {Promise<Details>}
 */
export async function detailsOf(domain) {
  const known = remembered.get(domain) ?? getJson(`/details?${new URLSearchParams({ domain })}`);
  remembered.set(domain, known);
  const [oldest = ""] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
  try {
    const details = await known;
    // A registry that was busy is asked again when the menu is opened again.
    if (details.error !== undefined) remembered.delete(domain);
    return details;
  } catch (error) {
    remembered.delete(domain);
    throw error;
  }
}

/**
 * The details as titles and texts.
 * @param {Details} details
 * @returns {[title: string, text: string][]}
 */
export function detailRows(details) {
  const { registrar, drop, forSale, status, nameServers, dnssec, error } = details;
  /** @type {[string, unknown][]} */
  const rows = [
    ["Registrar", registrar?.name],
    ["Registered", dateOf(details.createdAt)],
    ["Expires", dateOf(details.expiresAt)],
    ["Owner can renew until", dateOf(details.graceEndsAt)],
    ["Premium until", dateOf(details.premiumEndsAt)],
    ["Could be free", drop && dropInWords(drop)],
    ["For sale", forSale && (forSale.price ?? "its holder offers it")],
    ["Status", status?.join(", ")],
    ["Name servers", nameServers?.join(", ")],
    ["DNSSEC", dnssec === undefined ? undefined : dnssec ? "signed" : "not signed"],
    ["Not known", error],
  ];
  return rows.flatMap(([title, text]) =>
    typeof text === "string" && text !== "" ? [[title, text]] : []
  );
}

/** @param {{ phase: string, earliest: string, latest: string, rule: string }} drop */
function dropInWords({ phase, earliest, latest, rule }) {
  const [from, to] = [dateOf(earliest), dateOf(latest)];
  const range = from === to ? `on ${from}` : `between ${from} and ${to}`;
  const meaning = Object.hasOwn(PHASES, phase) ? PHASES[phase] : "";
  return `${meaning}if it is not renewed, ${range} (${rule})`;
}

/** @param {unknown} time */
function dateOf(time) {
  const date = new Date(typeof time === "string" ? time : NaN);
  return Number.isNaN(date.getTime()) ? undefined : DATE.format(date);
}

/**
 * Fills a list with the details of a domain, or with why there are none.
 * @param {HTMLElement} list
 * @param {string} domain
 */
export async function fillDetails(list, domain) {
  list.hidden = false;
  list.dataset.domain = domain;
  show(list, [["Registry", "asking …"]]);
  /** @type {[string, string][]} */
  let rows;
  try {
    rows = detailRows(await detailsOf(domain));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    rows = [["Not known", error.message]];
  }
  // The menu may be that of another domain by now.
  if (list.dataset.domain === domain) show(list, rows);
}

/**
 * @param {HTMLElement} list
 * @param {readonly [string, string][]} rows
 */
function show(list, rows) {
  list.replaceChildren(...rows.flatMap(([title, text]) => [
    Object.assign(document.createElement("dt"), { textContent: title }),
    Object.assign(document.createElement("dd"), { textContent: text }),
  ]));
}
