import { assert, assertEquals } from "@std/assert";
import { msUntil } from "../../src/lookup/exchange.ts";
import type { Witnesses } from "../../src/lookup/judge.ts";
import { ANSWER_MS, type Pending } from "../../src/flow/cache/flight.ts";
import { pause } from "../../src/flow/deadline.ts";
import { createMemoryCache } from "../../src/flow/cache/memory.ts";
import { createUpstreamHosts } from "../../src/flow/upstream_host.ts";
import { createRegistries } from "../../src/lookup/registries.ts";
import type { Canary, RdapAnswer, RegistrarAnswer, WhoisAnswer } from "../../src/rules/answer.ts";
import { startLab } from "../lab/lab.ts";
import { checksBy } from "../support/checks.ts";
import { FakeTime } from "../support/fake_time.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { NO_DETAILS } from "../support/no_details.ts";
import { verdictOfEntries } from "../support/verdict_of_entries.ts";
import { PASSED, TRUSTED } from "../support/trusted_sources.ts";

const PACE = { concurrency: 4, burst: 1, everyMs: 100 };
/** More than JSON waits for, at that pace, while the others of its client wait. */
const NAMES = Array.from({ length: 12 }, (_, n) => `free-name-${n}`);

/** Checks of names that DNS does not show and their registry denies, unless the sources say otherwise. */
const checksOf = (sources: Partial<Witnesses> = {}) =>
  checksBy({
    sources: {
      isDelegated: () => Promise.resolve({ kind: "none", askedAt: Date.now() }),
      registries: {
        ask: () => Promise.resolve({ kind: "notFound", askedAt: Date.now(), statements: [] }),
      },
      ...sources,
    },
    cache: createMemoryCache({ max: 200, now: Date.now }),
  });

/** A client that reads a stream, and one that waits for an answer in one piece. */
const ofStream = () => ({ signal: new AbortController().signal });
const ofJson = () => ({ ...ofStream(), answerBy: performance.now() + ANSWER_MS });

Deno.test("a stream waits in the queue of a registry's host for as long as it takes, and tells what it waits for", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env: { TLDS: "dev" }, paceOf: () => PACE });
  await service.services.renewCanaries();
  const response = await fetch(`${service.url}/check`, {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ names: NAMES }),
  });
  const text = await response.text();
  const rows = [...text.matchAll(/^event: result\ndata: (.*)$/gm)].map(([, data]) =>
    JSON.parse(data!)
  );
  assertEquals(rows.map(({ state }) => state), NAMES.map(() => "available"));
  const waits = [...text.matchAll(/^event: pending\ndata: (.*)$/gm)]
    .map(([, data]) => JSON.parse(data!).expectedMs);
  assert(Math.max(...waits) >= 900, `${waits}`);
});

Deno.test("checkDomain() asks again after a pause of up to two minutes, and gives up where it is longer or does not end", async () => {
  const limited = (retryAfterMs: number): RdapAnswer => (
    { kind: "failed", fault: "limited", why: "429", retryAfterMs }
  );
  // Others' questions were answered with a pause while this one waited for its turn.
  const unasked = (times: number): RdapAnswer[] =>
    Array.from({ length: times }, () => (
      { kind: "failed", fault: "unasked", why: "a pause", retryAfterMs: 100_000 }
    ));
  const denied: RdapAnswer = { kind: "notFound", askedAt: 1e12, statements: [] };
  const cases: [answers: RdapAnswer[], state: string, afterMs: number][] = [
    [[limited(90_000), denied], "available", 90_000],
    [[limited(121_000), denied], "unknown", 0],
    [[limited(30_000), limited(60_000), limited(120_000), denied], "unknown", 90_000],
    [[...unasked(5), limited(20_000), ...unasked(2), denied], "available", 720_000],
    [unasked(20), "unknown", 900_000],
  ];
  for (const [answers, state, afterMs] of cases) {
    using time = new FakeTime(1e12);
    const { checkDomain } = checksOf({
      registries: { ask: () => Promise.resolve(answers.shift()!) },
    });
    const told: number[] = [];
    const row = checkDomain("any", "com", {
      ...ofStream(),
      onPending({ host, expectedAt }) {
        assertEquals(host, "registry.example");
        told.push(msUntil(expectedAt));
      },
    }).then(({ state }) => [state, Date.now() - 1e12]);
    await time.runAll();
    assertEquals(await row, [state, afterMs]);
    assertEquals(told.reduce((sum, ms) => sum + ms, 0), afterMs);
  }
});

