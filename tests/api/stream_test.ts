import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createAnswerStream, streamFormatOf } from "../../src/api/stream.ts";
import type { CheckDomain } from "../../src/lookup/check_domain.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { FakeTime } from "../support/fake_time.ts";
import { changedApp } from "../support/changed_app.ts";
import { fetchText } from "../support/fetch_text.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { takenRow } from "../support/taken_row.ts";
import { until } from "../support/until.ts";

const test = testsOnLab();

const NDJSON = "application/x-ndjson";
const SSE = "text/event-stream";

/** A service with the look-up of a test, and its log. */
function withLookups(
  checkDomain: CheckDomain,
  run: (ask: (accept: string) => Promise<Response>, logged: string[]) => Promise<void>,
): Promise<void> {
  return onLab(async ({ services }) => {
    const { ask, logged } = changedApp(services, { checkDomain });
    await run((accept) => ask("/check?name=any", { headers: { accept } }), logged);
  }, { env: { TLDS: "ai,com,net" } });
}

/** Reads a body event by event: those that are ready together arrive in one chunk. */
function eventsOf(response: Response): () => Promise<string | undefined> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const end = response.headers.get("content-type") === SSE ? /(?<=\n\n)(?=.)/ : /(?<=\n)(?=.)/;
  const events: string[] = [];
  return async () => {
    if (events.length === 0) events.push(...(await reader.read()).value?.split(end) ?? []);
    return events.shift();
  };
}

