import { assert, assertEquals } from "@std/assert";
import { startChain } from "../lab/chain/chain.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { askFromNetworks } from "../support/ask_from_networks.ts";
import { inParallel } from "../support/in_parallel.ts";
import { createKvFile } from "../support/kv_file.ts";
import { parseAtom } from "../support/parse_feeds.ts";
import { runJob } from "../support/run_job.ts";
import { type RunningService, startService } from "../support/service.ts";
import { until } from "../support/until.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NAMES = Array.from({ length: 20 }, (_, n) => `watched-${n}.com`);

/** Starts the service at a date that the test sets; pauses go on by themselves. */
async function startAt(now: () => number, lab: Lab, env: Record<string, string> = { TLDS: "com" }) {
  return await startService(lab, { env, now, monotonic: () => performance.now() });
}

async function read({ url }: RunningService, domains: string, from?: string): Promise<string> {
  const headers: HeadersInit = from === undefined ? {} : { "x-forwarded-for": from };
  const response = await fetch(`${url}/watch.atom?domains=${domains}`, { headers });
  return await response.text();
}

const titlesOf = (feed: string) => parseAtom(feed).map(({ title }) => title);

/** How often registries were asked about names that are watched. */
function askedOf(lab: Lab): number {
  return lab.requests.filter(({ path }) => path.includes("/domain/watched-")).length;
}

Deno.test("2,000 readings of a feed ask a registry once an hour for each name", async () => {
  await using lab = await startLab();
  for (const name of NAMES) lab.script(name, { dns: "nxdomain", rdap: "registered" });
  let now = Date.now();
  await using service = await startAt(() => now, lab);
  const hours = 5;
  for (let hour = 0; hour < hours; hour++) {
    now += HOUR_MS;
    const texts = new Set<string>();
    const readings = Array.from({ length: 20 }, () => NAMES).flat();
    await inParallel(readings, 20, async (name) => void texts.add(await read(service, name)));
    assertEquals(texts.size, NAMES.length);
  }
  const asked = askedOf(lab);
  assert(asked <= NAMES.length * hours, `${asked} requests`);
});

Deno.test("the job that keeps names of feeds warm asks where no client's question waits", async () => {
  await using lab = await startLab();
  let addedMs = 0;
  await using service = await startService(lab, {
    env: { TLDS: "com" },
    now: () => Date.now() + addedMs,
    monotonic: () => performance.now(),
    paceOf: () => ({ concurrency: 8, burst: 1, everyMs: 50 }),
  });
  for (const name of NAMES) lab.script(name, { dns: "delegated", rdap: "registered" });
  await service.services.renewCanaries();
  await read(service, NAMES.join());
  addedMs = 80 * 60_000;
  await service.services.renewCanaries();
  lab.clear();
  const names = Array.from({ length: 30 }, (_, n) => `free-${n}`);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ names, tlds: ["com"] });
  const asking = service.get("/check", { method: "POST", headers, body });
  await until("the client's questions wait", () => lab.requests.length > 1);
  await runJob(service, "warm_popular");
  await asking;
  const asked = lab.requests.map(({ path }) => path.replace(/.*\/domain\//, ""));
  const last = asked.findLastIndex((domain) => domain.startsWith("free-"));
  const before = asked.slice(0, last).filter((domain) => domain.startsWith("watched-")).length;
  assertEquals([before, askedOf(lab)], [0, NAMES.length], `${asked}`);
});

Deno.test("names of feeds that are read are renewed and logged without a reader, for eight days after the last one", async () => {
  await using lab = await startLab();
  lab.script("watched-0", { dns: "delegated", rdap: "registered" });
  let now = Date.now();
  await using chain = await startChain({ now: () => now });
  await using service = await startAt(() => now, lab, { ...chain.env, TLDS: "com" });
  const domains = "watched-0.com,alice.eth";
  assertEquals(titlesOf(await read(service, domains)).toSorted(), [
    "alice.eth: registered",
    "watched-0.com: registered",
  ]);
  now += 2 * HOUR_MS;
  lab.script("watched-0", { dns: "nxdomain", rdap: "redemption" });
  await runJob(service, "warm_popular");
  const seenAt = now;
  now += 30 * 60_000;
  lab.clear();
  chain.clear();
  const entries = parseAtom(await read(service, domains));
  assertEquals(entries[0], {
    id: `tag:domain-availability,2026:watched-0.com/${entries[0]?.updated}/redemption`,
    title: "watched-0.com: deleted; its holder can still restore it",
    updated: entries[0]?.updated ?? "",
  });
  assert(Math.abs(Date.parse(entries[0]?.updated ?? "") - seenAt) <= 1_000);
  assertEquals(askedOf(lab), 0);
  now += 7 * DAY_MS;
  await runJob(service, "warm_popular");
  assertEquals(askedOf(lab) > 0, true);
  now += 2 * DAY_MS;
  lab.clear();
  chain.clear();
  await runJob(service, "warm_popular");
  assertEquals([askedOf(lab), chain.requests.length], [0, 0]);
});

