/**
 * Which labels registries sell, as rows with their source: ASCII labels that some refuse because of their length or hyphens,
 * and the internationalised names (`xn--…`) that each sells.
 */
import type { RepertoireName } from "./idn_repertoires.ts";

/** Labels that registries refuse (`forbidden`), or sell in part or by unknown rules (`unknown`). */
interface LabelShapeRow {
  readonly tlds: readonly string[];
  /** Matches the labels. `xn--` labels are not tested. */
  readonly labels: RegExp;
  readonly kind: "forbidden" | "unknown";
  /** One sentence for people; `{tld}` is a placeholder. */
  readonly sentence: string;
  /** With its date, or its year. */
  readonly source: string;
}

/**
 * The first matching row decides. No rule was found for two characters under ai, cc and tv: registrars sell names from
 * one character (GoDaddy, ResellerClub). `label_policy.ts` has labels of one character.
 */
export const LABEL_SHAPES: readonly LabelShapeRow[] = [
  {
    // Under com and net nearly all were registered before the rule; a deleted one is not sold again unless ICANN releases it.
    tlds: ["com", "net", "biz", "info", "org", "io"],
    labels: /^.{1,2}$/,
    kind: "unknown",
    sentence: "Unknown whether the .{tld} registry sells names of one or two characters",
    source:
      "com, net: ICANN, Schedule of Reserved Names, B, of the agreements of 2001; those of today were not at hand. " +
      "biz, info, org: ICANN, .org agreement, Appendix 6 (2013-08-22): by a phased allocation programme; biz 2008, info 2010 " +
      "alike. io: GoDaddy: 3 to 63 characters; Sidenames: 2 to 63; nic.io (2003): no two characters (2026-11-22)",
  },
  {
    tlds: ["com", "net", "biz", "info", "org"],
    labels:
      /^(?:afrinic|apnic|arin|aso|ccnso|gnso|gtld-servers|iab|iana|iana-servers|icann|iesg|ietf|internic|irtf|istf|lacnic|latnic|rfc-editor|ripe|root-servers)$/,
    kind: "forbidden",
    sentence: "The .{tld} registry reserves the names of the internet's own organisations",
    source: "ICANN, .org agreement, Appendix 6 A (2013-08-22); those of name and coop alike",
  },
  {
    tlds: ["me"],
    labels: /^.{1,2}$/,
    kind: "forbidden",
    sentence: "Names under .{tld} have at least 3 characters",
    source: "Enom, .ME FAQ; ResellerClub, .ME rules (2008) (2024)",
  },
  {
    tlds: ["me"],
    labels: /^(?=.{5})[0-9-]+$/,
    kind: "forbidden",
    sentence: "The .{tld} registry reserves names of five or more digits",
    source: "Enom, .ME FAQ: of digits, or digits and hyphens (2024)",
  },
  {
    // The FAQ predates the move to Identity Digital's system, whose rules were not found.
    tlds: ["ai"],
    labels: /--/,
    kind: "unknown",
    sentence: "Unknown whether the .{tld} registry allows two hyphens in a row",
    source: "whois.ai/faq.html: no more than one hyphen in a row (2024)",
  },
  {
    // ICANN's release of 2016-11-08 is for registries that guard against confusion with country codes.
    tlds: ["app", "bot", "cloud", "dev", "online", "site", "store", "tech", "xyz"],
    labels: /^[a-z]{2}$/,
    kind: "unknown",
    sentence: "Unknown which .{tld} names of two letters are sold",
    source:
      "ICANN, new gTLD registry agreement, Specification 5, section 2; board resolution 2016.11.08.15 (2016-11-08)",
  },
];

/** What a registry sells beyond ASCII names, by its tables. */
export interface IdnTables {
  /** Repertoires without contextual rules and without blocked variants. */
  readonly whole?: readonly RepertoireName[];
  /** Repertoires of which contextual letters are not known to be allowed; no blocked variants. */
  readonly withoutContextual?: readonly RepertoireName[];
  /** The same, with blocked variants. */
  readonly blocking?: readonly RepertoireName[];
  /** Scripts (ISO 15924) with a table of the registry whose letters are not known here. */
  readonly unknownTables?: readonly string[];
  /** Whether names in a script other than Latin, Chinese, Japanese and Korean may contain a-z; absent: they may not. */
  readonly mayMixAscii?: true;
  /** The most code points of a name with Japanese letters. */
  readonly maxJapaneseLength?: number;
}

/** The policy of some TLDs, with its source. */
interface IdnPolicyRow {
  readonly tlds: readonly string[];
  /** `none`: no internationalised names. */
  readonly policy: "none" | IdnTables;
  readonly source: string;
}

/** Its list of tables in IANA's Repository of IDN Practices and of registries that disallow IDNs. */
const ZONEDB = "zonedb/zonedb, metadata/<tld>.json (2026-07-01)";

/**
 * One row per policy. That of a TLD without a row is not known, as of io and tv: IANA's repository holds no table of theirs. A
 * registrar (LogicBoxes) lists ten languages for io. GoDaddy, which runs tv's registry, supports none under tv as a
 * registrar; Verisign, which ran tv before, used the rules of com.
 */
