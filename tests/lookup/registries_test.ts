import { assertEquals, assertMatch } from "@std/assert";
import { FakeTime } from "../support/fake_time.ts";
import { createGate } from "../../src/flow/queue/gate.ts";
import {
  createUpstreamHosts,
  type Pause,
  type PauseFault,
  type SharedPauses,
} from "../../src/flow/upstream_host.ts";
import { createRegistries } from "../../src/lookup/registries.ts";
import type { RdapAnswer } from "../../src/rules/answer.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createCooldowns } from "../../src/store/cooldowns.ts";
import { NO_DETAILS } from "../support/no_details.ts";

const BASE = "https://rdap.example/";
const UNSHARED: SharedPauses = {
  pauseOf: () => Promise.resolve(undefined),
  set: () => Promise.resolve(),
};
const hostsAt = (now: () => number) => createUpstreamHosts({ report() {}, monotonic: now, now });
const LIMITED: RdapAnswer = {
  kind: "failed",
  fault: "limited",
  why: "The registry answered 429",
  retryAfterMs: 60_000,
};

Deno.test("ask() sends no question when a cooldown starts while it reads the shared one", async () => {
  const firstRead = Promise.withResolvers<Pause | undefined>();
  const reads = [firstRead.promise];
  const asked: string[] = [];
  const { ask } = createRegistries({
    question: (_, domain) => {
      asked.push(domain);
      return Promise.resolve(LIMITED);
    },
    gate: createGate({
      paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }),
      maxWaitMs: 15_000,
      monotonic: Date.now,
    }),
    cooldowns: {
      pauseOf: () => reads.pop() ?? Promise.resolve(undefined),
      set: () => Promise.resolve(),
    },
    hosts: hostsAt(() => 1e12),
  });
  const early = ask(BASE, "early.com");
  assertEquals(await ask(BASE, "late.com"), LIMITED);
  firstRead.resolve(undefined);
  const answer = await early;
  assertEquals(asked, ["late.com"]);
  assertMatch(answer.kind === "failed" ? answer.why : "", /retry in 60 s/);
});

Deno.test("ask() sends no queued question when the host has started a cooldown", async () => {
  const asked: string[] = [];
  let before: Promise<unknown> = Promise.resolve();
  const { ask } = createRegistries({
    question: (_, domain) => {
      asked.push(domain);
      return Promise.resolve(LIMITED);
    },
    gate: {
      // One after the other, and none is rejected.
      async run(_, task) {
        const running = before.then(task);
        before = running;
        return { kind: "ran", value: await running };
      },
      expectedWaitMs: () => 0,
      retryMs: (_key, _place, leastMs = 0) => leastMs,
      note() {},
      clear() {},
      close() {},
    },
    cooldowns: UNSHARED,
    hosts: hostsAt(() => 1e12),
  });
  const [, second] = await Promise.all([ask(BASE, "a.com"), ask(BASE, "b.com")]);
  assertEquals(asked, ["a.com"]);
  assertMatch(second.kind === "failed" ? second.why : "", /retry in 60 s/);
});

Deno.test("isFailing() follows the last question, and is undefined before the first", async () => {
  const answers: RdapAnswer[] = [
    { kind: "failed", fault: "down", why: "The registry could not be reached" },
    { kind: "registered", askedAt: 0, details: NO_DETAILS },
  ];
  const registries = createRegistries({
    question: () =>
      Promise.resolve(answers.shift() ?? { kind: "registered", askedAt: 0, details: NO_DETAILS }),
    gate: createGate({
      paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }),
      maxWaitMs: 15_000,
      monotonic: Date.now,
    }),
    cooldowns: UNSHARED,
    hosts: hostsAt(Date.now),
  });
  const fared = [registries.isFailing()];
  for (const domain of ["a.example", "b.example"]) {
    await registries.ask(BASE, domain);
    fared.push(registries.isFailing());
  }
  assertEquals(fared, [undefined, true, false]);
});

for (const [change, ms] of [["back by an hour", -3_600_000], ["ahead by a day", 86_400_000]]) {
  Deno.test(`ask() asks a host again after its cooldown though the wall clock was set ${change}`, async () => {
    using kv = await Deno.openKv(":memory:");
    const wall = { now: Date.UTC(2026, 10, 21) };
    const monotonic = { now: 0 };
    const guarded = guardKv(kv, { report() {}, monotonic: () => monotonic.now });
    const answers: RdapAnswer[] = [LIMITED];
    const { ask, pauseMs } = createRegistries({
      question: () =>
        Promise.resolve(answers.shift() ?? { kind: "registered", askedAt: 0, details: NO_DETAILS }),
      gate: createGate({
        paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 1 }),
        maxWaitMs: 15_000,
        monotonic: () => monotonic.now,
      }),
      cooldowns: createCooldowns(guarded, {
        now: () => wall.now,
        monotonic: () => monotonic.now,
      }),
      hosts: createUpstreamHosts({
        report() {},
        monotonic: () => monotonic.now,
        now: () => wall.now,
      }),
    });
    await ask(BASE, "first.com");
    wall.now += Number(ms);
    assertEquals(await pauseMs("rdap.example"), 60_000);
    wall.now += 60_000;
    monotonic.now += 60_000;
    assertEquals(await ask(BASE, "second.com"), {
      kind: "registered",
      askedAt: 0,
      details: NO_DETAILS,
    });
    await guarded.settled();
  });
}

