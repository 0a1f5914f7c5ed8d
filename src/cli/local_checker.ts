/** Checks names by the look-ups of this process. */
import { asSettled } from "../flow/as_settled.ts";
import type { DomainResult } from "../lookup/check_domain.ts";
import { BUILT_IN_PRICES, quotePrice } from "../rules/prices.ts";
import { hostPolicy, listAtOnce } from "../rules/tables/host_policies.ts";
import { BUILT_IN_TLDS, type TldRow } from "../rules/tables/tlds.ts";
import { stateOf } from "../rules/verdict.ts";
import type { LookUps } from "../wiring/look_ups.ts";
import type { Checker } from "./checker.ts";
import { ETH } from "./name_argument.ts";
import { type Retry, type Row, withDetails } from "./row.ts";

/** The look-ups that a checker needs. */
export interface CheckLookUps
  extends Pick<LookUps, "checkDomain" | "ens" | "findDetails" | "pauseOf"> {
  tlds: Pick<LookUps["tlds"], "enabled" | "fresh">;
  suffixes: Pick<LookUps["suffixes"], "find" | "rowOf">;
}

/** Look-ups of a registry at once by default: enough to keep it busy while other names are found in DNS. */
export const LOCAL_CONCURRENCY = 64;
/** Requests in flight for each one that an unpaced host allows at once. */
const ROUNDS = 8;
/** A paced host gets no more requests than it allows in this time; its canary checks wait in the same queue. */
const PACED_MS = 4_000;

/** As one client, the names that a registry turns away come back one after the other. */
const THIS_RUN = { client: "cli", signal: new AbortController().signal };

/**
 * Creates the checker. The service rejects a look-up that would wait too long for a registry's pace; a list of names has
 * time, so each registry gets only as many look-ups as it can answer soon.
 */
export async function createLocalChecker(
  { checkDomain, ens, findDetails, tlds, suffixes, pauseOf }: CheckLookUps,
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
    const row = { kind: "domain", domain, result, retry: await retryOf(result) } as const;
    const price = stateOf(result) === "available" ? BUILT_IN_PRICES.get(tld) : undefined;
    return price === undefined ? row : { ...row, threeYearsUsd: quotePrice(tld, price).threeYears };
  }

  /** A host may also be in a cooldown without having left this row unknown, as after a test of its 404s. */
  async function retryOf(result: DomainResult): Promise<Retry | undefined> {
    if (stateOf(result) !== "unknown") return undefined;
    const { host, ms: pausedMs } = await pauseOf(result.tld);
    const ms = Math.max(pausedMs, (result.retryAfter ?? 0) * 1_000);
    return ms > 0 ? { host, ms } : undefined;
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
    atOnce: (host, chosen = LOCAL_CONCURRENCY) => Math.min(chosen, mostAtOnce(host)),
    check: ({ label, tlds }) => asSettled(tlds.map((tld) => checkRow(label, tld))),
  };
}

/** The registries' hosts by TLD. */
function hostsOf(rows: readonly TldRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ tld, rdapBase }) => [tld, new URL(rdapBase).host]));
}

/**
 * As many look-ups as a host answers long before the service's own gate rejects one, which it does after 15 s: eight
 * rounds of the slowest answers ever measured take 11 s, and names found in DNS need no round.
 */
function mostAtOnce(host: string): number {
  const policy = hostPolicy(host);
  return policy.everyMs > 0 ? listAtOnce(policy, PACED_MS) : policy.concurrency * ROUNDS;
}
