import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CheckDomain } from "../../src/lookup/check_domain.ts";
import { BROKEN_TLDS, changedApp, versionAtSecondTry } from "../support/changed_app.ts";
import { connectClient, ERAS, mcpPost, postMcp, toolCall } from "../support/mcp.ts";
import { withService } from "../support/with_service.ts";

const PING = { jsonrpc: "2.0", id: 7, method: "ping" };
const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list" };

/** A request of the 2026 revision, in which each request carries what was session state. */
function modern(method: string, params = {}) {
  return {
    message: {
      jsonrpc: "2.0",
      id: 7,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method },
  };
}

Deno.test("the endpoint answers with and without the trailing slash", () =>
  withService(async ({ url }) => {
    for (const path of ["/mcp", "/mcp/", "/mcp?x=1"]) {
      const { status, body } = await postMcp(`${url}${path}`, PING);
      assertEquals([status, body], [200, { jsonrpc: "2.0", id: 7, result: {} }], path);
    }
    assertEquals((await postMcp(`${url}/mcp/x`, PING)).status, 404);
  }));

Deno.test("a method other than POST is 405 with Allow", () =>
  withService(async ({ url, get }) => {
    for (const path of ["/mcp", "/mcp/"]) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const { status, headers, body } = await get(path, { method });
        assertEquals([status, headers.get("allow")], [405, "POST, OPTIONS"], method);
        assertEquals(body.error, "method_not_allowed");
      }
    }
    const stream = await fetch(`${url}/mcp/`, { headers: { accept: "text/event-stream" } });
    await stream.body?.cancel();
    assertEquals(stream.status, 405);
  }));

Deno.test("a batch is refused as a whole", () =>
  withService(async ({ url }, lab) => {
    const call = toolCall("check_domain", { names: ["free-for-you.com"] });
    for (const batch of [[], [PING], Array(100).fill(call)]) {
      const { status, body } = await postMcp(`${url}/mcp/`, batch);
      assertEquals([status, body.error.code, body.id], [400, -32_600, null]);
      assertMatch(body.error.message, /one message per request/);
    }
    assertEquals(lab.dnsQueries.length, 0);
  }));

Deno.test("an invalid message is refused with JSON-RPC's codes", () =>
  withService(async ({ url }) => {
    // deno-fmt-ignore -- a table
    const bodies: [string, number, number][] = [
      ["", 400, -32_700], ["{", 400, -32_700], ["\u0000", 400, -32_700],
      ["null", 400, -32_600], ["7", 400, -32_600], ['"x"', 400, -32_600],
    ];
    for (const [text, status, code] of bodies) {
      const answer = await postMcp(`${url}/mcp/`, text);
      assertEquals([answer.status, answer.body.error.code], [status, code], JSON.stringify(text));
    }
    for (
      const message of [{}, { jsonrpc: "1.0", id: 1 }, { method: 7 }, { __proto__: null, id: {} }]
    ) {
      const { status } = await postMcp(`${url}/mcp/`, message);
      assert(status >= 400 && status < 500, `${status} ${JSON.stringify(message)}`);
    }
    const html = await postMcp(`${url}/mcp/`, PING, { headers: { "content-type": "text/html" } });
    assertEquals(html.status, 415);
    const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    assert((await postMcp(`${url}/mcp/`, deep)).status < 500);
  }));

