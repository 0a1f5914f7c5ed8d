import { assertEquals } from "@std/assert";
import type { PauseFault, SharedState } from "../../src/flow/host_state.ts";
import type { SharedHosts } from "../../src/flow/upstream_host.ts";
import { createRegistries, createWhoisQueries } from "../../src/lookup/registries.ts";
import type { RdapAnswer, WhoisFailure, WhoisFault, WhoisText } from "../../src/rules/answer.ts";
import type { WhoisServer } from "../../src/rules/tables/hosts.ts";
import { openHosts } from "../support/checks.ts";
import { FakeTime } from "../support/fake_time.ts";
import { NO_DETAILS } from "../support/answers.ts";
import { idle } from "../support/until.ts";

const BASE = "https://rdap.example/";
const REGISTERED: RdapAnswer = { kind: "registered", askedAt: 0, details: NO_DETAILS };
const DOWN: RdapAnswer = { kind: "failed", fault: "down", why: "It could not be reached" };
const PAUSING = { retryAfterMs: 600_000 };
const LIMITED: RdapAnswer = { ...PAUSING, kind: "failed", fault: "limited", why: "429" };
const MINUTE_MS = 60_000;

/** They take so many questions at once. */
const hostsWith = (concurrency: number, shared?: SharedHosts) =>
  openHosts({ paceOf: () => ({ concurrency, burst: concurrency, everyMs: 0 }), shared });

/** What processes share of hosts: this is the state of each. */
const sharing = (state?: SharedState, note: SharedHosts["note"] = () => Promise.resolve()) => ({
  stateOf: () => Promise.resolve(state),
  note,
  spend: () => Promise.resolve(true),
});

/** A registry's answers in turn, over a host that sends every question at once. */
function registriesOf(answers: RdapAnswer[], shared?: SharedHosts) {
  return createRegistries({
    question: () => Promise.resolve(answers.shift() ?? REGISTERED),
    hosts: hostsWith(4, shared),
    isEnabled: (tld) => tld === "com",
  });
}

Deno.test("isFailing() follows the last question under an enabled TLD, and is undefined before the first", async () => {
  const registries = registriesOf([DOWN, DOWN, REGISTERED, DOWN]);
  const fared = [registries.isFailing()];
  for (const domain of ["a.page", "a.com", "b.com", "b.page"]) {
    await registries.ask(BASE, domain);
    fared.push(registries.isFailing());
  }
  assertEquals(fared, [undefined, undefined, true, false, false]);
});

const FAILS = "rdap.example gives no usable answer";
const PAUSES = "rdap.example asks us to pause";
const paused = (fault: PauseFault) => sharing({ fault, pauseMs: 300_000, slowMs: 0 });

const SAYINGS: [before: string, answers: RdapAnswer[], says: string, shared?: SharedHosts][] = [
  ["four questions without an answer", Array(4).fill(DOWN), ""],
  ["five questions without an answer", Array(5).fill(DOWN), FAILS],
  ["429", [LIMITED], PAUSES],
  ["503 with Retry-After", [{ ...DOWN, ...PAUSING }], PAUSES],
  ["another process's fault", [], FAILS, paused("down")],
  ["another process's 429", [], PAUSES, paused("limited")],
];

for (const [before, answers, says, shared] of SAYINGS) {
  Deno.test(`ask() says "${says}" after ${before}`, async () => {
    using time = new FakeTime(1_000_000);
    const { ask } = registriesOf([...answers], shared);
    const all = answers.map((_, place) => ask(BASE, `name${place}.com`));
    await time.tickAsync(0);
    const answer = await ask(BASE, "late.com");
    assertEquals(answer.kind === "failed" ? answer.why : "", says);
    await time.runAll();
    await Promise.all(all);
  });
}

const OWN: WhoisServer = { host: "whois.example" };
const SHARED: WhoisServer = { host: "whois.shared.example", sharesBudgetOf: "rdap.example" };
const failure = (fault: WhoisFault): WhoisFailure => ({ kind: "failed", fault, why: fault });

