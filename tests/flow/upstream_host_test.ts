import { assert, assertEquals } from "@std/assert";
import { pause } from "../../src/flow/deadline.ts";
import type { Breaker, Outcome, SharedState } from "../../src/flow/host_state.ts";
import {
  createUpstreamHosts,
  type HostOptions,
  type SharedHosts,
  type WaitOptions,
} from "../../src/flow/upstream_host.ts";
import type { Pace } from "../../src/rules/tables/hosts.ts";
import type { Client, Clients } from "../../src/flow/cache/flight.ts";
import { FakeTime } from "../support/fake_time.ts";
import { overPace } from "../support/over_pace.ts";

const BREAKER: Breaker = { faultsToOpen: 5, firstPauseMs: 30_000, longestPauseMs: 300_000 };
const START = Date.UTC(2026, 10, 23);
const OK: Outcome = { kind: "ok" };
const DOWN: Outcome = { kind: "down", why: "no answer" };
const UNCLEAR: Outcome = { kind: "unclear", why: "not readable" };
const limited = (pauseMs?: number): Outcome => ({ kind: "limited", why: "HTTP 429", pauseMs });
const down = (pauseMs: number): Outcome => ({ kind: "down", why: "HTTP 503", pauseMs });
const unasked = (why: string, retryAfterMs: number) => ({ kind: "unasked", why, retryAfterMs });

/** A host on a clock that the test sets. */
function openHost(options: HostOptions = { breaker: BREAKER }, shared?: SharedHosts) {
  const clock = { now: 0 };
  const reports: unknown[] = [];
  const hosts = createUpstreamHosts({
    report: (event, fields) => reports.push([event, fields]),
    now: () => START + clock.now,
    monotonic: () => clock.now,
    shared,
  });
  const hostOf = hosts.ofKind("rdap", options);
  return { host: hostOf("rdap.example"), hostOf, problems: hosts.problems, clock, reports };
}

const times = (count: number, outcome: Outcome) => Array<Outcome>(count).fill(outcome);

/** The pause in seconds that follows outcomes, of questions that were sent one after the other, or together. */
const PAUSES: [what: string, outcomes: Outcome[], oneByOne: number, together?: number][] = [
  ["as long as the host asks for", [limited(7_000)], 7],
  ["as long as a host asks for that is down", [down(90_000)], 90],
  ["after a limited answer that asks for none", [limited()], 30],
  ["of no time at all", [limited(0)], 30],
  ["doubled after the next one", times(2, limited()), 60, 30],
  ["of five minutes at most", times(9, limited()), 300, 30],
  ["before the fifth fault in a row", times(4, DOWN), 0],
  ["at the fifth fault in a row", times(5, DOWN), 30],
  ["doubled at the sixth", times(6, DOWN), 60, 30],
  ["of five minutes at most, by faults", times(99, DOWN), 300, 30],
  ["after a good answer, which ends the row", [...times(4, DOWN), OK, DOWN], 0],
  ["after what says nothing about the host", [...times(4, DOWN), UNCLEAR, { kind: "unasked" }], 0],
  ["after a fault beside that", [...times(4, DOWN), UNCLEAR, DOWN], 30],
  ["that a good answer does not end", [limited(600_000), OK], 0, 600],
  ["that a shorter one does not shorten", [limited(600_000), limited(1_000)], 1, 600],
  ["that a longer one lengthens", [limited(1_000), limited(600_000)], 600],
];

Deno.test("note() starts a pause by what its host answers, once for questions that were sent before it", () => {
  for (const [what, outcomes, oneByOne, together = oneByOne] of PAUSES) {
    for (const [waits, seconds] of [[true, oneByOne], [false, together]] as const) {
      const { host, clock } = openHost();
      for (const outcome of outcomes) {
        if (waits) clock.now += host.pause()?.leftMs ?? 0;
        host.note(outcome);
      }
      assertEquals((host.pause()?.leftMs ?? 0) / 1_000, seconds, what);
    }
  }
  const { host } = openHost({});
  for (const outcome of times(99, DOWN)) host.note(outcome);
  assertEquals(host.pause(), undefined, "without a breaker");
});

