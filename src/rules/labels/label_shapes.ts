/** ASCII labels that some registries do not sell because of their length or hyphens, as rows with their source. */

/** Labels that registries refuse (`forbidden`), or sell in part or by unknown rules (`unknown`). */
interface LabelShapeRow {
  readonly tlds: readonly string[];
  /** Matches the labels. `xn--` labels are not tested. */
  readonly labels: RegExp;
  readonly kind: "forbidden" | "unknown";
  /** One sentence for people; `{tld}` is a placeholder. */
  readonly sentence: string;
  readonly source: string;
  /** ISO 8601: the date, or the year, of the source. */
  readonly date: string;
}

/**
 * The first matching row decides. No rule was found for two characters under ai, cc and tv: registrars sell names from
 * one character (GoDaddy, ResellerClub). `label_policy.ts` has labels of one character.
 */
export const LABEL_SHAPES: readonly LabelShapeRow[] = [
  {
    // Nearly all were registered before the rule; a deleted one is not sold again unless ICANN releases it.
    tlds: ["com", "net"],
    labels: /^.{1,2}$/,
    kind: "unknown",
    sentence: "Unknown whether the .{tld} registry sells names of one or two characters",
    source:
      "ICANN, Schedule of Reserved Names, B, of the agreements of 2001; .com's and .net's of today were not at hand",
    date: "2001",
  },
  {
    tlds: ["biz", "info", "org"],
    labels: /^.{1,2}$/,
    kind: "unknown",
    sentence: "Unknown which .{tld} names of two characters are sold",
    source:
      "ICANN, .org agreement, Appendix 6 (2013-08-22): by a phased allocation programme; biz 2008, info 2010 alike",
    date: "2013-08-22",
  },
  {
    tlds: ["io"],
    labels: /^.{1,2}$/,
    kind: "unknown",
    sentence: "Unknown whether .{tld} names of two characters are sold",
    source: "GoDaddy: 3 to 63 characters; Sidenames: 2 to 63; nic.io (2003): no two characters",
    date: "2026-11-22",
  },
  {
    tlds: ["me"],
    labels: /^.{1,2}$/,
    kind: "forbidden",
    sentence: "Names under .{tld} have at least 3 characters",
    source: "Enom, .ME FAQ; ResellerClub, .ME rules (2008)",
    date: "2024",
  },
  {
    tlds: ["me"],
    labels: /^(?=.{5})[0-9-]+$/,
    kind: "forbidden",
    sentence: "The .{tld} registry reserves names of five or more digits",
    source: "Enom, .ME FAQ: of digits, or digits and hyphens",
    date: "2024",
  },
  {
    // The FAQ predates the move to Identity Digital's system, whose rules were not found.
    tlds: ["ai"],
    labels: /--/,
    kind: "unknown",
    sentence: "Unknown whether the .{tld} registry allows two hyphens in a row",
    source: "whois.ai/faq.html: no more than one hyphen in a row",
    date: "2024",
  },
  {
    // ICANN's release of 2016-11-08 is for registries that guard against confusion with country codes.
    tlds: ["app", "bot", "cloud", "dev", "online", "site", "store", "tech", "xyz"],
    labels: /^[a-z]{2}$/,
    kind: "unknown",
    sentence: "Unknown which .{tld} names of two letters are sold",
    source:
      "ICANN, new gTLD registry agreement, Specification 5, section 2; board resolution 2016.11.08.15",
    date: "2016-11-08",
  },
];
