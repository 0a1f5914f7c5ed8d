/** Checks names by the look-ups of this process. */
import { merged } from "../flow/merged.ts";
import { BUILT_IN_PRICES, costUsd, quotePrice } from "../rules/prices.ts";
import { stateOf } from "../rules/verdict.ts";
import { createLookUps, type LookUps } from "../wiring/look_ups.ts";
import { openPlatform } from "../wiring/platform.ts";
import { LOCAL_ROWS } from "./check_options.ts";
import { ETH } from "./names.ts";
import { type Checker, type Row, type RowWishes, withDetails } from "./row.ts";
import { QUIET, sanitize } from "./terminal.ts";

/** The look-ups that a checker needs. */
export interface CheckLookUps extends Pick<LookUps, "checkDomain" | "ens" | "findDetails"> {
  tlds: Pick<LookUps["tlds"], "enabled">;
  suffixes: Pick<LookUps["suffixes"], "refusalOf">;
}

/** It waits in the queues of hosts for as long as it takes. */
const THIS_RUN = { client: "cli", isList: true, signal: new AbortController().signal };

/**
 * Opens the look-ups of this process, which share the server's cache; `close` settles when KV is closed. If KV cannot be opened,
 * returns the error, whose message is for the user.
 */
export async function openLocalChecker(
  wishes: RowWishes,
): Promise<{ checker: Checker; close(): Promise<void> } | Error> {
  const opened = await openPlatform(QUIET).catch((error: Error) => error);
  if (opened instanceof Error) return new Error(sanitize(`Cannot start: ${opened.message}`));
  const { config, platform } = opened;
  const lookUps = createLookUps(config, platform);
  void lookUps.renewTlds();
  return {
    checker: await createLocalChecker(lookUps, wishes),
    async close() {
      await lookUps.stop();
      platform.close();
    },
  };
}

/** Creates the checker. */
export async function createLocalChecker(
  { checkDomain, ens, findDetails, tlds, suffixes }: CheckLookUps,
  { explain, details }: RowWishes,
): Promise<Checker> {
  async function checkDomainRow(label: string, tld: string): Promise<Row> {
    const result = await checkDomain(label, tld, THIS_RUN, { withEvidence: explain });
    const row = { kind: "domain", domain: result.domain, result } as const;
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
    yield details ? await withDetails(row, () => findDetails(label, tld)) : row;
  }

  return {
    tlds: await tlds.enabled(),
    refusalOf: suffixes.refusalOf,
    inFlight: { most: LOCAL_ROWS, sizeOf: ({ tlds }) => tlds.length },
    check: ({ label, tlds }) => merged(tlds.map((tld) => checkRow(label, tld))),
  };
}
