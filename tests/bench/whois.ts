import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { NEEDED_SERVERS, whoisPace, whoisServerOf } from "../../src/rules/tables/whois_servers.ts";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { startProcess } from "../support/process.ts";
import type { Benchmark } from "./benchmark.ts";
import { recoveryMs } from "./host_pace.ts";
import { canariesPassed, timedCheck } from "./service_checks.ts";
import { median, medianMs, pairedRatios } from "./statistics.ts";

const DNS_MS = 20;
const ROUNDS = 5;
const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);
const NEEDED_ROUNDS = 20;
const SERVED = TLDS.filter((tld) => whoisServerOf(tld) !== undefined);

/** What asking WHOIS beside RDAP costs a check of all TLDs. */
export const whois: Benchmark = {
  name: "whois",
  about:
    `all ${TLDS.length} TLDs on a cold name, with WHOIS for ${SERVED.length} of them and without`,
  async *rows() {
    const on: number[] = [];
    const off: number[] = [];
    const queries: number[] = [];
    await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
    await using asking = await startProcess(lab, whoisEnv(lab));
    await using silent = await startProcess(lab);
    for (const service of [asking, silent]) await canariesPassed(service, TLDS);
    // The first check tests the WHOIS servers.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [service, times] of [[asking, on], [silent, off]] as const) {
        await new Promise((resolve) => setTimeout(resolve, recoveryMs(TLDS, 2)));
        lab.clear();
        const { tookMs } = await timedCheck(service);
        if (round === 0) continue;
        times.push(tookMs);
        if (service === asking) queries.push(lab.whoisQueries.length);
      }
    }
    yield {
      what: `${ROUNDS} rounds, WHOIS as slow as the registry's RDAP server`,
      measured: {
        "with WHOIS": medianMs(on),
        without: medianMs(off),
        "WHOIS queries": queries.join(", "),
      },
      ratios: pairedRatios(on, off),
      target:
        `≤ 1.1, with the ${NEEDED_SERVERS.size} queries that are needed, and tests of servers`,
    };
    for (const [tld, host] of NEEDED_SERVERS) {
      const everyMs = Math.max(recoveryMs([tld], 1), whoisPace(host).everyMs);
      const [needing, without] = [new Array<number>(), new Array<number>()];
      for (let round = 0; round < NEEDED_ROUNDS; round++) {
        for (const [service, times] of [[asking, needing], [silent, without]] as const) {
          await new Promise((resolve) => setTimeout(resolve, everyMs));
          const { tookMs, unknown } = await timedCheck(service, tld);
          if (unknown === 0) times.push(tookMs);
        }
      }
      yield {
        what: `.${tld} alone, whose WHOIS is needed, ${NEEDED_ROUNDS} rounds`,
        measured: {
          "with WHOIS": medianMs(needing),
          without: medianMs(without),
          unknown: `${2 * NEEDED_ROUNDS - needing.length - without.length}`,
        },
        ratios: [median(needing) / median(without)],
        target: "≤ 1.15",
      };
    }
  },
};
