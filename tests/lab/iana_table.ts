import { BUILT_IN_ZONE } from "../../src/rules/coverage.ts";
import type { Registry } from "./registries.ts";

/** IANA's list of RDAP servers, as RFC 9224 has it. */
export interface IanaTable {
  description: string;
  publication: string;
  services: [tlds: string[], urls: string[]][];
  version: "1.0";
}

/** TLDs that have an RDAP server and are missing from IANA's list. */
const UNLISTED = ["io", "me"];

/** Services that are not in the lab: a reader has to ignore them. */
const ELSEWHERE: IanaTable["services"] = [
  [["kg"], ["http://rdap.kg.lab/"]],
  [["fr"], ["https://rdap.fr.lab/"]],
  [["xn--p1ai", "xn--90ais"], ["https://rdap.idn.lab/"]],
];

/** The table for the lab: bases are `http://<host>/<path>/`, `io` and `me` are not in it, as in reality. */
export function ianaTable(
  registries: readonly Registry[],
  { lacking = [], moved = {} }: {
    /** TLDs to leave out. */
    lacking?: readonly string[];
    /** TLD to another base; this also lists a TLD that would be missing. */
    moved?: Readonly<Record<string, string>>;
  } = {},
): IanaTable {
  const left = [...UNLISTED, ...lacking, ...Object.keys(moved)];
  const byBase = new Map<string, string[]>();
  for (const { host, bases } of registries) {
    for (const [tld, path] of Object.entries(bases)) {
      if (!left.includes(tld)) add(byBase, `http://${host}${path}`, tld);
    }
  }
  for (const [tld, base] of Object.entries(moved)) add(byBase, base, tld);
  const services = [...byBase].map(([base, tlds]): [string[], string[]] => [tlds, [base]]);
  return {
    description: "RDAP servers of the lab",
    publication: "2026-09-30T23:00:03Z",
    services: [...services, ...ELSEWHERE],
    version: "1.0",
  };
}

function add(byBase: Map<string, string[]>, base: string, tld: string) {
  const tlds = byBase.get(base);
  if (tlds) tlds.push(tld);
  else byBase.set(base, [tld]);
}

/** IANA's list of the root zone's TLDs: the built-in ones, with changes. */
export function rootZoneList(
  { day = "20260930", added = [], removed = [] }: {
    day?: string;
    added?: readonly string[];
    removed?: readonly string[];
  } = {},
): string {
  const tlds = [...BUILT_IN_ZONE.tlds, ...added].filter((tld) => !removed.includes(tld));
  const version = `# Version ${day}03, Last Updated Wed Sep 30 07:07:01 2026 UTC`;
  return [version, ...tlds.map((tld) => tld.toUpperCase()).toSorted(), ""].join("\n");
}