Deno.test("checkDomain() waits through the pauses of a needed WHOIS server that did not answer this name", async () => {
  const missing = (fault: "unasked" | "limited"): WhoisAnswer => (
    { kind: "missing", fault, retryAfterMs: 60_000 }
  );
  const unasked = Array.from({ length: 5 }, () => missing("unasked"));
  const limited = Array.from({ length: 3 }, () => missing("limited"));
  const cases: [answers: WhoisAnswer[], state: string, afterMs: number][] = [
    [[...unasked, { kind: "notFound", askedAt: 1e12 }], "available", 300_000],
    [limited, "unknown", 120_000],
  ];
  for (const [answers, state, afterMs] of cases) {
    using time = new FakeTime(1e12);
    const { checkDomain } = checksOf({
      // One a minute, however often it is asked.
      askWhois: () => Promise.resolve(answers[(Date.now() - 1e12) / 60_000]!),
    });
    const row = checkDomain("any", "org", ofStream())
      .then(({ state }) => [state, Date.now() - 1e12]);
    await time.runAll();
    assertEquals(await row, [state, afterMs]);
  }
});

Deno.test("checkDomain() takes its question out of a needed WHOIS server's queue once RDAP has a record", async () => {
  let queued: AbortSignal | undefined;
  const record: RdapAnswer = { kind: "registered", askedAt: Date.now(), details: NO_DETAILS };
  const { checkDomain } = checksOf({
    registries: { ask: () => Promise.resolve(record) },
    askWhois(_, { signal }) {
      queued = signal;
      return new Promise(() => {});
    },
  });
  assertEquals([(await checkDomain("any", "org")).state, queued?.aborted], ["taken", true]);
});

Deno.test("checkDomain() asks again after the pause of a registry that cut its test short, and says when that is over", async () => {
  using time = new FakeTime(1e12);
  const results: Canary[] = [{ kind: "undecided", why: "429", retryAfterMs: 4_000 }, PASSED];
  const { checkDomain } = checksOf({
    canary: { ...TRUSTED.canary, resultOf: () => Promise.resolve(results.shift()!) },
  });
  const told: number[] = [];
  const row = checkDomain("any", "com", {
    ...ofStream(),
    onPending: ({ expectedAt }) => void told.push(msUntil(expectedAt)),
  });
  await time.runAll();
  assertEquals([(await row).state, Date.now() - 1e12, told], ["available", 4_000, [4_000]]);
});

Deno.test("a request in one piece has what came within 15 s, and each other name when it will be its turn from then on", async () => {
  using time = new FakeTime(1e12);
  const { ask } = createRegistries({
    question: (_base, domain) =>
      Promise.resolve({ kind: "notFound", askedAt: Date.now(), statements: [], said: domain }),
    paceOf: () => ({ concurrency: 4, burst: 1, everyMs: 1_000 }),
    hosts: createUpstreamHosts({ report() {}, monotonic: Date.now, now: Date.now }),
  });
  const { checkDomain } = checksOf({
    registries: { ask },
  });
  const labels = Array.from({ length: 60 }, (_, n) => `listed-${n}`);
  const answer = async () => {
    const waiter = { ...ofJson(), client: "list", isList: true };
    const startedAt = Date.now();
    const rows = await Promise.all(labels.map((label) => checkDomain(label, "com", waiter)));
    const left = rows.flatMap(({ retryAfter = 0 }) => retryAfter === 0 ? [] : [retryAfter]);
    const words = rows.at(-1)?.error?.replace(/^.*; /, "");
    return [
      Math.floor((Date.now() - startedAt) / 1_000),
      rows.filter(({ available }) => available).length,
      left,
      words,
    ];
  };
  const first = answer();
  await time.tickAsync(20_000);
  const again = answer();
  await time.tickAsync(20_000);
  const upTo = (seconds: number) => Array.from({ length: seconds }, (_, n) => n + 1);
  assertEquals(await first, [15, 16, upTo(44), "retry in 44 s"]);
  // In flight since the first: the second is told what is left of its wait.
  assertEquals(await again, [15, 36, upTo(24), "retry in 24 s"]);
});