/** A registry's answers in turn, over a gate that lets everything in. */
function registriesOf(answers: RdapAnswer[]) {
  const asked: [string, number][] = [];
  const registries = createRegistries({
    question(_, domain) {
      asked.push([domain, Date.now()]);
      return Promise.resolve(
        answers.shift() ?? { kind: "registered", askedAt: 0, details: NO_DETAILS },
      );
    },
    gate: createGate({
      paceOf: () => ({ concurrency: 4, burst: 4, everyMs: 0 }),
      maxWaitMs: 15_000,
      monotonic: Date.now,
    }),
    cooldowns: UNSHARED,
    hosts: hostsAt(Date.now),
  });
  return { ...registries, asked };
}

Deno.test("ask() waits and asks again when the host asks for a pause of 2 s or less", async () => {
  using time = new FakeTime(1_000_000);
  const { ask, asked } = registriesOf([{ ...LIMITED, retryAfterMs: 2_000 }]);
  const answer = ask(BASE, "a.com");
  await time.runAll();
  assertEquals(await answer, { kind: "registered", askedAt: 0, details: NO_DETAILS });
  assertEquals(asked, [["a.com", 1_000_000], ["a.com", 1_002_000]]);
});

Deno.test("ask() waits and asks again when a host that is down says that it is back in 2 s or less", async () => {
  using time = new FakeTime(1_000_000);
  const down: RdapAnswer = { kind: "failed", fault: "down", why: "The registry answered 503" };
  const { ask, asked } = registriesOf([{ ...down, retryAfterMs: 2_000 }, down]);
  const answer = ask(BASE, "a.com");
  await time.runAll();
  assertEquals((await answer).kind, "failed");
  assertEquals(asked, [["a.com", 1_000_000], ["a.com", 1_002_000]], "not again without a time");
});

Deno.test("ask() gives up when the host asks for a short pause twice", async () => {
  using time = new FakeTime(1_000_000);
  const limited: RdapAnswer = { ...LIMITED, retryAfterMs: 1_000 };
  const { ask, asked } = registriesOf([limited, limited]);
  const answer = ask(BASE, "a.com");
  await time.runAll();
  assertEquals([await answer, asked.length], [limited, 2]);
});

Deno.test("ask() keeps the questions that wait when the pause is short, and rejects them when it is long", async () => {
  for (
    const [retryAfterMs, kinds] of [[1_500, ["registered", "registered"]], [5_000, [
      "failed",
      "failed",
    ]]]
  ) {
    using time = new FakeTime(1_000_000);
    const { ask } = registriesOf([{ ...LIMITED, retryAfterMs: Number(retryAfterMs) }]);
    const first = ask(BASE, "a.com");
    await time.tickAsync(10);
    const second = ask(BASE, "b.com");
    await time.runAll();
    assertEquals([(await first).kind, (await second).kind], kinds);
  }
});

Deno.test("ask() reports for how long a host that cools down is not asked", async () => {
  using time = new FakeTime(1_000_000);
  const { ask } = registriesOf([LIMITED]);
  await ask(BASE, "a.com");
  time.tick(20_000);
  const answer = await ask(BASE, "b.com");
  assertEquals(answer.kind === "failed" && answer.retryAfterMs, 40_000);
});

const DOWN: RdapAnswer = {
  kind: "failed",
  fault: "down",
  why: "The registry could not be reached",
};

for (
  const [opened, answers, words] of [
    ["five questions without an answer", Array(5).fill(DOWN), "could not be reached"],
    ["429", [LIMITED], "is rate-limiting us"],
    ["503 with Retry-After", [{ ...DOWN, retryAfterMs: 60_000 }], "is rate-limiting us"],
  ] as const
) {
  Deno.test(`ask() says that a host ${words} when ${opened} started its cooldown`, async () => {
    using _ = new FakeTime(1_000_000);
    const { ask } = registriesOf([...answers]);
    for (const [place] of answers.entries()) await ask(BASE, `name${place}.com`);
    const answer = await ask(BASE, "late.com");
    const why = answer.kind === "failed" ? answer.why : "";
    assertMatch(why, new RegExp(`^rdap\\.example ${words}; retry in \\d+ s$`));
  });
}

Deno.test("ask() says what another process has recorded as the fault of a host", async () => {
  for (
    const [fault, words] of [["down", "could not be reached"], ["limited", "is rate-limiting us"]]
  ) {
    const { ask } = createRegistries({
      question: () => Promise.reject(new Error("not to be asked")),
      gate: createGate({
        paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }),
        maxWaitMs: 15_000,
        monotonic: Date.now,
      }),
      cooldowns: {
        ...UNSHARED,
        pauseOf: () => Promise.resolve({ fault: fault as PauseFault, leftMs: 30_000 }),
      },
      hosts: hostsAt(() => 1e12),
    });
    const answer = await ask(BASE, "a.com");
    assertEquals(answer.kind === "failed" && answer.why, `rdap.example ${words}; retry in 30 s`);
  }
});
