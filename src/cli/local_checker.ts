/** Checks names by the look-ups of this process. */
import { asSettled } from "../flow/as_settled.ts";
import { BUILT_IN_PRICES, costUsd, quotePrice } from "../rules/prices.ts";
import { BUILT_IN_TLDS, type TldRow } from "../rules/tables/tlds.ts";
import { stateOf } from "../rules/verdict.ts";
import type { LookUps } from "../wiring/look_ups.ts";
import type { Checker } from "./checker.ts";
import { ETH } from "./name_argument.ts";
import { type Row, withDetails } from "./row.ts";

/** The look-ups that a checker needs. */
export interface CheckLookUps extends Pick<LookUps, "checkDomain" | "ens" | "findDetails"> {
  tlds: Pick<LookUps["tlds"], "enabled" | "fresh">;
  suffixes: Pick<LookUps["suffixes"], "find" | "rowOf">;
}

/** Look-ups of a registry at once by default: enough to keep it busy while other names are found in DNS. */
export const LOCAL_CONCURRENCY = 64;

/** It waits in the queues of hosts for as long as it takes. */
const THIS_RUN = { client: "cli", isList: true, signal: new AbortController().signal };

/** Creates the checker. */
export async function createLocalChecker(
  { checkDomain, ens, findDetails, tlds, suffixes }: CheckLookUps,
  { explain = false, details = false }: {
    /** Whether results have their evidence. */
    explain?: boolean;
    /** Whether taken results have their details. */
    details?: boolean;
  } = {},
): Promise<Checker> {
  let hosts = hostsOf(BUILT_IN_TLDS);
  /** Of TLDs that are not enabled. */
  const otherHosts = new Map<string, string>();
  // Not awaited: after a start the table may take a second, which cached answers need not wait for.
  void tlds.fresh().then((rows) => hosts = hostsOf(rows));
  /** TLDs whose registries share a host share a queue. */
  const hostOf = (tld: string) => hosts.get(tld) ?? otherHosts.get(tld) ?? tld;

  async function checkDomainRow(label: string, tld: string): Promise<Row> {
    const result = await checkDomain(label, tld, THIS_RUN, { withEvidence: explain });
    const { domain } = result;
    const row = { kind: "domain", domain, result } as const;
    const price = stateOf(result) === "available" ? BUILT_IN_PRICES.get(tld) : undefined;
    if (price === undefined) return row;
    const { register, renew, years } = quotePrice(tld, price);
    return { ...row, cost: costUsd(register, renew, years) };
  }

  async function checkEth(label: string): Promise<Row> {
    const answer = await ens.check(label);
    const domain = `${label}.${ETH}`;
    if (answer.kind === "answered") return { kind: "eth", domain, result: answer.result };
    return { kind: "failed", domain, error: `Cannot check the name: ${answer.why}` };
  }

  async function checkRow(label: string, tld: string): Promise<Row> {
    const row = await (tld === ETH ? checkEth(label) : checkDomainRow(label, tld));
    if (!details) return row;
    return await withDetails(row, async () => {
      const { domain: _, state: __, available: ___, ...found } = await findDetails(label, tld);
      return found;
    });
  }

  return {
    tlds: await tlds.enabled(),
    async refusalOf(suffix) {
      const reading = await suffixes.find(suffix);
      if (reading.kind === "unsupported") return reading.advice;
      const row = reading.kind === "covered" ? await suffixes.rowOf(suffix) : undefined;
      if (row !== undefined) otherHosts.set(suffix, new URL(row.rdapBase).host);
      return undefined;
    },
    hostsOf: ({ tlds }) => tlds.map(hostOf),
    partOf: ({ label, tlds }, place) => ({ label, tlds: tlds.slice(place, place + 1) }),
    atOnce: (_host, chosen = LOCAL_CONCURRENCY) => Math.min(chosen, LOCAL_CONCURRENCY),
    check: ({ label, tlds }) => asSettled(tlds.map((tld) => checkRow(label, tld))),
  };
}

/** The registries' hosts by TLD. */
function hostsOf(rows: readonly TldRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ tld, rdapBase }) => [tld, new URL(rdapBase).host]));
}
