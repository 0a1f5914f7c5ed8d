import { assertEquals, assertMatch } from "@std/assert";
import { Hono } from "hono";
import type { AppEnv } from "../../src/api/context.ts";
import { createRequestLimiter } from "../../src/api/rate_limit.ts";
import { type BodyLimits, createPulledBody } from "../../src/api/bodies.ts";
import { createMcpEndpoint } from "../../src/mcp/endpoint.ts";
import type { Services } from "../../src/wiring/services.ts";
import { postMcp } from "../support/mcp.ts";
import type { Json } from "../support/service.ts";
import { withService } from "../support/with_service.ts";

const PING = { jsonrpc: "2.0", id: 7, method: "ping" };

/** Sends the head of a POST and the start of its body, and returns the whole response. */
async function postHead(url: string, headers: readonly string[], start = ""): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(url).port) });
  const head = ["POST /mcp/ HTTP/1.1", "Content-Type: application/json", ...headers];
  await connection.write(new TextEncoder().encode([...head, "", start].join("\r\n")));
  let text = "";
  for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [read, body = ""] = text.split("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(read ?? "")?.[1];
    if (length !== undefined && body.length >= Number(length)) break;
  }
  return text;
}

function hostOf(url: string): string {
  return `Host: ${new URL(url).host}`;
}

Deno.test("a body with too large a Content-Length is refused before it arrives", () =>
  withService(async ({ url, get }) => {
    const answer = await postHead(url, [hostOf(url), "Content-Length: 65537"]);
    assertMatch(answer, /^HTTP\/1\.1 413 /);
    assertMatch(answer, /send at most 65536 bytes/);
    assertEquals((await get("/tlds")).headers.get("x-ratelimit-remaining"), "18");
  }, { RATE_LIMIT: "20" }));

Deno.test("a request with an invalid Host or Origin is refused before its body arrives", () =>
  withService(async ({ url }) => {
    const length = "Content-Length: 9";
    assertMatch(await postHead(url, ["Host: evil.example", length]), /^HTTP\/1\.1 403 /);
    const origin = "Origin: https://evil.example";
    assertMatch(await postHead(url, [hostOf(url), origin, length]), /^HTTP\/1\.1 403 /);
    assertMatch(await postHead(url, ["Host: x/y", length]), /^HTTP\/1\.1 400 /);
  }));

/** Serves the endpoint alone, with these limits of bodies. */
async function withBodyLimits(
  services: Services,
  limits: Partial<BodyLimits>,
  run: (url: string) => Promise<void>,
): Promise<void> {
  const limiter = createRequestLimiter(services);
  const endpoint = createMcpEndpoint(services, {
    limiter,
    reports: { debug() {}, error() {} },
    pulledBody: createPulledBody({ ending: services.ending }),
    bodyLimits: { maxBytes: 65_536, deadlineMs: 60_000, atOnce: 9, perClient: 9, ...limits },
  });
  const app = new Hono<AppEnv>().use(async (c, next) => {
    c.set("headers", {});
    await next();
  }).post("*", endpoint);
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.fetch);
  await run(`http://127.0.0.1:${server.addr.port}`);
}

Deno.test("a body that misses its deadline is answered 408, and its slot is released", () =>
  withService(({ services }) =>
    withBodyLimits(services, { deadlineMs: 20, atOnce: 1 }, async (url) => {
      for (let round = 0; round < 3; round++) {
        const answer = await postHead(url, [hostOf(url), "Content-Length: 9"], "{");
        assertMatch(answer, /^HTTP\/1\.1 408 /);
        assertMatch(
          answer,
          /"error":\{"code":-32001,"message":"The body did not arrive in time"\}/,
        );
        assertMatch(answer, /\r\nx-ratelimit-remaining: \d+\r\n/);
      }
      assertEquals((await postMcp(`${url}/mcp/`, PING)).status, 200);
    })
  ));

Deno.test("a body that does not arrive is answered 429 when its client is over the limit", () =>
  withService(({ services }) =>
    withBodyLimits(services, { deadlineMs: 20 }, async (url) => {
      assertEquals((await postMcp(`${url}/mcp/`, PING)).status, 200);
      const answer = await postHead(url, [hostOf(url), "Content-Length: 60000"], "{");
      assertMatch(answer, /^HTTP\/1\.1 429 /);
      assertMatch(answer, /\r\nretry-after: \d+\r\n/);
      assertMatch(answer, /"message":"Too many requests: retry in \d+ s".*"cost":1.*"id":null/);
    }), { RATE_LIMIT: "1" }));

Deno.test("a body over the limit of concurrent bodies is answered 503 with Retry-After", () =>
  withService(({ services }) =>
    withBodyLimits(services, { atOnce: 1 }, async (url) => {
      const port = Number(new URL(url).port);
      const slow = await Deno.connect({ hostname: "127.0.0.1", port });
      const head = `POST / HTTP/1.1\r\n${hostOf(url)}\r\nContent-Length: 9\r\n\r\n{`;
      await slow.write(new TextEncoder().encode(head));
      const refused = await until(() => postMcp(`${url}/mcp/`, PING), 503);
      assertEquals(refused.headers.get("retry-after"), "1");
      assertEquals(refused.body, {
        jsonrpc: "2.0",
        error: {
          code: -32_000,
          message: "Too many bodies are being read: retry in 1 s",
          data: { error: "service_unavailable", retryAfter: 1 },
        },
        id: null,
      });
      // A disconnect releases the slot.
      slow.close();
      await until(() => postMcp(`${url}/mcp/`, PING), 200);
    })
  ));

/** Repeats a request until the response has this status. */
async function until(
  ask: () => Promise<{ status: number; headers: Headers; body: Json }>,
  status: number,
) {
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
  }
}
