import { assertEquals, assertMatch } from "@std/assert";
import { FakeTime } from "../support/fake_time.ts";
import { createGate } from "../../src/flow/gate.ts";
import { createRegistries } from "../../src/lookup/registries.ts";
import type { RdapAnswer } from "../../src/rules/answer.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createCooldowns } from "../../src/store/cooldowns.ts";

const BASE = "https://rdap.example/";
const LIMITED: RdapAnswer = {
  kind: "failed",
  fault: "limited",
  why: "The registry answered 429",
  retryAfterMs: 60_000,
};

Deno.test("ask() sends no question when a cooldown starts while it reads the shared one", async () => {
  const firstRead = Promise.withResolvers<number>();
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
      leftMs: () => reads.pop() ?? Promise.resolve(0),
      set: () => Promise.resolve(),
    },
    report() {},
    monotonic: () => 1e12,
    now: () => 1e12,
  });
  const early = ask(BASE, "early.com");
  assertEquals(await ask(BASE, "late.com"), LIMITED);
  firstRead.resolve(0);
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
      note() {},
      clear() {},
      close() {},
    },
    cooldowns: { leftMs: () => Promise.resolve(0), set: () => Promise.resolve() },
    report() {},
    monotonic: () => 1e12,
    now: () => 1e12,
  });
  const [, second] = await Promise.all([ask(BASE, "a.com"), ask(BASE, "b.com")]);
  assertEquals(asked, ["a.com"]);
  assertMatch(second.kind === "failed" ? second.why : "", /retry in 60 s/);
});

Deno.test("isFailing() follows the last question, and is undefined before the first", async () => {
  const answers: RdapAnswer[] = [
    { kind: "failed", fault: "down", why: "The registry could not be reached" },
    { kind: "registered", askedAt: 0 },
  ];
  const registries = createRegistries({
    question: () => Promise.resolve(answers.shift() ?? { kind: "registered", askedAt: 0 }),
    gate: createGate({
      paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }),
      maxWaitMs: 15_000,
      monotonic: Date.now,
    }),
    cooldowns: { leftMs: () => Promise.resolve(0), set: () => Promise.resolve() },
    report() {},
    monotonic: Date.now,
    now: Date.now,
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
      question: () => Promise.resolve(answers.shift() ?? { kind: "registered", askedAt: 0 }),
      gate: createGate({
        paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 1 }),
        maxWaitMs: 15_000,
        monotonic: () => monotonic.now,
      }),
      cooldowns: createCooldowns(guarded, {
        now: () => wall.now,
        monotonic: () => monotonic.now,
      }),
      report() {},
      monotonic: () => monotonic.now,
      now: () => wall.now,
    });
    await ask(BASE, "first.com");
    wall.now += Number(ms);
    assertEquals(await pauseMs("rdap.example"), 60_000);
    wall.now += 60_000;
    monotonic.now += 60_000;
    assertEquals(await ask(BASE, "second.com"), { kind: "registered", askedAt: 0 });
    await guarded.settled();
  });
}

/** A registry's answers in turn, over a gate that lets everything in. */
function registriesOf(answers: RdapAnswer[]) {
  const asked: [string, number][] = [];
  const registries = createRegistries({
    question(_, domain) {
      asked.push([domain, Date.now()]);
      return Promise.resolve(answers.shift() ?? { kind: "registered", askedAt: 0 });
    },
    gate: createGate({
      paceOf: () => ({ concurrency: 4, burst: 4, everyMs: 0 }),
      maxWaitMs: 15_000,
      monotonic: Date.now,
    }),
    cooldowns: { leftMs: () => Promise.resolve(0), set: () => Promise.resolve() },
    report() {},
    monotonic: Date.now,
    now: Date.now,
  });
  return { ...registries, asked };
}

Deno.test("ask() waits and asks again when the host asks for a pause of 2 s or less", async () => {
  using time = new FakeTime(1_000_000);
  const { ask, asked } = registriesOf([{ ...LIMITED, retryAfterMs: 2_000 }]);
  const answer = ask(BASE, "a.com");
  await time.runAll();
  assertEquals(await answer, { kind: "registered", askedAt: 0 });
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
