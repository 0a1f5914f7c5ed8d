import { assert, assertEquals, assertMatch } from "@std/assert";
import { msUntil } from "../../src/lookup/exchange.ts";
import { ANSWER_MS, type Pending } from "../../src/flow/cache/flight.ts";
import { pause } from "../../src/flow/deadline.ts";
import type { DnsAnswer, RdapAnswer, WhoisAnswer } from "../../src/rules/answer.ts";
import {
  checksBy,
  type Given,
  ofJson,
  ofStream,
  pacedRegistry,
  suffixesAt,
  TRUSTED,
} from "../support/checks.ts";
import { FakeTime } from "../support/fake_time.ts";
import { CANARIES, NO_DETAILS, REGISTRARS } from "../support/answers.ts";
import { until } from "../support/until.ts";

const PACE = { concurrency: 4, burst: 1, everyMs: 100 };

/** The row that a client gets of a name that nobody else asks about, after how long, and the waits it was told. */
async function rowFor(
  sources: Given,
  { tld = "com", waiterOf = ofStream, withEvidence = false } = {},
) {
  using time = new FakeTime(1e12);
  const { checkDomain } = checksBy(sources);
  const told: [host: string, ms: number][] = [];
  const waiter = {
    ...waiterOf(),
    onPending: ({ host, expectedAt }: Pending) => void told.push([host, msUntil(expectedAt)]),
  };
  const row = checkDomain("any", tld, waiter, { withEvidence })
    .then((row) => ({ ...row, afterMs: Date.now() - 1e12, told }));
  await time.runAll();
  return await row;
}

/** Given whose registry gives these answers in turn. */
const answering = (...answers: RdapAnswer[]): Given => ({
  askRegistry: () => Promise.resolve({ ...answers.shift()!, askedAt: Date.now() }),
});
const limited = (seconds: number): RdapAnswer => (
  { kind: "failed", fault: "limited", why: "429", retryAfterMs: seconds * 1_000 }
);
/** Others' questions were answered with a pause while this one waited for its turn. */
const unasked = (times: number): RdapAnswer[] =>
  Array(times).fill({ kind: "failed", fault: "unasked", why: "a pause", retryAfterMs: 100_000 });
const DENIED: RdapAnswer = { kind: "notFound", askedAt: 1e12, statements: [] };
const DNS: DnsAnswer[] = [
  { kind: "failed", fault: "unasked", why: "a queue", retryAfterMs: 4_000 },
  { kind: "none", askedAt: 1e12 },
];
const CUT = [{ ...CANARIES.undecided, retryAfterMs: 4_000 }, CANARIES.passed, CANARIES.passed];
const cutShort = { ...TRUSTED.canary, resultOf: () => Promise.resolve(CUT.shift()!) };

const PAUSES: [what: string, Given, state: string, seconds: number][] = [
  ["after 90 s", answering(limited(90), DENIED), "available", 90],
  ["never after over two minutes", answering(limited(121), DENIED), "unknown", 0],
  ["but a third time", answering(limited(30), limited(60), limited(120), DENIED), "unknown", 90],
  [
    "after the pauses of others' questions",
    answering(...unasked(5), limited(20), ...unasked(2), DENIED),
    "available",
    720,
  ],
  ["for a quarter of an hour of them", answering(...unasked(20)), "unknown", 900],
  ["after the pause that cut its test short", { canary: cutShort }, "available", 4],
];

for (const [what, sources, state, seconds] of PAUSES) {
  Deno.test(`checkDomain() asks a registry again ${what}, and says when`, async () => {
    const row = await rowFor(sources);
    assertEquals([row.state, row.afterMs], [state, seconds * 1_000]);
    assertEquals(row.told.reduce((sum, [, ms]) => sum + ms, 0), seconds * 1_000);
    for (const [host] of row.told) assertEquals(host, "registry.example");
  });
}

Deno.test("checkDomain() confirms what DNS says when it says it, however long the registry's test takes", async () => {
  const { state, error = "" } = await rowFor({
    canary: { ...TRUSTED.canary, resultOf: () => pause(10_000).then(() => CANARIES.passed) },
    names: { ...TRUSTED.names, showsDelegation: () => Promise.resolve(Date.now() > 1e12) },
  });
  assertEquals(state, "unknown");
  assertMatch(error, /DNS could not confirm it: the resolver does not show a name/);
});

Deno.test("checkDomain() asks DNS again whose queue was too long, and no registry before", async () => {
  const row = await rowFor({ isDelegated: () => Promise.resolve(DNS.shift()!) });
  assertEquals([row.state, row.afterMs, row.told], ["available", 4_000, []]);
});

/** A WHOIS server that answers one question a minute, with these in turn. */
const minutely = (...answers: WhoisAnswer[]): Given => ({
  askWhois: () => Promise.resolve(answers[(Date.now() - 1e12) / 60_000]!),
});
const missing = (fault: "unasked" | "limited", times: number): WhoisAnswer[] =>
  Array(times).fill({ kind: "missing", fault, retryAfterMs: 60_000 });
