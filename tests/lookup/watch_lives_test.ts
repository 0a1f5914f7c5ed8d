import { assert, assertEquals } from "@std/assert";
import { startChain } from "../lab/chain/chain.ts";
import { startLab } from "../lab/lab.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import type { NameScript } from "../lab/names.ts";
import { type Registry, registryOf } from "../lab/registries.ts";
import { registeredReply } from "../lab/registry_replies.ts";
import { changedKv } from "../support/changed_kv.ts";
import { createKvFile } from "../support/kv_file.ts";
import { parseAtom, parseCalendar } from "../support/parse_feeds.ts";
import { type RunningService, startService } from "../support/service.ts";

const DAY_MS = 86_400_000;

/** What a registry shows of a name from a day on: a record with these statuses, or an answer of the lab. */
interface Moment extends Partial<Pick<NameScript, "whois">> {
  from: number;
  statuses?: readonly string[];
  /** Absent: a 404 like that for any other name. */
  rdap?: "expiryAccessPeriod";
  /** How a feed tells it. */
  step: string;
}

/** The day on which each name expires: its registry renews it, its registrar deletes it on day 20. */
const EXPIRES_ON = 5;
const PURGED_ON = 55.5;
const GENERIC: readonly Moment[] = [
  { from: 0, statuses: ["active"], step: "registered" },
  {
    from: EXPIRES_ON,
    statuses: ["auto renew period"],
    step: "expired, and renewed by the registry until its registrar deletes it or is paid",
  },
  {
    from: 20,
    statuses: ["redemption period", "pending delete"],
    step: "deleted; its holder can still restore it",
  },
  { from: 50.5, statuses: ["pending delete"], step: "about to be removed by the registry" },
];

/** How each registry holds a purged name back, and until when. */
const HELD_BACK: Readonly<
  Record<string, readonly [freeFrom: number, held?: Omit<Moment, "from">]>
> = {
  com: [PURGED_ON],
  io: [PURGED_ON],
  org: [56.4, { whois: "dropzone", step: "dropped; sold by application or auction" }],
  app: [65.5, {
    rdap: "expiryAccessPeriod",
    step: "dropped; sold by some registrars at a fee that falls daily (Expiry Access Period)",
  }],
};

const LIVES = Object.entries(HELD_BACK).map(([tld, [freeFrom, held]]) => {
  const last = [...(held ? [{ from: PURGED_ON, ...held }] : []), {
    from: freeFrom,
    step: "available",
  }];
  return { domain: `one-life.${tld}`, tld, freeFrom, moments: [...GENERIC, ...last] };
});

const TOLD: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    LIVES.map(({ domain, moments }) => [domain, moments.map(({ step }) => step)]),
  ),
  "bare.eth": [
    "registered",
    "expired; only its holder can renew it",
    "available at a premium price",
    "available",
  ],
};
const DOMAINS = Object.keys(TOLD).join();

/** Days between the moments of all lives; a "reserved" of the day before is cached for a day. */
const DAYS = [
  ...[0, 0.5, 1.5, 4, 5.2, 6, 12, 15.1, 20.1, 21, 35.1, 49, 50.6, 52, 55.4],
  ...[55.51, 55.6, 56, 56.3, 57.4, 58, 65.4, 66.5, 75, 90, 91.5, 105, 112.5],
];

/** What the lab says of a name at a moment. */
function scriptOf(
  { domain, tld }: { domain: string; tld: string },
  { from, statuses, ...purged }: Moment,
  start: number,
): NameScript {
  if (statuses === undefined) return { dns: "nxdomain", rdap: "free", ...purged };
  const dateOf = (day: number) => new Date(start + day * DAY_MS).toISOString();
  const found = registeredReply(registryOf(tld) as Registry, domain, statuses);
  const events = [
    { eventAction: "registration", eventDate: dateOf(-1_000) },
    { eventAction: "last changed", eventDate: dateOf(from) },
    { eventAction: "expiration", eventDate: dateOf(EXPIRES_ON + (from > 0 ? 365 : 0)) },
  ];
  return {
    // Its registrar has deleted it by then.
    dns: from < 20 ? "delegated" : "nxdomain",
    rdap: { ...found, body: { ...found.body as object, events } },
    whois: "record",
  };
}

