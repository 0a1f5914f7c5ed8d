import { assertEquals } from "@std/assert";
import { startLab } from "../lab/lab.ts";
import { createKvFile } from "../support/kv_file.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const env = { TLDS: "com" };

/** Settles once the registry has been asked about a domain. */
function askedAbout(lab: { requests: readonly { path: string }[] }, domain: string) {
  return until(domain, () => lab.requests.some(({ path }) => path.endsWith(`/${domain}`)), 1);
}

Deno.test("a late renewal does not overwrite the newer result of a client's look-up", async () => {
  await using lab = await startLab();
  let now = Date.now();
  const clocks = { now: () => now, monotonic: () => performance.now() };
  await using service = await startService(lab, { env, ...clocks });
  const { warmers } = service.services.jobs.dependencies;
  const domains = warmers.find(({ kind }) => kind === "domain");
  await service.check("hotname.com");
  now += 6 * 60_000;
  lab.clear();
  lab.script("hotname.com", { dns: "nxdomain", rdap: "free", delayMs: 300 });
  const [lookup] = await domains?.lookupsOf("hotname") ?? [];
  const renewing = lookup?.renew(now + 60_000);
  await askedAbout(lab, "hotname.com");
  now += 50;
  lab.script("hotname.com", { dns: "delegated", rdap: "registered" });
  assertEquals((await service.check("hotname.com")).status, ["active"]);
  assertEquals(await renewing, "fresh");
  const next = await service.check("hotname.com");
  assertEquals([next.state, next.source], ["taken", "dns+cache"]);
});

Deno.test("a slow look-up does not overwrite in KV the newer result of another process", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  await using slow = await startService(lab, { env, kv: await file.open() });
  await using quick = await startService(lab, { env, kv: await file.open() });
  await slow.check("another.com");
  lab.script("hotname.com", { dns: "nxdomain", rdap: "free", delayMs: 300 });
  lab.clear();
  const late = slow.check("hotname.com");
  await askedAbout(lab, "hotname.com");
  lab.script("hotname.com", { dns: "delegated", rdap: "registered" });
  const found = await quick.check("hotname.com");
  assertEquals(found.state, "taken");
  await late;
  await using third = await startService(lab, { env, kv: await file.open() });
  for (const service of [third, slow, quick]) {
    await until("the findings have been written", async () => {
      const { state, source, checkedAt } = await service.check("hotname.com");
      return [state, source, checkedAt].join() === ["taken", "dns+cache", found.checkedAt].join();
    });
  }
});

Deno.test("checkedAt is when the deciding question was sent, not when the answer came", async () => {
  await using lab = await startLab();
  await using service = await startService(lab, { env });
  await service.check("another.com");
  lab.script("slow-one.com", { dns: "nxdomain", rdap: "free", delayMs: 200 });
  lab.clear();
  const { checkedAt } = await service.check("slow-one.com");
  const answeredAt = Date.now();
  assertEquals(answeredAt - Date.parse(checkedAt) >= 200, true);
});

Deno.test("an available result is cached until five minutes after its question was sent", async () => {
  await using lab = await startLab();
  const kv = await Deno.openKv(":memory:");
  await using service = await startService(lab, { env, kv });
  lab.script("slow-one.com", { dns: "nxdomain", rdap: "free", delayMs: 100 });
  const { checkedAt } = await service.check("slow-one.com");
  const askedAt = Date.parse(checkedAt);
  await until("the finding has been written", async () => {
    const { value } = await kv.get<{ com: unknown[] }>(["domain", "slow-one"]);
    return `${value?.com}` === `available,rdap,${askedAt},${askedAt + 5 * 60_000}`;
  });
});

Deno.test("a 404 that was asked for after a delegation was found does not undo it when its own DNS question was earlier", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const paceOf = () => ({ concurrency: 1, burst: 1, everyMs: 400 });
  await using slow = await startService(lab, { env, kv: await file.open(), paceOf });
  await using quick = await startService(lab, { env, kv: await file.open() });
  await slow.services.renewCanaries();
  await quick.services.renewCanaries();
  lab.clear();
  await slow.check("another.com");
  const late = slow.check("hotname.com");
  const isAsked = () => lab.dnsQueries.some(({ name }) => name.startsWith("hotname.com"));
  await until("DNS is asked", isAsked, 1);
  // The registry has not taken the new delegation over yet: it still denies the name.
  lab.script("hotname.com", { dns: "delegated", rdap: "free" });
  const found = await quick.check("hotname.com");
  assertEquals(found.state, "taken");
  await late;
  await using third = await startService(lab, { env, kv: await file.open() });
  const { state, checkedAt } = await third.check("hotname.com");
  assertEquals([state, checkedAt], ["taken", found.checkedAt]);
});