Deno.test("the look-ups of a request in one piece end a minute after it, also where its client stays connected", async () => {
  let queued = 0;
  let asked = 0;
  const ending = new AbortController();
  const { ask } = createRegistries({
    question() {
      asked++;
      return Promise.resolve({ kind: "notFound", askedAt: Date.now(), statements: [] });
    },
    paceOf: () => ({ concurrency: 4, burst: 1, everyMs: 100 }),
    hosts: createUpstreamHosts({
      report() {},
      monotonic: () => performance.now(),
      now: Date.now,
      observer: { queued: (_, change) => queued += change, waited() {}, answered() {}, took() {} },
      ending: ending.signal,
    }),
  });
  const { checkDomain } = checksOf({ registries: { ask } });
  const waiter = {
    ...ofStream(),
    client: "list",
    // That of a request of almost a minute ago.
    answerBy: performance.now() + ANSWER_MS - 59_700,
  };
  const labels = Array.from({ length: 300 }, (_, n) => `listed-${n}`);
  const rows = await Promise.all(labels.map((label) => checkDomain(label, "com", waiter)));
  assertEquals(rows.at(-1)?.state, "unknown");
  await until("nothing waits", () => queued === 0);
  assert(asked > 0 && asked < labels.length, `${asked} asked`);
  // Its host may have a timer for a question that has left.
  ending.abort();
});

Deno.test("checkDomain() says when a WHOIS server has its turn that is asked because RDAP fails, in its own queue", async () => {
  for (const tld of ["com", "org"]) {
    using time = new FakeTime(1e12);
    const { checkDomain } = checksOf({
      registries: { ask: () => Promise.resolve({ kind: "failed", fault: "down", why: "503" }) },
      async askWhois(_domain, { signal, onQueue }, isFallback) {
        // It is needed, and asked beside RDAP.
        if (!isFallback && tld !== "org") return undefined;
        onQueue?.({ host: "whois.example", expectedMs: 40_000, why: "" });
        await pause(40_000, signal!);
        return { kind: "registered", askedAt: Date.now() };
      },
    });
    const told: Pending[] = [];
    const onPending = (one: Pending) => void told.push(one);
    const streamed = checkDomain("any", tld, { ...ofStream(), onPending });
    const inOnePiece = checkDomain("any", tld, ofJson()).then(
      ({ state, error, retryAfter }) => [state, error, retryAfter, performance.now()],
    );
    await time.runAll();
    const error = "503; its WHOIS server could not be asked yet; retry in 40 s";
    assertEquals(await inOnePiece, ["unknown", error, 40, 100]);
    assertEquals([(await streamed).state, performance.now()], ["taken", 40_000]);
    const [{ host, expectedAt } = {}] = told;
    assertEquals([host, expectedAt], ["whois.example", 40_000]);
  }
});

