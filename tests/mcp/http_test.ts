import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { withDeadline } from "../../src/flow/deadline.ts";
import type { CheckDomain } from "../../src/lookup/check_domain.ts";
import { BROKEN_TLDS, changedApp } from "../support/changed_app.ts";
import { fetchText } from "../support/fetch_text.ts";
import { startHttpServer } from "../support/http_server.ts";
import { ERAS, LIST, mcpPost, metaOf, PING, postMcp, toolCall } from "../support/mcp.ts";
import { onLab, testsOnLab } from "../support/on_lab.ts";
import { until } from "../support/until.ts";

const test = testsOnLab();

/** A request of the 2026 revision, in which each request carries what was session state. */
function modern(method: string, params = {}) {
  return {
    message: { ...PING, method, params: { ...params, _meta: metaOf(ERAS[0]) } },
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method },
  };
}

test("the endpoint answers with and without the trailing slash, and clients that accept JSON and event streams", async ({ url }) => {
  for (const path of ["/mcp", "/mcp/", "/mcp?x=1"]) {
    const { status, body } = await postMcp(`${url}${path}`, PING);
    assertEquals([status, body], [200, { jsonrpc: "2.0", id: 7, result: {} }], path);
  }
  const json = "application/json";
  for (const accept of ["*/*", `${json}, */*;q=0.5`, `${json}, text/event-stream`]) {
    const { status, body } = await postMcp(`${url}/mcp/`, LIST, { headers: { accept } });
    assertEquals([status, body.result.tools.length], [200, 6], accept);
  }
  for (const accept of [json, "text/event-stream", "text/html"]) {
    const { message, headers } = modern("tools/list");
    for (const [sent, own] of [[LIST, {}], [message, headers]] as const) {
      const { status, body } = await postMcp(`${url}/mcp/`, sent, { headers: { ...own, accept } });
      assertEquals([status, body.id, body.error.code], [406, sent.id, -32_000], accept);
    }
  }
});

test("an invalid message is refused with JSON-RPC's codes, and a batch as a whole", async ({ url, lab }) => {
  const call = toolCall("check_domain", { names: ["free-for-you.com"] });
  // deno-fmt-ignore -- a table
  const bodies: [unknown, code: number][] = [
      ["", -32_700], ["{", -32_700], ["\u0000", -32_700],
      ["null", -32_600], ["7", -32_600], ['"x"', -32_600],
      [[], -32_600], [[PING], -32_600], [Array(100).fill(call), -32_600],
    ];
  for (const [sent, code] of bodies) {
    const { status, body: { error, id } } = await postMcp(`${url}/mcp/`, sent);
    assertEquals([status, error.code, id], [400, code, null], JSON.stringify(sent).slice(0, 99));
    if (Array.isArray(sent)) assertMatch(error.message, /batches are not supported/);
  }
  const others = [{}, { jsonrpc: "1.0", id: 1 }, { method: 7 }, { __proto__: null, id: {} }];
  for (const message of others) {
    const { status } = await postMcp(`${url}/mcp/`, message);
    assert(status >= 400 && status < 500, `${status} ${JSON.stringify(message)}`);
  }
  const html = await postMcp(`${url}/mcp/`, PING, { headers: { "content-type": "text/html" } });
  assertEquals(html.status, 415);
  const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
  assert((await postMcp(`${url}/mcp/`, deep)).status < 500);
  assertEquals(lab.dnsQueries.length, 0);
});

test("lists may be cached publicly for an hour, and there are no streams of changes", async ({ url }) => {
  for (const method of ["tools/list", "server/discover"]) {
    const { message, headers } = modern(method);
    const { body } = await postMcp(`${url}/mcp/`, message, { headers });
    assertEquals([body.result.ttlMs, body.result.cacheScope], [3_600_000, "public"], method);
  }
  const listen = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const { status, headers } = await postMcp(`${url}/mcp/`, listen.message, listen);
  assertEquals([status, headers.get("content-type")], [200, "text/event-stream"]);
  assertEquals(headers.get("x-accel-buffering"), "no");
});

test("a bug in a tool is reported without internals, and logged", async ({ services }) => {
  const { ask, logged } = changedApp(services, { tlds: BROKEN_TLDS });
  const text = await (await ask("/mcp/", mcpPost(toolCall("list_tlds", {})))).text();
  assertMatch(text, /Internal error \(logged\)[^]*"isError":true/);
  assertEquals([text.includes("secret"), logged.length], [false, 1]);
  assertMatch(logged[0] ?? "", /"event":"mcp.failed".*"tool":"list_tlds".*secret/);
});

