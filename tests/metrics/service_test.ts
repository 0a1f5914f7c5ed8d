import { assert, assertEquals, assertMatch } from "@std/assert";
import type { RdapBehaviour } from "../lab/rdap_behaviours.ts";
import { parsePrometheus, type PrometheusSample } from "../support/prometheus.ts";
import { NETWORKS } from "../support/ask_from_networks.ts";
import { changedKv } from "../support/changed_kv.ts";
import { onChain, onLab } from "../support/on_lab.ts";
import { runJob } from "../support/run_job.ts";
import type { Json, RunningService } from "../support/service.ts";
import { until } from "../support/until.ts";

async function scrape({ url }: RunningService): Promise<PrometheusSample[]> {
  const response = await fetch(`${url}/metrics`);
  const type = "text/plain; version=0.0.4; charset=utf-8";
  assertEquals([response.status, response.headers.get("content-type")], [200, type]);
  return parsePrometheus(await response.text());
}

/** The sum of the samples of a name that have these label values. */
function sum(samples: readonly PrometheusSample[], name: string, labels: object = {}): number {
  const isMeant = (sample: PrometheusSample) =>
    sample.name === `availability_${name}` &&
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
  return samples.filter(isMeant).reduce((total, { value }) => total + value, 0);
}

Deno.test("answers, unknown reasons, upstreams, gates and canaries are counted, and /health names the registry in a cooldown", () =>
  onLab(async (service) => {
    const startedAt = Date.now();
    assertEquals((await service.get("/health")).body.registries, []);
    await service.services.renewCanaries();
    await service.check("taken.com");
    await service.check("taken.com");
    await service.check("free-for-you.com");
    await service.check("failing.org");
    await service.check("failing.org");
    const samples = await scrape(service);
    const is = (expected: number, name: string, labels: object) =>
      assertEquals(sum(samples, name, labels), expected, `${name} ${JSON.stringify(labels)}`);
    is(1, "answers_total", { state: "taken", source: "dns" });
    is(1, "answers_total", { state: "taken", source: "dns+cache" });
    is(1, "answers_total", { state: "available", source: "rdap" });
    is(2, "answers_total", { state: "unknown" });
    is(2, "unknown_total", { tld: "org" });
    is(2, "unknown_total", { tld: "org", reason: "registry_limited" });
    is(5, "requests_total", { route: "/check", status: "200" });
    is(5, "request_seconds_count", { route: "/check" });
    is(1, "canary_tests_total", { tld: "com", result: "passed" });
    is(1, "canary_state", { tld: "com", result: "passed" });
    is(0, "upstream_failing", { system: "dns" });
    is(1, "upstream_failing", { system: "rdap" });
    const com = { host: "rdap.verisign.com" };
    // The name, and the three of the test.
    is(4, "upstream_answers_total", { ...com, result: "ok" });
    is(4, "upstream_seconds_count", com);
    is(4, "gate_wait_seconds_count", com);
    is(0, "gate_queue", com);
    assert(sum(samples, "upstream_answers_total", { result: "limited" }) > 0);
    assert(sum(samples, "registry_cooling_seconds") > 0);
    assert(sum(samples, "upstream_answers_total", { host: "resolver", result: "ok" }) > 0);
    assert(sum(samples, "kv_seconds_count", { result: "ok" }) > 0);
    const { registries } = (await service.get("/health")).body;
    const [{ kind, host, state, fault, since, until }] = registries;
    assertEquals([registries.length, kind, state], [1, "rdap", "cooling"]);
    assertMatch(host, /^rdap\./);
    assertMatch(fault, /429/);
    assert(Date.parse(since) >= startedAt && Date.parse(since) <= Date.now());
    assert(Date.parse(until) > Date.now());
  }, { env: { TLDS: "com,org" } }));

Deno.test(".eth answers and the runs of jobs are counted", () =>
  onChain(async (service) => {
    for (const _ of [1, 2]) await service.get("/v1/ens/check?name=alice");
    await service.get("/v1/ens/metadata?name=free-for-you");
    await runJob(service, "refresh_prices");
    const samples = await scrape(service);
    for (const source of ["rpc", "rpc+cache"]) {
      const check = { operation: "check", result: "taken", source };
      assertEquals(sum(samples, "ens_answers_total", check), 1, source);
    }
    assertEquals(sum(samples, "ens_answers_total", { operation: "metadata" }), 1);
    const job = { job: "refresh_prices" };
    assertEquals(sum(samples, "job_runs_total", { ...job, outcome: "done" }), 1);
    assert(sum(samples, "job_last_end_timestamp_seconds", job) > 1e9);
  }));

