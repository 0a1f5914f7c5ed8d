/** The internationalised names (`xn--…`) that each TLD's registry sells, as rows with their source. */
import type { RepertoireName } from "./idn_repertoires.ts";

/** What a registry sells beyond ASCII names. */
export type IdnPolicy =
  | { readonly kind: "none" }
  | { readonly kind: "unknown" }
  | {
    readonly kind: "tables";
    /** Repertoires without contextual rules and without blocked variants. */
    readonly whole?: readonly RepertoireName[];
    /** Repertoires of which contextual letters are not known to be allowed; no blocked variants. */
    readonly withoutContextual?: readonly RepertoireName[];
    /** The same, with blocked variants. */
    readonly blocking?: readonly RepertoireName[];
    /** Scripts (ISO 15924) with a table of the registry whose letters are not known here. */
    readonly unknownTables?: readonly string[];
    /** Whether names in a script other than Latin, Chinese, Japanese and Korean may contain a-z. */
    readonly asciiInOtherScripts: "never" | "unknown";
    /** The most code points of a name with Japanese letters. */
    readonly maxJapaneseLength?: number;
  };

/** The policy of some TLDs, with its source. */
interface IdnPolicyRow {
  readonly tlds: readonly string[];
  readonly policy: IdnPolicy;
  readonly source: string;
  /** ISO 8601: the date of the source. */
  readonly date: string;
}

/** zonedb's list of tables in IANA's Repository of IDN Practices and of registries that disallow IDNs. */
const ZONEDB = "zonedb/zonedb, metadata/<tld>.json";

/** One row per policy. A TLD without a row is `unknown`, as is one whose registry publishes no rule. */
export const IDN_POLICIES: readonly IdnPolicyRow[] = [
  {
    tlds: ["ai"],
    policy: { kind: "none" },
    source: `${ZONEDB}; whois.ai/faq.html: letters a-z, digits and hyphens`,
    date: "2026-07-01",
  },
  {
    tlds: ["me"],
    policy: { kind: "none" },
    source: `${ZONEDB}; Enom's .ME FAQ (2024): no letters with accents, no Cyrillic`,
    date: "2026-07-01",
  },
  { tlds: ["cloud"], policy: { kind: "none" }, source: ZONEDB, date: "2026-07-01" },
  {
    // IANA's repository holds no table of theirs. A registrar (LogicBoxes) lists ten languages for io. GoDaddy, which runs
    // tv's registry, supports none under tv as a registrar; Verisign, which ran tv before, used the rules of com.
    tlds: ["io", "tv"],
    policy: { kind: "unknown" },
    source: ZONEDB,
    date: "2026-07-01",
  },
  {
    // Verisign allows any code point of one script that IDNA2008 permits, and blocks Chinese variants.
    tlds: ["cc", "com", "net"],
    policy: {
      kind: "tables",
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
      asciiInOtherScripts: "never",
    },
    source: `${ZONEDB} (97 tables); verisign.com, IDN registration rules`,
    date: "2026-07-01",
  },
  {
    // IANA lists 25 tables of theirs; the registry's software has these two and names them as the ones in use.
    tlds: ["app", "dev"],
    policy: {
      kind: "tables",
      whole: ["google", "ja"],
      // deno-fmt-ignore
      unknownTables: [
        "Arab", "Armn", "Beng", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Guru", "Hang", "Hebr", "Khmr", "Knda", "Mlym",
        "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thai", "Tibt",
      ],
      asciiInOtherScripts: "unknown",
      maxJapaneseLength: 15,
    },
    source: `${ZONEDB}; google/nomulus, tldconfig/idn (2026-08-21)`,
    date: "2026-07-01",
  },
  {
    // Serbian, Montenegrin and Croatian use Bosnian's Latin letters; in Cyrillic they use Serbian's.
    tlds: ["org"],
    policy: {
      kind: "tables",
      // deno-fmt-ignore
      blocking: [
        "da", "de", "es", "fi", "hu", "is", "it", "lt", "lv", "pl", "pt", "sv", "bs", "be",
        "bg", "mk", "ru", "sr", "uk", "hi", "ja", "ko", "zh",
      ],
      asciiInOtherScripts: "never",
    },
    source: `${ZONEDB} (org_*_5.xml, org_*_1.txt)`,
    date: "2026-07-01",
  },
  {
    tlds: ["info"],
    policy: {
      kind: "tables",
      // deno-fmt-ignore
      blocking: [
        "da", "de", "es", "fi", "fr", "hu", "is", "it", "lt", "lv", "pl", "pt", "sv", "bs",
        "be", "bg", "mk", "ru", "sr", "uk", "ar", "hi", "ko", "zh",
      ],
      asciiInOtherScripts: "never",
    },
    source: `${ZONEDB} (info_*_5.xml, info_*_1.txt)`,
    date: "2026-07-01",
  },
  {
    tlds: ["biz"],
    policy: {
      kind: "tables",
      // deno-fmt-ignore
      blocking: [
        "da", "de", "es", "fi", "hu", "is", "lt", "lv", "no", "pl", "pt", "sv", "ja", "ko",
        "zh",
      ],
      asciiInOtherScripts: "never",
    },
    source: `${ZONEDB} (biz_*_3.0.xml)`,
    date: "2026-07-01",
  },
  {
    // Amazon's tables of 2017 have no variants, except Arabic and Chinese (iana.org, buy_*_2.1).
    tlds: ["bot"],
    policy: {
      kind: "tables",
      // deno-fmt-ignore
      withoutContextual: [
        "da", "de", "es", "fi", "fr", "hu", "is", "lt", "lv", "no", "pl", "pt", "sv", "ru",
        "ja", "ko",
      ],
      blocking: ["ar", "zh"],
      asciiInOtherScripts: "unknown",
    },
    source: `${ZONEDB} (bot_*_2.1.txt)`,
    date: "2026-07-01",
  },
  {
    // The Latin table blocks variants like the reference rules: a and á, u and ü (iana.org, fun_latn_4.0, 2025-10-31).
    tlds: ["online", "site", "store", "tech"],
    policy: {
      kind: "tables",
      blocking: ["Latn", "Cyrl", "Grek", "ar", "he", "Laoo", "th", "ja", "ko", "zh"],
      asciiInOtherScripts: "unknown",
    },
    source: `${ZONEDB} (<tld>_*_4.0.txt)`,
    date: "2026-07-01",
  },
  {
    tlds: ["xyz"],
    policy: {
      kind: "tables",
      blocking: ["Latn", "ru", "Grek", "ar", "he", "Laoo", "th", "ja", "ko", "zh"],
      asciiInOtherScripts: "unknown",
    },
    source: `${ZONEDB} (xyz_*_1.0.txt to 2.0)`,
    date: "2026-07-01",
  },
];
