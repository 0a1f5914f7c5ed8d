import { assertEquals } from "@std/assert";
import { createBackground } from "../../src/flow/process.ts";
import type { Client, Clients } from "../../src/flow/cache/flight.ts";
import type { WaitOptions } from "../../src/flow/upstream_host.ts";
import { createServerTests, dropDistrusted } from "../../src/lookup/server_tests.ts";
import type { CacheEntry } from "../../src/flow/cache/cached.ts";
import type { Finding } from "../../src/rules/evidence.ts";
import type { ServerRecord, TestReply } from "../../src/rules/tested_server.ts";
import { until } from "../support/until.ts";

const COM = { tld: "com" };
const DENIAL: TestReply = { kind: "denial", template: { seenAt: 0, members: [] } };

/** A store that counts its reads; it can be made to fail for a process. */
function createStore() {
  const kept = new Map<string, ServerRecord>();
  let version = 10;
  const link = () => {
    const store = {
      works: true,
      versions: 0,
      lists: 0,
      version: () =>
        Promise.resolve((store.versions++, store.works ? `version ${version}` : undefined)),
      list: () => Promise.resolve((store.lists++, store.works ? new Map(kept) : undefined)),
      change(tld: string, next: (kept?: ServerRecord) => ServerRecord) {
        if (store.works) kept.set(tld, next(kept.get(tld)));
        if (store.works) version++;
        return Promise.resolve(store.works ? kept.get(tld) : undefined);
      },
    };
    return store;
  };
  return Object.assign(link(), { link });
}

/** The tests of one process, of a server whose answers the test sets. */
function openTests(store: object, clock: { ms: number }, host = "https://registry.example/") {
  const server = {
    /** What it says of registered names, and of random ones. */
    registered: { kind: "record" } as TestReply,
    random: DENIAL,
    /** Once it has answered. */
    isUp: Promise.resolve(),
    asked: [] as { label: string; wait: WaitOptions }[],
    /** The name of the last pass, which each test asks about first. */
    firsts: [] as (string | undefined)[],
  };
  const tests = createServerTests<{ tld: string }>({
    kind: "rdap",
    hostOf: () => host,
    async ask(_, label, { wait }) {
      server.asked.push({ label, wait });
      await server.isUp;
      return label === "google" ? server.registered : server.random;
    },
  }, {
    store: store as never,
    names: {
      delegated: (_tld, _wait, first) => Promise.resolve((server.firsts.push(first), ["google"])),
    },
    background: createBackground(() => {}),
    ending: new AbortController().signal,
    log: { debug() {}, info() {}, warn() {} },
    now: () => clock.ms,
    monotonic: () => clock.ms,
  });
  /** Tests the server again, whatever is in force. */
  const test = () => tests.probe(COM);
  const kind = async () => (await tests.inForce(COM))?.kind;
  return { server, tests, test, kind };
}

/** The tests of two processes on one clock, each with a link to the store; the other may ask another server. */
function twoProcesses(host?: string) {
  const store = createStore();
  const clock = { ms: 1e12 };
  return {
    store,
    clock,
    one: openTests(store, clock),
    other: openTests(store.link(), clock, host),
  };
}

Deno.test("inForce() reads the version every three seconds, and the list only when the version has changed", async () => {
  const { store, clock, one, other } = twoProcesses();
  await one.test();
  for (let asked = 0; asked < 9; asked++) assertEquals(await one.kind(), "passed");
  assertEquals([store.versions, store.lists], [1, 1]);
  clock.ms += 3_000;
  await one.kind();
  assertEquals([store.versions, store.lists], [2, 1], "nothing is new");
  other.server.registered = DENIAL;
  await other.test();
  clock.ms += 2_999;
  assertEquals(await one.kind(), "passed");
  clock.ms += 1;
  assertEquals(await Promise.all([one.kind(), one.kind()]), ["failed", "failed"]);
  assertEquals([store.versions, store.lists], [3, 2]);
});

Deno.test("a failure that KV did not take counts at once, and is written when KV works again", async () => {
  const { store, clock, one, other } = twoProcesses();
  await one.test();
  store.works = false;
  clock.ms += 1_000;
  one.server.registered = DENIAL;
  await one.test();
  assertEquals(await one.kind(), "failed");
  store.works = true;
  assertEquals(await other.kind(), "passed");
  clock.ms += 30_000;
  await one.kind();
  clock.ms += 3_000;
  assertEquals(await other.kind(), "failed");
});

