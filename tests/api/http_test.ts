import { assertEquals, assertMatch } from "@std/assert";
import { operations } from "../../src/api/operations.ts";
import { documents } from "../../src/documents/documents.ts";
import { BUILT_IN_TLDS } from "../../src/rules/tables/tlds.ts";
import { BROKEN_TLDS, changedApp } from "../support/changed_app.ts";
import { fetchText } from "../support/fetch_text.ts";
import { mcpPost, toolCall } from "../support/mcp.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { rawGet } from "../support/raw_get.ts";
import type { Json } from "../support/service.ts";
import { takenRow } from "../support/taken_row.ts";
import { INVALID_QUERIES } from "./invalid_queries.ts";

const test = testsOnLab();

const TLDS = BUILT_IN_TLDS.map(({ tld }) => tld);

test("GET /check answers one row per TLD in the order of /tlds, and ignores unknown parameters, also names of Object.prototype", async ({ get }) => {
  const path = "/check?name=Taken&__proto__=1&constructor=2&toString=3";
  const { status, headers, body } = await get(path);
  assertEquals(status, 200);
  assertEquals(headers.get("content-type"), "application/json; charset=utf-8");
  assertEquals(Object.keys(body), ["name", "results", "totalMs", "timestamp"]);
  assertEquals(body.name, "taken");
  assertEquals(body.results.map(({ tld }: Json) => tld), TLDS);
  assertMatch(body.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const [row] = body.results;
  const untimed = { checkedAt: "", responseMs: 0 };
  assertEquals({ ...row, ...untimed }, { ...takenRow("taken", "ai"), ...untimed });
});

test("GET /check answers each query by itself when it is memoized: of other names, invalid, and valid again", async ({ get }) => {
  const ask = async (query: string) => {
    const { body } = await get(`/check?${query}`);
    return body.error ?? body.results.map(({ domain }: { domain: string }) => domain).join();
  };
  const queries = ["name=taken&tld=.com", "tld=COM&name=Taken", "name=taken&tld=dev"];
  for (const _ of [1, 2]) {
    assertEquals(await Promise.all(queries.map(ask)), ["taken.com", "taken.com", "taken.dev"]);
    assertEquals(await ask("name=-taken&tld=com"), "invalid_name");
    assertEquals(await ask("name=taken&tld=nope"), "unsupported_tld");
    assertEquals(await ask("name=taken&name=free&tld=com"), "invalid_name");
  }
});

Deno.test("GET /check sends Server-Timing with JSON, exposed by CORS and without the name, but not with a stream", () =>
  onLab(async ({ get, url }) => {
    const path = "/check?name=free-for-you&tld=com";
    const timings = [
      [path, /^cache;desc=miss, total;dur=\d+$/],
      [path, /^cache;desc=hit, total;dur=\d+$/],
      ["/check?name=free-for-you", /^cache;desc="1 of 3", total;dur=\d+$/],
    ] as const;
    for (const [asked, timing] of timings) {
      const { headers } = await get(asked);
      assertMatch(headers.get("server-timing") ?? "", timing);
      assertMatch(headers.get("access-control-expose-headers") ?? "", /Server-Timing/);
    }
    const accepting = { headers: { accept: "application/x-ndjson" } };
    const stream = await fetchText(`${url}${path}`, accepting);
    assertEquals(stream.headers.get("server-timing"), null);
    assertEquals((await get("/tlds")).headers.get("server-timing"), null);
  }, { env: { TLDS: "com,net,xyz" } }));

test("an invalid query gets its documented error, 400, with what to send instead and without an upstream query", async ({ get, lab }) => {
  for (const [path, error, says = /^/] of INVALID_QUERIES) {
    const { status, body } = await get(path);
    assertEquals([status, body.error, body.code], [400, error, 400], path);
    assertEquals(Object.keys(body), ["error", "message", "code"], path);
    // What is wrong, and after the colon what to send.
    assertMatch(body.message, /^(?:Missing|Invalid|Unsupported) \w+: [^:]/, path);
    assertMatch(body.message, says, path);
  }
  assertEquals(lab.dnsQueries.length, 0);
});

test("each operation and document has a route, an unknown path is 404, and another method 405 with what to use", async ({ get, services }) => {
  const routed = new Set(changedApp(services, {}).app.routes.map(({ path }) => path));
  const paths = [...operations.map(({ path }) => path), ...Object.keys(documents)];
  assertEquals(paths.filter((path) => !routed.has(path)), []);
  for (const path of ["/nope", "/check/", "/CHECK", "//check", "/mcp/x"]) {
    const { status, body } = await get(path);
    assertEquals([status, body.error], [404, "not_found"], path);
  }
  const routes = [
    ["/tlds", "POST PUT DELETE PATCH", "GET", "GET, HEAD, OPTIONS"],
    ["/static/app.js", "PUT", "GET", "GET, HEAD, OPTIONS"],
    ["/check", "PUT", "GET or POST", "GET, HEAD, POST, OPTIONS"],
    ["/mcp", "GET PUT DELETE", "POST", "POST, OPTIONS"],
    ["/mcp/", "GET PUT", "POST", "POST, OPTIONS"],
  ] as const;
  for (const [path, others, use, allow] of routes) {
    const message = `Method not allowed: use ${use}`;
    for (const method of others.split(" ")) {
      const { status, body, headers } = await get(path, { method });
      assertEquals([status, body], [405, { error: "method_not_allowed", message, code: 405 }]);
      assertEquals(headers.get("allow"), allow, path);
    }
    const { status, headers } = await get(path, { method: "OPTIONS" });
    assertEquals([status, headers.get("allow")], [204, allow], path);
  }
  const preflight = { "access-control-request-method": "GET" };
  for (const [headers, status] of [[{}, 404], [preflight, 204]] as const) {
    assertEquals((await get("/nope", { method: "OPTIONS", headers })).status, status);
  }
});

test("HEAD answers like GET, without a body", async ({ get, url }) => {
  const { status, headers, body } = await get("/tlds", { method: "HEAD" });
  assertEquals([status, body], [200, undefined]);
  assertEquals(headers.get("content-type"), "application/json; charset=utf-8");
  const { byteLength } = await (await fetch(`${url}/tlds`)).bytes();
  assertEquals(headers.get("content-length"), `${byteLength}`);
  assertEquals((await get("/tlds?type=x", { method: "HEAD" })).status, 400);
});

test("a CORS preflight is answered for any origin, and allows the headers that the page asks for", async ({ get }) => {
  const asked = "authorization,content-type,mcp-protocol-version";
  const sent = {
    "origin": "https://page.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": asked,
  };
  const { status, headers } = await get("/check", { method: "OPTIONS", headers: sent });
  assertEquals([status, headers.get("access-control-allow-origin")], [204, "*"]);
  assertEquals(headers.get("access-control-allow-methods"), "GET, HEAD, POST, OPTIONS");
  assertEquals(headers.get("access-control-allow-headers"), asked);
});

test("every response has the request id, CORS and security headers, and an invalid id is replaced", async ({ get, url }) => {
  const gets = ["/tlds", "/check", "/nope", "/check?name=taken&tld=com", "/health"];
  const messages = ["{", [], { jsonrpc: "2.0", id: 1, method: "tools/list" }];
  const own = { headers: { "x-request-id": "my-id.1" } };
  const requests = [
    ...gets.map((path) => [path, own] as const),
    ...messages.map((message) => ["/mcp/", mcpPost(message, own)] as const),
  ];
  for (const [path, init] of requests) {
    const { headers } = await fetchText(`${url}${path}`, init);
    assertEquals(headers.get("x-request-id"), "my-id.1", path);
    assertEquals(headers.get("access-control-allow-origin"), "*", path);
    const exposed = headers.get("access-control-expose-headers") ?? "";
    assertMatch(exposed, /X-RateLimit-Remaining.*X-Request-Id/);
    assertEquals(headers.get("cache-control"), "no-store", path);
    assertEquals(headers.get("x-content-type-options"), "nosniff", path);
    assertMatch(headers.get("content-security-policy") ?? "", /default-src 'none'/);
  }
  for (const sent of ["", "a b", "<script>", "x".repeat(65), "é"]) {
    const { headers } = await get("/tlds", { headers: { "x-request-id": sent } });
    assertMatch(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  }
});

test("an invalid Host header is rejected before routing", async ({ url }) => {
  // The last line is of hosts like host names, but invalid in a URL.
  const invalid = [
    ...["x/tlds?", "x/tlds#", "u:p@x", "a b", "a..b", "-a", "a:port", "[::1", "%41", "a\\b"],
    "x".repeat(64),
    ...["a:65536", "[1::2::3]", "256.1.1.1", "1.2.3.4.5", "foo.123", "xn--a"],
  ];
  const refusal = /^HTTP\/1\.1 400 .*"error":"invalid_host"/s;
  for (const path of ["/nope", "/llms.txt", "/static/app.js", "/search?q=taken"]) {
    for (const host of invalid) {
      assertMatch(await rawGet(url, path, [`Host: ${host}`]), refusal, `${host} ${path}`);
    }
    // The absolute URL in the place of the header.
    assertMatch(await rawGet(url, `http://256.1.1.1${path}`, ["Host: x"]), refusal, path);
  }
  const valid = ["example.com", "localhost:8000", "127.0.0.1", "[::1]:80", "my_service", "a.b."];
  for (const host of valid) {
    assertMatch(await rawGet(url, "/nope", [`Host: ${host}`]), /^HTTP\/1\.1 404 /, host);
  }
  assertMatch(await rawGet(url, "http://example.com/tlds", ["Host: x"]), /^HTTP\/1\.1 200 /);
});

Deno.test("GET /register lists the links of three registrars, by the configuration's affiliate links, and a price where one is known", () =>
  onLab(async ({ get }) => {
    const { body } = await get("/register?domain=My-Name.COM");
    assertEquals(body.domain, "my-name.com");
    const rows = body.registrars.map((row: Json) =>
      [row.name, row.slug, new URL(row.url).host, "estimatedPrice" in row].join()
    );
    assertEquals(rows, [
      "Porkbun,porkbun,porkbun.com,true",
      "Namecheap,namecheap,go.example,false",
      "GoDaddy,godaddy,www.godaddy.com,false",
    ]);
    const priced = await Promise.all(
      [...TLDS, "de"].map(async (tld) => {
        const { body: { registrars } } = await get(`/register?domain=a.${tld}&registrar=porkbun`);
        assertEquals(registrars.length, 1);
        return registrars[0].estimatedPrice === undefined ? [] : [tld];
      }),
    );
    assertEquals(priced.flat(), ["ai", "app", "bot", "com", "org", "xyz"]);
  }, { env: { AFFILIATE_NAMECHEAP: "https://go.example/?u={url}" } }));

test("GET /health reports the state of the upstreams without a query to them", async ({ get, lab }) => {
  // The start has read KV for a stored table.
  const { body: { status, version, uptimeSeconds, checks } } = await get("/health");
  assertEquals([status, typeof version, typeof uptimeSeconds], ["ok", "string", "number"]);
  const unused = { kv: "ok", dns: "unused", rdap: "unused", rpc: "unused" };
  assertEquals(checks, unused);
  assertEquals(lab.dnsQueries.length, 0);
  await get("/check?name=free-for-you&tld=com");
  assertEquals((await get("/health")).body.checks, { ...unused, dns: "ok", rdap: "ok" });
});

test("GET /health/ready is 200 while KV answers and 503 once the service drains", async ({ get, services }) => {
  assertEquals((await get("/health/ready")).body, { status: "ready" });
  services.drain();
  const { status, body, headers } = await get("/health/ready");
  assertEquals([status, body.error, body.code], [503, "service_unavailable", 503]);
  assertEquals(headers.get("retry-after"), "5");
});

Deno.test("a request is counted once when answering it fails", () =>
  onLab(async ({ services }) => {
    const { ask } = changedApp(services, {
      printMetrics: () => {
        throw new Error("secret");
      },
      checkDomain: () => Promise.reject(new Error("secret")),
    });
    const remaining = async (path: string, init?: RequestInit) => {
      const { status, headers } = await ask(path, init);
      return [status, Number(headers.get("x-ratelimit-remaining"))];
    };
    assertEquals(await remaining("/check?name=taken&tld=com"), [500, 19]);
    assertEquals(await remaining("/metrics"), [500, 19], "counted by itself");
    const checking = mcpPost(toolCall("check_domain", { names: ["a", "b"], tlds: ["com"] }));
    assertEquals(await remaining("/mcp/", checking), [200, 17]);
    assertEquals(await remaining("/nope"), [404, 16]);
  }, { env: { RATE_LIMIT: "20" } }));

test("a bug is answered 500 without internals, and logged", async ({ services }) => {
  const { ask, logged } = changedApp(services, { tlds: BROKEN_TLDS });
  const response = await ask("/tlds");
  const text = await response.text();
  assertEquals([response.status, JSON.parse(text).error], [500, "internal_error"]);
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(/secret|\.ts/.test(text), false);
  assertEquals(logged.length, 1);
  assertMatch(logged[0] ?? "", /"event":"request.failed".*"path":"\/tlds".*secret/);
});