Deno.test("checkDomain() waits a second more for a needed WHOIS server for which a registrar's yes may stand in, else its whole turn", async () => {
  const sells: RegistrarAnswer = {
    kind: "sells",
    askedAt: 1e12,
    offer: { registrar: "Shop", price: 9, premium: false },
  };
  const refuses: RegistrarAnswer = { kind: "refuses", askedAt: 1e12, registrar: "Shop" };
  const cases: [tld: string, answer: RegistrarAnswer, state: string, afterMs: number][] = [
    ["io", sells, "available", 1_010],
    ["org", sells, "available", 40_000],
    ["io", refuses, "unknown", 40_000],
  ];
  for (const [tld, answer, state, afterMs] of cases) {
    using time = new FakeTime(1e12);
    const { checkDomain } = checksOf({
      async askWhois(_domain, { signal, onQueue }) {
        onQueue?.({ host: "whois.example", expectedMs: 40_000, why: "" });
        await pause(40_000, signal!);
        return { kind: "notFound", askedAt: Date.now() };
      },
      askRegistrars: () => Promise.resolve([answer]),
    });
    const row = checkDomain("any", tld, ofStream())
      .then(({ state }) => [state, performance.now()]);
    await time.runAll();
    assertEquals(await row, [state, afterMs]);
  }
});

Deno.test("checkDomain() answers unknown, likely available, in one piece while a registrar has not answered", async () => {
  using time = new FakeTime(1e12);
  const { checkDomain } = checksOf({
    async askRegistrars() {
      await pause(40_000);
      return [{ kind: "refuses", askedAt: Date.now(), registrar: "Shop" }];
    },
  });
  const answer = checkDomain("any", "com", ofJson(), { withEvidence: true });
  await time.runAll();
  const { state, likely, error, evidence = [], status } = await answer;
  assertEquals(verdictOfEntries(evidence).status, status);
  const words = "The registry has no such name, but a registrar has not answered about it yet";
  assertEquals([state, likely, error], ["unknown", "available", `${words}; retry in 1 s`]);
});

Deno.test("checkDomain() tells in one piece what it knows, though a look-up by DNS alone and one in the background end meanwhile", async () => {
  using time = new FakeTime(1e12);
  const { checkDomain, checkInDns, renewDomain } = checksOf({
    askWhois: (_, { priority }) =>
      priority === "background"
        ? Promise.resolve({ kind: "missing", fault: "unasked", retryAfterMs: 500_000 })
        : new Promise(() => {}),
  });
  const answer = checkDomain("any", "org", ofJson());
  await time.tickAsync(1_000);
  await Promise.all([checkInDns("any", "org", ofStream()), renewDomain("any", "org", 2e12)]);
  await time.tickAsync(ANSWER_MS);
  const { status, likely, retryAfter } = await answer;
  assertEquals([status, likely, retryAfter], [["unknown", "undelegated"], "available", 1]);
});

Deno.test("checkDomain() asks nothing further for a client of an answer in one piece that has left", async () => {
  using time = new FakeTime(1e12);
  let asked = 0;
  const { checkDomain } = checksOf({
    isDelegated: () => (asked++, Promise.resolve({ kind: "none", askedAt: Date.now() })),
    askWhois: () => pause(60_000).then(() => ({ kind: "notFound", askedAt: Date.now() })),
  });
  const leaving = new AbortController();
  const answer = checkDomain("any", "org", { ...ofJson(), signal: leaving.signal });
  await time.tickAsync(500);
  leaving.abort();
  await time.runAll();
  assertEquals([(await answer).state, asked], ["unknown", 1]);
});

Deno.test("checkDomain() waits for a name that a request in one piece asks about after all others were given up", async () => {
  using time = new FakeTime(1e12);
  const { checkDomain } = checksOf({
    registries: {
      async ask(_base, domain, wait) {
        const waitMs = domain === "slow.com" ? 40_000 : 5_000;
        wait?.onQueue?.({ host: "registry.example", expectedMs: waitMs, why: "" });
        await pause(waitMs);
        return { kind: "notFound", askedAt: Date.now(), statements: [] };
      },
    },
  });
  const waiter = ofJson();
  const states: string[] = [];
  const asking = ["slow", "quick"].reduce(
    (before, label) =>
      before.then(async () => void states.push((await checkDomain(label, "com", waiter)).state)),
    Promise.resolve(),
  );
  await time.runAll();
  await asking;
  assertEquals(states, ["unknown", "available"]);
});
