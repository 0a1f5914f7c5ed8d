import { assertEquals, assertMatch } from "@std/assert";
import { createGate } from "../../src/flow/gate.ts";
import { createRegistries } from "../../src/lookup/registry.ts";
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

Deno.test("a question that read no pause is not put to a host that asked for one meanwhile", async () => {
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
  assertMatch(answer.kind === "failed" ? answer.why : "", /try again in 60 s/);
});

Deno.test("a question is not put to a host that has asked for a pause when its turn comes", async () => {
  const asked: string[] = [];
  let before: Promise<unknown> = Promise.resolve();
  const { ask } = createRegistries({
    question: (_, domain) => {
      asked.push(domain);
      return Promise.resolve(LIMITED);
    },
    gate: {
      // One after the other, and nobody is turned away.
      async run(_, task) {
        const running = before.then(task);
        before = running;
        return { kind: "ran", value: await running };
      },
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
  assertMatch(second.kind === "failed" ? second.why : "", /try again in 60 s/);
});

Deno.test("registries fare as the last question did, and not at all before the first", async () => {
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
  Deno.test(`ask() asks a host again once its pause is over though the wall clock was set ${change}`, async () => {
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
