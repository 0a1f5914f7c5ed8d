import { assertEquals, assertRejects } from "@std/assert";
import { pause } from "../../src/flow/pause.ts";
import { type Lease, type LeaseClaim, runOnce } from "../../src/flow/run_with_lease.ts";
import { FakeTime } from "../support/fake_time.ts";

/** A lease that records its calls; `extend` sets its answers. */
function createLease(extend: () => boolean = () => true) {
  const calls: string[] = [];
  const lease: Lease<string> = {
    extend: () => Promise.resolve((calls.push("extend"), extend())),
    end: (end) => Promise.resolve(void calls.push(`end ${end}`)),
    release: () => Promise.resolve(void calls.push("release")),
  };
  return { lease, calls };
}

/** Claims with these answers, in order. */
function claims(...answers: LeaseClaim<string>[]): () => Promise<LeaseClaim<string>> {
  return () => Promise.resolve(answers.shift() ?? { kind: "unreachable" });
}

const never = new AbortController().signal;

/** A task that ends when its signal is aborted. */
function untilAborted(signal: AbortSignal): Promise<string> {
  return pause(1e9, signal).then(() => "aborted");
}

Deno.test("runOnce() runs the task and ends the lease with its result when the claim succeeds", async () => {
  const { lease, calls } = createLease();
  const run = await runOnce(() => Promise.resolve("well"), {
    claim: claims({ kind: "taken", lease }),
    beatMs: 1_000,
    stop: never,
    random: Math.random,
  });
  assertEquals([run, calls], [{ kind: "ran", end: "well" }, ["end well"]]);
});

Deno.test("runOnce() does not run the task when it has ended elsewhere or the store is unreachable", async () => {
  const task = () => Promise.reject(new Error("not to be run"));
  const options = { beatMs: 1_000, stop: never, random: Math.random };
  const elsewhere = claims({ kind: "ended", end: "well" });
  assertEquals(await runOnce(task, { ...options, claim: elsewhere }), {
    kind: "elsewhere",
    end: "well",
  });
  assertEquals(await runOnce(task, { ...options, claim: claims() }), { kind: "unreachable" });
});

Deno.test("runOnce() waits while another process holds the lease, and takes over when it expires", async () => {
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

Deno.test("runOnce() returns soon when the task ends elsewhere", async () => {
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

Deno.test("runOnce() extends the lease while the task runs", async () => {
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

Deno.test("runOnce() aborts the task when the lease is lost, and leaves the lease to its new holder", async () => {
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

Deno.test("runOnce() releases the lease when it is stopped during the task", async () => {
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

Deno.test("runOnce() stops waiting when it is stopped", async () => {
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

Deno.test("runOnce() rejects with the task's error and leaves no timer", async () => {
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
