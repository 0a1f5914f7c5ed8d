/**
 * `GET /watch.atom` and `GET /watch.ics`: what happens to names, as feeds that need no account: Atom (RFC 4287), and a
 * calendar to subscribe to (RFC 5545, RFC 7986).
 */
import * as z from "zod/mini";
import { isListOf, type Waiter } from "../flow/cache/flight.ts";
import { dayOf } from "../rules/prices.ts";
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
  print(domains: readonly string[], names: readonly WatchedName[], now: number): string;
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
      return print(names.map(({ domain }) => domain), names, services.now());
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

function titleOf(domains: readonly string[]): string {
  return `Watched names: ${domains.join(", ")}`;
}

/** The authority of the ids (RFC 4151), which must not depend on the address of the service. */
const TAG = "tag:domain-availability,2026:";

/** Prints it, with `{base}` in place of the service's base URL. */
export function printAtom(domains: readonly string[], entries: readonly FeedEvent[]): string {
  // The same at each reading.
  const query = escapeXml(domains.toSorted().join(","));
  const updated = Math.max(0, ...entries.map(({ at }) => at));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
<id>${TAG}watch/${query}</id>
<title>${escapeXml(titleOf(domains))}</title>
<updated>${timeOf(updated)}</updated>
<author><name>Domain Availability Service</name></author>
<link rel="self" type="application/atom+xml" href="{base}/watch.atom?domains=${query}"/>
<sy:updatePeriod>hourly</sy:updatePeriod>
<sy:updateFrequency>1</sy:updateFrequency>
${entries.map(printEntry).join("")}</feed>
`;
}

function printEntry({ id, domain, title, text, at }: FeedEvent): string {
  return `<entry>
<id>${TAG}${escapeXml(id)}</id>
<title>${escapeXml(title)}</title>
<updated>${timeOf(at)}</updated>
<link rel="alternate" type="text/html" href="{base}/?q=${encodeURIComponent(domain)}"/>
<content type="text">${escapeXml(text)}</content>
</entry>
`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** By name, since some readers know no numbers. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");
}

const DAY_MS = 86_400_000;
/** Octets of a line without its end. */
const MAX_OCTETS = 75;
/** How often a client asks again. */
const REFRESH = "PT6H";

/** Prints it, with `{base}` in place of the service's base URL. */
export function printCalendar(domains: readonly string[], events: readonly FeedEvent[]): string {
  const title = escapeText(titleOf(domains));
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Domain Availability Service//Watched names//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...events.flatMap(linesOf),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function linesOf({ id, title, text, at, revision, from, to }: FeedEvent): string[] {
  // The end of an event of whole days is the day after its last.
  const end = dayOf(Date.parse(to) + DAY_MS);
  return [
    "BEGIN:VEVENT",
    `UID:${escapeText(id)}@domain-availability`,
    `DTSTAMP:${compact(timeOf(at).replace(/\.\d+/, ""))}`,
    `SEQUENCE:${revision}`,
    `DTSTART;VALUE=DATE:${compact(from)}`,
    `DTEND;VALUE=DATE:${compact(end)}`,
    `SUMMARY:${escapeText(title)}`,
    ...(text === "" ? [] : [`DESCRIPTION:${escapeText(text)}`]),
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

function compact(time: string): string {
  return time.replaceAll(/[-:]/g, "");
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`);
}

/** Folds a line of ASCII: names are A-labels, and all words are ours. */
function folded(line: string): string {
  const parts = [line.slice(0, MAX_OCTETS)];
  for (let at = MAX_OCTETS; at < line.length; at += MAX_OCTETS - 1) {
    parts.push(` ${line.slice(at, at + MAX_OCTETS - 1)}`);
  }
  return parts.join("\r\n");
}
