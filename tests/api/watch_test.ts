import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { printAtom, printCalendar } from "../../src/api/watch.ts";
import { failingKv } from "../support/changed_kv.ts";
import { fetchText } from "../support/fetch_text.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { parseAtom, parseCalendar } from "../support/parse_feeds.ts";

const test = testsOnLab();

const LONG = `${"x".repeat(63)}.com`;

test("/watch.atom and /watch.ics have the names in the order of the query's set, each once", async ({ url }) => {
  const read = async (path: string) => (await fetchText(`${url}${path}`)).text;
  const query = "?domains=taken.com,free-for-you.com,TAKEN.com";
  const entries = parseAtom(await read(`/watch.atom${query}`));
  const [registered, available] = ["taken.com: registered", "free-for-you.com: available"];
  assertEquals(entries.map(({ title }) => title), [registered, available]);
  const events = parseCalendar(await read(`/watch.ics${query}`));
  const steps = ["taken.com: expires", "taken.com: could be free"];
  assertEquals(events.map(({ summary }) => summary), [registered, ...steps, available]);
  parseCalendar(await read(`/watch.ics?domains=${LONG}`));
});

Deno.test("a feed is 304 for its ETag, may be kept for a while by its reader alone, and costs a request for each name", () =>
  onLab(async ({ url }) => {
    for (const path of ["/watch.atom", "/watch.ics"]) {
      const feed = `${url}${path}?domains=taken.com,free-for-you.com`;
      const { headers } = await fetchText(feed);
      assertEquals(headers.get("cache-control"), "private, max-age=900");
      const etag = headers.get("etag") ?? "";
      const again = await fetchText(feed, { headers: { "if-none-match": etag } });
      assertEquals([again.status, again.text], [304, ""]);
      const left = (headers: Headers) => Number(headers.get("x-ratelimit-remaining"));
      assertEquals(left(headers) - left(again.headers), 2);
      const head = await fetchText(feed, { method: "HEAD" });
      assertEquals([head.status, head.headers.get("etag")], [200, etag]);
    }
  }, { env: { RATE_LIMIT: "100" } }));

Deno.test("a feed is 503 while KV fails, so that no step seems to vanish", async () => {
  let fails = false;
  const kv = failingKv(await Deno.openKv(":memory:"), "get", () => fails);
  await onLab(async ({ get, url }) => {
    await fetchText(`${url}/watch.atom?domains=taken.com`);
    fails = true;
    const { status, body } = await get("/watch.atom?domains=taken.com");
    assertEquals([status, body.error], [503, "service_unavailable"]);
  }, { kv });
});

const words = fc.string({ unit: fc.constantFrom(..."ab &<>\"',;:\\-."), maxLength: 200 });
const [min, max] = [new Date("2000-01-01"), new Date("2099-12-31")];
const days = fc.date({ min, max, noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

Deno.test("printAtom() and printCalendar() print any words so that parsers read them again", async () => {
  const row = fc.record({ title: words, text: words, from: days });
  const rows = fc.array(row, { minLength: 1, maxLength: 5 });
  const at = Date.parse("2026-11-24T00:00:00Z");
  const areRead = fc.asyncProperty(rows, async (rows) => {
    const entries = rows.map(({ title, text, from }, n) => {
      const known = { id: `a.com/${n}`, domain: "a.com", at, revision: n };
      return { ...known, title: `a${title}b`, text, from, to: from };
    });
    const read = parseAtom(await printAtom(["a.com"], entries));
    assertEquals(read.map(({ updated }) => Date.parse(updated)), entries.map(() => at));
    const calendar = await printCalendar(["a.com"], entries);
    assertMatch(calendar, /\r\nPRODID:-\/\/Domain Availability Service\/\/[^]*\r\n$/);
    const expected = entries.map(({ id, title, revision, from }) => {
      const to = new Date(Date.parse(from) + 86_400_000).toISOString().slice(0, 10);
      return { uid: `${id}@domain-availability`, summary: title, sequence: revision, from, to };
    });
    assertEquals(parseCalendar(calendar), expected);
  });
  await fc.assert(areRead, { numRuns: 200 });
});
