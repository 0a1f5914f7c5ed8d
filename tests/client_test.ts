import { assertEquals, assertRejects } from "@std/assert";
import { ApiFailure, createClient } from "../src/client.ts";
import { startLab } from "./lab/lab.ts";
import { startService } from "./support/service.ts";
import { idle, until } from "./support/until.ts";
import { withService } from "./support/with_service.ts";

Deno.test("createClient() returns answers typed by their operations", () =>
  withService(async ({ url }) => {
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
  }));

Deno.test("createClient() rejects with the service's message and Retry-After", async () => {
  await using lab = await startLab();
  const present = Date.now();
  await using service = await startService(lab, {
    env: { RATE_LIMIT: "1" },
    now: () => present,
    monotonic: () => performance.now(),
  });
  const get = createClient(service.url, { headers: { "x-request-id": "mine" } });
  const fieldsOf = ({ status, code, retryAfter }: ApiFailure) => [status, code, retryAfter];
  const invalid = () => get("/check", { name: "no name" });
  const wrong = await assertRejects(invalid, ApiFailure, "Use 1 to 63 letters");
  assertEquals(fieldsOf(wrong), [400, "invalid_name", undefined]);
  const over = await assertRejects(() => get("/tlds", {}), ApiFailure, "Too many requests");
  assertEquals(fieldsOf(over), [429, "rate_limit_exceeded", 60]);
});

Deno.test("client.checkNames() and client.stream() return rows typed like those of GET", () =>
  withService(async ({ url }) => {
    const client = createClient(url);
    const { results: [first, second] } = await client.checkNames({
      names: ["taken.com", "no_name"],
    });
    const state = first !== undefined && "state" in first ? first.state : undefined;
    const message = second !== undefined && "message" in second ? second.message : "";
    assertEquals([state, message.startsWith("Invalid name")], ["taken", true]);
    const tlds: string[] = [];
    for await (const row of client.stream({ name: "taken" })) tlds.push(row.tld);
    assertEquals(tlds.length, (await client("/tlds", {})).count);
    await assertRejects(() => client.checkNames({ names: [] }), ApiFailure, "1 to 200");
    await assertRejects(() => client.stream({ name: "a b" }).next(), ApiFailure, "Use 1 to 63");
  }));

Deno.test("createClient() rejects with the status of an answer that is not the service's, and where a stream is cut", async () => {
  const row = JSON.stringify({ domain: "x.com", tld: "com" });
  await using server = Deno.serve({ port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    return pathname === "/below/check"
      ? new Response(`${row}\n`, { headers: { "content-type": "application/x-ndjson" } })
      : new Response("<h1>Bad gateway</h1>", { status: 502 });
  });
  const client = createClient(`http://localhost:${server.addr.port}/below/`);
  const failure = await assertRejects(() => client("/tlds", {}), ApiFailure, "HTTP 502");
  assertEquals([failure.status, failure.code], [502, undefined]);
  const rows = client.stream({ name: "x" });
  assertEquals((await rows.next()).value?.domain, "x.com");
  await assertRejects(() => rows.next(), TypeError, "no summary");
});

Deno.test("createClient() sends a request again after a 429 as often as told, and no other", async () => {
  let requests = 0;
  await using server = Deno.serve({ port: 0, onListen() {} }, (request) => {
    requests++;
    if (request.url.endsWith("/health")) return Response.json({}, { status: 404 });
    return requests % 3 === 0
      ? Response.json({ count: 0, tlds: [] })
      : Response.json({}, { status: 429, headers: { "retry-after": "0" } });
  });
  const get = (retries: number) =>
    createClient(`http://localhost:${server.addr.port}`, { retries });
  assertEquals(await get(2)("/tlds", {}), { count: 0, tlds: [] });
  assertEquals(requests, 3);
  await assertRejects(() => get(1)("/tlds", {}), ApiFailure);
  assertEquals(requests, 5);
  await assertRejects(() => get(2)("/health", {}), ApiFailure);
  assertEquals(requests, 6);
});

Deno.test("createClient() reads Retry-After as a date, waits for none of days, and ends a wait with its signal", async () => {
  let retryAfter = "";
  let asked = 0;
  await using server = Deno.serve({ port: 0, onListen() {} }, () => {
    asked++;
    return Response.json(null, { status: 429, headers: { "retry-after": retryAfter } });
  });
  const stop = new AbortController();
  const options = { retries: 1, signal: stop.signal };
  const get = createClient(`http://localhost:${server.addr.port}`, options);
  retryAfter = new Date(Date.now() + 3 * 86_400_000).toUTCString();
  const days = await assertRejects(() => get("/tlds", {}), ApiFailure, "HTTP 429");
  assertEquals(Math.round((days.retryAfter ?? 0) / 86_400), 3);
  retryAfter = "60";
  const waiting = assertRejects(() => get("/tlds", {}), Error, "enough");
  await until("it is refused", () => asked === 2);
  await idle();
  stop.abort(new Error("enough"));
  await waiting;
});
