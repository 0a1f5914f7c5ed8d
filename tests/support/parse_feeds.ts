/** Reads feeds and calendars with two parsers each, which must agree. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { parseAtomFeed } from "feedsmith";
import ICAL from "ical.js";
import { parseICS } from "node-ical";
import { assert, assertEquals } from "@std/assert";

/** An entry of a feed as its readers see it. */
export interface ReadEntry {
  id: string;
  title: string;
  updated: string;
}

/** The entries of an Atom feed, as both parsers read them. */
export function parseAtom(text: string): ReadEntry[] {
  assertEquals(XMLValidator.validate(text), true);
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === "entry" });
  const { feed } = parser.parse(text);
  const found = parseAtomFeed(text);
  assertEquals([found.sy?.updatePeriod, found.sy?.updateFrequency], ["hourly", 1]);
  assertEquals(found.links?.[0]?.rel, "self");
  const entries = (found.entries ?? []).map(({ id, title, updated }): ReadEntry => ({
    id: id ?? "",
    title: typeof title === "string" ? title : title?.value ?? "",
    updated: `${updated}`,
  }));
  const others = (feed.entry ?? []).map(({ id, title, updated }: ReadEntry) => (
    { id, title, updated }
  ));
  assertEquals(entries, others);
  return entries;
}

/** An event of a calendar as its readers see it; days as YYYY-MM-DD, `to` is the day after its last. */
export interface ReadEvent {
  uid: string;
  summary: string;
  sequence: number;
  from: string;
  to: string;
}

/** The events of a calendar, as both parsers read them. */
export function parseCalendar(text: string): ReadEvent[] {
  for (const line of text.split("\r\n")) {
    assert(new TextEncoder().encode(line).length <= 75, line);
    assert(!line.includes("\n"), line);
  }
  const calendar = new ICAL.Component(ICAL.parse(text));
  assertEquals(`${calendar.getFirstPropertyValue("refresh-interval")}`, "PT6H");
  const events = calendar.getAllSubcomponents("vevent").map((part): ReadEvent => {
    const event = new ICAL.Event(part);
    assert(part.getFirstPropertyValue("dtstamp") !== null);
    return {
      uid: event.uid,
      summary: event.summary,
      sequence: event.sequence,
      from: `${event.startDate}`,
      to: `${event.endDate}`,
    };
  });
  const others = Object.values(parseICS(text)).flatMap((part) =>
    part?.type === "VEVENT"
      ? [{
        uid: part.uid,
        summary: `${part.summary}`,
        sequence: Number(part.sequence),
        from: dayOf(part.start),
        to: dayOf(part.end),
      }]
      : []
  );
  const byUid = (a: ReadEvent, b: ReadEvent) => a.uid.localeCompare(b.uid);
  assertEquals(others.toSorted(byUid), events.toSorted(byUid));
  return events;
}

/** Node's parser reads a day as midnight of the machine's zone. */
function dayOf(date: Date | undefined): string {
  assert(date !== undefined);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => `${part}`.padStart(2, "0")).join("-");
}
