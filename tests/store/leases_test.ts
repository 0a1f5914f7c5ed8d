import { assert, assertEquals } from "@std/assert";
import type { Claim } from "../../src/flow/leased.ts";
import type { RunEnd } from "../../src/rules/lease.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import { createLeases } from "../../src/store/leases.ts";

const DONE: RunEnd = { at: 0, outcome: { kind: "done", told: "all" } };

/** Two processes on one KV, with one clock. */
async function openPair() {
  const kv = await Deno.openKv(":memory:");
  const clock = { now: Date.UTC(2026, 10, 21) };
  const now = () => clock.now;
  const processOf = () => createLeases(guardKv(kv, { report() {}, now }), { now, leaseMs: 30_000 });
  return { one: processOf(), two: processOf(), kv, clock, [Symbol.dispose]: () => kv.close() };
}

function leaseOf(claim: Claim<RunEnd>) {
  assert(claim.kind === "taken", claim.kind);
  return claim.lease;
}

Deno.test("claim() gives a tick to one of two processes that claim it at once", async () => {
  using pair = await openPair();
  const { now } = pair.clock;
  const kinds = (await Promise.all([pair.one, pair.two].map((one) => one.claim("job", now))))
    .map(({ kind }) => kind);
  assertEquals(kinds.toSorted(), ["held", "taken"]);
  assertEquals((await pair.two.claim("other", now)).kind, "taken");
});

Deno.test("a lease that is extended holds, and one that is not lapses", async () => {
  using pair = await openPair();
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

Deno.test("a run that ended ends its tick for everybody, and not the next one", async () => {
  using pair = await openPair();
  const tickAt = pair.clock.now;
  await leaseOf(await pair.one.claim("job", tickAt)).end(DONE);
  assertEquals(await pair.two.claim("job", tickAt), { kind: "ended", end: DONE });
  pair.clock.now += 600_000;
  leaseOf(await pair.two.claim("job", pair.clock.now));
});

Deno.test("whoever lost his lease can neither end nor release the new holder's run", async () => {
  using pair = await openPair();
  const tickAt = pair.clock.now;
  const lost = leaseOf(await pair.one.claim("job", tickAt));
  pair.clock.now += 30_000;
  leaseOf(await pair.two.claim("job", tickAt));
  await lost.end(DONE);
  await lost.release();
  assertEquals(await pair.one.claim("job", tickAt), { kind: "held", forMs: 30_000 });
});

Deno.test("a lease that is released can be claimed at once for the same tick", async () => {
  using pair = await openPair();
  const tickAt = pair.clock.now;
  await leaseOf(await pair.one.claim("job", tickAt)).release();
  leaseOf(await pair.two.claim("job", tickAt));
});

Deno.test("claim() after all that were takes a tick that is done, and not one that is running", async () => {
  using pair = await openPair();
  const lease = leaseOf(await pair.one.claim("job", Infinity));
  assertEquals((await pair.two.claim("job", Infinity)).kind, "held");
  await lease.end(DONE);
  leaseOf(await pair.two.claim("job", Infinity));
});

Deno.test("a KV that does not answer gives no lease, and takes none before it lapses", async () => {
  using pair = await openPair();
  const { clock } = pair;
  let fails = false;
  const now = () => clock.now;
  const guarded = guardKv(pair.kv, { report() {}, now });
  const leases = createLeases({
    ...guarded,
    attempt: (operation, fallback) =>
      fails ? Promise.resolve(fallback) : guarded.attempt(operation, fallback),
  }, { now, leaseMs: 30_000 });
  const lease = leaseOf(await leases.claim("job", clock.now));
  fails = true;
  assertEquals((await leases.claim("other", clock.now)).kind, "unreachable");
  clock.now += 29_999;
  assertEquals(await lease.extend(), true);
  clock.now += 1;
  assertEquals(await lease.extend(), false);
});

Deno.test("claim() takes what it has claimed though nobody told it so", async () => {
  using pair = await openPair();
  const { clock } = pair;
  const now = () => clock.now;
  const guarded = guardKv(pair.kv, { report() {}, now });
  let commits = 0;
  const forgetful = createLeases({
    ...guarded,
    async attempt(operation, fallback) {
      const result = await guarded.attempt(operation, fallback);
      const isCommit = typeof result === "object" && result !== null && "ok" in result;
      return isCommit && ++commits === 1 ? fallback : result;
    },
  }, { now, leaseMs: 30_000 });
  const lease = leaseOf(await forgetful.claim("job", clock.now));
  assertEquals([commits, (await pair.two.claim("job", clock.now)).kind], [1, "held"]);
  assertEquals(await lease.extend(), true);
});
