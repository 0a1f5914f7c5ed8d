import { assertEquals, assertMatch } from "@std/assert";
import { createGate } from "../../src/flow/gate.ts";
import { createRegistries } from "../../src/lookup/registry.ts";
import type { RdapAnswer } from "../../src/rules/answer.ts";

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
      now: Date.now,
    }),
    cooldowns: {
      get: () => reads.pop() ?? Promise.resolve(0),
      set: () => Promise.resolve(),
    },
    report() {},
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
    cooldowns: { get: () => Promise.resolve(0), set: () => Promise.resolve() },
    report() {},
    now: () => 1e12,
  });
  const [, second] = await Promise.all([ask(BASE, "a.com"), ask(BASE, "b.com")]);
  assertEquals(asked, ["a.com"]);
  assertMatch(second.kind === "failed" ? second.why : "", /try again in 60 s/);
});

Deno.test("registries fare as the last question did, and not at all before the first", async () => {
  const answers: RdapAnswer[] = [
    { kind: "failed", fault: "down", why: "The registry could not be reached" },
    { kind: "registered" },
  ];
  const registries = createRegistries({
    question: () => Promise.resolve(answers.shift() ?? { kind: "registered" }),
    gate: createGate({
      paceOf: () => ({ concurrency: 1, burst: 1, everyMs: 0 }),
      maxWaitMs: 15_000,
      now: Date.now,
    }),
    cooldowns: { get: () => Promise.resolve(0), set: () => Promise.resolve() },
    report() {},
    now: Date.now,
  });
  const fared = [registries.isFailing()];
  for (const domain of ["a.example", "b.example"]) {
    await registries.ask(BASE, domain);
    fared.push(registries.isFailing());
  }
  assertEquals(fared, [undefined, true, false]);
});
