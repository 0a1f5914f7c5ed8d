/**
 * `GET /watch.atom` and `GET /watch.ics`: what happens to names, as feeds that need no account: Atom (RFC 4287), and a
 * calendar to subscribe to (RFC 5545, RFC 7986).
 */
import * as z from "zod/mini";
import { isListOf, type Waiter } from "../flow/cache/flight.ts";
import { entriesOf, eventsOf, type FeedEvent, type WatchedName } from "../rules/watch_entries.ts";
import type { Services } from "../wiring/services.ts";
import { requireSuffix, startLookUps } from "./check.ts";
import { ApiError } from "./errors.ts";
import { operation } from "./operation.ts";
import { MAX_WATCHED, watchedParameter } from "./parameters.ts";

const DESCRIPTION = `Up to ${MAX_WATCHED} names, each costs one request. \
Each step is told once, in order: registered, a moved expiry, expired, deleted, about to be removed, just dropped, sold in \
an Expiry Access Period or an auction, available; of .eth names grace and premium. A step is dated when it was seen: the names \
of feeds that are read are looked up about once an hour. A name that was never seen registered has its present state alone. \
Who reads a feed is not kept. The answer has an ETag: send If-None-Match.`;

interface Feed<Path extends string> {
  readonly name: string;
  readonly path: Path;
  readonly summary: string;
  readonly type: string;
  print(domains: readonly string[], names: readonly WatchedName[], now: number): Promise<string>;
}

function watchOperation<const Path extends string>({ print, type, ...feed }: Feed<Path>) {
  return operation({
    ...feed,
    chapter: "domains",
    description: DESCRIPTION,
    query: () => z.object({ domains: watchedParameter() }),
    answer: () => z.string(),
    // Private, because a shared cache would serve one client's rate-limit headers to others.
    textHeaders: { "content-type": type, "cache-control": "private, max-age=900" },
    errors: ["missing_parameter", "invalid_domain", "unsupported_tld", "invalid_parameter"],
    async cost({ domains }, services) {
      for (const tld of new Set(domains.map(({ tld }) => tld))) {
        if (tld !== "eth") await requireSuffix(tld, services);
      }
      return domains.length;
    },
    async run({ domains }, services, waiter) {
      const names = await readAll(domains, services, waiter);
      return await print(names.map(({ domain }) => domain), names, services.now());
    },
  });
}

async function readAll(
  domains: readonly { label: string; tld: string }[],
  services: Services,
  waiter: Waiter | undefined,
): Promise<WatchedName[]> {
  if (waiter !== undefined) waiter.isList = isListOf(domains.length);
  return await Promise.all(startLookUps(domains, async ({ label, tld }) => {
    const name = await services.readWatched(label, tld, waiter);
    // Without its log, the name would seem to have changed.
    if (name === undefined) throw new ApiError("service_unavailable");
    return name;
  }));
}

/** The changes as a feed for readers of news. */
export const watchAtom = watchOperation({
  name: "watch_atom",
  path: "/watch.atom",
  summary: "Watch names: their changes as an Atom feed",
  type: "application/atom+xml; charset=utf-8",
  print: (domains, names, now) => printAtom(domains, entriesOf(names, now)),
});

/** The changes and the dates as a calendar. */
export const watchCalendar = watchOperation({
  name: "watch_calendar",
  path: "/watch.ics",
  summary: "Watch names: their changes and dates as a calendar",
  type: "text/calendar; charset=utf-8",
  print: (domains, names, now) => printCalendar(domains, eventsOf(names, now)),
});

/** Without a comma, which the calendar's package does not escape in its name. */
function titleOf(domains: readonly string[]): string {
  return `Watched names: ${domains.join(" ")}`;
}

/** The authority of the ids (RFC 4151), which must not depend on the address of the service. */
const TAG = "tag:domain-availability,2026:";

/** Prints it, with `{base}` in place of the service's base URL. */
export async function printAtom(
  domains: readonly string[],
  entries: readonly FeedEvent[],
): Promise<string> {
  const { generateAtomFeed } = await import("feedsmith");
  // The same at each reading.
  const query = domains.toSorted().join(",");
  const self = `{base}/watch.atom?domains=${query}`;
  return generateAtomFeed({
    id: `${TAG}watch/${query}`,
    title: { value: titleOf(domains) },
    updated: new Date(Math.max(0, ...entries.map(({ at }) => at))),
    authors: [{ name: "Domain Availability Service" }],
    links: [{ rel: "self", type: "application/atom+xml", href: self }],
    sy: { updatePeriod: "hourly", updateFrequency: 1 },
    entries: entries.map(({ id, domain, title, text, at }) => ({
      id: `${TAG}${id}`,
      title: { value: title },
      updated: new Date(at),
      links: [{ rel: "alternate", type: "text/html", href: `{base}/?q=${domain}` }],
      content: { type: "text", value: text },
    })),
  });
}

const DAY_MS = 86_400_000;
/** How often a client asks again, in seconds. */
const REFRESH_S = 6 * 3_600;

/** Prints it. */
export async function printCalendar(
  domains: readonly string[],
  events: readonly FeedEvent[],
): Promise<string> {
  const { default: ical, ICalCalendarMethod, ICalEventTransparency } = await import(
    "ical-generator"
  );
  const calendar = ical({
    prodId: "//Domain Availability Service//Watched names//EN",
    scale: "GREGORIAN",
    method: ICalCalendarMethod.PUBLISH,
    name: titleOf(domains),
    ttl: REFRESH_S,
    events: events.map(({ id, title, text, at, revision, from, to }) => ({
      id: `${id}@domain-availability`,
      stamp: new Date(at),
      sequence: revision,
      allDay: true,
      start: new Date(from),
      // The end of an event of whole days is the day after its last.
      end: new Date(Date.parse(to) + DAY_MS),
      summary: title,
      description: text || null,
      transparency: ICalEventTransparency.TRANSPARENT,
    })),
  });
  return `${calendar}\r\n`;
}
