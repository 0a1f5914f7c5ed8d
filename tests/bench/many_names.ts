import { hostPolicy } from "../../src/rules/tables/host_policies.ts";
import { startLab } from "../lab/lab.ts";
import { REGISTRIES } from "../lab/registries.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import type { Benchmark } from "./benchmark.ts";
import { lastAnswerMs } from "./host_pace.ts";
import { canariesPassed, freshLabel } from "./service_checks.ts";
import { medianMs } from "./statistics.ts";

const NAMES = 200;
/** Their hosts have no pace, so that no row waits longer than the service allows. */
const TLDS = ["biz", "cc", "com", "net", "tv"];
const ROUNDS = 4;
const DNS_MS = 20;

/** How long `POST /check` takes with as many names as it accepts. */
export const manyNames: Benchmark = {
  name: "many_names",
  about: `POST /check with ${NAMES} available names × ${TLDS.length} TLDs, DNS ${DNS_MS} ms, and ` +
    "the time that the hosts' policies require; memory of the process after each round",
  async *rows() {
    await using lab = await startLab({ dnsDelayMs: DNS_MS, latency: "real" });
    await using service = await startProcess(lab, { TLDS: TLDS.join(",") });
    await canariesPassed(service, TLDS);
    const tookMs: number[] = [];
    const unknown: number[] = [];
    const residentMb: number[] = [await residentMbOf(service)];
    for (let round = 0; round < ROUNDS; round++) {
      lab.clear();
      const startedAt = performance.now();
      const states = await checkNames(service);
      tookMs.push(performance.now() - startedAt);
      unknown.push(states.filter((state) => state === "unknown").length);
      residentMb.push(await residentMbOf(service));
    }
    const allowed = allowedMs();
    yield {
      what: `wall time, ${ROUNDS} rounds`,
      measured: {
        answer: medianMs(tookMs),
        allowed: `${Math.round(allowed)} ms`,
        "rows unknown": unknown.join(", "),
      },
      ratios: tookMs.map((ms) => ms / allowed),
      target: "≤ 1.1 with no row unknown",
    };
    yield {
      what: "resident memory before and after each round",
      measured: { MB: residentMb.join(", ") },
      target: "flat after the first",
    };
  },
};

async function checkNames({ url }: ServiceProcess): Promise<string[]> {
  const response = await fetch(`${url}/check`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ names: Array.from({ length: NAMES }, freshLabel) }),
  });
  const { results } = await response.json();
  return results.map(({ state }: { state: string }) => state);
}

/** When the last host has answered all of its questions. */
function allowedMs(): number {
  return Math.max(...REGISTRIES.map(({ host, bases, latencyMs }) => {
    const served = TLDS.filter((tld) => tld in bases).length;
    return lastAnswerMs(Array(served * NAMES).fill(DNS_MS), latencyMs, hostPolicy(host));
  }));
}

async function residentMbOf({ pid }: ServiceProcess): Promise<number> {
  const ps = new Deno.Command("ps", { args: ["-o", "rss=", "-p", `${pid}`] });
  const { stdout } = await ps.output();
  return Math.round(Number(new TextDecoder().decode(stdout)) / 1_000);
}