Deno.test("a failure that KV did not take counts on when KV is read before it takes it", async () => {
  const { store, clock, one, other } = twoProcesses();
  await one.test();
  store.change = () => Promise.resolve(undefined);
  one.server.registered = DENIAL;
  await one.test();
  await other.test();
  clock.ms += 3_000;
  assertEquals([await one.kind(), store.lists], ["failed", 1]);
});

Deno.test("a late write of an old failure does not undo a newer pass, but what was denied before it is not believed", async () => {
  const { store, clock, one, other } = twoProcesses();
  store.works = false;
  const denied = clock.ms - 1;
  one.server.registered = DENIAL;
  await one.test();
  store.works = true;
  clock.ms += 40_000;
  await other.test();
  clock.ms += 10_000;
  for (const { kind, tests } of [one, other]) {
    assertEquals([await kind(), tests.trusts(COM, denied)], ["passed", false]);
    clock.ms += 30_000;
  }
});

Deno.test("processes that ask different servers of a TLD each test theirs once a minute, and believe no other", async () => {
  const { clock, one, other } = twoProcesses("https://new.example/");
  other.server.random = { kind: "record" };
  for (let checks = 0; checks < 4; checks++) {
    const kinds = [await one.tests.resultOf(COM, {}), await other.tests.resultOf(COM, {})];
    assertEquals(kinds.map(({ kind }) => kind), ["passed", "failed"]);
    clock.ms += 10_000;
  }
  assertEquals([one.server.asked.length, other.server.asked.length], [3, 2]);
  assertEquals(one.tests.trusts(COM, clock.ms), false, "the other one failed last");
});

Deno.test("a test takes no name from the pass of another server, and learn() adds no denial to it, that another process has put in the place", async () => {
  const { clock, one, other } = twoProcesses("https://new.example/");
  await one.test();
  await other.tests.refresh();
  await other.test();
  await other.test();
  assertEquals(other.server.firsts, [undefined, "google"]);
  const members = [{ path: "title (text)", place: "title", lines: [["Free"]] }];
  one.server.random = { kind: "denial", template: { seenAt: 0, members } };
  await one.tests.learn(COM, "any", {});
  clock.ms += 3_000;
  await other.tests.refresh();
  const { result } = other.tests.recordOf("com")!;
  assertEquals(result.kind === "passed" && result.templates, [{ seenAt: 0, members: [] }]);
});

Deno.test("resultOf() tests a server again that another process has seen fail, though a third one's server has passed since", async () => {
  const { store, clock, one, other: { server, test } } = twoProcesses();
  assertEquals((await one.tests.resultOf(COM, {})).kind, "passed");
  for (const failing of [server, one.server]) failing.registered = DENIAL;
  clock.ms += 5_000;
  await test();
  clock.ms += 5_000;
  await openTests(store.link(), clock, "https://new.example/").test();
  clock.ms += 5_000;
  assertEquals((await one.tests.resultOf(COM, {})).kind, "failed");
});

Deno.test("a list read that started before a new result does not undo that result", async () => {
  const listed = Promise.withResolvers<void>();
  const store = createStore();
  const list = async () => {
    const found = await store.list();
    await listed.promise;
    return found;
  };
  const { server, tests, test, kind } = openTests({ ...store, list }, { ms: 1e12 });
  await test();
  const reading = tests.refresh();
  server.registered = DENIAL;
  await test();
  listed.resolve();
  await reading;
  assertEquals(await kind(), "failed");
});

Deno.test("resultOf() joins a test that runs in the background, in whose questions its client has a place then", async () => {
  const { server, tests, test } = openTests(createStore(), { ms: 1e12 });
  const up = Promise.withResolvers<void>();
  server.isUp = up.promise;
  const probing = test();
  await until("the random names are asked about", () => server.asked.length === 2);
  const joining = tests.resultOf(COM, { client: "person", site: "network" });
  // A background look-up waits for it, too, which a client joins then.
  const comes: ((client: Client) => () => void)[] = [];
  const clients: Clients = { watch: (onCome) => (comes.push(onCome), () => {}) };
  const behind = tests.resultOf(COM, { priority: "background", clients });
  await until("the look-up waits for the test", () => comes.length === 2);
  const leaves = comes.map((come) => come({ client: "other" }));
  const placesOf = (name: string) => {
    const places: Client[] = [];
    for (const { wait: { clients } } of server.asked) {
      clients?.watch((client) => (places.push(client), () => {}))();
    }
    return places.filter(({ client }) => client === name).length;
  };
  await until("the client has a place", () => placesOf("person") === 2);
  assertEquals(placesOf("other"), 2);
  for (const leave of leaves) leave();
  assertEquals(placesOf("other"), 0);
  up.resolve();
  assertEquals([(await joining).kind, (await behind).kind], ["passed", "passed"]);
  await probing;
  assertEquals(server.asked.map(({ label }) => label.length), [24, 12, 6]);
  for (const { wait: { priority, isTest } } of server.asked) {
    assertEquals([priority, isTest], ["background", true]);
  }
});

