/** ASCII labels that some registries do not sell for their length or their hyphens, as rows with their source. */

/** Labels that registries refuse (`forbidden`), or sell in part or by rules that are not known (`unknown`). */
export interface LabelShapeRow {
  readonly tlds: readonly string[];
  /** What the labels look like. `xn--` labels are not tested. */
  readonly labels: RegExp;
  readonly kind: "forbidden" | "unknown";
  /** One sentence for a person, in which `{tld}` is to be replaced. */
  readonly says: string;
  readonly source: string;
  /** ISO 8601: the date, or the year, of the source. */
  readonly date: string;
}

/**
 * The first row that fits decides. No rule was found for two characters under ai, cc and tv: registrars sell them from one
 * character (GoDaddy, ResellerClub). Labels of one character are in `reserved.ts`.
 */
export const LABEL_SHAPES: readonly LabelShapeRow[] = [
  {
    // Nearly all were registered before the rule; one that is deleted is not sold again, unless ICANN releases it.
    tlds: ["com", "net"],
    labels: /^.{1,2}$/,
    kind: "unknown",
    says: "Whether the .{tld} registry sells names of one or two characters is not known",
    source:
      "ICANN, Schedule of Reserved Names, B, of the agreements of 2001; .com's and .net's of today were not at hand",
    date: "2001",
  },
  {
    tlds: ["biz", "info", "org"],
    labels: /^.{1,2}$/,
    kind: "unknown",
    says: "Which .{tld} names of two characters are sold is not known",
    source:
      "ICANN, .org agreement, Appendix 6 (2013-08-22): by a phased allocation programme; biz 2008, info 2010 alike",
    date: "2013-08-22",
  },
  {
    tlds: ["io"],
    labels: /^.{1,2}$/,
    kind: "unknown",
    says: "Whether .{tld} names of two characters are sold is not known",
    source: "GoDaddy: 3 to 63 characters; Sidenames: 2 to 63; nic.io (2003): no two characters",
    date: "2026-11-22",
  },
  {
    tlds: ["me"],
    labels: /^.{1,2}$/,
    kind: "forbidden",
    says: "Names under .{tld} have at least 3 characters",
    source: "Enom, .ME FAQ; ResellerClub, .ME rules (2008)",
    date: "2024",
  },
  {
    tlds: ["me"],
    labels: /^(?=.{5})[0-9-]+$/,
    kind: "forbidden",
    says: "The .{tld} registry keeps names of five or more digits back",
    source: "Enom, .ME FAQ: of digits, or digits and hyphens",
    date: "2024",
  },
  {
    // The FAQ is older than the move to Identity Digital's system, whose rules were not found.
    tlds: ["ai"],
    labels: /--/,
    kind: "unknown",
    says: "Whether the .{tld} registry takes two hyphens in a row is not known",
    source: "whois.ai/faq.html: no more than one hyphen in a row",
    date: "2024",
  },
  {
    // ICANN's release of 2016-11-08 is for registries that guard against confusion with country codes.
    tlds: ["app", "bot", "cloud", "dev", "online", "site", "store", "tech", "xyz"],
    labels: /^[a-z]{2}$/,
    kind: "unknown",
    says: "Which .{tld} names of two letters are sold is not known",
    source:
      "ICANN, new gTLD registry agreement, Specification 5, section 2; board resolution 2016.11.08.15",
    date: "2016-11-08",
  },
];
