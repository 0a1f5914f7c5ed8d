import type { WhoisFailure, WhoisFault, WhoisText } from "../../src/rules/answer.ts";
import { assertEquals } from "@std/assert";
import { createGate, type Gate, type Pace } from "../../src/flow/queue/gate.ts";
import {
  createUpstreamHosts,
  type Pause,
  type SharedPauses,
} from "../../src/flow/upstream_host.ts";
import { createWhoisQueries } from "../../src/lookup/whois_queries.ts";
import type { WhoisServer } from "../../src/rules/tables/whois_servers.ts";
import { FakeTime } from "../support/fake_time.ts";

const OWN: WhoisServer = { host: "whois.example" };
const SHARED: WhoisServer = { host: "whois.shared.example", sharesBudgetOf: "rdap.example" };
const ONE: Pace = { concurrency: 1, burst: 1, everyMs: 0 };
const MINUTE_MS = 60_000;
/** Pauses of this process only. */
const UNSHARED: SharedPauses = {
  pauseOf: () => Promise.resolve(undefined),
  set: () => Promise.resolve(),
};
const hostsAt = (now: () => number) => createUpstreamHosts({ report() {}, monotonic: now, now });
const failure = (fault: WhoisFault): WhoisFailure => ({ kind: "failed", fault, why: fault });

/** Queries to servers that answer when the test says so. */
function openQueries({ pauseMs = 0, cooldowns = UNSHARED } = {}) {
  const asked: string[] = [];
  const noted: string[] = [];
  const clock = { now: 0 };
  const answers = new Map<string, () => void>();
  const open = (): Gate =>
    createGate({ paceOf: () => ONE, maxWaitMs: MINUTE_MS, monotonic: Date.now });
  const sharedGate = open();
  const queries = createWhoisQueries({
    query(_, domain) {
      asked.push(domain);
      const { promise, resolve } = Promise.withResolvers<WhoisText>();
      answers.set(domain, () => resolve({ kind: "text", text: domain, askedAt: 7 }));
      return promise;
    },
    gate: open(),
    shared: {
      gate: { ...sharedGate, note: (key, reception) => noted.push(`${key} ${reception}`) },
      pauseMs: () => Promise.resolve(pauseMs),
    },
    cooldowns,
    hosts: hostsAt(() => clock.now),
  });
  return {
    queries,
    asked,
    noted,
    clock,
    sharedGate,
    answer: (name: string) => answers.get(name)?.(),
  };
}

/** Lets all that is ready run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("ask() leaves the queue when the client disconnects or has waited long enough", async () => {
  using time = new FakeTime(0);
  const { queries, asked, answer } = openQueries();
  const gone = new AbortController();
  const first = queries.ask(OWN, "first.com");
  const left = queries.ask(OWN, "left.com", { signal: gone.signal });
  const waited = queries.ask(OWN, "waited.com", { maxWaitMs: 1_000 });
  const patient = queries.ask(OWN, "patient.com");
  await time.tickAsync(0);
  gone.abort();
  assertEquals(await left, undefined);
  await time.tickAsync(1_000);
  assertEquals(await waited, undefined);
  answer("first.com");
  assertEquals((await first)?.kind, "text");
  await time.tickAsync(0);
  answer("patient.com");
  assertEquals((await patient)?.kind, "text");
  assertEquals(asked, ["first.com", "patient.com"]);
});

Deno.test("ask() is not sent where the queue is known to be too long", async () => {
  const { asked } = openQueries();
  const gate = {
    expectedWaitMs: () => 1_000,
    retryMs: () => 1_000,
    note() {},
    clear() {},
    run: () => Promise.reject(new Error("not to be asked")),
  };
  const queries = createWhoisQueries({
    query: () => Promise.reject(new Error("not to be asked")),
    gate,
    shared: { gate, pauseMs: () => Promise.resolve(0) },
    cooldowns: UNSHARED,
    hosts: hostsAt(() => 0),
  });
  assertEquals(await queries.ask(OWN, "zebra.com", { maxWaitMs: 1_000 }), undefined);
  assertEquals(asked, []);
});

Deno.test("a server has a cooldown of a minute after two faults in a row or one refusal, longer after each further one, also for queued queries", async () => {
  const { queries, asked, clock, answer } = openQueries();
  const first = queries.ask(OWN, "first.com");
  const queued = queries.ask(OWN, "queued.com");
  await settle();
  queries.note(OWN, failure("down"));
  queries.note(OWN, undefined);
  queries.note(OWN, failure("down"));
  queries.note(OWN, failure("unclear"));
  queries.note(OWN, failure("down"));
  assertEquals(await queries.isCooling(OWN), false);
  queries.note(OWN, failure("down"));
  assertEquals([await queries.isCooling(OWN), await queries.isCooling(SHARED)], [true, false]);
  answer("first.com");
  await first;
  assertEquals([await queued, asked], [undefined, ["first.com"]]);
  clock.now = MINUTE_MS - 1;
  assertEquals(await queries.isCooling(OWN), true);
  clock.now++;
  assertEquals(await queries.isCooling(OWN), false);
  queries.note(OWN, undefined);
  for (const minutes of [1, 2, 4, 8, 10, 10]) {
    queries.note(OWN, failure("limited"));
    assertEquals(await queries.retryMs(OWN, { client: `${minutes}` }, 0), minutes * MINUTE_MS);
    clock.now += minutes * MINUTE_MS;
    assertEquals(await queries.isCooling(OWN), false);
  }
});

Deno.test("a server that has refused one process is not asked by another one", async () => {
  const pauses = new Map<string, Pause>();
  const cooldowns: SharedPauses = {
    pauseOf: (host) => Promise.resolve(pauses.get(host)),
    set: (host, fault, leftMs) => Promise.resolve(void pauses.set(host, { fault, leftMs })),
  };
  const [one, other] = [openQueries({ cooldowns }), openQueries({ cooldowns })];
  one.queries.note(OWN, failure("limited"));
  await settle();
  assertEquals(await other.queries.isCooling(OWN), true);
  assertEquals([await other.queries.ask(OWN, "zebra.com"), other.asked], [undefined, []]);
  assertEquals(await other.queries.retryMs(OWN, {}, 0), MINUTE_MS);
});

Deno.test("a server with a shared budget uses the RDAP host's queue after RDAP, and its refusal slows RDAP", async () => {
  const { queries, asked, noted, sharedGate, answer } = openQueries();
  const rdap = Promise.withResolvers<void>();
  const running = sharedGate.run("rdap.example", () => rdap.promise);
  const whois = queries.ask(SHARED, "zebra.com");
  await settle();
  const next = sharedGate.run("rdap.example", () => (asked.push("rdap"), Promise.resolve()));
  rdap.resolve();
  await Promise.all([running, next]);
  await settle();
  assertEquals(asked, ["rdap", "zebra.com"]);
  answer("zebra.com");
  assertEquals((await whois)?.kind, "text");
  queries.note(SHARED, failure("limited"));
  queries.note(OWN, failure("limited"));
  assertEquals(noted, ["rdap.example limited"]);
});

Deno.test("a server with a shared budget is not asked while the RDAP host pauses", async () => {
  const { queries, asked } = openQueries({ pauseMs: 1 });
  assertEquals([await queries.ask(SHARED, "zebra.com"), asked], [undefined, []]);
});
