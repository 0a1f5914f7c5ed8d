import { hostPolicy } from "../../src/rules/host_policies.ts";
import { REGISTRIES } from "../lab/registries.ts";
import { lastAnswerMs } from "./last_answer.ts";

/** Time, in ms, after which the slowest registry has answered all that the politeness rules let us ask of it. */
export function slowestChainMs(
  tlds: readonly string[],
  { dnsMs, withCanary }: { dnsMs: number; withCanary: boolean },
): number {
  const chains = REGISTRIES.map(({ host, bases, latencyMs }) => {
    const served = tlds.filter((tld) => tld in bases);
    // A canary is a question for a made-up name, and one for a name that DNS must first show to be delegated.
    const readyMs = served.flatMap(() => withCanary ? [dnsMs, dnsMs, 2 * dnsMs] : [dnsMs]);
    return lastAnswerMs(readyMs, latencyMs, hostPolicy(host));
  });
  return Math.max(...chains);
}
