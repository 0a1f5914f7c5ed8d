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

onEachKv("claim() gives a tick to one of two processes that claim it at once", async (_, open) => {
  const pair = await openPair(open);
  const { now } = pair.clock;
  const kinds = (await Promise.all([pair.one, pair.two].map((one) => one.claim("job", now))))
    .map(({ kind }) => kind);
  assertEquals(kinds.toSorted(), ["held", "taken"]);
  assertEquals((await pair.two.claim("other", now)).kind, "taken");
});

onEachKv("a lease that is extended holds, and one that is not lapses", async (_, open) => {
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

onEachKv("a run that ended ends its tick for everybody, and not the next one", async (_, open) => {
  const pair = await openPair(open);
  const tickAt = pair.clock.now;
  await leaseOf(await pair.one.claim("job", tickAt)).end(DONE);
  assertEquals(await pair.two.claim("job", tickAt), { kind: "ended", end: DONE });
  pair.clock.now += 600_000;
  leaseOf(await pair.two.claim("job", pair.clock.now));
});

onEachKv(
  "whoever lost his lease can neither end nor release the new holder's run",
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

onEachKv("a lease that is released can be claimed at once for the same tick", async (_, open) => {
  const pair = await openPair(open);
  const tickAt = pair.clock.now;
  await leaseOf(await pair.one.claim("job", tickAt)).release();
  leaseOf(await pair.two.claim("job", tickAt));
});

onEachKv(
  "claim() after all that were takes a tick that is done, and not one that is running",
  async (_, open) => {
    const pair = await openPair(open);
    const lease = leaseOf(await pair.one.claim("job", Infinity));
    assertEquals((await pair.two.claim("job", Infinity)).kind, "held");
    await lease.end(DONE);
    leaseOf(await pair.two.claim("job", Infinity));
  },
);

onEachKv(
  "a KV that does not answer gives no lease, and takes none before it lapses",
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

onEachKv("claim() takes what it has claimed though nobody told it so", async (_, open) => {
  const pair = await openPair(open);
  const { clock } = pair;
  const now = () => clock.now;
  const guarded = guardKv(pair.kv, { report() {}, monotonic: now });
  let commits = 0;
  const forgetful = createLeases({
    ...guarded,
    async attempt(operation, fallback) {
      const result = await guarded.attempt(operation, fallback);
      const isCommit = typeof result === "object" && result !== null && "ok" in result;
      return isCommit && ++commits === 1 ? fallback : result;
    },
  }, { now, monotonic: now, leaseMs: 30_000 });
  const lease = leaseOf(await forgetful.claim("job", clock.now));
  assertEquals([commits, (await pair.two.claim("job", clock.now)).kind], [1, "held"]);
  assertEquals(await lease.extend(), true);
});

onEachKv(
  "extend() holds a lease for as long as it lasts, not as long as a clock is set back, without KV",
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
