/**
 * The suffixes under which names can be checked: the enabled TLDs, by the table that is refreshed, and where the operator allows
 * it any other TLD, by dated tables, and any suffix of the Public Suffix List's ICANN section, by tldts. Both are loaded when
 * the first name needs them.
 */
import { lazy } from "../flow/cache/flight.ts";
import type { SuffixCoverage } from "../rules/coverage.ts";
import { readSuffix } from "../rules/name.ts";
import {
  BUILT_IN_SUFFIXES,
  tldOf,
  type TldRow,
  type TldType,
  UNLISTED_TLDS,
} from "../rules/tables/tlds.ts";
import { type WhoisServer, whoisServerOf } from "../rules/tables/hosts.ts";
import type { TldTable } from "./tld_table.ts";

/** The suffixes under which names can be checked, and who is asked. */
export type Suffixes = ReturnType<typeof createSuffixes>;

/** Creates them. */
export function createSuffixes(
  { tlds, extra, isAnyAllowed, asksDated }: {
    tlds: Pick<TldTable, "enabled" | "fresh" | "listed">;
    /** The operator's own RDAP servers, by TLD or suffix. */
    extra: ReadonlyMap<string, string>;
    /** Whether TLDs that are not enabled can be checked. */
    isAnyAllowed: boolean;
    /** Whether servers of the dated tables are asked: in the lab only those are that it names. */
    asksDated: boolean;
  },
) {
  const tables = lazy(() =>
    Promise.all([import("../rules/coverage.ts"), import("tldts-icann")] as const)
  );

  /** The tables, and what IANA lists now. */
  async function current() {
    const [[coverage, list]] = await Promise.all([tables.get(), tlds.fresh()]);
    const listed = tlds.listed();
    const ofList = (name: string) => list.getPublicSuffix(name, { extractHostname: false });

    /** Whether a wildcard makes every label a suffix below what follows the first label of a name. */
    function isOfWildcard(name: string): boolean {
      const invented = name.replace(/^[^.]*/, "not-in-the-list");
      return ofList(invented) === invented && invented.includes(".");
    }

    /**
     * The longest public suffix of a name, in lower case and as A-labels; undefined if there is no such TLD. The parent of a
     * wildcard (nom.br) is one, too: it is none by the list, yet no registry sells it.
     */
    function suffixOf(name: string): string | undefined {
      const tld = tldOf(name);
      if (!coverage.isTld(tld, listed) && !extra.has(tld)) return undefined;
      return isOfWildcard(`any.${name}`) ? name : ofList(name) ?? undefined;
    }

    return { coverage, listed, isOfWildcard, suffixOf };
  }

  /** What is known of a suffix, with the server that is asked; undefined if it is none. */
  async function read(suffix: string): Promise<SuffixCoverage | undefined> {
    const { coverage, listed, isOfWildcard, suffixOf } = await current();
    if (suffixOf(suffix) !== suffix) return undefined;
    const ownBase = extra.get(suffix) ?? extra.get(tldOf(suffix));
    const isInvented = isOfWildcard(suffix) ||
      suffix.includes(".") && isOfWildcard(`any.${suffix}`);
    return coverage.coverageOf(suffix, { listed, ownBase, isInvented });
  }

  /** What is known of a suffix, unless it is built in and enabled. */
  async function coverageOf(suffix: string): Promise<SuffixCoverage | undefined> {
    if (readSuffix(suffix) !== suffix) return undefined;
    const isNeeded = (await tlds.enabled()).includes(suffix)
      ? !BUILT_IN_SUFFIXES.has(suffix)
      : isAnyAllowed;
    return isNeeded ? await read(suffix) : undefined;
  }

  /** Its RDAP server, if it has one. */
  async function rowOf(suffix: string): Promise<TldRow | undefined> {
    const own = extra.get(suffix);
    if (own !== undefined) return { tld: suffix, rdapBase: own };
    const row = (await tlds.fresh()).find(({ tld }) => tld === suffix);
    if (row !== undefined) return row;
    const rdapBase = (await coverageOf(suffix))?.facts.rdapServer;
    if (rdapBase === undefined) return undefined;
    const tld = tldOf(suffix);
    const isKnown = [tlds.listed().bases, extra].some((bases) => bases.get(tld) === rdapBase);
    return isKnown || asksDated ? { tld: suffix, rdapBase } : undefined;
  }

  async function adviceFor(suffix: string): Promise<string> {
    if (!isAnyAllowed) return `send one of ${(await tlds.enabled()).join(", ")}`;
    if (/[,;\s]/.test(suffix.trim())) {
      return "send one TLD, or several as a list in tlds (POST /check)";
    }
    if (readSuffix(suffix) !== suffix) return "send a TLD such as com, or a suffix such as co.uk";
    const above = await publicSuffixOf(suffix);
    if (above === undefined) {
      return `.${tldOf(suffix)} is no known TLD; /tlds?coverage=all lists them`;
    }
    const labels = suffix.slice(0, -above.length - 1).split(".");
    return labels.length > 1
      ? `send a name directly under its suffix, such as ${labels.at(-1)}.${above}`
      : `${suffix} is no public suffix: send ${suffix} itself`;
  }

  return {
    coverageOf,
    /** What to send instead of a TLD or suffix under which no names can be checked; undefined if they can. */
    async refusalOf(suffix: string): Promise<string | undefined> {
      if ((await tlds.enabled()).includes(suffix)) return undefined;
      if (tldOf(suffix) === "eth") return "use /v1/ens/check for .eth names";
      return await coverageOf(suffix) === undefined ? await adviceFor(suffix) : undefined;
    },
    rowOf,
    /** Its WHOIS server or availability service, if it has one that is asked. */
    async whoisServerOf(suffix: string): Promise<WhoisServer | undefined> {
      return whoisServerOf(suffix) ?? (await coverageOf(suffix))?.whois;
    },
    /** Whether its RDAP server is none that IANA lists. */
    async isUnlisted(suffix: string): Promise<boolean> {
      const own = extra.get(suffix);
      const isOwn = own !== undefined && own !== tlds.listed().bases.get(suffix);
      if (UNLISTED_TLDS.has(suffix) || isOwn) return true;
      return (await coverageOf(suffix))?.facts.coverage === "rdap_unlisted";
    },
    /** Why the name cannot be registered, known without a query; undefined if it may be possible. */
    async closedBy(label: string, suffix: string): Promise<string | undefined> {
      const below = BUILT_IN_SUFFIXES.get(suffix);
      const name = `${label}.${suffix}`;
      if (below?.includes(label) ?? await publicSuffixOf(name) === name) {
        return `${name} is a public suffix: names are registered under it, and it cannot be registered itself`;
      }
      const facts = below === undefined ? (await coverageOf(suffix))?.facts : undefined;
      return facts?.coverage === "closed" ? facts.requirements : undefined;
    },
    /**
     * What is known of up to `limit` TLDs and suffixes with a server of the operator's that contain `part`, and of the suffix
     * that `part` is, all of a type, in alphabetical order after a text, and how many there are.
     */
    async list(
      { part, type, after, limit }: {
        part: string;
        /** Of both types, if undefined. */
        type: TldType | undefined;
        after: string;
        limit: number;
      },
    ) {
      const { coverage: { allTlds, typeOf }, listed } = await current();
      const all = new Set(isAnyAllowed ? allTlds(listed) : await tlds.enabled());
      for (const suffix of isAnyAllowed ? [part, ...extra.keys()] : []) {
        if (readSuffix(suffix) === suffix && await read(suffix) !== undefined) all.add(suffix);
      }
      const isWanted = (suffix: string) =>
        suffix.includes(part) && (type === undefined || typeOf(suffix) === type);
      const every = [...all].filter(isWanted).toSorted();
      const page = every.filter((suffix) => suffix > after).slice(0, limit);
      const known = await Promise.all(page.map(read));
      const { toUnicodeDomain } = await import("./label.ts");
      const facts = known.flatMap((one) =>
        one === undefined ? [] : { ...one.facts, unicode: toUnicodeDomain(one.facts.suffix) }
      );
      return { count: every.length, facts };
    },
  };

  async function publicSuffixOf(name: string): Promise<string | undefined> {
    return (await current()).suffixOf(name);
  }
}
