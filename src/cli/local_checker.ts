/** Checks names by the look-ups of this process. */
import { merged } from "../flow/merged.ts";
import { BUILT_IN_PRICES, costUsd, quotePrice } from "../rules/prices.ts";
import { stateOf } from "../rules/verdict.ts";
import type { LookUps } from "../wiring/look_ups.ts";
import type { Checker } from "./checker.ts";
import { ETH } from "./name_argument.ts";
import { type Row, withDetails } from "./row.ts";

/** The look-ups that a checker needs. */
export interface CheckLookUps extends Pick<LookUps, "checkDomain" | "ens" | "findDetails"> {
  tlds: Pick<LookUps["tlds"], "enabled">;
  suffixes: Pick<LookUps["suffixes"], "find">;
}

/** Rows in flight: a fast registry may be so far ahead of a slow one. They wait in the queues of hosts, as in the service. */
export const LOCAL_ROWS = 4_000;

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

  async function* checkRow(label: string, tld: string): AsyncGenerator<Row> {
    const row = await (tld === ETH ? checkEth(label) : checkDomainRow(label, tld));
    if (!details) return yield row;
    yield await withDetails(row, async () => {
      const { domain: _, state: __, available: ___, ...found } = await findDetails(label, tld);
      return found;
    });
  }

  return {
    tlds: await tlds.enabled(),
    async refusalOf(suffix) {
      const reading = await suffixes.find(suffix);
      if (reading.kind === "unsupported") return reading.advice;
      return undefined;
    },
    inFlight: { most: LOCAL_ROWS, sizeOf: ({ tlds }) => tlds.length },
    check: ({ label, tlds }) => merged(tlds.map((tld) => checkRow(label, tld))),
  };
}
