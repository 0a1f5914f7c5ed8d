import { assertEquals, assertMatch } from "@std/assert";
import { Hono } from "hono";
import { type AppEnv, sendError } from "../../src/api/context.ts";
import type { ApiError } from "../../src/api/errors.ts";
import { createRequestLimiter } from "../../src/api/rate_limit.ts";
import { type BodyLimits, createPulledBody } from "../../src/api/bodies.ts";
import { createMcpEndpoint } from "../../src/mcp/endpoint.ts";
import { postMcp } from "../support/mcp.ts";
import { until } from "../support/until.ts";
import { withService } from "../support/with_service.ts";

const PING = { jsonrpc: "2.0", id: 7, method: "ping" };

/** Sends the head of a POST and the start of its body; returns a response of known length, or all that comes. */
async function postHead(url: string, headers: readonly string[], start = ""): Promise<string> {
  const { host, port } = new URL(url);
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
  const ownHost = headers.some((header) => header.startsWith("Host:")) ? [] : [`Host: ${host}`];
  const type = "Content-Type: application/json";
  const head = ["POST /mcp/ HTTP/1.1", type, ...ownHost, ...headers];
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

Deno.test("a request with too large a Content-Length, an invalid Host or Origin is refused before its body arrives", () =>
  withService(async ({ url, get }) => {
    const large = await postHead(url, ["Content-Length: 65537"]);
    assertMatch(large, /^HTTP\/1\.1 413 [^]*send at most 64 KiB/);
    assertEquals((await get("/tlds")).headers.get("x-ratelimit-remaining"), "18");
    for (
      const [header, status] of [
        ["Host: evil.example", 403],
        ["Origin: https://evil.example", 403],
        ["Host: x/y", 400],
      ] as const
    ) {
      const answer = await postHead(url, [header, "Content-Length: 9"]);
      assertEquals(answer.split(" ")[1], `${status}`, header);
    }
  }, { RATE_LIMIT: "20" }));

/** What a service that is reached on the same machine, and one behind a proxy, answer to a Host or an Origin. */
// deno-fmt-ignore -- a table
const SENDERS: readonly [header: string, local: number, proxied: number][] = [
  ["Host: localhost", 200, 200], ["Host: 127.0.0.1", 200, 200], ["Host: [::1]:80", 200, 200],
  ["Host: evil.example", 403, 200], ["Host: localhost.evil.example", 403, 200],
  ["Host: x/mcp/?", 400, 400],
  ["Origin: http://localhost:6274", 200, 200], ["Origin: http://127.0.0.1", 200, 200],
  ["Origin: http://evil.example", 403, 200], ["Origin: https://localhost.evil.example", 403, 200],
  ["Origin: null", 403, 200], ["Origin: nonsense", 403, 200],
];

Deno.test("Host and Origin must be local when the client is on the same machine, and may be any behind a proxy", async () => {
  const body = JSON.stringify(PING);
  const accept = "Accept: application/json, text/event-stream";
  const own = [accept, `Content-Length: ${body.length}`, "Connection: close"];
  for (const TRUSTED_PROXIES of ["0", "1"]) {
    await withService(async ({ url }) => {
      for (const [header, local, proxied] of SENDERS) {
        const answer = await postHead(url, [...own, header], body);
        const expected = TRUSTED_PROXIES === "0" ? local : proxied;
        assertEquals(answer.split(" ")[1], `${expected}`, header);
      }
    }, { TRUSTED_PROXIES });
  }
});

/** Registers a test of the endpoint alone, with these limits of bodies; `ping` sends a small one. */
function testLimits(
  name: string,
  { RATE_LIMIT, ...limits }: Partial<BodyLimits> & { RATE_LIMIT?: string },
  run: (url: string, ping: () => ReturnType<typeof postMcp>) => Promise<void>,
): void {
  Deno.test(name, () =>
    withService(async ({ services }) => {
      const endpoint = createMcpEndpoint(services, {
        limiter: createRequestLimiter(services),
        reports: { debug() {}, error() {} },
        pulledBody: createPulledBody({ ending: services.ending }),
        bodyLimits: { maxBytes: 65_536, deadlineMs: 60_000, atOnce: 9, perClient: 9, ...limits },
      });
      const app = new Hono<AppEnv>().use(async (c, next) => {
        c.set("headers", {});
        await next();
      }).post("*", endpoint);
      app.onError((error, c) => sendError(c, error as ApiError));
      await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.fetch);
      const url = `http://127.0.0.1:${server.addr.port}`;
      await run(url, () => postMcp(`${url}/mcp/`, PING));
    }, RATE_LIMIT === undefined ? {} : { RATE_LIMIT }));
}

testLimits(
  "a body that misses its deadline is answered 400, and its slot is released",
  { deadlineMs: 20, atOnce: 1 },
  async (url, ping) => {
    const answer = await postHead(url, ["Content-Length: 9"], "{");
    assertMatch(answer, /^HTTP\/1\.1 400 [^]*\r\nx-ratelimit-remaining: \d+\r\n/);
    assertMatch(answer, /"message":"Invalid body: it did not arrive whole within 5 seconds"/);
    assertEquals((await ping()).status, 200);
  },
);

testLimits(
  "a body that does not arrive is answered 429 when its client is over the limit",
  { deadlineMs: 20, RATE_LIMIT: "1" },
  async (url, ping) => {
    assertEquals((await ping()).status, 200);
    const answer = await postHead(url, ["Content-Length: 60000"], "{");
    assertMatch(answer, /^HTTP\/1\.1 429 [^]*\r\nretry-after: \d+\r\n/);
    assertMatch(answer, /"message":"Too many requests\..* admitted in \d+ s\."/);
  },
);

testLimits(
  "a body over the limit of concurrent bodies is answered 503 with Retry-After",
  { atOnce: 1 },
  async (url, ping) => {
    const { host, port } = new URL(url);
    const slow = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\n{`;
    await slow.write(new TextEncoder().encode(head));
    await until("the slow body is being read", async () => (await ping()).status === 503);
    const { headers, body } = await ping();
    assertEquals(headers.get("retry-after"), "1");
    const message = "Busy: too many bodies are being read";
    assertEquals(body, { error: "service_unavailable", message, code: 503 });
    slow.close();
    await until("a disconnect releases the slot", async () => (await ping()).status === 200);
  },
);
