// @ts-check
/** The details of a name in words, for the page's menu and for browsers without scripts. */

/** What the menu shows under a title; with an URL, as a link. @typedef {readonly [title: string, text: string, url?: string | undefined]} Term */

/** What is read of an answer of `/details`. @typedef {Record<string, any>} Details */

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** @type {Readonly<Record<string, string>>} */
const PHASES = {
  registered: "",
  auto_renew: "expired, the registrar can still renew it; ",
  redemption: "deleted, its holder can restore it; ",
  pending_delete: "about to be deleted; ",
  purged: "deleted; ",
};

/**
 * The details as titles and texts.
 * @param {Details} details
 * @returns {[title: string, text: string][]}
 */
export function detailRows(details) {
  const { registrar, drop, forSale, status, nameServers, dnssec, reason, error } = details;
  /** @type {[string, unknown][]} */
  const rows = [
    ["Registrar", registrar?.name ?? (registrar && `number ${registrar.ianaId} at IANA`)],
    ["Registered", dateOf(details.createdAt)],
    ["Expires", dateOf(details.expiresAt)],
    ["Owner can renew until", dateOf(details.graceEndsAt)],
    ["Premium until", dateOf(details.premiumEndsAt)],
    ["Could be free", drop && dropInWords(drop)],
    ["For sale", forSale && (forSale.price ?? "its holder offers it")],
    ["Status", status?.join(", ")],
    ["Name servers", nameServers?.join(", ")],
    ["DNSSEC", dnssec === undefined ? undefined : dnssec ? "signed" : "not signed"],
    ["Reserved", reason],
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
