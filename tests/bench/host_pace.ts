/** What the hosts' paces allow, computed from the policies. */
import { type HostPolicy, hostPolicy } from "../../src/rules/tables/hosts.ts";
import { REGISTRIES } from "../lab/registries.ts";

/** When a host has answered the last of the questions that are ready to be asked at these times. */
export function lastAnswerMs(
  readyMs: readonly number[],
  latencyMs: number,
  { concurrency, burst, everyMs }: HostPolicy,
): number {
  const starts: number[] = [];
  let spentUntil = 0;
  for (const ready of readyMs.toSorted((a, b) => a - b)) {
    const before = starts[starts.length - concurrency];
    const placeAt = before === undefined ? 0 : before + latencyMs;
    const start = Math.max(ready, placeAt, spentUntil - (burst - 1) * everyMs);
    spentUntil = Math.max(spentUntil, start) + everyMs;
    starts.push(start);
  }
  return Math.max(0, ...starts.map((start) => start + latencyMs));
}

/** Time, in ms, after which the slowest registry has answered all questions of a check at the pace of its policy. */
export function slowestChainMs(
  tlds: readonly string[],
  { dnsMs, withCanary }: { dnsMs: number; withCanary: boolean },
): number {
  const chains = REGISTRIES.map(({ host, bases, latencyMs }) => {
    const served = tlds.filter((tld) => tld in bases);
    // A canary asks for a made-up name, and for a name that DNS must first show to be delegated.
    const readyMs = served.flatMap(() => withCanary ? [dnsMs, dnsMs, 2 * dnsMs] : [dnsMs]);
    return lastAnswerMs(readyMs, latencyMs, hostPolicy(host));
  });
  return Math.max(...chains);
}

/** Time, in ms, after which every host's full burst is available again, after so many questions for each of its TLDs. */
export function recoveryMs(tlds: readonly string[], questionsPerTld: number): number {
  const pauses = REGISTRIES.map(({ host, bases }) =>
    tlds.filter((tld) => tld in bases).length * questionsPerTld * hostPolicy(host).everyMs
  );
  return Math.max(...pauses);
}
