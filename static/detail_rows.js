// @ts-check
/** The details of a name in words, for the page, with scripts and without, the command line and MCP. */

/** What the menu shows under a title; with a URL, as a link. @typedef {readonly [title: string, text: string, url?: string | undefined]} Term */

/** What is read of an answer of `/details`. @typedef {Record<string, any> & { premiumBelow?: readonly { usd: number, on: string }[] | undefined }} Details */

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** What the phases mean, but that of a name that is registered. */
const PHASES = new Map([
  ["registered", "if it is not renewed, "],
  ["auto_renew", "expired, the registrar can still renew it; if it is not renewed, "],
  ["redemption", "deleted, its holder can restore it; "],
  ["pending_delete", "about to be deleted; "],
  ["purged", "deleted; "],
]);

/**
 * The details as titles and texts.
 * @param {Details} details
 * @returns {[title: string, text: string][]}
 */
export function detailRows(details) {
  const { registrar, premiumBelow, drop, forSale, status, nameServers, dnssec, available } =
    details;
  const ifLost = available ? "" : "if it is not renewed, ";
  /** @type {[string, unknown][]} */
  const rows = [
    ["Registrar", [registrar?.name, registrar?.ianaId && `number ${registrar.ianaId} at IANA`]],
    ["Registered", dateOf(details.createdAt)],
    ["Updated", dateOf(details.updatedAt)],
    ["Expires", available ? undefined : dateOf(details.expiresAt)],
    ["Can be renewed until", available ? undefined : dateOf(details.graceEndsAt)],
    [
      "Premium",
      premiumBelow?.map(({ usd, on }, n) =>
        `${n === 0 ? ifLost : ""}below ${usd} USD from ${dateOf(on)}`
      ),
    ],
    ["Premium until", dateOf(details.premiumEndsAt)],
    ["Could be free", drop && dropInWords(drop)],
    ["For sale", forSale && [forSale.price ?? "its holder offers it", forSale.url]],
    ["Status", status],
    ["Name servers", nameServers],
    ["DNSSEC", dnssec === undefined ? undefined : dnssec ? "signed" : "not signed"],
    ["Reserved", details.reason],
    ["Not known", details.error],
  ];
  return rows.flatMap(([title, parts]) => {
    const text = [parts].flat().filter((part) => typeof part === "string").join(", ");
    return text === "" ? [] : [[title, text]];
  });
}

/** @param {{ phase: string, earliest: string, latest: string, rule: string }} drop */
function dropInWords({ phase, earliest, latest, rule }) {
  const days = DATE.formatRange(new Date(earliest), new Date(latest));
  return `${PHASES.get(phase) ?? ""}${days} (${rule})`;
}

/** @param {unknown} time */
function dateOf(time) {
  const date = new Date(typeof time === "string" ? time : NaN);
  return Number.isNaN(date.getTime()) ? undefined : DATE.format(date);
}