/** Queries to servers that are asked one query at a time, and answer when the test says so. */
function openQueries(shared?: SharedHosts) {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const hosts = hostsWith(1, shared);
  const registryHostOf = hosts.ofKind("rdap", { isShared: true });
  const queries = createWhoisQueries({
    query(_, domain) {
      asked.push(domain);
      const { promise, resolve } = Promise.withResolvers<WhoisText>();
      answers.set(domain, () => resolve({ kind: "text", text: domain, askedAt: 7 }));
      return promise;
    },
    registryHostOf,
    hosts,
  });
  return {
    ...queries,
    asked,
    rdap: registryHostOf("rdap.example"),
    pauses: () => hosts.problems().map(({ leftMs }) => leftMs / MINUTE_MS),
    answer: (name: string) => answers.get(name)?.(),
  };
}

Deno.test("note() pauses a WHOIS server for a minute after two faults in a row or one refusal, longer after each further one", async () => {
  using time = new FakeTime(0);
  const { note, retryMs, pauses } = openQueries();
  const fail = (fault: WhoisFault) => note(OWN, failure(fault));
  fail("down");
  note(OWN, undefined);
  for (const fault of ["down", "unclear", "down"] as const) fail(fault);
  assertEquals(pauses(), [0]);
  fail("down");
  assertEquals(pauses(), [1]);
  await time.tickAsync(MINUTE_MS);
  note(OWN, undefined);
  for (const minutes of [1, 2, 4, 8, 10, 10]) {
    fail("limited");
    assertEquals(await retryMs(OWN, {}), minutes * MINUTE_MS);
    await time.tickAsync(minutes * MINUTE_MS);
  }
});

Deno.test("a server that has refused one process is not asked by another one, and slows the RDAP host of its budget", async () => {
  const noted = new Map<string, SharedState>();
  const shared = sharing(undefined, (host, state) => {
    noted.set(host, { ...state, pauseMs: 5 * MINUTE_MS });
    return Promise.resolve();
  });
  openQueries(shared).note(SHARED, failure("limited"));
  assertEquals([...noted.keys()], ["rdap.example", "whois.shared.example"]);
  assertEquals(noted.get("rdap.example")?.slowMs, 60 * MINUTE_MS);
  const { ask, asked } = openQueries(sharing(noted.get("whois.shared.example")));
  assertEquals([await ask(OWN, "zebra.com"), asked], [undefined, []]);
});

Deno.test("a server with a shared budget uses the RDAP host's queue after RDAP, and is not asked while that pauses", async () => {
  using time = new FakeTime(0);
  const { ask, asked, rdap, answer } = openQueries();
  const held = Promise.withResolvers<void>();
  const outcomeOf = () => ({ kind: "ok" }) as const;
  const running = rdap.ask(() => held.promise, { outcomeOf });
  const whois = ask(SHARED, "zebra.com");
  await time.tickAsync(0);
  const next = rdap.ask(() => (asked.push("rdap"), Promise.resolve()), { outcomeOf });
  await time.tickAsync(0);
  held.resolve();
  await Promise.all([running, next]);
  await time.tickAsync(0);
  assertEquals(asked, ["rdap", "zebra.com"]);
  answer("zebra.com");
  assertEquals((await whois)?.kind, "text");
  rdap.note({ kind: "limited", why: "HTTP 429", pauseMs: MINUTE_MS });
  assertEquals([await ask(SHARED, "yak.com"), asked.length], [undefined, 2]);
});

Deno.test("a server with a shared budget is asked while the RDAP host is down", async () => {
  const down = { fault: "down", pauseMs: MINUTE_MS, slowMs: 0 } as const;
  const { ask, answer } = openQueries({
    ...sharing(),
    stateOf: (host) => Promise.resolve(host === "rdap.example" ? down : undefined),
  });
  const whois = ask(SHARED, "zebra.com");
  await idle();
  answer("zebra.com");
  assertEquals((await whois)?.kind, "text");
});
