import { assertEquals, assertRejects } from "@std/assert";
import type { Lease } from "../../src/flow/held.ts";
import { type LeaseClaim, runOnce } from "../../src/flow/leased.ts";
import { pause } from "../../src/flow/pause.ts";
import { FakeTime } from "../support/fake_time.ts";

/** A lease that writes down what is done with it; `extend` answers as it is told. */
function createLease(extend: () => boolean = () => true) {
  const calls: string[] = [];
  const lease: Lease<string> = {
    extend: () => Promise.resolve((calls.push("extend"), extend())),
    end: (end) => Promise.resolve(void calls.push(`end ${end}`)),
    release: () => Promise.resolve(void calls.push("release")),
  };
  return { lease, calls };
}

/** Claims that come to these answers, one after the other. */
function claims(...answers: LeaseClaim<string>[]): () => Promise<LeaseClaim<string>> {
  return () => Promise.resolve(answers.shift() ?? { kind: "unreachable" });
}

const never = new AbortController().signal;

/** A task that ends when its signal is aborted. */
function untilAborted(signal: AbortSignal): Promise<string> {
  return pause(1e9, signal).then(() => "aborted");
}

Deno.test("leased() runs the task that it got, and tells how it ended", async () => {
  const { lease, calls } = createLease();
  const run = await runOnce(() => Promise.resolve("well"), {
    claim: claims({ kind: "taken", lease }),
    beatMs: 1_000,
    stop: never,
    random: Math.random,
  });
  assertEquals([run, calls], [{ kind: "ran", end: "well" }, ["end well"]]);
});

Deno.test("leased() does nothing where somebody else has done it, or nobody can tell", async () => {
  const task = () => Promise.reject(new Error("not to be run"));
  const options = { beatMs: 1_000, stop: never, random: Math.random };
  const elsewhere = claims({ kind: "ended", end: "well" });
  assertEquals(await runOnce(task, { ...options, claim: elsewhere }), {
    kind: "elsewhere",
    end: "well",
  });
  assertEquals(await runOnce(task, { ...options, claim: claims() }), { kind: "unreachable" });
});

Deno.test("leased() stands by while somebody is at it, and takes over when he is gone", async () => {
  using time = new FakeTime(0);
  const { lease, calls } = createLease();
  const running = runOnce(() => Promise.resolve(`at ${Math.floor(Date.now() / 1_000)}`), {
    claim: () => {
      const forMs = 7_000 - Date.now();
      return Promise.resolve(forMs > 0 ? { kind: "held", forMs } : { kind: "taken", lease });
    },
    beatMs: 60_000,
    stop: never,
    random: Math.random,
  });
  await time.runAll();
  assertEquals([await running, calls], [{ kind: "ran", end: "at 7" }, ["end at 7"]]);
});

Deno.test("leased() soon learns that what it stands by for is done", async () => {
  using time = new FakeTime(0);
  const claim = claims({ kind: "held", forMs: 1e9 }, { kind: "ended", end: "well" });
  const running = runOnce(untilAborted, {
    claim,
    beatMs: 60_000,
    stop: never,
    random: Math.random,
  });
  await time.runAll();
  assertEquals([await running, Date.now() < 3_000], [{ kind: "elsewhere", end: "well" }, true]);
});

Deno.test("leased() extends the lease for as long as the task takes", async () => {
  using time = new FakeTime(0);
  const { lease, calls } = createLease();
  const running = runOnce((signal) => pause(35_000, signal).then(() => "well"), {
    claim: claims({ kind: "taken", lease }),
    beatMs: 10_000,
    stop: never,
    random: Math.random,
  });
  await time.runAll();
  await running;
  assertEquals(calls, ["extend", "extend", "extend", "end well"]);
});

Deno.test("leased() aborts a task whose lease is lost, and leaves the lease to its new holder", async () => {
  using time = new FakeTime(0);
  const { lease, calls } = createLease(() => false);
  const claim = claims({ kind: "taken", lease });
  const running = runOnce(untilAborted, {
    claim,
    beatMs: 10_000,
    stop: never,
    random: Math.random,
  });
  await time.runAll();
  assertEquals([await running, calls], [{ kind: "lost" }, ["extend"]]);
});

Deno.test("leased() gives the lease back when it is stopped in the middle", async () => {
  const stopping = new AbortController();
  const { lease, calls } = createLease();
  const running = runOnce(untilAborted, {
    claim: claims({ kind: "taken", lease }),
    beatMs: 10_000,
    stop: stopping.signal,
    random: Math.random,
  });
  stopping.abort();
  assertEquals([await running, calls], [{ kind: "stopped" }, ["release"]]);
});

Deno.test("leased() stops standing by when it is stopped", async () => {
  const stopping = new AbortController();
  const claim = claims({ kind: "held", forMs: 1e9 });
  const running = runOnce(untilAborted, {
    claim,
    beatMs: 10_000,
    stop: stopping.signal,
    random: Math.random,
  });
  stopping.abort();
  assertEquals(await running, { kind: "stopped" });
});

Deno.test("leased() passes on what the task throws and leaves no timer behind", async () => {
  const { lease, calls } = createLease();
  const options = {
    claim: claims({ kind: "taken", lease }),
    beatMs: 10_000,
    stop: never,
    random: Math.random,
  };
  await assertRejects(
    () => runOnce(() => Promise.reject(new RangeError("bug")), options),
    RangeError,
    "bug",
  );
  assertEquals(calls, []);
});
