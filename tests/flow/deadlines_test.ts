import { assertEquals, assertRejects } from "@std/assert";
import { startAlarm } from "../../src/flow/alarm.ts";
import { createDeadlines } from "../../src/flow/deadlines.ts";

const never = new Promise<never>(() => {});

const TIMING = { monotonic: () => performance.now(), startAlarm };

Deno.test("startAlarm() rings once after the time, and never after stop()", async () => {
  const rung: string[] = [];
  startAlarm(() => rung.push("stopped"), 5).stop();
  await new Promise<void>((resolve) => startAlarm(() => (rung.push("rung"), resolve()), 10.5));
  assertEquals(rung, ["rung"]);
});

Deno.test("deadlines.withFallback() returns the value in time, the fallback after it, and rejects with the error", async () => {
  const deadlines = createDeadlines(20, TIMING);
  assertEquals(await deadlines.withFallback(Promise.resolve("value"), "late"), "value");
  assertEquals(await deadlines.withFallback(never, "late"), "late");
  await assertRejects(
    () => deadlines.withFallback(Promise.reject(new RangeError("bug")), "late"),
    RangeError,
    "bug",
  );
  deadlines.stop();
});

Deno.test("deadlines.withFallback() gives each call the full time when calls overlap", async () => {
  const deadlines = createDeadlines(40, TIMING);
  const waited: number[] = [];
  const wait = async () => {
    const since = performance.now();
    assertEquals(await deadlines.withFallback(never, "late"), "late");
    waited.push(performance.now() - since);
  };
  const first = wait();
  await deadlines.withFallback(
    new Promise((resolve) => startAlarm(() => resolve("value"), 20)),
    "late",
  );
  const second = wait();
  await Promise.all([first, second]);
  assertEquals(waited.length, 2);
  assertEquals(waited.filter((ms) => ms < 40), []);
});

Deno.test("deadlines.withFallback() returns the value when it arrived while the event loop was blocked", async () => {
  const deadlines = createDeadlines(20, TIMING);
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => port1.onmessage = () => resolve("value"));
  const waiting = deadlines.withFallback(answer, "late");
  port2.postMessage("here");
  const until = performance.now() + 60;
  while (performance.now() < until);
  assertEquals(await waiting, "value");
  deadlines.stop();
  port1.close();
  port2.close();
});

Deno.test("deadlines.withFallback() expires all overdue calls at once", async () => {
  const deadlines = createDeadlines(20, TIMING);
  let expired = 0;
  const waiting = Array.from({ length: 200 }, async () => {
    await deadlines.withFallback(never, "late");
    expired++;
  });
  const until = performance.now() + 60;
  while (performance.now() < until);
  await Promise.race(waiting);
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(expired, 200);
});

Deno.test("deadlines.stop() lets the process exit", async () => {
  const [alarm, deadlines] = ["alarm", "deadlines"].map((name) =>
    JSON.stringify(import.meta.resolve(`../../src/flow/${name}.ts`))
  );
  const script = `
    import { startAlarm } from ${alarm};
    import { createDeadlines } from ${deadlines};
    const timing = { monotonic: () => performance.now(), startAlarm };
    const deadlines = createDeadlines(60_000, timing);
    await deadlines.withFallback(Promise.resolve(), undefined);
    deadlines.stop();
  `;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    signal: AbortSignal.timeout(30_000),
  }).output();
  assertEquals(code, 0);
});