Deno.test("refusals, the limiter without KV and KV's faults are counted, and /health names the limiter", async () => {
  let isBroken = false;
  const kv = changedKv(await Deno.openKv(":memory:"), (operation) => {
    if (isBroken && operation !== "close") throw new Error("disk I/O error");
  });
  await onLab(async (service) => {
    assertEquals((await service.get("/health")).body.limiter, "shared");
    isBroken = true;
    assertEquals((await service.get("/health")).body.limiter, "alone");
    // A name that is not in memory: KV is read for it.
    await service.get("/check?name=taken&tld=com");
    const alone = parsePrometheus(await service.services.printMetrics());
    assertEquals(sum(alone, "limiter_alone"), 1);
    assert(sum(alone, "kv_seconds_count", { result: "failed" }) > 0);
    assertEquals(sum(alone, "upstream_failing", { system: "kv" }), 1);
    for (const _ of [1, 2, 3, 4, 5]) await service.get("/tlds");
    isBroken = false;
    await until("the limiter shares again", () => service.services.health.limiter() === "shared");
    const after = parsePrometheus(await service.services.printMetrics());
    assertEquals(sum(after, "limiter_alone"), 0);
    assertEquals(sum(after, "requests_total", { route: "other", status: "429" }), 2);
  }, {
    env: { RATE_LIMIT: "4" },
    kv,
    monotonic: () => performance.now(),
    timeouts: { kv: { deadlineMs: 1_000, pauseMs: 50 } },
  });
});

const NOWHERE = "https://nowhere.example/list";

Deno.test("GET /health names a resolver, IANA's server and the price list that do not answer", () =>
  onLab(async (service) => {
    await service.check("taken.com");
    await runJob(service, "refresh_prices");
    const { registries } = (await service.get("/health")).body;
    const shown = registries.map(({ kind, host, state }: Json) => [kind, host, state]).toSorted();
    assertEquals(shown, [
      ["dns", "resolver", "failing"],
      ["iana", "nowhere.example", "failing"],
      ["prices", "nowhere.example", "failing"],
    ]);
  }, { env: { DNS_SERVER: "127.0.0.1:1", RDAP_BOOTSTRAP_URL: NOWHERE, PRICES_URL: NOWHERE } }));

Deno.test("GET /health and /metrics name an enabled TLD whose registry fails its canary test, and no other", () =>
  onLab(async (service) => {
    for (const host of ["rdap.verisign.com", "pubapi.registry.google"]) {
      service.lab.scriptHost(host, "free");
    }
    assertEquals((await service.get("/health")).body.canaries, [{ tld: "com", state: "untested" }]);
    await service.check("free-for-you.com");
    await service.check("free-for-you.page");
    const { body } = await service.get("/health");
    assertEquals(body.canaries, [{ tld: "com", state: "failed" }]);
    const samples = await scrape(service);
    assertEquals(sum(samples, "canary_state", { tld: "com", result: "failed" }), 1);
    assertEquals(sum(samples, "unknown_total", { tld: "com", reason: "canary_failed" }), 1);
  }, { env: { TLDS: "com", ANY_TLD: "on" } }));

const SECRET = "qzxsecretvw";

Deno.test("no name that is checked is in /metrics or in a log line above debug, by any way of checking it", () =>
  onLab(async (service) => {
    // Each goes its own way through the rules and the log.
    const kinds = ["free", "reserved", "html404", "unavailable503", "rateLimited", "registered"];
    for (const [n, rdap] of kinds.entries()) {
      service.lab.script(`${SECRET}${n}`, { dns: "nxdomain", rdap: rdap as RdapBehaviour });
      for (const tld of ["com", "xyz"]) await service.check(`${SECRET}${n}.${tld}`);
    }
    await service.get(`/check?name=${SECRET}&tld=nope`);
    await service.get(`/check?name=${SECRET}.com`);
    for (const path of [`${SECRET}.com`, `search?q=${SECRET}`]) {
      await (await fetch(`${service.url}/${path}`)).body?.cancel();
    }
    await service.get(`/register?domain=${SECRET}.com`);
    await service.get(`/v1/ens/check?name=${SECRET}`);
    for (const site of NETWORKS) service.services.popular.count("domain", [`${SECRET}0`], { site });
    await runJob(service, "warm_popular");
    const text = await (await fetch(`${service.url}/metrics`)).text();
    assert(!text.includes(SECRET), text.split("\n").find((line) => line.includes(SECRET)));
    const lines = service.events.filter(({ level }) => level !== "debug")
      .map((event) => JSON.stringify(event));
    assert(lines.length > 0);
    assertEquals(lines.filter((line) => line.includes(SECRET)), []);
  }, { env: { TLDS: "com,xyz" } }));