Deno.test("streamFormatOf() streams only what an Accept header names and prefers", () => {
  // deno-fmt-ignore -- a table
  const cases: [expected: string | undefined, ...accepts: (string | undefined)[]][] = [
    [undefined, undefined, "", "*/*", "application/json", "application/*", "text/*"],
    [undefined, "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
    [undefined, `${NDJSON}, application/json`, `${NDJSON}, */*`, `${NDJSON};q=0`, `${NDJSON}-2`],
    [undefined, `application/json, ${NDJSON};q=0.9`, `application/*;q=0.2, ${NDJSON};q=0.1`],
    [NDJSON, NDJSON, "Application/X-NDJSON", `${NDJSON};charset=utf-8`, `${NDJSON}, */*;q=0.1`],
    [NDJSON, `application/json;q=0.5, ${NDJSON}`, `${NDJSON};q=0.001`, `${NDJSON}, ${SSE}`],
    [NDJSON, ";;;,,application/x-ndjson;q"],
    [SSE, SSE, `${SSE}, text/html;q=0.9`, `${NDJSON};q=0.5, ${SSE}`],
  ];
  for (const [expected, ...accepts] of cases) {
    for (const accept of accepts) {
      assertEquals(streamFormatOf(accept)?.mediaType, expected, String(accept));
    }
  }
});

Deno.test("GET /check as NDJSON sends each result once it is known, then the summary", async () => {
  const ends = new Map<string, () => void>();
  const checkDomain: CheckDomain = (label, tld) =>
    new Promise((resolve) => ends.set(tld, () => resolve(takenRow(label, tld))));
  await withLookups(checkDomain, async (ask) => {
    const response = await ask(NDJSON);
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-type"), NDJSON);
    const next = eventsOf(response);
    for (const tld of ["net", "ai", "com"]) {
      const event = next();
      await until("three look-ups have begun", () => ends.size >= 3);
      ends.get(tld)?.();
      assertEquals(await event, `${JSON.stringify(takenRow("any", tld))}\n`);
    }
    const last = await next() ?? "";
    assertMatch(last, /^\{"name":"any","count":3,"totalMs":\d+,"timestamp":"[^"]+"\}\n$/);
    assertEquals(await next(), undefined);
  });
});

test("GET /check as server-sent events names them result and summary", async ({ url }) => {
  const ask = (headers: HeadersInit) => fetchText(`${url}/check?name=taken&tld=com`, { headers });
  const { headers, text } = await ask({ accept: SSE });
  assertEquals(headers.get("content-type"), SSE);
  const [result = "", summary = "", ...rest] = text.split("\n\n");
  assertEquals(rest, [""]);
  assertMatch(result, /^event: result\ndata: \{"domain":"taken\.com",.*\}$/);
  assertMatch(summary, /^event: summary\ndata: \{"name":"taken","count":1,.*\}\nid: end$/);
  assertEquals((await ask({ accept: SSE, "last-event-id": "end" })).status, 204);
});

Deno.test("JSON, NDJSON and SSE have the same headers but those against buffering, and cost one request each", () =>
  onLab(async ({ url }) => {
    const seen: string[] = [];
    for (const [cost, accept] of ["application/json", NDJSON, SSE].entries()) {
      const asked = { headers: { accept } };
      const { headers } = await fetchText(`${url}/check?name=taken&tld=com`, asked);
      const isStream = accept !== "application/json";
      assertEquals(headers.get("vary"), "Accept", accept);
      assertEquals(headers.get("cache-control"), isStream ? "no-store, no-transform" : "no-store");
      assertEquals(headers.get("x-accel-buffering"), isStream ? "no" : null);
      assertEquals(headers.get("x-ratelimit-remaining"), `${59 - cost}`);
      // A stream's headers are sent before its time is known.
      const own = /^(?:x-accel-buffering|content-\w+|transfer-encoding|server-timing)$/;
      seen.push([...headers.keys()].filter((name) => !own.test(name)).join());
    }
    assertEquals(new Set(seen).size, 1);
  }, { env: { RATE_LIMIT: "60" } }));

test("HEAD for a stream gets the status and headers without a look-up; errors and other operations answer in JSON", async ({ get, lab: { dnsQueries } }) => {
  const accepting = { headers: { accept: NDJSON } };
  const head = (query: string) => get(`/check?${query}`, { method: "HEAD", ...accepting });
  const { status, headers: sent } = await head("name=taken");
  assertEquals([status, sent.get("content-type")], [200, NDJSON]);
  assertEquals((await head("name=taken&tld=zz")).status, 400);
  assertEquals(dnsQueries.length, 0);
  const refused = await get("/check?name=foo.com", accepting);
  assertEquals([refused.status, refused.body.error], [400, "invalid_name"]);
  assertEquals(refused.headers.get("content-type"), "application/json; charset=utf-8");
  const { headers, body } = await get("/tlds", accepting);
  assertEquals([headers.get("vary"), body.count], [null, BUILT_IN_TLDS.length]);
});

Deno.test("a stream is aborted when a look-up throws, and the error is logged", async () => {
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  const checkDomain: CheckDomain = async (label, tld) => {
    if (tld === "ai") return takenRow(label, tld);
    await isSeen;
    throw new RangeError("a bug at " + tld);
  };
  await withLookups(checkDomain, async (ask, logged) => {
    const response = await ask(NDJSON);
    const next = eventsOf(response);
    assertMatch(await next() ?? "", /any\.ai/);
    see();
    await assertRejects(next, RangeError, "a bug at ");
    assertEquals(logged.length, 1);
    const id = response.headers.get("x-request-id");
    assert(logged[0]?.includes(`"event":"request.failed","requestId":"${id}"`), logged[0]);
  });
});

test("a stream asks under the wanted TLDs first, and cancels its questions when Deno says that the client has left", async ({ services }) => {
  const asked = new Map<string, AbortSignal | undefined>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const checkDomain: CheckDomain = async (label, tld, waiter) => {
    asked.set(tld, waiter?.signal);
    if (tld === "dev") await answered;
    return takenRow(label, tld);
  };
  const leaving = new AbortController();
  const init = { headers: { accept: NDJSON }, signal: leaving.signal };
  const next = eventsOf(await changedApp(services, { checkDomain }).ask("/check?name=any", init));
  await next();
  assertEquals([...asked.keys()].slice(0, 6), ["com", "io", "ai", "dev", "app", "biz"]);
  leaving.abort();
  assertEquals(asked.get("dev")?.aborted, true);
  answer();
  while (await next() !== undefined);
});

Deno.test("a stream sends what clients ignore where no row settles for long", async () => {
  for (const [type, filler] of [[NDJSON, " "], [SSE, ":\n\n"]] as const) {
    const format = streamFormatOf(type);
    assert(format !== undefined);
    const row = Promise.withResolvers<object>();
    const { chunksOf } = createAnswerStream(format, { silenceMs: 5 });
    const rows = [row.promise, new Promise(() => {})];
    const chunks = chunksOf({ start: () => rows, summary: () => ({}) }, () => {});
    const next = async () => new TextDecoder().decode((await chunks.next()).value ?? undefined);
    assertEquals([await next(), await next()], [filler, filler]);
    row.resolve({ domain: "a.com" });
    let text = await next();
    while (text === filler) text = await next();
    assertMatch(text, /"domain":"a.com"/);
    // The next row is awaited as the first one was.
    assertEquals(await next(), filler);
    await chunks.return();
  }
});

Deno.test("a pending event says how long the wait still is when its client reads it", async () => {
  using time = new FakeTime(0);
  const { onPending, chunksOf } = createAnswerStream(streamFormatOf(SSE)!);
  onPending?.({ domain: "any.com", tld: "com", host: "a", expectedAt: performance.now() + 5_000 });
  const chunks = chunksOf({ start: () => [Promise.resolve({})], summary: () => ({}) }, () => {});
  time.tick(2_000);
  const text = new TextDecoder().decode((await chunks.next()).value!);
  const pending = JSON.stringify({ domain: "any.com", tld: "com", host: "a", expectedMs: 3_000 });
  assert(text.includes(`event: pending\ndata: ${pending}\n`), text);
  await chunks.return();
});
