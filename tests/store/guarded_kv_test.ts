import { assert, assertEquals } from "@std/assert";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { FakeTime } from "../support/fake_time.ts";

/** For a KV that never answers, in place of production's second. */
const DEADLINE_MS = 50;

Deno.test("settled() settles, and begins no further operation, where KV never answers", async () => {
  using real = await Deno.openKv(":memory:");
  const guarded = guardKv(real, { report() {}, monotonic: Date.now, deadlineMs: DEADLINE_MS });
  const never = new Promise<string>(() => {});
  assertEquals(await guarded.attempt(() => never, "fallback"), "fallback");
  await guarded.settled();
  assertEquals(guarded.isFailing(), true);
  assertEquals(await guarded.attempt(() => Promise.resolve("answer"), "fallback"), "fallback");
});

Deno.test("attempt() does not use KV for seconds of the monotonic clock after it hung, then uses it again", async () => {
  using real = await Deno.openKv(":memory:");
  let aheadMs = 0;
  const monotonic = () => performance.now() + aheadMs;
  const guarded = guardKv(real, { report() {}, monotonic, deadlineMs: DEADLINE_MS });
  const ask = () => guarded.attempt(() => Promise.resolve("answer"), "fallback");
  await guarded.attempt(() => new Promise<string>(() => {}), "fallback");
  aheadMs = 4_000;
  assertEquals(await ask(), "fallback");
  aheadMs = 5_000;
  assertEquals(await ask(), "answer");
  await guarded.settled();
});

Deno.test("attempt() uses KV for one operation at a time while it fails, and for all once that one succeeds", async () => {
  using real = await Deno.openKv(":memory:");
  const guarded = guardKv(real, { report() {}, monotonic: () => 0 });
  let calls = 0;
  const fail = () => (calls++, Promise.reject<string>(new Error("disk I/O error")));
  assertEquals(await guarded.attempt(fail, "fallback"), "fallback");
  const probe = Promise.withResolvers<string>();
  const ask = () => guarded.attempt(() => (calls++, probe.promise), "fallback");
  const first = ask();
  assertEquals(await Promise.all([ask(), ask(), ask()]), ["fallback", "fallback", "fallback"]);
  assertEquals(calls, 2, "the failure, and one probe");
  probe.resolve("answer");
  assertEquals(await first, "answer");
  assertEquals(await Promise.all([ask(), ask()]), ["answer", "answer"]);
  await guarded.settled();
});

Deno.test("attempt() pauses twice as long after each hang, until an operation that hung succeeds after all", async () => {
  using real = await Deno.openKv(":memory:");
  let aheadMs = 0;
  const monotonic = () => performance.now() + aheadMs;
  const guarded = guardKv(real, { report() {}, monotonic, deadlineMs: DEADLINE_MS });
  const hung: PromiseWithResolvers<string>[] = [];
  const hang = () =>
    guarded.attempt(() => {
      const one = Promise.withResolvers<string>();
      hung.push(one);
      return one.promise;
    }, "fallback");
  for (const pauseMs of [5_000, 10_000, 20_000, 40_000, 40_000]) {
    await hang();
    const calls = hung.length;
    aheadMs += pauseMs - 1_000;
    await hang();
    assertEquals(hung.length, calls, `KV is not used for ${pauseMs} ms`);
    aheadMs += 1_000;
  }
  await hang();
  hung[0]?.resolve("late");
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(await guarded.attempt(() => Promise.resolve("answer"), "fallback"), "answer");
  for (const { resolve } of hung) resolve("");
  await guarded.settled();
});

Deno.test("attempt() retries while KV is locked, and reports no failure", async () => {
  using real = await Deno.openKv(":memory:");
  const reports: string[] = [];
  const report = (event: string) => void reports.push(event);
  const guarded = guardKv(real, { report, monotonic: () => 0 });
  let runs = 0;
  const value = await guarded.attempt(async (kv) => {
    if (++runs < 4) throw new TypeError("database is locked");
    await kv.set(["key"], runs);
    return (await kv.get(["key"])).value;
  }, undefined);
  await guarded.settled();
  assertEquals([value, runs, reports, guarded.isFailing()], [4, 4, [], false]);
});

Deno.test("attempt() gives up when KV stays locked, and at once after another failure", async () => {
  using real = await Deno.openKv(":memory:");
  let guarded = guardKv(real, { report() {}, monotonic: () => 0 });
  const runsUntilFallback = async (message: string) => {
    let runs = 0;
    const fail = () => Promise.reject<string>(new TypeError(`${message} ${++runs}`));
    assertEquals(await guarded.attempt(fail, "fallback"), "fallback");
    return runs;
  };
  assertEquals(await runsUntilFallback("database is locked"), 60);
  assertEquals(await runsUntilFallback("disk I/O error"), 1);
  await guarded.settled();
  guarded = guardKv(real, { report() {}, monotonic: () => 0, deadlineMs: 2_000 });
  assertEquals(
    await runsUntilFallback("database is locked"),
    120,
    "as long as the deadline allows",
  );
  await guarded.settled();
  assertEquals(guarded.isFailing(), true);
});

Deno.test("attempt() changes entries for two processes on one file that lock each other out", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/kv`;
  // Processes that make the file at the same time may find it locked.
  (await Deno.openKv(path)).close();
  const worker = new URL("../support/kv_worker.ts", import.meta.url).pathname;
  const outputs = await Promise.all(
    ["one", "two"].map((name) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--allow-read", "--allow-write", worker, path, name],
        stderr: "inherit",
      }).output()
    ),
  );
  await Deno.remove(folder, { recursive: true });
  for (const { stdout } of outputs) {
    // Without the tries, the processes at full speed fail at every other change of one of them and more.
    const [changed = 0, failures = 100] = new TextDecoder().decode(stdout).split(" ").map(Number);
    assert(changed + failures >= 100, "a change that was confirmed is lost");
    assert(failures <= 10, `${failures} failures`);
  }
});

Deno.test("attempt() takes no KV that answers one operation after the other for one that hangs, however many wait", async () => {
  using time = new FakeTime(0);
  using real = await Deno.openKv(":memory:");
  const reports: string[] = [];
  const guarded = guardKv(real, { report: (event) => reports.push(event), monotonic: Date.now });
  let last = Promise.resolve();
  const operate = () => {
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, 10)));
    return last.then(() => "answer");
  };
  const answers = Array.from({ length: 1_000 }, () => guarded.attempt(operate, "fallback"));
  await time.tickAsync(11_000);
  assertEquals(new Set(await Promise.all(answers)), new Set(["answer"]));
  assertEquals(reports, []);
});

Deno.test("attempt() reports operations as ok, failed or skipped, also where a value equals the fallback", async () => {
  using real = await Deno.openKv(":memory:");
  const results: string[] = [];
  const guarded = guardKv(real, {
    report() {},
    monotonic: () => performance.now(),
    onEnd: (_, result) => results.push(result),
    deadlineMs: DEADLINE_MS,
  });
  const late = Promise.withResolvers<string>();
  const operations = [
    () => Promise.resolve("x"),
    () => Promise.reject(new Error("disk")),
    () => late.promise,
    () => Promise.resolve("x"),
  ];
  for (const operation of operations) assertEquals(await guarded.attempt(operation, "x"), "x");
  late.resolve("");
  assertEquals(results, ["ok", "failed", "failed", "skipped"]);
  await guarded.settled();
});
