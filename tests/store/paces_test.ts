import { assert, assertEquals } from "@std/assert";
import { withDeadline } from "../../src/flow/deadline.ts";
import { createGate, type Gate, type Pace } from "../../src/flow/queue/gate.ts";
import { type GuardedKv, guardKv } from "../../src/store/guarded_kv.ts";
import { createPaces } from "../../src/store/paces.ts";
import { createHostSchedules } from "../../src/wiring/base.ts";
import { onEachKv, openKvConnect } from "../support/on_each_kv.ts";
import { overPace } from "../support/over_pace.ts";

const PACE: Pace = { concurrency: 4, burst: 2, everyMs: 40 };
/**
 * By how many starts a busy machine may exceed the pace, because it starts a task some time after its slot. If each
 * process had a burst of its own, four would exceed it.
 */
const MOST_OVER = 3;
const HOST = "rdap.example";
const monotonic = () => performance.now();

function times<T>(count: number, one: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => one(n));
}

function guardOf(kv: Deno.Kv): GuardedKv {
  return guardKv(kv, { report() {}, monotonic });
}

/** As `guardKv()`, with short times. */
function impatientGuardOf(kv: Deno.Kv): GuardedKv {
  return {
    attempt: (operation, fallback) =>
      withDeadline(operation(kv).catch(() => fallback), 100, fallback),
    isFailing: () => undefined,
    settled: () => Promise.resolve(),
  };
}

/** A gate as each process has one. */
function openGate(kv: GuardedKv, pace = PACE): Gate {
  return createGate({
    paceOf: () => pace,
    maxWaitMs: 60_000,
    monotonic,
    scheduleOf: createHostSchedules(kv, { now: Date.now, monotonic }),
  });
}

/** Runs tasks, spread over the gates; gives the times of their starts. */
async function startsOf(gates: readonly Gate[], tasks: number): Promise<number[]> {
  const starts: number[] = [];
  const note = () => Promise.resolve(starts.push(monotonic()));
  const passages = await Promise.all(times(tasks, (n) => gates[n % gates.length]!.run(HOST, note)));
  assertEquals(passages.filter(({ kind }) => kind !== "ran"), []);
  return starts;
}

async function assertOnePace(kvs: readonly Deno.Kv[]): Promise<void> {
  const guards = kvs.map(guardOf);
  const starts = await startsOf(guards.map((kv) => openGate(kv)), 30);
  const over = overPace(starts, PACE);
  assert(over <= MOST_OVER, `${over} over the pace: ${starts}`);
  for (const guard of guards) await guard.settled();
}

onEachKv("gates of three processes keep one pace together", async (kv, open) => {
  await assertOnePace([kv, await open.openAnother(), await open.openAnother()]);
});

Deno.test("gates of three processes keep one pace together (KV Connect 94 ms away)", async () => {
  await using open = await openKvConnect({ roundTripMs: 94 });
  await assertOnePace([open.kv, await open.openAnother(), await open.openAnother()]);
});

Deno.test("paces.change() costs one write when this process changed the record last, and a read otherwise", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const guards = [guardOf(open.kv), guardOf(await open.openAnother())] as const;
  const [one, other] = guards.map(createPaces) as [
    ReturnType<typeof createPaces>,
    ReturnType<typeof createPaces>,
  ];
  const costOf = async (paces: typeof one) => {
    open.server.reset();
    const next = () => ({ at: 1, spentUntil: 1 });
    const outcome = await paces.change(HOST, next);
    const { requests } = open.server.readings();
    return [outcome, requests.read, requests.write];
  };
  assertEquals(await costOf(one), ["done", 1, 1]);
  assertEquals(await costOf(one), ["done", 0, 1]);
  assertEquals(await costOf(other), ["done", 1, 1]);
  assertEquals(await costOf(one), ["conflict", 0, 1]);
  assertEquals(await costOf(one), ["done", 1, 1]);
  assertEquals(await costOf(other), ["done", 1, 1]);
  assertEquals(await costOf(one), ["done", 1, 1]);
  assertEquals(await costOf(one), ["done", 1, 1]);
  assertEquals(await costOf(one), ["done", 0, 1]);
  for (const guard of guards) await guard.settled();
});

Deno.test("paces.change() never replaces what another process has written since the read", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const guards = times(3, () => guardOf(open.kv));
  const all = guards.map(createPaces);
  const add = async (paces: ReturnType<typeof createPaces>) => {
    const next = (kept = { at: 0, spentUntil: 0 }) => (
      { ...kept, spentUntil: kept.spentUntil + 1 }
    );
    while (await paces.change(HOST, next) !== "done");
  };
  await Promise.all(all.map(async (paces) => {
    for (let n = 0; n < 20; n++) await add(paces);
  }));
  const { value } = await open.kv.get<{ spentUntil: number }>(["pace", HOST]);
  assertEquals(value?.spentUntil, 60);
  for (const guard of guards) await guard.settled();
});

Deno.test("gates of three processes go on with a share each while KV hangs, and together when it is back", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const kvs = [open.kv, await open.openAnother(), await open.openAnother()];
  const gates = kvs.map((kv) => openGate(impatientGuardOf(kv)));
  // Long enough for each process to have read of the other two.
  const before = await startsOf(gates, 18);
  open.server.fail("write", { kind: "hang" });
  open.server.fail("read", { kind: "hang" });
  const alone = await startsOf(gates, 15);
  open.server.recover();
  const after = await startsOf(gates, 30);
  assert(overPace(before, PACE) <= MOST_OVER, `${overPace(before, PACE)} before`);
  // Three may start at once; then each starts one in three times the pace. Each at the whole pace, they would exceed it
  // by ten.
  assert(overPace(alone, PACE) <= 3 + MOST_OVER, `${overPace(alone, PACE)} while KV hung`);
  assert(overPace(after, PACE) <= 3 + MOST_OVER, `${overPace(after, PACE)} once KV was back`);
  for (const gate of gates) gate.close();
});

Deno.test("a gate uses KV only for a host with a pace", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const guard = guardOf(open.kv);
  open.server.reset();
  await startsOf([openGate(guard, { ...PACE, everyMs: 0 })], 5);
  const { requests } = open.server.readings();
  assertEquals([requests.read, requests.write], [0, 0]);
  await guard.settled();
});
