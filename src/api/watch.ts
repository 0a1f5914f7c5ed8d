/** `GET /watch.atom` and `GET /watch.ics`: what happens to names, as feeds that need no account. */
import * as z from "zod/mini";
import { isListOf, type Waiter } from "../flow/cache/flight.ts";
import type { WatchedName } from "../lookup/watch.ts";
import { entriesOf, eventsOf } from "../rules/watch_entries.ts";
import type { Services } from "../wiring/services.ts";
import { type FeedHead, printAtom, printCalendar } from "./feeds.ts";
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
  readonly mediaType: string;
  print(names: readonly WatchedName[], head: FeedHead, now: number): string;
}

function watchOperation<const Path extends string>({ print, ...feed }: Feed<Path>) {
  return operation({
    ...feed,
    chapter: "domains",
    description: DESCRIPTION,
    query: () => z.object({ domains: watchedParameter() }),
    answer: () => z.string(),
    errors: ["missing_parameter", "invalid_domain", "unsupported_tld", "invalid_parameter"],
    cost: ({ domains }) => domains.length,
    async run({ domains }, services, waiter) {
      const names = await readAll(domains, services, waiter);
      const list = names.map(({ domain }) => domain);
      const query = list.toSorted().join(",");
      const head = {
        title: `Watched names: ${list.join(", ")}`,
        id: `watch/${query}`,
        path: `${feed.path}?domains=${query}`,
      };
      return print(names, head, services.now());
    },
  });
}

async function readAll(
  domains: readonly { label: string; tld: string }[],
  services: Services,
  waiter: Waiter | undefined,
): Promise<WatchedName[]> {
  for (const tld of new Set(domains.map(({ tld }) => tld))) {
    if (tld !== "eth") await requireSuffix(tld, services);
  }
  if (waiter !== undefined) waiter.isList = isListOf(domains.length);
  const names = await Promise.all(startLookUps(
    domains,
    ({ label, tld }) => services.readWatched(label, tld, waiter),
  ));
  // Without their logs, the names would seem to have changed.
  return names.map((name) => {
    if (name === undefined) throw new ApiError("service_unavailable");
    return name;
  });
}

/** The changes as a feed for readers of news. */
export const watchAtom = watchOperation({
  name: "watch_atom",
  path: "/watch.atom",
  summary: "Watch names: their changes as an Atom feed",
  mediaType: "application/atom+xml; charset=utf-8",
  print: (names, head, now) => printAtom(head, entriesOf(names, now)),
});

/** The changes and the dates as a calendar. */
export const watchCalendar = watchOperation({
  name: "watch_calendar",
  path: "/watch.ics",
  summary: "Watch names: their changes and dates as a calendar",
  mediaType: "text/calendar; charset=utf-8",
  print: (names, { title }, now) => printCalendar(title, eventsOf(names, now)),
});
