import { assert, assertEquals } from "@std/assert";
import { type Lab, startLab } from "../lab/lab.ts";
import { inParallel } from "../support/in_parallel.ts";
import { createKvFile } from "../support/kv_file.ts";
import { startService } from "../support/service.ts";

function queriesFor(lab: Lab, domain: string) {
  return {
    dns: lab.dnsQueries.filter(({ name }) => name === domain).length,
    rdap: lab.requests.filter(({ path }) => path.endsWith(`/domain/${domain}`)).length,
  };
}

Deno.test("a cache hit is marked as cached, has the checkedAt of the look-up, and makes no upstream request", async () => {
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

Deno.test("available is cached for 5 minutes, taken for an hour, reserved for a day", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using service = await startService(lab, { now: () => now });
  const domains = ["free-name.online", "taken.online", "reserved.online"];
  const cached = async () => {
    const results = await Promise.all(domains.map(service.check));
    return results.map(({ source }) => source.endsWith("+cache"));
  };
  const later = async (ms: number) => {
    // While a value is being stored it is returned for any clock: wait for the write.
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

Deno.test("1,000 identical requests, 200 at once, cause one DNS query and at most one RDAP query per TLD", async () => {
  await using lab = await startLab({ dnsDelayMs: 20, latency: "real" });
  const tlds = ["com", "dev", "online", "org", "xyz"];
  await using service = await startService(lab, { env: { TLDS: tlds.join(",") } });
  // A busy machine resets some of 1,000 connections that are opened at once.
  const paths = Array<string>(1_000).fill("/check?name=wanted");
  const answers = await inParallel(paths, 200, (path) => service.get(path));
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

Deno.test("a server that starts answers from KV what is not available, and asks again about what is", async () => {
  await using file = await createKvFile();
  await using lab = await startLab();
  const names = ["taken.com", "undelegated.com", "reserved.com", "free-name.com"];
  const rows = [];
  {
    await using one = await startService(lab, { kv: await file.open() });
    for (const name of names) rows.push(await one.check(name));
  }
  const known = rows.map(({ source, checkedAt }) => [`${source}+cache`, checkedAt]);
  await using two = await startService(lab, { kv: await file.open() });
  const found = [];
  for (const name of names) found.push(await two.check(name));
  assertEquals(found.map(({ source, checkedAt }) => [source, checkedAt]), known);
});

/** A KV whose operations all do the same; it has those that the service uses. */
function unrulyKv(behave: () => Promise<never>): Deno.Kv {
  return { get: behave, set: behave, close() {} } as unknown as Deno.Kv;
}

Deno.test("a failing KV disables only the cache and is logged once", async () => {
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

Deno.test("a hanging KV delays one check by its deadline, and later checks not at all", async () => {
  await using lab = await startLab();
  const hung = Promise.withResolvers<never>();
  const kv = unrulyKv(() => hung.promise);
  const timeouts = { kv: { deadlineMs: 100, pauseMs: 60_000 } };
  await using service = await startService(lab, { kv, timeouts });
  for (const label of ["new-1", "new-2", "new-3"]) {
    assertEquals((await service.check(`${label}.com`)).available, true);
  }
  // Rejects the hanging operations: the service must be able to close.
  hung.reject(new Error("gone"));
});
