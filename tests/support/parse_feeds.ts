/** Reads feeds and calendars as their readers do. */
import { XMLValidator } from "fast-xml-parser";
import { parseAtomFeed } from "feedsmith";
import ICAL from "ical.js";
import { assert, assertEquals } from "@std/assert";

/** The entries of an Atom feed. */
export function parseAtom(text: string) {
  assertEquals(XMLValidator.validate(text), true);
  const found = parseAtomFeed(text);
  assertEquals([found.sy?.updatePeriod, found.sy?.updateFrequency], ["hourly", 1]);
  assertEquals(found.links?.[0]?.rel, "self");
  return (found.entries ?? []).map(({ id = "", title, updated = "" }) => (
    { id, title: typeof title === "string" ? title : title?.value ?? "", updated }
  ));
}

/** The events of a calendar; days as YYYY-MM-DD, `to` is the day after its last. */
export function parseCalendar(text: string) {
  for (const line of text.split("\r\n")) {
    assert(new TextEncoder().encode(line).length <= 75, line);
    assert(!line.includes("\n"), line);
  }
  const calendar = new ICAL.Component(ICAL.parse(text));
  assertEquals(`${calendar.getFirstPropertyValue("refresh-interval")}`, "PT6H");
  return calendar.getAllSubcomponents("vevent").map((part) => {
    const { uid, summary, sequence, startDate, endDate } = new ICAL.Event(part);
    assert(part.getFirstPropertyValue("dtstamp") !== null);
    return { uid, summary, sequence, from: `${startDate}`, to: `${endDate}` };
  });
}
