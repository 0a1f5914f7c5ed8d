import { assert, assertEquals } from "@std/assert";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { FakeTime } from "../support/fake_time.ts";
import { createKvFile } from "../support/kv_file.ts";

/** For a KV that never answers, in place of production's second. */
const DEADLINE_MS = 50;

/** A guarded KV on a clock that the test moves ahead, with what it reports, and the result of each operation. */
async function openGuarded({ deadlineMs = DEADLINE_MS } = {}) {
  const real = await Deno.openKv(":memory:");
  const clock = { aheadMs: 0 };
  const reports: string[] = [];
  const results: string[] = [];
  const guarded = guardKv(real, {
    report: (event) => reports.push(event),
    monotonic: () => performance.now() + clock.aheadMs,
    onEnd: (_, result) => results.push(result),
    deadlineMs,
  });
  return {
    clock,
    reports,
    results,
    ...guarded,
    async [Symbol.asyncDispose]() {
      await guarded.settled();
      real.close();
    },
  };
}

const answer = () => Promise.resolve("answer");
const hang = () => new Promise<string>(() => {});

Deno.test("settled() settles, and begins no further operation, where KV never answers", async () => {
  await using kv = await openGuarded();
  assertEquals(await kv.attempt(hang), undefined);
  await kv.settled();
  assertEquals(kv.isFailing(), true);
  assertEquals(await kv.attempt(answer), undefined);
});

Deno.test("attempt() does not use KV for five seconds after it hung, unless that operation succeeds after all", async () => {
  await using kv = await openGuarded();
  const late = Promise.withResolvers<string>();
  for (const operation of [hang, () => late.promise]) {
    assertEquals(await kv.attempt(operation), undefined);
    kv.clock.aheadMs += 4_900;
    assertEquals(await kv.attempt(answer), undefined);
    if (operation === hang) kv.clock.aheadMs += 100;
    else late.resolve("");
    await new Promise((resolve) => setTimeout(resolve));
    assertEquals(await kv.attempt(answer), "answer");
  }
  assertEquals(kv.results, ["failed", "skipped", "ok", "failed", "skipped", "ok"]);
  assertEquals(kv.reports, ["kv.failing", "kv.working", "kv.failing", "kv.working"]);
});

Deno.test("attempt() uses KV for one operation at a time while it fails, and for all once that one succeeds", async () => {
  await using kv = await openGuarded({ deadlineMs: 60_000 });
  let calls = 0;
  assertEquals(await kv.attempt(() => Promise.reject(new Error("disk I/O error"))), undefined);
  const probe = Promise.withResolvers<string>();
  const ask = () => kv.attempt(() => (calls++, probe.promise));
  const first = ask();
  assertEquals(await Promise.all([ask(), ask()]), [undefined, undefined]);
  assertEquals(calls, 1);
  probe.resolve("answer");
  assertEquals(await first, "answer");
  assertEquals(await Promise.all([ask(), ask()]), ["answer", "answer"]);
});

const TRIES = [
  ["database is locked", 1_000, 60],
  ["database is locked", 2_000, 120],
  ["disk I/O error", 1_000, 1],
] as const;

for (const [message, deadlineMs, runs] of TRIES) {
  Deno.test(`attempt() runs an operation ${runs} times at most within ${deadlineMs} ms when it fails with: ${message}`, async () => {
    await using kv = await openGuarded({ deadlineMs });
    let ran = 0;
    const failUntil = (last: number) =>
      kv.attempt((kv) => {
        if (++ran < last) return Promise.reject<string>(new TypeError(message));
        return kv.set(["key"], ran).then(() => "answer");
      });
    assertEquals([await failUntil(runs), ran, kv.reports], ["answer", runs, []]);
    ran = 0;
    assertEquals([await failUntil(Infinity), ran, kv.isFailing()], [undefined, runs, true]);
  });
}

Deno.test("changeEntry() loses no change of two processes on one file that lock each other out", async () => {
  await using file = await createKvFile();
  // Processes that make the file at the same time may find it locked.
  (await file.open()).close();
  const worker = new URL("../support/kv_worker.ts", import.meta.url).pathname;
  const outputs = await Promise.all(["one", "two"].map((name) => {
    const args = ["run", "--allow-read", "--allow-write", worker, file.path, name];
    return new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  }));
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
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, 20)));
    return last.then(answer);
  };
  const answers = Array.from({ length: 1_000 }, () => guarded.attempt(operate));
  await time.tickAsync(21_000);
  assertEquals(new Set(await Promise.all(answers)), new Set(["answer"]));
  assertEquals(reports, []);
});