/** The titles of the steps of each name, in the order of a list. */
function stepsOf(titles: readonly string[]): Record<string, string[]> {
  const steps: Record<string, string[]> = {};
  for (const title of titles) {
    const [, domain = "", step = ""] = /^(\S+): (.+)$/.exec(title) ?? [];
    (steps[domain] ??= []).push(step);
  }
  return steps;
}

Deno.test("names of five kinds go through their lives: details, range, feed and calendar have each step once and in order, over two processes and a kill", async () => {
  const start = Date.now();
  let day = 0;
  const now = () => start + Math.round(day * DAY_MS);
  await using file = await createKvFile();
  await using lab = await startLab();
  await using chain = await startChain({ now });
  // A commit of a watch log that is written, and whose process is killed before it knows.
  let killsNext = false;
  let isKilled = false;
  const kv = await file.open();
  const mortal = changedKv(kv, (name) => {
    if (isKilled && name !== "close") throw new Error("killed");
    if (name !== "atomic") return undefined;
    return () => {
      const operation = kv.atomic();
      const { set, commit } = operation;
      let isWatch = false;
      operation.set = (key, ...rest) => {
        isWatch ||= key[0] === "watch";
        return set.call(operation, key, ...rest);
      };
      operation.commit = async () => {
        const result = await commit.call(operation);
        if (!killsNext || !isWatch) return result;
        isKilled = true;
        throw new Error("killed");
      };
      return operation;
    };
  });
  const env = { ...chain.env, ...whoisEnv(lab), RATE_LIMIT: "100000" };
  const startOne = async (kv: Deno.Kv) =>
    await startService(lab, { env, kv, now, monotonic: () => performance.now() });
  await using one = await startOne(mortal);
  await using two = await startOne(await file.open());
  await using three = await startOne(await file.open());
  const read = async ({ url }: RunningService, file: string) => {
    const response = await fetch(`${url}/${file}?domains=${DOMAINS}`);
    const text = await response.text();
    assertEquals(response.status, 200, text);
    return text;
  };

  const phases: Record<string, string[]> = {};
  for (const [turn, at] of DAYS.entries()) {
    day = at;
    for (const life of LIVES) {
      const moment = life.moments.findLast(({ from }) => from <= day);
      lab.script(life.domain, scriptOf(life, moment!, start));
    }
    killsNext = at > 50;
    const alive = isKilled ? [two, three] : [one, two];
    const order = turn % 2 ? alive : alive.toReversed();
    // At once: both see a step at the same time.
    await Promise.all(order.map((service) => read(service, "watch.atom").catch(() => "")));
    const [living = two] = isKilled ? [two] : order;
    for (const { domain, freeFrom } of LIVES) {
      const what = `${domain} on day ${day}`;
      const { state } = await living.check(domain);
      if (day < PURGED_ON) assertEquals(state, "taken", what);
      else if (day < freeFrom) assert(!["available", "premium", "taken"].includes(state), what);
      else assertEquals(state, "available", what);
      const { body } = await living.get(`/details?domain=${domain}`);
      assertEquals(body.state, state, what);
      if (day < PURGED_ON) {
        const { phase } = body.drop;
        if (phases[domain]?.at(-1) !== phase) (phases[domain] ??= []).push(phase);
        const purge = new Date(start + PURGED_ON * DAY_MS).toISOString().slice(0, 10);
        assert(body.drop.earliest <= purge && purge <= body.drop.latest, what);
        assert(body.expiresAt >= new Date(start + EXPIRES_ON * DAY_MS).toISOString(), what);
      }
    }
  }
  assertEquals(isKilled, true);
  const all = ["registered", "auto_renew", "redemption", "pending_delete"];
  for (const { domain } of LIVES) assertEquals(phases[domain], all, domain);

  for (const service of [two, three]) {
    const entries = parseAtom(await read(service, "watch.atom"));
    assertEquals(stepsOf(entries.toReversed().map(({ title }) => title)), TOLD);
    const times = entries.map(({ updated }) => updated);
    assertEquals(times, times.toSorted().toReversed());
    assertEquals(new Set(entries.map(({ id }) => id)).size, entries.length);
    const events = parseCalendar(await read(service, "watch.ics"));
    assertEquals(stepsOf(events.map(({ summary }) => summary)), TOLD);
  }
});