Deno.test("the log of a name in a feed has every step when the name is popular, too, whose answers others renew", async () => {
  await using lab = await startLab();
  lab.script("watched-0", { dns: "delegated", rdap: "registered" });
  let now = Date.now();
  await using service = await startAt(() => now, lab, { TLDS: "com", TRUSTED_PROXIES: "1" });
  await askFromNetworks(service, "/check?name=watched-0");
  await read(service, "watched-0.com");
  for (const rdap of ["redemption", "pendingDelete", "free"] as const) {
    lab.script("watched-0", { dns: "nxdomain", rdap });
    now += HOUR_MS + 1;
    await runJob(service, "warm_popular");
  }
  assertEquals(titlesOf(await read(service, "watched-0.com")), [
    "watched-0.com: available",
    "watched-0.com: about to be removed by the registry",
    "watched-0.com: deleted; its holder can still restore it",
    "watched-0.com: registered",
  ]);
});

Deno.test("a feed of a name that was always free is the same for its first reader and after others, and is not stored", async () => {
  await using lab = await startLab();
  await using file = await createKvFile();
  let now = Math.floor(Date.now() / DAY_MS) * DAY_MS + HOUR_MS;
  const start = async () =>
    await startService(lab, {
      env: { TLDS: "com", TRUSTED_PROXIES: "1" },
      kv: await file.open(),
      now: () => now,
      monotonic: () => performance.now(),
    });
  await using read1 = await start();
  const feeds = [await read(read1, "never-had.com", "192.0.2.1")];
  await read1.check("never-had.com");
  for (let hour = 0; hour < 5; hour++) {
    now += HOUR_MS;
    feeds.push(await read(read1, "never-had.com", `198.51.100.${hour}`));
  }
  await using read2 = await start();
  feeds.push((await read(read2, "never-had.com")).replaceAll(read2.url, read1.url));
  assertEquals([...new Set(feeds)].length, 1);
  using kv = await file.open();
  assertEquals(await Array.fromAsync(kv.list({ prefix: ["watch"] })), []);
});

Deno.test("the log of a name has nothing of its readers", async () => {
  await using lab = await startLab();
  await using file = await createKvFile();
  await using service = await startService(lab, {
    env: { TLDS: "com", TRUSTED_PROXIES: "1" },
    kv: await file.open(),
  });
  await read(service, "taken.com", "203.0.113.77");
  using kv = await file.open();
  const entries = await Array.fromAsync(kv.list<Record<string, unknown>>({ prefix: ["watch"] }));
  assertEquals(entries.map(({ key }) => key), [["watch", "taken.com"]]);
  assertEquals(Object.keys(entries[0]?.value ?? {}).toSorted(), ["changes", "readAt"]);
  assertEquals(Number(entries[0]?.value.readAt) % HOUR_MS, 0);
  assert(!JSON.stringify(entries).includes("203.0.113"));
});

Deno.test("a network can have 100 names kept in a day; a feed shows the others without a log", async () => {
  await using lab = await startLab();
  lab.scriptUnscripted({ dns: "delegated", rdap: "registered" });
  await using file = await createKvFile();
  await using service = await startService(lab, {
    env: { TLDS: "com", TRUSTED_PROXIES: "1" },
    kv: await file.open(),
  });
  const listOf = (from: number) => Array.from({ length: 20 }, (_, n) => `many-${from + n}.com`);
  for (let from = 0; from < 140; from += 20) {
    const titles = titlesOf(await read(service, listOf(from).join(), "192.0.2.9"));
    assertEquals(titles.length, 20);
  }
  using kv = await file.open();
  const count = async () => (await Array.fromAsync(kv.list({ prefix: ["watch"] }))).length;
  assertEquals(await count(), 100);
  await read(service, "many-139.com", "192.0.2.10");
  assertEquals(await count(), 100, "of the same network");
  await read(service, "many-139.com", "198.51.100.1");
  assertEquals(await count(), 101);
});

Deno.test("a name that has just dropped is told as such where its registry may hold it back, until it may not", async () => {
  await using lab = await startLab();
  let now = Date.now();
  await using service = await startAt(() => now, lab, { TLDS: "org" });
  lab.script("watched-0", { dns: "delegated", rdap: "registered" });
  await read(service, "watched-0.org");
  await service.check("watched-0.org");
  lab.script("watched-0", { dns: "nxdomain", rdap: "free" });
  now += HOUR_MS + 1;
  assertEquals(titlesOf(await read(service, "watched-0.org")), [
    "watched-0.org: just dropped; the registry may hold it back for a day",
    "watched-0.org: registered",
  ]);
  const { body } = await service.get("/details?domain=watched-0.org");
  assertEquals([body.state, body.available, body.drop.phase], ["unknown", false, "purged"]);
  now += 2 * DAY_MS;
  assertEquals(titlesOf(await read(service, "watched-0.org"))[0], "watched-0.org: available");
});
