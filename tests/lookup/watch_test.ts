import { assert, assertEquals } from "@std/assert";
import type { Lab } from "../lab/lab.ts";
import type { NameScript } from "../lab/names.ts";
import { registeredReply } from "../lab/registry_replies.ts";
import { askFromNetworks } from "../support/ask_from_networks.ts";
import { inParallel } from "../support/in_parallel.ts";
import { onChain, onLab, testsOnLab } from "../support/on_lab.ts";
import { parseAtom, parseCalendar } from "../support/parse_feeds.ts";
import { postJson } from "../support/post_json.ts";
import { runJob } from "../support/run_job.ts";
import type { RunningService } from "../support/service.ts";
import { until } from "../support/until.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NAMES = Array.from({ length: 20 }, (_, n) => `watched-${n}.com`);

/** Pauses go on by themselves where a test moves the date. */
const monotonic = () => performance.now();
const test = testsOnLab({ env: { TLDS: "com,org", TRUSTED_PROXIES: "1" }, monotonic });

type Read = Pick<RunningService, "url">;

async function read({ url }: Read, domains: string, from?: string): Promise<string> {
  const headers: HeadersInit = from === undefined ? {} : { "x-forwarded-for": from };
  const response = await fetch(`${url}/watch.atom?domains=${domains}`, { headers });
  return await response.text();
}

const titlesOf = async (service: Read, domains: string, from?: string) =>
  parseAtom(await read(service, domains, from)).map(({ title }) => title);

const listOfWatched = (kv: Deno.Kv) =>
  Array.fromAsync(kv.list<Record<string, unknown>>({ prefix: ["watch"] }));

/** How often registries were asked about names that are watched. */
function askedOf(lab: Lab): number {
  return lab.requests.filter(({ path }) => path.includes("/domain/watched-")).length;
}

const REGISTERED = { dns: "delegated", rdap: "registered" } as const;

test("2,000 readings of a feed ask a registry once an hour for each name", async (service) => {
  const { lab, clock } = service;
  for (const name of NAMES) lab.script(name, { dns: "nxdomain", rdap: "registered" });
  const hours = 5;
  for (let hour = 0; hour < hours; hour++) {
    clock.aheadMs += HOUR_MS;
    const texts = new Set<string>();
    const readings = Array.from({ length: 20 }, () => NAMES).flat();
    await inParallel(readings, 20, async (name) => void texts.add(await read(service, name)));
    assertEquals(texts.size, NAMES.length);
  }
  const asked = askedOf(lab);
  assert(asked <= NAMES.length * hours, `${asked} requests`);
});

