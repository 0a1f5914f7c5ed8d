import { assertEquals } from "@std/assert";
import { createHere } from "../../src/cli/here.ts";
import { createPauses } from "../../src/cli/pauses.ts";
import { verdictOf } from "../../src/cli/row.ts";
import type { DomainResult } from "../../src/lookup/check_domain.ts";
import { FakeTime } from "../support/fake_time.ts";

const UNKNOWN: DomainResult = {
  domain: "x.com",
  tld: "com",
  state: "unknown",
  available: false,
  status: ["unknown"],
  premium: false,
  source: "rdap",
  checkedAt: "2026-11-21T12:00:00.000Z",
  responseMs: 7,
  error: "The host is rate-limiting us",
};
const FREE: DomainResult = { ...UNKNOWN, available: true, status: ["undelegated", "inactive"] };

const never = () => Promise.reject(new Error("not to be asked"));

/** Asks for x.com, whose registry is left alone for so long each time, and then answers. */
async function ask(pausesMs: number[], { patient }: { patient: boolean }) {
  const waits: string[] = [];
  let asked = 0;
  const waiter = await createHere({
    checkDomain: () => Promise.resolve(asked++ < pausesMs.length ? UNKNOWN : FREE),
    ens: { check: never, profile: never },
    tlds: { enabled: () => Promise.resolve(["com"]), fresh: () => Promise.resolve([]) },
    pauseOf: () => Promise.resolve({ host: "rdap.example", ms: pausesMs[asked - 1] ?? 0 }),
  }, {
    pauses: patient
      ? { wait: (whom, ms) => (waits.push(`${whom} ${ms}`), Promise.resolve()) }
      : undefined,
    stop: new AbortController().signal,
    monotonic: Date.now,
  });
  const rows = await Array.fromAsync(waiter.ask({ label: "x", tlds: ["com"] }));
  return { waits, verdicts: rows.map(verdictOf) };
}

Deno.test("createHere() waits for a registry that is left alone, where there is time", async () => {
  assertEquals(await ask([30_000, 60_000], { patient: true }), {
    waits: ["rdap.example 30000", "rdap.example 60000"],
    verdicts: ["free"],
  });
  assertEquals(await ask([30_000], { patient: false }), { waits: [], verdicts: ["unknown"] });
});

Deno.test("createHere() does not wait for what no pause will change, nor for ever", async () => {
  assertEquals(await ask([0], { patient: true }), { waits: [], verdicts: ["unknown"] });
  assertEquals(await ask([3_600_000], { patient: true }), { waits: [], verdicts: ["unknown"] });
  const { waits, verdicts } = await ask([40_000, 40_000, 40_000], { patient: true });
  assertEquals([waits.length, verdicts], [2, ["unknown"]]);
});

Deno.test("createPauses() says once what all wait for, and again what is longer", async () => {
  using time = new FakeTime(0);
  const notes: string[] = [];
  const stop = new AbortController();
  const pauses = createPauses({
    note: (line) => void notes.push(line),
    stop: stop.signal,
    now: Date.now,
  });
  const waits = [
    pauses.wait("a.example", 30_000),
    pauses.wait("a.example", 30_400),
    pauses.wait("b.example", 1_000),
  ];
  time.tick(32_400);
  await Promise.all(waits);
  assertEquals(notes, [
    "Waiting 30 s until a.example may be asked again",
    "Waiting 1 s until b.example may be asked again",
  ]);
  const interrupted = pauses.wait("a.example", 60_000);
  assertEquals(notes.length, 3);
  stop.abort();
  await interrupted;
  await pauses.wait("a.example", 60_000);
});
