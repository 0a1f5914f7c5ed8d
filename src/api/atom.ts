/** Prints a feed in Atom (RFC 4287). */
import type { FeedEntry } from "../rules/watch_entries.ts";

/** The head of a feed. */
export interface FeedHead {
  readonly title: string;
  /** The same at each reading. */
  readonly id: string;
  /** The path and query that it is read at. */
  readonly path: string;
}

/** The authority of the ids (RFC 4151), which must not depend on the address of the service. */
const TAG = "tag:domain-availability,2026:";

/** Prints it, with `{base}` in place of the service's base URL. */
export function printAtom(
  { title, id, path }: FeedHead,
  entries: readonly FeedEntry[],
): string {
  const updated = Math.max(0, ...entries.map(({ at }) => at));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
<id>${TAG}${escapeXml(id)}</id>
<title>${escapeXml(title)}</title>
<updated>${timeOf(updated)}</updated>
<author><name>Domain Availability Service</name></author>
<link rel="self" type="application/atom+xml" href="{base}${escapeXml(path)}"/>
<sy:updatePeriod>hourly</sy:updatePeriod>
<sy:updateFrequency>1</sy:updateFrequency>
${entries.map(printEntry).join("")}</feed>
`;
}

function printEntry({ id, domain, title, text, at }: FeedEntry): string {
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
