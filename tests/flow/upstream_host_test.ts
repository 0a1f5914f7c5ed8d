import { assertEquals } from "@std/assert";
import { createGate } from "../../src/flow/queue/gate.ts";
import {
  type Breaker,
  createUpstreamHosts,
  type HostOptions,
  type Outcome,
} from "../../src/flow/upstream_host.ts";
import { FakeTime } from "../support/fake_time.ts";

const BREAKER: Breaker = { faultsToOpen: 5, firstPauseMs: 30_000, longestPauseMs: 300_000 };
const START = Date.UTC(2026, 10, 23);
const OK: Outcome = { kind: "ok" };
const DOWN: Outcome = { kind: "down", why: "no answer" };
const UNCLEAR: Outcome = { kind: "unclear", why: "not readable" };
const limited = (pauseMs?: number): Outcome => ({ kind: "limited", why: "HTTP 429", pauseMs });
const down = (pauseMs: number): Outcome => ({ kind: "down", why: "HTTP 503", pauseMs });

/** A host on a clock that the test sets. */
function openHost(options: HostOptions = { breaker: BREAKER }) {
  const clock = { now: 0 };
  const reports: unknown[] = [];
  const hosts = createUpstreamHosts({
    report: (event, fields) => reports.push([event, fields]),
    now: () => START + clock.now,
    monotonic: () => clock.now,
  });
  const hostOf = hosts.ofKind("rdap", options);
  return { host: hostOf("rdap.example"), hostOf, problems: hosts.problems, clock, reports };
}

/** The pause in seconds that follows some outcomes. */
function pauseAfter(outcomes: Outcome[], options?: HostOptions): number {
  const { host } = openHost(options);
  for (const outcome of outcomes) host.note(outcome);
  return (host.pause()?.leftMs ?? 0) / 1_000;
}

Deno.test("note() starts a pause as long as the host asks for", () => {
  assertEquals(pauseAfter([limited(7_000)]), 7);
  assertEquals(pauseAfter([down(90_000)]), 90);
});

Deno.test("note() doubles the pause for each limited answer that asks for none", () => {
  assertEquals(pauseAfter([limited()]), 30);
  assertEquals(pauseAfter([limited(), limited()]), 60);
  assertEquals(pauseAfter(Array(9).fill(limited())), 300);
  assertEquals(pauseAfter([limited(0)]), 30);
});

Deno.test("note() opens the circuit breaker at the fifth consecutive fault", () => {
  assertEquals(pauseAfter(Array(4).fill(DOWN)), 0);
  assertEquals(pauseAfter(Array(5).fill(DOWN)), 30);
  assertEquals(pauseAfter(Array(6).fill(DOWN)), 60);
  assertEquals(pauseAfter(Array(99).fill(DOWN)), 300);
  assertEquals(pauseAfter(Array(99).fill(DOWN), {}), 0, "without a breaker");
});

Deno.test("note() counts faults anew after a good answer, and not those that say nothing about the host", () => {
  const four = Array(4).fill(DOWN);
  assertEquals(pauseAfter([...four, OK, DOWN]), 0);
  assertEquals(pauseAfter([...four, UNCLEAR, { kind: "unasked" }]), 0);
  assertEquals(pauseAfter([...four, UNCLEAR, DOWN]), 30);
});

Deno.test("note() never shortens a pause", () => {
  assertEquals(pauseAfter([limited(600_000), OK]), 600);
  assertEquals(pauseAfter([limited(600_000), limited(1_000)]), 600);
});

Deno.test("pause() has what opened the circuit breaker: a pause that the host asked for counts as limited", () => {
  const faultOf = (outcomes: Outcome[]) => {
    const { host } = openHost();
    for (const outcome of outcomes) host.note(outcome);
    return host.pause()?.fault;
  };
  assertEquals(faultOf(Array(5).fill(DOWN)), "down");
  assertEquals(faultOf([limited()]), "limited");
  assertEquals(faultOf([down(60_000)]), "limited");
  assertEquals(faultOf([]), undefined);
});

