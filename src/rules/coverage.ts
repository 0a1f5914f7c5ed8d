/**
 * What can be said of names under any TLD of IANA's root zone and under its public suffixes: who can be asked, who may
 * register, and where that is written. Its tables are the largest of the service, and only names outside the enabled TLDs
 * need them: load this module dynamically.
 */
import type { RestrictingRule } from "./answer.ts";
import { type CoverageFacts, tldOf, type TldType, tldType } from "./tables/tlds.ts";
import { CLOSED_TLDS } from "./tables/coverage/closed_tlds.ts";
import { IDN_CCTLDS, ROOT_ZONE, ROOT_ZONE_DATE } from "./tables/coverage/root_zone.ts";
import {
  newRow,
  SUFFIX_ROWS,
  type SuffixRow,
  UNPRICED_TLDS,
  unsureUnder,
} from "./tables/coverage/suffix_rows.ts";
import { THIRD_LEVEL_TLDS } from "./tables/coverage/third_level_tlds.ts";
import { WHOIS_HOSTS } from "./tables/coverage/whois_hosts.ts";
import type { WhoisServer } from "./tables/hosts.ts";

/** The facts, and how to ask and to read the answers. */
export interface SuffixCoverage extends Pick<SuffixRow, "unsure" | "minLength" | "idn"> {
  readonly facts: CoverageFacts;
  /** The WHOIS server, or the availability service that is asked in its place. */
  readonly whois?: WhoisServer | undefined;
  /** Set if the TLD sells names at the third level only, or its suffix none, or that is not known. */
  readonly level?: RestrictingRule | undefined;
}

function wordsOf(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}

/** The TLDs of a table of servers, each with its own; a line that begins with a space continues the entry before. */
function serversOf(text: string): (readonly [tld: string, server: string])[] {
  return text.replaceAll("\n ", " ").split("\n").map(wordsOf).flatMap(([server = "", ...tlds]) =>
    tlds.map((tld) =>
      [tld, server.replace("{tld}", tld).replace("{TLD}", tld.toUpperCase())] as const
    )
  );
}

/** TLDs with IANA's RDAP base, and those that no other table names; undefined where IANA lists none. */
const BASES: ReadonlyMap<string, string | undefined> = new Map(
  serversOf(ROOT_ZONE).map(([tld, base]) => [tld, base === "-" ? undefined : base]),
);

/** IANA's table of RDAP servers as it is now, by TLD; it may list TLDs that are newer than those built in. */
export interface ListedServers {
  readonly bases: ReadonlyMap<string, string>;
  /** The day of the table (ISO 8601). */
  readonly date: string;
}

const NO_NEWER: ListedServers = { bases: new Map(), date: ROOT_ZONE_DATE };

/** IANA calls them country codes too, although they are not of two letters. */
const IDN_COUNTRIES: ReadonlySet<string> = new Set(wordsOf(IDN_CCTLDS));

/** Adds what a source says of its TLDs, with the sources of all that is said and the older of the days on which they were read. */
function addRow(known: Map<string, SuffixRow>, row: SuffixRow): Map<string, SuffixRow> {
  for (const tld of wordsOf(row.tlds)) {
    const before = known.get(tld);
    const source = before === undefined ? row.source : `${before.source}; ${row.source}`;
    const [checkedOn = ""] = [before ?? row, row].map((one) => one.checkedOn).toSorted();
    known.set(tld, { ...before, ...row, source, checkedOn });
  }
  return known;
}