export const IDN_POLICIES: readonly IdnPolicyRow[] = [
  {
    tlds: ["ai"],
    policy: "none",
    source: `${ZONEDB}; whois.ai/faq.html: letters a-z, digits and hyphens`,
  },
  {
    tlds: ["me"],
    policy: "none",
    source: `${ZONEDB}; Enom's .ME FAQ (2024): no letters with accents, no Cyrillic`,
  },
  { tlds: ["cloud"], policy: "none", source: ZONEDB },
  {
    // Verisign allows any code point of one script that IDNA2008 permits, and blocks Chinese variants.
    tlds: ["cc", "com", "net"],
    policy: {
      // deno-fmt-ignore
      whole: [
        "Latn", "Cyrl", "Grek", "Arab", "Hebr", "Armn", "Geor", "Ethi", "Khmr", "Laoo",
        "Thai", "Mymr", "Beng", "Deva", "Gujr", "Guru", "Knda", "Mlym", "Orya", "Sinh",
        "Taml", "Telu", "ja", "ko",
      ],
      blocking: ["zh"],
      // deno-fmt-ignore
      unknownTables: [
        "Armi", "Avst", "Bali", "Bamu", "Batk", "Bopo", "Brah", "Bugi", "Buhd", "Cans", "Cari", "Cham", "Cher", "Copt",
        "Egyp", "Glag", "Hano", "Java", "Kali", "Khar", "Kthi", "Lana", "Lepc", "Limb", "Lisu", "Lyci", "Lydi", "Mand",
        "Mong", "Mtei", "Nkoo", "Ogam", "Olck", "Orkh", "Phag", "Phli", "Phnx", "Prti", "Rjng", "Runr", "Samr", "Sarb",
        "Saur", "Sund", "Sylo", "Syrc", "Tagb", "Tale", "Talu", "Tavt", "Tfng", "Tglg", "Thaa", "Tibt", "Vaii", "Xpeo",
        "Xsux", "Yiii",
      ],
    },
    source: `${ZONEDB} (97 tables); verisign.com, IDN registration rules`,
  },
  {
    // IANA lists 25 tables of theirs; the registry's software has these two and names them as the ones in use.
    tlds: ["app", "dev"],
    policy: {
      whole: ["google", "ja"],
      // deno-fmt-ignore
      unknownTables: [
        "Arab", "Armn", "Beng", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Guru", "Hang", "Hebr", "Khmr", "Knda", "Mlym",
        "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thai", "Tibt",
      ],
      mayMixAscii: true,
      maxJapaneseLength: 15,
    },
    source: `${ZONEDB}; google/nomulus, tldconfig/idn (2026-08-21)`,
  },
  {
    // Serbian, Montenegrin and Croatian use Bosnian's Latin letters; in Cyrillic they use Serbian's.
    tlds: ["org"],
    policy: {
      // deno-fmt-ignore
      blocking: [
        "da", "de", "es", "fi", "hu", "is", "it", "lt", "lv", "pl", "pt", "sv", "bs", "be",
        "bg", "mk", "ru", "sr", "uk", "hi", "ja", "ko", "zh",
      ],
    },
    source: `${ZONEDB} (org_*_5.xml, org_*_1.txt)`,
  },
  {
    tlds: ["info"],
    policy: {
      // deno-fmt-ignore
      blocking: [
        "da", "de", "es", "fi", "fr", "hu", "is", "it", "lt", "lv", "pl", "pt", "sv", "bs",
        "be", "bg", "mk", "ru", "sr", "uk", "ar", "hi", "ko", "zh",
      ],
    },
    source: `${ZONEDB} (info_*_5.xml, info_*_1.txt)`,
  },
  {
    tlds: ["biz"],
    policy: {
      // deno-fmt-ignore
      blocking: [
        "da", "de", "es", "fi", "hu", "is", "lt", "lv", "no", "pl", "pt", "sv", "ja", "ko",
        "zh",
      ],
    },
    source: `${ZONEDB} (biz_*_3.0.xml)`,
  },
  {
    // Amazon's tables of 2017 have no variants, except Arabic and Chinese (iana.org, buy_*_2.1).
    tlds: ["bot"],
    policy: {
      // deno-fmt-ignore
      withoutContextual: [
        "da", "de", "es", "fi", "fr", "hu", "is", "lt", "lv", "no", "pl", "pt", "sv", "ru",
        "ja", "ko",
      ],
      blocking: ["ar", "zh"],
      mayMixAscii: true,
    },
    source: `${ZONEDB} (bot_*_2.1.txt)`,
  },
  {
    // The Latin table blocks variants like the reference rules: a and á, u and ü (iana.org, fun_latn_4.0, 2025-10-31).
    tlds: ["online", "site", "store", "tech"],
    policy: {
      blocking: ["Latn", "Cyrl", "Grek", "ar", "Hebr", "Laoo", "Thai", "ja", "ko", "zh"],
      mayMixAscii: true,
    },
    source: `${ZONEDB} (<tld>_*_4.0.txt)`,
  },
  {
    tlds: ["xyz"],
    policy: {
      blocking: ["Latn", "ru", "Grek", "ar", "Hebr", "Laoo", "Thai", "ja", "ko", "zh"],
      mayMixAscii: true,
    },
    source: `${ZONEDB} (xyz_*_1.0.txt to 2.0)`,
  },
];
