import { assert, assertEquals } from "@std/assert";
import { startChain } from "../lab/chain/chain.ts";
import { EXPIRES_ON, LIVES, startLives } from "../lab/lives.ts";
import { whoisEnv } from "../lab/lab_env.ts";
import { changedKv } from "../support/changed_kv.ts";
import { createKvFile } from "../support/kv_file.ts";
import { parseAtom, parseCalendar } from "../support/parse_feeds.ts";
import { type RunningService, startService } from "../support/service.ts";

const DAY_MS = 86_400_000;
const GENERIC = [
  "registered",
  "expired, and renewed by the registry until its registrar deletes it or is paid",
  "deleted; its holder can still restore it",
  "about to be removed by the registry",
];
const TOLD: Readonly<Record<string, readonly string[]>> = {
  "one-life.com": [...GENERIC, "available"],
  "one-life.org": [...GENERIC, "dropped; sold by application or auction", "available"],
  "one-life.app": [
    ...GENERIC,
    "dropped; sold by some registrars at a fee that falls daily (Expiry Access Period)",
    "available",
  ],
  "one-life.uk": ["registered", "available"],
  "one-life.se": ["registered", "available"],
  "one-life.io": [...GENERIC, "available"],
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
  ...[55.51, 55.6, 56, 56.3, 57.4, 58, 65.4, 66.5, 75.4, 75.6, 90, 91.5, 97.4, 97.6, 105, 112.5],
];

/** The titles of the steps of each name, in the order of a list. */
function stepsOf(titles: readonly string[]): Record<string, string[]> {
  const steps: Record<string, string[]> = {};
  for (const title of titles) {
    const [, domain = "", step = ""] = /^(\S+): (.+)$/.exec(title) ?? [];
    (steps[domain] ??= []).push(step);
  }
  return steps;
}

Deno.test("names of seven kinds go through their lives: details, range, feed and calendar have each step once and in order, over two processes and a kill", async () => {
  const start = Date.now();
  let day = 0;
  const now = () => start + Math.round(day * DAY_MS);
  await using file = await createKvFile();
  await using lives = await startLives({ start, now });
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
  const env = { ...chain.env, ...whoisEnv(lives.lab), RATE_LIMIT: "100000" };
  const startOne = async (kv: Deno.Kv) =>
    await startService(lives.lab, { env, kv, now, monotonic: () => performance.now() });
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
    killsNext = at > 50;
    const alive = isKilled ? [two, three] : [one, two];
    const order = turn % 2 ? alive : alive.toReversed();
    // At once: both see a step at the same time.
    await Promise.all(order.map((service) => read(service, "watch.atom").catch(() => "")));
    const [living = two] = isKilled ? [two] : order;
    for (const { domain, purgedOn, freeFrom } of LIVES) {
      const what = `${domain} on day ${day}`;
      const { state } = await living.check(domain);
      if (day < purgedOn) assertEquals(state, "taken", what);
      else if (day < freeFrom) assert(!["available", "premium", "taken"].includes(state), what);
      else assertEquals(state, "available", what);
      const { body } = await living.get(`/details?domain=${domain}`);
      assertEquals(body.state, state, what);
      if (day < purgedOn) {
        const { phase } = body.drop;
        if (phases[domain]?.at(-1) !== phase) (phases[domain] ??= []).push(phase);
        const purge = new Date(start + purgedOn * DAY_MS).toISOString().slice(0, 10);
        assert(body.drop.earliest <= purge && purge <= body.drop.latest, what);
        assert(body.expiresAt >= new Date(start + EXPIRES_ON * DAY_MS).toISOString(), what);
      }
    }
  }
  assertEquals(isKilled, true);
  const generic = ["registered", "auto_renew", "redemption", "pending_delete"];
  for (const { domain } of LIVES) {
    const expected = /\.(?:uk|se)$/.test(domain) ? ["registered"] : generic;
    assertEquals(phases[domain], expected, domain);
  }

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