Deno.test("the job that keeps names of feeds warm asks where no client's question waits", () =>
  onLab(async (service) => {
    const { get, services, lab, clock } = service;
    for (const name of NAMES) lab.script(name, REGISTERED);
    await services.renewCanaries();
    await read(service, NAMES.join());
    clock.aheadMs = 80 * 60_000;
    await services.renewCanaries();
    lab.clear();
    const names = Array.from({ length: 30 }, (_, n) => `free-${n}`);
    const asking = get("/check", postJson({ names, tlds: ["com"] }));
    await until("the client's questions wait", () => lab.requests.length > 1);
    await runJob(service, "warm_popular");
    await asking;
    const asked = lab.requests.map(({ path }) => path.replace(/.*\/domain\//, ""));
    const last = asked.findLastIndex((domain) => domain.startsWith("free-"));
    const before = asked.slice(0, last).filter((domain) => domain.startsWith("watched-")).length;
    assertEquals([before, askedOf(lab)], [0, NAMES.length], `${asked}`);
  }, {
    env: { TLDS: "com" },
    monotonic,
    paceOf: () => ({ concurrency: 8, burst: 1, everyMs: 50 }),
  }));

Deno.test("names of feeds that are read are renewed and logged without a reader, for eight days after the last one", () =>
  onChain(async (service) => {
    const { lab, clock, chain } = service;
    const now = () => Date.now() + clock.aheadMs;
    const later = (ms: number) => clock.aheadMs += ms;
    lab.script("watched-0", REGISTERED);
    const domains = "watched-0.com,alice.eth";
    assertEquals((await titlesOf(service, domains)).toSorted(), [
      "alice.eth: registered",
      "watched-0.com: registered",
    ]);
    later(2 * HOUR_MS);
    lab.script("watched-0", { dns: "nxdomain", rdap: "redemption" });
    const seenFrom = now() - 1_000;
    await runJob(service, "warm_popular");
    const seenUntil = now();
    later(30 * 60_000);
    lab.clear();
    const [{ id, title, updated = "" } = {}] = parseAtom(await read(service, domains));
    assertEquals(id, `tag:domain-availability,2026:watched-0.com/${updated}/redemption`);
    assertEquals(title, "watched-0.com: deleted; its holder can still restore it");
    const seenAt = Date.parse(updated);
    assert(seenAt >= seenFrom && seenAt <= seenUntil, updated);
    assertEquals(askedOf(lab), 0);
    later(7 * DAY_MS);
    await runJob(service, "warm_popular");
    assertEquals(askedOf(lab) > 0, true);
    later(2 * DAY_MS);
    lab.clear();
    chain.clear();
    await runJob(service, "warm_popular");
    assertEquals([askedOf(lab), chain.requests.length], [0, 0]);
  }, { env: { TLDS: "com" }, monotonic }));

test("the log of a name in a feed has every step when the name is popular, too, whose answers others renew", async (service) => {
  const { lab, clock } = service;
  lab.script("watched-0", REGISTERED);
  await askFromNetworks(service, "/check?name=watched-0&tld=com");
  await read(service, "watched-0.com");
  for (const rdap of ["redemption", "pendingDelete", "free"] as const) {
    lab.script("watched-0", { dns: "nxdomain", rdap });
    clock.aheadMs += HOUR_MS + 1;
    await runJob(service, "warm_popular");
  }
  assertEquals(await titlesOf(service, "watched-0.com"), [
    "watched-0.com: available",
    "watched-0.com: about to be removed by the registry",
    "watched-0.com: deleted; its holder can still restore it",
    "watched-0.com: registered",
  ]);
});

/** What happens to a name of a registry that has its dropped names sold by auction, a day after the other, in the words of a feed. */
const LIFE: [script: NameScript, step: string][] = [
  [REGISTERED, "registered"],
  [{
    dns: "delegated",
    rdap: (registry, domain) => registeredReply(registry, domain, ["auto renew period"]),
  }, "expired, and renewed by the registry until its registrar deletes it or is paid"],
  [{ dns: "nxdomain", rdap: "redemption" }, "deleted; its holder can still restore it"],
  [{ dns: "nxdomain", rdap: "pendingDelete" }, "about to be removed by the registry"],
  [{ dns: "nxdomain", rdap: "dropzone" }, "dropped; sold by application or auction"],
  [{ dns: "nxdomain", rdap: "free" }, "available"],
];

test("feed and calendar have each step of a name's life once and in order, over two processes that see it at once", async ({ lab, clock, start, check, ...one }) => {
  const two = await start();
  for (const [script, step] of LIFE) {
    lab.script("watched-0.org", script);
    await Promise.all([one, two].map((service) => read(service, "watched-0.org")));
    const { state } = await check("watched-0.org");
    assertEquals(state === "available", step === "available", step);
    clock.aheadMs += DAY_MS + HOUR_MS;
  }
  const steps = LIFE.map(([, step]) => `watched-0.org: ${step}`);
  for (const { url } of [one, two]) {
    assertEquals((await titlesOf({ url }, "watched-0.org")).toReversed(), steps);
    const calendar = await (await fetch(`${url}/watch.ics?domains=watched-0.org`)).text();
    assertEquals(parseCalendar(calendar).map(({ summary }) => summary), steps);
  }
});

test("a feed of a name that was always free is the same for its first reader and after others, and is not stored", async ({ kv, clock, start, ...one }) => {
  // All readings are on one day.
  clock.aheadMs = DAY_MS + HOUR_MS - Date.now() % DAY_MS;
  const feeds = [await read(one, "never-had.com", "192.0.2.1")];
  await one.check("never-had.com");
  for (let hour = 0; hour < 5; hour++) {
    clock.aheadMs += HOUR_MS;
    feeds.push(await read(one, "never-had.com", `198.51.100.${hour}`));
  }
  const two = await start();
  feeds.push((await read(two, "never-had.com")).replaceAll(two.url, one.url));
  assertEquals([...new Set(feeds)].length, 1);
  assertEquals(await listOfWatched(kv), []);
});

test("the log of a name has nothing of its readers", async ({ kv, ...service }) => {
  await read(service, "taken.com", "203.0.113.77");
  const entries = await listOfWatched(kv);
  assertEquals(entries.map(({ key }) => key), [["watch", "taken.com"]]);
  assertEquals(Object.keys(entries[0]?.value ?? {}).toSorted(), ["changes", "readAt"]);
  assertEquals(Number(entries[0]?.value.readAt) % HOUR_MS, 0);
  assert(!JSON.stringify(entries).includes("203.0.113"));
});

test("a network can have 100 names kept in a day; a feed shows the others without a log", async ({ lab, kv, ...service }) => {
  lab.scriptUnscripted(REGISTERED);
  for (let from = 0; from < 140; from += 20) {
    const names = Array.from({ length: 20 }, (_, n) => `many-${from + n}.com`);
    assertEquals((await titlesOf(service, names.join(), "192.0.2.9")).length, 20);
  }
  assertEquals((await listOfWatched(kv)).length, 100);
  for (const [from, count] of [["192.0.2.10", 100], ["198.51.100.1", 101]] as const) {
    await read(service, "many-139.com", from);
    assertEquals((await listOfWatched(kv)).length, count, from);
  }
});

test("a name that has just dropped is told as such where its registry may hold it back, until it may not", async (service) => {
  const { check, get, lab, clock } = service;
  lab.script("watched-0", REGISTERED);
  await read(service, "watched-0.org");
  await check("watched-0.org");
  lab.script("watched-0", { dns: "nxdomain", rdap: "free" });
  clock.aheadMs += HOUR_MS + 1;
  assertEquals(await titlesOf(service, "watched-0.org"), [
    "watched-0.org: just dropped; the registry may hold it back for a day",
    "watched-0.org: registered",
  ]);
  const { body } = await get("/details?domain=watched-0.org");
  assertEquals([body.state, body.available, body.drop.phase], ["unknown", false, "purged"]);
  clock.aheadMs += 2 * DAY_MS;
  assertEquals((await titlesOf(service, "watched-0.org"))[0], "watched-0.org: available");
});