/** What is known of TLDs, by TLD. */
const ROWS: ReadonlyMap<string, SuffixRow> = [
  ...CLOSED_TLDS.map((row): SuffixRow => ({ ...row, isClosed: true })),
  UNPRICED_TLDS,
  ...SUFFIX_ROWS,
  ...WHOIS_HOSTS.flatMap(({ hosts, ...group }) =>
    serversOf(hosts).map(([tlds, host]): SuffixRow => ({ tlds, whois: { host }, ...group }))
  ),
  ...THIRD_LEVEL_TLDS.map(({ tlds: tld, words, isDisputed, ...row }): SuffixRow => {
    const [first, second, third] = words.map((label) => `${label}.${tld}`);
    const suffixes = `under suffixes such as ${first}, ${second} and ${third}`;
    const rule = `The .${tld} registry sells no names directly under .${tld}, only ${suffixes}`;
    const why = `Unknown whether the .${tld} registry sells names directly under .${tld}, ` +
      `or only ${suffixes}`;
    const direct: RestrictingRule = isDisputed
      ? { kind: "unknown", why }
      : { kind: "forbidden", rule };
    return { ...row, tlds: tld, direct };
  }),
].reduce(addRow, new Map<string, SuffixRow>());

/** The TLDs of the root zone as built in: each stands in one of the tables at least. */
export const BUILT_IN_ZONE: ReadonlySet<string> = new Set(
  [BASES, IDN_COUNTRIES, ROWS].flatMap((table) => [...table.keys()]),
);

const IANA: Pick<CoverageFacts, "source" | "checkedOn"> = {
  source: "IANA's root zone and its table of RDAP servers",
  checkedOn: ROOT_ZONE_DATE,
};
/** Whether there is such a TLD: built in, or newer and listed by IANA. */
export function isTld(tld: string, { bases } = NO_NEWER): boolean {
  return BUILT_IN_ZONE.has(tld) || bases.has(tld);
}

/** Whether a suffix is one of a country. */
export function typeOf(suffix: string): TldType {
  const tld = tldOf(suffix);
  return IDN_COUNTRIES.has(tld) ? "ccTLD" : tldType(tld);
}

/** All TLDs, in alphabetical order. */
export function allTlds({ bases } = NO_NEWER): string[] {
  return [...BUILT_IN_ZONE.union(bases)].toSorted();
}

/** What is known of a TLD or of a public suffix. */
export function coverageOf(
  suffix: string,
  { listed = NO_NEWER, ownBase, isInvented = false }: {
    listed?: ListedServers;
    /** The operator's own RDAP base for it. */
    ownBase?: string | undefined;
    /** Whether only a wildcard of the Public Suffix List makes it one, or it is the parent of such. */
    isInvented?: boolean;
  } = {},
): SuffixCoverage {
  const tld = tldOf(suffix);
  const isTopLevel = suffix === tld;
  const row = BUILT_IN_ZONE.has(tld) ? ROWS.get(tld) : newRow(tld, listed);
  const { source, checkedOn } = row ?? IANA;
  const about = {
    suffix,
    type: typeOf(suffix),
    ...(row?.requirements && { requirements: row.requirements }),
    source,
    checkedOn,
  };
  if (row?.isClosed) return { facts: { ...about, coverage: "closed" } };

  // The server of a name is that of the longest entry that matches from the right (RFC 9224, section 4). The suffixes of a
  // wildcard are as many as clients invent, and each would be tested.
  const ianaBase = listed.bases.get(tld) ?? BASES.get(tld);
  const rdapServer = isInvented
    ? undefined
    : ownBase ?? ianaBase ?? row?.rdapBase?.replace("{tld}", tld);
  const whois = isInvented ? undefined : row?.whois;
  const ofRdap = rdapServer === ianaBase ? "rdap" : "rdap_unlisted";
  const withoutRdap = whois === undefined ? "dns" : "whois";
  const level = isTopLevel ? row?.direct : row?.below;
  const unsure = unsureUnder(suffix, row?.unsure, IDN_COUNTRIES.has(tld));
  const notes = [level?.kind === "forbidden" ? level.rule : level?.why, unsure?.why];
  const note = notes.filter((text) => text !== undefined).join("; ");
  const coverage = rdapServer === undefined ? withoutRdap : ofRdap;
  const facts: CoverageFacts = {
    ...about,
    coverage,
    ...(rdapServer && { rdapServer }),
    ...(whois && { whoisServer: whois.host }),
    ...(note && { note }),
  };
  return { facts, whois, unsure, minLength: row?.minLength, idn: row?.idn, level };
}