/** A WHOIS server with a queue of 40 s, and a registrar. */
const queuedBeside = (answer: typeof SELLS | typeof REFUSES): Given => ({
  async askWhois(_domain, { signal, onQueue }) {
    onQueue?.({ host: "whois.example", expectedMs: 40_000, why: "" });
    await pause(40_000, signal!);
    return { kind: "notFound", askedAt: Date.now() };
  },
  askRegistrars: () => Promise.resolve([answer]),
});
const SELLS = { ...REGISTRARS.sells, askedAt: 1e12 };
const REFUSES = { ...REGISTRARS.refuses, askedAt: 1e12 };
const NONE: WhoisAnswer = { kind: "notFound", askedAt: 1e12 };

const NEEDED: [what: string, Given, tld: string, state: string, afterMs: number][] = [
  ["through others' pauses", minutely(...missing("unasked", 5), NONE), "org", "available", 300_000],
  ["through two of its own", minutely(...missing("limited", 3)), "org", "unknown", 120_000],
  ["a second more beside a yes that is enough", queuedBeside(SELLS), "io", "available", 1_010],
  ["its whole turn beside one that is not", queuedBeside(SELLS), "org", "available", 40_000],
  ["its whole turn beside a refusal", queuedBeside(REFUSES), "io", "unknown", 40_000],
];

for (const [what, sources, tld, state, afterMs] of NEEDED) {
  Deno.test(`checkDomain() waits for a needed WHOIS server ${what}`, async () => {
    const row = await rowFor(sources, { tld });
    assertEquals([row.state, row.afterMs], [state, afterMs]);
  });
}

Deno.test("checkDomain() takes its question out of a needed WHOIS server's queue once RDAP has a record", async () => {
  let queued: AbortSignal | undefined;
  const record: RdapAnswer = { kind: "registered", askedAt: Date.now(), details: NO_DETAILS };
  const { checkDomain } = checksBy({
    askRegistry: () => Promise.resolve(record),
    askWhois(_, { signal }) {
      queued = signal;
      return new Promise(() => {});
    },
  });
  assertEquals([(await checkDomain("any", "org")).state, queued?.aborted], ["taken", true]);
});

Deno.test("a request in one piece has what came within 15 s, and of each other name when it will be its turn", async () => {
  using time = new FakeTime(1e12);
  const { ask } = pacedRegistry({ concurrency: 4, burst: 1, everyMs: 1_000 });
  const { checkDomain } = checksBy({ askRegistry: ask });
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
  const upTo = (seconds: number) => [1, ...Array.from({ length: seconds - 15 }, (_, n) => n + 16)];
  assertEquals(await first, [15, 15, upTo(59), "retry in 59 s"]);
  // In flight since the first: the second is told what is left of its wait.
  assertEquals(await again, [15, 35, upTo(39), "retry in 39 s"]);
});

/** When the request was sent, and when its client leaves, in ms. */
const ENDS = [
  ["a minute after it, also where its client stays connected", 59_700, 60_000],
  ["when its client leaves before the answer, also those of rows that come too late", 0, 300],
] as const;

for (const [when, sentAgoMs, leavesInMs] of ENDS) {
  Deno.test(`the look-ups of a request in one piece end ${when}`, async () => {
    let queued = 0;
    const { ask, asked } = pacedRegistry(PACE, undefined, {
      observer: { queued: (_, change) => queued += change, waited() {}, answered() {}, took() {} },
    });
    const { checkDomain } = checksBy({ askRegistry: ask });
    const answerBy = performance.now() + ANSWER_MS - sentAgoMs;
    const waiter = { signal: AbortSignal.timeout(leavesInMs), client: "list", answerBy };
    const check = (_: unknown, n: number) => checkDomain(`listed-${n}`, "com", waiter);
    await Promise.all(Array.from({ length: 300 }, check));
    await until("nothing waits", () => queued === 0);
    assert(asked.length > 0 && asked.length < 100, `${asked.length} asked`);
    // Its host may have a timer for a question that has left.
    await pause(PACE.everyMs);
  });
}

for (const tld of ["com", "org"]) {
  Deno.test(`checkDomain() says when a WHOIS server of .${tld} has its turn that is asked because RDAP fails`, async () => {
    const sources: Given = {
      askRegistry: () => Promise.resolve({ kind: "failed", fault: "down", why: "503" }),
      async askWhois(_domain, { signal, onQueue }, isFallback) {
        // That of org is needed, and asked beside RDAP.
        if (!isFallback && tld !== "org") return undefined;
        onQueue?.({ host: "whois.example", expectedMs: 40_000, why: "" });
        await pause(40_000, signal!);
        return { kind: "registered", askedAt: Date.now() };
      },
    };
    const inOnePiece = await rowFor(sources, { tld, waiterOf: ofJson });
    assertEquals([inOnePiece.state, inOnePiece.retryAfter], ["unknown", 40]);
    const error = "503; its WHOIS server could not be asked yet; retry in 40 s";
    assertEquals([inOnePiece.error, inOnePiece.afterMs], [error, 100]);
    const { state, afterMs, told } = await rowFor(sources, { tld });
    assertEquals([state, afterMs, told[0]], ["taken", 40_000, ["whois.example", 40_000]]);
  });
}