for (const era of ERAS) {
  Deno.test(`look-ups are cancelled when their client closes its connection, in the era of ${era}`, () =>
    onLab(async ({ services }) => {
      let isAsked = false;
      const left = Promise.withResolvers<void>();
      const checkDomain: CheckDomain = async (label, tld, waiter) => {
        waiter?.signal.addEventListener("abort", () => left.resolve());
        isAsked = true;
        await left.promise;
        return await services.checkDomain(label, tld);
      };
      const { app } = changedApp(services, { checkDomain });
      await using server = startHttpServer(app.fetch);
      const input = { name: "check_domain", arguments: { names: ["taken.com"] } };
      const { message, headers } = era === "2026-07-28"
        ? modern("tools/call", input)
        : { message: toolCall(input.name, input.arguments), headers: {} };
      const leaving = new AbortController();
      const named = { "mcp-name": "check_domain", ...headers };
      const post = mcpPost(message, { headers: named, signal: leaving.signal });
      const isCut = assertRejects(() => fetchText(`${server.url}/mcp/`, post), DOMException);
      await until("the look-up has begun", () => isAsked);
      leaving.abort();
      await isCut;
      const isLeft = await withDeadline(left.promise.then(() => true), 10_000, false);
      left.resolve();
      assert(isLeft);
    }));
}

test("an argument that is null counts as absent, and a list may be sent as text", async ({ url }) => {
  const call = async (name: string, input: unknown) =>
    (await postMcp(`${url}/mcp/`, toolCall(name, input))).body.result;
  const counts = async (input: unknown) => {
    const { structuredContent, content } = await call("check_domain", input);
    return structuredContent?.count ?? content[0].text;
  };
  assertEquals(await counts({ names: ["taken.com"], tlds: null, details: null }), 1);
  assertEquals(await counts({ names: '["taken.com", "free.dev"]' }), 2);
  assertEquals(await counts({ names: "taken.com, free.dev" }), 2);
  const mixed = await call("check_domain", { names: "taken, river stone, b.io", tlds: "com" });
  const { count, invalid: [{ domains }] } = mixed.structuredContent;
  assertEquals([count, domains], [2, ["river stone"]]);
  assertEquals(await counts({ names: "- taken\n- free", tlds: "com, io" }), 4);
  assertEquals(await counts({ names: "360, ☺, -, ↔, é", tlds: "com" }), 4);
  const linked = await call("registration_links", { domain: "https://例え.jp/" });
  assertEquals(linked.structuredContent.domain, "xn--r8jz45g.jp");
  // No name is lost between commas, and 251 are too many.
  const many = (length: number) => Array.from({ length }, (_, n) => `n${n}.com`).join(", , ");
  assertEquals(await counts({ names: many(130) }), 130);
  assertMatch(await counts({ names: many(251) }), /names must be a list of 1 to 250 strings$/);
  assertEquals(await counts({ names: ["taken", "free"], tlds: "com" }), 2);
  assertEquals(await counts({ names: ["taken"], tlds: '["com","dev"]' }), 2);
  assert((await call("list_tlds", null)).structuredContent.count > 0);
  const { body } = await postMcp(`${url}/mcp/`, { ...LIST, params: null });
  assertEquals(body.result.tools.length, 6);
});

test("a tool that is none, and params that a method does not have, get JSON-RPC's errors", async ({ url }) => {
  const wrong = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
  const prompt = (product: unknown) => ({ name: "name_a_product", arguments: { product } });
  const initialize = modern("initialize");
  const { body: { error } } = await postMcp(`${url}/mcp/`, initialize.message, initialize);
  assertEquals(error.code, -32_601, "it is no method of the 2026 revision");
  const page = { ...LIST, params: { cursor: 7 } };
  const { body: refused } = await postMcp(`${url}/mcp/`, page);
  assertEquals(refused.error.message, "Send the params of tools/list as MCP has them");
  const others = [
    [toolCall("nope", {}), 200, 1],
    [toolCall("constructor", {}), 200, 1],
    [wrong, 400, 1],
    [{ ...wrong, params: { _meta: { progressToken: 1 } } }, 400, 1],
    [{ ...wrong, id: { a: 1 } }, 400, null],
    [{ ...wrong, method: "prompts/get", params: prompt(7) }, 400, 1],
    [{ ...wrong, method: "prompts/get", params: prompt("") }, 200, 1],
    [modern("prompts/get", prompt(7)).message, 400, 7],
    [page, 400, 1],
  ] as const;
  for (const [message, expected, id] of others) {
    const { status, body } = await postMcp(`${url}/mcp/`, message);
    assertEquals([status, body.id, body.error.code], [expected, id, -32_602]);
  }
});
