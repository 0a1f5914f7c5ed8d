import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { startLab } from "../lab/lab.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import type { Benchmark } from "./benchmark.ts";
import { canariesPassed, freshLabel, type TimedStream, timedStream } from "./service_checks.ts";
import { median, percentile } from "./statistics.ts";

const CLIENTS = 1_000;
const ROUNDS = 3;
const DNS_MS = 20;
const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);
const root = new URL("../../", import.meta.url);
/** What the answers of DNS take, 64 at once. */
const FLOOR_MS = CLIENTS * TLDS.length * DNS_MS / 64;

/** How long a thousand clients wait who all come at once. */
export const burst: Benchmark = {
  name: "burst",
  about:
    `${CLIENTS} clients of as many networks at once, each streams a cold name × ${TLDS.length} TLDs, all ` +
    `delegated; DNS ${DNS_MS} ms, KV in a file; beside them as many streams of one shared look-up`,
  async *rows({ against }) {
    const folders = against === undefined ? [root] : [against, root];
    const measured = folders.map((folder) => ({ folder, each: runs(), shared: runs() }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { folder, each, shared } of measured) {
        note(each, await measure(folder, freshLabels(CLIENTS)));
        note(shared, await measure(folder, Array(CLIENTS).fill(freshLabel())));
      }
    }
    for (const { folder, each, shared } of measured) {
      const prefix = folder === root ? "" : `${folder.pathname}: `;
      yield {
        what: `${prefix}a name each, ${ROUNDS} rounds, each in a new process`,
        measured: words(each),
        ratios: each.lastMs.map((ms) => ms / FLOOR_MS),
        target:
          "first row p95 ≤ 1000 ms, ratio of all rows to DNS, 64 at once, ≤ 1.4, ≤ 400 MB, 0 faults",
      };
      yield {
        what: `${prefix}one shared look-up, which is what printing costs`,
        measured: words(shared),
        target: "reported",
      };
    }
  },
};

/** What rounds showed, each list by round. */
interface Runs {
  firstMs: number[];
  lastMs: number[];
  cpuMs: number[];
  peakMb: number[];
  faults: number[];
}

const runs = (): Runs => ({ firstMs: [], lastMs: [], cpuMs: [], peakMb: [], faults: [] });

function freshLabels(count: number): string[] {
  return Array.from({ length: count }, freshLabel);
}

function note(
  runs: Runs,
  { streams, cpuMs, peakMb, faults }: Awaited<ReturnType<typeof measure>>,
): void {
  runs.firstMs.push(percentile(streams.map(({ firstMs }) => firstMs), 0.95));
  runs.lastMs.push(Math.max(...streams.map(({ lastMs }) => lastMs)));
  runs.cpuMs.push(cpuMs);
  runs.peakMb.push(peakMb);
  runs.faults.push(faults);
}

function words({ firstMs, lastMs, cpuMs, peakMb, faults }: Runs): Record<string, string> {
  return {
    "first row p95": `${Math.round(median(firstMs))} ms`,
    "all rows": `${Math.round(median(lastMs))} ms`,
    "processor time a row": `${(median(cpuMs) / CLIENTS / TLDS.length).toFixed(2)} ms`,
    "peak memory": `${Math.round(median(peakMb))} MB`,
    "faults of KV reported": faults.join(", "),
  };
}

async function measure(folder: URL, labels: readonly string[]) {
  await using lab = await startLab({ dnsDelayMs: DNS_MS });
  const files = await Deno.makeTempDir();
  try {
    const env = { KV_PATH: `${files}/kv`, RATE_LIMIT: "60", TRUSTED_PROXIES: "1" };
    await using service = await startProcess(lab, env, { folder });
    await canariesPassed(service, TLDS);
    for (const label of new Set(labels)) {
      lab.script(label, { dns: "delegated", rdap: "registered" });
    }
    const cpuBeforeMs = await cpuMsOf(service);
    const streams: TimedStream[] = await Promise.all(
      labels.map((label, client) =>
        timedStream(service, label, `1.${client >> 8}.${client & 255}.1`)
      ),
    );
    const cpuMs = await cpuMsOf(service) - cpuBeforeMs;
    return { streams, cpuMs, peakMb: await peakMbOf(service), faults: faultsOf(service) };
  } finally {
    await Deno.remove(files, { recursive: true });
  }
}

/** The processor time that the process has used. */
async function cpuMsOf({ pid }: ServiceProcess): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13);
  // In hundredths of a second.
  return (Number(user) + Number(system)) * 10;
}

/** The most memory that the process has used. */
async function peakMbOf({ pid }: ServiceProcess): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(status.match(/VmHWM:\s+(\d+) kB/)?.[1]) / 1_024;
}

function faultsOf({ events }: ServiceProcess): number {
  return events.filter(({ event }) => event === "kv.failing" || event === "limits.alone").length;
}
