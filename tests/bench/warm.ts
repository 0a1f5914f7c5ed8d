import { type Lab, startLab } from "../lab/lab.ts";
import { runJob } from "../support/run_job.ts";
import { type RunningService, startService } from "../support/service.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import { percentile, zipf } from "./statistics.ts";

const REQUESTS = 10_000;
const NAMES = 2_000;
/** As many as a run warms. */
const POPULAR = 100;
/** Every third name is available: that is cached for five minutes, half of the time between two ticks. */
const FREE_EVERY = 3;
const DAY_MS = 24 * 3_600_000;
const TICK_MS = 10 * 60_000;
/** A twentieth of the real latencies, so that a simulated day takes a few minutes. */
const DNS_MS = 1;
const RDAP_MS = 10;

/** What the clients of one of the services experienced. */
interface Side {
  service: RunningService;
  /** Whether the answers came from the cache, of all names and of the most popular ones. */
  cached: boolean[];
  cachedOfPopular: boolean[];
  tookMs: number[];
  /** Questions to DNS and the registry, for clients and by the job. */
  asked: { forClients: number; byJob: number };
}

/** What warming does for a realistic mix of names. */
export const warm: Benchmark = {
  name: "warm",
  about: `${REQUESTS.toLocaleString("en")} requests in a day (simulated) for ` +
    `${NAMES.toLocaleString("en")} names by Zipf's law, a third of them available; ` +
    `DNS ${DNS_MS} ms, registry ${RDAP_MS} ms`,
  async *rows() {
    await using lab = await startLab({ dnsDelayMs: DNS_MS });
    scriptNames(lab);
    const clock = { now: Date.now() };
    const env = { TLDS: "com", LOG_LEVEL: "silent", TRUSTED_PROXIES: "1" };
    await using one = await startService(lab, { env, now: () => clock.now });
    await using other = await startService(lab, { env, now: () => clock.now });
    const [warmed, cold] = [await sideOf(one), await sideOf(other)];
    const ranks = zipf(NAMES);
    let tickAt = clock.now + TICK_MS;
    for (let asked = 0; asked < REQUESTS; asked++) {
      clock.now += DAY_MS / REQUESTS;
      const { value: rank } = ranks.next();
      for (const side of [warmed, cold]) await ask(side, Number(rank), lab);
      if (clock.now < tickAt) continue;
      tickAt += TICK_MS;
      lab.clear();
      await runJob(one, "warm_popular");
      warmed.asked.byJob += questionsTo(lab);
    }
    yield toRow("warmed every ten minutes", warmed);
    yield toRow("not warmed", cold);
  },
};

function scriptNames(lab: Lab): void {
  for (let rank = 0; rank < NAMES; rank++) {
    const isFree = rank % FREE_EVERY === FREE_EVERY - 1;
    lab.script(`name-${rank}`, {
      dns: isFree ? "nxdomain" : "delegated",
      rdap: isFree ? "free" : "registered",
      delayMs: RDAP_MS,
    });
  }
}

async function sideOf(service: RunningService): Promise<Side> {
  await service.services.renewCanaries();
  const asked = { forClients: 0, byJob: 0 };
  return { service, cached: [], cachedOfPopular: [], tookMs: [], asked };
}

async function ask(side: Side, rank: number, lab: Lab): Promise<void> {
  lab.clear();
  const startedAt = performance.now();
  // Each request comes from another network than the last 200.
  const headers = { "x-forwarded-for": `198.51.${side.cached.length % 200}.1` };
  const { body } = await side.service.get(`/check?name=name-${rank}&tld=com`, { headers });
  const { source } = body.results[0];
  side.tookMs.push(performance.now() - startedAt);
  const isCached = source.endsWith("+cache");
  side.cached.push(isCached);
  if (rank < POPULAR) side.cachedOfPopular.push(isCached);
  side.asked.forClients += questionsTo(lab);
}

function questionsTo({ dnsQueries, requests }: Lab): number {
  return dnsQueries.length + requests.length;
}

function shareOf(cached: readonly boolean[]): string {
  return `${(100 * cached.filter(Boolean).length / cached.length).toFixed(1)} %`;
}

function toRow(what: string, { cached, cachedOfPopular, tookMs, asked }: Side): Row {
  return {
    what,
    measured: {
      "from the cache": shareOf(cached),
      [`of the ${POPULAR} most popular`]: shareOf(cachedOfPopular),
      p50: `${percentile(tookMs, 0.5).toFixed(1)} ms`,
      p95: `${percentile(tookMs, 0.95).toFixed(1)} ms`,
      p99: `${percentile(tookMs, 0.99).toFixed(1)} ms`,
      "questions for clients": `${asked.forClients}`,
      "by the job": `${asked.byJob}`,
    },
  };
}
