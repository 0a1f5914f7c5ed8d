import { assert, assertEquals, assertMatch } from "@std/assert";
import { createAccuracyLog } from "../../src/lookup/accuracy_log.ts";
import { createAccuracyStore } from "../../src/store/accuracy.ts";
import { guardKv } from "../../src/store/guarded_kv.ts";
import type { Incident } from "../../src/rules/accuracy.ts";
import { until } from "../support/until.ts";
import { onEachKv, openKvConnect } from "../support/on_each_kv.ts";

const NOON = Date.UTC(2026, 10, 22, 12);
const HOUR_MS = 3_600_000;

function logOn(kv: Deno.Kv, now = () => NOON) {
  const guarded = guardKv(kv, { report() {}, monotonic: () => performance.now() });
  return createAccuracyLog({ store: createAccuracyStore(guarded), now });
}

onEachKv("lastDay() is what all processes counted, by the hour", async (kv, open) => {
  let now = NOON - HOUR_MS;
  const clock = () => now;
  const [one, two] = [logOn(kv, clock), logOn(await open.openAnother(), clock)];
  one.note({ label: "name", tld: "com", rdapMs: 40 });
  await one.stop();
  now = NOON;
  one.note({ label: "name", tld: "com", rdapMs: 60, cause: "registry_down" });
  two.note({ label: "name", tld: "com", rdapMs: 0 });
  two.note({ label: "name", tld: "io", rdapMs: 10, cause: "dns_only" });
  two.note({ label: "name", tld: "io", rdapMs: 10, cause: "cancelled" });
  await one.stop();
  const hours = await two.lastDay();
  assertEquals(hours.length, 24);
  assertEquals(hours.slice(-2).map(({ tlds }) => tlds), [
    { com: { answers: 1, unknown: {}, asked: 1, askedMs: 40 } },
    { com: { answers: 2, unknown: { registry_down: 1 }, asked: 1, askedMs: 60 } },
  ]);
  await two.stop();
});

Deno.test("note() stores the name of a disagreement as a hash that differs between processes", async () => {
  using kv = await Deno.openKv(":memory:");
  const logs = [logOn(kv), logOn(kv)];
  for (const log of logs) {
    log.note({ label: "secret-name", tld: "io", rdapMs: 5, cause: "whois" });
    log.note({ label: "secret-name", tld: "io", rdapMs: 5, cause: "registrar" });
    log.noteWithdrawal("com", "it lies");
  }
  const incidents = async () => {
    const days = await Promise.all(logs.map((log) => log.lastDay()));
    return days.flat().flatMap((hour) => hour.incidents);
  };
  const namesIn = (some: readonly Incident[]) =>
    new Set(some.flatMap((one) => one.kind === "disagreement" ? one.name : []));
  await until("both processes have hashed the name", async () => {
    return namesIn(await incidents()).size === 2;
  });
  const found = await incidents();
  assert(!JSON.stringify(found).includes("secret"));
  assert(found.some((one) => one.kind === "withdrawal" && one.why === "it lies"));
  const disagreements = found.filter((one) => one.kind === "disagreement");
  assertEquals(
    new Set(disagreements.map(({ between }) => between)),
    new Set([
      "rdap and whois",
      "rdap and a registrar",
    ]),
  );
  for (const { name } of disagreements) assertMatch(name, /^[0-9a-f]{16}$/);
  for (const log of logs) await log.stop();
});

Deno.test("lastDay() is what this process counted when KV fails, which is written once KV answers again", async () => {
  await using open = await openKvConnect({ roundTripMs: 0 });
  const log = logOn(open.kv);
  open.server.fail("read", { kind: "status", status: 429 });
  log.note({ label: "name", tld: "com", rdapMs: 40 });
  assertEquals((await log.lastDay()).at(-1)?.tlds.com?.answers, 1);
  open.server.recover();
  await log.stop();
  assertEquals((await logOn(await open.openAnother()).lastDay()).at(-1)?.tlds.com?.answers, 1);
});