Deno.test("note() reports a pause that starts or becomes longer, with its reason, and pause() has it: one that the host asked for counts as limited", () => {
  const { host, reports } = openHost();
  for (const outcome of [DOWN, limited(7_000), limited(5_000), UNCLEAR, OK]) host.note(outcome);
  const fields = { host: "rdap.example", reason: "HTTP 429", ms: 7_000 };
  assertEquals(reports, [["rdap.cooldown", fields]]);
  const faultOf = (outcomes: Outcome[]) => {
    const { host } = openHost();
    for (const outcome of outcomes) host.note(outcome);
    return host.pause()?.fault;
  };
  assertEquals(faultOf(times(5, DOWN)), "down");
  assertEquals([faultOf([limited()]), faultOf([down(60_000)])], ["limited", "limited"]);
});

Deno.test("problems() shows the pause that another process has started, of a host that processes share", async () => {
  const state = { fault: "down", pauseMs: 9_000, slowMs: 0 } as const;
  const shared = { ...shareInMemory(), stateOf: () => Promise.resolve(state) };
  const { host, problems, clock, reports } = openHost({ breaker: BREAKER, isShared: true }, shared);
  assertEquals(await openHost({ breaker: BREAKER }, shared).host.sharedPause(), undefined);
  assertEquals(await host.sharedPause(), { fault: "down", leftMs: 9_000 });
  assertEquals(problems().map(({ state, fault, since }) => [state, fault, since]), [
    ["cooling", "gives no usable answer", START],
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
  const paused = unasked("rdap.example asks us to pause", 3_000);
  assertEquals<unknown>([await host.ask(question, ask), sent], [paused, 1]);
  clock.now = 3_000;
  assertEquals([(await host.ask(question, ask)).kind, sent], ["answered", 2]);
});

Deno.test("ask() sends nothing where another process has noted a pause while its question waited", async () => {
  const pauses: [SharedState?] = [];
  const stateOf = () => Promise.resolve(pauses.shift());
  const shared = { stateOf, note: () => Promise.resolve(), spend: () => Promise.resolve(true) };
  const { host } = openHost({ isShared: true }, shared);
  pauses.push(undefined, { fault: "limited", pauseMs: 3_000, slowMs: 0 });
  let sent = 0;
  const asked = await host.ask(() => Promise.resolve((sent++, OK)), ask);
  assertEquals<unknown>([asked, sent], [unasked("rdap.example asks us to pause", 3_000), 0]);
});

let processes = 0;

type Environment = Partial<Parameters<typeof createUpstreamHosts>[0]>;

/** A host of a further process in fake time, whose questions are noted by name when they are sent. */
function openPaced(pace: Partial<Pace>, options: HostOptions = {}, environment: Environment = {}) {
  const startedAt = 7_000 * ++processes;
  const wall = { backMs: 0 };
  const hosts = createUpstreamHosts({
    report() {},
    now: () => Date.now() - wall.backMs,
    monotonic: () => Date.now() - startedAt,
    ...environment,
  });
  const host = hosts.ofKind("rdap", {
    paceOf: () => ({ concurrency: 100, burst: 1, everyMs: 1_000, ...pace }),
    waitedPauseMs: 120_000,
    ...options,
  })("rdap.example");
  const sent: [name: string, at: number][] = [];
  return {
    host,
    sent,
    wall,
    send: (name: string, wait: WaitOptions = {}, outcome: Outcome = OK) =>
      host.ask(() => (sent.push([name, Date.now()]), Promise.resolve(outcome)), { ...ask, wait }),
  };
}

type Send = ReturnType<typeof openPaced>["send"];
type Ask = (send: Send, time: FakeTime) => Promise<unknown>[] | Promise<Promise<unknown>[]>;

/** Lets time go on until all is answered. */
async function answered<T>(time: FakeTime, all: readonly Promise<T>[]): Promise<T[]> {
  await time.runAll();
  return await Promise.all(all);
}

/** What a host of this pace is sent, and when, once all that `ask` sends is answered. */
async function sentBy(pace: Partial<Pace>, ask: Ask) {
  using time = new FakeTime(0);
  const { send, sent } = openPaced(pace);
  await answered(time, await ask(send, time));
  return { sent, names: sent.map(([name]) => name), at: sent.map(([, at]) => at) };
}

const sendMany = (send: Send, count: number, wait: WaitOptions = {}, name = "") =>
  Array.from({ length: count }, (_, n) => send(`${name}${n}`, wait));

const sendList = (send: Send, count: number, wait: WaitOptions = {}) =>
  sendMany(send, count, { client: "list", isList: true, ...wait }, "list-");

Deno.test("ask() sends a burst at once, and then one question for each interval, and keeps both limits of a pace", async () => {
  const { at } = await sentBy({ burst: 3 }, async (send, time) => {
    await answered(time, sendMany(send, 5));
    await time.tickAsync(10_000);
    return sendMany(send, 4);
  });
  assertEquals(at, [0, 0, 0, 1_000, 2_000, 12_000, 12_000, 12_000, 13_000]);
  const both = { burst: 2, longer: { burst: 4, everyMs: 60_000 } };
  const byBoth = await sentBy(both, (send) => sendMany(send, 6));
  assertEquals(byBoth.at, [0, 0, 1_000, 2_000, 60_000, 120_000]);
});

Deno.test("ask() sends a slowed host questions at half its pace at once, not after its burst or its longer limit has been filled up", async () => {
  using time = new FakeTime(0);
  const longer = { burst: 200, everyMs: 864_000 };
  const { host, send, sent } = openPaced({ burst: 100, longer });
  await answered(time, sendMany(send, 100));
  host.slow();
  await answered(time, sendMany(send, 10));
  const at = sent.slice(100).map(([, at]) => at);
  assertEquals(at, Array.from({ length: 10 }, (_, n) => at[0]! + 2_000 * n));
  assert(at[0]! <= 2_000, `${at}`);
});

Deno.test("ask() waits for a short pause, repeats its question once, and stops waiting when it is cancelled", async () => {
  using time = new FakeTime(0);
  const { send, sent } = openPaced({ everyMs: 0 }, { breaker: BREAKER, waitedPauseMs: 2_000 });
  const [asked] = await answered(time, [send("asked", {}, limited(1_500))]);
  assertEquals([asked?.kind, sent], ["answered", [["asked", 0], ["asked", 1_500]]]);
  const client = new AbortController();
  const cancelled = send("cancelled", { signal: client.signal });
  await time.tickAsync(1);
  client.abort();
  assertEquals([(await cancelled).kind, sent.length], ["unasked", 2]);
});

Deno.test("ask() keeps its pace when the wall clock is set back", async () => {
  using time = new FakeTime(0);
  const { send, sent, wall } = openPaced({});
  await send("0");
  wall.backMs = 3_600_000;
  await answered(time, sendMany(send, 2));
  assertEquals(sent.map(([, at]) => at), [0, 1_000, 2_000]);
});

Deno.test("ask() sends no more questions at once than the host takes, to a host without interval half of them after it asked for fewer", async () => {
  using time = new FakeTime(0);
  const { host, send } = openPaced({ concurrency: 4, everyMs: 0 });
  const running: (() => void)[] = [];
  const hold = () => new Promise<Outcome>((resolve) => running.push(() => resolve(OK)));
  const held = Array.from({ length: 10 }, () => host.ask(hold, ask));
  const endRunning = async () => {
    for (const end of running.splice(0)) end();
    await time.tickAsync(0);
  };
  await time.tickAsync(0);
  assertEquals(running.length, 4);
  const other = openPaced({ concurrency: 4, everyMs: 0 }).host;
  const wait = { priority: "background" } as const;
  held.push(...Array.from({ length: 10 }, () => other.ask(hold, { ...ask, wait })));
  await time.tickAsync(0);
  assertEquals(running.length, 4 + 2, "half of them for background work");
  host.slow();
  await endRunning();
  assertEquals(running.length, 2 + 2);
  while (running.length > 0) await endRunning();
  await Promise.all(held);
  await send("last");
});

Deno.test("ask() leaves half of the burst to single questions, which wait for no list", async () => {
  const { sent } = await sentBy({ burst: 6 }, async (send, time) => {
    const list = sendList(send, 12);
    await time.tickAsync(100);
    return [...list, ...sendMany(send, 2, { client: "person" }, "single-")];
  });
  assertEquals(sent.slice(3, 5), [["single-0", 100], ["single-1", 100]]);
  const ofList = sent.filter(([name]) => name.startsWith("list")).map(([, at]) => at);
  // The single questions used up the start that was taken ahead.
  assertEquals(ofList.slice(0, 6), [0, 0, 0, 3_000, 4_000, 5_000]);
});

Deno.test("ask() sends a question of a list after one of each site with single questions, and says how long each waits", async () => {
  using time = new FakeTime(0);
  const { send, sent } = openPaced({ burst: 2 });
  const told: number[] = [];
  const onQueue = ({ expectedMs }: { expectedMs: number }) => void told.push(expectedMs);
  const all = sendList(send, 5);
  for (const site of ["a", "b", "c", "d"]) {
    all.push(...sendMany(send, 5, { client: site, site }, `${site}-`));
  }
  all.push(send("last", { client: "a", site: "a", onQueue }));
  await answered(time, all);
  const names = sent.map(([name]) => name);
  const ofList = [1, 2, 3].map((n) => names.indexOf(`list-${n}`));
  assertEquals([ofList[1]! - ofList[0]!, ofList[2]! - ofList[1]!], [5, 5], `${names}`);
  const lastAt = sent.find(([name]) => name === "last")![1];
  assert(Math.abs(told[0]! - lastAt) <= 3_000, `told ${told[0]}, sent after ${lastAt}`);
});

Deno.test("ask() gives each site with a list turns of its own", async () => {
  const { names } = await sentBy(
    { burst: 2 },
    (send) =>
      ["list-x", "list-y", "a", "b", "c", "d"].flatMap((site) =>
        sendMany(send, 5, { client: site, site, isList: site.startsWith("list") }, `${site}-`)
      ),
  );
  const ofLists = names.flatMap((name, place) => name.startsWith("list") ? place : []);
  assertEquals(
    ofLists.slice(2, 5).map((place, n) => place - ofLists[n + 1]!),
    [3, 3, 3],
    `${names}`,
  );
});

Deno.test("ask() sends background work only where no other question waits, and none from the burst", async () => {
  const { sent } = await sentBy({ burst: 3 }, async (send, time) => {
    const background = sendMany(send, 3, { priority: "background" }, "job-");
    await time.tickAsync(500);
    return [...background, send("single")];
  });
  assertEquals(sent, [["job-0", 0], ["single", 500], ["job-1", 2_000], ["job-2", 3_000]]);
});

Deno.test("ask() gives a start that background work has taken, and waits for, to a single question", async () => {
  using time = new FakeTime(1e12);
  const longer = { burst: 2, everyMs: 200_000 };
  const { send, sent } = openPaced({ burst: 3, everyMs: 9_000, longer });
  for (const name of ["first", "second"]) void send(name);
  void send("job", { priority: "background" });
  await time.tickAsync(350_000);
  void send("third");
  await time.tickAsync(1);
  assertEquals(sent.map(([name]) => name), ["first", "second", "third"]);
  await time.tickAsync(300_000);
  assertEquals(sent.at(-1)?.[0], "job");
});

Deno.test("ask() gives a client that joins background work a turn of its own", async () => {
  // The command line's user has no name.
  for (const client of ["person", ""]) {
    const { names } = await sentBy({}, async (send, time) => {
      let join: ((client: Client) => () => void) | undefined;
      const clients: Clients = { watch: (onCome) => (join = onCome, () => {}) };
      const all = [send("first"), ...sendMany(send, 5, { client: "other" })];
      all.push(send("work", { priority: "background", clients }));
      await time.tickAsync(500);
      join?.({ client, site: undefined });
      return all;
    });
    assertEquals(names, ["first", "0", "work", "1", "2", "3", "4"], client);
  }
});

/** Questions that wait at a host without a burst, and the order in which they are sent. */
const ORDERS: [what: string, asked: (send: Send) => Promise<unknown>[], names: string[]][] = [
  [
    "lists and single questions take turns",
    (send) => [...sendList(send, 3), send("a"), send("b")],
    ["list-0", "a", "list-1", "b", "list-2"],
  ],
  [
    "sites take turns, and in each its clients",
    (send) => [
      send("first"),
      ...sendMany(send, 3, { site: "s", client: "a" }, "a"),
      ...sendMany(send, 3, { site: "s", client: "b" }, "b"),
      ...sendMany(send, 2, { site: "t", client: "c" }, "c"),
    ],
    ["first", "a0", "c0", "b0", "c1", "a1", "b1", "a2", "b2"],
  ],
  [
    "those of a test come before the others of the client that waits for it, in its turn",
    (send) => [
      ...["a1", "a2", "b1"].map((name) => send(name, { client: name.charAt(0) })),
      send("test", { client: "b", isTest: true, isList: true }),
    ],
    ["a1", "test", "a2", "b1"],
  ],
];

Deno.test("ask() lets lists and single questions, sites and clients take turns, in each those of a test first", async () => {
  for (const [what, asked, names] of ORDERS) {
    assertEquals((await sentBy({}, asked)).names, names, what);
  }
});

Deno.test("ask() counts a question once that a thousand clients of as many sites wait for", async () => {
  const { names } = await sentBy({}, (send) => {
    const watch: Clients["watch"] = (onCome) => {
      for (let n = 0; n < 1_000; n++) onCome({ client: `client-${n}` });
      return () => {};
    };
    return [send("first"), send("of-all", { clients: { watch } }), send("other", { client: "x" })];
  });
  assertEquals(names, ["first", "of-all", "other"]);
});

Deno.test("ask() rejects at once what would wait for more than a quarter of an hour, and what is cancelled", async () => {
  using time = new FakeTime(0);
  const { host, send, sent } = openPaced({ everyMs: 60_000 });
  const waiting = new AbortController();
  const all = sendList(send, 16, { signal: waiting.signal });
  await time.tickAsync(0);
  assertEquals((await send("late", { isList: true, client: "list" })).kind, "unasked");
  assertEquals((await send("gone", { signal: AbortSignal.abort() })).kind, "unasked");
  assert(host.retryMs({ client: "other" }) >= 60_000);
  waiting.abort();
  const kinds = (await Promise.all(all)).map(({ kind }) => kind);
  assertEquals([kinds, sent.length], [["answered", ...Array(15).fill("unasked")], 1]);
  await time.runAll();
  assertEquals(Date.now(), 0, "no timer is left that would keep a command from its end");
});

Deno.test("ask() ends what waits at once when the process begins to end, and sends only what may start at once", async () => {
  using time = new FakeTime(0);
  const ending = new AbortController();
  const { send, sent } = openPaced({ burst: 2 }, {}, { ending: ending.signal });
  const all = ["0", "1", "2"].map((name) => send(name));
  await time.tickAsync(1);
  ending.abort();
  const [, , waiting] = await Promise.all(all);
  assertEquals<unknown>(waiting, unasked("The service is shutting down", 1_000));
  assertEquals((await send("3")).kind, "unasked");
  await time.tickAsync(2_000);
  assertEquals((await send("4")).kind, "answered");
  assertEquals(sent.map(([name]) => name), ["0", "1", "4"]);
});

Deno.test("ask() is slowed for an hour by a host that asks for fewer questions: half the pace, one by one", async () => {
  using time = new FakeTime(0);
  const { send, sent } = openPaced({ burst: 4 });
  await answered(time, [send("first", { signal: new AbortController().signal }, limited())]);
  /** After how long so many questions are sent, some minutes later. */
  const startsAfter = async (minutes: number, count: number) => {
    sent.splice(0);
    await time.tickAsync(minutes * 60_000);
    const from = Date.now();
    await answered(time, sendMany(send, count));
    return sent.map(([, at]) => at - from);
  };
  assertEquals(await startsAfter(30, 3), [0, 2_000, 4_000]);
  assertEquals(await startsAfter(31, 4), [0, 0, 0, 0]);
});

Deno.test("ask() uses no start that it has taken ahead before its host asked for fewer questions", async () => {
  using time = new FakeTime(0);
  const { host, send, sent } = openPaced({ burst: 4, everyMs: 250 });
  const refused = () => pause(300).then(() => limited(1_000));
  await answered<unknown>(time, [host.ask(refused, ask), ...sendMany(send, 12)]);
  const later = sent.map(([, at]) => at).filter((at) => at > 300);
  assert(later.every((at, n) => at - (later[n - 1] ?? 0) >= 500), `${later}`);
});

Deno.test("ask() uses no start that was taken for questions whose client has left", async () => {
  const { at } = await sentBy({ concurrency: 4, everyMs: 100 }, async (send, time) => {
    const client = new AbortController();
    const list = sendMany(send, 9, { signal: client.signal });
    await time.tickAsync(150);
    client.abort();
    await Promise.all(list);
    await time.tickAsync(10_000);
    return sendMany(send, 9);
  });
  const later = at.filter((at) => at > 150);
  assertEquals(later.length, 9);
  assert(later.every((at, n) => at - (later[n - 1] ?? 0) >= 100), `${later}`);
});

Deno.test("ask() keeps what waits for a pause of up to two minutes, also background work that a client has joined, and rejects it when the pause is longer", async () => {
  const clients: Clients = { watch: (onCome) => (onCome({ client: "person" }), () => {}) };
  const joined = { priority: "background", clients } as const;
  for (const wait of [{ client: "b" }, joined]) {
    for (const [pauseMs, kind] of [[90_000, "answered"], [121_000, "unasked"]] as const) {
      using time = new FakeTime(0);
      let queued = 0;
      const { send, sent } = openPaced({ concurrency: 1, everyMs: 0 }, { breaker: BREAKER }, {
        observer: { queued: (_, by) => queued += by, waited() {}, answered() {}, took() {} },
      });
      const first = send("first", { priority: "background" }, limited(pauseMs));
      const all = await answered(time, [first, send("second", wait)]);
      // A question with two places in the queue is counted once.
      assertEquals([all.map((one) => one.kind), queued], [["answered", kind], 0]);
      const ofSecond = sent.filter(([name]) => name === "second");
      assertEquals(ofSecond, kind === "answered" ? [["second", pauseMs]] : []);
    }
  }
});

/** What processes share, in this one. */
function shareInMemory(spent = new Map<string, readonly number[]>()) {
  const shared = {
    spends: 0,
    isFailing: false,
    stateOf: () => Promise.resolve(undefined),
    note: () => Promise.resolve(),
    async spend(host: string, next: (spent: readonly number[] | undefined) => readonly number[]) {
      await pause(5);
      shared.spends++;
      if (!shared.isFailing) spent.set(host, next(spent.get(host)));
      await pause(6);
      return !shared.isFailing;
    },
  };
  return shared;
}

/** Paces that processes share, and how often the most of them change KV. */
const SHARED_PACES = [
  { processes: 3, questions: 20, burst: 4, everyMs: 250, changes: 45 },
  { processes: 8, questions: 4, burst: 4, everyMs: 250, changes: 32 },
  { processes: 8, questions: 4, burst: 1, everyMs: 1_000, changes: 32 },
  { processes: 8, questions: 4, burst: 3, everyMs: 9_000, changes: 32 },
  // KV takes longer than an interval.
  { processes: 1, questions: 1, burst: 1, everyMs: 5, changes: 1 },
];

Deno.test("ask() of several processes keeps one pace together, and takes the starts of a second in one change of KV", async () => {
  for (const { processes, questions, burst, everyMs, changes } of SHARED_PACES) {
    using time = new FakeTime(1e12);
    const shared = shareInMemory();
    const pace = { burst, everyMs, isShared: true } as const;
    const all = Array.from({ length: processes }, () => openPaced(pace, {}, { shared }));
    await answered(time, all.flatMap(({ send }) => sendMany(send, questions)));
    const starts = all.flatMap(({ sent }) => sent.map(([, at]) => at));
    const count = processes * questions;
    assertEquals(starts.length, count);
    // A start comes due while KV takes it.
    const over = overPace(starts, pace);
    assert(over <= 0.1, `${over} over the pace of ${burst}, ${everyMs} ms`);
    const lastAt = Math.max(...starts) - 1e12;
    assert(lastAt <= (count - burst) * everyMs + 1_000, `until ${lastAt} ms`);
    assert(shared.spends <= changes, `${shared.spends} changes`);
  }
});

Deno.test("ask() takes no more starts ahead than it can use, and waits for no pace that a clock far ahead has written", async () => {
  using time = new FakeTime(1e12);
  const spent = new Map<string, readonly number[]>();
  const pace = { concurrency: 2, burst: 50, isShared: true } as const;
  const { send, sent } = openPaced(pace, {}, { shared: shareInMemory(spent) });
  const all = sendMany(send, 50);
  await time.tickAsync(10);
  assertEquals(spent.get("rdap.example")?.[0], 1e12 + 5 + 4_000);
  await answered(time, all);
  spent.set("rdap.example", [2e12]);
  await answered(time, [send("later")]);
  assert(sent.at(-1)![1] < 1e12 + 15_000, `${sent.at(-1)}`);
});

Deno.test("ask() of two processes keeps one pace together after the clock of one was an hour ahead for a moment", async () => {
  using time = new FakeTime(1e12);
  const shared = shareInMemory();
  const pace = { burst: 4, everyMs: 250, isShared: true } as const;
  const ahead = openPaced(pace, {}, { shared });
  const processes = [ahead, openPaced(pace, {}, { shared })];
  ahead.wall.backMs = -3_600_000;
  void sendMany(ahead.send, 12);
  await time.tickAsync(1_000);
  ahead.wall.backMs = 0;
  for (const [n, { send }] of processes.entries()) void sendMany(send, 150, { client: `${n}` });
  await time.tickAsync(29_000);
  assert(ahead.sent.length > 20, `${ahead.sent.length} starts of the one`);
  const starts = processes.flatMap(({ sent }) => sent).length;
  assert(starts >= 95 && starts <= 4 + 30_000 / 250, `${starts} starts`);
  await time.tickAsync(60_000);
});

Deno.test("ask() goes on at half the pace, one by one, while KV fails, and keeps its pace when KV is back", async () => {
  using time = new FakeTime(1e12);
  const shared = shareInMemory();
  shared.isFailing = true;
  const pace = { burst: 4, everyMs: 1_000, isShared: true } as const;
  const { send, sent } = openPaced(pace, {}, { shared });
  const all = sendMany(send, 4);
  await time.tickAsync(4_500);
  assertEquals(sent.length, 3);
  shared.isFailing = false;
  await answered(time, [...all, ...sendMany(send, 20)]);
  const over = overPace(sent.map(([, at]) => at), pace);
  assert(over <= 0.1, `${over} over the pace`);
  const gaps = sent.slice(1).map(([, at], n) => at - sent[n]![1]);
  assert(gaps.slice(0, 2).every((ms) => ms >= 1_990), gaps.join());
});
