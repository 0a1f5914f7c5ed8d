import { assert, assertEquals } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { startService } from "../support/service.ts";

function queriesFor(lab: Lab, domain: string) {
  return {
    dns: lab.dnsQueries.filter(({ name }) => name === domain).length,
    rdap: lab.requests.filter(({ path }) => path.endsWith(`/domain/${domain}`)).length,
  };
}

Deno.test("a kept answer says so, keeps the time of its finding, and asks nobody", async () => {
  await using lab = await startLab();
  await using service = await startService(lab);
  for (const [domain, source] of [["taken.com", "dns"], ["free-name.com", "rdap"]] as const) {
    const first = await service.check(domain);
    const again = await service.check(domain);
    assertEquals([first.source, again.source], [source, `${source}+cache`]);
    assertEquals({ ...again, source, responseMs: 0 }, { ...first, source, responseMs: 0 });
    assertEquals(queriesFor(lab, domain), { dns: 1, rdap: source === "rdap" ? 1 : 0 });
  }
});

Deno.test("available is kept for 5 minutes, taken for an hour, reserved for a day", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using service = await startService(lab, { now: () => now });
  const domains = ["free-name.online", "taken.online", "reserved.online"];
  const cached = async () => {
    const results = await Promise.all(domains.map(service.check));
    return results.map(({ source }) => source.endsWith("+cache"));
  };
  const later = async (ms: number) => {
    // What is being stored at this moment would be answered whatever the clock says: let it be stored first.
    await cached();
    now += ms;
  };
  assertEquals(await cached(), [false, false, false]);
  await later(5 * 60_000 - 1_000);
  assertEquals(await cached(), [true, true, true]);
  await later(1_000);
  assertEquals(await cached(), [false, true, true]);
  await later(56 * 60_000);
  assertEquals(await cached(), [false, false, true]);
  await later(24 * 3_600_000);
  assertEquals(await cached(), [false, false, false]);
});

Deno.test("1,000 identical requests at once cause one DNS query and at most one RDAP query a TLD", async () => {
  await using lab = await startLab({ dnsDelayMs: 20, latency: "real" });
  const tlds = ["com", "dev", "online", "org", "xyz"];
  await using service = await startService(lab, { env: { TLDS: tlds.join(",") } });
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, () => service.get("/check?name=wanted")),
  );
  assert(
    answers.every(({ status, body }) => status === 200 && body.results.length === tlds.length),
  );
  assert(
    answers.every(({ body }) =>
      body.results.every(({ available }: Record<string, unknown>) => available)
    ),
  );
  for (const tld of tlds) assertEquals(queriesFor(lab, `wanted.${tld}`), { dns: 1, rdap: 1 }, tld);
});

Deno.test("what one process found, another on the same KV answers from the cache", async () => {
  const path = await Deno.makeTempFile({ suffix: ".sqlite" });
  await using lab = await startLab();
  let found;
  {
    await using one = await startService(lab, { kv: await Deno.openKv(path) });
    found = await one.check("free-name.com");
  }
  await using two = await startService(lab, { kv: await Deno.openKv(path) });
  const kept = await two.check("free-name.com");
  assertEquals([kept.source, kept.checkedAt], ["rdap+cache", found.checkedAt]);
});

/** A KV of which every operation does the same; what it can be asked is what the service asks. */
function unrulyKv(behave: () => Promise<never>): Deno.Kv {
  return { get: behave, set: behave, close() {} } as unknown as Deno.Kv;
}

Deno.test("a KV that fails costs a check nothing but its cache, and is told once", async () => {
  await using lab = await startLab();
  const kv = unrulyKv(() => Promise.reject(new Error("disk I/O error")));
  await using service = await startService(lab, { kv });
  assertEquals((await service.check("free-name.com")).available, true);
  assertEquals((await service.check("free-name.com")).source, "rdap+cache", "memory is left");
  assertEquals((await service.check("taken.com")).available, false);
  assertEquals((await service.get("/health")).body.checks.kv, "failing");
  assertEquals((await service.get("/health/ready")).status, 503);
  assertEquals(service.events.filter(({ event }) => event === "kv.failing").length, 1);
});

Deno.test("a KV that hangs delays one check by a moment, and then none", async () => {
  await using lab = await startLab();
  const hung = Promise.withResolvers<never>();
  const kv = unrulyKv(() => hung.promise);
  await using service = await startService(lab, { kv });
  for (const label of ["new-1", "new-2", "new-3"]) {
    assertEquals((await service.check(`${label}.com`)).available, true);
  }
  // It comes back with a fault: the service must be able to close.
  hung.reject(new Error("gone"));
});