Deno.test("checkDomain() answers unknown, likely available, in one piece while a registrar has not answered", async () => {
  const { state, likely, error, evidence = [], status } = await rowFor({
    async askRegistrars() {
      await pause(40_000);
      return [REFUSES];
    },
  }, { waiterOf: ofJson, withEvidence: true });
  assertEquals([status, evidence.at(-1)?.means], [["unknown", "undelegated"], "not_asked"]);
  const words = "The registry has no such name, but a registrar has not answered about it yet";
  assertEquals([state, likely, error], ["unknown", "available", `${words}; retry in 1 s`]);
});

Deno.test("checkDomain() calls no name likely available in one piece that the registry reserves, where WHOIS alone has answered", async () => {
  using time = new FakeTime(1e12);
  const { checkDomain } = checksBy({
    askRegistry: () => new Promise(() => {}),
    askWhois: () => Promise.resolve({ kind: "notFound", askedAt: Date.now() }),
  });
  const answers = ["free-name", "www"].map((label) => checkDomain(label, "io", ofJson()));
  await time.tickAsync(ANSWER_MS);
  const rows = await Promise.all(answers);
  assertEquals(rows.map(({ likely, reason }) => [likely, reason]), [
    ["available", undefined],
    [undefined, "Registries reserve this name"],
  ]);
});

Deno.test("checkDomain() calls no name available in one piece while the answer of a needed WHOIS server is read", async () => {
  let times = 0;
  const { state } = await rowFor({
    suffixes: {
      ...suffixesAt("https://registry.example/"),
      // The last is asked about with WHOIS' denial.
      coverageOf: () => times++ < 2 ? Promise.resolve(undefined) : new Promise(() => {}),
    },
    askWhois: () => pause(1_000).then(() => ({ kind: "notFound", askedAt: Date.now() })),
  }, { tld: "io", waiterOf: ofJson });
  assertEquals([state, times], ["unknown", 3]);
});

Deno.test("checkDomain() answers in one piece as of when DNS was asked, and believes no registry that has failed a test since", async () => {
  const states: string[] = [];
  for (const isTrusted of [true, false]) {
    let [isAsked, isBelieved] = [false, true];
    const refresh = () => void (isBelieved = isTrusted || !isAsked);
    const { state, checkedAt } = await rowFor({
      ...queuedBeside(SELLS),
      canary: { ...TRUSTED.canary, refresh, trusts: () => isBelieved },
      askRegistrars: () => pause(50).then(() => (isAsked = true, [SELLS])),
    }, { tld: "io", waiterOf: ofJson });
    states.push(state);
    if (isTrusted) assertEquals(Date.parse(checkedAt), 1e12);
  }
  assertEquals(states, ["available", "unknown"]);
});

Deno.test("checkDomain() tells in one piece what it knows, though a look-up by DNS alone and one in the background end meanwhile", async () => {
  using time = new FakeTime(1e12);
  const { checkDomain, checkInDns, renewDomain } = checksBy({
    async isDelegated(_, { priority }) {
      if (priority === "background") await pause(500);
      return { kind: "none", askedAt: Date.now() };
    },
    askWhois: (_, { priority }) =>
      priority === "background"
        ? Promise.resolve({ kind: "missing", fault: "unasked", retryAfterMs: 500_000 })
        : new Promise(() => {}),
  });
  const renewing = renewDomain("any", "org", 2e12);
  await time.tickAsync(100);
  const answer = checkDomain("any", "org", ofJson());
  await time.tickAsync(1_000);
  await Promise.all([checkInDns("any", "org", ofStream()), renewing]);
  await time.tickAsync(ANSWER_MS);
  const { status, likely, retryAfter } = await answer;
  assertEquals([status, likely, retryAfter], [["unknown", "undelegated"], "available", 1]);
});

Deno.test("checkDomain() asks nothing further for a client of an answer in one piece that has left", async () => {
  using time = new FakeTime(1e12);
  let asked = 0;
  const { checkDomain } = checksBy({
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

Deno.test("checkDomain() calls no name available in one piece by the denial of a needed WHOIS server that has failed its test since", async () => {
  const missing = { kind: "missing", fault: "unclear", retryAfterMs: 600_000 } as const;
  const answers: WhoisAnswer[] = [{ kind: "notFound", askedAt: Date.now() }];
  const { state, likely } = await rowFor({
    askWhois: () => Promise.resolve(answers.shift() ?? missing),
    // KV takes longer than the client waits.
    whoisTrust: { refresh: () => pause(40_000), confirms: () => false },
  }, { tld: "io", waiterOf: ofJson });
  assertEquals([state, likely], ["unknown", "available"]);
});