Deno.test("a body of more than 64 KiB is refused, with Content-Length or without", () =>
  withService(async ({ url }) => {
    const filled = (bytes: number) => {
      const message = JSON.stringify({ ...PING, params: { _meta: { x: "" } } });
      return message.replace('"x":""', `"x":"${"x".repeat(bytes - message.length)}"`);
    };
    assertEquals((await postMcp(`${url}/mcp/`, filled(65_536))).status, 200);
    const { status, body } = await postMcp(`${url}/mcp/`, filled(65_537));
    assertEquals([status, body.error.message], [
      413,
      "The message is too large: send at most 65536 bytes",
    ]);
    const response = await fetch(`${url}/mcp/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Blob([filled(1_000_000)]).stream(),
    });
    assertEquals(response.status, 413);
    assertMatch(await response.text(), /send at most 65536 bytes/);
  }));

Deno.test("Host and Origin must be local when the client is on the same machine", () =>
  withService(async ({ url }) => {
    const { port } = new URL(url);
    const status = async (headers: Record<string, string>) =>
      await rawStatus(Number(port), { host: `127.0.0.1:${port}`, ...headers });
    for (const host of ["localhost", `localhost:${port}`, "127.0.0.1", "[::1]:80"]) {
      assertEquals(await status({ host }), 200, host);
    }
    for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example"]) {
      assertEquals(await status({ host }), 403, host);
    }
    assertEquals(await status({ host: "x/mcp/?" }), 400);
    for (const origin of ["http://localhost:6274", "http://127.0.0.1"]) {
      assertEquals(await status({ origin }), 200, origin);
    }
    for (const origin of ["http://evil.example", "https://localhost.evil.example", "null", "x"]) {
      assertEquals(await status({ origin }), 403, origin);
    }
  }));

Deno.test("a public service accepts every valid Origin", () =>
  withService(async ({ url }) => {
    const port = Number(new URL(url).port);
    const status = (headers: Record<string, string>) =>
      rawStatus(port, { host: "api.example.com", ...headers });
    assertEquals(await status({}), 200);
    assertEquals(await status({ origin: "https://page.example" }), 200);
    assertEquals(await status({ origin: "null" }), 200);
    assertEquals(await status({ origin: "nonsense" }), 403);
    assertEquals(await status({ host: "x/mcp/?" }), 400);
  }, { TRUSTED_PROXIES: "1" }));

/** Without fetch, which sets Host itself. */
async function rawStatus(port: number, headers: Record<string, string>): Promise<number> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const body = JSON.stringify(PING);
  const lines = Object.entries({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": `${body.length}`,
    connection: "close",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  await connection.write(
    new TextEncoder().encode(`POST /mcp/ HTTP/1.1\r\n${lines.join("")}\r\n${body}`),
  );
  const text = await new Response(connection.readable).text();
  return Number(text.split(" ")[1]);
}

Deno.test("CORS allows the headers of MCP clients", () =>
  withService(async ({ get }) => {
    const { status, headers } = await get("/mcp/", {
      method: "OPTIONS",
      headers: { origin: "https://page.example", "access-control-request-method": "POST" },
    });
    assertEquals([status, headers.get("access-control-allow-methods")], [204, "POST, OPTIONS"]);
    const allowed = headers.get("access-control-allow-headers")?.split(", ") ?? [];
    for (
      const name of [
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "content-type",
        "authorization",
      ]
    ) assert(allowed.includes(name), name);
  }));

Deno.test("every MCP response has the headers of all responses, streams and errors included", () =>
  withService(async ({ url }) => {
    const answers = [
      await postMcp(`${url}/mcp/`, LIST, { headers: { "x-request-id": "mine" } }),
      await postMcp(`${url}/mcp/`, "{", { headers: { "x-request-id": "mine" } }),
      await postMcp(`${url}/mcp/`, [PING], { headers: { "x-request-id": "mine" } }),
      await postMcp(`${url}/mcp/`, { jsonrpc: "2.0", method: "notifications/initialized" }, {
        headers: { "x-request-id": "mine" },
      }),
      await postMcp(`${url}/mcp/`, modern("nope").message, {
        headers: { ...modern("nope").headers, "x-request-id": "mine" },
      }),
    ];
    assertEquals(answers.map(({ status }) => status), [200, 400, 400, 202, 404]);
    for (const { headers } of answers) {
      assertEquals(headers.get("x-request-id"), "mine");
      assertMatch(headers.get("x-ratelimit-remaining") ?? "", /^\d+$/);
      assertEquals(headers.get("access-control-allow-origin"), "*");
      assertEquals(headers.get("cache-control"), "no-store");
      assertEquals(headers.get("x-content-type-options"), "nosniff");
    }
  }));

Deno.test("lists may be cached publicly for an hour, and there are no streams of changes", () =>
  withService(async ({ url }) => {
    for (const method of ["tools/list", "server/discover"]) {
      const { message, headers } = modern(method);
      const { body } = await postMcp(`${url}/mcp/`, message, { headers });
      assertEquals([body.result.ttlMs, body.result.cacheScope], [3_600_000, "public"], method);
    }
    const { message, headers } = modern("subscriptions/listen", {
      notifications: { toolsListChanged: true },
    });
    const { status, headers: answered } = await postMcp(`${url}/mcp/`, message, { headers });
    assertEquals([status, answered.get("content-type")], [200, "text/event-stream"]);
    assertEquals(answered.get("x-accel-buffering"), "no");
  }));

Deno.test("a bug in a tool is reported without internals, and logged", () =>
  withService(async ({ services }) => {
    const { ask, logged } = changedApp(services, { tlds: BROKEN_TLDS });
    const text = await (await ask("/mcp/", mcpPost(toolCall("list_tlds", {})))).text();
    assertMatch(text, /"isError":true/);
    assertMatch(text, /Internal error \(logged\)/);
    assertEquals(text.includes("secret"), false);
    assertEquals(logged.length, 1);
    assertMatch(logged[0] ?? "", /"event":"mcp.failed".*"tool":"list_tlds".*secret/);
  }));

Deno.test("the endpoint answers 500 when it cannot be opened, and retries at the next request", () =>
  withService(async ({ services }) => {
    const { ask } = changedApp(services, versionAtSecondTry());
    const ping = async () => {
      const response = await ask("/mcp", mcpPost(PING));
      return [response.status, (await response.text()).includes("secret")];
    };
    assertEquals([await ping(), await ping()], [[500, false], [200, false]]);
  }));

for (const era of ["2025-11-25", "2026-07-28"]) {
  Deno.test(`look-ups are cancelled when their client disconnects, in the era of ${era}`, () =>
    withService(async ({ services }) => {
      const asked = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      const checkDomain: CheckDomain = async (label, tld, waiter) => {
        waiter?.signal.addEventListener("abort", () => left.resolve());
        asked.resolve();
        await left.promise;
        return await services.checkDomain(label, tld);
      };
      const { ask } = changedApp(services, { checkDomain });
      const input = { name: "check_domain", arguments: { names: ["taken.com"] } };
      const { message, headers } = era === "2026-07-28"
        ? modern("tools/call", input)
        : { message: toolCall(input.name, input.arguments), headers: {} };
      const leaving = new AbortController();
      const post = mcpPost(message, {
        headers: { "mcp-name": "check_domain", ...headers },
        signal: leaving.signal,
      });
      // Without a socket: Deno does not notice a disconnect after a POST whose body came in a packet of its own.
      const answering = ask("/mcp/", post);
      await asked.promise;
      leaving.abort();
      await left.promise;
      const { body } = await answering;
      await body?.cancel();
    }));
}

Deno.test("an argument that is null counts as absent, and a list may be sent as text", () =>
  withService(async ({ url }) => {
    const call = async (name: string, input: unknown) =>
      (await postMcp(`${url}/mcp/`, toolCall(name, input))).body.result;
    const counts = async (input: unknown) => {
      const { structuredContent, content } = await call("check_domain", input);
      return structuredContent?.count ?? content[0].text;
    };
    assertEquals(await counts({ names: ["taken.com"], tlds: null, details: null }), 1);
    assertEquals(await counts({ names: '["taken.com", "free.dev"]' }), 2);
    assertEquals(await counts({ names: "taken.com, free.dev" }), 2);
    assertEquals(await counts({ names: ["taken", "free"], tlds: "com" }), 2);
    assertEquals(await counts({ names: ["taken"], tlds: '["com","dev"]' }), 2);
    assertEquals((await call("list_tlds", null)).isError, undefined);
    const { status, body } = await postMcp(`${url}/mcp/`, { ...LIST, params: null });
    assertEquals([status, body.result.tools.length], [200, 6]);
  }));

Deno.test("a client that accepts every type is answered", () =>
  withService(async ({ url }) => {
    for (
      const accept of ["*/*", "application/json, */*;q=0.5", "application/json, text/event-stream"]
    ) {
      const { status, body } = await postMcp(`${url}/mcp/`, LIST, { headers: { accept } });
      assertEquals([status, body.result.tools.length], [200, 6], accept);
    }
  }));

Deno.test("the prompt name_a_product holds the product and the calls", async () => {
  await withService(async ({ url }) => {
    for (const era of ERAS) {
      await using client = await connectClient(`${url}/mcp/`, era);
      const { prompts } = await client.listPrompts();
      assertEquals(prompts.map(({ name }) => name), ["name_a_product"]);
      const { messages } = await client.getPrompt({
        name: "name_a_product",
        arguments: { product: "a shop for running shoes" },
      });
      const [{ content } = { content: undefined }] = messages;
      assert(content?.type === "text");
      assertMatch(content.text, /a shop for running shoes\n[^]*check_domain once/);
    }
  });
});

/** The keywords that Gemini's API and OpenAI's strict mode both take; others make them refuse the whole request. */
const KEYWORDS =
  /^(?:type|properties|required|items|description|enum|minimum|maximum|minItems|maxItems|default|\$schema|minLength|maxLength)$/;

Deno.test("schemas of arguments keep to the keywords that the strictest function schemas take", () =>
  withService(async ({ url }) => {
    const { body } = await postMcp(`${url}/mcp/`, LIST);
    const walk = (schema: Record<string, unknown>, path: string): void => {
      for (const [keyword, value] of Object.entries(schema)) {
        assertMatch(keyword, KEYWORDS, path);
        if (keyword === "properties") {
          for (const [name, member] of Object.entries(value as object)) {
            walk(member, `${path}.${name}`);
          }
        }
        if (keyword === "items") walk(value as Record<string, unknown>, `${path}[]`);
      }
    };
    for (const { name, inputSchema } of body.result.tools) walk(inputSchema, name);
  }));
