import { startLab } from "../lab/lab.ts";
import { START_ARGS } from "../lab/lab_env.ts";
import { startProcess } from "../support/process.ts";
import { canariesPassed, interleave, median, print, printRow } from "./benchmark.ts";
import { requestsPerSecond } from "./requests.ts";

const PATH = "/check?name=taken&tld=com";
const ROUNDS = 7;
const ROUND_MS = 2_000;
/** Of traffic before the rounds: V8 compiles what a cached answer runs during its first 60,000 or so (measured). */
const WARM_UP_MS = 4_000;
/** How many clients of a busy service ask within a minute. */
const ADDRESSES = 4_000;

/** How many cached answers a second, beside a server that does nothing but answer. */
export async function cached(): Promise<void> {
  print("a cached one-TLD answer, beside a bare Deno.serve that sends the same");
  await using lab = await startLab();
  await using service = await startProcess(lab, { TRUSTED_PROXIES: "1" });
  // Canary tests would run during the first rounds.
  await canariesPassed(service);
  const url = `${service.url}${PATH}`;
  await (await fetch(url)).body?.cancel();
  // With the flags of the service.
  const args = [...START_ARGS.slice(0, -1), "tests/bench/server.ts", url];
  await using server = await startProcess(lab, {}, { args });
  const bareUrl = `${server.url}${PATH}`;
  const from = (addresses: number) => {
    let n = 0;
    return () => `x-forwarded-for: ${addressOf(n++ % addresses)}`;
  };
  const rate = (url: string, header: () => string) => () =>
    requestsPerSecond(url, ROUND_MS, header);
  for (const one of [url, bareUrl]) await requestsPerSecond(one, WARM_UP_MS, from(ADDRESSES));
  const { bare, ...clients } = await interleave({
    "one address": rate(url, from(1)),
    [`${ADDRESSES} addresses behind a proxy`]: rate(url, from(ADDRESSES)),
    "a new address each": rate(url, from(Infinity)),
    bare: rate(bareUrl, from(ADDRESSES)),
  }, ROUNDS);
  for (const [who, rates] of Object.entries(clients)) {
    printRow(
      `GET ${PATH} from ${who}, ${ROUNDS} rounds`,
      { service: perSecond(rates), bare: perSecond(bare) },
      // Round by round: a slow moment of the machine slows both sides of its round.
      rates.map((sample, round) => sample / (bare[round] ?? NaN)),
    );
  }
}

function addressOf(n: number): string {
  return `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`;
}

function perSecond(samples: readonly number[]): string {
  return `${Math.round(median(samples)).toLocaleString("en")}/s`;
}
