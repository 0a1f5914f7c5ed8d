/** Checks names by the look-ups of this process. */
import { merged } from "../flow/async_iterables.ts";
import { toDomain } from "../rules/name.ts";
import { BUILT_IN_PRICES, dayOf, newest, type Prices, quotePrice } from "../rules/prices.ts";
import { createPriceStore } from "../store/records.ts";
import { createLookUps, type LookUps } from "../wiring/look_ups.ts";
import { openPlatform } from "../wiring/platform.ts";
import type { CheckOptions } from "./check_options.ts";
import { ETH } from "./names.ts";
import type { Checker } from "./check.ts";
import { domainRow, ethRow, failedRow, type Row } from "./row.ts";
import { QUIET, sanitize } from "./terminal.ts";

/** The look-ups that a checker needs. */
export interface CheckLookUps extends Pick<LookUps, "checkDomain" | "ens" | "findDetails"> {
  tlds: Pick<LookUps["tlds"], "enabled">;
  suffixes: Pick<LookUps["suffixes"], "refusalOf">;
}

/** It waits in the queues of hosts for as long as it takes. */
const THIS_RUN = { client: "cli", isList: true, signal: new AbortController().signal };

/**
 * Opens the look-ups of this process, which share the server's cache. If KV cannot be opened, returns the error, whose message
 * is for the user.
 */
export async function openLocalChecker(
  options: Pick<CheckOptions, "explain">,
  note: (text: string) => void,
): Promise<Checker | Error> {
  const opened = await openPlatform(QUIET).catch((error: Error) => error);
  if (opened instanceof Error) return new Error(sanitize(`Cannot start: ${opened.message}`));
  const { config, platform } = opened;
  const lookUps = createLookUps(config, platform);
  void lookUps.renewTlds();
  const stored = await createPriceStore(lookUps.base.kv).get() ?? BUILT_IN_PRICES;
  const prices = newest(BUILT_IN_PRICES, stored, dayOf(platform.now()));
  const checker = await createLocalChecker(lookUps, options, prices);
  const missing = config.TLDS.filter((tld) => !checker.tlds.includes(tld)).join(", ");
  if (missing !== "") note(`No RDAP server is known for ${missing}, which TLDS names`);
  const close = async () => {
    await lookUps.stop();
    platform.close();
  };
  return { ...checker, close };
}

/** Creates the checker. */
export async function createLocalChecker(
  { checkDomain, ens, findDetails, tlds, suffixes }: CheckLookUps,
  { explain }: Pick<CheckOptions, "explain">,
  prices: Prices = BUILT_IN_PRICES,
): Promise<Checker> {
  async function* checkRow(label: string, tld: string): AsyncGenerator<Row> {
    if (tld !== ETH) {
      const result = await checkDomain(label, tld, THIS_RUN, { withEvidence: explain });
      const price = prices.get(tld);
      return yield domainRow(result, price && quotePrice(tld, price));
    }
    const answer = await ens.check(label);
    const domain = `${label}.${ETH}`;
    if (answer.kind === "answered") yield ethRow(domain, answer.result);
    else yield failedRow(domain, `Cannot check the name: ${answer.why}`);
  }

  return {
    tlds: await tlds.enabled(),
    refusalOf: suffixes.refusalOf,
    check: ({ label, tlds }) => merged(tlds.map((tld) => checkRow(label, tld))),
    findDetails(domain) {
      const { label, tld } = toDomain(domain);
      return findDetails(label, tld);
    },
  };
}
