import { assertEquals } from "@std/assert";
import type { PauseFault } from "../../src/flow/host_state.ts";
import { createUpstreamHosts, type SharedHosts } from "../../src/flow/upstream_host.ts";
import { createRegistries, createWhoisQueries } from "../../src/lookup/registries.ts";
import type { RdapAnswer, WhoisFault } from "../../src/rules/answer.ts";
import { FakeTime } from "../support/fake_time.ts";
import { NO_DETAILS } from "../support/no_details.ts";

const BASE = "https://rdap.example/";
const REGISTERED: RdapAnswer = { kind: "registered", askedAt: 0, details: NO_DETAILS };
const LIMITED: RdapAnswer = {
  kind: "failed",
  fault: "limited",
  why: "The registry answered 429",
  retryAfterMs: 600_000,
};
const DOWN: RdapAnswer = {
  kind: "failed",
  fault: "down",
  why: "The registry could not be reached",
};

/** A registry's answers in turn, over a host that sends every question at once. */
function registriesOf(
  answers: RdapAnswer[],
  { now = Date.now, monotonic = now, shared }: {
    now?: () => number;
    monotonic?: () => number;
    shared?: SharedHosts;
  } = {},
) {
  const asked: [string, number][] = [];
  const registries = createRegistries({
    question(_, domain) {
      asked.push([domain, now()]);
      return Promise.resolve(answers.shift() ?? REGISTERED);
    },
    paceOf: () => ({ concurrency: 4, burst: 4, everyMs: 0 }),
    hosts: createUpstreamHosts({ report() {}, now, monotonic, shared }),
  });
  return { ...registries, asked };
}

Deno.test("isFailing() follows the last question, and is undefined before the first", async () => {
  const registries = registriesOf([DOWN, REGISTERED]);
  const fared = [registries.isFailing()];
  for (const domain of ["a.example", "b.example"]) {
    await registries.ask(BASE, domain);
    fared.push(registries.isFailing());
  }
  assertEquals(fared, [undefined, true, false]);
});

Deno.test("ask() reports for how long a host that pauses is not asked", async () => {
  using time = new FakeTime(1_000_000);
  const { ask } = registriesOf([LIMITED]);
  await ask(BASE, "a.com");
  time.tick(20_000);
  const answer = await ask(BASE, "b.com");
  assertEquals(answer.kind === "failed" && answer.retryAfterMs, 580_000);
});

for (
  const [opened, answers, words] of [
    ["nine questions without an answer", Array(9).fill(DOWN), "could not be reached"],
    ["429", [LIMITED], "is rate-limiting us"],
    ["503 with Retry-After", [{ ...DOWN, retryAfterMs: 600_000 }], "is rate-limiting us"],
  ] as const
) {
  Deno.test(`ask() says that a host ${words} when ${opened} started its pause`, async () => {
    using time = new FakeTime(1_000_000);
    const { ask } = registriesOf([...answers]);
    const all = answers.map((_, place) => ask(BASE, `name${place}.com`));
    await time.tickAsync(0);
    const answer = await ask(BASE, "late.com");
    const why = answer.kind === "failed" ? answer.why : "";
    assertEquals(why, `rdap.example ${words}`);
    await time.runAll();
    await Promise.all(all);
  });
}

Deno.test("ask() says what another process has recorded as the fault of a host", async () => {
  for (
    const [fault, words] of [["down", "could not be reached"], ["limited", "is rate-limiting us"]]
  ) {
    const shared: SharedHosts = {
      stateOf: () => Promise.resolve({ fault: fault as PauseFault, pauseMs: 300_000, slowMs: 0 }),
      note: () => Promise.resolve(),
      spend: () => Promise.resolve(true),
    };
    const { ask } = registriesOf([], { now: () => 1e12, shared });
    const answer = await ask(BASE, "a.com");
    assertEquals(answer.kind === "failed" && answer.why, `rdap.example ${words}`);
  }
});

const MINUTE_MS = 60_000;

Deno.test("note() pauses a WHOIS server for a minute after two faults in a row or one refusal, longer after each further one", async () => {
  using time = new FakeTime(0);
  const hosts = createUpstreamHosts({ report() {}, now: Date.now, monotonic: Date.now });
  const { note, retryMs } = createWhoisQueries({
    query: () => Promise.reject(new Error("not to be asked")),
    paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }),
    registryHostOf: hosts.ofKind("rdap"),
    hosts,
  });
  const server = { host: "whois.example" };
  const fail = (fault: WhoisFault) => note(server, { kind: "failed", fault, why: fault });
  const pauses = () => hosts.problems().map(({ leftMs }) => leftMs / MINUTE_MS);
  fail("down");
  note(server, undefined);
  for (const fault of ["down", "unclear", "down"] as const) fail(fault);
  assertEquals(pauses(), [0]);
  fail("down");
  assertEquals(pauses(), [1]);
  await time.tickAsync(MINUTE_MS);
  note(server, undefined);
  for (const minutes of [1, 2, 4, 8, 10, 10]) {
    fail("limited");
    assertEquals(await retryMs(server, {}), minutes * MINUTE_MS);
    await time.tickAsync(minutes * MINUTE_MS);
  }
});