Deno.test("note() reports a pause that starts or becomes longer, with its reason", () => {
  const { host, reports } = openHost();
  for (const outcome of [DOWN, limited(7_000), limited(5_000), UNCLEAR, OK]) host.note(outcome);
  assertEquals(reports, [["rdap.cooldown", {
    host: "rdap.example",
    reason: "HTTP 429",
    ms: 7_000,
  }]]);
});

Deno.test("problems() lists hosts in a pause or whose last answer failed, with the fault and since when", () => {
  const { hostOf, problems, clock } = openHost();
  assertEquals(problems(), []);
  hostOf("a").note(DOWN);
  hostOf("b").note(OK);
  hostOf("c").note({ kind: "unasked" });
  clock.now = 1_000;
  hostOf("a").note(UNCLEAR);
  hostOf("b").note(limited(5_000));
  clock.now = 2_000;
  hostOf("b").note(OK);
  const b = { kind: "rdap", host: "b", state: "cooling", fault: "HTTP 429" } as const;
  assertEquals(problems(), [
    { kind: "rdap", host: "a", state: "failing", fault: "not readable", since: START, leftMs: 0 },
    { ...b, since: START + 1_000, leftMs: 4_000 },
  ]);
  clock.now = 6_000;
  hostOf("a").note(OK);
  assertEquals(problems(), []);
});

Deno.test("problems() shows the pause that another process has started", async () => {
  const shared = {
    pauseOf: () => Promise.resolve({ fault: "down", leftMs: 9_000 } as const),
    set: () => Promise.resolve(),
  };
  const { host, problems, clock, reports } = openHost({ breaker: BREAKER, shared });
  assertEquals(await host.sharedPause(), { fault: "down", leftMs: 9_000 });
  const [problem] = problems();
  assertEquals([problem?.state, problem?.fault, problem?.leftMs], [
    "cooling",
    "could not be reached",
    9_000,
  ]);
  clock.now = 9_000;
  assertEquals([problems(), reports], [[], []]);
});

const ask = { outcomeOf: (outcome: Outcome) => outcome };

Deno.test("ask() sends nothing during a pause, and without a queue at once after it", async () => {
  const { host, clock } = openHost();
  let sent = 0;
  const question = () => (sent++, Promise.resolve(limited(3_000)));
  assertEquals((await host.ask(question, ask)).kind, "answered");
  const paused = { kind: "paused", pause: { fault: "limited", leftMs: 3_000 } } as const;
  assertEquals([await host.ask(question, ask), sent], [paused, 1]);
  clock.now = 3_000;
  assertEquals([(await host.ask(question, ask)).kind, sent], ["answered", 2]);
});

Deno.test("ask() tells the queue how the host received a question, and empties it when a long pause starts", async () => {
  const noted: string[] = [];
  const open = createGate({
    paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }),
    maxWaitMs: 60_000,
    monotonic: Date.now,
  });
  const gate = { ...open, note: (key: string, how: string) => void noted.push(`${key} ${how}`) };
  const { host } = openHost({ breaker: BREAKER, gate, waitedPauseMs: 2_000 });
  await host.ask(() => Promise.resolve(OK), ask);
  const limiting = host.ask(() => Promise.resolve(limited(60_000)), ask);
  const waiting = host.ask(() => Promise.reject(new Error("not to be sent")), ask);
  assertEquals([(await limiting).kind, (await waiting).kind], ["answered", "paused"]);
  assertEquals(noted, ["rdap.example clean", "rdap.example limited"]);
});

Deno.test("ask() waits for a short pause, repeats its question once, and stops waiting when it is cancelled", async () => {
  using time = new FakeTime(0);
  const hosts = createUpstreamHosts({ report() {}, now: Date.now, monotonic: Date.now });
  const host = hosts.ofKind("rdap", { breaker: BREAKER, waitedPauseMs: 2_000 })("rdap.example");
  const sentAt: number[] = [];
  const question = () => (sentAt.push(Date.now()), Promise.resolve(limited(1_500)));
  const asked = host.ask(question, ask);
  await time.runAll();
  assertEquals([(await asked).kind, sentAt], ["answered", [0, 1_500]]);
  const client = new AbortController();
  const cancelled = host.ask(question, { ...ask, wait: { signal: client.signal } });
  await time.tickAsync(1);
  client.abort();
  assertEquals([(await cancelled).kind, sentAt.length], ["rejected", 2]);
});
