import { assertEquals, assertRejects } from "@std/assert";
import { ApiFailure, createClient } from "../src/client.ts";
import { startHttpServer } from "./support/http_server.ts";
import { atFixedTime, testsOnLab } from "./support/on_lab.ts";

const test = testsOnLab();

test("createClient() returns answers typed by their operations", async ({ url }) => {
  const get = createClient(url);
  const { results: [row] } = await get("/check", { name: "free-for-you", tld: "com" });
  const available: boolean | undefined = row?.available;
  // Of an unknown row alone, and with it the error.
  const [likely, error]: (string | undefined)[] = row?.state === "unknown"
    ? [row.likely, row.error satisfies string]
    : [];
  const { tlds } = await get("/tlds", { type: "ccTLD" });
  const types: ("gTLD" | "ccTLD")[] = tlds.map(({ type }) => type);
  const { status }: { status: "ok" | "degraded" } = await get("/health", {});
  assertEquals([available, likely, error], [true, undefined, undefined]);
  assertEquals([types.length, status], [5, "ok"]);
});

Deno.test("createClient() rejects with the service's message and Retry-After", () =>
  atFixedTime(async ({ url }) => {
    const get = createClient(url, { headers: { "x-request-id": "mine" } });
    const fieldsOf = ({ status, code, retryAfter }: ApiFailure) => [status, code, retryAfter];
    const invalid = () => get("/check", { name: "no name" });
    const wrong = await assertRejects(invalid, ApiFailure, "Use 1 to 63 letters");
    assertEquals(fieldsOf(wrong), [400, "invalid_name", undefined]);
    const over = await assertRejects(() => get("/tlds", {}), ApiFailure, "Too many requests");
    assertEquals(fieldsOf(over), [429, "rate_limit_exceeded", 60]);
  }, { env: { RATE_LIMIT: "1" } }));

test("client.checkNames() and client.stream() return rows typed like those of GET", async ({ url }) => {
  const client = createClient(url);
  const { results: [first, second] } = await client.checkNames({ names: ["taken.com", "no_name"] });
  const state = first !== undefined && "state" in first ? first.state : undefined;
  const message = second !== undefined && "message" in second ? second.message : "";
  assertEquals([state, message.startsWith("Invalid name")], ["taken", true]);
  const tlds: string[] = [];
  for await (const row of client.stream({ name: "taken" })) tlds.push(row.tld);
  assertEquals(tlds.length, (await client("/tlds", {})).count);
  await assertRejects(() => client.checkNames({ names: [] }), ApiFailure, "1 to 200");
  await assertRejects(() => client.stream({ name: "a b" }).next(), ApiFailure, "Use 1 to 63");
});

Deno.test("createClient() rejects with the status of an answer that is not the service's, and where a stream is cut", async () => {
  const row = JSON.stringify({ domain: "x.com", tld: "com" });
  const headers = { "content-type": "application/x-ndjson" };
  await using server = startHttpServer(({ url }) =>
    new URL(url).pathname === "/below/check"
      ? new Response(`${row}\n`, { headers })
      : new Response("<h1>Bad gateway</h1>", { status: 502 })
  );
  const client = createClient(`${server.url}/below/`);
  const failure = await assertRejects(() => client("/tlds", {}), ApiFailure, "HTTP 502");
  assertEquals([failure.status, failure.code], [502, undefined]);
  const rows = client.stream({ name: "x" });
  assertEquals((await rows.next()).value?.domain, "x.com");
  await assertRejects(() => rows.next(), TypeError, "no summary");
});

Deno.test("createClient() reads Retry-After as a date, and ends a request with the signal that it is given", async () => {
  const headers = { "retry-after": new Date(Date.now() + 3 * 86_400_000).toUTCString() };
  const limited = () => Response.json(null, { status: 429, headers });
  const silent = () => new Promise<never>(() => {});
  await using server = startHttpServer(({ url }) => url.endsWith("/tlds") ? limited() : silent());
  const stop = new AbortController();
  const get = createClient(server.url, { signal: stop.signal });
  const days = await assertRejects(() => get("/tlds", {}), ApiFailure, "HTTP 429");
  assertEquals(Math.round((days.retryAfter ?? 0) / 86_400), 3);
  const waiting = assertRejects(() => get("/health", {}), Error, "enough");
  stop.abort(new Error("enough"));
  await waiting;
});
