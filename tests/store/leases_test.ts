import { assert, assertEquals } from "@std/assert";
import type { LeaseClaim } from "../../src/flow/run_with_lease.ts";
import type { RunEnd } from "../../src/rules/lease.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createLeases } from "../../src/store/leases.ts";
import { onEachKv, type OpenKv, openKvConnect } from "../support/on_each_kv.ts";

const DONE: RunEnd = { at: 0, outcome: { kind: "done", message: "all" } };

/** Two processes on one KV, with one clock. */
async function openPair({ kv, openAnother }: OpenKv) {
  const clock = { now: Date.UTC(2026, 10, 21) };
  const now = () => clock.now;
  const monotonic = now;
  const processOf = (kv: Deno.Kv) =>
    createLeases(guardKv(kv, { report() {}, monotonic }), { now, monotonic, leaseMs: 30_000 });
  return { one: processOf(kv), two: processOf(await openAnother()), kv, clock };
}

function leaseOf(claim: LeaseClaim<RunEnd>) {
  assert(claim.kind === "taken", claim.kind);
  return claim.lease;
}

onEachKv("claim() grants a tick to one of two processes that claim it at once", async (_, open) => {
  const pair = await openPair(open);
  const { now } = pair.clock;
  const kinds = (await Promise.all([pair.one, pair.two].map((one) => one.claim("job", now))))
    .map(({ kind }) => kind);
  assertEquals(kinds.toSorted(), ["held", "taken"]);
  assertEquals((await pair.two.claim("other", now)).kind, "taken");
});

onEachKv("extend() keeps a lease, which expires otherwise", async (_, open) => {
  const pair = await openPair(open);
  const tickAt = pair.clock.now;
  const lease = leaseOf(await pair.one.claim("job", tickAt));
  pair.clock.now += 20_000;
  assertEquals(await lease.extend(), true);
  pair.clock.now += 20_000;
  assertEquals(await pair.two.claim("job", tickAt), { kind: "held", forMs: 10_000 });
  pair.clock.now += 10_000;
  leaseOf(await pair.two.claim("job", tickAt));
  assertEquals(await lease.extend(), false);
});

onEachKv("end() ends the tick for all processes, and not the next one", async (_, open) => {
  const pair = await openPair(open);
  const tickAt = pair.clock.now;
  await leaseOf(await pair.one.claim("job", tickAt)).end(DONE);
  assertEquals(await pair.two.claim("job", tickAt), { kind: "ended", end: DONE });
  pair.clock.now += 600_000;
  leaseOf(await pair.two.claim("job", pair.clock.now));
});

onEachKv(
  "end() and release() change nothing when another process has the lease",
  async (_, open) => {
    const pair = await openPair(open);
    const tickAt = pair.clock.now;
    const lost = leaseOf(await pair.one.claim("job", tickAt));
    pair.clock.now += 30_000;
    leaseOf(await pair.two.claim("job", tickAt));
    await lost.end(DONE);
    await lost.release();
    assertEquals(await pair.one.claim("job", tickAt), { kind: "held", forMs: 30_000 });
  },
);

onEachKv("release() lets another process claim the same tick at once", async (_, open) => {
  const pair = await openPair(open);
  const tickAt = pair.clock.now;
  await leaseOf(await pair.one.claim("job", tickAt)).release();
  leaseOf(await pair.two.claim("job", tickAt));
});

onEachKv(
  "claim() at Infinity takes a tick that is done, and not one that is running",
  async (_, open) => {
    const pair = await openPair(open);
    const lease = leaseOf(await pair.one.claim("job", Infinity));
    assertEquals((await pair.two.claim("job", Infinity)).kind, "held");
    await lease.end(DONE);
    leaseOf(await pair.two.claim("job", Infinity));
  },
);

onEachKv(
  "claim() is unreachable while KV fails, and extend() keeps a lease until it expires",
  async (_, open) => {
    const pair = await openPair(open);
    const { clock } = pair;
    let fails = false;
    const now = () => clock.now;
    const guarded = guardKv(pair.kv, { report() {}, monotonic: now });
    const leases = createLeases({
      ...guarded,
      attempt: (operation, fallback) =>
        fails ? Promise.resolve(fallback) : guarded.attempt(operation, fallback),
    }, { now, monotonic: now, leaseMs: 30_000 });
    const lease = leaseOf(await leases.claim("job", clock.now));
    fails = true;
    assertEquals((await leases.claim("other", clock.now)).kind, "unreachable");
    clock.now += 29_999;
    assertEquals(await lease.extend(), true);
    clock.now += 1;
    assertEquals(await lease.extend(), false);
  },
);

onEachKv(
  "claim() takes the lease when the answer of its first attempt is lost",
  async (_, open) => {
    const pair = await openPair(open);
    const { clock } = pair;
    const now = () => clock.now;
    const guarded = guardKv(pair.kv, { report() {}, monotonic: now });
    let answers = 0;
    const forgetful = createLeases({
      ...guarded,
      async attempt(operation, fallback) {
        const result = await guarded.attempt(operation, fallback);
        return result !== fallback && ++answers === 1 ? fallback : result;
      },
    }, { now, monotonic: now, leaseMs: 30_000 });
    const lease = leaseOf(await forgetful.claim("job", clock.now));
    assertEquals([answers, (await pair.two.claim("job", clock.now)).kind], [2, "held"]);
    assertEquals(await lease.extend(), true);
  },
);

onEachKv(
  "extend() keeps a lease without KV until it expires by the monotonic clock",
  async (_, open) => {
    const pair = await openPair(open);
    const wall = pair.clock;
    const monotonic = { now: 0 };
    let fails = false;
    const guarded = guardKv(pair.kv, { report() {}, monotonic: () => monotonic.now });
    const leases = createLeases({
      ...guarded,
      attempt: (operation, fallback) =>
        fails ? Promise.resolve(fallback) : guarded.attempt(operation, fallback),
    }, { now: () => wall.now, monotonic: () => monotonic.now, leaseMs: 30_000 });
    const lease = leaseOf(await leases.claim("job", wall.now));
    fails = true;
    wall.now -= 3_600_000;
    monotonic.now += 29_999;
    assertEquals(await lease.extend(), true);
    monotonic.now += 1;
    assertEquals(await lease.extend(), false);
  },
);

Deno.test("claim() takes the lease where the answer of its commit is lost", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const { one, two, clock } = await openPair(open);
  open.server.fail("write", { kind: "apply_then_drop" }, 1);
  const lease = leaseOf(await one.claim("job", clock.now));
  assertEquals((await two.claim("job", clock.now)).kind, "held");
  assertEquals(await lease.extend(), true);
});
