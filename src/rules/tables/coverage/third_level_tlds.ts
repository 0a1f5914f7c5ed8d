/**
 * Country codes whose registries sell names below their suffixes only, and those of which the sources disagree: a
 * registry's denial of a name directly below such a TLD does not mean that it can be registered. TLDs of which the Public
 * Suffix List calls every label a suffix (ck, er, fk, jm, mm, np, pg) need no row.
 */

/** A TLD without sales at the second level. */
interface ThirdLevelTld {
  readonly tld: string;
  /** Suffixes below it that are sold, the most common first. Absent: com, net and org. */
  readonly sells?: string;
  readonly source: string;
  /** Absent: 2026-11-26. */
  readonly checkedOn?: string;
}

const USUAL = { sells: "com net org", checkedOn: "2026-11-26" };

/** Those of which the sources agree. */
const AGREED: readonly ThirdLevelTld[] = [
  {
    tld: "br",
    source:
      "Registro.br registers in categories (pccom.pro/regras-do-dominio); directly below br only universities and names of before 2001 (Wikipedia, 2021-08)",
  },
  {
    tld: "bw",
    sells: "co org net",
    source:
      "nic.net.bw/bw-name-structure (2022-12-11, by Wikipedia): registrations at the second level have been stopped",
    checkedOn: "2022-12-11",
  },
  {
    tld: "fj",
    source: "domains.fj, question 14 (by Wikipedia, 2023-08); namebeta.com/tlds/fj",
  },
  {
    tld: "gh",
    sells: "com org edu",
    source:
      "Public Suffix List, comment on gh (2026-08-19): not possible at the moment; Wikipedia (2024-04)",
    checkedOn: "2026-08-19",
  },
  {
    tld: "gu",
    source: "namebeta.com/tlds/gu; Wikipedia (2024-01): accepted only at the third level",
  },
  {
    tld: "il",
    sells: "co org net",
    source:
      "ISOC-IL's rules for the allocation of names, section B (version 1.4, 2010-08); icannwiki.org/.il (2024-10-21)",
    checkedOn: "2024-10-21",
  },
  {
    tld: "lb",
    source: "LBDR's registration policy, by Wikipedia (2024-01-28)",
    checkedOn: "2024-01-28",
  },
  {
    tld: "lr",
    source:
      "katzarov-manual.com: applications for lr itself are not accepted; Wikipedia: at the third level",
  },
  {
    tld: "mz",
    sells: "co org ac",
    source: "namebeta.com/tlds/mz; Wikipedia (2015-05): at the third level",
  },
  {
    tld: "py",
    source: "namebeta.com/tlds/py and Wikipedia: registrations at the second level are prohibited",
  },
  {
    tld: "sz",
    sells: "co org ac",
    source: "namebeta.com/tlds/sz: only at the third level; Wikipedia (2025-08)",
  },
  {
    tld: "ye",
    source: "Wikipedia (2020-06) and wikimili.com/en/.ye: at the third level",
  },
  {
    tld: "za",
    sells: "co org net",
    source:
      "zadna.org.za: names can only be registered under a second-level domain; zarc.web.za (2023-01-06)",
  },
  {
    tld: "zm",
    sells: "co com org",
    source: "namebeta.com/tlds/zm and Wikipedia: at the third level, but for internet providers",
  },
  {
    tld: "zw",
    sells: "co org ac",
    source: "icannwiki.org/.zw: no more registrations directly under zw; namebeta.com/tlds/zw",
  },
];

/** Those of which a source says that names directly below the TLD are sold, too. */
const DISPUTED: readonly ThirdLevelTld[] = [
  {
    tld: "ao",
    sells: "co it og",
    source:
      "The registry's rules of 2001: only at the third level; Wikipedia (2017-07): some names are directly below",
  },
  {
    tld: "bd",
    source: "registry.com.bd/extensions: not directly under bd; Wikipedia: all are allowed now",
  },
  {
    tld: "cy",
    source: "Wikipedia: at the third level; memim.com/.cy: at both levels",
  },
  {
    tld: "gn",
    source: "Wikipedia in English (2017-07): at the third level; in German: at both levels",
  },
  {
    tld: "iq",
    source:
      "The CMC's terms: directly below iq only the presidency and golden names; namebeta.com/tlds/iq: mostly at the third level",
  },
  {
    tld: "kh",
    source:
      "Wikipedia (2022-11): at the third level; a sub-decree of 2021-12-31: kh itself for everyone",
  },
  {
    tld: "kw",
    source: "KISR's rules: third-level names; namebeta.com/tlds/kw: at both levels",
  },
  {
    tld: "ni",
    source:
      "Wikipedia (2024-04): at the third level, with a handful of sites directly below; icannwiki.org/.ni: open to all",
  },
  {
    tld: "th",
    sells: "co in or",
    source:
      "THNIC's policy: third-level names; domain-recht.de: names directly below th for some, from 2017-04-25 to 2017-06-05",
  },
  {
    tld: "ve",
    source:
      "Wikipedia (2022-06): only at the third level; later: directly below ve since 2024, for owners of trademarks",
  },
];

/** The rows, each with the day of its source. */
export const THIRD_LEVEL_TLDS = [
  ...AGREED.map((row) => ({ ...USUAL, ...row, isDisputed: false })),
  ...DISPUTED.map((row) => ({ ...USUAL, ...row, isDisputed: true })),
];