Deno.test("resultOf() tests again once the pause is over that cut a test short, and after a minute at the latest", async () => {
  for (const retryAfterMs of [4_000, 90_000, undefined]) {
    const clock = { ms: 1e12 };
    const { server, tests } = openTests(createStore(), clock);
    server.random = { kind: "failed", why: "429", retryAfterMs };
    const leftMs = async () => {
      const result = await tests.resultOf(COM, {});
      return [result.kind, result.kind === "undecided" ? result.retryAfterMs : 0];
    };
    assertEquals(await leftMs(), ["undecided", retryAfterMs ?? 60_000]);
    server.random = DENIAL;
    clock.ms += Math.min(retryAfterMs ?? 60_000, 60_000) - 1_000;
    assertEquals(await leftMs(), ["undecided", 1_000]);
    clock.ms += 1_000;
    assertEquals(await leftMs(), ["passed", 0]);
  }
});

Deno.test("resultOf() of other processes does not follow a test that KV takes after a later one", async () => {
  const { store, clock, other } = twoProcesses();
  const writing = Promise.withResolvers<void>();
  let isWriting = false;
  const slow = {
    ...store.link(),
    async change(...args: Parameters<typeof store.change>) {
      isWriting = true;
      await writing.promise;
      return await store.change(...args);
    },
  };
  const one = openTests(slow, clock);
  const testing = one.test();
  await until("the result is being written", () => isWriting);
  clock.ms += 60_000;
  other.server.registered = DENIAL;
  await other.test();
  writing.resolve();
  await testing;
  clock.ms += 3_000;
  assertEquals([await other.kind(), await one.kind()], ["failed", "failed"]);
});

Deno.test("dropDistrusted() judges a finding by the tests of the server that it rests on", async () => {
  const found = (source: "rdap" | "whois", state: "taken" | "reserved"): CacheEntry<Finding> => {
    const reason = 'The registry says: "held"';
    const value = { state, source, reason, checkedAt: "2026-11-29T00:00:00.000Z" } as const;
    return { value, askedAt: 1, expiresAt: 2 };
  };
  const trust = (isTrusted: boolean) => ({
    isFresh: () => true,
    refresh: () => undefined,
    trusts: () => isTrusted,
    trustsRecord: () => isTrusted,
    confirms: () => true,
  });
  for (const state of ["taken", "reserved"] as const) {
    for (const source of ["rdap", "whois"] as const) {
      const entry = found(source, state);
      const cache = { peek: () => entry, get: () => Promise.resolve(entry), set: never };
      for (const isTrusted of [true, false]) {
        const tests = { rdap: trust(true), whois: trust(true), [source]: trust(isTrusted) };
        const { peek, get } = dropDistrusted(cache, tests);
        assertEquals(peek("x.com"), isTrusted ? entry : undefined);
        // When the name was last seen registered stays known.
        assertEquals(await get("x.com"), isTrusted ? entry : { ...entry, expiresAt: 0 });
      }
    }
  }
});

const never = (): never => {
  throw new Error("It is not asked");
};

Deno.test("recordOf() keeps what was learnt while KV was still writing what was known before", async () => {
  const writes: (() => void)[] = [];
  const store = {
    version: () => Promise.resolve("1"),
    list: () => Promise.resolve(new Map()),
    change: (_: string, next: (kept?: ServerRecord) => ServerRecord) =>
      new Promise((resolve) => writes.push(() => resolve(next()))),
  };
  const { tests } = openTests(store, { ms: 1e12 });
  const tested = tests.resultOf(COM, {});
  await until("the result is being written", () => writes.length === 1);
  tests.noteReach(COM, true);
  for (const end of writes.toReversed()) end();
  await tested;
  assertEquals(tests.recordOf("com")?.unreachableSince, 1e12);
});
